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
    /// Not an object.
    NotAnObject,
    /// An object that has this name twice.
    DuplicateName(String),
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
    /// Neither epoch seconds nor an ISO 8601 time with offset.
    InvalidTime,
    /// An ISO 8601 time that does not exist, such as one on 30 February, or a leap second.
    NoSuchTime,
    /// A time before 1970 or after 9999.
    TimeOutOfRange,
    /// More entries than the limit.
    TooMany(usize),
    /// More seats in all areas than the limit.
    TooManySeats(usize),
    /// Equal to an earlier entry.
    Duplicate,
    /// Not safe to display.
    UnsafeDrawing(DrawingFault),
    /// Total size of the drawings up to this one exceeds the limit.
    DrawingsTooLarge(usize),
    /// Not one of these names.
    NotOneOf(&'static [&'static str]),
    /// A time that is not before the one in this parameter.
    NotBefore(&'static str),
    /// Not a cursor of this service, or one of another list.
    InvalidCursor,
    /// Not a list of entity tags, nor `*`.
    InvalidEntityTags,
    /// A field that an edit cannot change.
    Unchangeable,
    /// Not an idempotency key: 1 to this many visible ASCII characters.
    InvalidIdempotencyKey(usize),
    /// Not an order's id: 1 to this many visible ASCII characters.
    InvalidOrderId(usize),
    /// The id of a scan has another character than visible ASCII, or more than this number of them.
    InvalidScanId(usize),
    /// Not the id of a seat of the event.
    NoSuchSeat,
    /// Seats in too many parts of the hall to be blocked together.
    TooScattered,
    /// Not the label or the id of an area of the hall.
    NoSuchArea,
    /// Seats together with a wish for the best seats.
    SeatsAndAreas,
    /// Kinds of seats with those of companions, but without wheelchair places.
    CompanionsOnly,
    /// A companion's seat without a wheelchair place of the same area.
    CompanionAlone,
    /// Seats together with a label of blocked seats.
    SeatsAndLabel,
    /// A label with which the blocked seats of a show have more than this number.
    TooManyLabels(usize),
    /// A text with which all notices of the event exceed this number of characters.
    NoticesTooLong(usize),
    /// Time of another show of the event.
    ShowTimeTaken,
    /// The event has changed so often that shows can no longer be added.
    TooManyChanges,
    /// Neither true nor false.
    NotABoolean,
    /// A seat that is held, sold or blocked.
    SeatTaken,
    /// A seat that the member who asks holds or has bought.
    OwnSeat,
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

/// Fault of a drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawingFault {
    /// Place of the fault, or `None` if it concerns drawings as a whole.
    pub position: Option<Position>,
    /// Rule that the drawing breaks.
    pub error: DrawingError,
}

/// Place in a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Line number, from 1.
    pub line: usize,
    /// Number of the character in its line, from 1.
    pub column: usize,
}

/// Rule that a drawing breaks.
///
/// Names and parts are as in the drawing, truncated to 64 characters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DrawingError {
    /// Markup that is not well-formed XML.
    NotWellFormed,
    /// Entity or character reference that XML does not define, or that HTML decodes differently.
    Entity(String),
    /// The top level is not one `<svg>` or `<g>`, with only white space and comments around it.
    Root,
    /// Elements nested deeper than the limit.
    TooDeep,
    /// More than 256 attributes on this element.
    TooManyAttributes(String),
    /// Second attribute with this name on one element.
    DuplicateAttribute(String),
    /// Element that is not on the allow list.
    Element(String),
    /// Attribute that is not on the allow list.
    Attribute(String),
    /// Name with a prefix that is not declared.
    UndeclaredPrefix(String),
    /// Namespace declaration that binds `xmlns` or `xmlns:xlink` to a foreign namespace, or has a reserved or
    /// non-ASCII prefix.
    Namespace(String),
    /// Link that is neither a raster `data:` URI nor a `#fragment` (on `image`: a `blob:` URL).
    Link(String),
    /// Percent encoding in this `#fragment`.
    PercentEncodedId(String),
    /// Image in a `data:` URI that is not PNG, JPEG, GIF or WebP.
    ImageFormat,
    /// Image in a `data:` URI with a side longer than this many pixels.
    ImageTooLarge(u32),
    /// Images of one drawing with more than this many pixels together.
    TooManyPixels(u64),
    /// Value that could run code, fetch something, cover the page or take long to draw.
    Value {
        /// Name of the attribute.
        attribute: String,
        /// Rejected part of its value, in lower case and without white space.
        part: String,
    },
    /// Style sheet with something else than rules for generated class names and presentation properties.
    StyleSheet(String),
    /// This element, `title` or `desc`, contains or would contain more than text.
    MarkupInText(String),
    /// Document type declaration of something else than SVG, or not before the root.
    Doctype,
    /// Document type declaration with declarations of its own, in `[` and `]`.
    InternalSubset,
    /// CDATA section outside a `style` element.
    CData,
    /// Processing instruction, or XML declaration that is not at the start.
    ProcessingInstruction,
    /// Part of a comment that an HTML parser could take for its end, or that XML forbids.
    Comment(String),
    /// Element that draws itself by its references.
    CircularReference,
    /// More drawn elements than the limit in the drawings up to this one, including what references repeat.
    TooManyElements {
        /// Number of drawn elements.
        total: u64,
        /// Elements of this drawing that draw most.
        most: Vec<DrawnElement>,
    },
    /// Text without markup that is no path or URL: white space, markup characters, or a scheme other than `http`
    /// and `https`.
    UnsafeUrl,
}

/// Element with the number of elements that it draws by itself and by its references.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnElement {
    /// Name of the element.
    pub name: &'static str,
    /// Line number, from 1.
    pub line: usize,
    /// Number of drawn elements.
    pub count: u64,
}
