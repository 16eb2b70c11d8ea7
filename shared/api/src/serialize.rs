//! How values of the domain are shown in JSON.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use domain::{coordinate::Coordinate, price::Price};

/// A value that is shown as the text it prints.
#[derive(Debug)]
pub struct AsText<T>(pub T);

impl<T: Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// A value that is shown as a JSON number, the shortest that reads back the same.
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
        if value.fract() == 0.0 {
            serializer.serialize_i64(value as i64)
        } else {
            serializer.serialize_f64(value)
        }
    }
}
