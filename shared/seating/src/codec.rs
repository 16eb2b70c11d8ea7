//! Binary encoding of stored seat maps.
//!
//! The first byte is the version of the encoding. In version 1, a [Zstandard] frame follows, with the size
//! and the checksum of its content:
//!
//! | Part       | Content                                               |
//! |------------|-------------------------------------------------------|
//! | `totalMap` | a text                                                |
//! | areas      | their number as a varint, then for each area its      |
//! |            | label as a text, its price in hundredths as a varint, |
//! |            | its drawing as a text, and its runs                   |
//! | numbers    | for each area a column of integers                    |
//! | cx         | for each area a column of coordinates                 |
//! | cy         | for each area a column of coordinates                 |
//!
//! - A varint is an unsigned LEB128 number of at most 64 bits. A signed varint encodes 0, -1, 1, -2 and so on
//!   as the varints 0, 1, 2, 3 and so on.
//! - A text is its length in bytes as a varint, then that many bytes of UTF-8.
//! - A run is a sequence of seats in the same row. The runs of an area are their number as a varint, then two
//!   numbers for each run. The first is a signed varint: its row minus the row of the previous run, or
//!   minus 0. The second is a varint: its length, at least 1.
//! - A column has one number for each seat of its area. The module `column` describes the encoding.
//!
//! Nothing follows the last column. A version 2 would have another first byte and another branch in
//! [`decode`]. The branch of version 1 must stay as long as maps of version 1 are stored.
//!
//! [Zstandard]: https://www.rfc-editor.org/rfc/rfc8878

mod bytes;
mod column;

use std::{error, fmt, io, iter::repeat_n};

use zstd::{
    DEFAULT_COMPRESSION_LEVEL,
    bulk::{Compressor, Decompressor},
};

use self::{
    bytes::{Reader, write_signed, write_text, write_unsigned},
    column::{read_coordinates, read_integers, write_coordinates, write_integers},
};
use crate::{
    drawing::Drawing,
    seat_map::{Area, MAX_AREAS, MAX_POSITION, MAX_SEATS, Seat, SeatMap},
};
use domain::{coordinate::Coordinate, price::Price, text::Label};

const VERSION: u8 = 1;

/// Maximum size of a map before compression, in bytes.
///
/// It is twice the size of the largest map: 1 MiB of drawings and 100,000 seats of at most 32 bytes each.
const MAX_CONTENT: usize = 9 * 1024 * 1024;

/// Encodes a seat map; [`decode`] returns an equal map, with every double bit for bit.
///
/// # Panics
///
/// Panics if the compressor gets no memory.
#[must_use]
pub fn encode(map: &SeatMap) -> Vec<u8> {
    let content = content(map);
    let frame = compress(&content).unwrap_or_else(|error| panic!("compression failed: {error}"));
    let mut bytes = vec![VERSION];
    bytes.extend(frame);
    bytes
}

/// Decodes a stored seat map, with at most about 30 MiB of memory for any input.
///
/// # Errors
///
/// Returns `Corrupt` if the bytes are not an unchanged result of [`encode`], or if the map exceeds the
/// limits of the domain.
pub fn decode(bytes: &[u8]) -> Result<SeatMap, Corrupt> {
    match bytes.split_first() {
        Some((&VERSION, frame)) => {
            let content = Decompressor::new()
                .and_then(|mut decompressor| decompressor.decompress(frame, MAX_CONTENT))
                .map_err(|_| Corrupt("it cannot be decompressed"))?;
            read_content(&content)
        }
        Some(_) => Err(Corrupt("its version is unknown")),
        None => Err(Corrupt("it is empty")),
    }
}

/// Reason why a stored seat map cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Corrupt(&'static str);

impl fmt::Display for Corrupt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the stored seat map is corrupt: {}", self.0)
    }
}

impl error::Error for Corrupt {}

fn compress(content: &[u8]) -> io::Result<Vec<u8>> {
    // Level 6 saves 3 to 8 % of the bytes of a hall, and takes 7 % more instructions for the registration of a stadium.
    let mut compressor = Compressor::new(DEFAULT_COMPRESSION_LEVEL)?;
    compressor.include_checksum(true)?;
    compressor.compress(content)
}

