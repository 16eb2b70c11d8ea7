//! Requests to block or to free seats on the wire.

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, OrBlank, Set},
};
use domain::{seats::blocking::MAX_BLOCKED_SEATS, text::Label, violation::Violation};
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::seats::seat_ids::read_seats;

/// Body of a request to block seats.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct BlockRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Set<Uuid, MAX_BLOCKED_SEATS>>,
    /// Name that tells for whom the seats are.
    label: Field<'a, OrBlank<Label>>,
}

/// Body of a request to free blocked seats: these seats, or all with a label.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("oneOf" = [
    {"required": ["seatIds"], "not": {"required": ["label"]}},
    {"required": ["label"], "not": {"required": ["seatIds"]}},
]))]
pub struct UnblockRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Nullable<Set<Uuid, MAX_BLOCKED_SEATS>>>,
    /// Label of the seats.
    label: Field<'a, OrBlank<Label>>,
}

/// Seats that a request frees.
#[derive(Debug)]
pub enum BlockedSeats {
    /// Seats with these ids, all different.
    These(Vec<Uuid>),
    /// All seats with this label.
    Labelled(Label),
}

impl BlockRequest<'_> {
    /// Returns the ids of the seats, all different, and their label.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<(Vec<Uuid>, Option<Label>), Error> {
        let mut errors = Errors::default();
        let ids = read_seats(&mut errors, self.seat_ids);
        let label = errors.optional_text("label", self.label, Label::parse);
        if errors.is_empty() { Ok((ids, label)) } else { Err(errors.into_error()) }
    }
}

impl UnblockRequest<'_> {
    /// Returns the seats.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<BlockedSeats, Error> {
        let mut errors = Errors::default();
        let seat_ids = self.seat_ids.not_null();
        let seats = if self.label.is_blank() {
            Some(BlockedSeats::These(read_seats(&mut errors, self.seat_ids.required())))
        } else {
            if let Some(field) = seat_ids {
                errors.add("seatIds", field, Violation::SeatsAndLabel);
            }
            errors.optional_text("label", self.label, Label::parse).map(BlockedSeats::Labelled)
        };
        match seats {
            Some(seats) if errors.is_empty() => Ok(seats),
            _ => Err(errors.into_error()),
        }
    }
}
