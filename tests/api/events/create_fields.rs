//! Fields of `POST /api/v1/events`.

use tests::corpus;
use tests::prelude::*;

use super::create::{event_with, text_with};

#[tokio::test]
async fn seconds_and_texts_are_times() {
    let api = Api::new();
    for (sent, expected) in
        [("1.7455572e9", "2025-04-25T05:00:00Z"), ("\"2025-04-25T14:00:00.5+09:00\"", "2025-04-25T05:00:00.500Z")]
    {
        for pointer in ["/eventOpenTime", "/ticketingOpenTime", "/eventDatetimes/0"] {
            let data = api.create(&text_with(pointer, sent)).await.expect(201, "0").data();
            let time = data.pointer(pointer).unwrap();
            assert_eq!(time.get("datetime").unwrap_or(time), expected, "{pointer}");
        }
    }
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    let wrong = json!({
        "title": 5, "description": {"a": [1]}, "place": " ", "artist": "a\tb", "eventOpenTime": true, "ticketingOpenTime": null,
        "genre": 1, "ageRating": 20, "runningMinutes": 0, "address": "가".repeat(201),
        "ticketingCloseMinutes": 1.5, "maxSeats": "4", "totalMap": "<svg><script/></svg>",
        "areas": [
            {"label": "", "price": "50000", "areaMap": ["a"], "seats": "x"},
            null,
            {"label": "1층 A", "price": -0.001, "areaMap": "/\u{1}", "seats": [
                {"cx": 1, "cy": 1, "row": 1, "number": 1}, {"cx": 2, "cy": 2, "row": 1.0, "number": 1}, "x",
                {"cx": "1", "cy": 1e7, "row": -1.5, "number": 2_147_483_648_u32}, {},
            ]},
            {"label": "1층 A", "price": 1, "areaMap": "/a.svg", "seats": []},
        ],
        "eventDatetimes": [0, "1970-01-01T09:00:00+09:00", null],
    });
    assert_snapshot!(api.create(&wrong).await.summary().replace(" | ", "\n"), @r#"
    400 C_001
    title ‘5’ 문자열이어야 합니다.
    description ‘{"a":[1]}’ 문자열이어야 합니다.
    place ‘ ’ 필수 입력값입니다.
    artist ‘a\tb’ 제어 문자를 포함할 수 없습니다.
    eventOpenTime ‘true’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    ticketingOpenTime ‘’ 필수 입력값입니다.
    totalMap ‘<svg><script/></svg>’ 1번째 줄 6번째 글자: script 요소는 사용할 수 없습니다. 스크립트와 애니메이션 없이 다시 내보내 주세요.
    areas[0].label ‘’ 필수 입력값입니다.
    areas[0].price ‘50000’ 숫자여야 합니다.
    areas[0].areaMap ‘["a"]’ 문자열이어야 합니다.
    areas[0].seats ‘x’ 배열이어야 합니다.
    areas[1] ‘’ 필수 입력값입니다.
    areas[2].price ‘-0.001’ 소수점 아래 2자리까지 입력할 수 있습니다.
    areas[2].price ‘-0.001’ 0 이상 1,000,000,000 이하여야 합니다.
    areas[2].areaMap ‘/\u{1}’ 제어 문자를 포함할 수 없습니다.
    areas[2].seats[1] ‘{"cx":2,"cy":2,"number":1,"row":1.0}’ 앞에 입력한 값과 중복됩니다.
    areas[2].seats[2] ‘x’ 객체여야 합니다.
    areas[2].seats[3].cx ‘1’ 숫자여야 합니다.
    areas[2].seats[3].cy ‘10000000.0’ -1,000,000 이상 1,000,000 이하여야 합니다.
    areas[2].seats[3].row ‘-1.5’ 정수여야 합니다.
    areas[2].seats[3].row ‘-1.5’ 0 이상 2,147,483,647 이하여야 합니다.
    areas[2].seats[3].number ‘2147483648’ 0 이상 2,147,483,647 이하여야 합니다.
    areas[2].seats[4].cx ‘’ 필수 입력값입니다.
    areas[2].seats[4].cy ‘’ 필수 입력값입니다.
    areas[2].seats[4].row ‘’ 필수 입력값입니다.
    areas[2].seats[4].number ‘’ 필수 입력값입니다.
    areas[3].label ‘1층 A’ 앞에 입력한 값과 중복됩니다.
    eventDatetimes[1] ‘1970-01-01T09:00:00+09:00’ 앞에 입력한 값과 중복됩니다.
    eventDatetimes[2] ‘’ 필수 입력값입니다.
    genre ‘1’ 문자열이어야 합니다.
    ageRating ‘20’ 0 이상 19 이하여야 합니다.
    runningMinutes ‘0’ 1 이상 1,440 이하여야 합니다.
    address ‘가가가가가가가가가가… (201)’ 200자 이하여야 합니다.
    ticketingCloseMinutes ‘1.5’ 정수여야 합니다.
    maxSeats ‘4’ 숫자여야 합니다.
    "#);
}

#[tokio::test]
async fn values_over_limits_are_rejected() {
    let api = Api::new();
    let event = |over: usize| {
        let text = |length: usize| "한".repeat(length + over - 10) + &sample::unique();
        let seat = json!({"cx": 1_000_000 + over, "cy": -1_000_000, "row": 2_147_483_647 + over, "number": 0});
        let area = |n: usize| {
            let label = format!("{}{n:02}", "구".repeat(48 + over * usize::from(n == 0)));
            let seats = if n == 0 { json!([seat]) } else { json!([]) };
            json!({"label": label, "price": 1_000_000_000 + over * usize::from(n == 0), "areaMap": "/a.svg", "seats": seats})
        };
        json!({
            "title": text(100), "description": text(5_000), "place": text(100), "artist": text(100), "eventOpenTime": 0,
            "ticketingOpenTime": 0, "totalMap": "/a.svg", "areas": (0..90).map(area).collect::<Vec<_>>(),
            "eventDatetimes": (0..60 + over).collect::<Vec<_>>(),
        })
    };
    api.create(&event(0)).await.check(201, "0");
    assert_snapshot!(api.create(&event(1)).await.summary().replace(" | ", "\n"), @r"
    400 C_001
    title ‘한한한한한한한한한한… (101)’ 100자 이하여야 합니다.
    description ‘한한한한한한한한한한… (1000)’ 5,000자 이하여야 합니다.
    place ‘한한한한한한한한한한… (101)’ 100자 이하여야 합니다.
    artist ‘한한한한한한한한한한… (101)’ 100자 이하여야 합니다.
    areas[0].label ‘구구구구구구구구구구… (51)’ 50자 이하여야 합니다.
    areas[0].price ‘1000000001’ 0 이상 1,000,000,000 이하여야 합니다.
    areas[0].seats[0].cx ‘1000001’ -1,000,000 이상 1,000,000 이하여야 합니다.
    areas[0].seats[0].row ‘2147483648’ 0 이상 2,147,483,647 이하여야 합니다.
    eventDatetimes ‘[0,1,2,3,4… (174)’ 60개까지 입력할 수 있습니다.
    ");
    let areas: Vec<_> =
        (0..501).map(|n| json!({"label": n.to_string(), "price": 1, "areaMap": "/a.svg", "seats": []})).collect();
    assert_snapshot!(api.create(&event_with("/areas", areas)).await.summary(), @r#"400 C_001 | areas ‘[{"areaMap… (1000)’ 500개까지 입력할 수 있습니다."#);
    // Only the description has several lines.
    api.create(&event_with("/description", "첫째 줄\r\n\t둘째 줄")).await.check(201, "0");
    let seats: Vec<_> = (0..200).map(|n| json!({"cx": 1, "cy": 1, "row": -1, "number": n})).collect();
    let errors = api.create(&event_with("/areas/0/seats", seats)).await.expect(400, "C_001").errors();
    assert_eq!((errors.len(), &errors[99][0][..]), (100, "areas[0].seats[99].row"));
}

#[tokio::test]
async fn drawings_are_unchanged() {
    let api = Api::new();
    let drawings: Vec<_> = corpus("svg/inert").into_iter().map(|(_, text)| String::from_utf8(text).unwrap()).collect();
    for drawings in drawings.chunks(20) {
        let areas = drawings.iter().zip(1..);
        let areas: Vec<_> = areas
            .map(|(drawing, n)| json!({"label": n.to_string(), "price": n, "areaMap": drawing, "seats": []}))
            .collect();
        let id = api.create(&event_with("/areas", areas)).await.expect(201, "0").id();
        let detail = api.event(&format!("{id}/detail")).await.expect(200, "0").data();
        for (area, sent) in detail["areas"].as_array().unwrap().iter().zip(drawings) {
            assert_eq!(area["areaMap"], *sent);
        }
    }
}
