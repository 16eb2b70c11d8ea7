//! Requests to hold seats on the wire.

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, Set},
};
use domain::{
    hold::{GroupSize, MAX_BEST_AREAS, MAX_HELD_SEATS},
    seat_kind::{SeatKind, Usable},
    violation::Violation,
};
use schemars::JsonSchema;
use seating::choice::Group;
use serde::Deserialize;
use storage::seats::{best_seats::BestSeats, holds::WantedSeats};
use uuid::Uuid;

use crate::seats::seat_ids::{read_ids, read_seats};

/// Body of a request to hold seats: these seats, or the best ones of some areas.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("oneOf" = [
    {"required": ["seatIds"], "not": {"anyOf": [{"required": ["count"]}, {"required": ["areaIds"]}]}},
    {"required": ["count", "areaIds"], "not": {"required": ["seatIds"]}},
]))]
pub struct HoldRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Nullable<Set<Uuid, MAX_HELD_SEATS>>>,
    /// Number of seats.
    count: Field<'a, Nullable<GroupSize>>,
    /// Ids of areas of the event, in the order in which they are tried.
    area_ids: Field<'a, Nullable<Set<Uuid, MAX_BEST_AREAS>>>,
    /// True, which is the default, if the seats must have one row and consecutive numbers. Otherwise they are as near
    /// to each other as possible.
    adjacent: Field<'a, Nullable<bool>>,
    /// Kinds of the best seats, in addition to ordinary seats; without them, only ordinary ones. With `WHEELCHAIR`, at
    /// least one seat is a wheelchair place, and the others are of companions, if they are named, or such places, too.
    #[schemars(extend(
        "if" = {"type": "array", "contains": {"const": SeatKind::Companion.name()}},
        "then" = {"contains": {"const": SeatKind::Wheelchair.name()}},
    ))]
    kinds: Field<'a, Nullable<Set<SeatKind, { SeatKind::COUNT }>>>,
}

impl HoldRequest<'_> {
    /// Returns the seats that the member wants.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<WantedSeats, Error> {
        let mut errors = Errors::default();
        let wants_best = self.count.not_null().is_some() || self.area_ids.not_null().is_some();
        if !wants_best {
            let seats = read_seats(&mut errors, self.seat_ids.required());
            return if errors.is_empty() { Ok(WantedSeats::These(seats)) } else { Err(errors.into_error()) };
        }
        if let Some(field) = self.seat_ids.not_null() {
            errors.add("seatIds", field, Violation::SeatsAndAreas);
        }
        let count = errors.number("count", self.count.required(), GroupSize::parse);
        let areas = read_ids(&mut errors, "areaIds", self.area_ids.required(), &Violation::NoSuchArea);
        let adjacent = self.adjacent.not_null().map_or(Some(true), |field| errors.boolean("adjacent", field));
        let usable = self.kinds.not_null().map_or(Some(Usable::Ordinary), |field| read_kinds(&mut errors, field));
        match (count, adjacent, usable) {
            (Some(count), Some(adjacent), Some(usable)) if errors.is_empty() => {
                let group = Group { count: count.get() as usize, adjacent, usable };
                Ok(WantedSeats::Best(BestSeats { areas, group }))
            }
            _ => Err(errors.into_error()),
        }
    }
}

/// Reads the kinds of the best seats, all different.
fn read_kinds(errors: &mut Errors, field: Field<Set<SeatKind, { SeatKind::COUNT }>>) -> Option<Usable> {
    let items = errors.items("kinds", field)?;
    let mut kinds = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        let path = format_args!("kinds[{index}]");
        match errors.text(path, item, SeatKind::parse) {
            Some(kind) if kinds.contains(&kind) => errors.add(path, item, Violation::Duplicate),
            Some(kind) => kinds.push(kind),
            None => {}
        }
    }
    if !errors.is_empty() {
        return None;
    }
    Usable::with_kinds(&kinds).map_err(|violation| errors.add("kinds", field, violation)).ok()
}
