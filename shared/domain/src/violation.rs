//! Violations: rules that a field of a request breaks.

use std::ops::RangeInclusive;

/// The rule that a field breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Missing, null, blank or an empty array.
    Required,
    /// Not a string.
    NotAString,
    /// Not a number.
    NotANumber,
    /// Not an array.
    NotAnArray,
    /// Not an object, or an object with a duplicate name.
    NotAnObject,
    /// More characters than the limit.
    TooLong(usize),
    /// A number of characters outside the limits.
    LengthOutOfRange(RangeInclusive<usize>),
    /// A control character that is not allowed.
    ControlCharacter,
    /// Not a well-formed e-mail address, at registration.
    InvalidEmail,
    /// Not a well-formed e-mail address, at login.
    InvalidLoginEmail,
    /// One of the most common passwords.
    CommonPassword,
    /// A number outside the limits.
    OutOfRange(RangeInclusive<i64>),
    /// Not an integer.
    NotAnInteger,
    /// A number with more decimals than the limit.
    TooManyDecimals(u32),
    /// Neither epoch seconds nor an ISO 8601 time with an offset, from 1970 to 9999.
    InvalidTime,
    /// More entries than the limit.
    TooMany(usize),
    /// More seats in all areas together than the limit.
    TooManySeats(usize),
    /// Equal to an earlier entry.
    Duplicate,
    /// A drawing that is not safe to display.
    UnsafeDrawing(DrawingError),
    /// With this drawing, the total size of the drawings exceeds the limit.
    DrawingsTooLarge(usize),
    /// A cursor that this service did not issue.
    InvalidCursor,
    /// Not an idempotency key: 1 to this many visible ASCII characters.
    InvalidIdempotencyKey(usize),
}

impl Violation {
    /// Converts to the violation that the interface specifies for login.
    #[must_use]
    pub fn into_login(self) -> Self {
        match self {
            Self::InvalidEmail => Self::InvalidLoginEmail,
            Self::TooLong(max) => Self::LengthOutOfRange(1..=max),
            other => other,
        }
    }
}

/// Reason why a drawing is rejected.
///
/// Names are as in the drawing, truncated to 64 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// Markup that is not well-formed XML, or a reference that XML and HTML decode differently.
    NotWellFormed {
        /// Line of the drawing where the markup starts, counted from 1; not of the request.
        line: usize,
    },
    /// The top level is not one `<svg>` or `<g>`, surrounded only by white space and comments.
    Root,
    /// Elements are nested deeper than the limit.
    TooDeep,
    /// This element has more than 256 attributes.
    TooManyAttributes(String),
    /// This element is not on the allow list.
    Element(String),
    /// This attribute is not on the allow list.
    Attribute(String),
    /// This namespace declaration binds `xmlns` or `xmlns:xlink` to a foreign namespace, or has a reserved or
    /// non-ASCII prefix.
    Namespace(String),
    /// The link in this attribute is neither a raster `data:` URI nor a `#fragment`, nor a `blob:` URL of an
    /// `image`.
    Link(String),
    /// The value of this attribute could run code, fetch something or cover the page.
    Value(String),
    /// This element, `title` or `desc`, contains or would contain more than text.
    MarkupInText(String),
    /// The drawing has a document type declaration.
    Doctype,
    /// The drawing has a CDATA section.
    CData,
    /// The drawing has a processing instruction, or an XML declaration that is not at the very start.
    ProcessingInstruction,
    /// A comment contains `<`, `>`, `--` or a character that XML forbids, or ends with a hyphen.
    Comment,
    /// More elements are drawn than the limit, including those drawn by reference, or references are circular.
    TooManyElements,
    /// Text without markup that is no URL or path: it contains white space or a markup character, or has a
    /// scheme other than `http` and `https`.
    UnsafeUrl,
}
