//! Serialization of domain values to JSON.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use domain::{coordinate::Coordinate, price::Price};

/// Value that is serialized as its `Display` text.
#[derive(Debug)]
pub struct AsText<T>(pub T);

impl<T: Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Value that is serialized as the shortest JSON number that reads back the same.
#[derive(Debug)]
pub struct AsNumber<T>(pub T);

impl Serialize for AsNumber<Price> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}

impl Serialize for AsNumber<Coordinate> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.0.value();
        #[expect(clippy::cast_possible_truncation, reason = "a coordinate is at most a million")]
        if value.fract() == 0.0 { serializer.serialize_i64(value as i64) } else { serializer.serialize_f64(value) }
    }
}
