//! Fields of a request, and the errors in them.

use std::{
    borrow::Cow,
    fmt::{self, Display},
};

use serde::{
    Deserialize, Deserializer as _,
    de::{IgnoredAny, SeqAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::{
    error::{Error, FieldError},
    splice,
};
use domain::{instant::Instant, text::is_blank, violation::Violation};

/// JSON value of a field: of any type, as sent, or missing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(transparent)]
pub struct Field<'a>(#[serde(borrow)] Option<&'a RawValue>);

/// Content of a field.
enum Content<'a> {
    /// Missing, null, a blank text or an empty array.
    Empty,
    Text(Cow<'a, str>),
    Number(&'a str),
    Array(&'a str),
    Object(&'a str),
    Boolean,
}

impl<'a> Field<'a> {
    fn content(self) -> Content<'a> {
        let json = self.0.map_or("null", RawValue::get);
        match json.as_bytes().first() {
            Some(b'"') => match serde_json::from_str::<Text>(json) {
                Ok(Text(text)) if !is_blank(&text) => Content::Text(text),
                _ => Content::Empty,
            },
            Some(b'[') if is_empty_array(json) => Content::Empty,
            Some(b'[') => Content::Array(json),
            Some(b'{') => Content::Object(json),
            Some(b't' | b'f') => Content::Boolean,
            Some(b'n') | None => Content::Empty,
            Some(_) => Content::Number(json),
        }
    }

    /// Returns the value for an error: a text as sent, anything else as compact JSON.
    fn echo(self) -> String {
        let json = self.0.map_or("", RawValue::get);
        if json.starts_with('"') {
            return serde_json::from_str(json).unwrap_or_default();
        }
        match self.content() {
            Content::Empty => String::new(),
            _ => splice::compact(json),
        }
    }
}

fn is_empty_array(json: &str) -> bool {
    let inside = json.strip_prefix('[').and_then(|json| json.strip_suffix(']'));
    inside.is_some_and(|inside| inside.trim_ascii().is_empty())
}

/// Reads the first items of an array, and skips the others, so that memory is limited.
fn first_items(json: &str, count: usize) -> serde_json::Result<Vec<Field<'_>>> {
    serde_json::Deserializer::from_str(json).deserialize_seq(FirstItems(count))
}

struct FirstItems(usize);

impl<'de> Visitor<'de> for FirstItems {
    type Value = Vec<Field<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<Self::Value, S::Error> {
        let mut items = Vec::new();
        while items.len() < self.0
            && let Some(item) = sequence.next_element()?
        {
            items.push(item);
        }
        while sequence.next_element::<IgnoredAny>()?.is_some() {}
        Ok(items)
    }
}

/// Text that is copied only if it has escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Collects every error in the fields of a request, in the order in which they are read.
#[derive(Debug, Default)]
pub struct Errors(Vec<FieldError>);

/// Parser of a value from a text, or from a number in JSON notation.
pub type Parse<T> = fn(&str) -> Result<T, Vec<Violation>>;

impl Errors {
    /// Maximum number of errors that are returned.
    pub const MAX: usize = 100;
    /// Maximum number of characters that are returned of a value.
    pub const MAX_ECHO: usize = 1_000;

    /// Reads a text.
    pub fn text<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        let parsed = match field.content() {
            Content::Empty => Err(vec![Violation::Required]),
            Content::Text(text) => parse(&text),
            _ => Err(vec![Violation::NotAString]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Reads a number.
    pub fn number<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        let parsed = match field.content() {
            Content::Empty => Err(vec![Violation::Required]),
            Content::Number(json) => parse(json),
            _ => Err(vec![Violation::NotANumber]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Reads a text that may be missing, null or blank.
    pub fn optional_text<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        if matches!(field.content(), Content::Empty) { None } else { self.text(name, field, parse) }
    }

    /// Reads a number that may be missing, null or blank.
    pub fn optional_number<T>(&mut self, name: impl Display, field: Field, parse: Parse<T>) -> Option<T> {
        if matches!(field.content(), Content::Empty) { None } else { self.number(name, field, parse) }
    }

    /// Reads a time: a number of epoch seconds or an ISO 8601 text.
    pub fn instant(&mut self, name: impl Display, field: Field) -> Option<Instant> {
        let parsed = match field.content() {
            Content::Empty => Err(vec![Violation::Required]),
            Content::Number(json) => Instant::from_number(json),
            Content::Text(text) => Instant::from_text(&text),
            _ => Err(vec![Violation::InvalidTime]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Reads an array of 1 to `max` entries.
    pub fn items<'a>(&mut self, name: impl Display, field: Field<'a>, max: usize) -> Option<Vec<Field<'a>>> {
        let parsed = match field.content() {
            Content::Empty => Err(vec![Violation::Required]),
            Content::Array(json) => match first_items(json, max + 1) {
                Ok(items) if items.len() <= max => Ok(items),
                Ok(_) => Err(vec![Violation::TooMany(max)]),
                Err(_) => Err(vec![Violation::NotAnArray]),
            },
            _ => Err(vec![Violation::NotAnArray]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Reads the first items of an array, at most `count`; the array may be empty or longer.
    pub fn first_items<'a>(&mut self, name: impl Display, field: Field<'a>, count: usize) -> Option<Vec<Field<'a>>> {
        let parsed = match field.content() {
            Content::Empty => match field.0 {
                Some(json) if is_empty_array(json.get()) => Ok(Vec::new()),
                _ => Err(vec![Violation::Required]),
            },
            Content::Array(json) => first_items(json, count).map_err(|_| vec![Violation::NotAnArray]),
            _ => Err(vec![Violation::NotAnArray]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Reads an object.
    pub fn object<'a, T: Deserialize<'a>>(&mut self, name: impl Display, field: Field<'a>) -> Option<T> {
        let parsed = match field.content() {
            Content::Empty => Err(vec![Violation::Required]),
            Content::Object(json) => serde_json::from_str(json).map_err(|_| vec![Violation::NotAnObject]),
            _ => Err(vec![Violation::NotAnObject]),
        };
        self.value_or_record(name, field, parsed)
    }

    /// Adds a violation of a field.
    pub fn add(&mut self, name: impl Display, field: Field, violation: Violation) {
        self.add_value(name, &field.echo(), violation);
    }

    /// Adds the violation, if any, of a rule that involves several fields.
    pub fn check(&mut self, name: impl Display, field: Field, checked: Result<(), Violation>) {
        if let Err(violation) = checked {
            self.add(name, field, violation);
        }
    }

    /// Inserts a violation of a field at its place in the order.
    ///
    /// `at` is the number of errors before the content of the field was read.
    pub fn insert(&mut self, at: usize, name: impl Display, field: Field, violation: Violation) {
        self.0.truncate(Self::MAX - 1);
        let last = self.0.len();
        self.add(name, field, violation);
        self.0[at.min(last)..].rotate_right(1);
    }

    /// Returns the number of errors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds a violation of a value that is not JSON, such as a header's.
    pub fn add_value(&mut self, name: impl Display, value: &str, violation: Violation) {
        if self.0.len() < Self::MAX {
            let value = value.chars().take(Self::MAX_ECHO).collect();
            self.0.push(FieldError { field: name.to_string(), value, violation });
        }
    }

    /// Returns the errors as invalid fields.
    #[must_use]
    pub fn into_error(self) -> Error {
        Error::Fields(self.0)
    }

    /// Returns the errors, if any, as invalid parameters.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if there are errors.
    pub fn into_parameters(self) -> Result<(), Error> {
        if self.0.is_empty() { Ok(()) } else { Err(Error::Parameters(self.0)) }
    }

    /// Returns whether there are no errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn value_or_record<T>(&mut self, name: impl Display, field: Field, parsed: Result<T, Vec<Violation>>) -> Option<T> {
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

    const EMPTY: [&str; 5] = ["null", "\"\"", "\" \\n\\u3000\"", "[]", "[ \n ]"];

    fn field(json: &str) -> Field<'_> {
        serde_json::from_str(json).unwrap()
    }

    /// Returns the echoes and violations of a value.
    fn errors_of<'a, T>(json: &'a str, read: impl Fn(&mut Errors, Field<'a>) -> Option<T>) -> Vec<(String, Violation)> {
        let mut errors = Errors::default();
        let value = read(&mut errors, field(json));
        assert_eq!(value.is_some(), errors.is_empty(), "{json}");
        errors.0.into_iter().map(|error| (error.value, error.violation)).collect()
    }

    fn always_invalid(text: &str) -> Result<String, Vec<Violation>> {
        Err(vec![Violation::TooLong(text.len()), Violation::ControlCharacter])
    }

    #[test]
    fn empty_value_is_required() {
        for json in EMPTY {
            let all = [
                errors_of(json, |errors, field| errors.text("f", field, always_invalid)),
                errors_of(json, |errors, field| errors.number("f", field, always_invalid)),
                errors_of(json, |errors, field| errors.instant("f", field)),
                errors_of(json, |errors, field| errors.items("f", field, 2)),
                errors_of(json, |errors, field| errors.object::<Vec<u8>>("f", field)),
            ];
            let echo = if json.contains('3') { " \n\u{3000}" } else { "" };
            for errors in all {
                assert_eq!(errors, [(echo.to_owned(), Violation::Required)], "{json}");
            }
        }
        let mut errors = Errors::default();
        assert!(errors.text("f", Field::default(), always_invalid).is_none());
        assert_eq!(errors.0[0].violation, Violation::Required);
    }

    #[test]
    fn wrong_type_is_echoed_as_json() {
        let check = |errors: Vec<_>, echo: &str, violation| assert_eq!(errors, [(echo.to_owned(), violation)]);
        check(errors_of("[ 1 ]", |e, f| e.text("f", f, always_invalid)), "[1]", Violation::NotAString);
        check(errors_of("true", |e, f| e.number("f", f, always_invalid)), "true", Violation::NotANumber);
        check(errors_of("\"1\"", |e, f| e.number("f", f, always_invalid)), "1", Violation::NotANumber);
        check(errors_of("{\"a\": 1}", |e, f| e.instant("f", f)), "{\"a\":1}", Violation::InvalidTime);
        check(errors_of("false", |e, f| e.items("f", f, 2)), "false", Violation::NotAnArray);
        check(errors_of("7", |e, f| e.object::<Vec<u8>>("f", f)), "7", Violation::NotAnObject);
        check(errors_of("{}", |e, f| e.object::<Vec<u8>>("f", f)), "{}", Violation::NotAnObject);
    }

    #[test]
    fn values_are_read_unchanged() {
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
    fn array_length_is_limited() {
        let mut errors = Errors::default();
        let len = |items: Option<Vec<Field>>| items.map(|items| items.len());
        assert_eq!(len(errors.items("f", field("[1, null]"), 2)), Some(2));
        for (json, read) in [("[ ]", 0), ("[1, []]", 2), ("[1, [], {}]", 2)] {
            assert_eq!(len(errors.first_items("f", field(json), 2)), Some(read), "{json}");
        }
        assert!(errors.is_empty());
        assert_eq!(
            errors_of("[1, 2, 3]", |errors, field| errors.items("f", field, 2)),
            [("[1,2,3]".to_owned(), Violation::TooMany(2))]
        );
        for json in ["null", "\"\""] {
            let errors = errors_of(json, |errors, field| errors.first_items("f", field, 2));
            assert_eq!(errors, [(String::new(), Violation::Required)], "{json}");
        }
        let errors = errors_of("{}", |errors, field| errors.first_items("f", field, 2));
        assert_eq!(errors, [("{}".to_owned(), Violation::NotAnArray)]);
    }

    #[test]
    fn every_violation_names_its_field() {
        let mut errors = Errors::default();
        assert_eq!(errors.text("a.b", field("\"cd\""), always_invalid), None);
        assert_eq!(errors.len(), 2);
        let Error::Fields(errors) = errors.into_error() else { panic!("expected invalid fields") };
        let errors: Vec<_> = errors.iter().map(|error| (&*error.field, &*error.value, &error.violation)).collect();
        let expected = [Violation::TooLong(2), Violation::ControlCharacter];
        assert_eq!(errors, expected.each_ref().map(|violation| ("a.b", "cd", violation)));
    }

    #[test]
    fn errors_and_echoes_are_limited() {
        let mut errors = Errors::default();
        for n in 0..60 {
            errors.text(n, field("\"cd\""), always_invalid);
        }
        assert_eq!(errors.len(), 100);
        errors.add_value("late", "", Violation::InvalidCursor);
        assert!(errors.0.iter().all(|error| error.field != "late"));

        let mut errors = Errors::default();
        errors.add_value("long", &"가".repeat(1_001), Violation::InvalidCursor);
        assert_eq!(errors.0[0].value, "가".repeat(1_000));
        let Err(Error::Parameters(errors)) = errors.into_parameters() else { panic!("expected invalid parameters") };
        assert_eq!(errors.len(), 1);
    }

    #[test]
    fn insert_shifts_errors() {
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
        let expected: Vec<_> = ["first".to_owned()].into_iter().chain((0..99).map(|n| n.to_string())).collect();
        assert_eq!(names(&errors), expected);
    }
}
