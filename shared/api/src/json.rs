//! Reading and joining of JSON objects.

use serde::Deserialize;

use crate::error::Error;

/// Media type of JSON.
pub const MEDIA_TYPE: &str = "application/json";
/// Maximum depth of nesting.
pub const MAX_DEPTH: usize = 128;

/// Reads a JSON object whose fields may have any type; they are checked later, one by one.
///
/// # Errors
///
/// Returns `NotJson` if the bytes are not a JSON object in UTF-8; also if it is nested over 128 deep,
/// or has a lone surrogate or a known name twice.
pub fn object<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, Error> {
    let text = std::str::from_utf8(bytes).map_err(|_| Error::NotJson)?;
    if !text.trim_ascii_start().starts_with('{') || !has_valid_depth_and_surrogates(bytes) {
        return Err(Error::NotJson);
    }
    serde_json::from_str(text).map_err(|_| Error::NotJson)
}

/// Checks that no value is nested too deep and that no surrogate is alone.
///
/// The parser skips unknown fields and would miss both in them.
fn has_valid_depth_and_surrogates(json: &[u8]) -> bool {
    let (mut depth, mut at) = (0_usize, 0);
    while let Some(&byte) = json.get(at) {
        at += 1;
        match byte {
            b'{' | b'[' => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return false;
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => match end_of_string(json, at) {
                Some(end) => at = end,
                None => return false,
            },
            _ => {}
        }
    }
    true
}

/// Returns the end of the string whose content begins at `at`.
fn end_of_string(json: &[u8], mut at: usize) -> Option<usize> {
    loop {
        at += memchr::memchr2(b'"', b'\\', json.get(at..)?)?;
        if json[at] == b'"' {
            return Some(at + 1);
        }
        match escaped_unit(json, at) {
            Some(0xD800..=0xDBFF) => {
                let low = escaped_unit(json, at + 6)?;
                if !(0xDC00..=0xDFFF).contains(&low) {
                    return None;
                }
                at += 12;
            }
            Some(0xDC00..=0xDFFF) => return None,
            _ => at += 2,
        }
    }
}

/// Returns the UTF-16 unit of an escape such as `\uD55C` at `at`.
fn escaped_unit(json: &[u8], at: usize) -> Option<u16> {
    let digits = json.get(at..at + 6)?.strip_prefix(b"\\u")?;
    u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
}

/// Joins JSON values into an array.
#[must_use]
pub fn array(values: &[String]) -> String {
    ["[", &values.join(","), "]"].concat()
}

/// Appends a member to a non-empty JSON object.
#[must_use]
pub fn with_member(object: &str, name: &str, value: &str) -> String {
    let start = object.strip_suffix('}').unwrap_or(object);
    [start, ",\"", name, "\":", value, "}"].concat()
}

/// Appends the members of one non-empty JSON object to those of another.
#[must_use]
pub fn merge(object: &str, more: &str) -> Option<String> {
    let (start, end) = (object.strip_suffix('}')?, more.strip_prefix('{')?);
    Some([start, ",", end].concat())
}

/// Removes the white space between the tokens of a JSON value.
#[must_use]
pub fn compact(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for c in json.chars() {
        if in_string {
            in_string = escaped || c != '"';
            escaped = c == '\\' && !escaped;
        } else if c.is_ascii_whitespace() {
            continue;
        } else {
            in_string = c == '"';
        }
        compact.push(c);
    }
    compact
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

    #[test]
    fn nesting_over_128_is_rejected() {
        assert!(object::<Known>(&nested(128)).is_ok());
        assert!(object::<Known>(&nested(129)).is_err());
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

    #[test]
    fn compact_keeps_strings() {
        assert_eq!(compact("{ \"a b\" : [ 1 ,\n \"\\\" \\\\\" , 1.0 ] }"), "{\"a b\":[1,\"\\\" \\\\\",1.0]}");
    }

    proptest! {
        #[test]
        fn compact_keeps_value(text in "\\PC*", n in any::<i32>()) {
            let value = json!({"text": text, "list": [n, null, {"deeper": true}]});
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(read(pretty.as_bytes()), Some(value.clone()));
            prop_assert_eq!(compact(&pretty), value.to_string());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..64), text in "[\\[\\]{}\":,\\\\udDcC89ab01 ]{0,64}") {
            let _ = read(&bytes);
            let _ = read(text.as_bytes());
            let _ = compact(&text);
        }
    }
}