fn content(map: &SeatMap) -> Vec<u8> {
    let mut out = Vec::new();
    let mut runs = Vec::new();
    write_text(&mut out, map.total_map().as_str());
    write_unsigned(&mut out, map.areas().len() as u64);
    for area in map.areas() {
        write_text(&mut out, area.label.as_str());
        write_unsigned(&mut out, area.price.hundredths());
        write_text(&mut out, area.area_map.as_str());
        runs.push(write_runs(&mut out, &area.seats));
    }
    for (area, runs) in map.areas().iter().zip(&runs) {
        let numbers: Vec<i64> = area.seats.iter().map(|seat| seat.number.into()).collect();
        write_integers(&mut out, &numbers, runs);
    }
    for axis in [|seat: &Seat| seat.cx.value(), |seat: &Seat| seat.cy.value()] {
        for (area, runs) in map.areas().iter().zip(&runs) {
            let coordinates: Vec<f64> = area.seats.iter().map(axis).collect();
            write_coordinates(&mut out, &coordinates, runs);
        }
    }
    out
}

/// Writes the runs and returns their lengths.
fn write_runs(out: &mut Vec<u8>, seats: &[Seat]) -> Vec<usize> {
    let runs: Vec<&[Seat]> = seats.chunk_by(|a, b| a.row == b.row).collect();
    write_unsigned(out, runs.len() as u64);
    let mut previous = 0;
    for run in &runs {
        let row = i64::from(run[0].row);
        write_signed(out, row - previous);
        write_unsigned(out, run.len() as u64);
        previous = row;
    }
    runs.into_iter().map(<[Seat]>::len).collect()
}

fn read_content(content: &[u8]) -> Result<SeatMap, Corrupt> {
    let mut reader = Reader(content);
    let total_map = Drawing::from_stored(reader.text()?);
    let areas = reader.unsigned()?;
    if areas > MAX_AREAS as u64 {
        return Err(Corrupt("it has too many areas"));
    }
    let mut headers = Vec::new();
    let mut free_seats = MAX_SEATS;
    for _ in 0..areas {
        headers.push(AreaHeader::read(&mut reader, &mut free_seats)?);
    }
    let numbers = columns(&headers, |runs| read_integers(&mut reader, runs))?;
    let cx = columns(&headers, |runs| read_coordinates(&mut reader, runs))?;
    let cy = columns(&headers, |runs| read_coordinates(&mut reader, runs))?;
    if !reader.0.is_empty() {
        return Err(Corrupt("it has trailing bytes"));
    }

    let centres = cx.into_iter().zip(cy);
    let areas = headers.into_iter().zip(numbers.into_iter().zip(centres));
    let areas: Result<_, _> = areas.map(|(header, (numbers, (cx, cy)))| header.area(numbers, cx, cy)).collect();
    Ok(SeatMap::from_stored(total_map, areas?))
}

fn columns<T>(
    headers: &[AreaHeader],
    mut read: impl FnMut(&[usize]) -> Result<Vec<T>, Corrupt>,
) -> Result<Vec<Vec<T>>, Corrupt> {
    headers.iter().map(|header| read(&header.runs)).collect()
}

/// Area without the columns of its seats; each run has a row and a length.
struct AreaHeader {
    label: Label,
    price: Price,
    area_map: Drawing,
    rows: Vec<u32>,
    runs: Vec<usize>,
}

impl AreaHeader {
    /// Reads an area, and subtracts its seats from the number that the map may still have.
    fn read(reader: &mut Reader, free_seats: &mut usize) -> Result<Self, Corrupt> {
        let label = Label::from_stored(reader.text()?);
        let price = reader.unsigned()?;
        if price > Price::MAX.hundredths() {
            return Err(Corrupt("a price is out of range"));
        }
        let mut header = Self {
            label,
            price: Price::from_stored(price),
            area_map: Drawing::from_stored(reader.text()?),
            rows: Vec::new(),
            runs: Vec::new(),
        };
        let mut row: i64 = 0;
        for _ in 0..reader.unsigned()? {
            row = row.saturating_add(reader.signed()?);
            let run = usize::try_from(reader.unsigned()?).unwrap_or(usize::MAX);
            if run == 0 {
                return Err(Corrupt("a run is empty"));
            }
            *free_seats = free_seats.checked_sub(run).ok_or(Corrupt("it has too many seats"))?;
            header.rows.push(position(row)?);
            header.runs.push(run);
        }
        Ok(header)
    }

    fn area(self, numbers: Vec<i64>, cx: Vec<f64>, cy: Vec<f64>) -> Result<Area, Corrupt> {
        let rows = self.rows.into_iter().zip(self.runs).flat_map(|(row, run)| repeat_n(row, run));
        let seats: Result<_, _> = rows
            .zip(numbers)
            .zip(cx.into_iter().zip(cy))
            .map(|((row, number), (cx, cy))| {
                Ok(Seat { cx: coordinate(cx)?, cy: coordinate(cy)?, row, number: position(number)? })
            })
            .collect();
        Ok(Area { label: self.label, price: self.price, area_map: self.area_map, seats: seats? })
    }
}

