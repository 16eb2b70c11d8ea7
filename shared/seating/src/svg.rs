//! What a venue's drawing, `totalMap` or `areaMap`, may hold.
//!
//! Pages set a drawing as `innerHTML` and XML tools open it as a file, so a
//! drawing is kept only when it is inert to both: it holds nothing but listed
//! names and values, and no spelling that an XML parser and an HTML parser
//! split into text and markup differently. It is never rewritten. The rules are
//! those of the interface's fields `totalMap` and `areaMap`; what is well-formed
//! is taken from XML 1.0 (Fifth Edition), Namespaces in XML 1.0 and, for the
//! HTML side, "Parsing HTML documents" of the HTML Standard.

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

/// Accepts a drawing and gives its references, or says why it is refused.
///
/// Text that starts with `<`, white space aside, is taken as an SVG document or
/// fragment, and all other text as a URL or path. The text is read once; beside
/// it no more is held than the names of the open elements, at most
/// [`MAX_DEPTH`], one element's attributes, and the ids.
///
/// # Errors
///
/// Gives the first [`DrawingError`] met, in the order of the text.
pub fn read(text: &str) -> Result<References, DrawingError> {
    if text.trim_start().starts_with('<') {
        let references = read_markup(text)?;
        if references.drawn_elements() > MAX_DRAWN_ELEMENTS {
            Err(DrawingError::TooManyElements)
        } else {
            Ok(references)
        }
    } else {
        check_url(text).map(|()| References::default())
    }
}

/// How deep elements may nest, the root being the first level.
pub const MAX_DEPTH: usize = 100;

/// How many attributes an element may carry, namespace declarations included;
/// looking for duplicates takes the square of it.
const MAX_ATTRIBUTES: usize = 256;

/// Maximum number of characters of a name that a [`DrawingError`] repeats.
const MAX_ECHO: usize = 64;

/// Reads a document or fragment, event by event.
fn read_markup(text: &str) -> Result<References, DrawingError> {
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
                let element = check_element(name, &open)?;
                let counted = read_attributes(element, tag, malformed)?;
                let part = references.element(parts.last().copied().unwrap_or(0), counted);
                if matches!(event, Event::Start(_)) {
                    open.push(element);
                    parts.push(part);
                } else if element == "title" && !open.contains(&"svg") {
                    // Outside of `<svg>`, HTML reads on for `</title>`.
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
            Event::Comment(comment) => check_comment(comment, &open)?,
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

/// Gives the listed name of an element that may stand within the open ones.
fn check_element(name: &str, open: &[&str]) -> Result<&'static str, DrawingError> {
    if open.len() >= MAX_DEPTH {
        return Err(DrawingError::TooDeep);
    }
    let element = allow_list::element(name).ok_or_else(|| DrawingError::Element(echo(name)))?;
    check_text_only(open)?;
    Ok(element)
}

/// Refuses a comment that is not well-formed, or that an HTML parser could end
/// elsewhere or read as text.
fn check_comment(comment: &str, open: &[&str]) -> Result<(), DrawingError> {
    check_text_only(open)?;
    if comment.contains(['<', '>'])
        || comment.contains("--")
        || comment.ends_with('-')
        || !comment.chars().all(is_xml_char)
    {
        return Err(DrawingError::Comment);
    }
    Ok(())
}

/// Refuses anything but text where the innermost open element is `title`, which
/// HTML reads as text up to its end tag, or `desc`, where HTML elements start.
fn check_text_only(open: &[&str]) -> Result<(), DrawingError> {
    match open.last() {
        Some(&element @ ("title" | "desc")) => Err(DrawingError::MarkupInText(element.to_owned())),
        _ => Ok(()),
    }
}

/// Checks the attributes of an element's tag, and gives what is counted of it.
fn read_attributes(
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
        check_attribute(element, name, &value)?;
        counted.attribute(name, &value);
    }
    Ok(counted)
}

