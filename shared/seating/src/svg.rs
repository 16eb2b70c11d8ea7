//! Safety rules for drawings, `totalMap` and `areaMap`.
//!
//! Pages insert a drawing as `innerHTML`, and XML tools open it as a file. So a drawing must be inert to
//! both: it has only listed names and values, and XML and HTML parsers agree which parts are text and
//! which are markup. It is never changed. The rules are those of the interface's fields `totalMap` and
//! `areaMap`. Well-formedness follows XML 1.0 (Fifth Edition), Namespaces in XML 1.0 and, for HTML,
//! "Parsing HTML documents" of the HTML Standard.

pub(super) mod allow_list;
#[cfg(any(test, feature = "fuzzing"))]
pub mod cross_check;
mod references;

use domain::violation::DrawingError;
use quick_xml::{
    Reader,
    events::{BytesStart, Event},
};

use references::Element;
pub use references::{MAX_DRAWN_ELEMENTS, References};

/// Validates a drawing and returns its references.
///
/// If the first character other than white space is `<`, the text is an SVG document or fragment.
/// Any other text is a URL or path. The text is read once. In addition to it, memory holds only the names
/// of open elements (at most [`MAX_DEPTH`]), the attributes of one element, and the ids.
///
/// # Errors
///
/// Returns the first [`DrawingError`] in the order of the text.
pub fn read(text: &str) -> Result<References, DrawingError> {
    if text.trim_start().starts_with('<') {
        let references = validate_markup(text)?;
        if references.drawn_elements() > MAX_DRAWN_ELEMENTS {
            Err(DrawingError::TooManyElements)
        } else {
            Ok(references)
        }
    } else {
        validate_url(text).map(|()| References::default())
    }
}

/// Maximum nesting depth of elements; the root is the first level.
pub const MAX_DEPTH: usize = 100;

/// Maximum number of attributes of an element, with namespace declarations.
///
/// The search for duplicates takes quadratic time.
const MAX_ATTRIBUTES: usize = 256;

/// Maximum number of characters of a name in a [`DrawingError`].
const MAX_NAME: usize = 64;

fn validate_markup(text: &str) -> Result<References, DrawingError> {
    let mut reader = Reader::from_str(text);
    let mut open: Vec<&str> = Vec::new();
    let mut references = References::default();
    let mut parts: Vec<usize> = Vec::new();
    let mut root_seen = false;
    loop {
        let start = reader.buffer_position();
        let malformed = || DrawingError::NotWellFormed { line: line_at(text, start) };
        let event = reader.read_event().map_err(|_| malformed())?;
        match &event {
            Event::Start(tag) | Event::Empty(tag) => {
                let name = tag.name().into_inner();
                if open.is_empty() {
                    if root_seen || !matches!(name, "svg" | "g") {
                        return Err(DrawingError::Root);
                    }
                    root_seen = true;
                }
                let element = listed_element(name, &open)?;
                let counted = validate_attributes(element, tag, malformed)?;
                let part = references.add_element(parts.last().copied().unwrap_or(0), counted);
                if matches!(event, Event::Start(_)) {
                    open.push(element);
                    parts.push(part);
                } else if element == "title" && !open.contains(&"svg") {
                    // Outside `<svg>`, HTML continues the title up to a `</title>`.
                    return Err(DrawingError::MarkupInText(element.to_owned()));
                }
            }
            Event::End(_) => {
                open.pop();
                parts.pop();
            }
            Event::Text(content) if open.is_empty() => {
                if !content.chars().all(is_space) {
                    return Err(DrawingError::Root);
                }
            }
            Event::GeneralRef(_) if open.is_empty() => return Err(DrawingError::Root),
            Event::Text(content) => {
                if content.contains("]]>") || !content.chars().all(is_xml_char) {
                    return Err(malformed());
                }
            }
            Event::GeneralRef(name) => {
                resolve(name).ok_or_else(malformed)?;
            }
            Event::Comment(comment) => validate_comment(comment, &open)?,
            Event::Decl(declaration) if start == 0 => {
                if !is_declaration(declaration) {
                    return Err(malformed());
                }
            }
            Event::Decl(_) | Event::PI(_) => return Err(DrawingError::ProcessingInstruction),
            Event::DocType(_) => return Err(DrawingError::Doctype),
            Event::CData(_) => return Err(DrawingError::CData),
            Event::Eof if !open.is_empty() => return Err(malformed()),
            Event::Eof if !root_seen => return Err(DrawingError::Root),
            Event::Eof => return Ok(references),
        }
    }
}

