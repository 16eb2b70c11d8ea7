//! `POST /api/v1/events`: accepted and rejected values of the fields.

use serde_json::{Value, json};
use tests::{Api, corpus, sample};

/// Returns the sample event with the value at a JSON pointer replaced.
fn event_with(pointer: &str, value: Value) -> Value {
    let mut event = sample::event();
    *event.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value;
    event
}

async fn created(event: &Value) -> Value {
    let response = Api::new().create(event).await.expect(201, "0");
    response.data()
}

async fn errors(event: &Value) -> Vec<[String; 2]> {
    Api::new().create(event).await.expect(400, "C_001").errors()
}

/// Converts a path such as `areas[0].label` to a JSON pointer.
fn pointer(path: &str) -> String {
    format!("/{}", path.replace('[', "/").replace(']', "").replace('.', "/"))
}

fn area(label: &str, seats: usize) -> Value {
    let seats: Vec<_> = (0..seats).map(|n| json!({"cx": n, "cy": 1, "row": 1, "number": n})).collect();
    json!({"label": label, "price": 1, "areaMap": "/a.svg", "seats": seats})
}

const FIELDS: [&str; 9] = [
    "title",
    "description",
    "place",
    "artist",
    "eventOpenTime",
    "ticketingOpenTime",
    "totalMap",
    "areas",
    "eventDatetimes",
];
const AREA_FIELDS: [&str; 4] = ["areas[1].label", "areas[1].price", "areas[1].areaMap", "areas[1].seats"];
const SEAT_FIELDS: [&str; 4] =
    ["areas[0].seats[1].cx", "areas[0].seats[1].cy", "areas[0].seats[1].row", "areas[0].seats[1].number"];

#[tokio::test]
async fn optional_fields_are_returned() {
    let mut event = sample::event();
    let created = created(&event).await;
    for field in ["genre", "ageRating", "runningMinutes", "address"] {
        assert!(created.get(field).is_none(), "{field}");
        event[field] = Value::Null;
    }
    event["eventDatetimes"] = json!([1_800_000_000]);
    let without = self::created(&event).await;
    assert!(without.get("genre").is_none());

    let address = "서울특별시 송파구 올림픽로 424";
    for (field, value) in [
        ("genre", json!("뮤지컬")),
        ("ageRating", json!(0)),
        ("runningMinutes", json!(1.5e2)),
        ("address", json!(address)),
    ] {
        event[field] = value;
    }
    event["eventDatetimes"] = json!([1_900_000_000]);
    let created = self::created(&event).await;
    let returned = ["genre", "ageRating", "runningMinutes", "address"].map(|field| &created[field]);
    assert_eq!(returned, [&json!("뮤지컬"), &json!(0), &json!(150), &json!(address)]);
    let id = created["id"].as_str().unwrap();
    let summary = Api::new().event(id).await.expect(200, "0").data();
    assert_eq!(["genre", "ageRating", "runningMinutes", "address"].map(|field| &summary[field]), returned);
}

#[tokio::test]
async fn optional_fields_have_limits() {
    let api = Api::new();
    let mut event = sample::event();
    for (field, longest, invalid) in [
        ("genre", json!("가".repeat(30)), vec![json!("가".repeat(31)), json!(1), json!("a\nb")]),
        ("ageRating", json!(19), vec![json!(20), json!(-1), json!(1.5), json!("15")]),
        ("runningMinutes", json!(1_440), vec![json!(0), json!(1_441), json!([1])]),
        ("address", json!("가".repeat(200)), vec![json!("가".repeat(201)), json!({})]),
    ] {
        for value in invalid {
            event[field] = value.clone();
            let errors = errors(&event).await;
            assert_eq!(errors.iter().map(|[name, _]| name.as_str()).collect::<Vec<_>>(), [field], "{value}");
        }
        event[field] = longest;
    }
    api.create(&event).await.check(201, "0");
}

