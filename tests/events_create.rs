//! `POST /api/v1/events`

use futures_util::future::join_all;
use insta::assert_snapshot;
use reqwest::{
    Method,
    multipart::{Form as ReqwestForm, Part},
};
use serde_json::{Value, json};
use tests::{
    Api, Response, corpus,
    form::Form,
    sample::{self, MANAGER, OTHER_MANAGER, POSTER, REQUEST, THUMBNAIL},
    statuses, summaries,
};

const MAX_POSTER: usize = 4 * 1024 * 1024;

fn event_with(pointer: &str, value: impl Into<Value>) -> Value {
    let mut event = sample::event();
    *event.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value.into();
    event
}

/// Returns the text of the sample event with this JSON, which need not be valid, at a pointer.
fn text_with(pointer: &str, json: &str) -> String {
    event_with(pointer, "REPLACED").to_string().replace("\"REPLACED\"", json)
}

async fn send(media_type: &str, body: Vec<u8>) -> Response {
    let request = Api::new().request(Method::POST, "/api/v1/events").header("x-api-managerId", MANAGER);
    Api::send(request.header("Content-Type", media_type).body(body)).await
}

#[tokio::test]
async fn event_is_registered_as_sent() {
    // Numbers are returned in their shortest form.
    let seat = r#"{"cx": -1000000.00, "cy": 1e-7, "row": 2147483647, "number": 12E1}"#;
    assert_snapshot!(Api::new().create(&text_with("/areas/1/seats/0", seat)).await, @r#"
    201
    location: /api/v1/events/[id1]
    {
      "message": "공연이 등록되었습니다.", "code": "0",
      "data": {
        "id": "[id1]", "title": "봄 콘서트 [text1]", "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀", "thumbnail": "[id1].png", "artist": "아이유",
        "eventDatetimes": [
          {"id": "[id2]", "datetime": "2025-04-26T05:00:00Z"},
          {"id": "[id3]", "datetime": "2025-04-27T05:00:00Z"}
        ],
        "eventOpenTime": "2025-04-25T05:00:00Z", "ticketingOpenTime": "2025-04-18T05:00:00.500Z",
        "totalMap": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 300\"><rect width=\"400\" height=\"300\"/></svg>",
        "areas": [
          {
            "id": "[id4]", "eventId": "[id1]", "label": "1층 A", "price": 132000,
            "areaMap": "<g style=\"fill:#f06\"><path class=\"area-data\" d=\"M10 10h80v60h-80z\"/></g>",
            "seats": [
              {"id": "[id5]", "areaId": "[id4]", "cx": 20, "cy": 30.5, "row": 1, "number": 1},
              {"id": "[id6]", "areaId": "[id4]", "cx": 40.25, "cy": 30.5, "row": 1, "number": 2}
            ]
          },
          {
            "id": "[id7]", "eventId": "[id1]", "label": "2층 B", "price": 99000.5,
            "areaMap": "https://cdn.example.com/maps/b.svg",
            "seats": [{"id": "[id8]", "areaId": "[id7]", "cx": -1000000, "cy": 1e-7, "row": 2147483647, "number": 120}]
          }
        ]
      }
    }
    "#);
}

#[tokio::test]
async fn optional_fields_are_returned() {
    let api = Api::new();
    let mut event = sample::event();
    for (field, value) in [
        ("genre", json!("가".repeat(30))),
        ("ageRating", json!(0)),
        ("runningMinutes", json!(1.44e3)),
        ("address", json!("서울특별시 송파구 올림픽로 424")),
    ] {
        event[field] = value;
    }
    let id = api.create(&event).await.expect(201, "0").id();
    assert_snapshot!(api.event(&id).await, @r#"
    200
    etag: "summary-1-0"
    cache-control: public, max-age=0, s-maxage=1
    {
      "message": "공연을 조회했습니다.", "code": "0",
      "data": {
        "id": "[id1]", "title": "봄 콘서트 [text1]", "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀", "thumbnail": "[id1].png", "artist": "아이유",
        "eventDatetimes": [
          {"id": "[id2]", "datetime": "2025-04-26T05:00:00Z"},
          {"id": "[id3]", "datetime": "2025-04-27T05:00:00Z"}
        ],
        "eventOpenTime": "2025-04-25T05:00:00Z", "ticketingOpenTime": "2025-04-18T05:00:00.500Z",
        "genre": "가가가가가가가가가가가가가가가가가가가가가가가가가가가가가가", "ageRating": 0, "runningMinutes": 1440,
        "address": "서울특별시 송파구 올림픽로 424"
      }
    }
    "#);
    let blank = json!({"genre": null, "ageRating": "", "runningMinutes": [], "address": "\u{3164}"});
    let mut event = sample::event();
    event.as_object_mut().unwrap().extend(blank.as_object().unwrap().clone());
    assert_eq!(api.create(&event).await.expect(201, "0").data().get("genre"), None);
}

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
        "genre": 1, "ageRating": 20, "runningMinutes": 0, "address": "가".repeat(201), "totalMap": "<svg><script/></svg>",
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
        }
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

#[tokio::test]
async fn registered_show_is_rejected() {
    let api = Api::new();
    let event = sample::event();
    api.create(&event).await.check(201, "0");
    let with = |changes: Value| {
        let mut event = event.clone();
        event.as_object_mut().unwrap().extend(changes.as_object().unwrap().clone());
        event
    };
    let title = event["title"].as_str().unwrap().replace(' ', " \u{3000}").to_uppercase();
    // One of its two shows is enough, and the other one is not stored.
    let same = with(json!({
        "title": format!("  {title}  "), "place": format!("\u{feff}{}\u{200b}", event["place"].as_str().unwrap()),
        "eventDatetimes": [1, "2025-04-27T14:00:00+09:00"], "artist": "다른 가수",
    }));
    assert_snapshot!(api.create(&same).await, @r#"
    409
    {"message": "제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.", "code": "E_001"}
    "#);
    for other in [json!({"place": "다른 곳"}), json!({"eventDatetimes": [1, 1_745_643_601]})] {
        api.create(&with(other)).await.check(201, "0");
    }
}

#[tokio::test]
async fn one_of_simultaneous_creates_succeeds() {
    let api = Api::new();
    let event = sample::event();
    assert_eq!(statuses((0..16).map(|_| api.create(&event))).await, [vec![201], vec![409; 15]].concat());
}

#[tokio::test]
async fn first_fault_is_returned() {
    let api = Api::new();
    let form = sample::form(&sample::event());
    let managers = [None, Some(""), Some("manager"), Some("6f1dd7b46a244c539f5e0d1c8a3b2e11")].map(|manager| {
        let request = api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        let request = manager.into_iter().fold(request, |request, manager| request.header("x-api-managerId", manager));
        (format!("{manager:?}"), Api::send(request.body(form.body())))
    });
    assert_snapshot!(summaries(managers).await, @r#"
    None: 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
    Some(""): 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
    Some("manager"): 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
    Some("6f1dd7b46a244c539f5e0d1c8a3b2e11"): 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
    "#);
    let too_large = vec![b'x'; 4_700_001];
    assert_snapshot!(send("text/plain", too_large.clone()).await.summary(), @"415 C_004 Content-Type은 multipart/form-data만 지원합니다.");
    assert_snapshot!(send("multipart/form-data", too_large).await.summary(), @"413 C_005 요청 본문은 4,700,000바이트를 넘을 수 없습니다.");
    assert_snapshot!(send("multipart/form-data", b"x".to_vec()).await.summary(), @"400 C_006 multipart 요청에 올바른 boundary가 없습니다. 특수 문자가 있는 boundary 값은 큰따옴표로 묶어 주세요.");
    assert_snapshot!(api.create_with_form(&sample::form_with("[]", "")).await.summary(), @"400 C_002 1번째 줄 1번째 글자: JSON은 ‘{’로 시작하는 객체여야 합니다.");
    assert_snapshot!(api.create_with_form(&sample::form_with("{\"title\":\"\\udc00\"}", "")).await.summary(), @"400 C_002 짝이 없는 서로게이트 이스케이프가 있습니다.");
    api.create_with_form(&sample::form_with("{}", "")).await.check(400, "C_001");
    let event = sample::event();
    assert_snapshot!(api.create_with_form(&sample::form_with(&event, vec![0; MAX_POSTER + 1])).await.summary(), @"413 C_005 포스터는 4,194,304바이트를 넘을 수 없습니다.");
    assert_snapshot!(api.create_with_form(&sample::form_with(&event, "")).await.summary(), @"400 C_007 포스터 파일이 비어 있습니다.");
    let cut = &POSTER[..POSTER.len() - 1];
    assert_snapshot!(api.create_with_form(&sample::form_with(&event, cut)).await.summary(), @"400 C_007 포스터 이미지가 잘렸거나 손상되었습니다.");
}

#[tokio::test]
async fn posters_keep_bytes_and_type() {
    let api = Api::new();
    let mut largest = POSTER.to_vec();
    largest.resize(MAX_POSTER, 0);
    let mut posters: Vec<_> =
        corpus("images/accepted").into_iter().filter(|(name, _)| name.starts_with("real")).collect();
    posters.push(("largest.png".to_owned(), largest));
    for (name, poster) in posters {
        let misleading = THUMBNAIL.replace("poster.png", "../x.html").replace("image/png", "text/html");
        let form = Form::new().part(REQUEST, sample::event().to_string()).part(&misleading, poster.clone());
        let data = api.create_with_form(&form).await.expect(201, "0").data();
        let (_, extension) = name.split_once('.').unwrap();
        assert_eq!(data["thumbnail"], format!("{}.{extension}", data["id"].as_str().unwrap()));
        let returned = api.poster(data["thumbnail"].as_str().unwrap()).await;
        let stored = if name == "realistic.jpg" { sample::stored_other_poster() } else { poster };
        assert!(returned.body == stored, "{name}");
        assert_eq!(returned.header("Content-Type"), format!("image/{}", extension.replace("jpg", "jpeg")));
        assert_eq!(returned.header("X-Content-Type-Options"), "nosniff");
    }
}

#[tokio::test]
async fn forms_of_common_clients_are_read() {
    let file = "Content-Disposition: form-data; name=\"thumbnail\"; filename=";
    let clients = [
        (
            "a browser, with a Blob",
            format!("{REQUEST}; filename=\"blob\""),
            format!("{file}\"포스터 1.png\"\nContent-Type: image/png"),
        ),
        ("curl", REQUEST.to_owned(), format!("{file}\"a\\\"b.png\"\nContent-Type: image/png")),
        (
            "axios in Node",
            format!("{REQUEST}; charset=utf-8"),
            format!("{file}\"p.png\"\nContent-Type: application/octet-stream"),
        ),
        ("Python's requests", REQUEST.to_owned(), file.replace("filename=", "filename*=utf-8''%ED%8F%AC.png")),
        ("unquoted names", REQUEST.replace('"', ""), THUMBNAIL.replace('"', "")),
        ("a minimal client", "content-disposition:form-data;name=\"request\"".to_owned(), THUMBNAIL.to_lowercase()),
    ];
    let forms = clients.map(|(client, request, thumbnail)| {
        let form = Form::new().part(&request, sample::event().to_string()).part(&thumbnail, POSTER);
        (client, async move { Api::new().create_with_form(&form).await })
    });
    assert_snapshot!(summaries(forms).await, @r"
    a browser, with a Blob: 201
    curl: 201
    axios in Node: 201
    Python's requests: 201
    unquoted names: 201
    a minimal client: 201
    ");

    let part = Part::text(sample::event().to_string()).file_name("request.json").mime_str("application/json").unwrap();
    let form = ReqwestForm::new().part("request", part).part("thumbnail", Part::bytes(POSTER).file_name("poster.png"));
    let request = Api::new().request(Method::POST, "/api/v1/events").header("x-api-managerId", MANAGER);
    Api::send(request.multipart(form)).await.check(201, "0");

    let form = Form::new()
        .part("Content-Disposition: form-data; name=\"note\"", "x")
        .part(THUMBNAIL, POSTER)
        .part("Content-Disposition: form-data; name=\"Request\"", "{}")
        .part("Content-Type: text/plain", "a part without a name")
        .part(REQUEST, sample::event().to_string());
    let quoted = form.content_type().replace("boundary=", "boundary=\"") + "\"";
    send(&quoted, [form.body(), b"epilogue".to_vec()].concat()).await.check(201, "0");
}

#[tokio::test]
async fn unreadable_form_is_rejected() {
    let form = sample::form(&sample::event());
    let (media_type, body) = (form.content_type(), form.body());
    let boundaries =
        ["multipart/form-data", "multipart/form-data; boundary=other", "multipart/form-data; boundary=a:b"];
    let requests = boundaries.map(|media_type| (media_type, send(media_type, body.clone())));
    assert_snapshot!(summaries(requests).await, @r"
    multipart/form-data: 400 C_006 multipart 요청에 올바른 boundary가 없습니다. 특수 문자가 있는 boundary 값은 큰따옴표로 묶어 주세요.
    multipart/form-data; boundary=other: 400 C_006 multipart 본문이 잘렸거나 손상되었습니다.
    multipart/form-data; boundary=a:b: 400 C_006 multipart 요청에 올바른 boundary가 없습니다. 특수 문자가 있는 boundary 값은 큰따옴표로 묶어 주세요.
    ");
    for end in [0, 1, 40, 200, body.len() / 2, body.len() - 20, body.len() - 5] {
        send(&media_type, body[..end].to_vec()).await.check(400, "C_006");
    }
    let request = || Form::new().part(REQUEST, sample::event().to_string());
    let forms = [
        ("no poster", request()),
        ("no request", Form::new().part(THUMBNAIL, POSTER)),
        ("two requests", sample::form(&sample::event()).part(REQUEST, "{}")),
        ("two posters", sample::form(&sample::event()).part(THUMBNAIL, POSTER)),
    ];
    let requests = forms.map(|(name, form)| (name, async move { Api::new().create_with_form(&form).await }));
    assert_snapshot!(summaries(requests).await, @r"
    no poster: 400 C_006 multipart에 thumbnail 파트가 없습니다.
    no request: 400 C_006 multipart에 request 파트가 없습니다.
    two requests: 400 C_006 multipart에 request 파트가 두 개 이상 있습니다.
    two posters: 400 C_006 multipart에 thumbnail 파트가 두 개 이상 있습니다.
    ");
}

#[tokio::test]
async fn parts_headers_and_body_are_limited() {
    const EXTRA: &str = "Content-Disposition: form-data; name=\"extra\"";
    let sample = || sample::form(&sample::event());
    let of_parts = |parts: usize| (2..parts).fold(sample(), |form, _| form.part(EXTRA, "x"));
    // Each line of the headers ends with two bytes.
    let of_header = |bytes: usize| sample().part(&format!("{EXTRA}\nX: {}", "x".repeat(bytes - EXTRA.len() - 7)), "x");
    let of_lines = |lines: usize| sample().part(&(EXTRA.to_owned() + &"\nX: x".repeat(lines - 1)), "x");
    let of_bytes = |bytes: usize| sample().part(EXTRA, vec![b'x'; bytes - sample().part(EXTRA, "").body().len()]);
    let forms = [
        ("100 parts", of_parts(100)),
        ("101 parts", of_parts(101)),
        ("32 lines", of_lines(32)),
        ("33 lines", of_lines(33)),
        ("headers of 16 KiB", of_header(16 * 1024)),
        ("larger headers", of_header(16 * 1024 + 1)),
        ("4,700,000 bytes", of_bytes(4_700_000)),
        ("4,700,001 bytes", of_bytes(4_700_001)),
    ];
    let requests = forms.map(|(name, form)| (name, async move { Api::new().create_with_form(&form).await }));
    assert_snapshot!(summaries(requests).await, @r"
    100 parts: 201
    101 parts: 400 C_006 multipart 파트는 100개까지 보낼 수 있습니다.
    32 lines: 201
    33 lines: 400 C_006 multipart 본문이 잘렸거나 손상되었습니다.
    headers of 16 KiB: 201
    larger headers: 400 C_006 multipart 파트의 헤더는 16,384바이트를 넘을 수 없습니다.
    4,700,000 bytes: 201
    4,700,001 bytes: 413 C_005 요청 본문은 4,700,000바이트를 넘을 수 없습니다.
    ");
}

/// Returns the parts of a response that do not differ between requests.
fn content(response: &Response) -> (u16, &str, String) {
    (response.status, response.header("Location"), response.text())
}

#[tokio::test]
async fn key_repeats_first_response() {
    let api = Api::new();
    let (key, event) = (sample::unique(), sample::event());
    let form = sample::form(&event);
    let first = api.create_with_key(&key, &form).await.expect(201, "0");
    // File names and the order of the parts do not matter.
    let reordered = Form::new().part(&THUMBNAIL.replace("poster", "other"), POSTER).part(REQUEST, event.to_string());
    assert_eq!(content(&api.create_with_key(&key, &reordered).await), content(&first));
    api.create_with_key(&sample::unique(), &form).await.check(409, "E_001");
    api.create(&event).await.check(409, "E_001");

    // The poster is the same without its metadata.
    let other_poster = sample::form_with(&event, sample::signed_poster());
    assert_snapshot!(api.create_with_key(&key, &other_poster).await, @r#"
    422
    {"message": "이미 다른 요청에 사용된 Idempotency-Key입니다.", "code": "C_011"}
    "#);
    api.create_with_key(&key, &sample::form(&sample::event())).await.check(422, "C_011");

    api.delete(&first.id()).await.check(204, "0");
    assert_eq!(content(&api.create_with_key(&key, &form).await), content(&first));
    api.event(&first.id()).await.check(404, "E_002");
}

#[tokio::test]
async fn managers_do_not_share_keys() {
    let api = Api::new();
    let (key, form) = (sample::unique(), sample::form(&sample::event()));
    let first = api.create_with_key(&key, &sample::form(&sample::event())).await.expect(201, "0").id();
    let request = api.request(Method::POST, "/api/v1/events").header("x-api-managerId", OTHER_MANAGER);
    let request = request.header("Idempotency-Key", &key).header("Content-Type", form.content_type());
    assert_ne!(Api::send(request.body(form.body())).await.expect(201, "0").id(), first);
}

#[tokio::test]
async fn failed_request_frees_key() {
    let api = Api::new();
    let (key, event) = (sample::unique(), sample::event());
    api.create_with_key(&key, &sample::form(&event_with("/title", ""))).await.check(400, "C_001");
    let existing = api.create(&event).await.expect(201, "0").id();
    for _ in 0..2 {
        api.create_with_key(&key, &sample::form(&event)).await.check(409, "E_001");
    }
    api.delete(&existing).await.check(204, "0");
    api.create_with_key(&key, &sample::form(&event)).await.check(201, "0");
}

#[tokio::test]
async fn simultaneous_repetitions_create_once() {
    let api = Api::new();
    let (key, form) = (sample::unique(), sample::form(&sample::event()));
    let responses = join_all((0..16).map(|_| api.create_with_key(&key, &form))).await;
    let first = api.create_with_key(&key, &form).await.expect(201, "0");
    for response in responses {
        match response.status {
            201 => assert_eq!(content(&response), content(&first)),
            _ => assert_eq!(response.expect(409, "C_010").header("Retry-After"), "2"),
        }
    }
}

#[tokio::test]
async fn invalid_key_is_rejected() {
    let longest = format!("{:~>64}", sample::unique());
    let keys = [String::new(), "a b".to_owned(), "k".repeat(65), format!("{}!", sample::unique()), longest];
    // The key is checked before the form.
    let requests = keys.iter().zip(0..).map(|(key, number)| {
        (number, async move {
            let form = if number < 3 { Form::new() } else { sample::form(&sample::event()) };
            Api::new().create_with_key(key, &form).await
        })
    });
    assert_snapshot!(summaries(requests).await, @r"
    0: 400 C_003 | idempotency-key ‘’ 공백 없이 1자 이상 64자 이하의 ASCII 문자로 입력해 주세요.
    1: 400 C_003 | idempotency-key ‘a b’ 공백 없이 1자 이상 64자 이하의 ASCII 문자로 입력해 주세요.
    2: 400 C_003 | idempotency-key ‘kkkkkkkkkk… (65)’ 공백 없이 1자 이상 64자 이하의 ASCII 문자로 입력해 주세요.
    3: 201
    4: 201
    ");
}

mod in_process {
    use aws_sdk_dynamodb::types::AttributeValue;
    use functions::events::registration::Registration;
    use local::layouts::{self, Area};
    use seating::codec::{decode, encode};
    use storage::show_locks::{COUNT, MIN_CAPACITY};
    use tests::{
        Service,
        fault::{Extent, Fault, Rule},
        faults, set,
    };

    use super::*;

    /// Maximum size of an item of DynamoDB, in bytes.
    const MAX_ITEM: usize = 400 * 1024;

    #[tokio::test]
    async fn creation_is_three_calls() {
        let service = Service::start().await;
        let concert = sample::concert();
        assert_snapshot!(service.effect(service.api.create(&concert)).await, @r#"
        201
        PutItem POSTER, PUT poster, TransactWriteItems: 0 read, 16 write units
        + poster [id1].png
        + EVENT#[id1] EVENT {
          "artist": "아이유", "chunks": 1, "description": "봄밤의야외콘서트입니… (470)", "eventOpenTime": 1745557200,
          "id": "[id1]", "listing": "LIVE", "manager": "[id2]", "place": "올림픽공원 올림픽홀",
          "showNumbers": [2147483648, 2147483649], "showTimes": [1745643600, 1745730000], "thumbnail": "[id1].png",
          "ticketingOpenTime": "2025-04-18T05:00:00.500Z", "title": "봄 콘서트 [text1]", "version": 0
        }
        + EVENT#[id1] MAP#000 {"data": "[245 bytes]"}
        + SHOW#[hash] SHOW#03 {"2025-04-26T05:00:00Z": "[id1]", "2025-04-27T05:00:00Z": "[id1]", "shows": 2}
        "#);
        // A duplicate leaves only the expiry record.
        assert_snapshot!(service.effect(service.api.create(&concert)).await, @r#"
        409 E_001 제목과 장소가 같고 회차가 겹치는 공연이 이미 등록되어 있습니다.
        PutItem POSTER, PUT poster, TransactWriteItems, DELETE poster: 0 read, 1 write units
        + POSTER#[id1].png POSTER {"expiresAt": "[in 60 minutes]"}
        "#);
        assert_snapshot!(service.effect(service.api.create(&json!({}))).await.usage, @"no calls: 0 read, 0 write units");
        let invalid_poster = sample::form_with(&concert, "x");
        assert_snapshot!(service.effect(service.api.create_with_form(&invalid_poster)).await.usage, @"no calls: 0 read, 0 write units");
    }

    #[tokio::test]
    async fn key_costs_one_call() {
        let service = Service::start().await;
        let form = sample::form(&sample::concert());
        let create = |key: &'static str| service.effect(service.api.create_with_key(key, &form));
        let mut created = create("one").await;
        created.changes.retain(|change| change.contains("IDEMPOTENCY"));
        assert_snapshot!(created, @r#"
        201
        PutItem IDEMPOTENCY, PutItem POSTER, PUT poster, TransactWriteItems: 0 read, 19 write units
        + IDEMPOTENCY#[id1]#one IDEMPOTENCY {"claim": "[id2]", "event": "[id3]", "expiresAt": "[in 1 days]", "fingerprint": "[hash]"}
        "#);
        assert_snapshot!(create("one").await, @r#"
        201
        PutItem IDEMPOTENCY, PutItem POSTER, Query: 1 read, 1 write units
        + POSTER#[id1].png POSTER {"expiresAt": "[in 60 minutes]"}
        "#);
        assert_snapshot!(create("two").await.usage, @"PutItem IDEMPOTENCY, PutItem POSTER, PUT poster, TransactWriteItems, DELETE poster, DeleteItem IDEMPOTENCY: 0 read, 3 write units");
        service.check_permissions("events-create");
    }

    #[test]
    fn largest_hall_fits_300_write_units() {
        // The event of 2 KB, two lock items, the expiry records and the copies in the indexes.
        const OTHERS: usize = 16;
        let mut largest = layouts::main_stadium();
        for other in [layouts::stadium(), layouts::arena()] {
            let label = |area: &Area| format!("{} {}", other.name, area.label);
            largest.areas.extend(other.areas.iter().map(|area| Area { label: label(area), ..area.clone() }));
        }
        for index in (0..largest.areas.len()).cycle().take(largest.seats() - 100_000) {
            largest.areas[index].seats.pop();
        }
        for (hall, max) in [(layouts::arena(), 60), (largest, 300)] {
            let request = sample::with_hall(sample::event(), &hall).to_string();
            let map = Registration::parse(request.as_bytes()).unwrap().seat_map;
            let encoded = encode(&map);
            let units = 2 * encoded.len().div_ceil(1024) + OTHERS;
            assert!(units <= max, "{}: {units} units for {} seats", hall.name, hall.seats());
            assert!(decode(&encoded).unwrap() == map);
        }
    }

    #[tokio::test]
    async fn arena_is_read_with_one_query() {
        let service = Service::start().await;
        let event = sample::with_hall(sample::concert(), &layouts::arena());
        let created = service.effect(service.api.create(&event)).await;
        assert_snapshot!(created.usage, @"PutItem POSTER, PUT poster, TransactWriteItems: 0 read, 32 write units");
        let id = created.response.id();
        let detail = service.effect(service.api.event(&format!("{id}/detail"))).await;
        assert!(detail.response.data() == created.response.data());
        assert_snapshot!(detail.usage, @"Query: 3 read, 0 write units");
        assert_snapshot!(service.effect(service.api.event(&format!("{id}/seat-map.svg"))).await.usage, @"Query: 3 read, 0 write units");
        assert_snapshot!(service.effect(service.api.delete(&id)).await.usage, @"GetItem EVENT, BatchGetItem, TransactWriteItems: 73 read, 175 write units");
    }

    #[tokio::test]
    async fn large_hall_requires_gzip() {
        let service = Service::start().await;
        let event = sample::with_hall(sample::event(), &layouts::grid(50_000));
        let form = sample::gzip_form(&event);
        // The request fits, but its response does only in gzip. Nothing is stored.
        assert_snapshot!(service.effect(service.api.create_with_form(&form)).await, @r"
        413 C_005 압축하지 않은 응답이 6,291,556바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내 주세요.
        no calls: 0 read, 0 write units
        ");
        let send = async |encoding: &str| {
            let request = service.api.create_request(&form).header("Idempotency-Key", "a");
            Api::send(request.header("Accept-Encoding", encoding)).await
        };
        let created = send("gzip, br").await.inflated().expect(201, "0");
        // The response to a repetition does, too.
        assert!(send("*").await.inflated().body == created.body);
        send("br").await.check(413, "C_005");
        let path = format!("/api/v1/events/{}/detail", created.id());
        assert_snapshot!(service.api.get(&path).await.summary(), @"413 C_005 압축하지 않은 응답이 6,291,556바이트를 넘습니다. Accept-Encoding: gzip 헤더를 보내 주세요.");
        let detail = service.api.send_with(Method::GET, &path, &[("Accept-Encoding", "gzip")]).await;
        assert_eq!(service.api.get_unless(&path, detail.header("ETag")).await.status, 304);
        assert!(detail.inflated().data() == created.data());
    }

    /// Returns the first instant of each of this many consecutive months from January 2027.
    fn months(count: usize) -> Vec<String> {
        (0..count).map(|month| format!("{}-{:02}-01T00:00:00Z", 2027 + month / 12, month % 12 + 1)).collect()
    }

    fn at(event: &Value, shows: impl Into<Value>) -> Value {
        let mut event = event.clone();
        event["eventDatetimes"] = shows.into();
        event
    }

    #[tokio::test]
    async fn shows_of_60_months_are_locked() {
        let service = Service::start().await;
        let api = &service.other;
        let event = at(&sample::event(), months(60));
        let id = api.create(&event).await.expect(201, "0").id();
        service.contents().await.check();
        for month in [0, 1, 24, 59] {
            api.create(&at(&event, [&*months(60)[month]])).await.check(409, "E_001");
        }
        // Shares an item with two of them.
        api.create(&at(&event, [&*months(61)[60]])).await.check(201, "0");
        api.delete(&id).await.check(204, "0");
        service.contents().await.check();
        api.create(&event).await.check(201, "0");
    }

    #[tokio::test]
    async fn simultaneous_shows_of_a_month_are_registered() {
        let api = Api::new();
        let event = sample::event();
        let days: Vec<_> = (1..=16).map(|day| at(&event, [format!("2027-05-{day:02}T10:00:00Z")])).collect();
        assert_eq!(statuses(days.iter().map(|event| api.create(event))).await, [201; 16]);
    }

    #[tokio::test]
    async fn full_lock_item_rejects_shows() {
        // The longest attribute of a show: an instant with nine decimals, and an id.
        const SHOW: usize = "2027-06-01T00:00:00.000000001Z".len() + uuid::fmt::Hyphenated::LENGTH;
        let service = Service::start().await;
        let api = &service.other;
        let event = sample::event();
        let id = api.create(&at(&event, ["2027-06-01T00:00:00.000000001Z"])).await.expect(201, "0").id();
        let contents = service.contents().await;
        let lock = contents.of_kind("SHOW").next().unwrap();
        let [partition, sort] = ["pk", "sk"].map(|name| lock[name].as_s().unwrap());
        // The count takes a few bytes, too.
        let others = COUNT.len() + 4;
        let size = |filled: usize| "pk".len() + partition.len() + "sk".len() + sort.len() + others + filled * SHOW;
        assert!(size(MIN_CAPACITY) <= MAX_ITEM && size(MIN_CAPACITY + 10) > MAX_ITEM, "the documented capacity");
        let filler = "x".repeat(MAX_ITEM - size(3) - "filler".len());
        set(&service.stack.dynamodb(), partition, sort, "filler", AttributeValue::S(filler)).await;

        let two = at(&event, ["2027-06-01T00:00:00.000000003Z", "2027-06-01T00:00:00.000000005Z"]);
        let second = api.create(&two).await.expect(201, "0").id();
        // Months that are two years apart share an item.
        assert_snapshot!(api.create(&at(&event, ["2029-06-02T00:00:00Z"])).await, @r#"
        409
        {"message": "같은 제목과 장소로 등록된 회차가 너무 많습니다. 제목이나 장소를 다르게 입력해 주세요.", "code": "E_001"}
        "#);
        api.create(&at(&event, ["2027-07-01T00:00:00Z"])).await.check(201, "0");
        for id in [id, second] {
            api.delete(&id).await.check(204, "0");
        }
        api.create(&two).await.check(201, "0");
    }

    #[tokio::test]
    async fn abandoned_claim_expires() {
        let service = Service::start().await;
        let form = sample::form(&sample::event());
        // The function ends after it claimed the key, and a minute later another one is faster than it.
        let (other, repeated) = (service.other.clone(), form.clone());
        let dynamodb = service.stack.dynamodb();
        let partition = format!("IDEMPOTENCY#{MANAGER}#key");
        let overtake = async move {
            other.create_with_key("key", &repeated).await.check(409, "C_010");
            set(&dynamodb, &partition, "IDEMPOTENCY", "expiresAt", AttributeValue::N("1".to_owned())).await;
            other.create_with_key("key", &repeated).await.check(201, "0");
        };
        let late = service.interrupted(service.api.create_with_key("key", &form), overtake).await;
        assert_snapshot!(late, @r#"
        409
        retry-after: 2
        {"message": "같은 Idempotency-Key를 사용한 요청을 처리하고 있습니다. 잠시 후 다시 시도해 주세요.", "code": "C_010"}
        "#);
        let contents = service.contents().await;
        contents.check();
        assert_eq!((contents.of_kind("EVENT").count(), contents.posters.len()), (1, 1));
        // A transaction that completes the key is in progress, too.
        let conflict = Rule::new("PutItem IDEMPOTENCY", Extent::Tries(1), Fault::Conflict(0));
        service.with_rule(conflict, service.api.create_with_key("key", &form)).await.check(409, "C_010");
        assert_eq!(service.api.create_with_key("key", &form).await.status, 201);
    }

    #[tokio::test]
    async fn faults_register_event_with_poster_or_nothing() {
        let send = async |api: &Api, (key, event): &(Option<String>, Value)| match key {
            Some(key) => api.create_with_key(key, &sample::form(event)).await,
            None => api.create(event).await,
        };
        let new = async |_: &Service| (None, sample::event());
        assert_snapshot!(faults(new, send).await, @r"
                            once  lost  fails          unknown        ends           ends after
        PutItem POSTER      201   201   S_003          S_003          S_003          S_003
        PUT poster          201   201   S_002          S_002 +poster  S_002          S_002 +poster
        TransactWriteItems  201   201   S_003 +poster  S_003 done     S_003 +poster  S_003 done
        ");
        let duplicate = async |service: &Service| {
            let event = sample::event();
            service.other.create(&event).await.check(201, "0");
            (Some(sample::unique()), event)
        };
        assert_snapshot!(faults(duplicate, send).await, @r"
                                once  lost  fails                 unknown               ends                  ends after
        PutItem IDEMPOTENCY     409   409   S_003                 S_003 +claim          S_003                 S_003 +claim
        PutItem POSTER          409   409   S_003                 S_003                 S_003 +claim          S_003 +claim
        PUT poster              409   409   S_002                 S_002 +poster         S_002 +claim          S_002 +claim +poster
        TransactWriteItems      409   409   S_003 +claim +poster  S_003 +claim +poster  S_003 +claim +poster  S_003 +claim +poster
        DELETE poster           409   409   409 +poster           409                   409 +claim +poster    409 +claim
        DeleteItem IDEMPOTENCY  409   409   409 +claim            409                   409 +claim            409
        ");
        let by_key = async |_: &Service| (Some(sample::unique()), sample::event());
        assert_snapshot!(faults(by_key, send).await, @r"
                             once  lost  fails                 unknown        ends                  ends after
        PutItem IDEMPOTENCY  201   201   S_003                 S_003 +claim   S_003                 S_003 +claim
        PutItem POSTER       201   201   S_003                 S_003          S_003 +claim          S_003 +claim
        PUT poster           201   201   S_002                 S_002 +poster  S_002 +claim          S_002 +claim +poster
        TransactWriteItems   201   201   S_003 +claim +poster  S_003 done     S_003 +claim +poster  S_003 done
        ");
        let repeated = async |service: &Service| {
            let (key, event) = (sample::unique(), sample::event());
            service.other.create_with_key(&key, &sample::form(&event)).await.check(201, "0");
            (Some(key), event)
        };
        assert_snapshot!(faults(repeated, send).await, @r"
                             once  lost  fails  unknown  ends   ends after
        PutItem IDEMPOTENCY  201   201   S_003  S_003    S_003  S_003
        PutItem POSTER       201   201   201    201      S_003  S_003
        Query                201   201   S_003  S_003    S_003  S_003
        ");
    }
}
