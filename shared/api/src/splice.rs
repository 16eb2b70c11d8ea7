//! JSON texts that are joined or shortened without parsing them.

/// Appends a member to a non-empty JSON object.
pub(crate) fn with_member(object: &str, name: &str, value: &str) -> String {
    [unclosed(object), ",\"", name, "\":", value, "}"].concat()
}

/// Appends an array of JSON values as a member to a non-empty JSON object.
pub(crate) fn with_array(object: &str, name: &str, values: &[String]) -> String {
    let start = [unclosed(object), ",\"", name, "\":["].concat();
    // Copied only once, since a page has up to a megabyte.
    let mut json = String::with_capacity(start.len() + values.iter().map(|value| value.len() + 1).sum::<usize>() + 2);
    json.push_str(&start);
    json.extend(values.iter().flat_map(|value| [value, ","]));
    if !values.is_empty() {
        json.pop();
    }
    json.push_str("]}");
    json
}

/// Returns a JSON object without its last brace.
pub(crate) fn unclosed(object: &str) -> &str {
    object.strip_suffix('}').unwrap_or(object)
}

/// Appends the members of one non-empty JSON object to those of another.
pub(crate) fn merge(object: &str, more: &str) -> Option<String> {
    let (start, end) = (object.strip_suffix('}')?, more.strip_prefix('{')?);
    Some([start, ",", end].concat())
}

/// Removes the white space between the tokens of a JSON value.
pub(crate) fn compact(json: &str) -> String {
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
    use serde_json::json;

    use super::*;

    #[test]
    fn array_is_appended() {
        let values = |count: usize| (0..count).map(|value| value.to_string()).collect::<Vec<_>>();
        for (count, json) in [(0, r#"{"a":1,"b":[]}"#), (1, r#"{"a":1,"b":[0]}"#), (3, r#"{"a":1,"b":[0,1,2]}"#)] {
            assert_eq!(with_array("{\"a\":1}", "b", &values(count)), json);
        }
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
            prop_assert_eq!(compact(&pretty), value.to_string());
        }

        #[test]
        fn arbitrary_text_never_panics(text in "[\\[\\]{}\":,\\\\udDcC89ab01 ]{0,64}") {
            let _ = compact(&text);
        }
    }
}
