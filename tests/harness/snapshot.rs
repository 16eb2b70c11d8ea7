//! Readable text for inline snapshots.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::AttributeValue;
use domain::hold::Taken;
use serde_json::{Value, json};
use storage::seats::seat_state_bytes::decode;
use uuid::Uuid;

/// Maximum width of a line, if its JSON can be split.
const WIDTH: usize = 110;
/// Characters of a refresh token.
const REFRESH_TOKEN: usize = 70;
/// Characters of a token of a mail.
const MAIL_TOKEN: usize = 87;
const ID: usize = uuid::fmt::Hyphenated::LENGTH;

/// Lays out JSON without spaces: what fits is on one line. Order and notation stay.
pub(crate) fn layout(json: &str) -> String {
    indented(json, 0)
}

fn indented(json: &str, indent: usize) -> String {
    let spaced = parts(json, [',', ':'], true).join(" ").trim_end().to_owned();
    if !json.starts_with(['{', '[']) || indent + spaced.chars().count() <= WIDTH {
        return spaced;
    }
    let (json, end) = json.strip_suffix(',').map_or((json, ""), |json| (json, ","));
    let mut lines: Vec<String> = Vec::new();
    for element in parts(&json[1..json.len() - 1], [',', ','], false) {
        let value = if json.starts_with('{') { element.find("\":").map_or(0, |end| end + 2) } else { 0 };
        let (key, value) = element.split_at(value);
        let space = if key.is_empty() { "" } else { " " };
        let element = format!("{key}{space}{}", indented(value, indent + 2));
        match lines.last_mut() {
            // Several short values are on one line, but not several objects.
            Some(line) if !line.ends_with("},") && fits(line, &element, indent + 2) => {
                line.push(' ');
                line.push_str(&element);
            }
            _ => lines.push(element),
        }
    }
    let lines: Vec<_> = lines.iter().map(|line| format!("{:1$}{line}\n", "", indent + 2)).collect();
    let lines = lines.concat();
    format!("{}\n{lines}{:indent$}{}{end}", &json[..1], "", &json[json.len() - 1..])
}

fn fits(line: &str, element: &str, indent: usize) -> bool {
    !line.contains('\n') && !element.contains('\n') && indent + line.chars().count() + element.chars().count() < WIDTH
}