/// Checks an attribute whose value is decoded.
fn check_attribute(element: &str, name: &str, value: &str) -> Result<(), DrawingError> {
    if let Some(prefix) = name.strip_prefix("xmlns") {
        if !is_namespace(prefix, value) {
            return Err(DrawingError::Namespace(echo(name)));
        }
    } else if !allow_list::is_attribute(name) {
        return Err(DrawingError::Attribute(echo(name)));
    }
    if matches!(name, "href" | "xlink:href") && !is_link(element, value) {
        return Err(DrawingError::Link(name.to_owned()));
    }
    if !is_inert(name, value) {
        return Err(DrawingError::Value(echo(name)));
    }
    Ok(())
}

/// Says whether a namespace may be declared, `prefix` being what follows
/// `xmlns` in the attribute's name. A prefix of a drawing tool's own is
/// harmless, as no listed name bears it.
fn is_namespace(prefix: &str, namespace: &str) -> bool {
    match prefix.strip_prefix(':') {
        None => prefix.is_empty() && namespace == "http://www.w3.org/2000/svg",
        Some("xlink") => namespace == "http://www.w3.org/1999/xlink",
        Some(prefix) => {
            is_ascii_name(prefix)
                && !prefix.starts_with("xml")
                && !matches!(
                    namespace,
                    "" | "http://www.w3.org/XML/1998/namespace" | "http://www.w3.org/2000/xmlns/"
                )
        }
    }
}

/// Says whether a link stays within the drawing. Browsers drop white space
/// ahead of a scheme, so none is accepted there. For the picture of an `image`,
/// which is no element, they would fetch the page itself.
fn is_link(element: &str, link: &str) -> bool {
    is_raster(link) || if element == "image" { is_blob(link) } else { is_id(link) }
}

/// Says whether a link is to an element by its id, spelt as the element has it.
fn is_id(link: &str) -> bool {
    link.strip_prefix('#').is_some_and(|id| !id.contains('%'))
}

