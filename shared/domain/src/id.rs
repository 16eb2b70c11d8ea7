//! Identifiers.
//!
//! Areas, seats and shows get their ids by arithmetic, so the ids of a hall need not be stored. Such an id is a UUID of
//! version 8: the first 96 bits of the event's id, with version 8, and then 32 bits that say which part it is.
//!
//! | Part | First 2 bits | Other 30 bits                                                            |
//! |------|--------------|--------------------------------------------------------------------------|
//! | area | 00           | number of the area                                                       |
//! | seat | 01           | number of the seat, counted through the whole hall                       |
//! | show | 10           | 24 bits: version of the event that added it; 6 bits: index in that version |
//!
//! The id of a gate is a hash of its show and its number, also a UUID of version 8.
//!
//! The last 32 bits of the event's id are lost. What remains distinguishes events: the time in milliseconds and the 42
//! bits in which [`Uuid::now_v7`] counts, from a random start in each millisecond.

use sha2::{Digest as _, Sha256};
use uuid::Uuid;

const NUMBER_BITS: u32 = 30;
pub(crate) const INDEX_BITS: u32 = 6;

/// Last version of an event that can add shows.
pub const MAX_SHOW_VERSION: u64 = (1 << (NUMBER_BITS - INDEX_BITS)) - 1;

/// Parses a UUID of 8-4-4-4-12 hexadecimal digits in either case.
#[must_use]
pub fn parse(text: &str) -> Option<Uuid> {
    const HYPHENATED: usize = 36;
    if text.len() != HYPHENATED {
        return None;
    }
    Uuid::try_parse(text).ok()
}

/// Returns the id of an area of an event.
#[must_use]
pub fn area(event: Uuid, number: usize) -> Uuid {
    part(event, part_of_kind(0b00, number as u64))
}

/// Returns the number of the area with this id, if the event can have such an area.
#[must_use]
pub fn area_number(event: Uuid, id: Uuid) -> Option<usize> {
    let number = usize::try_from(part_number(id) % (1 << NUMBER_BITS)).ok()?;
    (id == area(event, number)).then_some(number)
}

/// Returns the id of a seat of an event; its number counts through all areas.
#[must_use]
pub fn seat(event: Uuid, number: usize) -> Uuid {
    part(event, part_of_kind(0b01, number as u64))
}

/// Returns the id of a show of a new event, by its index.
#[must_use]
pub fn first_show(event: Uuid, index: usize) -> Uuid {
    part(event, part_of_kind(0b10, index as u64))
}

/// Returns the id of a show: its index among the shows of the version of the event that added it; `None` if the version
/// is too large for an id.
#[must_use]
pub fn show(event: Uuid, version: u64, index: usize) -> Option<Uuid> {
    (version <= MAX_SHOW_VERSION).then(|| part(event, part_of_kind(0b10, version << INDEX_BITS | index as u64)))
}

/// Returns the number of the seat with this id, if the event can have such a seat.
#[must_use]
pub fn seat_number(event: Uuid, id: Uuid) -> Option<usize> {
    let number = usize::try_from(part_number(id) % (1 << NUMBER_BITS)).ok()?;
    (id == seat(event, number)).then_some(number)
}

/// Returns the id of a gate of a show: the first 128 bits of SHA-256 of the show's id and the number of the gate as two
/// bytes, most significant first.
#[must_use]
pub fn gate(show: Uuid, number: u16) -> Uuid {
    let hash = Sha256::new().chain_update(show).chain_update(number.to_be_bytes()).finalize();
    let mut bytes = [0; size_of::<Uuid>()];
    bytes.copy_from_slice(&hash[..size_of::<Uuid>()]);
    Uuid::new_v8(bytes)
}

/// Returns the last 32 bits of the id of an area, seat or show.
#[must_use]
pub fn part_number(id: Uuid) -> u32 {
    let [.., a, b, c, d] = id.into_bytes();
    u32::from_be_bytes([a, b, c, d])
}

/// Returns the id with these last 32 bits of an area, seat or show.
#[must_use]
pub fn part(event: Uuid, number: u32) -> Uuid {
    let event = event.as_u128() >> u32::BITS << u32::BITS;
    Uuid::new_v8((event | u128::from(number)).to_be_bytes())
}

fn part_of_kind(kind: u32, number: u64) -> u32 {
    let number = u32::try_from(number).ok().filter(|number| *number < 1 << NUMBER_BITS);
    kind << NUMBER_BITS | number.expect("an id has 30 bits for the number of a part")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn only_hyphenated_hex_is_an_id() {
        let id = parse("0196a1b2-0000-7000-8000-00000000abcd");
        assert!(id.is_some());
        assert_eq!(id, parse("0196A1B2-0000-7000-8000-00000000ABCD"));
        for text in [
            "0196a1b2000070008000000000000abcd",
            "{0196a1b2-0000-7000-8000-00000000abcd}",
            "urn:uuid:0196a1b2-0000-7000-8000-00000000abcd",
            "0196a1b2-0000-7000-8000-00000000abcg",
            "0196a1b20000-7000-8000-0000-00000000abcd",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }

    #[test]
    fn ids_of_parts_match_documentation() {
        let event = parse("0196a1b2-0000-7123-8456-789aabcdef01").unwrap();
        for (id, expected) in [
            (area(event, 0), "0196a1b2-0000-8123-8456-789a00000000"),
            (area(event, 499), "0196a1b2-0000-8123-8456-789a000001f3"),
            (seat(event, 0), "0196a1b2-0000-8123-8456-789a40000000"),
            (seat(event, 99_999), "0196a1b2-0000-8123-8456-789a4001869f"),
            (first_show(event, 59), "0196a1b2-0000-8123-8456-789a8000003b"),
            (show(event, 1, 0).unwrap(), "0196a1b2-0000-8123-8456-789a80000040"),
            (show(event, MAX_SHOW_VERSION, 63).unwrap(), "0196a1b2-0000-8123-8456-789abfffffff"),
        ] {
            assert_eq!(id.to_string(), expected);
        }
        assert_eq!(show(event, 1 << 24, 0), None);
    }

    /// The ids were computed with `hashlib` and `uuid` of Python.
    #[test]
    fn gate_id_is_hash_of_show_and_number() {
        let show = parse("0196a1b2-0000-8123-8456-789a80000000").unwrap();
        assert_eq!(gate(show, 0).to_string(), "f4aad0f2-e85d-8ac1-ad26-11dd15696503");
        assert_eq!(gate(show, 258).to_string(), "0c726a2d-0a8c-8812-9b34-2dbd3355a298");
    }

    #[test]
    fn parts_of_simultaneous_events_differ() {
        let seats: HashSet<_> = (0..1_000).map(|_| seat(Uuid::now_v7(), 0)).collect();
        assert_eq!(seats.len(), 1_000);
    }

    #[test]
    fn only_ids_of_seats_have_number() {
        let [event, other] = [1, 2].map(|n| Uuid::from_u128(n << 64));
        for number in [0, 99_999] {
            assert_eq!(seat_number(event, seat(event, number)), Some(number));
        }
        for id in
            [area(event, 0), first_show(event, 0), show(event, MAX_SHOW_VERSION, 63).unwrap(), seat(other, 0), event]
        {
            assert_eq!(seat_number(event, id), None, "{id}");
        }
    }
}
