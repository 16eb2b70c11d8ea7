//! Reading of JSON objects.

use domain::violation::Position;
use serde::Deserialize;
use serde_json::error::Category;

use crate::error::{Error, JsonError, JsonFault};

/// Media type of JSON.
pub const MEDIA_TYPE: &str = "application/json";
/// Mark that some editors write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a JSON object whose fields may have any type; they are checked later, one by one.
///
/// Unknown fields must be JSON by grammar, and are skipped without recursion.
///
/// # Errors
///
/// Returns `NotJson` if the bytes are not a JSON object in UTF-8, or if it has a known name twice.
pub fn object<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Error> {
    let text = object_text(bytes)?;
    serde_json::from_str(text).map_err(|error| fault(bytes, offset(bytes, &error), grammar_error(&error)))
}

/// Returns a text that starts like a JSON object.
fn object_text(bytes: &[u8]) -> Result<&str, Error> {
    if bytes.starts_with(BYTE_ORDER_MARK) {
        return Err(fault(bytes, 0, JsonError::ByteOrderMark));
    }
    let text = std::str::from_utf8(bytes).map_err(|error| fault(bytes, error.valid_up_to(), JsonError::NotUtf8))?;
    let object = text.trim_ascii_start();
    if object.is_empty() {
        return Err(Error::not_json(JsonError::Empty));
    }
    if !object.starts_with('{') {
        return Err(fault(bytes, bytes.len() - object.len(), JsonError::NotAnObject));
    }
    Ok(text)
}

fn fault(bytes: &[u8], offset: usize, error: JsonError) -> Error {
    Error::NotJson(JsonFault { position: Some(position(bytes, offset)), error })
}

/// Returns the place of the byte at an offset; columns are counted in characters.
fn position(bytes: &[u8], offset: usize) -> Position {
    let before = &bytes[..offset];
    let line_start = memchr::memrchr(b'\n', before).map_or(0, |end| end + 1);
    Position {
        line: 1 + memchr::memchr_iter(b'\n', before).count(),
        column: 1 + String::from_utf8_lossy(&before[line_start..]).chars().count(),
    }
}

/// Returns the offset of the byte at which the parser failed; it counts columns in bytes.
fn offset(bytes: &[u8], error: &serde_json::Error) -> usize {
    let earlier_lines = bytes.split_inclusive(|byte| *byte == b'\n').take(error.line().saturating_sub(1));
    let line_start: usize = earlier_lines.map(<[u8]>::len).sum();
    (line_start + error.column()).saturating_sub(1)
}

fn grammar_error(error: &serde_json::Error) -> JsonError {
    match error.classify() {
        Category::Eof => JsonError::Truncated,
        // Fields have any type, so this is the only error in the data.
        Category::Data => JsonError::DuplicateName(duplicate_name(error)),
        Category::Syntax | Category::Io => JsonError::Syntax,
    }
}

/// Returns the name in an error whose text is "duplicate field `name` at …".
pub(crate) fn duplicate_name(error: &serde_json::Error) -> String {
    error.to_string().split('`').nth(1).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[derive(Deserialize)]
    struct Known {
        #[serde(default)]
        known: Option<String>,
    }

    /// Returns the line and column of the fault in a body, if it has a place, and the broken rule.
    fn fault_of(bytes: &[u8]) -> (Option<[usize; 2]>, JsonError) {
        match object::<Known>(bytes) {
            Err(Error::NotJson(JsonFault { position, error })) => {
                (position.map(|Position { line, column }| [line, column]), error)
            }
            _ => panic!("{} is valid", String::from_utf8_lossy(bytes)),
        }
    }

    #[test]
    fn object_is_read() {
        let value: Value = object(" \n{\"a\": [1, \"\\u0041\"]}".as_bytes()).unwrap();
        assert_eq!(value, json!({"a": [1, "A"]}));
    }

    #[test]
    fn invalid_json_is_rejected() {
        let euc_kr = ["{\n\"이름\": \"".as_bytes(), b"\xC7\xD1\"}"].concat();
        for (json, position, error) in [
            (&b""[..], None, JsonError::Empty),
            (b" \n ", None, JsonError::Empty),
            (b"\xEF\xBB\xBF{}", Some([1, 1]), JsonError::ByteOrderMark),
            (b"\xFF\xFE{\0}\0", Some([1, 1]), JsonError::NotUtf8),
            (&euc_kr, Some([2, 8]), JsonError::NotUtf8),
            (b" [1]", Some([1, 2]), JsonError::NotAnObject),
            (b"\nnull", Some([2, 1]), JsonError::NotAnObject),
            (b"{\"a\":", Some([1, 5]), JsonError::Truncated),
            (b"{\"a\": \"b", Some([1, 8]), JsonError::Truncated),
            (b"{\n  \"a\": 1,\n}", Some([3, 1]), JsonError::Syntax),
            ("{\"이름\": '철수'}".as_bytes(), Some([1, 8]), JsonError::Syntax),
            ("{\"a\": 가}".as_bytes(), Some([1, 7]), JsonError::Syntax),
            (b"{\"a\":\"\\q\"}", Some([1, 8]), JsonError::Syntax),
            (b"{} {}", Some([1, 4]), JsonError::Syntax),
            (format!("{{\"a\":{}", "[".repeat(100_000)).as_bytes(), Some([1, 100_005]), JsonError::Truncated),
        ] {
            assert_eq!(fault_of(json), (position, error), "{:.40}", String::from_utf8_lossy(json));
        }
    }

    #[test]
    fn duplicate_name_is_rejected() {
        let (position, error) = fault_of(b"{\n\"known\": \"a\",\n\"known\": \"b\"}");
        assert_eq!((position, error), (Some([3, 7]), JsonError::DuplicateName("known".into())));
    }

    #[test]
    fn unknown_fields_are_skipped_at_any_depth() {
        let nested = |depth: usize| format!(r#"{{"unknown":{}{}}}"#, "[".repeat(depth), "]".repeat(depth));
        assert!(object::<Known>(nested(1_000_000).as_bytes()).is_ok());
        let other = object::<Known>(br#"{"other":"\ud800","known":"\ud83c\udfab \\ud800 \u0041"}"#).unwrap();
        assert_eq!(other.known.as_deref(), Some("🎫 \\ud800 A"));
    }
}