/// Splits JSON after these separators outside texts, either everywhere or only at the top level.
fn parts(json: &str, separators: [char; 2], is_deep: bool) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut in_text, mut escaped) = (Vec::new(), 0, 0, false, false);
    for (index, c) in json.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            '{' | '[' => depth += 1,
            '}' | ']' => depth -= 1,
            _ if separators.contains(&c) && (is_deep || depth == 0) => {
                parts.push(&json[start..=index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(&json[start..]);
    parts
}

/// Replaces ids and texts of [`crate::sample::unique`] by names in order: `[id1]`, `[id2]`, `[text1]`.
#[must_use]
pub fn named(text: &str) -> String {
    let mut names = HashMap::<&str, String>::new();
    let mut counts = [0, 0];
    let (mut output, mut rest) = (String::new(), text);
    while let Some(c) = rest.chars().next() {
        let id = rest.get(..ID).filter(|id| id.as_bytes()[8] == b'-' && Uuid::try_parse(id).is_ok());
        let unique = rest.get(..10).filter(|text| {
            text.starts_with('u') && text[1..].bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
        });
        let token = token(rest);
        if !token.is_empty() && !output.ends_with(is_of_token) {
            output.push_str(match token.len() {
                REFRESH_TOKEN => "[refresh token]",
                MAIL_TOKEN => "[mail token]",
                _ => "[access token]",
            });
            rest = &rest[token.len()..];
            continue;
        }
        let Some(found) = id.or(unique) else {
            output.push(c);
            rest = &rest[c.len_utf8()..];
            continue;
        };
        let (kind, index) = if id.is_some() { ("id", 0) } else { ("text", 1) };
        let name = names.entry(found).or_insert_with(|| {
            counts[index] += 1;
            format!("[{kind}{}]", counts[index])
        });
        output.push_str(name);
        rest = &rest[found.len()..];
    }
    output
}

/// Returns the access or refresh token with which a text begins; empty if it does not.
fn token(text: &str) -> &str {
    let end = text.find(|c| !is_of_token(c)).unwrap_or(text.len());
    let is_jwt = text.starts_with("eyJ") && text[..end].matches('.').count() == 2;
    if end == REFRESH_TOKEN || end == MAIL_TOKEN || is_jwt { &text[..end] } else { "" }
}

fn is_of_token(c: char) -> bool {
    c.is_ascii_alphanumeric() || "-_.".contains(c)
}

/// Shortens a text over a length to its beginning and its number of characters, and escapes invisible characters.
pub(crate) fn shortened(text: &str, max: usize) -> String {
    let escaped = |c: char| match c.escape_debug().len() {
        1 => c.to_string(),
        _ if "\"'\\".contains(c) => c.to_string(),
        _ => c.escape_debug().to_string(),
    };
    let length = text.chars().count();
    let shown = if length > max { 10 } else { max };
    let text: String = text.chars().take(shown).map(escaped).collect();
    if length > shown { format!("{text}… ({length})") } else { text }
}

/// Converts an attribute to JSON, without its random parts.
///
/// `now` is the time before the request, in seconds.
pub(crate) fn attribute(name: &str, value: &AttributeValue, now: u64) -> Value {
    match value {
        AttributeValue::N(number) if name == "expiresAt" || name == "until" => {
            lifetime(number.parse::<u64>().unwrap_or(0), now).into()
        }
        AttributeValue::N(number) if is_now(number, now) => "[now]".into(),
        AttributeValue::N(number) => number.parse::<serde_json::Number>().map_or(Value::Null, Value::Number),
        AttributeValue::B(bytes) => match (bytes.as_ref(), decode(bytes.as_ref())) {
            (_, Some(Taken::Held { until, .. })) => format!("held {}", lifetime(until, now)).into(),
            (_, Some(Taken::Sold { .. })) => "sold".into(),
            (_, Some(Taken::Blocked { .. })) => "blocked".into(),
            // Seats of a hold, and until when.
            ([seats, until @ ..], None) if until.len() == 4 => {
                format!("{seats} {}", if until == [0; 4] { "sold" } else { "held" }).into()
            }
            (bytes, None) => format!("[{} bytes]", bytes.len()).into(),
        },
        AttributeValue::L(list) => list.iter().map(|value| attribute("", value, now)).collect(),
        AttributeValue::Bool(flag) => Value::Bool(*flag),
        AttributeValue::M(map) => object(map, now),
        AttributeValue::S(text) => match name {
            "password" => format!("{}$[hash]", text.rsplitn(3, '$').last().unwrap_or(text)).into(),
            "fingerprint" | "secret" => "[hash]".into(),
            _ => shortened(text, 100).into(),
        },
        other => json!(format!("{other:?}")),
    }
}

/// Returns true for a time within the last minute, in seconds or milliseconds.
fn is_now(number: &str, now: u64) -> bool {
    number.parse().is_ok_and(|time: u64| [time, time / 1_000].iter().any(|time| time.abs_diff(now) < 60))
}

/// Returns the name of an attribute; that of a hold is its id, which must not decide the order.
pub(crate) fn shown(name: &str) -> String {
    if Uuid::try_parse(name).is_ok() { format!("hold {name}") } else { name.to_owned() }
}

/// Converts attributes to a JSON object.
pub(crate) fn object(attributes: &HashMap<String, AttributeValue>, now: u64) -> Value {
    attributes.iter().map(|(name, value)| (shown(name), attribute(name, value, now))).collect()
}

/// Returns the time until an item expires, rounded to minutes.
fn lifetime(expires: u64, now: u64) -> String {
    let minutes = (expires.saturating_sub(now) + 30) / 60;
    match minutes {
        _ if minutes > 1_000 * 24 * 60 => "[in years]".to_owned(),
        _ if minutes > 0 && minutes.is_multiple_of(24 * 60) => format!("[in {} days]", minutes / (24 * 60)),
        _ => format!("[in {minutes} minutes]"),
    }
}
