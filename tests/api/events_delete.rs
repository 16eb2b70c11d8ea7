//! `DELETE /api/v1/events/{eventId}`

use futures_util::future::join_all;
use tests::{Api, sample};

#[tokio::test]
async fn deleted_event_is_not_found() {
    let api = Api::new();
    let id = api.create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let deleted = api.delete(&id).await;
    assert_eq!((deleted.status, deleted.body.len()), (204, 0));
    api.event(&id).await.expect(404, "E_002");
    assert!(!api.get("/api/v1/events").await.text().contains(&id));
    api.delete(&id).await.expect(404, "E_002");
}

#[tokio::test]
async fn deleted_event_can_be_recreated() {
    let api = Api::new();
    let event = sample::event();
    let id = api.create(&event).await.data()["id"].as_str().unwrap().to_owned();
    api.create(&event).await.expect(409, "E_001");
    assert_eq!(api.delete(&id).await.status, 204);
    let again = api.create(&event).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
    assert_ne!(again, id);
}

#[tokio::test]
async fn one_of_simultaneous_deletes_succeeds() {
    let api = Api::new();
    let id = api.create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    let responses = join_all((0..8).map(|_| api.delete(&id))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(204), count(404)), (1, 7));
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    for id in ["0196a1b2-0000-7000-8000-00000000abcd", "x", "%ff"] {
        api.delete(id).await.expect(404, "E_002");
    }
}
