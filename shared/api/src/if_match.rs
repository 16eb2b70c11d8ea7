//! Precondition `If-Match`: a client changes only what it has seen (RFC 9110, section 13.1.1).

use http::header;
use lambda_http::Request;

use crate::{error::Error, fields::Errors, representation::Representation};
use domain::violation::Violation;

/// White space in a list (RFC 9110, section 5.6.3).
const WHITE_SPACE: [char; 2] = [' ', '\t'];

/// Reads the precondition of a request, as the versions of an event that the client may change.
///
/// They are those whose summary has one of the entity tags, compared strongly. Returns `None` if any version may be
/// changed, because the request has no precondition or `*`.
///
/// # Errors
///
/// Returns `Parameters` if the header is neither `*` nor a list of entity tags.
pub fn expected_versions(request: &Request) -> Result<Option<Vec<u64>>, Error> {
    let lines: Vec<_> = request.headers().get_all(header::IF_MATCH).iter().collect();
    if lines.is_empty() {
        return Ok(None);
    }
    let lines: Vec<_> = lines.iter().map(|line| String::from_utf8_lossy(line.as_bytes())).collect();
    let list = lines.join(", ");
    let trimmed = list.trim_matches(WHITE_SPACE);
    if trimmed == "*" {
        return Ok(None);
    }
    let mut errors = Errors::default();
    let tags = parse_list(trimmed).unwrap_or_else(|| {
        errors.add_value(header::IF_MATCH, &list, Violation::InvalidEntityTags);
        Vec::new()
    });
    errors.into_parameters()?;
    Ok(Some(tags.into_iter().filter_map(|tag| Representation::Summary.version_of(tag)).collect()))
}

/// Parses a list of at least one entity tag. It may have empty elements.
fn parse_list(list: &str) -> Option<Vec<&str>> {
    let mut rest = list;
    let mut tags = Vec::new();
    while !rest.is_empty() {
        if !rest.starts_with(',') {
            let opaque = rest.strip_prefix("W/").unwrap_or(rest).strip_prefix('"')?;
            let (opaque, after) = opaque.split_once('"')?;
            if !opaque.chars().all(is_allowed_in_tag) {
                return None;
            }
            tags.push(&rest[..rest.len() - after.len()]);
            rest = after.trim_start_matches(WHITE_SPACE);
        }
        if !rest.is_empty() {
            rest = rest.strip_prefix(',')?.trim_start_matches(WHITE_SPACE);
        }
    }
    if tags.is_empty() { None } else { Some(tags) }
}

/// Returns true if an entity tag may contain a character (RFC 9110, section 8.8.3).
fn is_allowed_in_tag(c: char) -> bool {
    matches!(c, '!' | '#'..='~') || !c.is_ascii()
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn if_match(lines: &[&'static str]) -> Result<Option<Vec<u64>>, Error> {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append(header::IF_MATCH, HeaderValue::from_static(line));
        }
        expected_versions(&request)
    }

    #[test]
    fn missing_header_is_no_precondition() {
        assert_eq!(if_match(&[]).unwrap(), None);
    }

    #[test]
    fn star_allows_any_version() {
        for lines in [&["*"][..], &[" * "]] {
            assert_eq!(if_match(lines).unwrap(), None, "{lines:?}");
        }
    }

    #[test]
    fn listed_tags_are_versions() {
        for lines in [
            &["\"summary-1-7\""][..],
            &["\"x\",\"summary-1-7\""],
            &["\"x\"", "\"summary-1-7\""],
            &[" ,, \"summary-1-7\" , "],
            &["\"x,y\"\t,\t\"summary-1-7\""],
        ] {
            assert_eq!(if_match(lines).unwrap(), Some(vec![7]), "{lines:?}");
        }
    }

    #[test]
    fn comparison_is_strong() {
        for lines in [
            &["W/\"summary-1-7\""][..],
            &["\"b\""],
            &["\"Summary-1-7\""],
            &["\"summary-1-07\""],
            &["\"summary-1-7-gzip\""],
            &["\"detail-1-7\""],
            &["\"*\""],
            &["\"\""],
            &["\"x,summary-1-7\""],
        ] {
            assert_eq!(if_match(lines).unwrap(), Some(vec![]), "{lines:?}");
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
