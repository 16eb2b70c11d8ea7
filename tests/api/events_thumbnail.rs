//! `PUT /api/v1/events/{eventId}/thumbnail`

use futures_util::future::join_all;
use serde_json::Value;
use tests::{Api, Response, form::Form, sample};

/// Registers an event, and returns its id and its summary.
async fn registered(api: &Api) -> (String, Value) {
    let id = api.create(&sample::event()).await.expect(201, "0").data()["id"].as_str().unwrap().to_owned();
    let summary = api.event(&id).await.data();
    (id, summary)
}

fn thumbnail(event: &Value) -> &str {
    event["thumbnail"].as_str().unwrap()
}

async fn replace_if_match(api: &Api, id: &str, if_match: &str) -> Response {
    let form = sample::thumbnail_form(sample::OTHER_POSTER);
    let request = api.thumbnail_request(id).header("If-Match", if_match).header("Content-Type", form.content_type());
    Api::send(request.body(form.body())).await
}

#[tokio::test]
async fn poster_is_replaced() {
    let api = Api::new();
    let (id, before) = registered(&api).await;
    let replaced = api.replace_thumbnail(&id, sample::OTHER_POSTER).await.expect(200, "0");
    let after = replaced.data();
    let poster_id = thumbnail(&after).strip_prefix(&format!("{id}-")).and_then(|rest| rest.strip_suffix(".jpg"));
    assert!(poster_id.is_some_and(|id| uuid::Uuid::try_parse(id).is_ok()));
    assert_eq!(api.poster(thumbnail(&after)).await.body, sample::OTHER_POSTER);
    // Clients that have seen the old name can still load the old poster.
    assert_eq!(api.poster(thumbnail(&before)).await.body, sample::POSTER);

    let found = api.event(&id).await;
    assert_eq!(found.data(), after);
    assert_eq!(found.header("ETag"), replaced.header("ETag"));
    let mut expected = before.clone();
    expected["thumbnail"] = after["thumbnail"].clone();
    assert_eq!(after, expected, "only the poster changed");
    let detail = api.get(&format!("/api/v1/events/{id}/detail")).await.data();
    assert_eq!(detail["thumbnail"], after["thumbnail"]);
}

#[tokio::test]
async fn same_poster_gets_new_name() {
    let api = Api::new();
    let (id, before) = registered(&api).await;
    let first = api.replace_thumbnail(&id, sample::POSTER).await.expect(200, "0").data();
    let second = api.replace_thumbnail(&id, sample::POSTER).await.expect(200, "0").data();
    assert_ne!(thumbnail(&first), thumbnail(&before));
    assert_ne!(thumbnail(&first), thumbnail(&second));
}

#[tokio::test]
async fn edit_keeps_replaced_poster() {
    let api = Api::new();
    let (id, _) = registered(&api).await;
    let replaced = api.replace_thumbnail(&id, sample::OTHER_POSTER).await.expect(200, "0").data();
    let edited = api.edit(&id, &serde_json::json!({"artist": "잔나비"})).await.expect(200, "0").data();
    assert_eq!(thumbnail(&edited), thumbnail(&replaced));
    assert_eq!(edited["eventDatetimes"], replaced["eventDatetimes"]);
}

#[tokio::test]
async fn extra_parts_are_ignored() {
    let api = Api::new();
    let (id, before) = registered(&api).await;
    let form =
        Form::new().part(sample::REQUEST, "{\"title\": \"다른 제목\"}").part(sample::THUMBNAIL, sample::OTHER_POSTER);
    let request = api.thumbnail_request(&id).header("Content-Type", form.content_type()).body(form.body());
    assert_eq!(Api::send(request).await.expect(200, "0").data()["title"], before["title"]);
}

#[tokio::test]
async fn invalid_replacement_changes_nothing() {
    let api = Api::new();
    let (id, before) = registered(&api).await;
    api.replace_thumbnail(&id, b"<svg/>").await.expect(400, "C_007");
    api.replace_thumbnail(&id, b"").await.expect(400, "C_007");
    let mut large = sample::POSTER.to_vec();
    large.resize(4 * 1024 * 1024 + 1, 0);
    api.replace_thumbnail(&id, &large).await.expect(413, "C_005");
    let send = |content_type: &str, body: Vec<u8>| {
        Api::send(api.thumbnail_request(&id).header("Content-Type", content_type).body(body))
    };
    send("image/jpeg", sample::OTHER_POSTER.to_vec()).await.expect(415, "C_004");
    send("multipart/form-data", sample::OTHER_POSTER.to_vec()).await.expect(400, "C_006");
    let without = Form::new().part(sample::REQUEST, "{}");
    send(&without.content_type(), without.body()).await.expect(400, "C_006");
    let twice = sample::thumbnail_form(sample::POSTER).part(sample::THUMBNAIL, sample::POSTER);
    send(&twice.content_type(), twice.body()).await.expect(400, "C_006");
    assert_eq!(api.event(&id).await.data(), before);
}

#[tokio::test]
async fn largest_poster_is_accepted() {
    let api = Api::new();
    let (id, _) = registered(&api).await;
    let mut poster = sample::POSTER.to_vec();
    poster.resize(4 * 1024 * 1024, 0);
    let replaced = api.replace_thumbnail(&id, &poster).await.expect(200, "0").data();
    assert_eq!(api.poster(thumbnail(&replaced)).await.body, poster);
}

#[tokio::test]
async fn unknown_event_follows_the_poster() {
    let api = Api::new();
    let (deleted, _) = registered(&api).await;
    assert_eq!(api.delete(&deleted).await.status, 204);
    for id in [&deleted, "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11", "x"] {
        api.replace_thumbnail(id, sample::OTHER_POSTER).await.expect(404, "E_002");
        replace_if_match(&api, id, "\"x\"").await.expect(404, "E_002");
        api.replace_thumbnail(id, b"x").await.expect(400, "C_007");
    }
}

#[tokio::test]
async fn if_match_guards_a_replacement() {
    let api = Api::new();
    let (id, _) = registered(&api).await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    for other in ["\"x\"", &format!("W/{tag}")] {
        replace_if_match(&api, &id, other).await.expect(412, "E_003");
    }
    for invalid in ["", "x", "*, \"x\""] {
        let rejected = replace_if_match(&api, &id, invalid).await.expect(400, "C_003");
        assert_eq!(rejected.errors()[0][0], "if-match");
    }
    assert_eq!(api.event(&id).await.header("ETag"), tag);
    let replaced = replace_if_match(&api, &id, &tag).await.expect(200, "0");
    assert_ne!(replaced.header("ETag"), tag);
    replace_if_match(&api, &id, &tag).await.expect(412, "E_003");
    replace_if_match(&api, &id, "*").await.expect(200, "0");
}

#[tokio::test]
async fn one_of_simultaneous_replacements_of_a_tag_succeeds() {
    let api = Api::new();
    let (id, _) = registered(&api).await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let responses = join_all((0..6).map(|_| replace_if_match(&api, &id, &tag))).await;
    let count = |status| responses.iter().filter(|response| response.status == status).count();
    assert_eq!((count(200), count(412)), (1, 5));
    let current = api.event(&id).await.data();
    assert_eq!(api.poster(thumbnail(&current)).await.body, sample::OTHER_POSTER);
}
