//! Schemas of single values, with the limits of the domain.

use std::sync::LazyLock;

use domain::{
    coordinate::Coordinate,
    decimal::grouped,
    email, event, idempotency, instant, member,
    poster::{self, Format},
    price::Price,
    search::MAX_QUERY,
    text::{is_control_in_paragraph, is_invisible},
};
use seating::seat_map::{MAX_DRAWING_BYTES, MAX_POSITION, MAX_SEATS};
use serde_json::{Value, json};

/// Pattern of a text that is not blank and has no control characters.
static LINE: LazyLock<String> = LazyLock::new(|| pattern(char::is_control));
/// Pattern like [`LINE`] that also allows line breaks and tabs.
static PARAGRAPH: LazyLock<String> = LazyLock::new(|| pattern(is_control_in_paragraph));

/// Description of [`instant`].
const INSTANT_RULE: &str = "Number: epoch seconds with at most nine decimals. String: ISO 8601 with an offset and at most nine decimals, \
                            from 1970 to 9999.";

/// Pattern of a time in a request, from 1970 to 9999 and without leap seconds.
const INSTANT: &str = r"^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$";

/// Pattern of epoch seconds in a query, until the year 9892.
const EPOCH_SECONDS: &str = r"^(0|[1-9][0-9]{0,10}|1[0-9]{11}|2[0-4][0-9]{10})(\.[0-9]{1,9})?$";

/// Pattern of a time in a response.
const TIME: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.([0-9]{3}){1,3})?Z$";

