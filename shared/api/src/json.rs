//! Reading of JSON objects.

use domain::violation::Position;
use serde::Deserialize;
use serde_json::error::Category;

use crate::error::{Error, JsonError, JsonFault};

/// Media type of JSON.
pub const MEDIA_TYPE: &str = "application/json";
/// Media type of a JSON merge patch (RFC 7396).
pub const MERGE_PATCH: &str = "application/merge-patch+json";
/// Maximum depth of nesting.
pub const MAX_DEPTH: usize = 128;
/// Mark that some editors write before UTF-8.
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// Reads a JSON object whose fields may have any type; they are checked later, one by one.
///
/// # Errors
///
/// Returns `NotJson` if the bytes are not a JSON object in UTF-8; also if it is nested over 128 deep,
/// or has a lone surrogate or a known name twice.
pub fn object<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Error> {
    let text = object_text(bytes)?;
    check_depth_and_surrogates(bytes)?;
    parse(text)
}

/// Reads a JSON object like [`object`], in fewer instructions if its type knows nearly all of its values.
///
/// `known` returns the number of arrays and objects that are values of the type. They must not be nested over
/// 64 deep.
///
/// # Errors
///
/// Returns the errors of [`object`].
pub(crate) fn object_with_known<'a, T: Deserialize<'a>>(
    bytes: &'a [u8],
    known: impl FnOnce(&T) -> usize,
) -> Result<T, Error> {
    let object = parse(object_text(bytes)?)?;
    if !is_surely_shallow(bytes, known(&object)) {
        check_depth_and_surrogates(bytes)?;
    }
    Ok(object)
}

/// Returns true if the other brackets than those of known values are too few to nest a value too deep, and no
/// surrogate is escaped.
fn is_surely_shallow(json: &[u8], known: usize) -> bool {
    let brackets = json.iter().filter(|byte| matches!(byte, b'[' | b'{')).count();
    brackets <= known + MAX_DEPTH / 2 && memchr::memmem::find(json, b"\\u").is_none()
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

fn parse<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, Error> {
    let bytes = text.as_bytes();
    serde_json::from_str(text).map_err(|error| fault(bytes, offset(bytes, &error), grammar_error(&error)))
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
        // Fields have any type, so this is the only error in the data. Its text is "duplicate field `name` at …".
        Category::Data => JsonError::DuplicateName(error.to_string().split('`').nth(1).unwrap_or_default().to_owned()),
        Category::Syntax | Category::Io => JsonError::Syntax,
    }
}

/// Checks that no value is nested too deep and that no surrogate is alone.
///
/// The parser skips unknown fields and would miss both in them.
fn check_depth_and_surrogates(json: &[u8]) -> Result<(), Error> {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(found) = json[at..].iter().position(|byte| CHECKED_BYTES[usize::from(*byte)]) {
        at += found;
        match json[at] {
            b'"' => at = string_end(json, at + 1)?,
            b'{' | b'[' if depth == MAX_DEPTH => return Err(fault(json, at, JsonError::TooDeep(MAX_DEPTH))),
            b'{' | b'[' => depth += 1,
            _ => depth = depth.saturating_sub(1),
        }
        at += 1;
    }
    Ok(())
}

/// Returns the offset of the quotation mark that ends a string, or the last byte if there is none.
///
/// # Errors
///
/// Returns `NotJson` at a lone surrogate.
fn string_end(json: &[u8], mut at: usize) -> Result<usize, Error> {
    while let Some(found) = json.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += found;
        if json[at] == b'"' {
            return Ok(at);
        }
        at += escape_len(json, at).ok_or_else(|| fault(json, at, JsonError::LoneSurrogate))?;
    }
    Ok(json.len() - 1)
}

/// Bytes outside strings that start or end a value; a table, because many bytes of a request are looked up here.
const CHECKED_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut checked: &[u8] = b"\"{}[]";
    while let [byte, rest @ ..] = checked {
        table[*byte as usize] = true;
        checked = rest;
    }
    table
};

