//! Safety of attribute values, CSS declarations and links.

use domain::violation::DrawingError;

use super::{allow_list, drawn_elements::count_numbers, edge::Edge, syntax::is_space, truncate};

/// Maximum number of dashes and gaps of a line.
const MAX_DASHES: usize = 32;

/// Returns the id that a link refers to, or `None` for a `blob:` URL; raster images are not links here.
///
/// Browsers drop white space before a scheme, so none is accepted. For a `#fragment` in an `image`, they would fetch
/// the page itself.
pub fn linked_id<'a>(element: &str, link: &'a str) -> Result<Option<&'a str>, DrawingError> {
    match link.strip_prefix('#') {
        Some(id) if element != "image" && id.contains('%') => Err(DrawingError::PercentEncodedId(truncate(link))),
        Some(id) if element != "image" && is_plain_id(id) => Ok(Some(id)),
        None if element == "image" && is_blob(link) => Ok(None),
        _ => Err(DrawingError::Link(truncate(link))),
    }
}

/// Returns true if a link is a `blob:` URL, an object of the page.
fn is_blob(link: &str) -> bool {
    let rest = link.strip_prefix("blob:");
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Returns true if a reference has no white space that only some browsers drop.
fn is_plain_id(id: &str) -> bool {
    id.trim() == id && !id.contains(['\t', '\n', '\r'])
}

/// Returns the part of a decoded value of any attribute that could run code or fetch something.
///
/// The comparison ignores case, and white space because browsers drop it within a scheme.
pub fn forbidden_part(value: &str) -> Option<String> {
    /// A backslash could hide the other words.
    const WORDS: [&str; 5] = ["\\", "@", "image-set", "expression", "javascript"];
    // Each word, and `url(`, has one of these characters; nearly all values, such as paths, have none.
    if !value.contains(['\\', '@', '(', 's', 'S']) {
        return None;
    }
    let joined: String = value.chars().filter(|c| !c.is_whitespace()).map(|c| c.to_ascii_lowercase()).collect();
    let word = WORDS.into_iter().find(|word| joined.contains(word)).map(str::to_owned);
    word.or_else(|| external_url(&joined)).or_else(|| {
        // White space before the `#` can change the URL.
        let has_space = joined.len() < value.len();
        has_space.then(|| external_url(&value.to_ascii_lowercase()))?
    })
}

/// Returns the first `url()` that is more than a `#fragment`.
fn external_url(value: &str) -> Option<String> {
    value.match_indices("url(").map(|(at, url)| &value[at + url.len()..]).find_map(|text| fragment(text).err())
}

/// Returns the id of a `url()`, from the text after its parenthesis.
fn fragment(text: &str) -> Result<&str, String> {
    let end = text.find(')').ok_or_else(|| truncate(&format!("url({}", truncate(text))))?;
    let argument = text[..end].trim_matches(is_space);
    let unquoted = ['"', '\''].into_iter().find_map(|quote| argument.strip_prefix(quote)?.strip_suffix(quote));
    let id = unquoted.unwrap_or(argument).strip_prefix('#');
    let id = id.filter(|id| !id.contains(['"', '\'', '(', '%']) && is_plain_id(id));
    id.ok_or_else(|| truncate(&format!("url({}", truncate(&text[..=end]))))
}

/// Splits declarations; all of them are complete, so no string or block hides a semicolon.
pub fn split_declarations(css: &str) -> impl Iterator<Item = &str> {
    css.split(';').map(|declaration| declaration.trim_matches(is_space)).filter(|declaration| !declaration.is_empty())
}

/// Returns the ids that a declaration refers to: one of the `style` attribute of an element, or of a `style` element.
///
/// # Errors
///
/// Returns the part that is not accepted.
pub fn declaration_references<'a>(element: Option<&str>, css: &'a str) -> Result<Vec<(Edge, &'a str)>, String> {
    let (name, value) = css.split_once(':').ok_or_else(|| truncate(css))?;
    let property = name.trim_end_matches(is_space).to_ascii_lowercase();
    let value = value.trim_start_matches(is_space);
    if !allow_list::is_style_property(&property) {
        return Err(truncate(&property));
    }
    let count = |c: char| value.matches(c).count();
    let is_complete = count('(') == count(')') && count('\'') % 2 == 0 && count('"') % 2 == 0;
    if value.is_empty() || !is_complete || value.contains(['{', '}', '[', ']']) {
        return Err(truncate(css));
    }
    if !allow_list::is_layout_accepted(element, &property, value) {
        return Err(property);
    }
    property_references(&property, value)
}

/// Returns the ids that a property refers to; the name is in lower case.
///
/// # Errors
///
/// Returns the part of the value that is not accepted.
pub fn property_references<'a>(property: &str, value: &'a str) -> Result<Vec<(Edge, &'a str)>, String> {
    let edge = allow_list::edge(property);
    if property == "stroke-dasharray" && count_numbers(value) > MAX_DASHES {
        return Err(property.to_owned());
    }
    if value.contains("/*") {
        return Err("/*".to_owned());
    }
    // Then a reference would apply to more elements than the one that has it.
    if edge == Some(Edge::Mask) && value.to_ascii_lowercase().contains("inherit") {
        return Err("inherit".to_owned());
    }
    let mut references = Vec::new();
    let mut rest = value;
    while let Some(at) = rest.find(['(', '"', '\'']) {
        let (before, opening, after) = (&rest[..at], &rest[at..=at], &rest[at + 1..]);
        let past = |end: &str| after.split_once(end).map_or("", |(_, past)| past);
        let name = function_name(before);
        rest = match (opening, name.as_str()) {
            ("(", "url") => {
                let id = fragment(after)?;
                references.push((edge.ok_or_else(|| truncate(&format!("url(#{id})")))?, id));
                past(")")
            }
            ("(", name) if !allow_list::is_function(name, after) => return Err(truncate(&format!("{name}("))),
            ("(", _) => after,
            (quote, _) => past(quote),
        };
    }
    Ok(references)
}

/// Returns the name at the end of a text, in lower case.
fn function_name(before: &str) -> String {
    let is_in_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_') || !c.is_ascii();
    let before = before.trim_end_matches(is_space);
    before[before.trim_end_matches(is_in_name).len()..].to_ascii_lowercase()
}
