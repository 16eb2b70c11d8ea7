//! Safety rules for drawings, `totalMap` and `areaMap`.
//!
//! Pages insert a drawing as `innerHTML`, and XML tools open it as a file. So a drawing must be inert to
//! both: it has only listed names and values, and XML and HTML parsers agree which parts are text and
//! which are markup. It is never changed. The rules are those of the interface's fields `totalMap` and
//! `areaMap`. Well-formedness follows XML 1.0 (Fifth Edition), Namespaces in XML 1.0 and, for HTML,
//! "Parsing HTML documents" of the HTML Standard.

pub mod allow_list;
#[cfg(test)]
mod cross_check;
mod drawn_elements;
mod edge;
mod images;
mod markup;
mod namespaces;
mod style_sheet;
mod syntax;
mod values;

use domain::{
    text,
    violation::{DrawingError, DrawingFault},
};

pub use drawn_elements::{DrawnElements, MAX_DRAWN_ELEMENTS, References};

/// Validates a drawing and returns its references; the limit of drawn elements is that of a whole event.
///
/// If the first character other than white space and a byte order mark is `<`, the text is an SVG document or
/// fragment. Any other text is a URL or path. The time is linear in the length of the text.
///
/// # Errors
///
/// Returns every [`DrawingFault`] in the order of the text, at most [`MAX_FAULTS`]. Faults after malformed XML, or
/// within elements and CSS rules that must be removed as a whole, are not among them. A circular reference is reported
/// only if there is no other fault.
pub fn read(text: &str) -> Result<References, Vec<DrawingFault>> {
    let content = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start_matches(syntax::is_space);
    if content.trim_start().starts_with('<') {
        return markup::validate(text, text.len() - content.len());
    }
    match validate_url(text) {
        Ok(()) => Ok(References::default()),
        Err(error) => Err(vec![DrawingFault { position: None, error }]),
    }
}

/// Maximum nesting depth of elements; the root is the first level.
pub const MAX_DEPTH: usize = 100;

/// Maximum number of faults that are reported for one drawing.
pub const MAX_FAULTS: usize = 100;

/// Maximum number of attributes of an element, with namespace declarations.
const MAX_ATTRIBUTES: usize = 256;

/// Maximum number of characters of a name or part in a [`DrawingError`].
const MAX_NAME: usize = 64;

/// Validates a URL or path.
///
/// A colon ends a scheme only after characters of a scheme (RFC 3986, section 3.1), so not after a slash.
fn validate_url(url: &str) -> Result<(), DrawingError> {
    // A page may insert the text into an attribute, where `&colon;` is a colon.
    let beginning = url.split(['/', '?', '#']).next().unwrap_or_default();
    let is_unsafe = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\\u{feff}".contains(c);
    let (scheme, rest) = url.split_once(':').unwrap_or(("", url));
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let has_host = !matches!(rest.trim_start_matches('/').chars().next(), None | Some('?' | '#'));
    let names_nothing = (is_web || url.starts_with("//")) && !has_host;
    if url.contains(is_unsafe)
        || url.starts_with(text::is_invisible)
        || beginning.contains('&')
        || (is_scheme && !is_web)
        || names_nothing
    {
        return Err(DrawingError::UnsafeUrl);
    }
    Ok(())
}

fn truncate(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

#[cfg(test)]
mod tests;
