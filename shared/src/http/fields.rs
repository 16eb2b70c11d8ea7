//! The fields of a request, and the errors found in them.

use std::{borrow::Cow, fmt::Display};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::json;
use crate::domain::{
    error::Error,
    instant::Instant,
    text::is_blank,
    violation::{FieldError, Violation},
};

/// One JSON value, as it was sent; of any type, or missing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

/// What a field holds.
enum Sent<'a> {
    /// Nothing: it is missing, null, a blank text or an empty array.
    Nothing,
    Text(Cow<'a, str>),
    Number(&'a str),
    Array(&'a str),
    Object(&'a str),
    Boolean,
}

impl<'a> Field<'a> {
    fn sent(self) -> Sent<'a> {
        let json = self.0.map_or("null", RawValue::get);
        match json.as_bytes().first() {
            Some(b'"') => match serde_json::from_str::<Text>(json) {
                Ok(Text(text)) if !is_blank(&text) => Sent::Text(text),
                _ => Sent::Nothing,
            },
            Some(b'[') if is_empty_array(json) => Sent::Nothing,
            Some(b'[') => Sent::Array(json),
            Some(b'{') => Sent::Object(json),
            Some(b't' | b'f') => Sent::Boolean,
            Some(b'n') | None => Sent::Nothing,
            Some(_) => Sent::Number(json),
        }
    }

    /// What an error says was sent: a text as it is, anything else as compact JSON.
    fn echo(self) -> String {
        let json = self.0.map_or("", RawValue::get);
        if json.starts_with('"') {
            return serde_json::from_str(json).unwrap_or_default();
        }
        match self.sent() {
            Sent::Nothing => String::new(),
            _ => json::compact(json),
        }
    }
}

fn is_empty_array(json: &str) -> bool {
    let inside = json.strip_prefix('[').and_then(|json| json.strip_suffix(']'));
    inside.is_some_and(|inside| inside.trim_ascii().is_empty())
}

/// A text that is copied only where it has escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Collects every error in the fields of a request, in the order in which they are read.
#[derive(Debug, Default)]
pub struct Errors(Vec<FieldError>);

/// What reads one value from a text or from a number in JSON notation.
pub type Parse<T> = fn(&str) -> Result<T, Vec<Violation>>;

impl Errors {
    /// The most errors that are told.
    pub const MAX: usize = 100;
    /// The most characters that are told of what was sent.
    pub const MAX_ECHO: usize = 1_000;

    /// Reads a text.
    pub fn text<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        let parsed = match field.sent() {
            Sent::Nothing => Err(vec![Violation::Required]),
            Sent::Text(text) => parse(&text),
            _ => Err(vec![Violation::NotText]),
        };
        self.keep(name, field, parsed)
    }

    /// Reads a number.
    pub fn number<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        let parsed = match field.sent() {
            Sent::Nothing => Err(vec![Violation::Required]),
            Sent::Number(json) => parse(json),
            _ => Err(vec![Violation::NotANumber]),
        };
        self.keep(name, field, parsed)
    }

    /// Reads a time: a number of epoch seconds or an ISO 8601 text.
    pub fn instant(&mut self, name: impl Display, field: Field) -> Option<Instant> {
        let parsed = match field.sent() {
            Sent::Nothing => Err(vec![Violation::Required]),
            Sent::Number(json) => Instant::from_number(json),
            Sent::Text(text) => Instant::from_text(&text),
            _ => Err(vec![Violation::Instant]),
        };
        self.keep(name, field, parsed)
    }

    /// Reads an array of at least one and at most `max` entries.
    pub fn items<'a>(&mut self, name: impl Display, field: Field<'a>, max: usize) -> Option<Vec<Field<'a>>> {
        let parsed = match field.sent() {
            Sent::Nothing => Err(vec![Violation::Required]),
            Sent::Array(json) => match serde_json::from_str::<Vec<Field>>(json) {
                Ok(items) if items.len() <= max => Ok(items),
                Ok(_) => Err(vec![Violation::TooMany(max)]),
                Err(_) => Err(vec![Violation::NotAnArray]),
            },
            _ => Err(vec![Violation::NotAnArray]),
        };
        self.keep(name, field, parsed)
    }

    /// Reads an array of any number of entries, none included.
    pub fn items_or_none<'a>(&mut self, name: impl Display, field: Field<'a>) -> Option<Vec<Field<'a>>> {
        match field.0 {
            Some(json) if is_empty_array(json.get()) => Some(Vec::new()),
            _ => self.items(name, field, usize::MAX),
        }
    }

    /// Reads an object.
    pub fn object<'a, T: Deserialize<'a>>(&mut self, name: impl Display, field: Field<'a>) -> Option<T> {
        let parsed = match field.sent() {
            Sent::Nothing => Err(vec![Violation::Required]),
            Sent::Object(json) => serde_json::from_str(json).map_err(|_| vec![Violation::NotAnObject]),
            _ => Err(vec![Violation::NotAnObject]),
        };
        self.keep(name, field, parsed)
    }

    /// Adds what is wrong with a field that was read.
    pub fn add(&mut self, name: impl Display, field: Field, violation: Violation) {
        self.add_value(name, &field.echo(), violation);
    }

    /// Adds what turns out to be wrong with a field at its place, where so many
    /// errors stood before what is in the field was read.
    pub fn insert(&mut self, at: usize, name: impl Display, field: Field, violation: Violation) {
        self.0.truncate(Self::MAX - 1);
        let last = self.0.len();
        self.add(name, field, violation);
        self.0[at.min(last)..].rotate_right(1);
    }

    /// How many errors there are so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds what is wrong with a value that is no JSON, such as a header's.
    pub fn add_value(&mut self, name: impl Display, value: &str, violation: Violation) {
        if self.0.len() < Self::MAX {
            let value = value.chars().take(Self::MAX_ECHO).collect();
            self.0.push(FieldError { field: name.to_string(), value, violation });
        }
    }

    /// The errors, to be answered.
    #[must_use]
    pub fn into_error(self) -> Error {
        Error::Fields(self.0)
    }

    /// Goes on where nothing is wrong.
    ///
    /// # Errors
    ///
    /// Everything that was added, as wrong parameters.
    pub fn into_parameters(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Parameters(self.0)) }
    }

    /// Whether nothing is wrong so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn keep<T>(&mut self, name: impl Display, field: Field, parsed: Result<T, Vec<Violation>>) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(_) if self.0.len() >= Self::MAX => None,
            Err(violations) => {
                let (name, echo) = (name.to_string(), field.echo());
                for violation in violations {
                    self.add_value(&name, &echo, violation);
                }
                None
            }
        }
    }
}
