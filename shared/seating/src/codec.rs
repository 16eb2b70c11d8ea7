//! Binary encoding of stored seat maps.
//!
//! It is a [Zstandard] frame with a checksum. Its content is a `StoredMap` in the format of [postcard].
//!
//! Seats are usually spaced evenly along a row, and rows continue the rows before them. So the numbers of all seats are
//! stored as second differences, which are mostly zero: along the row, and for the first two seats of a row, from row
//! to row. Then even a stadium takes about a byte for each seat.
//!
//! The kinds of the seats follow, only if a seat has one. So a hall without kinds has no byte for them.
//!
//! [postcard]: https://postcard.jamesmunns.com/wire-format
//! [Zstandard]: https://www.rfc-editor.org/rfc/rfc8878

use std::{
    error, fmt,
    iter::{repeat, repeat_n},
    mem,
};

use serde::{Deserialize, Serialize};
use zstd::{
    DEFAULT_COMPRESSION_LEVEL,
    bulk::{Compressor, Decompressor},
};

use crate::{
    drawing::Drawing,
    seat_map::{Area, Seat, SeatMap},
};
use domain::{coordinate::Coordinate, price::Price, seat_kind::SeatKind, text::Label};

/// Maximum size of a map before compression, in bytes.
///
/// It is twice the size of the largest map: 1 MiB of drawings and 100,000 seats of at most 36 bytes each.
const MAX_CONTENT: usize = 9 * 1024 * 1024;

/// Maximum number of decimals of a column of scaled coordinates.
const MAX_DECIMALS: u32 = 9;

/// Seat map with a column for each number of its seats, in the order of the areas.
#[derive(Serialize, Deserialize)]
struct StoredMap<'a> {
    total_map: &'a str,
    #[serde(borrow)]
    areas: Vec<StoredArea<'a>>,
    /// Second differences of the numbers.
    numbers: Vec<i64>,
    cx: Coordinates,
    cy: Coordinates,
}

#[derive(Serialize, Deserialize)]
struct StoredArea<'a> {
    label: &'a str,
    hundredths: u64,
    area_map: &'a str,
    /// Row and number of successive seats in the same row.
    rows: Vec<(u32, usize)>,
}

/// Successive seats of one kind, after ordinary ones.
#[derive(Serialize, Deserialize)]
struct StoredKinds {
    /// Number of ordinary seats before them.
    after: usize,
    /// Index of their kind in `SeatKind::ALL`.
    kind: usize,
    count: usize,
}

/// Column of coordinates.
#[derive(Serialize, Deserialize)]
struct Coordinates {
    /// Power of ten by which the coordinates are multiplied; above the maximum, they are the bits of the doubles.
    decimals: u32,
    /// Second differences of the coordinates.
    integers: Vec<i64>,
}

/// Encodes a seat map; [`decode`] returns an equal map, with every double bit for bit.
///
/// # Panics
///
/// Panics if the compressor gets no memory.
#[must_use]
pub fn encode(map: &SeatMap) -> Vec<u8> {
    compress(&stored(map), &stored_kinds(map)).unwrap_or_else(|error| panic!("compression failed: {error}"))
}

/// Decodes a stored seat map.
///
/// # Errors
///
/// Returns `Corrupt` if the bytes are not an unchanged result of [`encode`].
pub fn decode(bytes: &[u8]) -> Result<SeatMap, Corrupt> {
    let content = Decompressor::new().and_then(|mut decompressor| decompressor.decompress(bytes, MAX_CONTENT));
    let content = content.map_err(|_| Corrupt)?;
    let (map, kinds) = postcard::take_from_bytes(&content).map_err(|_| Corrupt)?;
    let kinds = if kinds.is_empty() { Vec::new() } else { postcard::from_bytes(kinds).map_err(|_| Corrupt)? };
    restored(map, &kinds).ok_or(Corrupt)
}

/// Error of bytes that are not a stored seat map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt;

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stored seat map is corrupt")
    }
}

impl error::Error for Corrupt {}

fn compress(map: &StoredMap, kinds: &[StoredKinds]) -> Result<Vec<u8>, Box<dyn error::Error>> {
    // Level 6 saves 3 to 8 % of the bytes of a hall, and takes 7 % more instructions for the registration of a stadium.
    let mut compressor = Compressor::new(DEFAULT_COMPRESSION_LEVEL)?;
    compressor.include_checksum(true)?;
    let mut content = postcard::to_stdvec(map)?;
    if !kinds.is_empty() {
        content = postcard::to_extend(kinds, content)?;
    }
    Ok(compressor.compress(&content)?)
}

