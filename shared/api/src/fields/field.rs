//! JSON value of a field, as sent.

use std::{borrow::Cow, fmt, marker::PhantomData};

use domain::text::is_blank;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{
    Deserialize, Deserializer,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use super::{
    Errors,
    declared::{Declared, Nullable, Optional, OrBlank},
};

/// JSON value of a field: of any type, as sent, or missing.
///
/// Its declared type `D` is that of valid values. The `OpenAPI` document describes the field by it, and only values of
/// this type can be read from the field.
pub struct Field<'a, D = ()> {
    json: Option<&'a RawValue>,
    declared: PhantomData<fn() -> D>,
}

// Derived implementations would be limited to types `D` that have them, too.
impl<D> Clone for Field<'_, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<D> Copy for Field<'_, D> {}

impl<D> Default for Field<'_, D> {
    fn default() -> Self {
        Self::new(None)
    }
}

impl<D> fmt::Debug for Field<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.json.fmt(f)
    }
}

impl<'de: 'a, 'a, D> Deserialize<'de> for Field<'a, D> {
    /// Reads a value that is present; also null is one.
    fn deserialize<T: Deserializer<'de>>(deserializer: T) -> Result<Self, T::Error> {
        Deserialize::deserialize(deserializer).map(|json| Self::new(Some(json)))
    }
}

impl<D: Declared> JsonSchema for Field<'_, D> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        D::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        D::schema(generator)
    }
}

/// Content of a field.
pub(super) enum Content<'a> {
    /// Missing, null, a blank text or an empty array.
    Empty,
    Text(Cow<'a, str>),
    Number(&'a str),
    Array(&'a str),
    Object(&'a str),
    Boolean(bool),
}

/// Text that is copied only if it has escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'a, D> Field<'a, D> {
    fn new(json: Option<&'a RawValue>) -> Self {
        Self { json, declared: PhantomData }
    }

    /// Returns the same value of a field with another declared type.
    pub(super) fn declared_as<E>(self) -> Field<'a, E> {
        Field::new(self.json)
    }

    /// Returns nothing if a text has a lone surrogate, which the grammar of JSON does not exclude.
    pub(super) fn content(self) -> Option<Content<'a>> {
        let json = self.json().unwrap_or("null");
        Some(match json.as_bytes()[0] {
            b'"' => match serde_json::from_str(json).ok()? {
                Text(text) if is_blank(&text) => Content::Empty,
                Text(text) => Content::Text(text),
            },
            b'[' if self.is_empty_array() => Content::Empty,
            b'[' => Content::Array(json),
            b'{' => Content::Object(json),
            b't' => Content::Boolean(true),
            b'f' => Content::Boolean(false),
            b'n' => Content::Empty,
            _ => Content::Number(json),
        })
    }

    /// Returns true if the field is there; also null is a value.
    #[must_use]
    pub fn is_present(self) -> bool {
        self.json.is_some()
    }

    /// Returns the field, with null as its value if it is missing, so that it is required.
    #[must_use]
    pub fn or_null(self) -> Self {
        Self::new(Some(self.json.unwrap_or(RawValue::NULL)))
    }

    /// Returns the value as sent, if there is one.
    fn json(self) -> Option<&'a str> {
        self.json.map(RawValue::get)
    }

    pub(super) fn is_empty(self) -> bool {
        matches!(self.content(), Some(Content::Empty))
    }

    pub(super) fn is_blank_text(self) -> bool {
        self.is_empty() && self.json().is_some_and(|json| json.starts_with('"'))
    }

    pub(super) fn is_empty_array(self) -> bool {
        let inside = self.json().and_then(|json| json.strip_prefix('[')?.strip_suffix(']'));
        inside.is_some_and(|inside| inside.trim_ascii().is_empty())
    }

    /// Returns the value for an error: a text as sent, anything else as compact JSON.
    pub(super) fn echo(self) -> String {
        match self.json() {
            None | Some("null") => String::new(),
            Some(text) if text.starts_with('"') => serde_json::from_str(text).unwrap_or_default(),
            Some(_) if self.is_empty_array() => String::new(),
            Some(json) => compact(json),
        }
    }
}

impl<'a, D> Field<'a, Optional<D>> {
    /// Returns the field if it is present, so that its value must be valid.
    #[must_use]
    pub fn present(self) -> Option<Field<'a, D>> {
        self.is_present().then(|| self.declared_as())
    }
}

impl<'a, D> Field<'a, Nullable<D>> {
    /// Returns the field if it is present and not null.
    #[must_use]
    pub fn not_null(self) -> Option<Field<'a, D>> {
        (self.json() != Some("null") && self.is_present()).then(|| self.required())
    }

    /// Returns the field as one that must not be missing.
    #[must_use]
    pub fn required(self) -> Field<'a, D> {
        self.declared_as()
    }
}

impl<D> Field<'_, OrBlank<D>> {
    /// Returns true if the field is missing, null or blank.
    #[must_use]
    pub fn is_blank(self) -> bool {
        self.is_empty()
    }

    /// Returns the field if it is present.
    #[must_use]
    pub fn present(self) -> Option<Self> {
        self.is_present().then_some(self)
    }
}

/// Returns the beginning of a JSON value, without white space between its tokens.
fn compact(json: &str) -> String {
    let (mut in_string, mut escaped) = (false, false);
    let is_kept = |c: &char| {
        let is_kept = in_string || !c.is_ascii_whitespace();
        in_string = if in_string { escaped || *c != '"' } else { *c == '"' };
        escaped = in_string && *c == '\\' && !escaped;
        is_kept
    };
    json.chars().filter(is_kept).take(Errors::MAX_ECHO).collect()
}

/// Returns the first items of an array, and skips the others, so that memory is limited.
pub(super) fn first_items<D>(array: &str, count: usize) -> Vec<Field<'_, D>> {
    let visitor = FirstItems { count, declared: PhantomData };
    serde_json::Deserializer::from_str(array).deserialize_seq(visitor).unwrap_or_default()
}

struct FirstItems<D> {
    count: usize,
    declared: PhantomData<fn() -> D>,
}

impl<'de, D> Visitor<'de> for FirstItems<D> {
    type Value = Vec<Field<'de, D>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<Self::Value, S::Error> {
        let mut items = Vec::new();
        while items.len() < self.count
            && let Some(item) = sequence.next_element()?
        {
            items.push(item);
        }
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_is_kept_in_strings() {
        assert_eq!(compact("{ \"a b\" : [ 1 ,\n \"\\\" \\\\\" , 1.0 ] }"), "{\"a b\":[1,\"\\\" \\\\\",1.0]}");
    }
}
