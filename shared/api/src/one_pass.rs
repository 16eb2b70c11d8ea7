//! Arrays and objects of known types, which are parsed in one pass with all their values.

use std::{fmt, marker::PhantomData};

use serde::{
    Deserialize, Deserializer,
    de::{Error as _, MapAccess, SeqAccess, Visitor, value::MapAccessDeserializer},
};

/// Value of a struct that is read only from an object.
///
/// A struct itself is also read from an array of the values of its fields.
pub(crate) struct Object<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, members: M) -> Result<Object<T>, M::Error> {
        T::deserialize(MapAccessDeserializer::new(members)).map(Object)
    }
}

/// Array of at most `MAX` items; reading stops at the first excess item, so that memory is limited.
pub(crate) struct Limited<T, const MAX: usize>(pub(crate) Vec<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Deserialize<'de> for Limited<T, MAX> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(LimitedVisitor(PhantomData))
    }
}

struct LimitedVisitor<T, const MAX: usize>(PhantomData<T>);

impl<'de, T: Deserialize<'de>, const MAX: usize> Visitor<'de> for LimitedVisitor<T, MAX> {
    type Value = Limited<T, MAX>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of at most {MAX} items")
    }

    fn visit_seq<S: SeqAccess<'de>>(self, mut sequence: S) -> Result<Limited<T, MAX>, S::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            if items.len() == MAX {
                return Err(S::Error::invalid_length(MAX + 1, &self));
            }
            items.push(item);
        }
        Ok(Limited(items))
    }
}
