//! `POST /api/v1/events`: posters.

use std::path::Path;

use tests::{Api, corpus, form::Form, sample};

fn form(headers: &str, poster: impl Into<Vec<u8>>) -> Form {
    Form::new().part(sample::REQUEST, sample::event().to_string()).part(headers, poster)
}

#[tokio::test]
async fn poster_keeps_bytes_and_type() {
    let api = Api::new();
    for (file, poster) in corpus("images/accepted") {
        let extension = Path::new(&file).extension().unwrap().to_str().unwrap();
        let media_type = match extension {
            "jpg" => "image/jpeg",
            other => &format!("image/{other}"),
        };
        let misleading =
            "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"../x.html\"\nContent-Type: text/html";
        for headers in [sample::THUMBNAIL, misleading] {
            let data = api.create_with_form(&form(headers, poster.clone())).await.expect(201, "0").data();
            let thumbnail = data["thumbnail"].as_str().unwrap();
            assert_eq!(thumbnail, format!("{}.{extension}", data["id"].as_str().unwrap()), "{file}");
            let returned = api.poster(thumbnail).await;
            assert_eq!((returned.status, &returned.body), (200, &poster), "{file}");
            assert_eq!(returned.header("Content-Type"), media_type, "{file}");
            assert_eq!(returned.header("X-Content-Type-Options"), "nosniff");
            assert!(returned.header("Cache-Control").contains("immutable"));
        }
    }
}

#[tokio::test]
async fn invalid_image_is_rejected() {
    let api = Api::new();
    for (file, poster) in corpus("images/refused") {
        let response = api.create_with_form(&form(sample::THUMBNAIL, poster)).await;
        assert_eq!((response.status, response.code().as_str()), (400, "C_007"), "{file}");
    }
    api.create_with_form(&form(sample::THUMBNAIL, "")).await.expect(400, "C_007");
    api.create_with_form(&form(sample::THUMBNAIL, &sample::POSTER[..sample::POSTER.len() - 1]))
        .await
        .expect(400, "C_007");
}

#[tokio::test]
async fn poster_over_4_mib_is_rejected() {
    const MAX: usize = 4 * 1024 * 1024;
    let api = Api::new();
    let mut poster = sample::POSTER.to_vec();
    poster.resize(MAX, 0);
    let data = api.create_with_form(&form(sample::THUMBNAIL, poster.clone())).await.expect(201, "0").data();
    assert_eq!(api.poster(data["thumbnail"].as_str().unwrap()).await.body, poster);
    poster.push(0);
    let rejected = api.create_with_form(&form(sample::THUMBNAIL, poster)).await.expect(413, "C_005");
    assert!(rejected.text().contains("4,194,304"), "{}", rejected.text());
}

#[tokio::test]
async fn unknown_poster_is_not_found() {
    let api = Api::new();
    for file in ["none.png", "..%2F..%2Flock", "%2e%2e%2fcursor-key", ".hidden"] {
        api.poster(file).await.expect(404, "C_008");
    }
}

/// Registers an event and returns the name of its poster.
async fn create(api: &Api) -> String {
    let data = api.create(&sample::event()).await.expect(201, "0").data();
    data["thumbnail"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn known_poster_is_not_sent_again() {
    let api = Api::new();
    let thumbnail = create(&api).await;
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
        let request =
            headers.iter().fold(api.poster_request(&thumbnail), |request, (name, value)| request.header(*name, *value));
        let response = Api::send(request).await;
        assert_eq!(response.status, status, "{headers:?}");
        assert_eq!(response.body, if status == 304 { Vec::new() } else { poster.body.clone() }, "{headers:?}");
        assert_eq!(response.header("ETag"), etag, "{headers:?}");
        assert!(response.header("Cache-Control").contains("immutable"), "{headers:?}");
    }
}

#[tokio::test]
async fn part_of_poster_is_sent() {
    let api = Api::new();
    let thumbnail = create(&api).await;
    let (poster, length) = (sample::POSTER, sample::POSTER.len());
    let ask = async |range: &str| Api::send(api.poster_request(&thumbnail).header("Range", range)).await;
    for (range, start, end) in [
        ("bytes=0-0".to_owned(), 0, 1),
        ("bytes=2-4".to_owned(), 2, 5),
        ("bytes=3-".to_owned(), 3, length),
        ("bytes=-2".to_owned(), length - 2, length),
        (format!("bytes=-{}", length + 1), 0, length),
        (format!("bytes=1-{length}"), 1, length),
    ] {
        let part = ask(&range).await;
        assert_eq!((part.status, part.body.as_slice()), (206, &poster[start..end]), "{range}");
        assert_eq!(part.header("Content-Range"), format!("bytes {start}-{}/{length}", end - 1), "{range}");
    }
    for range in [format!("bytes={length}-"), "bytes=-0".to_owned()] {
        let unsatisfiable = ask(&range).await;
        assert_eq!((unsatisfiable.status, unsatisfiable.header("Content-Range")), (416, &*format!("bytes */{length}")));
    }
    for ignored in ["bytes=4-2", "bytes=a", "lines=0-1"] {
        let whole = ask(ignored).await;
        assert_eq!((whole.status, whole.body.as_slice()), (200, poster), "{ignored}");
        assert_eq!(whole.header("Accept-Ranges"), "bytes");
    }
}

#[tokio::test]
async fn part_of_changed_poster_is_whole() {
    let api = Api::new();
    let thumbnail = create(&api).await;
    let etag = api.poster(&thumbnail).await.header("ETag").to_owned();
    for (condition, status) in [(etag.as_str(), 206), ("\"0\"", 200)] {
        let request = api.poster_request(&thumbnail).header("Range", "bytes=0-1").header("If-Range", condition);
        assert_eq!(Api::send(request).await.status, status, "{condition}");
    }
}

#[tokio::test]
async fn poster_has_no_cors_headers() {
    let api = Api::new();
    let request = api.poster_request(&create(&api).await).header("Origin", "https://page.example");
    let response = Api::send(request).await;
    assert_eq!(response.status, 200);
    assert!(response.headers.keys().all(|name| !name.as_str().starts_with("access-control-")), "{response:?}");
}
