//! Integers within limits.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::{decimal, violation::Violation};

/// An integer from `MIN` to `MAX`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Integer<const MIN: i32, const MAX: i32>(u32);

impl<const MIN: i32, const MAX: i32> Integer<MIN, MAX> {
    /// Parses a JSON number in any notation: `1e2` is 100.
    ///
    /// # Errors
    ///
    /// Returns `NotAnInteger` if it has a fraction, `OutOfRange` if it exceeds a limit, or both.
    pub fn parse(json: &str) -> Result<Self, Vec<Violation>> {
        decimal::parse_within(json, 0, i64::from(MIN)..=i64::from(MAX)).map(Self)
    }

    /// Returns the number.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub fn from_stored(number: u32) -> Self {
        Self(number)
    }
}

impl<const MIN: i32, const MAX: i32> JsonSchema for Integer<MIN, MAX> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        format!("Integer{MIN}To{MAX}").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "integer", "minimum": MIN, "maximum": MAX})
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_inclusive() {
        let parse = |json| Integer::<1, 1_440>::parse(json).map(Integer::get);
        assert_eq!([parse("1"), parse("1.44e3")], [Ok(1), Ok(1_440)]);
        for json in ["0", "1441", "-1"] {
            assert_eq!(parse(json), Err(vec![Violation::OutOfRange(1..=1_440)]), "{json}");
        }
        assert_eq!(parse("1.5"), Err(vec![Violation::NotAnInteger]));
    }
}