/// Pattern of a UUID of version 4, 7 or 8 in a response.
pub const UUID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[478][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/// Builds the pattern of a text that is not blank and has none of these characters.
fn pattern(is_forbidden: fn(char) -> bool) -> String {
    let forbidden = class(is_forbidden);
    let invisible = class(|c| is_forbidden(c) || is_invisible(c));
    format!("^[^{forbidden}]*[^{invisible}][^{forbidden}]*$")
}

/// Lists the ranges of such characters for a pattern, up to U+FFFF.
///
/// Dialects of patterns agree neither on classes such as `\s` nor on characters above U+FFFF.
fn class(is_listed: impl Fn(char) -> bool) -> String {
    let listed: Vec<_> = ('\0'..='\u{ffff}').filter(|c| is_listed(*c)).map(u32::from).collect();
    let ranges = listed.chunk_by(|one, next| one + 1 == *next);
    ranges
        .map(|range| match range {
            [first, .., last] => format!("\\u{first:04X}-\\u{last:04X}"),
            _ => format!("\\u{:04X}", range[0]),
        })
        .collect()
}

fn text(max: usize, pattern: &str, description: &str) -> Value {
    json!({
        "type": "string",
        "minLength": 1,
        "maxLength": max,
        "pattern": pattern,
        "description": description,
    })
}

/// Builds the schema of a text on one line.
pub fn line(max: usize) -> Value {
    text(max, &LINE, "Not blank, no control characters.")
}

/// Builds the schema of a text with line breaks.
pub fn paragraph(max: usize) -> Value {
    text(max, &PARAGRAPH, "Not blank, no control characters except line breaks and tabs.")
}

/// Builds the schema of an e-mail address.
pub fn email() -> Value {
    let rule = "Domains are compared after IDNA (UTS 46, non-transitional), the rest without regard to case.";
    let mut schema = text(email::MAX_CHARS, &LINE, rule);
    schema["format"] = json!("email");
    schema
}

/// Builds the schema of a nickname.
pub fn nickname() -> Value {
    let rule = "Comparison ignores case, and white space and invisible characters at both ends, and follows Unicode \
                normalization (NFKC). Not blank, no control characters.";
    text(member::MAX_NICKNAME, &LINE, rule)
}

/// Builds the schema of a password.
pub fn password(max: usize) -> Value {
    let rule = "Compared in Unicode normalization form C (NFC). Not blank, no control characters.";
    let mut schema = text(max, &LINE, rule);
    schema["format"] = json!("password");
    schema
}

/// Builds the schema of an id in a response.
pub fn id() -> Value {
    json!({ "type": "string", "format": "uuid" })
}

/// Builds the schema of a time in a request.
pub fn instant() -> Value {
    json!({
        "description": INSTANT_RULE,
        "oneOf": [
            { "type": "number", "minimum": 0, "exclusiveMaximum": instant::LAST_SECOND + 1 },
            { "type": "string", "format": "date-time", "pattern": INSTANT },
        ],
    })
}

/// Builds the schema of a time in a query, where every value is a text.
pub fn instant_in_query() -> Value {
    json!({
        "type": "string",
        "description": INSTANT_RULE,
        "anyOf": [
            { "pattern": EPOCH_SECONDS },
            { "format": "date-time", "pattern": INSTANT },
        ],
    })
}

/// Builds the schema of a time in a response.
pub fn time() -> Value {
    json!({
        "type": "string",
        "format": "date-time",
        "pattern": TIME,
        "description": "ISO 8601 in UTC, with 0, 3, 6 or 9 decimals.",
    })
}

/// Builds the schema of a price.
pub fn price() -> Value {
    json!({
        "type": "number",
        "minimum": 0,
        "maximum": Price::MAX.hundredths() / 100,
        "multipleOf": 0.01,
        "description": "Exact, with at most two decimals.",
    })
}

/// Builds the schema of a coordinate.
pub fn coordinate() -> Value {
    #[expect(clippy::cast_possible_truncation, reason = "the limit is a million")]
    let max = Coordinate::MAX as i64;
    json!({ "type": "number", "minimum": -max, "maximum": max })
}

/// Builds the schema of a row, or of the number of a seat in its row.
pub fn position() -> Value {
    json!({ "type": "integer", "minimum": 0, "maximum": MAX_POSITION })
}

/// Builds the schema of a drawing.
pub fn drawing() -> Value {
    let description = format!(
        "An SVG document or fragment with the root `<svg>` or `<g>`, or a URL or path. It may hold metadata of drawing \
         tools, and style rules for generated classes such as `.st0`. Scripts, event handlers, animation, filters, \
         embedded fonts, HTML and external resources are rejected; `errors` lists every fault with its line and \
         character. Embedded images are PNG, JPEG, GIF or WebP. Stored unchanged. All drawings of an event together \
         have at most {} bytes. `docs/drawings.md` has the settings of drawing tools.",
        grouped(MAX_DRAWING_BYTES)
    );
    json!({
        "type": "string",
        "format": "drawing",
        "minLength": 1,
        "maxLength": MAX_DRAWING_BYTES,
        "description": description,
    })
}

/// Builds the schema of a poster's file name.
pub fn thumbnail() -> Value {
    let formats = [Format::Jpeg, Format::Png, Format::Gif, Format::WebP].map(Format::extension);
    json!({
        "type": "string",
        "pattern": format!("^{UUID}(-{UUID})?\\.({})$", formats.join("|")),
        "description": "File name of the poster, served at `/upload/<thumbnail>`.",
    })
}

/// Builds the schema of the show dates in a request.
pub fn shows() -> Value {
    json!({
        "type": "array",
        "items": instant(),
        "minItems": 1,
        "maxItems": event::MAX_SHOWS,
        "uniqueItems": true,
        "description": format!("They must be distinct. {INSTANT_RULE}"),
    })
}

/// Describes the rules of the seats in a request.
pub fn seats_rule() -> String {
    format!(
        "May be empty. The pairs of `row` and `number` must be distinct. All areas together have at most {} seats.",
        grouped(MAX_SEATS)
    )
}

/// Builds the schema of the query of a search.
pub fn query() -> Value {
    json!({
        "type": "string",
        "minLength": 1,
        "maxLength": MAX_QUERY,
        "pattern": format!("[^{}]", class(is_invisible)),
        "description": "Not blank.",
    })
}

/// Builds the schema of an idempotency key.
pub fn idempotency_key() -> Value {
    text(idempotency::MAX_LENGTH, "^[!-~]+$", "Visible ASCII characters.")
}

/// Builds the schema of a poster.
pub fn poster() -> Value {
    let description = format!(
        "Poster: a JPEG, PNG, GIF or WebP image, recognized by its content. At most {} bytes, {} pixels a side \
         and {} pixels in all.",
        grouped(poster::MAX_BYTES),
        grouped(poster::MAX_SIDE),
        grouped(poster::MAX_PIXELS)
    );
    json!({ "type": "string", "format": "binary", "description": description })
}