#[tokio::test]
async fn all_fields_are_required() {
    for field in FIELDS.iter().chain(&AREA_FIELDS).chain(&SEAT_FIELDS) {
        assert_eq!(errors(&event_with(&pointer(field), json!(null))).await, [[*field, ""]]);
        assert_eq!(errors(&event_with(&pointer(field), json!(""))).await, [[*field, ""]]);
        assert_eq!(errors(&event_with(&pointer(field), json!(" "))).await, [[*field, " "]]);
    }
    assert_eq!(errors(&json!({})).await, FIELDS.map(|field| [field, ""]));
    assert_eq!(errors(&event_with("/areas/1", json!({"x": 1}))).await, AREA_FIELDS.map(|field| [field, ""]));
    assert_eq!(errors(&event_with("/areas/0/seats/1", json!({"x": 1}))).await, SEAT_FIELDS.map(|field| [field, ""]));
    for field in ["areas", "eventDatetimes"] {
        assert_eq!(errors(&event_with(&pointer(field), json!([]))).await, [[field, ""]]);
    }
    for path in ["areas[1]", "areas[0].seats[1]", "eventDatetimes[1]"] {
        assert_eq!(errors(&event_with(&pointer(path), json!(null))).await, [[path, ""]]);
    }
}

#[tokio::test]
async fn area_may_have_no_seats() {
    let data = created(&event_with("/areas/0/seats", json!([]))).await;
    assert_eq!(data["areas"][0]["seats"], json!([]));
}