fn stored(map: &SeatMap) -> StoredMap<'_> {
    let areas = map.areas().iter().map(|area| StoredArea {
        label: area.label.as_str(),
        hundredths: area.price.hundredths(),
        area_map: area.area_map.as_str(),
        rows: area.seats.chunk_by(|a, b| a.row == b.row).map(|seats| (seats[0].row, seats.len())).collect(),
    });
    let areas: Vec<_> = areas.collect();
    let lengths = lengths(&areas);
    let seats = || map.areas().iter().flat_map(|area| &area.seats);
    let mut numbers: Vec<i64> = seats().map(|seat| seat.number.into()).collect();
    subtract(&mut numbers, &lengths);
    StoredMap {
        total_map: map.total_map().as_str(),
        areas,
        numbers,
        cx: Coordinates::new(&seats().map(|seat| seat.cx.value()).collect::<Vec<_>>(), &lengths),
        cy: Coordinates::new(&seats().map(|seat| seat.cy.value()).collect::<Vec<_>>(), &lengths),
    }
}

fn stored_kinds(map: &SeatMap) -> Vec<StoredKinds> {
    let kinds: Vec<_> = map.areas().iter().flat_map(|area| &area.seats).map(|seat| seat.kind).collect();
    let mut stored = Vec::new();
    let mut after = 0;
    for seats in kinds.chunk_by(|a, b| a == b) {
        match seats[0] {
            Some(kind) => {
                stored.push(StoredKinds { after: mem::take(&mut after), kind: kind as usize, count: seats.len() });
            }
            None => after = seats.len(),
        }
    }
    stored
}

/// Restores the kinds of the first seats of a map with this number of seats; the others are ordinary ones.
fn restored_kinds(kinds: &[StoredKinds], count: usize) -> Option<Vec<Option<SeatKind>>> {
    let mut restored = Vec::new();
    for stored in kinds {
        let end = restored.len().checked_add(stored.after)?.checked_add(stored.count).filter(|end| *end <= count)?;
        restored.resize(end - stored.count, None);
        restored.resize(end, Some(*SeatKind::ALL.get(stored.kind)?));
    }
    Some(restored)
}

/// Restores a seat map; returns `None` if a column does not have a valid number for each seat.
fn restored(mut map: StoredMap, kinds: &[StoredKinds]) -> Option<SeatMap> {
    let lengths = lengths(&map.areas);
    add(&mut map.numbers, &lengths)?;
    let centres = map.cx.restored(&lengths)?.into_iter().zip(map.cy.restored(&lengths)?);
    let kinds = restored_kinds(kinds, map.numbers.len())?.into_iter().chain(repeat(None));
    let mut seats = map.numbers.into_iter().zip(centres).zip(kinds);
    let area = |area: StoredArea| {
        let rows = area.rows.into_iter().flat_map(|(row, length)| repeat_n(row, length));
        let seats = rows.map(|row| {
            let ((number, (cx, cy)), kind) = seats.next()?;
            let (cx, cy) = (Coordinate::from_stored(cx), Coordinate::from_stored(cy));
            Some(Seat { cx, cy, row, number: u32::try_from(number).ok()?, kind })
        });
        Some(Area {
            label: Label::from_stored(area.label.to_owned()),
            price: Price::from_stored(area.hundredths),
            area_map: Drawing::from_stored(area.area_map.to_owned()),
            seats: seats.collect::<Option<_>>()?,
        })
    };
    let areas = map.areas.into_iter().map(area).collect::<Option<_>>()?;
    Some(SeatMap::new(Drawing::from_stored(map.total_map.to_owned()), areas))
}

/// Returns the number of seats of each row.
fn lengths(areas: &[StoredArea]) -> Vec<usize> {
    areas.iter().flat_map(|area| &area.rows).map(|(_, length)| *length).collect()
}

impl Coordinates {
    fn new(values: &[f64], lengths: &[usize]) -> Self {
        let scaled = |decimals| {
            let scale = |value: &f64| {
                #[expect(clippy::cast_possible_truncation, reason = "checked by scaling back")]
                let integer = (value * power(decimals)).round_ties_even() as i64;
                (unscaled(integer, decimals).to_bits() == value.to_bits()).then_some(integer)
            };
            Some((decimals, values.iter().map(scale).collect::<Option<Vec<_>>>()?))
        };
        let bits = || values.iter().map(|value| value.to_bits().cast_signed()).collect();
        let scaled = (0..=MAX_DECIMALS).find_map(scaled);
        let (decimals, mut integers) = scaled.unwrap_or_else(|| (MAX_DECIMALS + 1, bits()));
        subtract(&mut integers, lengths);
        Self { decimals, integers }
    }

