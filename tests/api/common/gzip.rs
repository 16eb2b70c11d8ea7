//! Compressed parts of a registration, and compressed responses of large halls.

use tests::prelude::*;
use tests::{
    form::Form,
    sample::{GZIP_REQUEST, POSTER, THUMBNAIL},
};

/// Size above which a response is compressed.
const MAX_UNCOMPRESSED: usize = 1_048_576;

/// Returns the paths of a registered event whose responses may be compressed.
fn paths(created: &Response) -> [String; 3] {
    let event = format!("/api/v1/events/{}", created.id());
    [format!("{event}/detail"), format!("{event}/seat-map.svg"), Sale::of(created).path("seat-reservation/detail")]
}

async fn get(api: &Api, path: &str, headers: &[(&str, &str)]) -> Response {
    api.send_with(Method::GET, path, headers).await
}

/// Sends a registration whose part `request` has these bytes, declared as gzip.
async fn create_from(part: Vec<u8>) -> Response {
    Api::new().create_with_form(&Form::new().part(GZIP_REQUEST, part).part(THUMBNAIL, POSTER)).await
}

/// Damaged members are in `hostile/gzip.rs`.
#[tokio::test]
async fn compressed_part_is_read() {
    let json = sample::event().to_string();
    let padded = |size: usize| sample::gzip(format!("{json}{}", " ".repeat(size - json.len())).as_bytes());
    let parts = [
        ("24 MiB", padded(24 * 1024 * 1024)),
        ("over 24 MiB", padded(24 * 1024 * 1024 + 1)),
        ("not compressed", json.clone().into_bytes()),
    ];
    assert_snapshot!(summaries(parts.map(|(name, part)| (name, create_from(part)))).await, @r"
    24 MiB: 201
    over 24 MiB: 413 C_005 request 파트는 압축을 푼 크기가 25,165,824바이트를 넘을 수 없습니다.
    not compressed: 400 C_002 gzip 압축을 풀 수 없습니다. 손상되지 않은 gzip 데이터를 하나만 보내 주세요.
    ");
    let undeclared = Form::new().part(sample::REQUEST, sample::gzip(json.as_bytes())).part(THUMBNAIL, POSTER);
    Api::new().create_with_form(&undeclared).await.check(400, "C_002");
}

#[tokio::test]
async fn responses_vary_by_accept_encoding() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0");
    let (id, paths) = (created.id(), paths(&created));
    let mut responses = vec![created, api.create(&json!({})).await];
    for path in paths {
        let etag = api.get(&path).await.header("ETag").to_owned();
        responses.push(api.get(&path).await);
        responses.push(api.get_unless(&path, &etag).await);
        responses.push(api.get(&path.replace(&id, "none")).await);
    }
    assert!(responses.iter().all(|response| response.varied()[3..] == ["Accept-Encoding"]));
    for response in [api.event(&id).await, api.get("/api/v1/events").await] {
        assert_eq!(response.varied().len(), 3);
    }
}

#[tokio::test]
async fn only_over_1_mib_is_compressed() {
    let api = Api::new();
    let create = async |padding: usize| {
        let event = sample::event_with(json!({"totalMap": format!("<g>{}</g>", " ".repeat(padding))}));
        let id = api.create(&event).await.expect(201, "0").id();
        format!("/api/v1/events/{id}/detail")
    };
    let smallest = api.get(&create(0).await).await.body.len();
    for (size, is_compressed) in [(MAX_UNCOMPRESSED, false), (MAX_UNCOMPRESSED + 1, true)] {
        let path = create(size - smallest).await;
        let [plain, negotiated] = [get(&api, &path, &[]).await, get(&api, &path, &[("Accept-Encoding", "gzip")]).await];
        assert_eq!(plain.body.len(), size);
        assert_eq!(negotiated.headers.contains_key("Content-Encoding"), is_compressed);
        assert_eq!(negotiated.header("ETag") != plain.header("ETag"), is_compressed);
        let negotiated = if is_compressed { negotiated.inflated() } else { negotiated };
        assert!(negotiated.body == plain.body);
    }
}

#[tokio::test]
async fn only_accepted_gzip_is_sent() {
    let api = Api::new();
    let mut event = sample::event();
    let seat = |index: usize| json!({"cx": index % 100, "cy": index / 100, "row": index / 100, "number": index % 100});
    event["areas"][0]["seats"] = (0..15_000).map(seat).collect::<Vec<Value>>().into();
    for path in paths(&api.create(&event).await) {
        let plain = get(&api, &path, &[("Accept", "text/html,application/xhtml+xml")]).await;
        for (encoding, is_compressed) in
            [("gzip, deflate, br, zstd", true), ("br, *;q=0.1", true), ("gzip;q=0, *", false)]
        {
            // Accepted media types do not matter.
            let headers = [("Accept-Encoding", encoding), ("Accept", "application/json")];
            let response = get(&api, &path, &headers).await;
            assert_eq!(response.headers.contains_key("Content-Encoding"), is_compressed, "{path}: {encoding}");
            let response = if is_compressed { response.inflated() } else { response };
            assert!(response.body == plain.body, "{path}: {encoding}");
        }
        // Either tag matches.
        let gzip = ("Accept-Encoding", "gzip");
        let tags = [plain, get(&api, &path, &[gzip]).await].map(|response| response.header("ETag").to_owned());
        assert_ne!(tags[0], tags[1]);
        for tag in &tags {
            for headers in [&[("If-None-Match", &**tag)][..], &[("If-None-Match", tag), gzip]] {
                let response = get(&api, &path, headers).await;
                assert_eq!((response.status, response.header("ETag")), (304, &**tag), "{path}");
                assert!(!response.headers.contains_key("Content-Encoding"));
            }
        }
    }
}
