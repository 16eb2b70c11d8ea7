//! Ids of seats and areas in requests, and errors about them.

use std::collections::HashSet;

use api::{
    error::Error,
    fields::{Errors, Field, Set},
};
use domain::{error::Error as DomainError, id, violation::Violation};
use serde_json::json;
use uuid::Uuid;

/// Reads the ids of seats, all different.
pub(crate) fn read_seats<const MAX: usize>(errors: &mut Errors, field: Field<Set<Uuid, MAX>>) -> Vec<Uuid> {
    read_ids(errors, "seatIds", field, &Violation::NoSuchSeat)
}

/// Reads ids, all different. `unknown` is the violation of a text that is no id.
pub(crate) fn read_ids<const MAX: usize>(
    errors: &mut Errors,
    name: &str,
    field: Field<Set<Uuid, MAX>>,
    unknown: &Violation,
) -> Vec<Uuid> {
    let mut within = Errors::default();
    let items = within.items(name, field).unwrap_or_default();
    let mut ids = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(text) = within.text(format_args!("{name}[{index}]"), *item, |text| Ok(text.to_owned())) else {
            continue;
        };
        match id::parse(&text) {
            Some(id) => ids.push(id),
            None => within.add(format_args!("{name}[{index}]"), *item, unknown.clone()),
        }
    }
    if within.is_empty() {
        let mut seen = HashSet::new();
        for (index, _) in ids.iter().enumerate().filter(|(_, id)| !seen.insert(**id)) {
            within.add(format_args!("{name}[{index}]"), items[index], Violation::Duplicate);
        }
    }
    errors.extend(within);
    ids
}

/// Turns an error about seats of a request into one that names each of them, as `seatIds[2]`.
#[must_use]
pub fn name_seats(error: DomainError, ids: &[Uuid]) -> Error {
    let mut errors = Errors::default();
    let mut add = |name: &str, index: usize, violation| {
        errors.add_value(format_args!("{name}[{index}]"), &ids[index].to_string(), violation);
    };
    match &error {
        DomainError::NoSuchSeats(indexes) => {
            for index in indexes {
                add("seatIds", *index, Violation::NoSuchSeat);
            }
            errors.into_error()
        }
        DomainError::UnknownAreas(indexes) => {
            for index in indexes {
                add("areaIds", *index, Violation::NoSuchArea);
            }
            errors.into_error()
        }
        DomainError::CompanionAlone(index) => {
            add("seatIds", *index, Violation::CompanionAlone);
            errors.into_error()
        }
        DomainError::SeatsTooScattered => {
            errors.add_value("seatIds", &json!(ids).to_string(), Violation::TooScattered);
            errors.into_error()
        }
        DomainError::SeatsTaken(seats) => {
            for seat in seats {
                add("seatIds", seat.index, if seat.is_own { Violation::OwnSeat } else { Violation::SeatTaken });
            }
            Error::SeatsTaken(errors.into_fields())
        }
        _ => error.into(),
    }
}
