//! Kinds of seats: wheelchair places, companions' seats and restricted views, from the registration to the sale.

use tests::prelude::*;

/// Numbers of the seats with kinds, and of ordinary ones, in the hall of [`event`].
const WHEELCHAIR: usize = 0;
const COMPANION: usize = 1;
const RESTRICTED: usize = 2;
const ORDINARY: usize = 3;
const OTHER_COMPANION: usize = 10;
const OTHER_WHEELCHAIR: usize = 12;

/// Returns an event on sale with two areas of ten and three seats.
fn event() -> Value {
    let mut event = Sale::on_sale();
    let row = |count: u32, row: u32| {
        let seat = |number: u32| json!({"cx": 10 * number, "cy": 10 * row, "row": row, "number": number});
        (1..=count).map(seat).collect::<Value>()
    };
    event["areas"][0]["seats"] = row(10, 1);
    event["areas"][1]["seats"] = row(3, 2);
    for (area, seat, kind) in [
        (0, WHEELCHAIR, json!("WHEELCHAIR")),
        (0, COMPANION, json!("COMPANION")),
        (0, RESTRICTED, json!("RESTRICTED_VIEW")),
        (0, ORDINARY, json!(null)),
        (0, ORDINARY + 1, json!("")),
        (0, ORDINARY + 2, json!(" \t")),
        (1, OTHER_COMPANION - 10, json!("COMPANION")),
        (1, OTHER_WHEELCHAIR - 10, json!("WHEELCHAIR")),
    ] {
        event["areas"][area]["seats"][seat]["kind"] = kind;
    }
    event
}

struct Hall {
    sale: Sale,
    detail: Value,
}

impl Hall {
    async fn open(api: &Api) -> Self {
        let created = api.create(&event()).await;
        Self { sale: Sale::of(&created), detail: created.data() }
    }

    /// Asks for the best seats of the areas with these indexes, for another member.
    async fn best(&self, api: &Api, count: usize, areas: &[usize], fields: Value) -> Response {
        let areas: Vec<_> = areas.iter().map(|area| &self.detail["areas"][*area]["id"]).collect();
        let (_, tokens) = api.joined_with_session().await;
        self.sale.hold_with(api, &tokens, &sample::with(json!({"count": count, "areaIds": areas}), fields)).await
    }
}

/// Returns the kinds of seats, with a dash for an ordinary one.
fn kinds(seats: &Value) -> String {
    let kind = |seat: &Value| match seat.get("kind") {
        Some(kind) => kind.as_str().unwrap().to_owned(),
        None => "-".to_owned(),
    };
    seats.as_array().unwrap().iter().map(kind).collect::<Vec<_>>().join(" ")
}

/// Returns the numbers of the seats of a hold.
fn numbers(hold: &Response) -> Vec<u64> {
    hold.check(201, "0");
    hold.data()["seats"].as_array().unwrap().iter().map(|seat| seat["number"].as_u64().unwrap()).collect()
}