#[tokio::test]
async fn wrong_type_is_echoed_as_json() {
    for path in FIELDS.iter().chain(&AREA_FIELDS).chain(&SEAT_FIELDS) {
        for (value, echoed) in [(json!(true), "true"), (json!({"a": [1]}), r#"{"a":[1]}"#)] {
            assert_eq!(errors(&event_with(&pointer(path), value)).await, [[*path, echoed]]);
        }
    }
    for path in ["areas[1].price", "areas[0].seats[1].row", "areas", "areas[0].seats"] {
        assert_eq!(errors(&event_with(&pointer(path), json!("50000"))).await, [[path, "50000"]]);
    }
    for path in ["title", "totalMap", "areas[1].label", "areas[1]", "areas[0].seats[1]"] {
        assert_eq!(errors(&event_with(&pointer(path), json!(5))).await, [[path, "5"]]);
        assert_eq!(errors(&event_with(&pointer(path), json!(["a", 1]))).await, [[path, r#"["a",1]"#]]);
    }
}

#[tokio::test]
async fn text_over_limit_is_rejected() {
    for (field, max) in [("title", 100), ("place", 100), ("artist", 100), ("description", 5_000)] {
        let with_length = |length: usize| sample::unique() + &"한".repeat(length - 10);
        let data = created(&event_with(&pointer(field), json!(with_length(max)))).await;
        assert_eq!(data[field].as_str().unwrap().chars().count(), max);
        let long = with_length(max + 1);
        let echoed: String = long.chars().take(1_000).collect();
        assert_eq!(errors(&event_with(&pointer(field), json!(long))).await, [[field, &echoed]]);
    }
    created(&event_with("/areas/0/label", json!("한".repeat(50)))).await;
    let long = "한".repeat(51);
    assert_eq!(errors(&event_with("/areas/0/label", json!(long))).await, [["areas[0].label", &long]]);
}

#[tokio::test]
async fn only_long_texts_allow_line_breaks() {
    for field in ["title", "place", "artist", "areas[0].label"] {
        assert_eq!(errors(&event_with(&pointer(field), json!("a\tb"))).await, [[field, "a\tb"]]);
    }
    created(&event_with("/description", json!("첫째 줄\r\n\t둘째 줄"))).await;
    created(&event_with("/totalMap", json!("<g>\r\n\t<path d=\"M0 0\"/>\n</g>"))).await;
    for field in ["description", "totalMap", "areas[0].areaMap"] {
        assert_eq!(errors(&event_with(&pointer(field), json!("/a\u{1}b"))).await, [[field, "/a\u{1}b"]]);
    }
}

#[tokio::test]
async fn epoch_and_iso_times_are_accepted() {
    for (sent, expected) in [
        ("1745557200", "2025-04-25T05:00:00Z"),
        ("1745557200.123456789", "2025-04-25T05:00:00.123456789Z"),
        ("1745557200.123456", "2025-04-25T05:00:00.123456Z"),
        ("1.7455572e9", "2025-04-25T05:00:00Z"),
        ("0", "1970-01-01T00:00:00Z"),
        ("253402300799.999999999", "9999-12-31T23:59:59.999999999Z"),
        ("\"2025-04-25T14:00:00+09:00\"", "2025-04-25T05:00:00Z"),
        ("\"2025-04-25T05:00:00.000Z\"", "2025-04-25T05:00:00Z"),
    ] {
        for field in ["eventOpenTime", "ticketingOpenTime", "eventDatetimes"] {
            let mut event = sample::event();
            event[field] = json!("TIME");
            let sent = if field == "eventDatetimes" { format!("[{sent}]") } else { sent.to_owned() };
            let request = event.to_string().replace("\"TIME\"", &sent);
            let form = tests::form::Form::new().part(sample::REQUEST, request).part(sample::THUMBNAIL, sample::POSTER);
            let data = Api::new().create_with_form(&form).await.expect(201, "0").data();
            let returned = if field == "eventDatetimes" { &data[field][0]["datetime"] } else { &data[field] };
            assert_eq!(returned, expected, "{field}: {sent}");
        }
    }
}

#[tokio::test]
async fn invalid_time_is_rejected() {
    for field in ["eventOpenTime", "ticketingOpenTime", "eventDatetimes[0]"] {
        for (sent, echoed) in [
            ("-1", "-1"),
            ("253402300800", "253402300800"),
            ("1745557200.1234567891", "1745557200.1234567891"),
            ("1e400", "1e400"),
            ("\"2025-04-25T05:00:00\"", "2025-04-25T05:00:00"),
            ("\"2025-04-25\"", "2025-04-25"),
            ("\"2025-04-25T05:00:00.1234567891Z\"", "2025-04-25T05:00:00.1234567891Z"),
            ("\"1745557200\"", "1745557200"),
            ("false", "false"),
        ] {
            let event = event_with(&pointer(field), json!("TIME")).to_string().replace("\"TIME\"", sent);
            let form = tests::form::Form::new().part(sample::REQUEST, event).part(sample::THUMBNAIL, sample::POSTER);
            let response = Api::new().create_with_form(&form).await.expect(400, "C_001");
            assert_eq!(response.errors(), [[field, echoed]]);
        }
    }
}

#[tokio::test]
async fn time_reason_names_rule() {
    let digits = format!("1745557200.{}", "1".repeat(40));
    for (sent, reason) in [
        ("1745557200.1234567891", "9자리까지"),
        (&digits, "9자리까지"),
        ("\"2025-04-25T05:00:00.1234567891Z\"", "9자리까지"),
        ("1745557200000", "밀리초가 아닌 초"),
        ("\"+010000-01-01T00:00:00Z\"", "9999년까지"),
        ("\"2025-04-25T05:00:00\"", "시간대를 포함한 ISO 8601"),
    ] {
        let event = event_with("/eventOpenTime", json!("TIME")).to_string().replace("\"TIME\"", sent);
        let form = tests::form::Form::new().part(sample::REQUEST, event).part(sample::THUMBNAIL, sample::POSTER);
        let response = Api::new().create_with_form(&form).await.expect(400, "C_001");
        assert!(response.json()["errors"][0]["reason"].as_str().unwrap().contains(reason), "{}", response.text());
    }
}

#[tokio::test]
async fn shows_are_1_to_60_distinct_times() {
    let dates = |count: u32| json!((0..count).map(|day| 1_745_557_200 + day * 86_400).collect::<Vec<_>>());
    assert_eq!(
        created(&event_with("/eventDatetimes", dates(60))).await["eventDatetimes"].as_array().unwrap().len(),
        60
    );
    let rejected = errors(&event_with("/eventDatetimes", dates(61))).await;
    assert_eq!(rejected, [["eventDatetimes", &dates(61).to_string()]]);
    let twice = json!([1_745_557_200, 5, "2025-04-25T14:00:00+09:00", 1_745_557_200.0]);
    assert_eq!(
        errors(&event_with("/eventDatetimes", twice)).await,
        [["eventDatetimes[2]", "2025-04-25T14:00:00+09:00"], ["eventDatetimes[3]", "1745557200.0"]]
    );
}

#[tokio::test]
async fn areas_are_1_to_500_with_unique_labels() {
    let areas = |count: usize| json!((0..count).map(|n| area(&format!("구역 {n}"), 1)).collect::<Vec<_>>());
    assert_eq!(created(&event_with("/areas", areas(500))).await["areas"].as_array().unwrap().len(), 500);
    let rejected = errors(&event_with("/areas", areas(501))).await;
    let echoed: String = areas(501).to_string().chars().take(1_000).collect();
    assert_eq!(rejected, [["areas", &echoed]]);
    assert_eq!(
        errors(&event_with("/areas", json!([area("A", 1), area("B", 1), area("A", 1)]))).await,
        [["areas[2].label", "A"]]
    );
}

#[tokio::test]
async fn over_100_000_seats_are_rejected() {
    // In gzip, because this many seats exceed the limits of requests and responses otherwise.
    let send = async |event: &Value| Api::new().create_in_gzip(event).await;
    let event = |last: usize| {
        let mut event = event_with("/areas", json!([area("A", 50_000), area("B", last)]));
        event["title"] = json!(sample::unique());
        event
    };
    let data = send(&event(50_000)).await.inflated().expect(201, "0").data();
    assert_eq!(data["areas"][1]["seats"].as_array().unwrap().len(), 50_000);
    let mut too_many = event(50_001);
    let rejected = send(&too_many).await.expect(400, "C_001").errors();
    assert_eq!((rejected.len(), rejected[0][0].as_str()), (1, "areas"));

    // This error precedes those within the areas, as in the documented order of fields.
    too_many["areas"][0]["label"] = json!("");
    too_many["eventDatetimes"] = json!([]);
    let named: Vec<_> = send(&too_many).await.errors().into_iter().map(|[field, _]| field).collect();
    assert_eq!(named, ["areas", "areas[0].label", "eventDatetimes"]);
}

#[tokio::test]
async fn duplicate_seat_is_rejected() {
    let seats = json!([
        {"cx": 1, "cy": 1, "row": 1, "number": 1},
        {"cx": 2, "cy": 2, "row": 1, "number": 2},
        {"cx": 3, "cy": 3, "row": 1.0, "number": 1},
    ]);
    assert_eq!(
        errors(&event_with("/areas/0/seats", seats)).await,
        [["areas[0].seats[2]", r#"{"cx":3,"cy":3,"number":1,"row":1.0}"#]]
    );
    let mut event = event_with("/areas/0/seats", json!([{"cx": 1, "cy": 1, "row": 1, "number": 1}]));
    event["areas"][1]["seats"] = event["areas"][0]["seats"].clone();
    created(&event).await;
}

#[tokio::test]
async fn seat_reason_names_rule() {
    let twice = r#"{"cx":1,"cy":1,"row":1,"row":2,"number":1}"#;
    for (seat, reason) in [("\"x\"", "객체여야 합니다."), (twice, "‘row’ 필드가 두 번 이상 있습니다.")]
    {
        let event = event_with("/areas/0/seats/1", json!("SEAT")).to_string().replace("\"SEAT\"", seat);
        let form = tests::form::Form::new().part(sample::REQUEST, event).part(sample::THUMBNAIL, sample::POSTER);
        let response = Api::new().create_with_form(&form).await.expect(400, "C_001");
        let error = &response.json()["errors"][0];
        assert_eq!([&error["field"], &error["reason"]], ["areas[0].seats[1]", reason]);
    }
}

#[tokio::test]
async fn number_outside_limits_is_rejected() {
    let cases = [
        (
            "areas[0].price",
            vec!["0", "1000000000", "0.01", "999999999.99"],
            vec!["-0.01", "1000000000.01", "0.001", "1e400"],
        ),
        ("areas[0].seats[0].cx", vec!["-1000000", "1e6", "0.123456789012345"], vec!["1000000.001", "-1e7", "1e999"]),
        ("areas[0].seats[0].cy", vec!["-1000000", "1e6"], vec!["1000000.001", "-1e7"]),
        ("areas[0].seats[0].row", vec!["0", "2147483647", "3.0"], vec!["-1", "2147483648", "1.5"]),
        ("areas[0].seats[0].number", vec!["0", "2147483647"], vec!["-1", "2147483648", "1.5"]),
    ];
    for (field, accepted, rejected) in cases {
        let send = async |json: &str| {
            let event = event_with(&pointer(field), json!("NUMBER")).to_string().replace("\"NUMBER\"", json);
            let form = tests::form::Form::new().part(sample::REQUEST, event).part(sample::THUMBNAIL, sample::POSTER);
            Api::new().create_with_form(&form).await
        };
        for json in accepted {
            let data = send(json).await.expect(201, "0").data();
            let returned = data.pointer(&pointer(field)).unwrap().as_f64().unwrap();
            assert_eq!(returned.to_bits(), json.parse::<f64>().unwrap().to_bits(), "{field}: {json}");
        }
        for json in rejected {
            assert_eq!(send(json).await.expect(400, "C_001").errors(), [[field, json]]);
        }
    }
}

#[tokio::test]
async fn number_can_have_two_violations() {
    for (field, json) in [("areas[0].price", "-0.001"), ("areas[0].seats[0].row", "-1.5")] {
        let event = event_with(&pointer(field), json!("NUMBER")).to_string().replace("\"NUMBER\"", json);
        let form = tests::form::Form::new().part(sample::REQUEST, event).part(sample::THUMBNAIL, sample::POSTER);
        let response = Api::new().create_with_form(&form).await.expect(400, "C_001");
        assert_eq!(response.errors(), [[field, json], [field, json]]);
    }
}

#[tokio::test]
async fn at_most_100_violations_are_returned() {
    let seats: Vec<_> = (0..200).map(|n| json!({"cx": 1, "cy": 1, "row": -1, "number": n})).collect();
    let errors = errors(&event_with("/areas/0/seats", json!(seats))).await;
    assert_eq!(errors.len(), 100);
    assert_eq!(errors[99], ["areas[0].seats[99].row", "-1"]);
}

#[tokio::test]
async fn drawings_over_1_mib_are_rejected() {
    const MAX: usize = 1024 * 1024;
    let drawing = |bytes: usize| format!("<g>{}</g>", " ".repeat(bytes - 7));
    let mut event = sample::event();
    event["areas"][0]["areaMap"] = json!("/a.svg");
    event["areas"][1]["areaMap"] = json!("/b.svg");
    event["totalMap"] = json!(drawing(MAX - 12));
    assert_eq!(created(&event).await["totalMap"], event["totalMap"]);

    event["title"] = json!(sample::unique());
    event["areas"][1]["areaMap"] = json!("/bc.svg");
    assert_eq!(errors(&event).await, [["areas[1].areaMap", "/bc.svg"]]);
    event["totalMap"] = json!(drawing(MAX + 1));
    let rejected = errors(&event).await;
    assert_eq!((rejected.len(), rejected[0][0].as_str()), (1, "totalMap"));
}

#[tokio::test]
async fn exponential_drawings_are_rejected() {
    // Each drawing links ten times to the one before it, so it has ten times as many elements.
    let tenfold =
        |id: &str, of: &str| json!(format!("<g id=\"{id}\">{}</g>", format!("<use href=\"#{of}\"/>").repeat(10)));
    let mut event = event_with("/totalMap", json!(format!("<g><g id=\"a\">{}</g></g>", "<path/>".repeat(10))));
    let mut areas: Vec<_> = (0..8).map(|n| area(&n.to_string(), 0)).collect();
    for (index, (id, of)) in
        ["b", "c", "d", "e", "f", "g", "h", "i"].iter().zip(["a", "b", "c", "d", "e", "f", "g", "h"]).enumerate()
    {
        areas[index]["areaMap"] = tenfold(id, of);
    }
    event["areas"] = json!(areas[..2]);
    created(&event).await;
    event["title"] = json!(sample::unique());
    event["areas"] = json!(areas);
    let rejected = errors(&event).await;
    assert_eq!((rejected.len(), rejected[0][0].as_str()), (1, "areas"));
}

#[tokio::test]
async fn over_150_000_elements_are_rejected() {
    // They are 149,201: the root, a group of 497 paths, and 298 links to it.
    let content = format!("<g id=\"a\">{}</g>{}", "<path/>".repeat(497), "<use href=\"#a\"/>".repeat(298));
    let mut event = event_with("/totalMap", json!(format!("<svg>{content}</svg>")));
    let area_map = |paths: usize| json!(format!("<g>\n{}</g>", "<path/>".repeat(paths)));
    let mut only = area("A", 0);
    only["areaMap"] = area_map(798);
    event["areas"] = json!([only]);
    created(&event).await;

    event["title"] = json!(sample::unique());
    event["areas"][0]["areaMap"] = area_map(799);
    let rejected = errors(&event).await;
    assert_eq!((rejected.len(), rejected[0][0].as_str()), (1, "areas[0].areaMap"));
}

#[tokio::test]
async fn halls_of_drawing_tools_are_accepted() {
    let repeated = |part: &str, count: usize| {
        let parts: String = (0..count).map(|n| part.replace('?', &n.to_string())).collect();
        format!("<svg width='100%' height='100%'>{parts}<pattern id='p'/></svg>")
    };
    for (part, count) in [
        ("<text transform='rotate(.?)'>?열 가나다</text>", 3_000),
        ("<g clip-path='url(#c?)'><rect/></g><clipPath id='c?'><rect fill='white'/></clipPath>", 2_000),
        ("<circle r='4' opacity='.5'/>", 8_000),
        ("<path d='M0 0h9v9z' vector-effect='non-scaling-stroke' transform='skewX(9)'/>", 5_000),
        ("<g style='mix-blend-mode:multiply'><rect width='999' height='999'/></g>", 60),
    ] {
        created(&event_with("/totalMap", json!(repeated(part, count)))).await;
    }
    let mut event = sample::event();
    event["areas"] = (0..200)
        .map(|n| {
            let mut area = area(&n.to_string(), 0);
            area["areaMap"] = json!("<g><mask id='m'><rect/></mask><rect mask='url(#m)'/></g>");
            area
        })
        .collect();
    created(&event).await;
}

#[tokio::test]
async fn hostile_drawing_is_rejected() {
    let mut event = sample::event();
    for field in ["/totalMap", "/areas/1/areaMap"] {
        *event.pointer_mut(field).unwrap() = json!("<svg><script/></svg>");
    }
    let named: Vec<_> = errors(&event).await.into_iter().map(|[field, _]| field).collect();
    assert_eq!(named, ["totalMap", "areas[1].areaMap"]);
}

#[tokio::test]
async fn harmless_drawings_are_unchanged() {
    let drawings: Vec<_> = corpus("svg/inert").into_iter().map(|(_, text)| String::from_utf8(text).unwrap()).collect();
    for drawings in drawings.chunks(20) {
        let mut event = sample::event();
        event["totalMap"] = json!(drawings[0]);
        event["areas"] = drawings
            .iter()
            .zip(1..)
            .map(|(drawing, n)| json!({"label": n.to_string(), "price": n, "areaMap": drawing, "seats": []}))
            .collect();
        let data = created(&event).await;
        assert_eq!(data["totalMap"], event["totalMap"]);
        for (area, sent) in data["areas"].as_array().unwrap().iter().zip(drawings) {
            assert_eq!(area["areaMap"], *sent);
        }
    }
}
