//! Copy of an event on the wire.

use std::{borrow::Cow, fmt};

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, OPTIONAL},
    json,
};
use domain::{error::Error as DomainError, event::EventPatch, price::Price, show::ShowTimes, violation::Violation};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use seating::seat_map::MAX_HALL_AREAS;
use serde::{
    Deserialize, Deserializer,
    de::{Error as _, IgnoredAny, MapAccess, Visitor},
};
use serde_json::json;

use crate::events::edit_request::EditEventRequest;

/// Characters of a label in the name of a field; longer ones are those of no area.
const MAX_LABEL: usize = 50;

/// New event that a request wants as a copy.
#[derive(Debug)]
pub struct CopyRequest<'a> {
    /// Fields in which it differs from the original.
    pub patch: EventPatch,
    /// The shows.
    pub shows: ShowTimes,
    /// Prices of areas, by label.
    pub prices: Vec<(String, Price)>,
    fields: Vec<PriceField<'a>>,
}

/// Label of an area with its price, as sent.
type PriceField<'a> = (Cow<'a, str>, Field<'a, Price>);

#[derive(Default, Deserialize)]
#[serde(default)]
struct PricesRequest<'a> {
    #[serde(borrow)]
    prices: Field<'a, Nullable<Prices<'a>>>,
}

/// Prices by label, in the order sent: as many as areas are possible, and one more.
struct Prices<'a>(Vec<PriceField<'a>>);

impl JsonSchema for CopyRequest<'_> {
    fn schema_name() -> Cow<'static, str> {
        "CopyRequest".into()
    }

    /// Returns the schema of an edit, whose times are required here, with prices.
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = EditEventRequest::json_schema(generator);
        schema.insert(
            "description".into(),
            "New event with the hall and the poster of another one. Fields that are missing are those of the original."
                .into(),
        );
        let properties = &mut schema.ensure_object()["properties"];
        for name in ["eventOpenTime", "ticketingOpenTime", "eventDatetimes"] {
            properties[name].as_object_mut().map(|schema| schema.remove(OPTIONAL));
        }
        properties["prices"] = json!({
            "description": "Prices of areas that differ from the original, by their labels.",
            "anyOf": [
                {
                    "type": "object",
                    "maxProperties": MAX_HALL_AREAS,
                    "additionalProperties": generator.subschema_for::<Price>(),
                },
                {"type": "null"},
            ],
            OPTIONAL: true,
        });
        schema
    }
}

impl<'a> CopyRequest<'a> {
    /// Parses the body of a request; fields that are `None` are those of the original.
    ///
    /// # Errors
    ///
    /// Returns `NotJson` if it is not a JSON object, and `Fields` with all errors in its fields.
    pub fn parse(body: &'a [u8]) -> Result<Self, Error> {
        let event = json::object::<EditEventRequest>(body)?.with_required_times();
        let PricesRequest { prices } = json::object(body)?;
        let mut errors = Errors::default();
        let mut patch = event.read(&mut errors);
        let shows = patch.shows.take();
        let by_label = prices.not_null().and_then(|prices| errors.object("prices", prices));
        let fields = by_label.map(|Prices(fields)| fields).unwrap_or_default();
        if fields.len() > MAX_HALL_AREAS {
            errors.add("prices", prices, Violation::TooMany(MAX_HALL_AREAS));
        }
        let price =
            |(label, field): &PriceField| Some((label.to_string(), errors.number(name(label), *field, Price::parse)?));
        let prices = fields.iter().filter_map(price).collect();
        match shows {
            Some(shows) if errors.is_empty() => Ok(Self { patch, shows, prices, fields }),
            _ => Err(errors.into_error()),
        }
    }

    /// Turns an error about labels of the request into one that names each of them, as `prices.R석`.
    #[must_use]
    pub fn name_areas(&self, error: DomainError) -> Error {
        let DomainError::NoSuchAreas(labels) = &error else { return error.into() };
        let mut errors = Errors::default();
        for (label, field) in self.fields.iter().filter(|(label, _)| labels.iter().any(|unknown| unknown == label)) {
            errors.add(name(label), *field, Violation::NoSuchArea);
        }
        errors.into_error()
    }
}

fn name(label: &str) -> String {
    format!("prices.{}", label.chars().take(MAX_LABEL).collect::<String>())
}

impl<'de: 'a, 'a> Deserialize<'de> for Prices<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(PricesVisitor)
    }
}

struct PricesVisitor;

impl<'de> Visitor<'de> for PricesVisitor {
    type Value = Prices<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Self::Value, M::Error> {
        let mut prices: Vec<PriceField> = Vec::new();
        while prices.len() <= MAX_HALL_AREAS
            && let Some((label, price)) = map.next_entry::<Cow<str>, Field<Price>>()?
        {
            if prices.iter().any(|(other, _)| *other == label) {
                return Err(M::Error::custom(format_args!("duplicate field `{label}`")));
            }
            prices.push((label, price));
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Prices(prices))
    }
}
