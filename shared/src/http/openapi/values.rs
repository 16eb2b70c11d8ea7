//! The schema of each value, with the limits that the domain keeps.

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        Array, KnownFormat, Object, Ref, RefOr, Schema, SchemaFormat, Type,
        schema::{ArrayBuilder, ObjectBuilder, OneOfBuilder},
    },
};

use crate::{
    domain::{
        coordinate::Coordinate,
        drawing::Drawing,
        email::{self, Email},
        event::MAX_SHOWS,
        idempotency,
        instant::{Instant, LAST_SECOND},
        nickname::{self, Nickname},
        password::{self, Password},
        poster::Format,
        price::Price,
        seat_map::{MAX_AREAS, MAX_DRAWINGS, MAX_POSITION, MAX_SEATS},
        text::Text,
    },
    http::event::{AreaDetail, AreaRequest, SeatDetail, SeatRequest, Show},
};

/// Not blank and without control characters: white space is what Unicode calls so, and the
/// classes are spelt out, since dialects of patterns disagree on what `\s` is.
const LINE: &str = r"^[^\u0000-\u001F\u007F-\u009F]*[^\u0000-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000][^\u0000-\u001F\u007F-\u009F]*$";
/// The same, with line breaks and tabs.
const PARAGRAPH: &str = r"^[^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*[^\u0000-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000][^\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F]*$";

/// A time as it is sent, from 1970 to 9999 and without leap seconds.
const INSTANT: &str = r"^(19[7-9][0-9]|[2-9][0-9]{3})-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-5][0-9](\.[0-9]{1,9})?(Z|[+-][0-9]{2}:[0-9]{2})$";

/// A time as it is answered.
const TIME: &str = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.([0-9]{3}){1,3})?Z$";

/// A version 4, 5 or 7 UUID as it is answered.
pub const UUID: &str = "[0-9a-f]{8}-[0-9a-f]{4}-[457][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";

/// A password to log in with.
pub struct PasswordAtLogin;
/// The areas of a new event.
pub struct Areas;
/// The seats of a new area.
pub struct Seats;
/// The show dates of a new event.
pub struct Shows;
/// A row, or the number of a seat in it.
pub struct Position;
/// The file name of a poster.
pub struct Thumbnail;
/// A time as it is answered.
pub struct Time;
/// The areas of an event as they are answered.
pub struct AreaDetails;
/// The seats of an area as they are answered.
pub struct SeatDetails;
/// The show dates of an event as they are answered.
pub struct ShowDetails;

fn text(max: usize, pattern: &str) -> ObjectBuilder {
    ObjectBuilder::new()
        .schema_type(Type::String)
        .min_length(Some(1))
        .max_length(Some(max))
        .pattern(Some(pattern))
}

fn array<T: ToSchema>(min: usize, max: usize, description: &str) -> RefOr<Schema> {
    let array = Array::new(RefOr::Ref(Ref::from_schema_name(T::name())));
    let array = ArrayBuilder::from(array).description(Some(description));
    let array = if min > 0 { array.min_items(Some(min)) } else { array };
    array.max_items(Some(max)).into()
}

impl<const MAX: usize, const LINES: bool> PartialSchema for Text<MAX, LINES> {
    fn schema() -> RefOr<Schema> {
        text(MAX, if LINES { PARAGRAPH } else { LINE }).into()
    }
}

impl PartialSchema for Email {
    fn schema() -> RefOr<Schema> {
        text(email::MAX_CHARS, LINE).format(Some(SchemaFormat::KnownFormat(KnownFormat::Email))).into()
    }
}

impl PartialSchema for Nickname {
    fn schema() -> RefOr<Schema> {
        text(nickname::MAX_CHARS, LINE)
            .description(Some("Unique without regard to case, width and composition (NFKC)."))
            .into()
    }
}

impl PartialSchema for Password {
    fn schema() -> RefOr<Schema> {
        secret(password::MAX_CHARS)
    }
}

impl PartialSchema for PasswordAtLogin {
    fn schema() -> RefOr<Schema> {
        secret(password::MAX_CHARS_AT_LOGIN)
    }
}

fn secret(max: usize) -> RefOr<Schema> {
    text(max, LINE).format(Some(SchemaFormat::KnownFormat(KnownFormat::Password))).into()
}

