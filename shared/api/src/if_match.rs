//! Precondition `If-Match`: a client changes only what it has seen (RFC 9110, section 13.1.1).

use headers::{ETag, HeaderMapExt as _};
use http::{HeaderMap, header};
use lambda_http::Request;

use crate::{error::Error, fields::Errors};
use domain::violation::Violation;

/// White space in a list (RFC 9110, section 5.6.3).
const WHITE_SPACE: [char; 2] = [' ', '\t'];

/// Precondition `If-Match` of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IfMatch {
    /// `*`: something exists.
    Any,
    /// Entity tags as sent, with quotes.
    Listed(Vec<String>),
}

impl IfMatch {
    /// Reads the precondition of a request, if it has one.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if it is neither `*` nor a list of entity tags.
    pub fn from_request(request: &Request) -> Result<Option<Self>, Error> {
        let lines: Vec<_> = request.headers().get_all(header::IF_MATCH).iter().collect();
        if lines.is_empty() {
            return Ok(None);
        }
        let lines: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
        let list = lines.join(", ");
        let parsed = Self::parse(&list);
        let mut errors = Errors::default();
        if parsed.is_none() {
            errors.add_value(header::IF_MATCH, &list, Violation::InvalidEntityTags);
        }
        errors.into_parameters().map(|()| parsed)
    }

    /// Parses the value of the header. A list may have empty elements.
    fn parse(list: &str) -> Option<Self> {
        let mut rest = list.trim_matches(WHITE_SPACE);
        if rest == "*" {
            return Some(Self::Any);
        }
        let mut tags = Vec::new();
        while !rest.is_empty() {
            if !rest.starts_with(',') {
                let opaque = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
                let (opaque, after) = opaque.split_once('"')?;
                if !opaque.chars().all(is_allowed_in_tag) {
                    return None;
                }
                tags.push(rest[..rest.len() - after.len()].to_owned());
                rest = after.trim_start_matches(WHITE_SPACE);
            }
            if !rest.is_empty() {
                rest = rest.strip_prefix(',')?.trim_start_matches(WHITE_SPACE);
            }
        }
        if tags.is_empty() { None } else { Some(Self::Listed(tags)) }
    }

    /// Compares an entity tag strongly: a weak tag in the list equals nothing.
    #[must_use]
    pub fn matches(&self, etag: ETag) -> bool {
        match self {
            Self::Any => true,
            Self::Listed(tags) => {
                let mut headers = HeaderMap::new();
                headers.typed_insert(etag);
                tags.iter().any(|tag| headers[header::ETAG] == *tag)
            }
        }
    }
}

/// Returns true if an entity tag may contain a character (RFC 9110, section 8.8.3).
fn is_allowed_in_tag(c: char) -> bool {
    matches!(c, '!' | '#'..='~') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn if_match(lines: &[&'static str]) -> Result<Option<IfMatch>, Error> {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append(header::IF_MATCH, HeaderValue::from_static(line));
        }
        IfMatch::from_request(&request)
    }

    fn etag(text: &str) -> ETag {
        text.parse().unwrap()
    }

    #[test]
    fn missing_header_is_no_precondition() {
        assert_eq!(if_match(&[]).unwrap(), None);
    }

    #[test]
    fn listed_tag_matches() {
        for lines in [
            &["\"a\""][..],
            &["\"x\",\"a\""],
            &["\"x\"", "\"a\""],
            &[" ,, \"a\" , "],
            &["\"x,y\"\t,\t\"a\""],
            &["*"],
            &[" * "],
        ] {
            assert!(if_match(lines).unwrap().unwrap().matches(etag("\"a\"")), "{lines:?}");
        }
    }

    #[test]
    fn comparison_is_strong() {
        for lines in [&["W/\"a\""][..], &["\"b\""], &["\"A\""], &["\"*\""], &["\"\""], &["\"x,a\""]] {
            assert!(!if_match(lines).unwrap().unwrap().matches(etag("\"a\"")), "{lines:?}");
        }
    }

    #[test]
    fn malformed_list_is_rejected() {
        for lines in [
            &[""][..],
            &[" , "],
            &["a"],
            &["\"a"],
            &["a\""],
            &["\"a\" \"b\""],
            &["\"a\"b"],
            &["'a'"],
            &["w/\"a\""],
            &["W/ \"a\""],
            &["\"a b\""],
            &["*, \"a\""],
            &["\"a\", *"],
            &["*", "*"],
            &["**"],
        ] {
            let Err(Error::Parameters(errors)) = if_match(lines) else { panic!("accepted: {lines:?}") };
            assert_eq!(errors.len(), 1);
            assert_eq!((&*errors[0].field, &errors[0].violation), ("if-match", &Violation::InvalidEntityTags));
        }
    }
}
