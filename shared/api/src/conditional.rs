//! Conditional requests: whoever has an answer already need not be sent it again
//! (RFC 9110, sections 8.8.3 and 13).

use base64_simd::URL_SAFE_NO_PAD;
use headers::{ETag, HeaderMapExt as _};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
};
use lambda_http::{Body, Request};
use xxhash_rust::xxh3::Xxh3Default;

use crate::envelope::Response;

/// How long an answer that is the same for everybody may be kept, as the directives of
/// RFC 9111, section 5.2.2, have it.
///
/// A shared cache keeps it for a second (`s-maxage`), so that a rush of readers reaches
/// the service once a second and what was deleted is gone within seconds; a browser asks
/// again each time (`max-age`). The cache policies in `template.yaml` rest on that second,
/// and `docs/scale.md` has the arithmetic.
const SHARED_FOR_A_SECOND: HeaderValue = HeaderValue::from_static("public, max-age=0, s-maxage=1");

/// The strong validator of what these texts, one after another, determine to the byte.
///
/// It tells apart what differs by chance, not what somebody made to look alike: the most that
/// is to be had by that is an outdated copy of one's own answer.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "base64 between quotes is an entity tag")]
pub fn etag(of: &[&str]) -> ETag {
    let mut hash = Xxh3Default::new();
    for text in of {
        hash.update(text.as_bytes());
        // No text has this byte, so that no two lists of texts look alike.
        hash.update(&[0xFF]);
    }
    let tag = URL_SAFE_NO_PAD.encode_to_string(hash.digest128().to_be_bytes());
    format!("\"{tag}\"").parse().expect("an entity tag")
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

    /// Lets shared caches keep a response for a second and revalidate it by the tag of its body;
    /// replaces it by a 304 if the client has it.
    #[must_use]
    pub fn cacheable(&self, response: Response) -> Response {
        match response.body() {
            Body::Text(text) => {
                let etag = etag(&[text]);
                self.cacheable_as(response, etag)
            }
            _ => response,
        }
    }

    /// Does the same as [`Self::cacheable`] with a tag that is known before the body.
    #[must_use]
    pub fn cacheable_as(&self, mut response: Response, etag: ETag) -> Response {
        let is_known = self.matches(&etag);
        response.headers_mut().insert(CACHE_CONTROL, SHARED_FOR_A_SECOND);
        response.headers_mut().typed_insert(etag);
        if is_known {
            *response.status_mut() = StatusCode::NOT_MODIFIED;
            *response.body_mut() = Body::Empty;
            response.headers_mut().remove(CONTENT_TYPE);
        }
        response
    }
}

/// Builds the 304 for a client that has the representation with this tag.
#[must_use]
pub fn not_modified(etag: ETag) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    response.headers_mut().insert(CACHE_CONTROL, SHARED_FOR_A_SECOND);
    response.headers_mut().typed_insert(etag);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(lines: &[&'static str]) -> IfNoneMatch {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append("if-none-match", HeaderValue::from_static(line));
        }
        IfNoneMatch::from_request(&request)
    }

    #[test]
    fn texts_that_differ_have_other_tags_and_the_same_ones_the_same() {
        let tags = [etag(&["ab", "c"]), etag(&["a", "bc"]), etag(&["abc"]), etag(&["abc", ""]), etag(&[])];
        for (index, tag) in tags.iter().enumerate() {
            assert!(tags[..index].iter().all(|other| other != tag), "{tag:?}");
        }
        assert_eq!(etag(&["ab", "c"]), tags[0]);
    }

    #[test]
    fn a_list_of_tags_may_name_what_is_held_on_any_line_and_weakly() {
        let [one, other]: [ETag; 2] = ["\"one\"", "\"other\""].map(|tag| tag.parse().unwrap());
        for lines in [&["\"one\""][..], &["W/\"one\""], &["\"x\" , \"one\""], &["\"x\"", "\"one\""]] {
            assert!(held(lines).matches(&one) && !held(lines).matches(&other), "{lines:?}");
        }
        assert!(held(&["*"]).matches(&one) && held(&["*"]).matches(&other));
        assert!(!held(&["\"*\""]).matches(&one));
    }

    #[test]
    fn without_the_header_nothing_is_held() {
        assert!(!held(&[]).is_present());
        assert!(!held(&[]).matches(&etag(&["a"])));
    }
}
