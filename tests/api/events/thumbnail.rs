//! `PUT /api/v1/events/{eventId}/thumbnail`

use tests::prelude::*;
use tests::{
    form::Form,
    sample::{OTHER_POSTER, POSTER, REQUEST, THUMBNAIL},
};

const MAX_POSTER: usize = 4 * 1024 * 1024;

async fn replace_if_match(api: &Api, id: &str, if_match: &str) -> Response {
    Api::send(api.thumbnail_request(id, OTHER_POSTER).header("If-Match", if_match)).await
}

async fn send(api: &Api, id: &str, content_type: &str, body: Vec<u8>) -> Response {
    let request = api.request(reqwest::Method::PUT, &format!("/api/v1/events/{id}/thumbnail"));
    Api::send(request.header("Content-Type", content_type).body(body)).await
}

#[tokio::test]
async fn poster_is_replaced() {
    let api = Api::new();
    let id = api.created().await;
    let mut expected = api.event(&id).await.data();
    let replaced = api.replace_thumbnail(&id, OTHER_POSTER).await;
    assert_snapshot!(replaced.head(), @r#"
    200
    etag: "summary-1-1"
    "#);
    let thumbnail = replaced.data()["thumbnail"].as_str().unwrap().to_owned();
    assert_eq!(api.poster(&thumbnail).await.body, sample::stored_other_poster());
    // Clients that have seen the old name can still load the old poster.
    assert_eq!(api.poster(expected["thumbnail"].as_str().unwrap()).await.body, POSTER);
    expected["thumbnail"] = thumbnail.into();
    assert_eq!(replaced.data(), expected, "only the poster changed");
    let found = api.event(&id).await;
    assert_eq!((found.data(), found.header("ETag")), (expected.clone(), replaced.header("ETag")));
    // An edit keeps it.
    let edited = api.edit(&id, &json!({"artist": "잔나비"})).await.expect(200, "0").data();
    assert_eq!(edited["thumbnail"], expected["thumbnail"]);
    // The same poster gets another name.
    let again = api.replace_thumbnail(&id, OTHER_POSTER).await.expect(200, "0").data();
    assert_ne!(again["thumbnail"], expected["thumbnail"]);
}

#[tokio::test]
async fn metadata_is_not_published() {
    let api = Api::new();
    let signed = sample::signed_poster();
    let created = api.create_with_form(&sample::form_with(&sample::event(), signed.clone())).await.expect(201, "0");
    let id = created.id();
    let replaced = api.replace_thumbnail(&id, &signed).await.expect(200, "0");
    let times = json!({"eventOpenTime": 1, "ticketingOpenTime": 1, "eventDatetimes": [1]});
    let copied = api.copy(&id, &times).await.expect(201, "0");
    for event in [created, replaced, copied] {
        assert!(api.poster(event.data()["thumbnail"].as_str().unwrap()).await.body == POSTER);
    }
}

#[tokio::test]
async fn invalid_replacement_changes_nothing() {
    let api = Api::new();
    let id = api.created().await;
    let before = api.event(&id).await.data();
    let posters = [("drawing", b"<svg/>".to_vec()), ("empty", vec![]), ("too large", vec![0; MAX_POSTER + 1])];
    let requests = posters.iter().map(|(name, poster)| (name, api.replace_thumbnail(&id, poster)));
    assert_snapshot!(summaries(requests).await, @r"
    drawing: 400 C_007 포스터는 JPEG, PNG, GIF, WebP 이미지여야 합니다.
    empty: 400 C_007 포스터 파일이 비어 있습니다.
    too large: 413 C_005 포스터는 4,194,304바이트를 넘을 수 없습니다.
    ");
    let no_poster = Form::new().part(REQUEST, "{}");
    let two = sample::thumbnail_form(POSTER).part(THUMBNAIL, POSTER);
    let bodies = [
        ("image/jpeg".to_owned(), OTHER_POSTER.to_vec()),
        ("multipart/form-data".to_owned(), OTHER_POSTER.to_vec()),
        (no_poster.content_type(), no_poster.body()),
        (two.content_type(), two.body()),
    ];
    let requests = bodies.into_iter().map(|(media_type, body)| {
        let (api, id) = (&api, &id);
        (body.len(), async move { send(api, id, &media_type, body).await })
    });
    assert_snapshot!(summaries(requests).await, @r"
    8013: 415 C_004 Content-Type은 multipart/form-data만 지원합니다.
    8013: 400 C_006 multipart 요청에 올바른 boundary가 없습니다. 특수 문자가 있는 boundary 값은 큰따옴표로 묶어 주세요.
    170: 400 C_006 multipart에 thumbnail 파트가 없습니다.
    1095: 400 C_006 multipart에 thumbnail 파트가 두 개 이상 있습니다.
    ");
    assert_eq!(api.event(&id).await.data(), before);

    let mut largest = POSTER.to_vec();
    largest.resize(MAX_POSTER, 0);
    // Other parts are ignored.
    let form = Form::new().part(REQUEST, "{\"title\": \"다른 제목\"}").part(THUMBNAIL, largest.clone());
    let replaced = send(&api, &id, &form.content_type(), form.body()).await.expect(200, "0").data();
    assert_eq!(replaced["title"], before["title"]);
    assert!(api.poster(replaced["thumbnail"].as_str().unwrap()).await.body == largest);
}

#[tokio::test]
async fn unknown_event_is_not_found() {
    let api = Api::new();
    for id in [&*api.deleted().await, sample::UNKNOWN_EVENT, "x"] {
        replace_if_match(&api, id, "\"x\"").await.check(404, "E_002");
        // The poster is checked first.
        api.replace_thumbnail(id, b"x").await.check(400, "C_007");
    }
}

#[tokio::test]
async fn if_match_guards_a_replacement() {
    let api = Api::new();
    let id = api.created().await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let tags = ["\"x\"", &tag, &tag, "*"].map(str::to_owned);
    let requests = tags.iter().map(|tag| (tag, replace_if_match(&api, &id, tag)));
    assert_snapshot!(summaries(requests).await, @r#"
    "x": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    "summary-1-0": 200
    "summary-1-0": 412 E_003 공연 정보가 그사이 변경되었습니다. 다시 조회한 뒤 수정해 주세요.
    *: 200
    "#);
}

#[tokio::test]
async fn one_of_simultaneous_replacements_succeeds() {
    let api = Api::new();
    let id = api.created().await;
    let tag = api.event(&id).await.header("ETag").to_owned();
    let replacements = (0..6).map(|_| replace_if_match(&api, &id, &tag));
    assert_eq!(statuses(replacements).await, [200, 412, 412, 412, 412, 412]);
    let current = api.event(&id).await.data();
    assert_eq!(api.poster(current["thumbnail"].as_str().unwrap()).await.body, sample::stored_other_poster());
}

mod in_process {
    use super::*;

    #[tokio::test]
    async fn old_poster_expires_in_a_day() {
        let service = Service::start().await;
        let id = service.other.create(&sample::concert()).await.id();
        assert_snapshot!(service.effect(service.api.replace_thumbnail(&id, OTHER_POSTER)).await, @r#"
        200
        GetItem EVENT, PutItem POSTER, PUT poster, GetItem EVENT, TransactWriteItems: 2 read, 13 write units
        + poster [id1]-[id2].jpg
        ~ EVENT#[id1] EVENT {"thumbnail": "[id1]-[id2].jpg", "version": 1}
        + POSTER#[id1].png POSTER {"expiresAt": "[in 1 days]"}
        "#);
        let unknown = service.api.replace_thumbnail(sample::UNKNOWN_EVENT, OTHER_POSTER);
        assert_snapshot!(service.effect(unknown).await, @r"
        404 E_002 해당 공연을 찾을 수 없습니다.
        GetItem EVENT: 1 read, 0 write units
        ");
        assert_snapshot!(service.effect(service.api.replace_thumbnail(&id, b"x")).await.usage, @"no calls: 0 read, 0 write units");
    }

    #[tokio::test]
    async fn deletion_stops_replacement() {
        let service = Service::start().await;
        let id = service.other.created().await;
        let delete = async { service.other.delete(&id).await.check(204, "0") };
        service.interrupted(service.api.replace_thumbnail(&id, OTHER_POSTER), delete).await.check(404, "E_002");
        service.check_permissions("events-thumbnail");
        // The new poster is removed at once.
        let contents = service.contents().await;
        contents.check();
        assert_eq!(contents.posters.into_iter().collect::<Vec<_>>(), [format!("{id}.png")]);
    }

    #[tokio::test]
    async fn faults_leave_old_or_new_poster() {
        let replace = async |api: &Api, id: &String| api.replace_thumbnail(id, OTHER_POSTER).await;
        assert_snapshot!(faults(async |service| service.other.created().await, replace).await, @r"
                            once  lost  fails          unknown        ends           ends after
        GetItem EVENT       200   200   S_003          S_003          S_003          S_003
        PutItem POSTER      200   200   S_003          S_003          S_003          S_003
        PUT poster          200   200   S_002          S_002 +poster  S_002          S_002 +poster
        GetItem EVENT       200   200   S_003 +poster  S_003 +poster  S_003 +poster  S_003 +poster
        TransactWriteItems  200   200   S_003 +poster  S_003 done     S_003 +poster  S_003 done
        ");
    }
}
