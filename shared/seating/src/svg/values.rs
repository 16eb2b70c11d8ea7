//! Safety of attribute values and links.

use domain::violation::DrawingError;

use super::{allow_list, syntax::is_space, truncate};

/// Validates a link that is not a raster image.
///
/// Browsers drop white space before a scheme, so none is accepted. For a `#fragment` in an `image`, they would fetch
/// the page itself.
pub fn validate_link(element: &str, link: &str) -> Result<(), DrawingError> {
    match link.strip_prefix('#') {
        Some(id) if element != "image" && id.contains('%') => Err(DrawingError::PercentEncodedId(truncate(link))),
        Some(_) if element != "image" => Ok(()),
        None if element == "image" && is_blob(link) => Ok(()),
        _ => Err(DrawingError::Link(truncate(link))),
    }
}

/// Returns true if a link is a `blob:` URL, an object of the page.
fn is_blob(link: &str) -> bool {
    let rest = link.strip_prefix("blob:");
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_graphic()))
}

/// Rejected in every attribute; a backslash could hide the other words.
const ANYWHERE: [&str; 5] = ["\\", "@", "image-set", "expression", "javascript"];
/// Rejected in CSS; a comment could hide the other words. A few gradients, columns or shadows take many seconds.
const IN_CSS: [&str; 10] =
    ["/*", "image(", "src(", "cross-fade(", "element(", "progid:", "gradient(", "column", "text-shadow", "box-shadow"];
/// Filter functions (CSS Filter Effects 1, section 6). Forty blurred groups take a browser half a minute.
const FILTERS: [&str; 10] = [
    "blur(",
    "brightness(",
    "contrast(",
    "drop-shadow(",
    "grayscale(",
    "hue-rotate(",
    "invert(",
    "opacity(",
    "saturate(",
    "sepia(",
];

/// Returns true for bytes of which every unsafe part has at least one; nearly all values, such as paths, have none.
fn is_suspicious(byte: u8) -> bool {
    matches!(byte, b'\\' | b'@' | b'/' | b'(' | b':' | b'i' | b'I' | b'o' | b'O')
}

/// Returns the part of a decoded value, a link or not, that could run code, fetch something, cover the page or take
/// long to draw.
///
/// The comparison ignores case, and white space because browsers drop it within a scheme.
pub fn unsafe_part(name: &str, value: &str) -> Option<String> {
    if !value.bytes().any(is_suspicious) {
        return None;
    }
    let value = value.to_ascii_lowercase();
    let joined: String = value.split_whitespace().collect();
    let in_css = IN_CSS.iter().chain(&FILTERS).filter(|_| allow_list::is_css(name));
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let sets_position = || name == "style" && value.split(|c| !in_word(c)).any(|word| word == "position");
    ANYWHERE
        .iter()
        .chain(in_css)
        .find(|word| joined.contains(**word))
        .map(|word| (*word).to_owned())
        .or_else(|| sets_position().then(|| "position".to_owned()))
        .or_else(|| indirect_filter(name, &joined))
        // White space before the `#` can change the URL.
        .or_else(|| [&joined, &value].into_iter().find_map(|text| external_url(text)))
        .or_else(|| image_url(name, &joined))
}

/// Returns the filter whose functions could stand in a variable or another attribute.
fn indirect_filter(name: &str, value: &str) -> Option<String> {
    let declarations =
        value.split(';').map(|text| if name == "style" { text.split_once(':') } else { Some((name, text)) });
    let mut filters = declarations.flatten().filter(|(property, _)| property.ends_with("filter"));
    filters.find(|(_, value)| value.contains("var(") || value.contains("attr(")).map(|(_, value)| truncate(value))
}

/// Returns the first `url()` that is more than a `#fragment`.
fn external_url(value: &str) -> Option<String> {
    value.match_indices("url(").map(|(at, _)| &value[at..]).find(|url| !is_fragment(&url["url(".len()..])).map(url_text)
}

/// Returns the first `url()` for which browsers expect an image.
///
/// The value is in lower case and has no white space. Where browsers expect an image, as in `cursor`, they fetch the
/// page itself for a `#fragment`.
fn image_url(name: &str, value: &str) -> Option<String> {
    let refers_to_element = |at: usize| {
        if name == "style" {
            // The property must directly precede, so no string or block can hide it.
            let declaration = value[..at].rsplit(';').next().unwrap_or_default();
            let property = declaration.strip_suffix(':').unwrap_or_default();
            allow_list::refers_to_element(property.strip_prefix("-webkit-").unwrap_or(property))
        } else {
            !allow_list::is_css(name) || allow_list::refers_to_element(name)
        }
    };
    value.match_indices("url(").find(|&(at, _)| !refers_to_element(at)).map(|(at, _)| url_text(&value[at..]))
}

/// Returns the `url()` at the start of a text, truncated.
fn url_text(text: &str) -> String {
    let end = text.find(')').map_or(text.len(), |end| end + 1);
    truncate(&text[..end])
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_parts_are_suspicious() {
        let other_parts = ["position", "url(", "var(", "attr("];
        for part in ANYWHERE.iter().chain(&IN_CSS).chain(&FILTERS).chain(&other_parts) {
            for part in [part.to_string(), part.to_uppercase()] {
                assert!(part.bytes().any(is_suspicious), "{part}");
            }
        }
    }
}