/// Says whether a link is to an object that the page made.
fn is_blob(link: &str) -> bool {
    let rest = link.strip_prefix("blob:");
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Says whether a link is a raster image in base64. White space may break the
/// base64, as drawing tools wrap it.
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

/// Says whether a decoded value, link or not, can neither run nor fetch nor
/// cover the page. White space is left out of the comparison, as browsers drop
/// it within a scheme, and so is the case of letters.
fn is_inert(name: &str, value: &str) -> bool {
    /// Refused in every attribute; a backslash hides the others from a search.
    const ANYWHERE: [&str; 5] = ["\\", "@", "image-set", "expression", "javascript"];
    /// Refused where CSS is read; a comment hides the others from a search.
    const IN_CSS: [&str; 6] = ["/*", "image(", "src(", "cross-fade(", "element(", "progid:"];
    let value = value.to_ascii_lowercase();
    let joined: String = value.split_whitespace().collect();
    let holds = |words: &[&str]| words.iter().any(|word| joined.contains(word));
    let is_banned = holds(&ANYWHERE) || (allow_list::is_css(name) && holds(&IN_CSS));
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let is_placed = name == "style" && value.split(|c| !in_word(c)).any(|word| word == "position");
    // White space before the `#` can make another URL of it.
    let is_local = |text: &str| text.split("url(").skip(1).all(is_fragment);
    !is_banned && !is_placed && is_local(&joined) && is_local(&value) && refers_to_elements(name, &joined)
}

/// Says whether each `url()` of a value, which is in lower case and without
/// white space, stands where browsers look for an element. Where they look for
/// a picture, as in a `cursor`, they fetch the page itself for a `#fragment`.
fn refers_to_elements(name: &str, value: &str) -> bool {
    value.match_indices("url(").all(|(at, _)| {
        if name == "style" {
            // The property stands right before, with no string or block between them to hide in.
            let declaration = value[..at].rsplit(';').next().unwrap_or_default();
            let property = declaration.strip_suffix(':').unwrap_or_default();
            allow_list::is_referring(property.strip_prefix("-webkit-").unwrap_or(property))
        } else {
            !allow_list::is_css(name) || allow_list::is_referring(name)
        }
    })
}

/// Says whether the argument of a `url()`, which starts the text, is nothing
/// but a `#fragment`, quoted or not.
fn is_fragment(text: &str) -> bool {
    let argument = text.split_once(')').map_or("", |(argument, _)| argument.trim_matches(is_space));
    let unquoted = ['"', '\''].into_iter().find_map(|quote| {
        let start = argument.strip_prefix(quote)?;
        start.strip_suffix(quote)
    });
    let fragment = unquoted.unwrap_or(argument).strip_prefix('#');
    fragment.is_some_and(|id| !id.contains(['"', '\'', '(', '%']))
}

/// Checks text that is no markup. A colon after anything but a scheme's
/// characters (RFC 3986, section 3.1), such as a slash, ends no scheme.
fn check_url(text: &str) -> Result<(), DrawingError> {
    // A page may write the text into an attribute, where `&colon;` is a colon.
    let beginning = text.split(['/', '?', '#']).next().unwrap_or_default();
    let is_refused = |c: char| c.is_whitespace() || c.is_control() || "<>\"'`\\\u{feff}".contains(c);
    let scheme = text.split_once(':').map_or("", |(scheme, _)| scheme);
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if text.contains(is_refused) || beginning.contains('&') || (is_scheme && !is_web) {
        return Err(DrawingError::UnsafeUrl);
    }
    Ok(())
}

/// Splits what follows the name in a tag or declaration into attribute names
/// and raw values; `None` stands for the first that is malformed.
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

/// Takes the first attribute, with the white space that has to precede it, off
/// the text and gives its name, its raw value and the rest.
fn split_attribute(text: &str) -> Option<(&str, &str, &str)> {
    let attribute = text.strip_prefix(is_space)?;
    let (name, value) = attribute.split_once('=')?;
    let name = name.trim_matches(is_space);
    let value = value.trim_start_matches(is_space);
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let (value, rest) = value.strip_prefix(quote)?.split_once(quote)?;
    (!name.contains(is_space)).then_some((name, value, rest))
}

/// Says whether the content of `<?xml ...?>` is of the shape XML asks for, with
/// an encoding in which ASCII bytes mean what they do in UTF-8: in another one,
/// UTF-7 say, a file's text could be read as markup.
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
    ENCODINGS.contains(&encoding.to_ascii_lowercase().as_str())
        && matches!(fields, [] | [("standalone", "yes" | "no")])
}

/// Decodes an attribute's raw value, or gives nothing when it is malformed.
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

/// Resolves a reference, given without its `&` and `;`, if XML and HTML agree
/// on it: one of XML's five entities, `&nbsp;`, or the number of a character
/// that XML allows and HTML does not read as Windows-1252.
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
            // Parsing alone would take a sign.
            if !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            let code = u32::from_str_radix(digits, radix).ok()?;
            char::from_u32(code).filter(|&c| is_xml_char(c) && !(0x80..0xa0).contains(&code))
        }
    }
}

/// Says whether XML allows the character (production `Char`).
fn is_xml_char(c: char) -> bool {
    is_space(c) || !matches!(c, '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}')
}

/// Says whether XML takes the character as white space (production `S`).
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// Says whether the text is a name without colon, in ASCII.
fn is_ascii_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
}

/// Cuts a name of the drawing for a [`DrawingError`].
fn echo(name: &str) -> String {
    name.chars().take(MAX_ECHO).collect()
}

/// Gives the line, from 1, of a byte of the text.
fn line_at(text: &str, offset: u64) -> usize {
    let before = (0..offset).zip(text.bytes());
    1 + before.filter(|&(_, byte)| byte == b'\n').count()
}

#[cfg(test)]
mod tests;