#[tokio::test]
async fn kind_appears_where_row_and_number_do() {
    let api = Api::new();
    let Hall { sale, detail } = Hall::open(&api).await;
    let (first, second) = ("WHEELCHAIR COMPANION RESTRICTED_VIEW - - - - - - -", "COMPANION - WHEELCHAIR");
    let times = json!({"eventOpenTime": 0, "ticketingOpenTime": 0, "eventDatetimes": [1]});
    let copied = api.copy(&sale.event, &times).await.id();
    let read = async |event: &str| api.event(&format!("{event}/detail")).await.data();
    for detail in [detail, read(&sale.event).await, read(&copied).await] {
        assert_eq!([0, 1].map(|area| kinds(&detail["areas"][area]["seats"])), [first, second]);
    }
    let seats = [ORDINARY, WHEELCHAIR, COMPANION, RESTRICTED];
    let expected = "- WHEELCHAIR COMPANION RESTRICTED_VIEW";
    let (member, tokens) = api.joined_with_session().await;
    let held = sale.hold(&api, &tokens, &seats).await.expect(201, "0");
    assert_eq!(kinds(&held.data()["seats"]), expected);
    assert_eq!(kinds(&sale.get(&api, &tokens, &held.id()).await.data()["seats"]), expected);
    assert_eq!(kinds(&api.own_holds(&member, &tokens).await.data()[0]["seats"]), expected);
    sale.confirm(&api, &held.id(), "1", 200_000.0).await.check(200, "0");
    assert_eq!(kinds(&sale.sales(&api, "").await.data()[0]["seats"]), expected);
    let sold = sale.sell(&api, "2", &[OTHER_COMPANION]).await.expect(201, "0");
    assert!(sold.text().contains(r#""number":1,"kind":"COMPANION"}]"#), "{sold}");
    let list = api.get(&sale.path("seat-reservation/detail")).await.expect(200, "0");
    assert!(!list.text().contains("kind") && !list.text().contains("WHEELCHAIR"));
    assert_eq!(sale.taken(&api).await, 5);
}

#[tokio::test]
async fn csv_of_hall_with_kinds_has_column() {
    let api = Api::new();
    let Hall { sale, .. } = Hall::open(&api).await;
    sale.sell(&api, "1", &[ORDINARY, WHEELCHAIR]).await.check(201, "0");
    let request = api.request(Method::GET, &sale.path("sales")).header("Accept", "text/csv");
    let csv = Api::send(request.header("x-api-managerId", sample::MANAGER)).await.text();
    let ends: Vec<_> = csv.lines().map(|line| line.rsplit_once(',').unwrap().1).collect();
    assert_eq!(ends, ["kind", "", "WHEELCHAIR"]);
    assert!(csv.starts_with("\u{feff}order,area,row,number,price,hold,member,kind\r\n"));
}

#[tokio::test]
async fn other_kinds_are_rejected() {
    let api = Api::new();
    let mut event = event();
    for (seat, kind) in
        [json!("wheelchair"), json!("VIP"), json!(1), json!(false), json!([]), json!({})].iter().enumerate()
    {
        event["areas"][0]["seats"][seat]["kind"] = kind.clone();
    }
    event["areas"][0]["seats"][0]["number"] = json!("1");
    assert_snapshot!(api.create(&event).await.expect(400, "C_001").summary(), @"400 C_001 | areas[0].seats[0].number ‘1’ 숫자여야 합니다. | areas[0].seats[0].kind ‘wheelchair’ WHEELCHAIR, COMPANION, RESTRICTED_VIEW 중 하나여야 합니다. | areas[0].seats[1].kind ‘VIP’ WHEELCHAIR, COMPANION, RESTRICTED_VIEW 중 하나여야 합니다. | areas[0].seats[2].kind ‘1’ 문자열이어야 합니다. | areas[0].seats[3].kind ‘false’ 문자열이어야 합니다. | areas[0].seats[5].kind ‘{}’ 문자열이어야 합니다.");
}

#[tokio::test]
async fn companion_is_held_with_wheelchair_place_of_its_area() {
    let api = Api::new();
    let Hall { sale, .. } = Hall::open(&api).await;
    let (_, tokens) = api.joined_with_session().await;
    let alone = [
        sale.seats(&[COMPANION]),
        sale.seats(&[ORDINARY, OTHER_COMPANION, WHEELCHAIR, COMPANION]),
        json!({"seatIds": [sale.seat(COMPANION), sample::UNKNOWN_EVENT]}),
    ];
    assert_snapshot!(outcomes(&alone, |body| sale.hold_with(&api, &tokens, body)).await, @"
    0: 400 C_001 | seatIds[0] ‘[id1]’ 동반석은 같은 구역의 휠체어석과 함께 선택해 주세요.
    1: 400 C_001 | seatIds[1] ‘[id1]’ 동반석은 같은 구역의 휠체어석과 함께 선택해 주세요.
    2: 400 C_001 | seatIds[1] ‘[id1]’ 이 공연에 없는 좌석입니다.
    ");
    // Nobody may hold it, whoever has the wheelchair place; the first rule that applies decides.
    sale.held(&api, &[WHEELCHAIR]).await;
    sale.hold(&api, &tokens, &[COMPANION]).await.check(400, "C_001");
    sale.hold(&api, &tokens, &[COMPANION, WHEELCHAIR]).await.check(409, "H_001");
    sale.hold(&api, &tokens, &[OTHER_COMPANION, OTHER_WHEELCHAIR]).await.check(201, "0");
    // The box office may sell any.
    sale.sell(&api, "1", &[COMPANION]).await.check(201, "0");
}

#[tokio::test]
async fn best_seats_have_only_kinds_of_request() {
    let api = Api::new();
    let hall = Hall::open(&api).await;
    let with = |kinds: &[&str]| json!({"kinds": kinds});
    let both = with(&["COMPANION", "WHEELCHAIR"]);
    let mut ordinary = numbers(&hall.best(&api, 4, &[0], json!({"kinds": null})).await);
    ordinary.extend(numbers(&hall.best(&api, 3, &[0], json!({"adjacent": false})).await));
    ordinary.sort_unstable();
    assert_eq!(ordinary, [4, 5, 6, 7, 8, 9, 10]);
    hall.best(&api, 1, &[0], json!({})).await.check(409, "H_006");
    assert_eq!(numbers(&hall.best(&api, 1, &[0], with(&["WHEELCHAIR"])).await), [1]);
    hall.best(&api, 1, &[0], with(&["WHEELCHAIR", "RESTRICTED_VIEW"])).await.check(409, "H_006");
    hall.best(&api, 1, &[0], both.clone()).await.check(409, "H_006");
    hall.best(&api, 2, &[0, 1], both.clone()).await.check(409, "H_006");
    let apart = sample::with(both, json!({"adjacent": false}));
    assert_eq!(numbers(&hall.best(&api, 2, &[0, 1], apart).await), [1, 3]);
}

#[tokio::test]
async fn restricted_view_counts_as_ordinary_if_asked_for() {
    let api = Api::new();
    let hall = Hall::open(&api).await;
    hall.sale.block(&api, &(4..10).collect::<Vec<_>>()).await.check(200, "0");
    hall.best(&api, 2, &[0], json!({})).await.check(409, "H_006");
    assert_eq!(numbers(&hall.best(&api, 2, &[0], json!({"kinds": ["RESTRICTED_VIEW"]})).await), [3, 4]);
}

#[tokio::test]
async fn invalid_kinds_of_best_seats_are_rejected() {
    let api = Api::new();
    let hall = Hall::open(&api).await;
    let values = [
        json!([]),
        json!("WHEELCHAIR"),
        json!(["COMPANION"]),
        json!(["COMPANION", "RESTRICTED_VIEW"]),
        json!(["WHEELCHAIR", "VIP", null, 1]),
        json!(["WHEELCHAIR", "WHEELCHAIR"]),
        json!(["WHEELCHAIR", "COMPANION", "RESTRICTED_VIEW", "WHEELCHAIR"]),
    ];
    assert_snapshot!(outcomes(&values, |kinds| hall.best(&api, 1, &[0], json!({"kinds": kinds}))).await, @r#"
    0: 400 C_001 | kinds ‘’ 필수 입력값입니다.
    1: 400 C_001 | kinds ‘WHEELCHAIR’ 배열이어야 합니다.
    2: 400 C_001 | kinds ‘["COMPANION"]’ COMPANION은 WHEELCHAIR와 함께 보내야 합니다.
    3: 400 C_001 | kinds ‘["COMPANION","RESTRICTED_VIEW"]’ COMPANION은 WHEELCHAIR와 함께 보내야 합니다.
    4: 400 C_001 | kinds ‘["WHEELCHAIR","VIP",null,1]’ 3개까지 입력할 수 있습니다.
    5: 400 C_001 | kinds[1] ‘WHEELCHAIR’ 앞에 입력한 값과 중복됩니다.
    6: 400 C_001 | kinds ‘["WHEELCHA… (57)’ 3개까지 입력할 수 있습니다.
    "#);
    let order = hall.best(&api, 0, &[0], json!({"adjacent": 1, "kinds": ["COMPANION"]})).await;
    assert_snapshot!(order.expect(400, "C_001").summary(), @"400 C_001 | count ‘0’ 1 이상 10 이하여야 합니다. | adjacent ‘1’ true 또는 false여야 합니다.");
}
