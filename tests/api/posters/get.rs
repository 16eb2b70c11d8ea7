//! `GET /upload/{thumbnail}`, which `CloudFront` serves from the bucket.

use tests::prelude::*;
use tests::sample::POSTER;

/// Registers an event and returns the name of its poster.
async fn created(api: &Api) -> String {
    format!("{}.png", api.created().await)
}

#[tokio::test]
async fn unknown_poster_is_not_found() {
    let files = ["none.png", "..%2F..%2Flock", "%2e%2e%2fcursor-key", ".hidden"];
    assert_snapshot!(summaries(files.map(|file| (file, async move { Api::new().poster(file).await }))).await, @r"
    none.png: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
    ..%2F..%2Flock: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
    %2e%2e%2fcursor-key: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
    .hidden: 404 C_008 요청한 주소 또는 메서드를 찾을 수 없습니다.
    ");
}

#[tokio::test]
async fn known_poster_is_not_sent_again() {
    let api = Api::new();
    let thumbnail = created(&api).await;
    let poster = api.poster(&thumbnail).await;
    let [etag, last_modified] = ["ETag", "Last-Modified"].map(|name| poster.header(name));
    let other = "\"0\"";
    for (headers, status) in [
        (vec![("If-None-Match", etag)], 304),
        (vec![("If-None-Match", "*")], 304),
        (vec![("If-None-Match", other)], 200),
        (vec![("If-Modified-Since", last_modified)], 304),
        (vec![("If-Modified-Since", "Thu, 01 Jan 1970 00:00:00 GMT")], 200),
        (vec![("If-None-Match", other), ("If-Modified-Since", last_modified)], 200),
        (vec![("If-None-Match", etag), ("Range", "bytes=0-1")], 304),
    ] {
        let request = api.poster_request(&thumbnail).header("Origin", "https://page.example");
        let response =
            Api::send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await;
        assert_eq!(response.status, status, "{headers:?}");
        assert_eq!(response.body, if status == 304 { &[] } else { POSTER }, "{headers:?}");
        assert_eq!(response.header("ETag"), etag, "{headers:?}");
        assert!(response.header("Cache-Control").contains("immutable"), "{headers:?}");
        assert!(response.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{response}");
    }
}

#[tokio::test]
async fn part_of_poster_is_sent() {
    let api = Api::new();
    let thumbnail = created(&api).await;
    let ask = async |range: &str| Api::send(api.poster_request(&thumbnail).header("Range", range)).await;
    let length = POSTER.len();
    for (range, start, end) in [
        ("bytes=0-0".to_owned(), 0, 1),
        ("bytes=3-".to_owned(), 3, length),
        ("bytes=-2".to_owned(), length - 2, length),
        (format!("bytes=-{}", length + 1), 0, length),
        (format!("bytes=1-{length}"), 1, length),
    ] {
        let part = ask(&range).await;
        assert_eq!((part.status, part.body.as_slice()), (206, &POSTER[start..end]), "{range}");
        assert_eq!(part.header("Content-Range"), format!("bytes {start}-{}/{length}", end - 1), "{range}");
    }
    for range in [format!("bytes={length}-"), "bytes=-0".to_owned()] {
        let unsatisfiable = ask(&range).await;
        assert_eq!((unsatisfiable.status, unsatisfiable.header("Content-Range")), (416, &*format!("bytes */{length}")));
    }
    for ignored in ["bytes=4-2", "bytes=a", "lines=0-1"] {
        let whole = ask(ignored).await;
        assert_eq!((whole.status, whole.body.as_slice()), (200, POSTER), "{ignored}");
    }
}

#[tokio::test]
async fn part_of_changed_poster_is_whole() {
    let api = Api::new();
    let thumbnail = created(&api).await;
    let etag = api.poster(&thumbnail).await.header("ETag").to_owned();
    for (condition, status) in [(etag.as_str(), 206), ("\"0\"", 200)] {
        let request = api.poster_request(&thumbnail).header("Range", "bytes=0-1").header("If-Range", condition);
        assert_eq!(Api::send(request).await.status, status, "{condition}");
    }
}