/// Returns the length of the escape at `at`, or `None` if it is a lone surrogate.
fn escape_len(json: &[u8], at: usize) -> Option<usize> {
    match escaped_unit(json, at) {
        Some(0xD800..=0xDBFF) if matches!(escaped_unit(json, at + 6), Some(0xDC00..=0xDFFF)) => Some(12),
        Some(0xD800..=0xDFFF) => None,
        _ => Some(2),
    }
}

/// Returns the UTF-16 unit of an escape such as `\uD55C` at `at`.
fn escaped_unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;

    fn read(bytes: &[u8]) -> Option<Value> {
        object(bytes).ok()
    }

    fn nested(depth: usize) -> Vec<u8> {
        let arrays = depth - 1;
        format!(r#"{{"unknown":{}{}}}"#, "[".repeat(arrays), "]".repeat(arrays)).into_bytes()
    }

    #[derive(Deserialize)]
    struct Known {
        #[serde(default)]
        known: Option<String>,
    }

    #[test]
    fn object_is_read() {
        assert_eq!(read(" \n{\"a\": [1, \"\\u0041\"]}".as_bytes()), Some(json!({"a": [1, "A"]})));
    }

    #[test]
    fn invalid_json_is_rejected() {
        for json in [
            &b""[..],
            b" ",
            b"[]",
            b"null",
            b"1",
            b"\"{}\"",
            b"{",
            b"{}{}",
            b"{a:1}",
            b"{\"a\":01}",
            b"\xef\xbb\xbf{}",
            b"{\"a\":\"\xff\"}",
            b"{\"a\":\"\n\"}",
            b"{\"a\":\"\\q\"}",
        ] {
            assert_eq!(read(json), None, "{}", String::from_utf8_lossy(json));
        }
        assert_eq!(read("[".repeat(100_000).as_bytes()), None);
        assert_eq!(read(format!("{{\"a\":{}", "[".repeat(100_000)).as_bytes()), None);
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
    fn faults_are_told_apart() {
        let euc_kr = ["{\n\"이름\": \"".as_bytes(), b"\xC7\xD1\"}"].concat();
        let duplicate = JsonError::DuplicateName("known".into());
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
            (b"{} {}", Some([1, 4]), JsonError::Syntax),
            (b"{\"a\": \"b\\uD800\"}", Some([1, 9]), JsonError::LoneSurrogate),
            (b"{\n\"known\": \"a\",\n\"known\": \"b\"}", Some([3, 7]), duplicate),
        ] {
            assert_eq!(fault_of(json), (position, error), "{}", String::from_utf8_lossy(json));
        }
    }

    #[test]
    fn nesting_over_128_is_rejected() {
        assert!(object::<Known>(&nested(128)).is_ok());
        let first_excess = "{\"unknown\":".len() + 128;
        assert_eq!(fault_of(&nested(129)), (Some([1, first_excess]), JsonError::TooDeep(128)));
    }

    #[test]
    fn lone_surrogate_is_rejected() {
        for lone in ["\\ud800", "\\udc00", "\\ud800\\ud800", "\\ud800x", "\\uD83C\\", "\\ud83c\\n"] {
            assert!(object::<Known>(format!(r#"{{"unknown":"{lone}"}}"#).as_bytes()).is_err(), "{lone}");
        }
        let pair = object::<Known>(br#"{"known":"\ud83c\udfab \\ud800 \u0041","other":"\\\ud83c\udfab"}"#);
        assert_eq!(pair.unwrap().known.as_deref(), Some("🎫 \\ud800 A"));
    }

    #[test]
    fn duplicate_name_is_rejected() {
        assert!(object::<Known>(br#"{"known":"a","known":"b"}"#).is_err());
    }

    proptest! {
        #[test]
        fn any_object_is_read(text in "\\PC*", n in any::<i32>()) {
            let value = json!({"text": text, "list": [n, null, {"deeper": true}]});
            prop_assert_eq!(read(serde_json::to_string_pretty(&value).unwrap().as_bytes()), Some(value));
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64), text in "[\\[\\]{}\":,\\\\udDcC89ab01 ]{0,64}") {
            let _ = read(&bytes);
            let _ = read(text.as_bytes());
        }
    }
}
