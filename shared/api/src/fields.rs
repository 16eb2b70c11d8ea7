//! Fields of a request, and the errors in them.

mod declared;
mod field;

use std::fmt::Display;

use domain::{instant::Instant, patch::Patch, violation::Violation};
use serde::Deserialize;

use crate::{
    error::{Error, FieldError, JsonError},
    json,
};
use field::{Content, first_items};

pub use declared::{Array, Declared, List, Nullable, OPTIONAL, Optional, OrBlank, Set};
pub use field::Field;

/// Collects every error in the fields of a request, in the order in which they are read.
#[derive(Debug, Default)]
pub struct Errors {
    fields: Vec<FieldError>,
    /// True if a text has a lone surrogate, so that the request is not JSON.
    has_lone_surrogate: bool,
}

/// Parser of a value from a text, or from a number in JSON notation.
pub type Parse<T> = fn(&str) -> Result<T, Vec<Violation>>;

impl Errors {
    /// Maximum number of errors that are returned.
    pub const MAX: usize = 100;
    /// Maximum number of characters that are returned of a value.
    pub const MAX_ECHO: usize = 1_000;

    /// Reads a text.
    pub fn text<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<D>,
        parse: Parse<D::Value>,
    ) -> Option<D::Value> {
        self.read(name, field, |content| match content {
            Content::Text(text) => parse(&text),
            _ => Err(vec![Violation::NotAString]),
        })
    }

    /// Reads a number.
    pub fn number<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<D>,
        parse: Parse<D::Value>,
    ) -> Option<D::Value> {
        self.read(name, field, |content| match content {
            Content::Number(json) => parse(json),
            _ => Err(vec![Violation::NotANumber]),
        })
    }

    /// Reads a text unchanged, which may be blank.
    pub fn any_text<D: Declared<Value = String>>(&mut self, name: impl Display, field: Field<D>) -> Option<String> {
        if field.is_blank_text() { Some(String::new()) } else { self.text(name, field, |text| Ok(text.to_owned())) }
    }

    /// Reads a text that may be missing, null or blank.
    pub fn optional_text<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<OrBlank<D>>,
        parse: Parse<D::Value>,
    ) -> Option<D::Value> {
        if field.is_empty() { None } else { self.text(name, field, parse) }
    }

    /// Reads a number that may be missing, null or blank.
    pub fn optional_number<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<OrBlank<D>>,
        parse: Parse<D::Value>,
    ) -> Option<D::Value> {
        if field.is_empty() { None } else { self.number(name, field, parse) }
    }

    /// Reads the patch of a text: a missing field keeps it, null or a blank text removes it.
    pub fn text_patch<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<OrBlank<D>>,
        parse: Parse<D::Value>,
    ) -> Patch<D::Value> {
        match field.present() {
            Some(field) => self.optional_text(name, field, parse).map_or(Patch::Remove, Patch::Replace),
            None => Patch::Keep,
        }
    }

    /// Reads the patch of a number: a missing field keeps it, null or a blank text removes it.
    pub fn number_patch<D: Declared>(
        &mut self,
        name: impl Display,
        field: Field<OrBlank<D>>,
        parse: Parse<D::Value>,
    ) -> Patch<D::Value> {
        match field.present() {
            Some(field) => self.optional_number(name, field, parse).map_or(Patch::Remove, Patch::Replace),
            None => Patch::Keep,
        }
    }

    /// Reads true or false.
    pub fn boolean(&mut self, name: impl Display, field: Field<bool>) -> Option<bool> {
        self.read(name, field, |content| match content {
            Content::Boolean(value) => Ok(value),
            _ => Err(vec![Violation::NotABoolean]),
        })
    }

    /// Reads a time: a number of epoch seconds or an ISO 8601 text.
    pub fn instant(&mut self, name: impl Display, field: Field<Instant>) -> Option<Instant> {
        self.read(name, field, |content| match content {
            Content::Number(json) => Instant::from_number(json),
            Content::Text(text) => Instant::from_text(&text),
            _ => Err(vec![Violation::InvalidTime]),
        })
    }

    /// Reads an array of 1 to `MAX` entries.
    pub fn items<'a, D, const MIN: usize, const MAX: usize, const SET: bool>(
        &mut self,
        name: impl Display,
        field: Field<'a, Array<D, MIN, MAX, SET>>,
    ) -> Option<Vec<Field<'a, D>>> {
        self.read(name, field, |content| match content {
            Content::Array(json) => {
                let items = first_items(json, MAX + 1);
                if items.len() > MAX { Err(vec![Violation::TooMany(MAX)]) } else { Ok(items) }
            }
            _ => Err(vec![Violation::NotAnArray]),
        })
    }

    /// Reads the first entries of an array, which may be empty.
    pub fn first_items<'a, D, const MIN: usize, const MAX: usize, const SET: bool>(
        &mut self,
        name: impl Display,
        field: Field<'a, Array<D, MIN, MAX, SET>>,
        count: usize,
    ) -> Option<Vec<Field<'a, D>>> {
        if field.is_empty_array() {
            return Some(Vec::new());
        }
        self.read(name, field, |content| match content {
            Content::Array(json) => Ok(first_items(json, count)),
            _ => Err(vec![Violation::NotAnArray]),
        })
    }

    /// Reads an object, whose fields may have any type.
    pub fn object<'a, T: Deserialize<'a>>(&mut self, name: impl Display, field: Field<'a, T>) -> Option<T> {
        let mut has_lone_surrogate = false;
        let object = self.read(name, field, |content| match content {
            Content::Object(json) => serde_json::from_str(json).map_err(|error| {
                if error.is_data() {
                    return vec![Violation::DuplicateName(json::duplicate_name(&error))];
                }
                // A name has a lone surrogate.
                has_lone_surrogate = true;
                Vec::new()
            }),
            _ => Err(vec![Violation::NotAnObject]),
        });
        self.has_lone_surrogate |= has_lone_surrogate;
        object
    }

    /// Reads the content of a field; an empty one is an error.
    fn read<'a, T, D>(
        &mut self,
        name: impl Display,
        field: Field<'a, D>,
        parse: impl FnOnce(Content<'a>) -> Result<T, Vec<Violation>>,
    ) -> Option<T> {
        let parsed = match field.content() {
            None => {
                self.has_lone_surrogate = true;
                return None;
            }
            Some(Content::Empty) => Err(vec![Violation::Required]),
            Some(content) => parse(content),
        };
        let add = |violations| {
            for violation in violations {
                self.add(&name, field, violation);
            }
        };
        parsed.map_err(add).ok()
    }

    /// Adds a violation of a field.
    pub fn add<D>(&mut self, name: impl Display, field: Field<D>, violation: Violation) {
        self.add_value(name, &field.echo(), violation);
    }

    /// Adds the violation, if any, of a rule that involves several fields.
    pub fn check<D>(&mut self, name: impl Display, field: Field<D>, checked: Result<(), Violation>) {
        if let Err(violation) = checked {
            self.add(name, field, violation);
        }
    }

    /// Adds errors that were collected separately.
    pub fn extend(&mut self, errors: Self) {
        self.fields.extend(errors.fields);
        self.fields.truncate(Self::MAX);
        self.has_lone_surrogate |= errors.has_lone_surrogate;
    }

    /// Adds a violation of a value that is not JSON, such as a header's.
    pub fn add_value(&mut self, name: impl Display, value: &str, violation: Violation) {
        if self.fields.len() < Self::MAX {
            let value = value.chars().take(Self::MAX_ECHO).collect();
            self.fields.push(FieldError { field: name.to_string(), value, violation });
        }
    }

    /// Returns the errors as invalid fields, or as invalid JSON if a text has a lone surrogate.
    #[must_use]
    pub fn into_error(self) -> Error {
        if self.has_lone_surrogate { Error::not_json(JsonError::LoneSurrogate) } else { Error::Fields(self.fields) }
    }

    /// Returns the errors with their fields.
    #[must_use]
    pub fn into_fields(self) -> Vec<FieldError> {
        self.fields
    }

    /// Returns the errors, if any, as invalid parameters.
    ///
    /// # Errors
    ///
    /// Returns `Parameters` if there are errors.
    pub fn into_parameters(self) -> Result<(), Error> {
        if self.fields.is_empty() { Ok(()) } else { Err(Error::Parameters(self.fields)) }
    }

    /// Returns true if there are no errors.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fields.is_empty() && !self.has_lone_surrogate
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    /// Field that is read as a text or a number, unchanged.
    type Plain<'a> = Field<'a, Uuid>;

    /// Array of one or two items.
    type Pair<'a> = Field<'a, Set<Uuid, 2>>;

    #[derive(Debug, Default, Deserialize)]
    #[serde(default)]
    struct Known<'a> {
        #[serde(borrow)]
        known: Field<'a>,
    }

    fn field<D>(json: &str) -> Field<'_, D> {
        serde_json::from_str(json).unwrap()
    }

    /// Returns the echoes and violations of a value.
    fn errors_of<'a, T, D>(
        json: &'a str,
        read: impl Fn(&mut Errors, Field<'a, D>) -> Option<T>,
    ) -> Vec<(String, Violation)> {
        let mut errors = Errors::default();
        let value = read(&mut errors, field(json));
        assert_eq!(value.is_some(), errors.is_empty(), "{json}");
        errors.fields.into_iter().map(|error| (error.value, error.violation)).collect()
    }

    fn always_invalid(text: &str) -> Result<String, Vec<Violation>> {
        Err(vec![Violation::TooLong(text.len()), Violation::ControlCharacter])
    }

    #[test]
    fn empty_value_is_required() {
        for (json, echo) in [("null", ""), ("\"\"", ""), ("\" \\n\\u3000\"", " \n\u{3000}"), ("[]", ""), ("[ \n ]", "")]
        {
            let all = [
                errors_of(json, |errors, field: Plain| errors.text("f", field, always_invalid)),
                errors_of(json, |errors, field: Plain| errors.number("f", field, always_invalid)),
                errors_of(json, |errors, field| errors.instant("f", field)),
                errors_of(json, |errors, field: Pair| errors.items("f", field)),
                errors_of(json, |errors, field| errors.object::<Known>("f", field).map(drop)),
            ];
            for errors in all {
                assert_eq!(errors, [(echo.to_owned(), Violation::Required)], "{json}");
            }
        }
        let mut errors = Errors::default();
        assert!(errors.text("f", Plain::default(), always_invalid).is_none());
        assert_eq!(errors.fields[0].violation, Violation::Required);
    }

    #[test]
    fn wrong_type_is_echoed_as_json() {
        let check = |errors: Vec<_>, echo: &str, violation| assert_eq!(errors, [(echo.to_owned(), violation)]);
        check(errors_of("[ 1 ]", |e, f: Plain| e.text("f", f, always_invalid)), "[1]", Violation::NotAString);
        check(errors_of("true", |e, f: Plain| e.number("f", f, always_invalid)), "true", Violation::NotANumber);
        check(errors_of("\"1\"", |e, f: Plain| e.number("f", f, always_invalid)), "1", Violation::NotANumber);
        check(errors_of("{\"a\": 1}", |e, f| e.instant("f", f)), "{\"a\":1}", Violation::InvalidTime);
        check(errors_of("false", |e, f: Pair| e.items("f", f)), "false", Violation::NotAnArray);
        check(errors_of("{}", |e, f: Pair| e.first_items("f", f, 2)), "{}", Violation::NotAnArray);
        check(errors_of("7", |e, f| e.object::<Known>("f", f).map(drop)), "7", Violation::NotAnObject);
    }

    #[test]
    fn values_are_read_unchanged() {
        let mut errors = Errors::default();
        let text = errors.text("f", field::<Uuid>("\"\\uAC00\\n\""), |text| Ok(text.to_owned()));
        let number = errors.number("f", field::<Uuid>("-1.50e2"), |json| Ok(json.to_owned()));
        assert_eq!((text.as_deref(), number.as_deref()), (Some("가\n"), Some("-1.50e2")));
        for instant in ["1700000000", "\"2023-11-14T22:13:20Z\""] {
            assert!(errors.instant("f", field(instant)).is_some(), "{instant}");
        }
        assert!(errors.is_empty() && errors.into_parameters().is_ok());
    }

    #[test]
    fn array_length_is_limited() {
        let mut errors = Errors::default();
        let len = |items: Option<Vec<Plain>>| items.map(|items| items.len());
        assert_eq!(len(errors.items("f", field::<Set<Uuid, 2>>("[1, null]"))), Some(2));
        for (json, read) in [("[ ]", 0), ("[1, []]", 2), ("[1, [], {}]", 2)] {
            assert_eq!(len(errors.first_items("f", field::<Set<Uuid, 2>>(json), 2)), Some(read), "{json}");
        }
        assert!(errors.is_empty());
        let too_many = errors_of("[1, 2, 3]", |errors, field: Pair| errors.items("f", field));
        assert_eq!(too_many, [("[1,2,3]".to_owned(), Violation::TooMany(2))]);
        let missing = errors_of("null", |errors, field: Pair| errors.first_items("f", field, 2));
        assert_eq!(missing, [(String::new(), Violation::Required)]);
    }

    #[test]
    fn every_violation_names_its_field() {
        let mut errors = Errors::default();
        assert_eq!(errors.text("a.b", field::<Uuid>("\"cd\""), always_invalid), None);
        let Error::Fields(errors) = errors.into_error() else { panic!("expected invalid fields") };
        let errors: Vec<_> = errors.iter().map(|error| (&*error.field, &*error.value, &error.violation)).collect();
        let expected = [Violation::TooLong(2), Violation::ControlCharacter];
        assert_eq!(errors, expected.each_ref().map(|violation| ("a.b", "cd", violation)));
    }

    #[test]
    fn errors_and_echoes_are_limited() {
        let numbered = |numbers: std::ops::Range<usize>| {
            let mut errors = Errors::default();
            numbers.for_each(|number| errors.add(number, field::<()>("1"), Violation::Duplicate));
            errors
        };
        let mut extended = numbered(0..60);
        extended.extend(numbered(60..120));
        for errors in [extended, numbered(0..120)] {
            let names: Vec<_> = errors.fields.iter().map(|error| error.field.clone()).collect();
            assert_eq!(names, (0..100).map(|number| number.to_string()).collect::<Vec<_>>());
        }
        let mut errors = Errors::default();
        errors.add_value("long", &"가".repeat(1_001), Violation::InvalidCursor);
        let Err(Error::Parameters(errors)) = errors.into_parameters() else { panic!("expected invalid parameters") };
        assert_eq!((errors.len(), &*errors[0].value), (1, &*"가".repeat(1_000)));
    }

    #[test]
    fn lone_surrogate_is_no_json() {
        let is_no_json = |errors: Errors| {
            assert!(!errors.is_empty());
            matches!(errors.into_error(), Error::NotJson(fault) if fault.error == JsonError::LoneSurrogate)
        };
        for lone in [r#""\ud800""#, r#""a\udc00""#, r#""\ud800\ud800""#, r#""\uD83C\n""#] {
            let mut errors = Errors::default();
            errors.add("before", Plain::default(), Violation::Required);
            assert_eq!(errors.text("f", field::<Uuid>(lone), |text| Ok(text.to_owned())), None);
            assert!(is_no_json(errors), "{lone}");
        }
        let mut errors = Errors::default();
        assert!(errors.object::<Known>("f", field(r#"{"\ud800":1}"#)).is_none());
        assert!(is_no_json(errors));
        let mut errors = Errors::default();
        assert!(errors.object::<Known>("f", field(r#"{"other":"\ud800"}"#)).is_some());
        assert!(errors.is_empty());
    }

    #[test]
    fn duplicate_name_is_named() {
        let errors = errors_of(r#"{"known": 1, "known": 2}"#, |errors, field| errors.object::<Known>("f", field));
        assert_eq!(errors, [(r#"{"known":1,"known":2}"#.to_owned(), Violation::DuplicateName("known".into()))]);
    }
}
