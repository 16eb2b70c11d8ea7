//! JSON Schemas of values, for the description of the interface.

use std::{fmt::Write as _, ops::RangeInclusive};

/// Describes a type, under a name, by keywords of JSON Schema; those that are not given are those of another type.
#[macro_export]
macro_rules! described {
    ($type:ty as $name:expr, $(like $other:ty,)? { $($keywords:tt)* }) => {
        impl schemars::JsonSchema for $type {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                #[allow(unused_mut, reason = "only some types are like another one")]
                let mut schema = schemars::json_schema!({ $($keywords)* });
                $(
                    for (keyword, value) in <$other>::json_schema(_generator).ensure_object() {
                        schema.ensure_object().entry(keyword.as_str()).or_insert_with(|| value.clone());
                    }
                )?
                schema
            }
        }
    };
}

/// Returns the content of a class of characters in a pattern.
///
/// Dialects of patterns agree neither on classes such as `\s` nor on characters above U+FFFF.
pub fn class(is_in: impl Fn(char) -> bool) -> String {
    let mut ranges: Vec<RangeInclusive<u32>> = Vec::new();
    for c in ('\0'..='\u{ffff}').filter(|c| is_in(*c)).map(u32::from) {
        match ranges.last_mut() {
            Some(range) if *range.end() + 1 == c => *range = *range.start()..=c,
            _ => ranges.push(c..=c),
        }
    }
    let mut class = String::new();
    for range in ranges {
        let _ = write!(class, "\\u{:04X}", range.start());
        if range.start() != range.end() {
            let _ = write!(class, "-\\u{:04X}", range.end());
        }
    }
    class
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn class_has_ranges_and_single_characters() {
        assert_eq!(class(|c| matches!(c, 'a'..='c' | 'x' | '가')), r"\u0061-\u0063\u0078\uAC00");
        assert_eq!(class(char::is_control), r"\u0000-\u001F\u007F-\u009F");
    }
}
