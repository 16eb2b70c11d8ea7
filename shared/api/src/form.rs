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
    if_match::expected_versions,
    multipart::{self, Part},
    request::{content_type, expect_media_type, expect_size},
};

/// Header with the idempotency key
/// (<https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/>).
pub const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// Request with a form as its body, within the size limit.
#[derive(Debug)]
pub struct FormRequest(Request);

impl FormRequest {
    /// Checks the media type and the size of a request.
    ///
    /// # Errors
    ///
    /// Returns the first of `MediaType`, `ContentEncoding` and `TooLarge` that applies.
    pub fn new(request: Request) -> Result<Self, Error> {
        expect_media_type(&request, multipart::MEDIA_TYPE)?;
        expect_size(request.body())?;
        Ok(Self(request))
    }

    /// Returns the idempotency key of the request, if any.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if the header is repeated or invalid.
    pub fn idempotency_key(&self) -> Result<Option<IdempotencyKey>, Error> {
        let values: Vec<_> = self.0.headers().get_all(IDEMPOTENCY_KEY).iter().collect();
        let values = match values.as_slice() {
            [] => return Ok(None),
            values => values.iter().map(|value| String::from_utf8_lossy(value.as_bytes())),
        };
        let value = values.collect::<Vec<_>>().join(", ");
        let key = value.parse().ok();
        let mut errors = Errors::default();
        if key.is_none() {
            errors.add_value(IDEMPOTENCY_KEY, &value, Violation::InvalidIdempotencyKey(MAX_LENGTH));
        }
        errors.into_parameters().map(|()| key)
    }

    /// Returns the versions of the event that the request may change (see [`expected_versions`]).
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if the header `If-Match` is malformed.
    pub fn expected_versions(&self) -> Result<Option<Vec<u64>>, Error> {
        expected_versions(&self.0)
    }

    /// Returns the named parts of the form.
    ///
    /// # Errors
    ///
    /// Returns `Form` if the form is unreadable, or if a named part is missing or repeated.
    pub async fn parts<const N: usize>(self, names: [&'static str; N]) -> Result<[Part; N], Error> {
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
    async fn text_and_base64_forms_are_read() {
        let form = "--b\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n공연\r\n--b--\r\n";
        for body in [Body::Text(form.to_owned()), Body::Binary(form.into())] {
            let mut request = Request::new(body);
            let content_type = HeaderValue::from_static("multipart/form-data; boundary=b");
            request.headers_mut().insert(CONTENT_TYPE, content_type);
            let parts = FormRequest::new(request).unwrap().parts(["title"]).await.unwrap();
            assert_eq!(parts.map(|part| part.content), ["공연"]);
        }
    }
}
