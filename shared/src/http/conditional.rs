//! Conditional requests: whoever has an answer already need not be sent it again
//! (RFC 9110, sections 8.8.3 and 13).

use base64_simd::URL_SAFE_NO_PAD;
use headers::{ETag, HeaderMapExt as _, IfNoneMatch};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue},
};
use lambda_http::{Body, Request};
use xxhash_rust::xxh3::Xxh3Default;

use super::envelope::Reply;

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

/// What the caller of a request has already, as `If-None-Match` says: a list of entity tags,
/// weak ones among them, or `*`. What is no such list is passed over.
#[derive(Debug)]
pub struct Held(Option<IfNoneMatch>);

impl Held {
    /// What the caller of this request has.
    #[must_use]
    pub fn by(request: &Request) -> Self {
        Self(request.headers().typed_get())
    }

    /// Whether it is worth finding out what would be answered, before all of it is read.
    #[must_use]
    pub fn is_any(&self) -> bool {
        self.0.is_some()
    }

    /// Whether the caller has what this stands for.
    #[must_use]
    pub fn has(&self, etag: &ETag) -> bool {
        self.0.as_ref().is_some_and(|held| !held.precondition_passes(etag))
    }
}

/// Lets caches keep an answer that is the same for everybody, whoever asks, for a second, and
/// ask again by the entity tag of its body. Any other answer is not kept.
#[must_use]
pub fn cacheable(reply: Reply) -> Reply {
    let etag = match reply.body() {
        Body::Text(text) => etag(&[text]),
        _ => return reply,
    };
    cacheable_as(reply, etag)
}

/// The same with an entity tag that was known before the body.
#[must_use]
pub fn cacheable_as(mut reply: Reply, etag: ETag) -> Reply {
    reply.headers_mut().insert(CACHE_CONTROL, SHARED_FOR_A_SECOND);
    reply.headers_mut().typed_insert(etag);
    reply
}

/// The answer to a caller who has what there is.
#[must_use]
pub fn nothing_new(etag: ETag) -> Reply {
    not_modified(cacheable_as(Reply::default(), etag))
}

/// Leaves out of an answer what the caller has.
#[must_use]
pub fn not_modified(mut reply: Reply) -> Reply {
    *reply.status_mut() = StatusCode::NOT_MODIFIED;
    *reply.body_mut() = Body::Empty;
    reply.headers_mut().remove(CONTENT_TYPE);
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(lines: &[&'static str]) -> Held {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append("if-none-match", HeaderValue::from_static(line));
        }
        Held::by(&request)
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
            assert!(held(lines).has(&one) && !held(lines).has(&other), "{lines:?}");
        }
        assert!(held(&["*"]).has(&one) && held(&["*"]).has(&other));
        assert!(!held(&["\"*\""]).has(&one));
    }

    #[test]
    fn without_the_header_nothing_is_held() {
        assert!(!held(&[]).is_any());
        assert!(!held(&[]).has(&etag(&["a"])));
    }
}