/// Returns the listed name of an element that the open elements may contain.
fn listed_element(name: &str, open: &[&str]) -> Result<&'static str, DrawingError> {
    if open.len() >= MAX_DEPTH {
        return Err(DrawingError::TooDeep);
    }
    let element = allow_list::element(name).ok_or_else(|| DrawingError::Element(truncate(name)))?;
    reject_in_text_element(open)?;
    Ok(element)
}

/// Rejects a malformed comment, and one that an HTML parser could end elsewhere or read as text.
fn validate_comment(comment: &str, open: &[&str]) -> Result<(), DrawingError> {
    reject_in_text_element(open)?;
    if comment.contains(['<', '>'])
        || comment.contains("--")
        || comment.ends_with('-')
        || !comment.chars().all(is_xml_char)
    {
        return Err(DrawingError::Comment);
    }
    Ok(())
}

/// Rejects markup directly in `title` and `desc`.
///
/// HTML reads a `title` as text up to its end tag, and allows HTML elements in a `desc`.
fn reject_in_text_element(open: &[&str]) -> Result<(), DrawingError> {
    match open.last() {
        Some(&element @ ("title" | "desc")) => Err(DrawingError::MarkupInText(element.to_owned())),
        _ => Ok(()),
    }
}

/// Validates the attributes of a tag and returns the element to count.
fn validate_attributes(
    element: &str,
    tag: &BytesStart,
    malformed: impl Fn() -> DrawingError,
) -> Result<Element, DrawingError> {
    let mut seen: Vec<&str> = Vec::new();
    let mut counted = Element::new(element);
    for attribute in attributes(tag.attributes_raw()) {
        let (name, raw) = attribute.ok_or_else(&malformed)?;
        if seen.contains(&name) {
            return Err(malformed());
        }
        if seen.len() >= MAX_ATTRIBUTES {
            return Err(DrawingError::TooManyAttributes(element.to_owned()));
        }
        seen.push(name);
        let value = decode(raw).ok_or_else(&malformed)?;
        validate_attribute(element, name, &value)?;
        counted.add_attribute(name, &value);
    }
    Ok(counted)
}

fn validate_attribute(element: &str, name: &str, value: &str) -> Result<(), DrawingError> {
    if let Some(prefix) = name.strip_prefix("xmlns") {
        if !is_namespace(prefix, value) {
            return Err(DrawingError::Namespace(truncate(name)));
        }
    } else if !allow_list::is_attribute(name) {
        return Err(DrawingError::Attribute(truncate(name)));
    }
    if matches!(name, "href" | "xlink:href") && !is_link(element, value) {
        return Err(DrawingError::Link(name.to_owned()));
    }
    if !is_inert(name, value) {
        return Err(DrawingError::Value(truncate(name)));
    }
    Ok(())
}

/// Returns true if a namespace may be declared; `prefix` is the attribute name after `xmlns`.
///
/// Prefixes of drawing tools are harmless, because no listed name uses them.
fn is_namespace(prefix: &str, namespace: &str) -> bool {
    match prefix.strip_prefix(':') {
        None => prefix.is_empty() && namespace == "http://www.w3.org/2000/svg",
        Some("xlink") => namespace == "http://www.w3.org/1999/xlink",
        Some(prefix) => {
            is_ascii_name(prefix)
                && !prefix.starts_with("xml")
                && !matches!(namespace, "" | "http://www.w3.org/XML/1998/namespace" | "http://www.w3.org/2000/xmlns/")
        }
    }
}

