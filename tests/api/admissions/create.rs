//! `POST /api/v1/events/{eventId}/dates/{showId}/admissions`: results of scans

use tests::prelude::*;

/// Sale with its gates and the codes of sold tickets.
struct Door {
    api: Api,
    sale: Sale,
    gates: [Value; 2],
    hold: String,
    codes: Vec<String>,
}

impl Door {
    async fn open(seats: &[usize]) -> Self {
        let api = Api::new();
        let mut event = Sale::on_sale();
        event["areas"][1]["seats"][0]["kind"] = json!("WHEELCHAIR");
        let sale = Sale::of(&api.create(&event).await);
        let gates = [sale.gate(&api, "남문").await, sale.gate(&api, "북문").await];
        let hold = sale.sold(&api, seats).await;
        let tickets = sale.tickets(&api, &hold).await.data();
        let codes =
            tickets.as_array().unwrap().iter().map(|ticket| ticket["code"].as_str().unwrap().to_owned()).collect();
        Self { api, sale, gates, hold, codes }
    }

    /// Returns the results of scans at one of the gates.
    async fn scan(&self, gate: usize, scans: Value) -> Value {
        self.sale.scan_with(&self.api, &self.gates[gate], &json!({ "scans": scans })).await.expect(200, "0").data()
    }

    /// Returns the names of the results of scans.
    async fn results(&self, gate: usize, scans: Value) -> Vec<String> {
        let results = self.scan(gate, scans).await;
        results.as_array().unwrap().iter().map(|result| result["result"].as_str().unwrap().to_owned()).collect()
    }

    async fn edit_show(&self, change: Value) {
        self.api.edit_show(&self.sale.event, &self.sale.show, &change).await.check(200, "0");
    }

    /// Returns the other show of the event.
    async fn other_show(&self) -> Sale {
        let show =
            self.api.event(&self.sale.event).await.data()["eventDatetimes"][1]["id"].as_str().unwrap().to_owned();
        Sale { show, ..self.sale.clone() }
    }
}

fn layout(value: &Value) -> String {
    serde_json::to_string_pretty(&named(&value.to_string()).parse::<Value>().unwrap()).unwrap()
}

