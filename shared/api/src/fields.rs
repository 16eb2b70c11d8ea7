//! The fields of a request, and the errors found in them.

use std::{borrow::Cow, fmt::Display};

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::{
    error::{Error, FieldError},
    json,
};
use domain::{instant::Instant, text::is_blank, violation::Violation};

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

    /// Adds the violation of a rule that joins a field with others, if there is one.
    pub fn check(&mut self, name: impl Display, field: Field, checked: Result<(), Violation>) {
        if let Err(violation) = checked {
            self.add(name, field, violation);
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: [&str; 5] = ["null", "\"\"", "\" \\n\\u3000\"", "[]", "[ \n ]"];

    fn field(json: &str) -> Field<'_> {
        serde_json::from_str(json).unwrap()
    }

    /// What is told of a value that was read so.
    fn told<'a, T>(
        json: &'a str,
        read: impl Fn(&mut Errors, Field<'a>) -> Option<T>,
    ) -> Vec<(String, Violation)> {
        let mut errors = Errors::default();
        let value = read(&mut errors, field(json));
        assert_eq!(value.is_some(), errors.is_empty(), "{json}");
        errors.0.into_iter().map(|error| (error.value, error.violation)).collect()
    }

    fn no_text(text: &str) -> Result<String, Vec<Violation>> {
        Err(vec![Violation::TooLong(text.len()), Violation::ControlCharacter])
    }

    #[test]
    fn what_is_nothing_is_required_whatever_was_to_be_read() {
        for json in NOTHING {
            let told = [
                told(json, |errors, field| errors.text("f", field, no_text)),
                told(json, |errors, field| errors.number("f", field, no_text)),
                told(json, |errors, field| errors.instant("f", field)),
                told(json, |errors, field| errors.items("f", field, 2)),
                told(json, |errors, field| errors.object::<Vec<u8>>("f", field)),
            ];
            let echo = if json.contains('3') { " \n\u{3000}" } else { "" };
            for told in told {
                assert_eq!(told, [(echo.to_owned(), Violation::Required)], "{json}");
            }
        }
        let mut errors = Errors::default();
        assert!(errors.text("f", Field::default(), no_text).is_none());
        assert_eq!(errors.0[0].violation, Violation::Required);
    }

    #[test]
    fn a_value_of_another_type_is_told_as_compact_json() {
        let is = |told: Vec<_>, echo: &str, violation| assert_eq!(told, [(echo.to_owned(), violation)]);
        is(told("[ 1 ]", |e, f| e.text("f", f, no_text)), "[1]", Violation::NotText);
        is(told("true", |e, f| e.number("f", f, no_text)), "true", Violation::NotANumber);
        is(told("\"1\"", |e, f| e.number("f", f, no_text)), "1", Violation::NotANumber);
        is(told("{\"a\": 1}", |e, f| e.instant("f", f)), "{\"a\":1}", Violation::Instant);
        is(told("false", |e, f| e.items("f", f, 2)), "false", Violation::NotAnArray);
        is(told("7", |e, f| e.object::<Vec<u8>>("f", f)), "7", Violation::NotAnObject);
        is(told("{}", |e, f| e.object::<Vec<u8>>("f", f)), "{}", Violation::NotAnObject);
    }

    #[test]
    fn a_text_and_a_number_are_read_as_they_were_sent() {
        let mut errors = Errors::default();
        let text = errors.text("f", field("\"\\uAC00\\n\""), |text| Ok(text.to_owned()));
        assert_eq!(text.as_deref(), Some("가\n"));
        let number = errors.number("f", field("-1.50e2"), |json| Ok(json.to_owned()));
        assert_eq!(number.as_deref(), Some("-1.50e2"));
        for instant in ["1700000000", "\"2023-11-14T22:13:20Z\""] {
            assert!(errors.instant("f", field(instant)).is_some(), "{instant}");
        }
        assert!(errors.is_empty() && errors.into_parameters().is_ok());
    }

    #[test]
    fn arrays_have_so_many_items_or_also_none() {
        let mut errors = Errors::default();
        let len = |items: Option<Vec<Field>>| items.map(|items| items.len());
        assert_eq!(len(errors.items("f", field("[1, null]"), 2)), Some(2));
        assert_eq!(len(errors.items_or_none("f", field("[ ]"))), Some(0));
        assert_eq!(len(errors.items_or_none("f", field("[1, 2, 3]"))), Some(3));
        assert!(errors.is_empty());
        assert_eq!(
            told("[1, 2, 3]", |errors, field| errors.items("f", field, 2)),
            [("[1,2,3]".to_owned(), Violation::TooMany(2))]
        );
        for json in ["null", "\"\""] {
            let told = told(json, |errors, field| errors.items_or_none("f", field));
            assert_eq!(told, [(String::new(), Violation::Required)], "{json}");
        }
    }

    #[test]
    fn every_rule_that_a_field_breaks_is_told_by_its_name() {
        let mut errors = Errors::default();
        assert_eq!(errors.text("a.b", field("\"cd\""), no_text), None);
        assert_eq!(errors.len(), 2);
        let Error::Fields(told) = errors.into_error() else { panic!("errors of fields") };
        let told: Vec<_> =
            told.iter().map(|error| (&*error.field, &*error.value, &error.violation)).collect();
        let expected = [Violation::TooLong(2), Violation::ControlCharacter];
        assert_eq!(told, expected.each_ref().map(|violation| ("a.b", "cd", violation)));
    }

    #[test]
    fn at_most_a_hundred_errors_and_a_thousand_characters_are_told() {
        let mut errors = Errors::default();
        for n in 0..60 {
            errors.text(n, field("\"cd\""), no_text);
        }
        assert_eq!(errors.len(), 100);
        errors.add_value("late", "", Violation::Cursor);
        assert!(errors.0.iter().all(|error| error.field != "late"));

        let mut errors = Errors::default();
        errors.add_value("long", &"가".repeat(1_001), Violation::Cursor);
        assert_eq!(errors.0[0].value, "가".repeat(1_000));
        let Err(Error::Parameters(told)) = errors.into_parameters() else { panic!("errors of parameters") };
        assert_eq!(told.len(), 1);
    }

    #[test]
    fn an_error_is_inserted_where_it_belongs_and_pushes_the_last_out() {
        let names = |errors: &Errors| errors.0.iter().map(|error| error.field.clone()).collect::<Vec<_>>();
        let mut errors = Errors::default();
        for name in ["a", "b"] {
            errors.add(name, field("1"), Violation::Duplicate);
        }
        errors.insert(1, "between", field("1"), Violation::Duplicate);
        errors.insert(9, "last", field("1"), Violation::Duplicate);
        assert_eq!(names(&errors), ["a", "between", "b", "last"]);

        let mut errors = Errors::default();
        for n in 0..100 {
            errors.add(n, field("1"), Violation::Duplicate);
        }
        errors.insert(0, "first", field("1"), Violation::Duplicate);
        let expected: Vec<_> =
            ["first".to_owned()].into_iter().chain((0..99).map(|n| n.to_string())).collect();
        assert_eq!(names(&errors), expected);
    }
}