/// Returns true if a link stays within the drawing.
///
/// Browsers drop white space before a scheme, so none is accepted. For a `#fragment` in an `image`, they
/// would fetch the page itself.
fn is_link(element: &str, link: &str) -> bool {
    is_raster(link) || if element == "image" { is_blob(link) } else { is_id(link) }
}

/// Returns true if a link is a `#fragment` without percent encoding.
fn is_id(link: &str) -> bool {
    link.strip_prefix('#').is_some_and(|id| !id.contains('%'))
}

/// Returns true if a link is a `blob:` URL, an object of the page.
fn is_blob(link: &str) -> bool {
    let rest = link.strip_prefix("blob:");
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Returns true if a link is a raster image in base64.
///
/// White space in the base64 is allowed, because drawing tools wrap lines.
fn is_raster(link: &str) -> bool {
    const TYPES: [&str; 5] = ["png", "jpeg", "jpg", "gif", "webp"];
    let base64 = link
        .strip_prefix("data:image/")
        .and_then(|rest| rest.split_once(";base64,"))
        .filter(|(subtype, _)| TYPES.contains(subtype))
        .map_or("", |(_, base64)| base64)
        .trim_end_matches(|c| c == '=' || is_space(c));
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/') || is_space(c);
    !base64.is_empty() && base64.chars().all(is_base64)
}

/// Returns true if a decoded value, a link or not, cannot run code, fetch anything or cover the page.
///
/// The comparison ignores case, and white space because browsers drop it within a scheme.
fn is_inert(name: &str, value: &str) -> bool {
    /// Rejected in every attribute; a backslash could hide the other words.
    const ANYWHERE: [&str; 5] = ["\\", "@", "image-set", "expression", "javascript"];
    /// Rejected in CSS; a comment could hide the other words.
    const IN_CSS: [&str; 6] = ["/*", "image(", "src(", "cross-fade(", "element(", "progid:"];
    let value = value.to_ascii_lowercase();
    let joined: String = value.split_whitespace().collect();
    let contains_any = |words: &[&str]| words.iter().any(|word| joined.contains(word));
    let has_banned_word = contains_any(&ANYWHERE) || (allow_list::is_css(name) && contains_any(&IN_CSS));
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let sets_position = name == "style" && value.split(|c| !in_word(c)).any(|word| word == "position");
    // White space before the `#` can change the URL.
    let has_local_urls = |text: &str| text.split("url(").skip(1).all(is_fragment);
    !has_banned_word
        && !sets_position
        && has_local_urls(&joined)
        && has_local_urls(&value)
        && only_refers_to_elements(name, &joined)
}

/// Returns true if browsers expect an element for each `url()` of a value.
///
/// The value is in lower case and has no white space. Where browsers expect an image, as in `cursor`,
/// they fetch the page itself for a `#fragment`.
fn only_refers_to_elements(name: &str, value: &str) -> bool {
    value.match_indices("url(").all(|(at, _)| {
        if name == "style" {
            // The property must directly precede, so no string or block can hide it.
            let declaration = value[..at].rsplit(';').next().unwrap_or_default();
            let property = declaration.strip_suffix(':').unwrap_or_default();
            allow_list::refers_to_element(property.strip_prefix("-webkit-").unwrap_or(property))
        } else {
            !allow_list::is_css(name) || allow_list::refers_to_element(name)
        }
    })
}

/// Returns true if a text starts with the argument of a `url()` that is only a `#fragment`, quoted or not.
fn is_fragment(text: &str) -> bool {
    let argument = text.split_once(')').map_or("", |(argument, _)| argument.trim_matches(is_space));
    let unquoted = ['"', '\''].into_iter().find_map(|quote| {
        let start = argument.strip_prefix(quote)?;
        start.strip_suffix(quote)
    });
    let fragment = unquoted.unwrap_or(argument).strip_prefix('#');
    fragment.is_some_and(|id| !id.contains(['"', '\'', '(', '%']))
}

/// Validates a URL or path.
///
/// A colon ends a scheme only after characters of a scheme (RFC 3986, section 3.1), so not after a slash.
fn validate_url(text: &str) -> Result<(), DrawingError> {
    // A page may insert the text into an attribute, where `&colon;` is a colon.
    let beginning = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_unsafe = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\\u{feff}".contains(c);
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if text.contains(is_unsafe) || beginning.contains('&') || (is_scheme && !is_web) {
        return Err(DrawingError::UnsafeUrl);
    }
    Ok(())
}

/// Splits the rest of a tag or declaration, after its name, into attribute names and raw values.
///
/// The first malformed attribute is returned as `None` and ends the iteration.
pub(super) fn attributes(text: &str) -> impl Iterator<Item = Option<(&str, &str)>> {
    let mut rest = text.trim_end_matches(is_space);
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let attribute = split_attribute(rest);
        rest = attribute.map_or("", |(.., rest)| rest);
        Some(attribute.map(|(name, value, _)| (name, value)))
    })
}

