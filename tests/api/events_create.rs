//! `POST /api/v1/events`: the created event, and rejections of whole requests.

use std::collections::HashSet;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::{Value, json};
use tests::{Api, sample};

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("not a string: {value}"))
}

#[tokio::test]
async fn event_is_registered_as_sent() {
    let event = sample::event();
    let response = Api::new().create(&event).await.expect(201, "0");
    let data = response.data();
    let id = text(&data["id"]);
    assert_eq!(response.header("Location"), format!("/api/v1/events/{id}"));
    let id_at = |pointer: &str| text(data.pointer(pointer).unwrap_or_else(|| panic!("{pointer}"))).to_owned();
    let seat = |area: usize, seat: usize, sent: &str| {
        let mut expected: Value = serde_json::from_str(sent).unwrap();
        expected["id"] = id_at(&format!("/areas/{area}/seats/{seat}/id")).into();
        expected["areaId"] = id_at(&format!("/areas/{area}/id")).into();
        expected
    };
    let expected = json!({
        "id": id,
        "title": event["title"],
        "description": event["description"],
        "place": event["place"],
        "artist": event["artist"],
        "thumbnail": format!("{id}.png"),
        "eventOpenTime": "2025-04-25T05:00:00Z",
        "ticketingOpenTime": "2025-04-18T05:00:00.500Z",
        "eventDatetimes": [
            {"id": id_at("/eventDatetimes/0/id"), "datetime": "2025-04-26T05:00:00Z"},
            {"id": id_at("/eventDatetimes/1/id"), "datetime": "2025-04-27T05:00:00Z"},
        ],
        "totalMap": event["totalMap"],
        "areas": [
            {
                "id": id_at("/areas/0/id"),
                "eventId": id,
                "label": "1층 A",
                "price": 132_000,
                "areaMap": event["areas"][0]["areaMap"],
                "seats": [
                    seat(0, 0, r#"{"cx":20,"cy":30.5,"row":1,"number":1}"#),
                    seat(0, 1, r#"{"cx":40.25,"cy":30.5,"row":1,"number":2}"#),
                ],
            },
            {
                "id": id_at("/areas/1/id"),
                "eventId": id,
                "label": "2층 B",
                "price": 99_000.5,
                "areaMap": event["areas"][1]["areaMap"],
                "seats": [seat(1, 0, r#"{"cx":200,"cy":150,"row":1,"number":1}"#)],
            },
        ],
    });
    assert_eq!(data, expected);
}

#[tokio::test]
async fn ids_are_unique_uuids() {
    let data = Api::new().create(&sample::event()).await.data();
    let mut ids = vec![text(&data["id"]).to_owned()];
    for pointer in [
        "/eventDatetimes/0",
        "/eventDatetimes/1",
        "/areas/0",
        "/areas/1",
        "/areas/0/seats/0",
        "/areas/0/seats/1",
        "/areas/1/seats/0",
    ] {
        ids.push(text(&data.pointer(pointer).unwrap()["id"]).to_owned());
    }
    assert!(ids.iter().all(|id| uuid::Uuid::try_parse(id).is_ok()), "{ids:?}");
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len());
}

#[tokio::test]
async fn fields_are_in_order() {
    let response = Api::new().create(&sample::event()).await.text();
    let keys = [
        "id",
        "title",
        "description",
        "place",
        "thumbnail",
        "artist",
        "eventDatetimes",
        "eventOpenTime",
        "ticketingOpenTime",
        "totalMap",
        "areas",
        "eventId",
        "label",
        "price",
        "areaMap",
        "seats",
        "areaId",
        "cx",
        "cy",
        "row",
        "number",
    ];
    let positions: Vec<_> = keys.iter().map(|key| response.find(&format!("\"{key}\":"))).collect();
    assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{response}");
}

#[tokio::test]
async fn numbers_are_shortest() {
    let mut event = sample::event();
    let seats = r#"[
        {"cx": 1.0, "cy": -0, "row": 1e0, "number": 0},
        {"cx": 0.1, "cy": 1e-7, "row": 2147483647, "number": 12E1},
        {"cx": 999999.9999999999, "cy": -1000000.00, "row": 2.0, "number": 1}
    ]"#;
    let areas = format!(
        r#"[{{"label":"a","price":5e4,"areaMap":"/a.svg","seats":{seats}}},
            {{"label":"b","price":1000000000.00,"areaMap":"/b.svg","seats":[]}},
            {{"label":"c","price":0.07,"areaMap":"/c.svg","seats":[]}}]"#
    );
    event["areas"] = json!("AREAS");
    let request = event.to_string().replace("\"AREAS\"", &areas);
    let form = tests::form::Form::new().part(sample::REQUEST, request).part(sample::THUMBNAIL, sample::POSTER);
    let response = Api::new().create_with_form(&form).await.expect(201, "0").text();
    for number in [
        r#""price":50000,"#,
        r#""price":1000000000,"#,
        r#""price":0.07,"#,
        r#""cx":1,"cy":0,"row":1,"number":0}"#,
        r#""cx":0.1,"cy":1e-7,"row":2147483647,"number":120}"#,
        r#""cx":999999.9999999999,"cy":-1000000,"row":2,"number":1}"#,
    ] {
        assert!(response.contains(number), "{number} in {response}");
    }
}

#[tokio::test]
async fn invalid_manager_is_rejected() {
    let api = Api::new();
    let form = sample::form(&sample::event());
    let long = format!("{}0", sample::MANAGER);
    for manager in [None, Some(""), Some("  "), Some("manager"), Some("6f1dd7b46a244c539f5e0d1c8a3b2e11"), Some(&long)]
    {
        let mut request = api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        if let Some(manager) = manager {
            request = request.header("x-api-managerId", manager);
        }
        Api::send(request.body(form.body())).await.expect(401, "AM_001");
    }
    api.create_with_form(&form).await.expect(201, "0");
}

#[tokio::test]
async fn first_fault_is_returned() {
    let api = Api::new();
    let request = |manager: &str, media_type: &str, body: Vec<u8>| {
        let request = api.request(Method::POST, "/api/v1/events").header("x-api-managerId", manager);
        Api::send(request.header("Content-Type", media_type).body(body))
    };
    let too_large = vec![b'x'; 4_700_001];
    request("none", "text/plain", too_large.clone()).await.expect(401, "AM_001");
    request(sample::MANAGER, "text/plain", too_large.clone()).await.expect(415, "C_004");
    request(sample::MANAGER, "multipart/form-data", too_large).await.expect(413, "C_005");
    request(sample::MANAGER, "multipart/form-data", b"x".to_vec()).await.expect(400, "C_006");

    let form = |request: &str, poster: &[u8]| {
        tests::form::Form::new().part(sample::REQUEST, request).part(sample::THUMBNAIL, poster)
    };
    let too_large_poster = vec![0; 4 * 1024 * 1024 + 1];
    api.create_with_form(&form("[]", b"")).await.expect(400, "C_002");
    api.create_with_form(&form("{}", b"")).await.expect(400, "C_001");
    api.create_with_form(&form(&sample::event().to_string(), &too_large_poster)).await.expect(413, "C_005");
    api.create_with_form(&form(&sample::event().to_string(), b"")).await.expect(400, "C_007");
}

#[tokio::test]
async fn duplicate_event_is_rejected() {
    let api = Api::new();
    let event = sample::event();
    api.create(&event).await.expect(201, "0");
    api.create(&event).await.expect(409, "E_001");

    let mut same = event.clone();
    let title = text(&event["title"]);
    same["title"] = json!(format!("  {}  ", title.replace(' ', " \u{3000}").to_uppercase()));
    same["place"] = json!(format!("\u{feff}{}\u{200b}", text(&event["place"])));
    same["eventDatetimes"] = json!([1, "2025-04-27T14:00:00+09:00"]);
    same["artist"] = json!("다른 가수");
    api.create(&same).await.expect(409, "E_001");

    let mut elsewhere = event.clone();
    elsewhere["place"] = json!("다른 곳");
    api.create(&elsewhere).await.expect(201, "0");
    let mut later = event.clone();
    later["eventDatetimes"] = json!([1_745_643_601]);
    api.create(&later).await.expect(201, "0");
}

#[tokio::test]
async fn one_of_simultaneous_creates_succeeds() {
    let api = Api::new();
    let event = sample::event();
    let responses = join_all((0..16).map(|_| api.create(&event))).await;
    let codes: Vec<_> = responses.iter().map(|response| (response.status, response.code())).collect();
    assert_eq!(codes.iter().filter(|&result| *result == (201, "0".to_owned())).count(), 1, "{codes:?}");
    assert_eq!(codes.iter().filter(|&result| *result == (409, "E_001".to_owned())).count(), 15, "{codes:?}");
}

#[tokio::test]
async fn too_large_response_stores_nothing() {
    // Limit of a body: 6,291,556 bytes of Lambda, minus 4 KiB for the rest of the response and 64 KiB for edits.
    const MAX_BODY: usize = 6_291_556 - 4_096 - 65_536;
    let api = Api::new();
    let mut event = sample::event();
    let seat = |number: u32| json!({"cx": -123_456.123_456_789_1, "cy": 1.234_567_890_123_456_7e-9, "row": 2_147_483_647, "number": 1_000_000_000 + number});
    let seats: Vec<_> = (0..25_000).map(seat).collect();
    event["areas"] = json!([{"label": "a", "price": 1, "areaMap": "/a.svg", "seats": seats}]);
    // A quote takes four bytes: it is escaped in the body, and again in the response of the function.
    let drawing = |padding: usize| {
        json!(format!(
            "<g>{}{}</g>",
            "<g class=\"\" id=\"\" style=\"\" fill=\"\"/>".repeat(14_000),
            " ".repeat(padding)
        ))
    };

    // The largest texts and times that an edit can set. Quotes are escaped twice, too.
    let show = |number: u32| format!("9999-12-31T23:59:{number:02}.123456789Z");
    let largest = json!({
        "title": "\"".repeat(100), "place": "\"".repeat(100), "artist": "\"".repeat(100),
        "description": "\"".repeat(5_000), "eventOpenTime": show(0), "ticketingOpenTime": show(0),
        "eventDatetimes": (0..60).map(show).collect::<Vec<_>>(),
    });
    event["totalMap"] = drawing(0);
    let smallest = api.create(&event).await.expect(201, "0");
    let escapes = smallest.body.iter().filter(|byte| matches!(byte, b'"' | b'\\')).count();
    let padding = MAX_BODY - (smallest.body.len() + escapes);
    assert_eq!(api.delete(text(&smallest.data()["id"])).await.status, 204);

    event["totalMap"] = drawing(padding + 1);
    let rejected = api.create(&event).await.expect(413, "C_005");
    assert!(rejected.text().contains("6,291,556"), "{}", rejected.text());

    event["totalMap"] = drawing(padding);
    let accepted = api.create(&event).await.expect(201, "0");
    let id = accepted.data()["id"].clone();
    api.edit(text(&id), &largest).await.expect(200, "0");
    api.get(&format!("/api/v1/events/{}/detail", text(&id))).await.expect(200, "0");
    assert_eq!(api.delete(text(&accepted.data()["id"])).await.status, 204);
}
