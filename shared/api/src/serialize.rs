//! Serialization of domain values to JSON.

use std::fmt::Display;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use domain::price::Price;

/// Value that is serialized as its `Display` text.
#[derive(Debug)]
pub struct AsText<T>(pub T);

impl<T: Display> Serialize for AsText<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.0)
    }
}

/// Price that is serialized as a JSON number.
#[derive(Debug)]
pub struct AsNumber(pub Price);

impl Serialize for AsNumber {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.to_string()).map_err(serde::ser::Error::custom)?.serialize(serializer)
    }
}
