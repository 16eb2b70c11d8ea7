//! Types that fields are declared to have.

use std::{borrow::Cow, marker::PhantomData};

use domain::{
    coordinate::Coordinate,
    described,
    email::Email,
    hold::OrderId,
    instant::{self, Instant},
    integer::Integer,
    member::Nickname,
    password::{NewPassword, Password},
    price::Price,
    seat_kind::SeatKind,
    seats::{admission::ScanId, selling::Charged},
    show::ShowStatus,
    text::{self, Text},
};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use seating::{drawing::Drawing, seat_map::SeatPosition, svg::References};
use uuid::Uuid;

/// Type of the valid values of a field.
pub trait Declared: JsonSchema {
    /// Value that is read from a valid field.
    type Value;

    /// Returns the schema of the field.
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<Self>()
    }
}

/// Declares the values that are read from fields of these types; by default, those of the type itself.
#[macro_export]
macro_rules! declared {
    ($($type:ty $(=> $value:ty)?),+ $(,)?) => {
        $(
            impl $crate::fields::Declared for $type {
                type Value = $crate::declared!(@value $type $(, $value)?);
            }
        )+
    };
    (@value $type:ty) => { $type };
    (@value $type:ty, $value:ty) => { $value };
}

declared!(bool, Charged, Coordinate, Email, Nickname, OrderId, Password, Price, ScanId, SeatKind, ShowStatus);
declared!(Drawing => (Drawing, References), NewPassword => Password, SeatPosition => u32);
// An id that no object has is another error than a value of another type.
declared!(Uuid => String);

impl<const MAX: usize, const MULTILINE: bool> Declared for Text<MAX, MULTILINE> {
    type Value = Self;
}

impl<const MIN: i32, const MAX: i32> Declared for Integer<MIN, MAX> {
    type Value = Self;
}

impl Declared for Instant {
    type Value = Self;

    /// Returns a schema of both notations; responses have only one.
    fn schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<AnyTime>()
    }
}

/// Time in a request.
struct AnyTime;

described!(AnyTime as "Instant", {
    "description": "Number: epoch seconds with at most nine decimals. String: ISO 8601 with an offset and at most nine \
                    decimals, from 1970 to 9999.",
    "oneOf": [
        {"type": "number", "minimum": 0, "exclusiveMaximum": instant::LAST_SECOND + 1},
        {"type": "string", "format": "date-time", "pattern": instant::PATTERN},
    ],
});

/// Keyword in the schema of a field that may be missing; the document has it as the list `required` of the object.
pub const OPTIONAL: &str = "x-optional";

/// Value that may be missing, but must be valid if it is present.
pub struct Optional<D>(PhantomData<D>);

/// Value that may be missing or null, which both mean none.
pub struct Nullable<D>(PhantomData<D>);

/// Value that may be missing, null or blank, which all mean none.
pub struct OrBlank<D>(PhantomData<D>);

/// Text or null, in place of a value.
struct Blank;

described!(Blank as "Blank", {
    "description": "Null or a blank text: none.",
    "type": ["string", "null"],
    "pattern": *text::BLANK,
});

/// Array of `MIN` to `MAX` values, which are distinct if it is a `SET`.
pub struct Array<D, const MIN: usize, const MAX: usize, const SET: bool>(PhantomData<D>);

/// Array of `MIN` to `MAX` values.
pub type List<D, const MIN: usize, const MAX: usize> = Array<D, MIN, MAX, false>;

/// Array of 1 to `MAX` distinct values.
pub type Set<D, const MAX: usize> = Array<D, 1, MAX, true>;

/// Implements the traits of a type that only stands for others, with this schema.
macro_rules! inline {
    ([$($parameters:tt)*] $type:ty => $value:ty, |$generator:ident| $schema:expr) => {
        impl<$($parameters)*> Declared for $type {
            type Value = $value;
        }

        impl<$($parameters)*> JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                std::any::type_name::<Self>().into()
            }

            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

inline!([D: Declared] Optional<D> => D::Value, |generator| {
    let mut schema = D::schema(generator);
    schema.insert(OPTIONAL.into(), true.into());
    schema
});

inline!([D: Declared] Nullable<D> => D::Value, |generator| {
    json_schema!({"anyOf": [D::schema(generator), {"type": "null"}], OPTIONAL: true})
});

inline!([D: Declared] OrBlank<D> => D::Value, |generator| {
    json_schema!({"anyOf": [D::schema(generator), generator.subschema_for::<Blank>()], OPTIONAL: true})
});

inline!([D: Declared, const MIN: usize, const MAX: usize, const SET: bool] Array<D, MIN, MAX, SET> => Self, |generator| {
    let items = D::schema(generator);
    let mut schema = json_schema!({"type": "array", "items": items, "minItems": MIN, "maxItems": MAX});
    if SET {
        schema.insert("uniqueItems".into(), true.into());
    }
    schema
});
