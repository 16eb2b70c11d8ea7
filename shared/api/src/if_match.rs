//! Precondition `If-Match`: a client changes only what it has seen (RFC 9110, section 13.1.1).

use http::header::IF_MATCH;
use lambda_http::Request;
use serde::Deserialize;

use crate::{error::Error, fields::Errors, json, representation::Representation, request};
use domain::{event_change::ExpectedVersion, violation::Violation};

/// Reads the precondition of a request, as the versions of an event that the client may change.
///
/// They are those whose summary has one of the entity tags, compared strongly. Without a precondition, or with `*`, any
/// version may be changed.
///
/// # Errors
///
/// Returns `Parameters` if the header is neither `*` nor a list of entity tags.
pub fn expected_version(request: &Request) -> Result<ExpectedVersion, Error> {
    let Some(list) = request::header(request, IF_MATCH) else { return Ok(ExpectedVersion::Any) };
    // A tag may contain commas, but no quotes.
    let mut is_quoted = false;
    let separator = |c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    };
    let tags: Vec<_> = list.split(separator).map(str::trim_ascii).filter(|tag| !tag.is_empty()).collect();
    if tags == ["*"] {
        return Ok(ExpectedVersion::Any);
    }
    let mut errors = Errors::default();
    if tags.is_empty() || !tags.iter().all(|tag| is_entity_tag(tag)) {
        errors.add_value(IF_MATCH, &list, Violation::InvalidEntityTags);
    }
    errors.into_parameters()?;
    let versions = tags.into_iter().filter_map(|tag| Representation::Summary.version_of(tag));
    Ok(ExpectedVersion::OneOf(versions.collect()))
}

/// Returns true if a text is an entity tag (RFC 9110, section 8.8.3).
fn is_entity_tag(text: &str) -> bool {
    let quoted = text.strip_prefix("W/").unwrap_or(text);
    let opaque = quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    opaque.is_some_and(|opaque| opaque.chars().all(|c| matches!(c, '!' | '#'..='~') || !c.is_ascii()))
}

/// Reads the precondition (see [`expected_version`]) and the changes of a request that edits an event.
///
/// The body is a JSON object, which may have the media type of a JSON merge patch (RFC 7396).
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding`, `TooLarge`, `Parameters` and `NotJson` that applies.
pub fn precondition_and_body<'a, T: Deserialize<'a>>(request: &'a Request) -> Result<(ExpectedVersion, T), Error> {
    request::expect_media_type(request, "application/json, application/merge-patch+json")?;
    request::expect_size(request.body())?;
    Ok((expected_version(request)?, json::object(request.body())?))
}

/// Like [`precondition_and_body`], for a request whose body may be empty, which changes nothing by itself.
///
/// # Errors
///
/// Returns the first of `MediaType`, `ContentEncoding`, `TooLarge`, `Parameters` and `NotJson` that applies.
pub fn precondition_and_optional_body<'a, T: Deserialize<'a> + Default>(
    request: &'a Request,
) -> Result<(ExpectedVersion, T), Error> {
    if request.body().is_empty() {
        Ok((expected_version(request)?, T::default()))
    } else {
        precondition_and_body(request)
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn if_match(lines: &[&'static str]) -> Result<ExpectedVersion, Error> {
        let mut request = Request::default();
        for line in lines {
            request.headers_mut().append(IF_MATCH, HeaderValue::from_static(line));
        }
        expected_version(&request)
    }

    #[test]
    fn missing_header_and_star_allow_any_version() {
        for lines in [&[][..], &["*"], &[" * "]] {
            assert_eq!(if_match(lines).unwrap(), ExpectedVersion::Any, "{lines:?}");
        }
    }

    #[test]
    fn listed_tags_are_versions() {
        for lines in
            [&["\"x\",\"summary-1-7\""][..], &["\"x\"", "\"summary-1-7\""], &["\"x,y\"\t,\t\"summary-1-7\" ,, "]]
        {
            assert_eq!(if_match(lines).unwrap(), ExpectedVersion::OneOf(vec![7]), "{lines:?}");
        }
    }

    #[test]
    fn comparison_is_strong() {
        let tags =
            r#"W/"summary-1-7"|"b"|"Summary-1-7"|"summary-1-07"|"summary-1-7-gzip"|"detail-1-7"|"*"|"x,summary-1-7""#;
        for tag in tags.split('|') {
            assert_eq!(if_match(&[tag]).unwrap(), ExpectedVersion::OneOf(vec![]), "{tag}");
        }
    }

    #[test]
    fn malformed_list_is_rejected() {
        let lists = r#"| , |a|"a|a"|"a" "b"|"a"b|'a'|w/"a"|W/ "a"|"a b"|*, "a"|"a", *|**"#;
        for lines in lists.split('|').map(|list| vec![list]).chain([vec!["*", "*"]]) {
            let Err(Error::Parameters(errors)) = if_match(&lines) else { panic!("accepted: {lines:?}") };
            assert_eq!(errors.len(), 1);
            assert_eq!((&*errors[0].field, &errors[0].violation), ("if-match", &Violation::InvalidEntityTags));
        }
    }
}