#[tokio::test]
async fn ticket_is_admitted_once() {
    let door = Door::open(&[130, 0]).await;
    let before = now();
    let response = door.sale.scan(&door.api, &door.gates[0], &door.codes[0]).await;
    assert_eq!(response.header("Cache-Control"), "no-store");
    let first = response.data();
    let at = domain::instant::Instant::from_text(first[0]["admittedAt"].as_str().unwrap()).unwrap().since_epoch();
    assert!((before..=now()).contains(&at.as_secs()));
    let mut second = door.scan(1, json!([{"code": door.codes[0]}, {"code": door.codes[1], "scanId": "a"}])).await;
    assert_eq!(second[0]["admittedAt"], first[0]["admittedAt"]);
    for result in second.as_array_mut().unwrap() {
        result["admittedAt"] = json!("[time]");
    }
    assert_snapshot!(layout(&second), @r#"
    [
      {
        "admittedAt": "[time]",
        "gate": "남문",
        "result": "ALREADY_ADMITTED",
        "seat": {
          "areaLabel": "2층 B",
          "id": "[id1]",
          "kind": "WHEELCHAIR",
          "number": 1,
          "row": 1
        }
      },
      {
        "admittedAt": "[time]",
        "gate": "북문",
        "result": "ADMITTED",
        "scanId": "a",
        "seat": {
          "areaLabel": "1층 A",
          "id": "[id2]",
          "number": 1,
          "row": 1
        }
      }
    ]
    "#);
    let mut first = first[0].clone();
    first["admittedAt"] = json!("[time]");
    first["result"] = json!("ALREADY_ADMITTED");
    assert_eq!(first, second[0]);
}

#[tokio::test]
async fn each_result_has_its_fields() {
    let door = Door::open(&[130, 0]).await;
    let other = door.other_show().await.codes(&door.api, &[0]).await.remove(0);
    let elsewhere = Sale::open(&door.api).await.codes(&door.api, &[0]).await.remove(0);
    door.sale.cancel(&door.api, &door.hold, "box-1").await.check(200, "0");
    let scans = json!([
        {"code": door.codes[0], "scanId": "cancelled"}, {"code": other, "scanId": "other-show"}, {"code": elsewhere},
        {"code": "x", "scanId": null},
    ]);
    let results = door.scan(0, scans).await;
    assert_snapshot!(layout(&results), @r#"
    [
      {
        "result": "NOT_SOLD",
        "scanId": "cancelled",
        "seat": {
          "areaLabel": "2층 B",
          "id": "[id1]",
          "kind": "WHEELCHAIR",
          "number": 1,
          "row": 1
        }
      },
      {
        "datetime": "2100-01-02T10:00:00Z",
        "result": "WRONG_SHOW",
        "scanId": "other-show",
        "showId": "[id2]"
      },
      {
        "result": "WRONG_SHOW"
      },
      {
        "result": "INVALID"
      }
    ]
    "#);
    door.edit_show(json!({"status": "CANCELLED"})).await;
    assert_snapshot!(layout(&door.scan(0, json!([{"code": door.codes[1]}])).await), @r#"
    [
      {
        "result": "SHOW_OFF",
        "seat": {
          "areaLabel": "1층 A",
          "id": "[id1]",
          "number": 1,
          "row": 1
        }
      }
    ]
    "#);
}

#[tokio::test]
async fn strongest_reason_comes_first() {
    let door = Door::open(&[0, 1]).await;
    let other = door.other_show().await.codes(&door.api, &[0]).await.remove(0);
    let [admitted, sold] = [&door.codes[0], &door.codes[1]];
    let scans = || json!([{"code": admitted}, {"code": sold}, {"code": other}, {"code": format!("{other}A")}]);
    assert_eq!(door.results(0, json!([{"code": admitted}])).await, ["ADMITTED"]);
    door.sale.cancel(&door.api, &door.hold, "box-1").await.check(200, "0");
    assert_eq!(door.results(0, scans()).await, ["NOT_SOLD", "NOT_SOLD", "WRONG_SHOW", "INVALID"]);
    door.edit_show(json!({"status": "POSTPONED"})).await;
    assert_eq!(door.results(0, scans()).await, ["SHOW_OFF", "SHOW_OFF", "WRONG_SHOW", "INVALID"]);
}

#[tokio::test]
async fn show_that_is_off_admits_nobody_meanwhile() {
    let door = Door::open(&[0, 1]).await;
    let scans = || json!([{"code": door.codes[0], "scanId": "1"}]);
    assert_eq!(door.results(0, scans()).await, ["ADMITTED"]);
    for status in ["POSTPONED", "CANCELLED"] {
        door.edit_show(json!({ "status": status })).await;
        assert_eq!(door.results(0, scans()).await, ["SHOW_OFF"], "also a repetition");
        assert_eq!(door.results(0, json!([{"code": door.codes[1]}])).await, ["SHOW_OFF"]);
    }
    door.edit_show(json!({"status": "SCHEDULED"})).await;
    assert_eq!(door.results(0, scans()).await, ["ADMITTED"]);
    assert_eq!(
        door.results(1, json!([{"code": door.codes[0]}, {"code": door.codes[1]}])).await,
        ["ALREADY_ADMITTED", "ADMITTED"]
    );
}

#[tokio::test]
async fn forged_codes_are_invalid() {
    let door = Door::open(&[0]).await;
    let code = &door.codes[0];
    let changed = |at: usize| {
        let mut changed = code.clone();
        changed.replace_range(at..=at, if &code[at..=at] == "A" { "B" } else { "A" });
        changed
    };
    let forged = [
        changed(0),
        changed(1),
        changed(50),
        changed(86),
        changed(87),
        changed(171),
        code[..171].to_owned(),
        format!("{code}A"),
        format!("{code}="),
        code.to_lowercase(),
        code.replace('A', "+"),
        String::new(),
        " \n".to_owned(),
        "/".to_owned(),
        "🎫".to_owned(),
        "a".repeat(100_000),
        "\u{0}".to_owned(),
    ];
    let scans: Vec<_> = forged.iter().map(|code| json!({ "code": code })).collect();
    let expected = vec![json!({"result": "INVALID"}); scans.len()];
    assert_eq!(door.scan(0, json!(scans)).await, json!(expected));
    // Two valid codes of a ticket differ in their signatures only.
    let again = door.sale.tickets(&door.api, &door.hold).await.data()[0]["code"].as_str().unwrap().to_owned();
    assert_eq!(again[..86], code[..86]);
    assert_eq!(door.results(0, json!([{"code": again}, {"code": code}])).await, ["ADMITTED", "ALREADY_ADMITTED"]);
}

#[tokio::test]
async fn code_is_found_in_white_space_and_addresses() {
    let door = Door::open(&[0]).await;
    let code = &door.codes[0];
    let texts = [
        format!(" \t{code}\r\n"),
        format!("\u{3000}{code}\u{a0}"),
        format!("https://tickets.example/t/{code}"),
        format!("https://tickets.example/t#{code} "),
        format!("https://tickets.example/t?a=b&code= {code}"),
        format!("a=/#{code}"),
    ];
    let mut scans: Vec<_> = texts.iter().map(|code| json!({ "code": code, "scanId": "1" })).collect();
    assert_eq!(door.results(0, json!(scans)).await, ["ADMITTED"; 6]);
    scans = [format!("{code}/"), format!("{code}#a"), format!("{code}?a"), format!("t:{code}")]
        .map(|code| json!({ "code": code, "scanId": "1" }))
        .into();
    assert_eq!(door.results(0, json!(scans)).await, ["INVALID"; 4]);
}

#[tokio::test]
async fn repeated_scan_is_admitted_by_its_gate_only() {
    let door = Door::open(&[0, 1]).await;
    let scan = |seat: usize, id: &str| json!([{"code": door.codes[seat], "scanId": id}]);
    let first = door.scan(0, scan(0, "1")).await;
    assert_eq!(first[0]["result"], "ADMITTED");
    assert_eq!(door.scan(0, scan(0, "1")).await, first);
    assert_eq!(door.results(0, scan(0, "2")).await, ["ALREADY_ADMITTED"]);
    assert_eq!(door.results(0, json!([{"code": door.codes[0]}])).await, ["ALREADY_ADMITTED"]);
    assert_eq!(door.results(1, scan(0, "1")).await, ["ALREADY_ADMITTED"], "another gate");
    assert_eq!(door.results(0, scan(1, "1")).await, ["ADMITTED"], "another ticket");
    // Others were admitted by the same item; the first time stays.
    let later = json!([{"code": door.codes[0], "scanId": "1", "scannedAt": "2026-01-01T00:00:00Z"}]);
    assert_eq!(door.scan(0, later).await, first);
}

#[tokio::test]
async fn repetition_after_removal_changes_nothing() {
    let door = Door::open(&[0]).await;
    let Door { api, sale, gates, .. } = &door;
    let scan = |id: &str| json!([{"code": door.codes[0], "scanId": id}]);
    let admitted = async || sale.admissions(api).await.data()["admitted"].as_u64().unwrap();
    let first = door.scan(0, scan("1")).await;
    sale.remove_admission(api, &gates[1], 0).await.check(200, "0");
    assert_eq!((door.scan(0, scan("1")).await, admitted().await), (first.clone(), 0));
    assert_eq!((door.results(1, scan("1")).await, admitted().await), (vec!["ADMITTED".to_owned()], 1));
    // Repetitions of both are still told apart.
    assert_eq!(door.scan(0, scan("1")).await, first);
    assert_eq!(door.results(0, scan("2")).await, ["ALREADY_ADMITTED"]);
    // Admissions without an id do not push others out.
    for _ in 0..4 {
        sale.remove_admission(api, &gates[1], 0).await.check(200, "0");
        assert_eq!(door.results(1, json!([{"code": door.codes[0]}])).await, ["ADMITTED"]);
    }
    assert_eq!(door.scan(0, scan("1")).await, first);
}

#[tokio::test]
async fn ticket_twice_in_a_request_is_admitted_once() {
    let door = Door::open(&[0, 1, 64]).await;
    let [a, b, c] = [&door.codes[0], &door.codes[1], &door.codes[2]];
    let scans = json!([
        {"code": a}, {"code": b, "scanId": "b"}, {"code": "x"}, {"code": a}, {"code": c}, {"code": b, "scanId": "b"},
        {"code": b}, {"code": a, "scanId": "a"}, {"code": c},
    ]);
    let (yes, no) = ("ADMITTED", "ALREADY_ADMITTED");
    assert_eq!(door.results(0, scans).await, [yes, yes, "INVALID", no, yes, yes, no, no, no]);
}

#[tokio::test]
async fn seat_sold_anew_admits_its_new_ticket() {
    let door = Door::open(&[0, 1]).await;
    let Door { api, sale, hold, codes, .. } = &door;
    assert_eq!(door.results(0, json!([{"code": codes[0], "scanId": "1"}])).await, ["ADMITTED"]);
    // Whether or not they were admitted.
    sale.cancel(api, hold, "box-1").await.check(200, "0");
    assert_eq!(sale.taken(api).await, 0);
    let (tokens, new) = sale.held(api, &[0]).await;
    assert_eq!(door.results(0, json!([{"code": codes[0], "scanId": "1"}])).await, ["NOT_SOLD"], "while it is held");
    sale.confirm(api, &new, "order-1", 50_000.0).await.check(200, "0");
    let tickets = sale.path(&format!("holds/{new}/tickets"));
    let code = api.send_as_member(Method::GET, &tickets, &tokens, None).await.data()[0]["code"].clone();
    assert_ne!(code, codes[0].as_str());
    let scans = json!([{"code": codes[0], "scanId": "1"}, {"code": code}, {"code": code}, {"code": codes[0]}]);
    assert_eq!(door.results(0, scans).await, ["NOT_SOLD", "ADMITTED", "ALREADY_ADMITTED", "NOT_SOLD"]);
    // The new order can be cancelled after its admission, too.
    sale.cancel(api, &new, "order-1").await.check(200, "0");
    assert_eq!((sale.taken(api).await, sale.summary(api).await.data()["sold"].clone()), (0, json!(0)));
}

#[tokio::test]
async fn time_of_scan_is_that_of_the_gate_within_limits() {
    let door = Door::open(&[0, 1, 2, 3, 4, 5]).await;
    let created = door.gates[0]["createdAt"].clone();
    let instant = |text: &Value| domain::instant::Instant::from_text(text.as_str().unwrap()).unwrap().since_epoch();
    tokio::time::sleep(std::time::Duration::from_millis(1_500)).await;
    let between =
        domain::instant::Instant::from_epoch(instant(&created) + std::time::Duration::from_millis(250)).unwrap();
    let (between, seconds) = (between.to_string(), instant(&created).as_secs() + 1);
    let times = [
        json!(between),
        json!(seconds),
        json!("2020-01-01T00:00:00+09:00"),
        json!("2100-01-01T00:00:00Z"),
        json!(0),
        Value::Null,
    ];
    let scans: Vec<_> =
        door.codes.iter().zip(&times).map(|(code, time)| json!({"code": code, "scannedAt": time})).collect();
    let before = now();
    let results = door.scan(0, json!(scans)).await;
    let at: Vec<_> = results.as_array().unwrap().iter().map(|result| result["admittedAt"].clone()).collect();
    assert_eq!([&at[0], &at[2], &at[4]], [&json!(between), &created, &created]);
    assert_eq!(instant(&at[1]).as_secs(), seconds);
    for now_at in [&at[3], &at[5]] {
        assert!((before..=now()).contains(&instant(now_at).as_secs()), "{now_at}");
    }
    // Whatever was recorded first stays.
    let later = door.scan(1, json!([{"code": door.codes[0], "scannedAt": "2020-01-01T00:00:00Z"}])).await;
    assert_eq!(later[0]["admittedAt"], json!(between));
}