fn position(integer: i64) -> Result<u32, Corrupt> {
    match u32::try_from(integer) {
        Ok(position @ ..=MAX_POSITION) => Ok(position),
        _ => Err(Corrupt("a row or a number is out of range")),
    }
}

fn coordinate(value: f64) -> Result<Coordinate, Corrupt> {
    let negative_zero = value.to_bits() == (-0.0_f64).to_bits();
    if value.abs() <= Coordinate::MAX && !negative_zero {
        Ok(Coordinate::from_stored(value))
    } else {
        Err(Corrupt("a coordinate is out of range"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    /// Generates any valid coordinate, with few or many digits, tiny or large.
    fn any_coordinate() -> impl Strategy<Value = f64> {
        let valid = prop_oneof![
            (-100_000_i32..=100_000).prop_map(|n| f64::from(n) / 100.0),
            (-1_000_000_i32..=1_000_000).prop_map(f64::from),
            -Coordinate::MAX..=Coordinate::MAX,
            (0..=Coordinate::MAX.to_bits()).prop_map(f64::from_bits),
            (0..=Coordinate::MAX.to_bits()).prop_map(|bits| -f64::from_bits(bits)),
            prop::sample::select(vec![
                0.0,
                1e-300,
                -1e-300,
                f64::MIN_POSITIVE,
                5e-324,
                0.1 + 0.2,
                123_456.789_012_345_67,
                1e-9,
                999_999.999_999_999,
                Coordinate::MAX,
                -Coordinate::MAX,
            ]),
        ];
        // Adding zero turns -0.0 into 0.0.
        valid.prop_map(|x| x + 0.0)
    }

    fn any_position() -> impl Strategy<Value = u32> {
        prop_oneof![0..4_u32, 0..=MAX_POSITION, Just(MAX_POSITION)]
    }

    fn any_seats() -> impl Strategy<Value = Vec<Seat>> {
        let tidy = (-9_999_i32..9_999).prop_map(|n| f64::from(n) / 10.0 + 0.0).boxed();
        let coordinates = prop_oneof![Just(tidy), Just(any_coordinate().boxed())];
        coordinates.prop_flat_map(|x| vec((x.clone(), x, any_position(), any_position()), 0..60)).prop_map(|seats| {
            let seat = |(cx, cy, row, number)| Seat {
                cx: Coordinate::from_stored(cx),
                cy: Coordinate::from_stored(cy),
                row,
                number,
            };
            seats.into_iter().map(seat).collect()
        })
    }

    fn any_map() -> impl Strategy<Value = SeatMap> {
        let price = prop_oneof![0..=Price::MAX.hundredths(), Just(Price::MAX.hundredths())];
        let area = (".{0,50}", price, ".{0,200}", any_seats()).prop_map(|(label, price, area_map, seats)| Area {
            label: Label::from_stored(label),
            price: Price::from_stored(price),
            area_map: Drawing::from_stored(area_map),
            seats,
        });
        (".{0,200}", vec(area, 0..6))
            .prop_map(|(total_map, areas)| SeatMap::from_stored(Drawing::from_stored(total_map), areas))
    }

    /// Builds a map without drawings, of one area with one row of seats.
    fn map_of_row(seats: u32) -> SeatMap {
        let seat = |number| Seat {
            // No coordinate exceeds its limit, for any number of seats.
            cx: Coordinate::from_stored(f64::from(number % 90_000) * 10.5),
            cy: Coordinate::from_stored(20.25),
            row: 1,
            number,
        };
        let area = Area {
            label: Label::from_stored("1층 가구역 🎭".to_owned()),
            price: Price::from_stored(Price::MAX.hundredths()),
            area_map: Drawing::from_stored(String::new()),
            seats: (1..=seats).map(seat).collect(),
        };
        SeatMap::from_stored(Drawing::from_stored(String::new()), vec![area])
    }

    /// Encodes any content, valid or not.
    fn encode_content(content: &[u8]) -> Vec<u8> {
        [vec![VERSION], compress(content).unwrap()].concat()
    }

    /// Returns the bits of every double, which `==` of maps does not compare.
    fn bits(map: &SeatMap) -> Vec<[u64; 2]> {
        let seats = map.areas().iter().flat_map(|area| &area.seats);
        seats.map(|seat| [seat.cx.value().to_bits(), seat.cy.value().to_bits()]).collect()
    }

    proptest! {
        #[test]
        fn every_valid_map_round_trips(map in any_map()) {
            let decoded = decode(&encode(&map)).unwrap();
            prop_assert_eq!(&decoded, &map);
            prop_assert_eq!(bits(&decoded), bits(&map));
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>, version in 0..3_u8) {
            let _ = decode(&bytes);
            let _ = decode(&[vec![version], bytes].concat());
        }

        #[test]
        fn arbitrary_content_never_panics(content in vec(prop_oneof![0..4_u8, any::<u8>()], 0..99)) {
            let _ = decode(&encode_content(&content));
        }

        #[test]
        fn changed_content_never_panics(
            map in any_map(),
            changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        ) {
            let mut content = content(&map);
            for (index, byte) in changes {
                let index = index.index(content.len());
                content[index] = byte;
            }
            let _ = decode(&encode_content(&content));
        }

        #[test]
        fn changed_bit_is_detected(map in any_map(), bit: prop::sample::Index) {
            let mut bytes = encode(&map);
            let bit = bit.index(bytes.len() * 8);
            bytes[bit / 8] ^= 1 << (bit % 8);
            // One bit of the frame header has no meaning.
            prop_assert!(decode(&bytes).is_ok_and(|decoded| decoded == map) || decode(&bytes).is_err());
        }

        #[test]
        fn truncation_is_detected(map in any_map(), length: prop::sample::Index) {
            let bytes = encode(&map);
            prop_assert!(decode(&bytes[..length.index(bytes.len())]).is_err());
        }
    }

    #[test]
    fn content_matches_documentation() {
        let mut expected = vec![0, 1, 19];
        expected.extend("1층 가구역 🎭".as_bytes());
        expected.extend([0x80, 0xd0, 0xdb, 0xc3, 0xf4, 0x02, 0, 1, 2, 3]);
        expected.extend([2, 2, 2, 0]); // Numbers by order 2: 1, 1, 0.
        expected.extend([1, 2, 0xd2, 0x01, 0xd2, 0x01, 0]); // Tenths by order 2: 105, 105, 0.
        expected.extend([2, 1, 0xd2, 0x1f, 0, 0]); // Hundredths by order 1: 2025, 0, 0.
        assert_eq!(content(&map_of_row(3)), expected);
    }

    #[test]
    fn exceeded_limits_are_corrupt() {
        let largest = map_of_row(100_000);
        assert!(decode(&encode(&largest)) == Ok(largest));
        assert_eq!(decode(&encode(&map_of_row(100_001))).unwrap_err(), Corrupt("it has too many seats"));

        let area = map_of_row(1).areas()[0].clone();
        let map_of = |areas| SeatMap::from_stored(Drawing::from_stored(String::new()), areas);
        let map = map_of(vec![area.clone(); 500]);
        assert_eq!(decode(&encode(&map)).as_ref(), Ok(&map));
        assert_eq!(decode(&encode(&map_of(vec![area.clone(); 501]))), Err(Corrupt("it has too many areas")));

        let changed = |change: &dyn Fn(&mut Area)| {
            let mut area = area.clone();
            change(&mut area);
            decode(&encode(&map_of(vec![area])))
        };
        let position = changed(&|area| area.seats[0].number = MAX_POSITION + 1);
        assert_eq!(position, Err(Corrupt("a row or a number is out of range")));
        for value in [f64::NAN, f64::INFINITY, -0.0, 1_000_000.1] {
            let coordinate = changed(&|area| area.seats[0].cx = Coordinate::from_stored(value));
            assert_eq!(coordinate, Err(Corrupt("a coordinate is out of range")));
        }
        let price = changed(&|area| area.price = Price::from_stored(Price::MAX.hundredths() + 1));
        assert_eq!(price, Err(Corrupt("a price is out of range")));
    }

    #[test]
    fn decompression_bomb_is_corrupt() {
        let zeros = vec![0; MAX_CONTENT + 1];
        assert_eq!(decode(&encode_content(&zeros)), Err(Corrupt("it cannot be decompressed")));
        // An empty drawing, one area, an empty label, price 0, an empty drawing, one run in row 0.
        let mut run = vec![0, 1, 0, 0, 0, 1, 0];
        write_unsigned(&mut run, u64::MAX);
        assert_eq!(decode(&encode_content(&run)), Err(Corrupt("it has too many seats")));
    }

    #[test]
    fn unknown_version_is_corrupt() {
        let mut bytes = encode(&map_of_row(1));
        bytes[0] = 2;
        let error = decode(&bytes).unwrap_err();
        assert_eq!(error.to_string(), "the stored seat map is corrupt: its version is unknown");
        assert!(decode(&[]).is_err());
    }

    #[test]
    fn trailing_bytes_are_corrupt() {
        let mut content = content(&map_of_row(1));
        content.push(0);
        assert_eq!(decode(&encode_content(&content)), Err(Corrupt("it has trailing bytes")));
    }
}
