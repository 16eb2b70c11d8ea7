//! Form and poster of `POST /api/v1/events`.

use reqwest::multipart::{Form as ReqwestForm, Part};
use tests::prelude::*;
use tests::{
    corpus,
    form::Form,
    sample::{POSTER, REQUEST, THUMBNAIL},
};

use super::create::{MAX_POSTER, send};

#[tokio::test]
async fn posters_keep_bytes_and_type() {
    let api = Api::new();
    let mut largest = POSTER.to_vec();
    largest.resize(MAX_POSTER, 0);
    let mut posters: Vec<_> =
        corpus("images/accepted").into_iter().filter(|(name, _)| name.starts_with("real")).collect();
    posters.push(("largest.png".to_owned(), largest));
    for (name, poster) in posters {
        let misleading = THUMBNAIL.replace("poster.png", "../x.html").replace("image/png", "text/html");
        let form = Form::new().part(REQUEST, sample::event().to_string()).part(&misleading, poster.clone());
        let data = api.create_with_form(&form).await.expect(201, "0").data();
        let (_, extension) = name.split_once('.').unwrap();
        assert_eq!(data["thumbnail"], format!("{}.{extension}", data["id"].as_str().unwrap()));
        let returned = api.poster(data["thumbnail"].as_str().unwrap()).await;
        let stored = if name == "realistic.jpg" { sample::stored_other_poster() } else { poster };
        assert!(returned.body == stored, "{name}");
        assert_eq!(returned.header("Content-Type"), format!("image/{}", extension.replace("jpg", "jpeg")));
        assert_eq!(returned.header("X-Content-Type-Options"), "nosniff");
    }
}

#[tokio::test]
async fn forms_of_common_clients_are_read() {
    let file = "Content-Disposition: form-data; name=\"thumbnail\"; filename=";
    let clients = [
        (
            "a browser, with a Blob",
            format!("{REQUEST}; filename=\"blob\""),
            format!("{file}\"포스터 1.png\"\nContent-Type: image/png"),
        ),
        ("curl", REQUEST.to_owned(), format!("{file}\"a\\\"b.png\"\nContent-Type: image/png")),
        (
            "axios in Node",
            format!("{REQUEST}; charset=utf-8"),
            format!("{file}\"p.png\"\nContent-Type: application/octet-stream"),
        ),
        ("Python's requests", REQUEST.to_owned(), file.replace("filename=", "filename*=utf-8''%ED%8F%AC.png")),
        ("unquoted names", REQUEST.replace('"', ""), THUMBNAIL.replace('"', "")),
        ("a minimal client", "content-disposition:form-data;name=\"request\"".to_owned(), THUMBNAIL.to_lowercase()),
    ];
    for (client, request, thumbnail) in clients {
        let form = Form::new().part(&request, sample::event().to_string()).part(&thumbnail, POSTER);
        assert_eq!(Api::new().create_with_form(&form).await.status, 201, "{client}");
    }

    let part = Part::text(sample::event().to_string()).file_name("request.json").mime_str("application/json").unwrap();
    let form = ReqwestForm::new().part("request", part).part("thumbnail", Part::bytes(POSTER).file_name("poster.png"));
    let request = Api::new().request(Method::POST, "/api/v1/events").header("x-api-managerId", MANAGER);
    Api::send(request.multipart(form)).await.check(201, "0");

    let form = Form::new()
        .part("Content-Disposition: form-data; name=\"note\"", "x")
        .part(THUMBNAIL, POSTER)
        .part("Content-Disposition: form-data; name=\"Request\"", "{}")
        .part("Content-Type: text/plain", "a part without a name")
        .part(REQUEST, sample::event().to_string());
    let quoted = form.content_type().replace("boundary=", "boundary=\"") + "\"";
    send(&quoted, [form.body(), b"epilogue".to_vec()].concat()).await.check(201, "0");
}

#[tokio::test]
async fn each_part_is_sent_once() {
    let request = || Form::new().part(REQUEST, sample::event().to_string());
    let forms = [
        ("no poster", request()),
        ("no request", Form::new().part(THUMBNAIL, POSTER)),
        ("two requests", sample::form(&sample::event()).part(REQUEST, "{}")),
        ("two posters", sample::form(&sample::event()).part(THUMBNAIL, POSTER)),
    ];
    let requests = forms.map(|(name, form)| (name, async move { Api::new().create_with_form(&form).await }));
    assert_snapshot!(summaries(requests).await, @r"
    no poster: 400 C_006 multipart에 thumbnail 파트가 없습니다.
    no request: 400 C_006 multipart에 request 파트가 없습니다.
    two requests: 400 C_006 multipart에 request 파트가 두 개 이상 있습니다.
    two posters: 400 C_006 multipart에 thumbnail 파트가 두 개 이상 있습니다.
    ");
}

#[tokio::test]
async fn parts_headers_and_body_are_limited() {
    const EXTRA: &str = "Content-Disposition: form-data; name=\"extra\"";
    let sample = || sample::form(&sample::event());
    let of_parts = |parts: usize| (2..parts).fold(sample(), |form, _| form.part(EXTRA, "x"));
    // Each line of the headers ends with two bytes.
    let of_header = |bytes: usize| sample().part(&format!("{EXTRA}\nX: {}", "x".repeat(bytes - EXTRA.len() - 7)), "x");
    let of_lines = |lines: usize| sample().part(&(EXTRA.to_owned() + &"\nX: x".repeat(lines - 1)), "x");
    let of_bytes = |bytes: usize| sample().part(EXTRA, vec![b'x'; bytes - sample().part(EXTRA, "").body().len()]);
    let forms = [
        ("100 parts", of_parts(100)),
        ("101 parts", of_parts(101)),
        ("32 lines", of_lines(32)),
        ("33 lines", of_lines(33)),
        ("headers of 16 KiB", of_header(16 * 1024)),
        ("larger headers", of_header(16 * 1024 + 1)),
        ("4,700,000 bytes", of_bytes(4_700_000)),
        ("4,700,001 bytes", of_bytes(4_700_001)),
    ];
    let requests = forms.map(|(name, form)| (name, async move { Api::new().create_with_form(&form).await }));
    assert_snapshot!(summaries(requests).await, @r"
    100 parts: 201
    101 parts: 400 C_006 multipart 파트는 100개까지 보낼 수 있습니다.
    32 lines: 201
    33 lines: 400 C_006 multipart 본문이 잘렸거나 손상되었습니다.
    headers of 16 KiB: 201
    larger headers: 400 C_006 multipart 파트의 헤더는 16,384바이트를 넘을 수 없습니다.
    4,700,000 bytes: 201
    4,700,001 bytes: 413 C_005 요청 본문은 4,700,000바이트를 넘을 수 없습니다.
    ");
}
