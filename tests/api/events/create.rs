//! `POST /api/v1/events`

use tests::prelude::*;
use tests::sample::POSTER;

pub const MAX_POSTER: usize = 4 * 1024 * 1024;

pub fn event_with(pointer: &str, value: impl Into<Value>) -> Value {
    let mut event = sample::event();
    *event.pointer_mut(pointer).unwrap_or_else(|| panic!("{pointer}")) = value.into();
    event
}

/// Returns the text of the sample event with this JSON, which need not be valid, at a pointer.
pub fn text_with(pointer: &str, json: &str) -> String {
    event_with(pointer, "REPLACED").to_string().replace("\"REPLACED\"", json)
}

pub async fn send(media_type: &str, body: Vec<u8>) -> Response {
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
    let fields = json!({"genre": "가".repeat(30), "ageRating": 0, "runningMinutes": 1440, "address": "서울특별시 송파구",
            "ticketingCloseMinutes": 525_600, "maxSeats": 1});
    let id = api.create(&sample::event_with(fields.clone())).await.expect(201, "0").id();
    let found = api.event(&id).await.data();
    assert!(fields.as_object().unwrap().iter().all(|(name, value)| found[name] == *value), "{found}");
}

#[tokio::test]
async fn first_fault_is_returned() {
    let api = Api::new();
    let form = sample::form(&sample::event());
    let managers = [None, Some("manager")].map(|manager| {
        let request = api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        let request = manager.into_iter().fold(request, |request, manager| request.header("x-api-managerId", manager));
        (format!("{manager:?}"), Api::send(request.body(form.body())))
    });
    assert_snapshot!(summaries(managers).await, @r#"
    None: 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
    Some("manager"): 401 AM_001 x-api-managerId 헤더에 관리자 ID를 입력해 주세요.
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

mod in_process {
    use super::*;

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
