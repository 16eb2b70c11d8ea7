//! Conditional requests: a client that has a representation receives no second copy
//! (RFC 9110, sections 8.8.3 and 13).

use base64_simd::URL_SAFE_NO_PAD;
use headers::{ETag, HeaderMapExt as _};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, HeaderValue},
};
use lambda_http::{Body, Request};
use xxhash_rust::xxh3::xxh3_128;

use crate::envelope::Response;

/// Cache directives of public responses (RFC 9111, section 5.2.2).
///
/// A shared cache keeps them for a second (`s-maxage`). So many simultaneous readers cause one request
/// a second, and a deleted event disappears within seconds. Browsers revalidate each time (`max-age`).
/// The cache policies in `template.yaml` depend on this second; `docs/data.md` has the calculation.
const SHARED_FOR_ONE_SECOND: HeaderValue = HeaderValue::from_static("public, max-age=0, s-maxage=1");

/// Computes a strong validator for a representation with these bytes.
///
/// The hash is not cryptographic. A deliberate collision could only yield an outdated copy of one's
/// own response.
fn etag(body: &[u8]) -> ETag {
    let [etag, _] = etags(body);
    etag
}

/// Computes the tags of a representation in each encoding from what determines its content.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "letters, digits and hyphens are a valid entity tag")]
pub fn etags(content: &[u8]) -> [ETag; 2] {
    let hash = URL_SAFE_NO_PAD.encode_to_string(xxh3_128(content).to_be_bytes());
    ["", "-gzip"].map(|encoding| format!("\"{hash}{encoding}\"").parse().expect("valid entity tag"))
}

/// Precondition `If-None-Match` of a request: a list of entity tags, also weak ones, or `*`.
///
/// A malformed list counts as absent.
#[derive(Debug)]
pub struct IfNoneMatch(Option<headers::IfNoneMatch>);

impl IfNoneMatch {
    /// Reads the precondition of a request.
    #[must_use]
    pub fn from_request(request: &Request) -> Self {
        Self(request.headers().typed_get())
    }

    /// Returns whether the request has the precondition.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.0.is_some()
    }

    /// Returns whether the client has the representation with this tag.
    #[must_use]
    pub fn matches(&self, etag: &ETag) -> bool {
        self.0.as_ref().is_some_and(|tags| !tags.precondition_passes(etag))
    }

    /// Returns the first of these tags whose representation the client has.
    #[must_use]
    pub fn find<const N: usize>(&self, etags: [ETag; N]) -> Option<ETag> {
        etags.into_iter().find(|etag| self.matches(etag))
    }

    /// Makes a response cacheable for a second, with the tag of its body.
    ///
    /// Returns a 304 instead if the client has this representation.
    #[must_use]
    pub fn cacheable(&self, response: Response) -> Response {
        match response.body() {
            Body::Text(_) | Body::Binary(_) => {
                let etag = etag(response.body());
                self.cacheable_as(response, etag)
            }
            _ => response,
        }
    }

    /// Like [`Self::cacheable`], with a tag that is known before the body.
    #[must_use]
    pub fn cacheable_as(&self, mut response: Response, etag: ETag) -> Response {
        if self.matches(&etag) {
            return not_modified(etag);
        }
        response.headers_mut().insert(CACHE_CONTROL, SHARED_FOR_ONE_SECOND);
        response.headers_mut().typed_insert(etag);
        response
    }
}

/// Builds the 304 for a client that has the representation with this tag.
#[must_use]
pub fn not_modified(etag: ETag) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(CACHE_CONTROL, SHARED_FOR_ONE_SECOND);
    response.headers_mut().typed_insert(etag);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn if_none_match(lines: &[&'static str]) -> IfNoneMatch {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append("if-none-match", HeaderValue::from_static(line));
        }
        IfNoneMatch::from_request(&request)
    }

    #[test]
    fn etag_identifies_body() {
        assert_eq!(etag(b"a"), etag(b"a"));
        assert_ne!(etag(b"a"), etag(b"b"));
    }

    #[test]
    fn any_listed_tag_matches() {
        let [one, other]: [ETag; 2] = ["\"one\"", "\"other\""].map(|tag| tag.parse().unwrap());
        for lines in [&["\"one\""][..], &["W/\"one\""], &["\"x\" , \"one\""], &["\"x\"", "\"one\""]] {
            assert!(if_none_match(lines).matches(&one) && !if_none_match(lines).matches(&other), "{lines:?}");
        }
        assert!(if_none_match(&["*"]).matches(&one) && !if_none_match(&["\"*\""]).matches(&one));
        assert!(!if_none_match(&[]).is_present() && !if_none_match(&[]).matches(&one));
    }
}
