//! Conditional requests: a client that has a representation receives no second copy
//! (RFC 9110, sections 8.8.3 and 13).

use base64_simd::URL_SAFE_NO_PAD;
use headers::{ETag, HeaderMapExt as _};
use http::{StatusCode, header::LINK};
use lambda_http::{Body, Request};
use xxhash_rust::xxh3::{xxh3_128, xxh3_128_with_seed};

use crate::envelope::Response;

/// Computes a strong validator for a page with these bytes.
///
/// After a 304, a client keeps the `Link` of the page that it has. So a page that came to have a next one has another
/// tag, although its bytes are the same.
///
/// The hash is not cryptographic. A deliberate collision could only yield an outdated copy of one's
/// own response.
fn etag(body: &[u8], has_next: bool) -> ETag {
    let [etag, _] = tags(xxh3_128_with_seed(body, u64::from(has_next)));
    etag
}

/// Computes the tags of a representation in each encoding from what determines its content.
#[must_use]
pub fn etags(content: &[u8]) -> [ETag; 2] {
    tags(xxh3_128(content))
}

fn tags(hash: u128) -> [ETag; 2] {
    let hash = URL_SAFE_NO_PAD.encode_to_string(hash.to_be_bytes());
    ["", "-gzip"].map(|encoding| {
        format!("\"{hash}{encoding}\"").parse().expect("letters, digits and hyphens are a valid entity tag")
    })
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

    /// Returns true if the request has the precondition.
    #[must_use]
    pub fn is_present(&self) -> bool {
        self.0.is_some()
    }

    /// Returns true if the client has the representation with this tag.
    #[must_use]
    pub fn matches(&self, etag: &ETag) -> bool {
        self.0.as_ref().is_some_and(|tags| !tags.precondition_passes(etag))
    }

    /// Returns the first of these tags whose representation the client has.
    #[must_use]
    pub fn find<const N: usize>(&self, etags: [ETag; N]) -> Option<ETag> {
        etags.into_iter().find(|etag| self.matches(etag))
    }

    /// Adds the tag of its body, and of whether there is a next page, to a response, or returns a 304 if the client has
    /// this representation.
    #[must_use]
    pub fn tag_body(&self, response: Response) -> Response {
        match response.body() {
            Body::Text(_) | Body::Binary(_) => {
                let etag = etag(response.body(), response.headers().contains_key(LINK));
                self.tag(response, etag)
            }
            _ => response,
        }
    }

    /// Adds a tag to a response, or returns a 304 if the client has this representation.
    #[must_use]
    pub fn tag(&self, mut response: Response, etag: ETag) -> Response {
        if self.matches(&etag) {
            return not_modified(etag);
        }
        response.headers_mut().typed_insert(etag);
        response
    }
}

/// Builds the 304 for a client that has the representation with this tag.
#[must_use]
pub fn not_modified(etag: ETag) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().typed_insert(etag);
    response
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn if_none_match(lines: &[&'static str]) -> IfNoneMatch {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append("if-none-match", HeaderValue::from_static(line));
        }
        IfNoneMatch::from_request(&request)
    }

    #[test]
    fn etag_identifies_page() {
        assert_eq!(etag(b"a", true), etag(b"a", true));
        assert_ne!(etag(b"a", true), etag(b"b", true));
        assert_ne!(etag(b"a", true), etag(b"a", false));
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
