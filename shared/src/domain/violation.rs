//! What may be wrong with one field of a request.

use std::ops::RangeInclusive;

use super::svg;

/// The rule that a field breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Missing, null, blank or an empty array.
    Required,
    /// Something other than a text.
    NotText,
    /// Something other than a number.
    NotANumber,
    /// Something other than an array.
    NotAnArray,
    /// Something other than an object, or an object with a name twice.
    NotAnObject,
    /// More characters than the limit.
    TooLong(usize),
    /// A number of characters outside the limits.
    LengthOutside(RangeInclusive<usize>),
    /// A control character where none may be.
    ControlCharacter,
    /// Not a well-formed e-mail address, at registration.
    Email,
    /// Not a well-formed e-mail address, at login.
    LoginEmail,
    /// A password that most people choose.
    CommonPassword,
    /// A number outside the limits.
    OutOfRange(RangeInclusive<i64>),
    /// A number with a fraction where a whole one is needed.
    NotWhole,
    /// A number with more decimals than the limit.
    TooPrecise(u32),
    /// Neither epoch seconds nor an ISO 8601 time with an offset, from 1970 to 9999.
    Instant,
    /// More entries than the limit.
    TooMany(usize),
    /// More seats in all areas together than the limit.
    TooManySeats(usize),
    /// The same as an earlier entry.
    Duplicate,
    /// A drawing that is not safe to show.
    Drawing(svg::Refusal),
    /// All drawings together, this one being the one that passes the limit.
    DrawingsTooLarge(usize),
    /// A cursor that this service did not give.
    Cursor,
    /// Not an idempotency key: 1 to so many visible ASCII characters.
    IdempotencyKey(usize),
}

impl Violation {
    /// The same in the words that login has for it, which the interface sets.
    #[must_use]
    pub fn at_login(self) -> Self {
        match self {
            Self::Email => Self::LoginEmail,
            Self::TooLong(max) => Self::LengthOutside(1..=max),
            other => other,
        }
    }
}

/// One field of a request that fails validation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    /// The field's path in the request, such as `areas[0].seats[3].row`.
    pub field: String,
    /// What was sent: the text itself, or the compact JSON of anything else.
    pub value: String,
    /// The rule it breaks.
    pub violation: Violation,
}
