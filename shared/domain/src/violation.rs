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
    /// Number of characters outside the limits.
    LengthOutOfRange(RangeInclusive<usize>),
    /// A control character that is not allowed.
    ControlCharacter,
    /// Not an e-mail address, at registration.
    InvalidEmail,
    /// Not an e-mail address, at login.
    InvalidLoginEmail,
    /// One of the most common passwords.
    CommonPassword,
    /// A number outside the limits.
    OutOfRange(RangeInclusive<i64>),
    /// Not an integer.
    NotAnInteger,
    /// A number with more decimals than the limit.
    TooManyDecimals(u32),
    /// Neither epoch seconds nor an ISO 8601 time with offset, from 1970 to 9999.
    InvalidTime,
    /// More entries than the limit.
    TooMany(usize),
    /// More seats in all areas than the limit.
    TooManySeats(usize),
    /// Equal to an earlier entry.
    Duplicate,
    /// Not safe to display.
    UnsafeDrawing(DrawingError),
    /// Total size of the drawings up to this one exceeds the limit.
    DrawingsTooLarge(usize),
    /// Not a cursor of this service.
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
        /// Line within the drawing where the markup starts, counted from 1.
        line: usize,
    },
    /// The top level is not one `<svg>` or `<g>`, with only white space and comments around it.
    Root,
    /// Elements nested deeper than the limit.
    TooDeep,
    /// More than 256 attributes on this element.
    TooManyAttributes(String),
    /// Element that is not on the allow list.
    Element(String),
    /// Attribute that is not on the allow list.
    Attribute(String),
    /// Namespace declaration that binds `xmlns` or `xmlns:xlink` to a foreign namespace, or has a reserved or
    /// non-ASCII prefix.
    Namespace(String),
    /// Link in this attribute that is neither a raster `data:` URI nor a `#fragment` (on `image`: a `blob:` URL).
    Link(String),
    /// The value of this attribute could run code, fetch something or cover the page.
    Value(String),
    /// This element, `title` or `desc`, contains or would contain more than text.
    MarkupInText(String),
    /// Document type declaration.
    Doctype,
    /// CDATA section.
    CData,
    /// Processing instruction, or XML declaration that is not at the very start.
    ProcessingInstruction,
    /// A comment contains `<`, `>`, `--` or a character that XML forbids, or ends with a hyphen.
    Comment,
    /// Too many drawn elements, including those drawn by reference, or circular references.
    TooManyElements,
    /// Text without markup that is no path or URL: white space, markup characters, or a scheme other than `http`
    /// and `https`.
    UnsafeUrl,
}
