//! Requests with a multipart form.

use bytes::Bytes;
use domain::{
    idempotency::{IdempotencyKey, MAX_LENGTH},
    violation::Violation,
};
use lambda_http::{Body, Request};

use crate::{
    error::Error,
    fields::Errors,
    multipart,
    request::{content_type, expect_media_type, expect_size},
};

/// The header that names a request, so that it can be repeated
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// A request whose body is a form, of a legal size.
#[derive(Debug)]
pub struct FormRequest(Request);

impl FormRequest {
    /// Takes a request to have a form.
    ///
    /// # Errors
    ///
    /// `MediaType` or `TooLarge`, the first that holds.
    pub fn new(request: Request) -> Result<Self, Error> {
        expect_media_type(&request, multipart::MEDIA_TYPE)?;
        expect_size(request.body())?;
        Ok(Self(request))
    }

    /// The key by which the request can be repeated, where it has one.
    ///
    /// # Errors
    ///
    /// `Parameters` where it is there more than once, or cannot be used.
    pub fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Error> {
        let values: Vec<_> = self.0.headers().get_all(IDEMPOTENCY_KEY).iter().collect();
        let sent = match values.as_slice() {
            [] => return Ok(None),
            values => values.iter().map(|value| String::from_utf8_lossy(value.as_bytes())),
        };
        let sent = sent.collect::<Vec<_>>().join(", ");
        let key = sent.parse().ok();
        let mut errors = Errors::default();
        if key.is_none() {
            errors.add_value(IDEMPOTENCY_KEY, &sent, Violation::IdempotencyKey(MAX_LENGTH));
        }
        errors.into_parameters().map(|()| key)
    }

    /// The named parts of the form.
    ///
    /// # Errors
    ///
    /// `Form` where it cannot be read, or one of them is missing or repeated.
    pub async fn parts<const N: usize>(self, names: [&'static str; N]) -> Result<[Bytes; N], Error> {
        let content_type = content_type(&self.0).to_owned();
        let body = match self.0.into_body() {
            Body::Text(text) => Bytes::from(text),
            Body::Binary(bytes) => Bytes::from(bytes),
            _ => Bytes::new(),
        };
        multipart::parts(&content_type, body, names).await
    }
}

#[cfg(test)]
mod tests {
    use http::header::{CONTENT_TYPE, HeaderValue};

    use super::*;

    #[tokio::test]
    async fn a_form_is_read_whether_it_came_as_a_text_or_in_base64() {
        let form = "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n공연\r\n--b--\r\n";
        for body in [Body::Text(form.to_owned()), Body::Binary(form.into())] {
            let mut request = Request::new(body);
            let content_type = HeaderValue::from_static("multipart/form-data; boundary=b");
            request.headers_mut().insert(CONTENT_TYPE, content_type);
            let parts = FormRequest::new(request).unwrap().parts(["title"]).await.unwrap();
            assert_eq!(parts, ["공연"]);
        }
    }
}
