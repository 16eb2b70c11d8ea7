//! `POST /api/v1/events`: forms of common clients, and invalid forms.

use reqwest::{
    Method,
    multipart::{Form as ReqwestForm, Part},
};
use serde_json::json;
use tests::{Api, Response, form::Form, sample};

async fn send(media_type: &str, body: Vec<u8>) -> Response {
    let request = Api::new().request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
    Api::send(request.header("Content-Type", media_type).body(body)).await
}

/// Builds a form whose two parts have these headers.
fn form(request: &str, thumbnail: &str) -> Form {
    Form::new().part(request, sample::event().to_string()).part(thumbnail, sample::POSTER)
}

#[tokio::test]
async fn forms_of_common_clients_are_read() {
    let api = Api::new();
    for (client, request, thumbnail) in [
        (
            "FormData of a browser, with a Blob",
            "Content-Disposition: form-data; name=\"request\"; filename=\"blob\"\nContent-Type: application/json",
            "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"포스터 1.png\"\nContent-Type: image/png",
        ),
        (
            "curl -F",
            "Content-Disposition: form-data; name=\"request\"\nContent-Type: application/json",
            "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"a\\\"b.png\"\nContent-Type: image/png",
        ),
        (
            "axios in Node",
            "Content-Disposition: form-data; name=\"request\"\nContent-Type: application/json; charset=utf-8",
            "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"p.png\"\nContent-Type: application/octet-stream",
        ),
        (
            "Python's requests",
            "Content-Disposition: form-data; name=\"request\"; filename=\"request\"\nContent-Type: application/json",
            "Content-Disposition: form-data; name=\"thumbnail\"; filename*=utf-8''%ED%8F%AC.png",
        ),
        (
            "documented example, with unquoted names",
            "Content-Disposition: form-data; name=request\nContent-Type: application/json",
            "Content-Disposition: form-data; name=thumbnail; filename=poster.jpg\nContent-Type: image/jpeg",
        ),
        (
            "minimal client",
            "content-disposition:form-data;name=\"request\"",
            "content-disposition:form-data;name=\"thumbnail\"",
        ),
    ] {
        let response = api.create_with_form(&form(request, thumbnail)).await;
        assert_eq!(response.status, 201, "{client}: {}", response.text());
    }
}

#[tokio::test]
async fn form_of_reqwest_is_read() {
    let form = ReqwestForm::new()
        .part(
            "request",
            Part::text(sample::event().to_string()).file_name("request.json").mime_str("application/json").unwrap(),
        )
        .part("thumbnail", Part::bytes(sample::POSTER).file_name("poster.png"));
    let request = Api::new().request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
    Api::send(request.multipart(form)).await.expect(201, "0");
}

#[tokio::test]
async fn extra_parts_are_ignored() {
    let event = sample::event().to_string();
    let form = Form::new()
        .part("Content-Disposition: form-data; name=\"note\"", "x")
        .part(sample::THUMBNAIL, sample::POSTER)
        .part("Content-Disposition: form-data; name=\"Request\"", "{}")
        .part("Content-Type: text/plain", "a part without a name")
        .part(sample::REQUEST, event);
    Api::new().create_with_form(&form).await.expect(201, "0");
}

#[tokio::test]
async fn quoted_boundary_and_epilogue_are_read() {
    let form = sample::form(&sample::event());
    let quoted = form.content_type().replace("boundary=", "boundary=\"") + "\"";
    send(&quoted, form.body()).await.expect(201, "0");

    let form = sample::form(&sample::event());
    let body = [form.body(), b"epilogue".to_vec()].concat();
    send(&form.content_type(), body).await.expect(201, "0");
}

#[tokio::test]
async fn unreadable_form_is_rejected() {
    let form = sample::form(&sample::event());
    let (media_type, body) = (form.content_type(), form.body());
    send("multipart/form-data", body.clone()).await.expect(400, "C_006");
    send("multipart/form-data; boundary=", body.clone()).await.expect(400, "C_006");
    send("multipart/form-data; boundary=other", body.clone()).await.expect(400, "C_006");
    for end in [0, 1, 40, 200, body.len() / 2, body.len() - 20, body.len() - 5] {
        send(&media_type, body[..end].to_vec()).await.expect(400, "C_006");
    }
}

