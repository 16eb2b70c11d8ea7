//! Compressed parts of a registration, and compressed responses of large halls.

use reqwest::Method;
use serde_json::{Value, json};
use tests::{Api, Response, form::Form, sample};

/// Size above which a response is compressed.
const MAX_UNCOMPRESSED: usize = 1_048_576;

const PATHS: [&str; 2] = ["detail", "seat-map.svg"];

fn path(created: &Value, name: &str) -> String {
    format!("/api/v1/events/{}/{name}", created["id"].as_str().unwrap())
}

async fn get(api: &Api, path: &str, headers: &[(&str, &str)]) -> Response {
    let request = api.request(Method::GET, path);
    Api::send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

/// Sends a registration whose part `request` has these bytes, declared as gzip.
async fn create_from(api: &Api, part: Vec<u8>) -> Response {
    api.create_with_form(&Form::new().part(sample::GZIP_REQUEST, part).part(sample::THUMBNAIL, sample::POSTER)).await
}

/// Builds a hall of this many seats with the shortest requests: rows of 1,000 seats in four areas.
fn with_seats(mut event: Value, seats: usize) -> Value {
    let seat =
        |index: usize| json!({"cx": index % 1_000, "cy": index / 1_000, "row": index / 1_000, "number": index % 1_000});
    let area = |label: usize, from: usize, to: usize| {
        let seats: Vec<_> = (from..to).map(seat).collect();
        json!({"label": format!("{label}층"), "price": 99_000, "areaMap": "<g/>", "seats": seats})
    };
    let quarter = seats.div_ceil(4);
    event["areas"] = (0..4).map(|n| area(n, n * quarter, seats.min((n + 1) * quarter))).collect();
    event
}

#[tokio::test]
async fn compressed_part_is_read() {
    let api = Api::new();
    let event = sample::event();
    let created = api.create_with_form(&sample::gzip_form(&event)).await.expect(201, "0").data();
    assert_eq!(created["title"], event["title"]);
    assert_eq!(created["totalMap"], event["totalMap"]);
    let detail = api.get(&path(&created, "detail")).await.expect(200, "0");
    assert_eq!(detail.data(), created);
}

#[tokio::test]
async fn part_inflates_to_24_mib() {
    const MAX_INFLATED: usize = 24 * 1024 * 1024;
    let api = Api::new();
    let mut request = sample::event().to_string();
    let padding = MAX_INFLATED - request.len();
    request.push_str(&" ".repeat(padding));
    let rejected = create_from(&api, sample::gzip(format!("{request} ").as_bytes())).await.expect(413, "C_005");
    assert!(rejected.text().contains("25,165,824"), "{}", rejected.text());
    create_from(&api, sample::gzip(request.as_bytes())).await.expect(201, "0");
}

#[tokio::test]
async fn damaged_part_is_not_json() {
    let api = Api::new();
    let json = sample::event().to_string();
    let whole = sample::gzip(json.as_bytes());
    let changed = |from_end: usize| {
        let mut changed = whole.clone();
        let at = whole.len() - from_end;
        changed[at] ^= 1;
        changed
    };
    let truncated = |bytes: usize| whole[..whole.len() - bytes].to_vec();
    for (fault, part) in [
        ("not compressed", json.clone().into_bytes()),
        ("empty", Vec::new()),
        ("wrong size", changed(1)),
        ("wrong checksum", changed(8)),
        ("truncated size", truncated(1)),
        ("truncated content", truncated(9)),
        ("trailing byte", [&whole[..], b"\0"].concat()),
        ("two members", whole.repeat(2)),
        ("empty second member", [whole.clone(), sample::gzip(b"")].concat()),
        ("compressed twice", sample::gzip(&whole)),
        ("not an object", sample::gzip(b"[]")),
    ] {
        let response = create_from(&api, part).await;
        assert_eq!((response.status, &*response.code()), (400, "C_002"), "{fault}");
    }
    let undeclared = Form::new().part(sample::REQUEST, whole).part(sample::THUMBNAIL, sample::POSTER);
    api.create_with_form(&undeclared).await.expect(400, "C_002");
    api.create(&serde_json::from_str(&json).unwrap()).await.expect(201, "0");
}

#[tokio::test]
async fn responses_vary_by_accept_encoding() {
    let api = Api::new();
    let response = api.create(&sample::event()).await.expect(201, "0");
    let created = response.data();
    let mut responses = vec![response, api.create(&json!({})).await.expect(400, "C_001")];
    for name in PATHS {
        let path = path(&created, name);
        let etag = api.get(&path).await.header("ETag").to_owned();
        responses.push(get(&api, &path, &[]).await);
        responses.push(get(&api, &path, &[("If-None-Match", &etag)]).await);
        responses.push(get(&api, &format!("/api/v1/events/none/{name}"), &[]).await);
    }
    for response in responses {
        let expected = ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers", "Accept-Encoding"];
        assert_eq!(response.varied(), expected, "{}", response.status);
    }
    for response in [api.event(created["id"].as_str().unwrap()).await, api.get("/api/v1/events").await] {
        assert!(!response.varied().contains(&"Accept-Encoding"));
    }
}

#[tokio::test]
async fn only_over_1_mib_is_compressed() {
    let api = Api::new();
    let mut event = sample::event();
    let drawing = |padding: usize| json!(format!("<g>{}</g>", " ".repeat(padding)));
    event["totalMap"] = drawing(0);
    let created = api.create(&event).await.expect(201, "0").data();
    let smallest = api.get(&path(&created, "detail")).await.body.len();
    assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    for (size, is_compressed) in [(MAX_UNCOMPRESSED, false), (MAX_UNCOMPRESSED + 1, true)] {
        event["totalMap"] = drawing(size - smallest);
        let created = api.create(&event).await.expect(201, "0").data();
        let path = path(&created, "detail");
        let [plain, negotiated] = [get(&api, &path, &[]).await, get(&api, &path, &[("Accept-Encoding", "gzip")]).await];
        assert_eq!(plain.body.len(), size);
        assert_eq!(negotiated.headers.contains_key("Content-Encoding"), is_compressed);
        assert_eq!(negotiated.header("ETag") != plain.header("ETag"), is_compressed);
        let negotiated = if is_compressed { negotiated.inflated() } else { negotiated };
        assert!(negotiated.body == plain.body);
        assert_eq!(api.delete(created["id"].as_str().unwrap()).await.status, 204);
    }
}

#[tokio::test]
async fn only_accepted_gzip_is_sent() {
    let api = Api::new();
    let created = api.create(&with_seats(sample::event(), 15_000)).await.expect(201, "0").data();
    for name in PATHS {
        let path = path(&created, name);
        for (accepted, is_compressed) in [
            ("gzip", true),
            ("gzip, deflate, br, zstd", true),
            ("br, *;q=0.1", true),
            ("identity", false),
            ("br", false),
            ("gzip;q=0, *", false),
        ] {
            let response = get(&api, &path, &[("Accept-Encoding", accepted)]).await;
            assert_eq!(response.status, 200);
            assert_eq!(response.headers.contains_key("Content-Encoding"), is_compressed, "{path}: {accepted}");
        }
    }
}

#[tokio::test]
async fn gzip_ignores_accepted_media_types() {
    let api = Api::new();
    let created = api.create(&with_seats(sample::event(), 15_000)).await.expect(201, "0").data();
    for name in PATHS {
        let path = path(&created, name);
        for accept in ["application/json", "image/svg+xml,*/*", "text/html,application/xhtml+xml", "*/*"] {
            let response = get(&api, &path, &[("Accept-Encoding", "gzip"), ("Accept", accept)]).await.inflated();
            assert!(response.body == get(&api, &path, &[("Accept", accept)]).await.body, "{path}: {accept}");
        }
    }
}

#[tokio::test]
async fn either_etag_is_not_modified() {
    let api = Api::new();
    let created = api.create(&with_seats(sample::event(), 15_000)).await.expect(201, "0").data();
    for name in PATHS {
        let path = path(&created, name);
        let gzip = ("Accept-Encoding", "gzip");
        let etags = [get(&api, &path, &[]).await, get(&api, &path, &[gzip]).await];
        let etags = etags.map(|response| response.header("ETag").to_owned());
        assert_ne!(etags[0], etags[1]);
        for etag in &etags {
            for headers in [&[("If-None-Match", etag.as_str())][..], &[("If-None-Match", etag), gzip]] {
                let response = get(&api, &path, headers).await;
                assert_eq!((response.status, response.body.len()), (304, 0), "{path}");
                assert_eq!(response.header("ETag"), etag);
                assert!(!response.headers.contains_key("Content-Encoding"));
            }
        }
    }
}

#[tokio::test]
async fn largest_hall_requires_gzip() {
    let api = Api::new();
    let event = with_seats(sample::event(), 100_000);
    // The request fits, but its response does only in gzip.
    let rejected = api.create_with_form(&sample::gzip_form(&event)).await.expect(413, "C_005");
    assert!(rejected.text().contains("Accept-Encoding: gzip"), "{}", rejected.text());
    // Nothing was stored, so this is no duplicate.
    let created = api.create_in_gzip(&event).await.inflated().expect(201, "0").data();

    let detail = path(&created, "detail");
    let response = get(&api, &detail, &[("Accept-Encoding", "gzip")]).await.inflated().expect(200, "0");
    assert!(response.data() == created);
    let rejected = get(&api, &detail, &[]).await.expect(413, "C_005");
    assert!(rejected.text().contains("Accept-Encoding: gzip"), "{}", rejected.text());
    assert_eq!(rejected.header("Cache-Control"), "no-store");
    let etag = response.header("ETag");
    assert_eq!(get(&api, &detail, &[("If-None-Match", etag)]).await.status, 304);

    let picture = get(&api, &path(&created, "seat-map.svg"), &[]).await;
    assert_eq!(picture.status, 200);
    let svg = picture.text();
    let document = roxmltree::Document::parse(&svg).unwrap();
    let areas: Vec<_> = document.descendants().filter(|node| node.attribute("class") == Some("area")).collect();
    assert_eq!(areas.len(), 4);
    let dots = |area: &roxmltree::Node| {
        area.children().filter_map(|path| path.attribute("d")).map(|d| d.matches("h0").count()).sum::<usize>()
    };
    assert_eq!(areas.iter().map(dots).sum::<usize>(), 100_000);
}

#[tokio::test]
async fn repeated_creation_requires_gzip() {
    let api = Api::new();
    let form = sample::gzip_form(&with_seats(sample::event(), 50_000));
    let key = sample::unique();
    let send = |accepted: Option<&'static str>| {
        let request = api.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        let request = request.header("Content-Type", form.content_type()).header("Idempotency-Key", &key);
        let request = accepted.into_iter().fold(request, |request, value| request.header("Accept-Encoding", value));
        Api::send(request.body(form.body()))
    };
    send(None).await.expect(413, "C_005");
    let created = send(Some("gzip")).await.inflated().expect(201, "0").data();
    assert!(send(Some("*")).await.inflated().expect(201, "0").data() == created);
    send(None).await.expect(413, "C_005");
}
