//! Fields of `POST /api/v1/events`.

use insta::assert_snapshot;
use serde_json::json;
use tests::{Api, corpus, sample, summaries};

use super::create::{event_with, text_with};

#[tokio::test]
async fn seconds_and_texts_are_times() {
    let api = Api::new();
    for (sent, expected) in [
        ("1745557200.123456789", "2025-04-25T05:00:00.123456789Z"),
        ("1.7455572e9", "2025-04-25T05:00:00Z"),
        ("253402300799.999999999", "9999-12-31T23:59:59.999999999Z"),
        ("\"2025-04-25T14:00:00.5+09:00\"", "2025-04-25T05:00:00.500Z"),
    ] {
        for pointer in ["/eventOpenTime", "/ticketingOpenTime", "/eventDatetimes/0"] {
            let data = api.create(&text_with(pointer, sent)).await.expect(201, "0").data();
            let time = data.pointer(pointer).unwrap();
            assert_eq!(time.get("datetime").unwrap_or(time), expected, "{pointer}");
        }
    }
    let times =
        ["-1", "253402300800", "1745557200.1234567891", "1e400", "\"2025-04-25T05:00:00\"", "\"내일\"", "false"];
    let requests =
        times.map(|time| (time, async move { Api::new().create(&text_with("/eventDatetimes/1", time)).await }));
    assert_snapshot!(summaries(requests).await, @r#"
    -1: 400 C_001 | eventDatetimes[1] ‘-1’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요.
    253402300800: 400 C_001 | eventDatetimes[1] ‘253402300800’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요.
    1745557200.1234567891: 400 C_001 | eventDatetimes[1] ‘1745557200.1234567891’ 소수점 아래 9자리까지 입력할 수 있습니다.
    1e400: 400 C_001 | eventDatetimes[1] ‘1e400’ 1970년부터 9999년까지의 시각이어야 합니다. 유닉스 시간은 밀리초가 아닌 초 단위로 입력해 주세요.
    "2025-04-25T05:00:00": 400 C_001 | eventDatetimes[1] ‘2025-04-25T05:00:00’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    "내일": 400 C_001 | eventDatetimes[1] ‘내일’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    false: 400 C_001 | eventDatetimes[1] ‘false’ 시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요.
    "#);
}

#[tokio::test]
async fn every_invalid_field_is_listed() {
    let api = Api::new();
    assert_snapshot!(api.create(&json!({})).await, @r#"
    400
    {
      "message": "입력한 정보가 모두 올바른지 확인해 주세요.", "code": "C_001",
      "errors": [
        {"field": "title", "value": "", "reason": "필수 입력값입니다."},
        {"field": "description", "value": "", "reason": "필수 입력값입니다."},
        {"field": "place", "value": "", "reason": "필수 입력값입니다."},
        {"field": "artist", "value": "", "reason": "필수 입력값입니다."},
        {"field": "eventOpenTime", "value": "", "reason": "필수 입력값입니다."},
        {"field": "ticketingOpenTime", "value": "", "reason": "필수 입력값입니다."},
        {"field": "totalMap", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas", "value": "", "reason": "필수 입력값입니다."},
        {"field": "eventDatetimes", "value": "", "reason": "필수 입력값입니다."}
      ]
    }
    "#);
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
    assert_snapshot!(api.create(&wrong).await, @r#"
    400
    {
      "message": "입력한 정보가 모두 올바른지 확인해 주세요.", "code": "C_001",
      "errors": [
        {"field": "title", "value": "5", "reason": "문자열이어야 합니다."},
        {"field": "description", "value": "{\"a\":[1]}", "reason": "문자열이어야 합니다."},
        {"field": "place", "value": " ", "reason": "필수 입력값입니다."},
        {"field": "artist", "value": "a\tb", "reason": "제어 문자를 포함할 수 없습니다."},
        {"field": "eventOpenTime", "value": "true", "reason": "시각은 유닉스 시간(초) 또는 시간대를 포함한 ISO 8601 형식으로 입력해 주세요."},
        {"field": "ticketingOpenTime", "value": "", "reason": "필수 입력값입니다."},
        {
          "field": "totalMap", "value": "<svg><script/></svg>",
          "reason": "1번째 줄 6번째 글자: script 요소는 사용할 수 없습니다. 스크립트와 애니메이션 없이 다시 내보내 주세요."
        },
        {"field": "areas[0].label", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[0].price", "value": "50000", "reason": "숫자여야 합니다."},
        {"field": "areas[0].areaMap", "value": "[\"a\"]", "reason": "문자열이어야 합니다."},
        {"field": "areas[0].seats", "value": "x", "reason": "배열이어야 합니다."},
        {"field": "areas[1]", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[2].price", "value": "-0.001", "reason": "소수점 아래 2자리까지 입력할 수 있습니다."},
        {"field": "areas[2].price", "value": "-0.001", "reason": "0 이상 1,000,000,000 이하여야 합니다."},
        {"field": "areas[2].areaMap", "value": "/\u0001", "reason": "제어 문자를 포함할 수 없습니다."},
        {
          "field": "areas[2].seats[1]", "value": "{\"cx\":2,\"cy\":2,\"number\":1,\"row\":1.0}",
          "reason": "앞에 입력한 값과 중복됩니다."
        },
        {"field": "areas[2].seats[2]", "value": "x", "reason": "객체여야 합니다."},
        {"field": "areas[2].seats[3].cx", "value": "1", "reason": "숫자여야 합니다."},
        {"field": "areas[2].seats[3].cy", "value": "10000000.0", "reason": "-1,000,000 이상 1,000,000 이하여야 합니다."},
        {"field": "areas[2].seats[3].row", "value": "-1.5", "reason": "정수여야 합니다."},
        {"field": "areas[2].seats[3].row", "value": "-1.5", "reason": "0 이상 2,147,483,647 이하여야 합니다."},
        {"field": "areas[2].seats[3].number", "value": "2147483648", "reason": "0 이상 2,147,483,647 이하여야 합니다."},
        {"field": "areas[2].seats[4].cx", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[2].seats[4].cy", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[2].seats[4].row", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[2].seats[4].number", "value": "", "reason": "필수 입력값입니다."},
        {"field": "areas[3].label", "value": "1층 A", "reason": "앞에 입력한 값과 중복됩니다."},
        {"field": "eventDatetimes[1]", "value": "1970-01-01T09:00:00+09:00", "reason": "앞에 입력한 값과 중복됩니다."},
        {"field": "eventDatetimes[2]", "value": "", "reason": "필수 입력값입니다."},
        {"field": "genre", "value": "1", "reason": "문자열이어야 합니다."},
        {"field": "ageRating", "value": "20", "reason": "0 이상 19 이하여야 합니다."},
        {"field": "runningMinutes", "value": "0", "reason": "1 이상 1,440 이하여야 합니다."},
        {
          "field": "address",
          "value": "가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가",
          "reason": "200자 이하여야 합니다."
        },
        {"field": "ticketingCloseMinutes", "value": "1.5", "reason": "정수여야 합니다."},
        {"field": "maxSeats", "value": "4", "reason": "숫자여야 합니다."}
      ]
    }
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