#[tokio::test]
async fn unquoted_boundary_needs_quotes() {
    for c in ['=', ':'] {
        let body = sample::form(&sample::event()).body();
        let response = send(&format!("multipart/form-data; boundary=a{c}b"), body).await.expect(400, "C_006");
        assert!(response.text().contains("큰따옴표"), "{}", response.text());
    }
}

#[tokio::test]
async fn missing_or_repeated_part_is_named() {
    let api = Api::new();
    let request = || Form::new().part(sample::REQUEST, sample::event().to_string());
    let both = || request().part(sample::THUMBNAIL, sample::POSTER);
    for (form, part) in [
        (request(), "thumbnail"),
        (Form::new().part(sample::THUMBNAIL, sample::POSTER), "request"),
        (Form::new(), "request"),
        (both().part(sample::REQUEST, "{}"), "request"),
        (both().part(sample::THUMBNAIL, sample::POSTER), "thumbnail"),
    ] {
        let response = api.create_with_form(&form).await.expect(400, "C_006");
        assert!(response.text().contains(part), "{}", response.text());
    }
}

#[tokio::test]
async fn parts_and_headers_are_limited() {
    let api = Api::new();
    let with_extra = |parts: usize| {
        let extra = "Content-Disposition: form-data; name=\"extra\"";
        (0..parts).fold(sample::form(&sample::event()), |form, _| form.part(extra, "x"))
    };
    api.create_with_form(&with_extra(98)).await.expect(201, "0");
    api.create_with_form(&with_extra(99)).await.expect(400, "C_006");

    let with_lines =
        |lines: usize| form(&(sample::REQUEST.to_owned() + &"\nX-Extra: x".repeat(lines - 2)), sample::THUMBNAIL);
    api.create_with_form(&with_lines(32)).await.expect(201, "0");
    api.create_with_form(&with_lines(33)).await.expect(400, "C_006");

    let of_bytes = |bytes: usize| {
        let line_ends = 3 * "\r\n".len();
        let name = "X-Extra: ";
        let rest = bytes - sample::REQUEST.len() + "\n".len() - name.len() - line_ends;
        form(&format!("{}\n{name}{}", sample::REQUEST, "x".repeat(rest)), sample::THUMBNAIL)
    };
    api.create_with_form(&of_bytes(16 * 1024)).await.expect(201, "0");
    api.create_with_form(&of_bytes(16 * 1024 + 1)).await.expect(400, "C_006");
}

#[tokio::test]
async fn too_large_body_is_rejected() {
    let sized = |bytes: usize| {
        let extra = "Content-Disposition: form-data; name=\"extra\"";
        let event = sample::event();
        let rest = bytes - sample::form(&event).part(extra, "").body().len();
        sample::form(&event).part(extra, vec![b'x'; rest])
    };
    let api = Api::new();
    assert_eq!(sized(4_700_000).body().len(), 4_700_000);
    api.create_with_form(&sized(4_700_000)).await.expect(201, "0");
    let rejected = api.create_with_form(&sized(4_700_001)).await.expect(413, "C_005");
    assert!(rejected.text().contains("4,700,000"), "{}", rejected.text());
}

#[tokio::test]
async fn gateway_rejects_too_large_body() {
    let api = Api::new();
    for megabytes in [5, 12] {
        let form = Form::new()
            .part(sample::REQUEST, sample::event().to_string())
            .part(sample::THUMBNAIL, vec![0; megabytes * 1_000_000]);
        api.create_with_form(&form).await.expect(413, "C_005");
    }
}

#[tokio::test]
async fn invalid_request_part_is_rejected() {
    let api = Api::new();
    let deep = "[".repeat(100_000);
    let nested = format!("{{\"areas\":{}", "[".repeat(100_000));
    for json in ["", "[]", "{", "{\"title\":\"a\",\"title\":\"b\"}", "{\"title\":\"\\udc00\"}", &deep, &nested] {
        let form = Form::new().part(sample::REQUEST, json).part(sample::THUMBNAIL, sample::POSTER);
        api.create_with_form(&form).await.expect(400, "C_002");
    }
    let form = Form::new().part(sample::REQUEST, *b"{\"title\":\"\xff\"}").part(sample::THUMBNAIL, sample::POSTER);
    let response = api.create_with_form(&form).await.expect(400, "C_002");
    assert!(response.text().contains("1번째 줄 11번째 글자: UTF-8"), "{}", response.text());
    api.create(&json!({})).await.expect(400, "C_001");
}
