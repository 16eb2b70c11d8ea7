//! What may be wrong with one field of a request.

use std::ops::RangeInclusive;

/// The rule that a field breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Violation {
    /// Missing, null, blank or an empty array.
    Required,
    /// Something other than a text.
    NotAString,
    /// Something other than a number.
    NotANumber,
    /// Something other than an array.
    NotAnArray,
    /// Something other than an object, or an object with a name twice.
    NotAnObject,
    /// More characters than the limit.
    TooLong(usize),
    /// A number of characters outside the limits.
    LengthOutOfRange(RangeInclusive<usize>),
    /// A control character where none may be.
    ControlCharacter,
    /// Not a well-formed e-mail address, at registration.
    InvalidEmail,
    /// Not a well-formed e-mail address, at login.
    InvalidLoginEmail,
    /// A password that most people choose.
    CommonPassword,
    /// A number outside the limits.
    OutOfRange(RangeInclusive<i64>),
    /// A number with a fraction where a whole one is needed.
    NotAnInteger,
    /// A number with more decimals than the limit.
    TooManyDecimals(u32),
    /// Neither epoch seconds nor an ISO 8601 time with an offset, from 1970 to 9999.
    InvalidTime,
    /// More entries than the limit.
    TooMany(usize),
    /// More seats in all areas together than the limit.
    TooManySeats(usize),
    /// The same as an earlier entry.
    Duplicate,
    /// A drawing that is not safe to show.
    UnsafeDrawing(DrawingError),
    /// All drawings together, this one being the one that passes the limit.
    DrawingsTooLarge(usize),
    /// A cursor that this service did not give.
    InvalidCursor,
    /// Not an idempotency key: 1 to so many visible ASCII characters.
    InvalidIdempotencyKey(usize),
}

impl Violation {
    /// The same in the words that login has for it, which the interface sets.
    #[must_use]
    pub fn into_login(self) -> Self {
        match self {
            Self::InvalidEmail => Self::InvalidLoginEmail,
            Self::TooLong(max) => Self::LengthOutOfRange(1..=max),
            other => other,
        }
    }
}

/// Reason for which a drawing is rejected.
///
/// Names are given as the drawing spells them, cut at 64 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// The markup that starts on this line, counted from 1, is not well-formed
    /// XML, or is a reference that XML and HTML decode differently.
    NotWellFormed {
        /// The line of the drawing, not of the request.
        line: usize,
    },
    /// The top level holds something else than one `<svg>` or `<g>` with white
    /// space and comments around it.
    Root,
    /// Elements nest deeper than the limit.
    TooDeep,
    /// This element carries more than 256 attributes.
    TooManyAttributes(String),
    /// This element is not on the allow list.
    Element(String),
    /// This attribute is not on the allow list.
    Attribute(String),
    /// This namespace declaration binds `xmlns` or `xmlns:xlink` to anything but
    /// its own namespace, or is of a prefix that is reserved or not ASCII.
    Namespace(String),
    /// The link in this attribute is no raster `data:` URI, nor a `#fragment`
    /// or, on `image`, a `blob:` URL instead.
    Link(String),
    /// The value of this attribute holds something that could run, fetch or
    /// cover the page.
    Value(String),
    /// This element, `title` or `desc`, holds or would hold more than text.
    MarkupInText(String),
    /// There is a document type declaration.
    Doctype,
    /// There is a CDATA section.
    CData,
    /// There is a processing instruction, or an XML declaration other than at
    /// the very start.
    ProcessingInstruction,
    /// A comment holds `<`, `>`, `--` or a character XML forbids, or ends in
    /// a hyphen.
    Comment,
    /// More elements than the limit are drawn, those drawn by reference
    /// included, or references lead back to where they stand.
    TooManyElements,
    /// Text that is not markup is no URL or path either: it holds white space
    /// or a character of markup, or has another scheme than `http` and `https`.
    UnsafeUrl,
}
