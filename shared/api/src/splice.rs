//! JSON texts that are joined or shortened without parsing them.

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
