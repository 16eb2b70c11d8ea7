//! Requests to block or to free seats on the wire.

use api::{
    error::Error,
    fields::{Errors, Field, Set},
};
use domain::hold::MAX_BLOCKED_SEATS;
use schemars::JsonSchema;
use serde::Deserialize;
use uuid::Uuid;

use crate::seats::seat_ids::read_seats;

/// Body of a request to block or to free seats.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct BlockRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Set<Uuid, MAX_BLOCKED_SEATS>>,
}

impl BlockRequest<'_> {
    /// Returns the ids of the seats, all different.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<Vec<Uuid>, Error> {
        let mut errors = Errors::default();
        let ids = read_seats(&mut errors, self.seat_ids);
        if errors.is_empty() { Ok(ids) } else { Err(errors.into_error()) }
    }
}
