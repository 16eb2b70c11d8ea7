//! Changes of events and of their shows.

use domain::{event_change::DELETED_EVENT_RETENTION, instant::Instant};
use std::time::{Duration, SystemTime};
use tests::{Changes, prelude::*, sample::OTHER_POSTER};

const NOTHING: [&str; 0] = [];

/// Returns the times of a copy.
fn times() -> Value {
    json!({"eventOpenTime": 0, "ticketingOpenTime": 0, "eventDatetimes": [4_102_444_800_u64]})
}

#[tokio::test]
async fn registration_is_told_as_cloud_event() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    let told = changes.told().await;
    let [change] = &told[..] else { panic!("{told:?}") };
    let sequence = change["sequence"].as_str().unwrap();
    assert!(sequence.len() == 40 && sequence.bytes().all(|byte| byte.is_ascii_digit()), "{sequence}");
    let time = Instant::from_text(change["time"].as_str().unwrap()).unwrap();
    assert!(time.since_epoch().as_secs().abs_diff(now()) <= 60, "{time}");
    let mut change = change.clone();
    for field in ["id", "sequence", "time"] {
        assert!(change.as_object_mut().unwrap().remove(field).is_some_and(|value| value.is_string()), "{field}");
    }
    assert_eq!(
        change,
        json!({
            "specversion": "1.0",
            "source": "/local",
            "type": "event.published",
            "subject": format!("events/{event}"),
            "datacontenttype": "application/json",
            "data": {"eventId": event, "managerId": MANAGER},
        })
    );
}

#[tokio::test]
async fn each_step_publishes_its_change() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    assert_eq!(changes.types().await, ["event.published"]);
    changes.api.edit(&event, &json!({"artist": "다른 가수"})).await.check(200, "0");
    changes.api.replace_thumbnail(&event, OTHER_POSTER).await.check(200, "0");
    assert_eq!(changes.types().await, ["event.changed", "event.changed"]);
    changes.api.edit(&event, &json!({"published": false, "artist": "새 가수"})).await.check(200, "0");
    assert_eq!(changes.types().await, ["event.hidden"]);
    changes.api.edit(&event, &json!({"published": true, "artist": "또 새 가수"})).await.check(200, "0");
    changes.api.delete(&event).await.check(204, "0");
    changes.api.restore(&event).await.check(200, "0");
    assert_eq!(changes.types().await, ["event.published", "event.deleted", "event.published"]);
    changes.api.copy(&event, &times()).await.check(201, "0");
    assert_eq!(changes.types().await, ["event.published"]);
}

#[tokio::test]
async fn edit_publishes_each_show() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    let shows = changes.api.event(&event).await.data()["eventDatetimes"].clone();
    changes.types().await;
    let second = shows[1]["id"].as_str().unwrap();
    let postponed = json!({"status": "POSTPONED", "notice": "태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다."});
    changes.api.edit_show(&event, second, &postponed).await.check(200, "0");
    assert_snapshot!(changes.lines().await, @r#"show.changed events/[id1]/dates/[id2] {"datetime":"2025-04-27T05:00:00Z","eventId":"[id1]","notice":"태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.","showId":"[id2]","status":"POSTPONED"}"#);
    let edit = json!({"artist": "다른 가수", "eventDatetimes": ["2100-01-01T00:00:00.5Z", shows[1]["datetime"]]});
    changes.api.edit(&event, &edit).await.check(200, "0");
    assert_snapshot!(changes.lines().await, @r#"
    event.changed events/[id1] {"eventId":"[id1]","managerId":"[id2]"}
    show.removed events/[id1]/dates/[id3] {"datetime":"2025-04-26T05:00:00Z","eventId":"[id1]","showId":"[id3]"}
    show.added events/[id1]/dates/[id4] {"datetime":"2100-01-01T00:00:00.500Z","eventId":"[id1]","showId":"[id4]"}
    "#);
    changes.api.cancel(&event, &json!({})).await.check(200, "0");
    assert_snapshot!(changes.lines().await, @r#"
    show.changed events/[id1]/dates/[id2] {"datetime":"2100-01-01T00:00:00.500Z","eventId":"[id1]","showId":"[id2]","status":"CANCELLED"}
    show.changed events/[id1]/dates/[id3] {"datetime":"2025-04-27T05:00:00Z","eventId":"[id1]","notice":"태풍으로 연기합니다.\n새 일시는 곧 알려 드립니다.","showId":"[id3]","status":"CANCELLED"}
    "#);
}

#[tokio::test]
async fn changes_of_a_record_have_ids_of_their_own() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    let times: Vec<_> = (0..60).map(|hour| json!(4_102_444_800_u64 + 3_600 * hour)).collect();
    changes.api.edit(&event, &json!({"eventDatetimes": times})).await.check(200, "0");
    let told = changes.told().await;
    let ids: std::collections::HashSet<_> = told.iter().map(|change| change["id"].as_str().unwrap()).collect();
    assert_eq!((told.len(), ids.len()), (1 + 2 + 60, 1 + 2 + 60));
    let sequences: Vec<_> = told.iter().map(|change| change["sequence"].as_str().unwrap()).collect();
    assert!(sequences.is_sorted() && sequences[0] < sequences[1], "{sequences:?}");
}

#[tokio::test]
async fn drafts_are_not_told() {
    let mut changes = Changes::start().await;
    let draft = changes.api.create(&sample::event_with(json!({"published": false}))).await.expect(201, "0").id();
    changes.api.edit(&draft, &json!({"artist": "다른 가수", "eventDatetimes": [0]})).await.check(200, "0");
    changes.api.replace_thumbnail(&draft, OTHER_POSTER).await.check(200, "0");
    changes.api.cancel(&draft, &json!({})).await.check(200, "0");
    changes.api.copy(&draft, &sample::with(times(), json!({"published": false}))).await.check(201, "0");
    changes.api.delete(&draft).await.check(204, "0");
    changes.api.restore(&draft).await.check(200, "0");
    assert_eq!(changes.types().await, NOTHING);
}

#[tokio::test]
async fn edit_without_effect_is_not_told() {
    let mut changes = Changes::start().await;
    let event = changes.api.created().await;
    assert_eq!(changes.types().await, ["event.published"]);
    let show = changes.api.event(&event).await.show();
    changes.api.edit(&event, &json!({"artist": sample::event()["artist"]})).await.check(200, "0");
    changes.api.edit_show(&event, &show, &json!({"status": "SCHEDULED"})).await.check(200, "0");
    changes.api.edit(&event, &json!({"artist": ""})).await.check(400, "C_001");
    changes.api.by(OTHER_MANAGER).delete(sample::UNKNOWN_EVENT).await.check(404, "E_002");
    assert_eq!(changes.types().await, NOTHING);
}

#[tokio::test]
async fn expiry_publishes_nothing() {
    let mut changes = Changes::start().await;
    let sale = Sale::open(&changes.api).await;
    changes.api.delete(&sale.event).await.check(204, "0");
    assert_eq!(changes.types().await, ["event.published", "event.deleted"]);
    let late = SystemTime::now() + DELETED_EVENT_RETENTION + Duration::from_mins(10);
    assert!(changes.stack.sweep(late).await.unwrap() > 0);
    assert_eq!(changes.types().await, NOTHING);
}