/// Splits off the first attribute and returns its name, its raw value and the rest.
///
/// White space must precede the attribute.
fn split_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let attribute = text.strip_prefix(is_space)?;
    let (name, value) = attribute.split_once('=')?;
    let name = name.trim_matches(is_space);
    let value = value.trim_start_matches(is_space);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, rest) = value.strip_prefix(quote)?.split_once(quote)?;
    (!name.contains(is_space)).then_some((name, value, rest))
}

/// Returns true if the content of `<?xml ...?>` is well-formed and its encoding is safe.
///
/// A safe encoding reads ASCII bytes as UTF-8 does. In others, such as UTF-7, text could become markup.
fn is_declaration(content: &str) -> bool {
    const ENCODINGS: [&str; 5] = ["utf-8", "us-ascii", "iso-8859-1", "windows-1252", "euc-kr"];
    let content = content.strip_prefix("xml").unwrap_or_default();
    let Some(fields) = attributes(content).take(4).collect::<Option<Vec<_>>>() else {
        return false;
    };
    let [("version", "1.0"), fields @ ..] = fields.as_slice() else {
        return false;
    };
    let (encoding, fields) = match fields {
        [("encoding", encoding), rest @ ..] => (*encoding, rest),
        _ => ("utf-8", fields),
    };
    ENCODINGS.contains(&encoding.to_ascii_lowercase().as_str()) && matches!(fields, [] | [("standalone", "yes" | "no")])
}

/// Decodes the raw value of an attribute; returns `None` if it is malformed.
pub(super) fn decode(raw: &str) -> Option<String> {
    if raw.contains('<') || !raw.chars().all(is_xml_char) {
        return None;
    }
    let mut parts = raw.split('&');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (name, text) = part.split_once(';')?;
        decoded.push(resolve(name)?);
        decoded.push_str(text);
    }
    Some(decoded)
}

/// Resolves an entity or character reference, without its `&` and `;`, if XML and HTML agree on it.
///
/// These are XML's five entities, `&nbsp;`, and the number of any character that XML allows and HTML does
/// not read as Windows-1252.
fn resolve(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some('\u{a0}'),
        _ => {
            let number = name.strip_prefix('#')?;
            let (digits, radix) = match number.strip_prefix('x') {
                Some(digits) => (digits, 16),
                None => (number, 10),
            };
            // `from_str_radix` would accept a sign.
            if !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            let code = u32::from_str_radix(digits, radix).ok()?;
            char::from_u32(code).filter(|&c| is_xml_char(c) && !(0x80..0xa0).contains(&code))
        }
    }
}

/// Returns true if XML allows the character (production `Char`).
fn is_xml_char(c: char) -> bool {
    is_space(c) || !matches!(c, '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// Returns true if the character is white space in XML (production `S`).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

fn is_ascii_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

fn truncate(name: &str) -> String {
    name.chars().take(MAX_NAME).collect()
}

/// Returns the line number, from 1, of a byte of the text.
fn line_at(text: &str, offset: u64) -> usize {
    let before = (0..offset).zip(text.bytes());
    1 + before.filter(|&(_, byte)| byte == b'\n').count()
}

#[cfg(test)]
mod tests;