impl PartialSchema for Instant {
    fn schema() -> RefOr<Schema> {
        let seconds = ObjectBuilder::new()
            .schema_type(Type::Number)
            .description(Some("Epoch seconds with at most nine decimals."))
            .minimum(Some(0))
            .exclusive_maximum(Some(LAST_SECOND + 1));
        let text = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .pattern(Some(INSTANT))
            .description(Some("ISO 8601 with an offset and at most nine decimals, from 1970 to 9999."));
        OneOfBuilder::new().item(seconds).item(text).into()
    }
}

impl PartialSchema for Time {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::KnownFormat(KnownFormat::DateTime)))
            .pattern(Some(TIME))
            .description(Some("ISO 8601 in UTC, with 0, 3, 6 or 9 decimals."))
            .into()
    }
}

impl PartialSchema for Price {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(0))
            .maximum(Some(Self::MAX.hundredths() / 100))
            .multiple_of(Some(0.01))
            .description(Some("The price of a seat; exact, and so read from its decimals."))
            .into()
    }
}

impl PartialSchema for Coordinate {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::Number)
            .minimum(Some(-Self::MAX))
            .maximum(Some(Self::MAX))
            .into()
    }
}

impl PartialSchema for Position {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(MAX_POSITION)).into()
    }
}

impl PartialSchema for Drawing {
    fn schema() -> RefOr<Schema> {
        let description = format!(
            "An inert SVG document or fragment with `<svg>` or `<g>` at its root, or a URL or path; kept byte for \
             byte. All drawings of an event together have at most {MAX_DRAWINGS} bytes."
        );
        ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("drawing".to_owned())))
            .min_length(Some(1))
            .max_length(Some(MAX_DRAWINGS))
            .description(Some(description))
            .into()
    }
}

impl PartialSchema for Thumbnail {
    fn schema() -> RefOr<Schema> {
        let formats = [Format::Jpeg, Format::Png, Format::Gif, Format::WebP].map(Format::extension);
        ObjectBuilder::new()
            .schema_type(Type::String)
            .pattern(Some(format!("^{UUID}\\.({})$", formats.join("|"))))
            .description(Some("The file name of the poster, which is at `/upload/<thumbnail>`."))
            .into()
    }
}

impl PartialSchema for Areas {
    fn schema() -> RefOr<Schema> {
        array::<AreaRequest>(1, MAX_AREAS, "Areas with distinct labels.")
    }
}

impl PartialSchema for Seats {
    fn schema() -> RefOr<Schema> {
        let description = format!(
            "Seats with distinct `(row, number)`; all areas together have at most {MAX_SEATS} of them."
        );
        array::<SeatRequest>(0, MAX_SEATS, &description)
    }
}

impl PartialSchema for Shows {
    fn schema() -> RefOr<Schema> {
        ArrayBuilder::from(Array::new(Instant::schema()))
            .min_items(Some(1))
            .max_items(Some(MAX_SHOWS))
            .unique_items(true)
            .description(Some("Distinct instants."))
            .into()
    }
}

impl PartialSchema for AreaDetails {
    fn schema() -> RefOr<Schema> {
        array::<AreaDetail>(1, MAX_AREAS, "The areas, in the order in which they were sent.")
    }
}

impl PartialSchema for SeatDetails {
    fn schema() -> RefOr<Schema> {
        array::<SeatDetail>(0, MAX_SEATS, "The seats, in the order in which they were sent.")
    }
}

impl PartialSchema for ShowDetails {
    fn schema() -> RefOr<Schema> {
        array::<Show>(1, MAX_SHOWS, "The show dates, in the order in which they were sent.")
    }
}

/// What a manager calls a request, to be able to repeat it.
pub fn idempotency_key() -> Object {
    text(idempotency::MAX_LENGTH, "^[!-~]+$").build()
}

/// The content of a poster.
pub fn poster() -> Object {
    let description = format!(
        "A JPEG, PNG, GIF or WebP, known by its content; at most {} bytes and {} pixels a side.",
        crate::domain::poster::MAX_BYTES,
        crate::domain::poster::MAX_SIDE
    );
    ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Binary)))
        .description(Some(description))
        .build()
}
