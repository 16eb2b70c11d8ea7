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