    fn restored(mut self, lengths: &[usize]) -> Option<Vec<f64>> {
        add(&mut self.integers, lengths)?;
        Some(self.integers.into_iter().map(|integer| unscaled(integer, self.decimals)).collect())
    }
}

fn power(decimals: u32) -> f64 {
    f64::from(10_u32.pow(decimals))
}

fn unscaled(integer: i64, decimals: u32) -> f64 {
    if decimals > MAX_DECIMALS {
        return f64::from_bits(integer.cast_unsigned());
    }
    #[expect(clippy::cast_precision_loss, reason = "encoded integers have at most 50 bits")]
    let integer = integer as f64;
    integer / power(decimals)
}

/// Replaces the numbers of all seats by their second differences.
fn subtract(numbers: &mut [i64], lengths: &[usize]) {
    fn subtract_previous<'a>(numbers: impl Iterator<Item = &'a mut i64>) {
        let mut previous = 0;
        for number in numbers {
            *number = number.wrapping_sub(mem::replace(&mut previous, *number));
        }
    }

    let mut rows = split(numbers, lengths).unwrap_or_default();
    for row in &mut rows {
        subtract_previous(row.iter_mut());
        subtract_previous(row.iter_mut().skip(1));
    }
    for column in [0, 0, 1, 1] {
        subtract_previous(rows.iter_mut().filter_map(|row| row.get_mut(column)));
    }
}

/// Reverses [`subtract`]; returns `None` if the rows do not have as many seats.
fn add(differences: &mut [i64], lengths: &[usize]) -> Option<()> {
    fn add_previous<'a>(differences: impl Iterator<Item = &'a mut i64>) {
        let mut sum = 0_i64;
        for difference in differences {
            sum = sum.wrapping_add(*difference);
            *difference = sum;
        }
    }

    let mut rows = split(differences, lengths)?;
    for column in [0, 0, 1, 1] {
        add_previous(rows.iter_mut().filter_map(|row| row.get_mut(column)));
    }
    for row in &mut rows {
        add_previous(row.iter_mut().skip(1));
        add_previous(row.iter_mut());
    }
    Some(())
}

/// Splits a column into rows; returns `None` if they do not have as many seats.
fn split<'a>(mut column: &'a mut [i64], lengths: &[usize]) -> Option<Vec<&'a mut [i64]>> {
    let mut rows = Vec::with_capacity(lengths.len());
    for length in lengths {
        rows.push(column.split_off_mut(..*length)?);
    }
    column.is_empty().then_some(rows)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat_map::MAX_POSITION;

    /// Coordinates with few and many digits, tiny and large.
    const COORDINATES: [f64; 11] = [
        0.0,
        -12.5,
        99_999.99,
        0.1 + 0.2,
        123_456.789_012_345_67,
        999_999.999_999_999,
        1e-9,
        -1e-300,
        5e-324,
        Coordinate::MAX,
        -Coordinate::MAX,
    ];

    fn seat(cx: f64, cy: f64, row: u32, number: u32) -> Seat {
        Seat { cx: Coordinate::from_stored(cx), cy: Coordinate::from_stored(cy), row, number, kind: None }
    }

    /// Builds a map with an area for each list of seats.
    fn map(areas: impl IntoIterator<Item = Vec<Seat>>) -> SeatMap {
        let area = |seats| Area {
            label: Label::from_stored("1층 가구역 🎭".to_owned()),
            price: Price::from_stored(Price::MAX.hundredths()),
            area_map: Drawing::from_stored("<g/>".to_owned()),
            seats,
        };
        SeatMap::new(Drawing::from_stored("<svg/>".to_owned()), areas.into_iter().map(area).collect())
    }

    fn grid() -> SeatMap {
        let seat = |row: u32, number: u32| seat(f64::from(number) * 10.5, f64::from(row) * 20.25, row, number);
        map([(1..=3).flat_map(|row| (1..=4).map(move |number| seat(row, number))).collect()])
    }

    #[test]
    fn every_valid_map_round_trips() {
        let all = (0..).zip(COORDINATES).map(|(n, x)| seat(x, -x + 0.0, n / 3 * (MAX_POSITION / 3), MAX_POSITION - n));
        let each = COORDINATES.map(|x| map([vec![seat(x, 0.0, 1, 1), seat(0.5, x, 1, 2), seat(x, x, 1, 3)]]));
        let large = map([(0..100_000).map(|n| seat(f64::from(n), 20.25, n / 300, n)).collect()]);
        for map in [map([]), map([vec![], all.collect(), vec![]]), grid(), large].into_iter().chain(each) {
            let decoded = decode(&encode(&map)).unwrap();
            assert!(decoded == map, "another map");
            let bits = |map: &SeatMap| -> Vec<_> {
                let seats = map.areas().iter().flat_map(|area| &area.seats);
                seats.map(|seat| [seat.cx, seat.cy].map(|x| x.value().to_bits())).collect()
            };
            assert!(bits(&decoded) == bits(&map), "another double");
        }
    }

    #[test]
    fn even_seats_have_no_differences() {
        let map = grid();
        let stored = stored(&map);
        assert_eq!(stored.areas[0].rows, [(1, 4), (2, 4), (3, 4)]);
        assert_eq!(stored.numbers, [1, 1, 0, 0, -1, -1, 0, 0, 0, 0, 0, 0]);
        assert_eq!((stored.cx.decimals, &stored.cx.integers[..4]), (1, &[105, 105, 0, 0][..]));
        assert_eq!((stored.cy.decimals, &stored.cy.integers[..4]), (2, &[2_025, 0, 0, 0][..]));
    }

    #[test]
    fn damaged_map_is_detected() {
        let map = grid();
        let bytes = encode(&map);
        for length in 0..bytes.len() {
            assert_eq!(decode(&bytes[..length]), Err(Corrupt), "{length} bytes");
        }
        for bit in 0..bytes.len() * 8 {
            let mut bytes = bytes.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            // One bit of the frame header has no meaning.
            assert!(decode(&bytes).is_err() || decode(&bytes).as_ref() == Ok(&map), "bit {bit}");
        }
    }

    #[test]
    fn missing_and_excess_numbers_are_corrupt() {
        let map = grid();
        let changed = |change: &dyn Fn(&mut StoredMap)| {
            let mut stored = stored(&map);
            change(&mut stored);
            decode(&compress(&stored, &[]).unwrap())
        };
        assert!(changed(&|_| {}).is_ok());
        assert_eq!(changed(&|stored| stored.numbers.truncate(2)), Err(Corrupt));
        assert_eq!(changed(&|stored| stored.cx.integers.push(0)), Err(Corrupt));
        assert_eq!(changed(&|stored| stored.areas[0].rows = vec![(1, usize::MAX)]), Err(Corrupt));
        assert_eq!(changed(&|stored| stored.numbers[0] = -1), Err(Corrupt));
    }

    /// Returns a grid of twelve seats with these kinds; the others are ordinary ones.
    fn grid_with_kinds(kinds: &[(usize, SeatKind)]) -> SeatMap {
        let mut seats = grid().areas()[0].seats.clone();
        for (seat, kind) in kinds {
            seats[*seat].kind = Some(*kind);
        }
        map([seats[..7].to_vec(), seats[7..].to_vec()])
    }

    #[test]
    fn kinds_round_trip() {
        use SeatKind::{Companion, RestrictedView, Wheelchair};
        let all: Vec<_> = (0..12).map(|seat| (seat, SeatKind::ALL[seat % 3])).collect();
        for kinds in [
            &[][..],
            &[(0, Wheelchair)],
            &[(11, RestrictedView)],
            &[(1, Wheelchair), (2, Wheelchair), (3, Companion), (6, Companion), (7, Companion)],
            &all,
        ] {
            let map = grid_with_kinds(kinds);
            assert!(decode(&encode(&map)).unwrap() == map, "{kinds:?}");
        }
    }

    #[test]
    fn kinds_follow_map_only_if_seat_has_one() {
        let content = |map: &SeatMap| Decompressor::new().unwrap().decompress(&encode(map), MAX_CONTENT).unwrap();
        let ordinary = content(&grid_with_kinds(&[]));
        assert_eq!(ordinary, postcard::to_stdvec(&stored(&grid_with_kinds(&[]))).unwrap());
        let with_kinds = content(&grid_with_kinds(&[(4, SeatKind::Companion), (5, SeatKind::Companion)]));
        assert_eq!(with_kinds, [&ordinary[..], &[1, 4, 1, 2]].concat());
    }

    #[test]
    fn unknown_and_excess_kinds_are_corrupt() {
        let map = grid();
        let decoded = |after, kind, count| {
            let kinds = [StoredKinds { after, kind, count }];
            decode(&compress(&stored(&map), &kinds).unwrap())
        };
        assert!(decoded(11, 2, 1).is_ok());
        for (after, kind, count) in [(12, 2, 1), (0, 3, 1), (0, 0, 13), (usize::MAX, 0, 1), (1, 0, usize::MAX)] {
            assert_eq!(decoded(after, kind, count), Err(Corrupt), "{after} {kind} {count}");
        }
    }

    #[test]
    fn decompression_bomb_is_corrupt() {
        let bomb = zstd::bulk::compress(&vec![0; MAX_CONTENT + 1], DEFAULT_COMPRESSION_LEVEL).unwrap();
        assert_eq!(decode(&bomb), Err(Corrupt));
    }
}
