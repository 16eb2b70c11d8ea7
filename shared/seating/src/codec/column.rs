//! Columns of numbers that change evenly along the rows of an area.
//!
//! A column of integers is one byte, its order n of 1 to 3, and a signed varint for each integer.
//! Difference 0 of an integer is the integer itself. Its difference k + 1 is its difference k minus that of the
//! previous integer. The varint is
//!
//! - for an integer with at least n others before it in its run: its difference n;
//! - for an integer with only k others before it: its difference k minus (2a - b). Here, a and b are difference k
//!   at the same position of the last and the second last run that have the position, or 0 if there is
//!   no such run.
//!
//! All arithmetic wraps around at 64 bits. So evenly spaced seats take almost no space, and neither does
//! the start of a row that continues the previous rows.
//!
//! A column of coordinates is one byte, its scale, and a column of integers. For a scale of 0 to 9, the
//! coordinates are the integers divided by that power of ten. For a scale of 10, the integers are the bits
//! of IEEE 754 doubles; in negative ones, all bits except the sign are flipped. So they sort like the
//! doubles, and even spacing stays nearly even.

use std::{mem, ops::RangeInclusive};

use super::{
    Corrupt,
    bytes::{Reader, write_signed, zigzag},
};

const ORDERS: RangeInclusive<u8> = 1..=3;

/// Powers of ten that scale a column of coordinates.
///
/// A double represents each of them, and a million times each of them, exactly.
const POWERS: [f64; 10] = [1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9];

/// Scale of a column that is not scaled, but has the bits of doubles.
const BITS: u8 = 10;

/// Appends a column of coordinates in runs of these lengths; keeps every bit of any double.
pub fn write_coordinates(out: &mut Vec<u8>, values: &[f64], runs: &[usize]) {
    let scaled = (0..BITS).find_map(|scale| Some((scale, all_scaled(values, scale)?)));
    let (scale, integers) = scaled.unwrap_or_else(|| (BITS, values.iter().map(|value| ordered_bits(*value)).collect()));
    out.push(scale);
    write_integers(out, &integers, runs);
}

/// Reads a column of coordinates in runs of these lengths.
pub fn read_coordinates(reader: &mut Reader, runs: &[usize]) -> Result<Vec<f64>, Corrupt> {
    let scale = reader.byte()?;
    if scale > BITS {
        return Err(Corrupt("a scale is unknown"));
    }
    let integers = read_integers(reader, runs)?;
    Ok(integers.into_iter().map(|integer| unscaled(integer, scale)).collect())
}

/// Appends a column of integers in runs of these lengths, with the order of the shortest differences.
pub fn write_integers(out: &mut Vec<u8>, values: &[i64], runs: &[usize]) {
    let bits = |differences: &Vec<i64>| -> u32 {
        differences.iter().map(|difference| u64::BITS - zigzag(*difference).leading_zeros()).sum()
    };
    let all = [differences::<1>(values, runs), differences::<2>(values, runs), differences::<3>(values, runs)];
    if let Some((order, differences)) = ORDERS.zip(all).min_by_key(|(_, differences)| bits(differences)) {
        out.push(order);
        for difference in differences {
            write_signed(out, difference);
        }
    }
}

/// Reads a column of integers in runs of these lengths; allocates memory only for those present.
pub fn read_integers(reader: &mut Reader, runs: &[usize]) -> Result<Vec<i64>, Corrupt> {
    let order = reader.byte()?;
    if !ORDERS.contains(&order) {
        return Err(Corrupt("an order is unknown"));
    }
    match order {
        1 => read_differences::<1>(reader, runs),
        2 => read_differences::<2>(reader, runs),
        _ => read_differences::<3>(reader, runs),
    }
}

fn read_differences<const ORDER: usize>(reader: &mut Reader, runs: &[usize]) -> Result<Vec<i64>, Corrupt> {
    let mut state = Differences::<ORDER>::new();
    let mut values = Vec::new();
    for run in runs {
        state.position = 0;
        for _ in 0..*run {
            values.push(state.integer(reader.signed()?));
        }
    }
    Ok(values)
}

fn all_scaled(values: &[f64], scale: u8) -> Option<Vec<i64>> {
    let power = POWERS[usize::from(scale)];
    values
        .iter()
        .map(|value| {
            #[expect(clippy::cast_possible_truncation, reason = "checked by scaling back")]
            let integer = (value * power).round_ties_even() as i64;
            (unscaled(integer, scale).to_bits() == value.to_bits()).then_some(integer)
        })
        .collect()
}

fn unscaled(integer: i64, scale: u8) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "encoded integers have at most 50 bits")]
    let scaled = integer as f64;
    match POWERS.get(usize::from(scale)) {
        Some(power) => scaled / power,
        None => from_ordered_bits(integer),
    }
}

fn ordered_bits(value: f64) -> i64 {
    flip_if_negative(value.to_bits().cast_signed())
}

fn from_ordered_bits(integer: i64) -> f64 {
    f64::from_bits(flip_if_negative(integer).cast_unsigned())
}

fn flip_if_negative(bits: i64) -> i64 {
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

fn differences<const ORDER: usize>(values: &[i64], runs: &[usize]) -> Vec<i64> {
    let mut state = Differences::<ORDER>::new();
    let mut values = values.iter();
    let mut differences = Vec::with_capacity(values.len());
    for run in runs {
        state.position = 0;
        differences.extend(values.by_ref().take(*run).map(|value| state.difference(*value)));
    }
    differences
}

/// State before the next integer; the order is constant, so that its loops are unrolled.
struct Differences<const ORDER: usize> {
    /// Number of previous integers of the run.
    position: usize,
    /// Differences 0, 1 and so on of the previous integer.
    previous: [i64; ORDER],
    /// Values a and b of each position at the start of a run.
    starts: [[i64; 2]; ORDER],
}

impl<const ORDER: usize> Differences<ORDER> {
    fn new() -> Self {
        Self { position: 0, previous: [0; ORDER], starts: [[0; 2]; ORDER] }
    }

    /// Returns the number to write for the next integer.
    fn difference(&mut self, integer: i64) -> i64 {
        if self.position >= ORDER {
            return differ(&mut self.previous, integer);
        }
        let difference = differ(&mut self.previous[..self.position], integer);
        let prediction = self.prediction();
        self.advance(difference);
        difference.wrapping_sub(prediction)
    }

    /// Returns the next integer for the number that was written.
    fn integer(&mut self, written: i64) -> i64 {
        if self.position >= ORDER {
            return add_up(&mut self.previous, written);
        }
        let difference = written.wrapping_add(self.prediction());
        let known_order = self.position;
        self.advance(difference);
        add_up(&mut self.previous[..known_order], difference)
    }

    fn prediction(&self) -> i64 {
        let [a, b] = self.starts[self.position];
        a.wrapping_mul(2).wrapping_sub(b)
    }

    fn advance(&mut self, difference: i64) {
        self.previous[self.position] = difference;
        self.starts[self.position] = [difference, self.starts[self.position][0]];
        self.position += 1;
    }
}

/// Replaces the differences of the previous integer, and returns the next difference.
fn differ(previous: &mut [i64], integer: i64) -> i64 {
    previous
        .iter_mut()
        .fold(integer, |difference, previous| difference.wrapping_sub(mem::replace(previous, difference)))
}

/// Replaces the differences of the previous integer, and returns the integer with this next difference.
fn add_up(previous: &mut [i64], difference: i64) -> i64 {
    previous.iter_mut().rev().fold(difference, |sum, previous| {
        *previous = sum.wrapping_add(*previous);
        *previous
    })
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    fn written(values: &[f64], runs: &[usize]) -> Vec<u8> {
        let mut out = Vec::new();
        write_coordinates(&mut out, values, runs);
        out
    }

    proptest! {
        #[test]
        fn integers_round_trip(runs in vec(vec(any::<i64>(), 1..9), 0..9)) {
            let lengths: Vec<usize> = runs.iter().map(Vec::len).collect();
            let values = runs.concat();
            let mut out = Vec::new();
            write_integers(&mut out, &values, &lengths);
            prop_assert_eq!(read_integers(&mut Reader(&out), &lengths), Ok(values));
        }

        #[test]
        fn every_double_round_trips(bits in vec(any::<u64>(), 1..9), short in 0_i32..1000) {
            let mut values: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
            values.push(f64::from(short) / 100.0);
            let runs = [1, values.len() - 1];
            let out = written(&values, &runs);
            let read = read_coordinates(&mut Reader(&out), &runs).unwrap();
            prop_assert!(read.iter().map(|v| v.to_bits()).eq(values.iter().map(|v| v.to_bits())));
        }

        #[test]
        fn nine_decimals_are_scaled(integer in -1_000_000_000_000_000_i64..=1_000_000_000_000_000) {
            let value: f64 = format!("{integer}e-9").parse().unwrap();
            prop_assert!(written(&[value], &[1])[0] < BITS);
        }

        #[test]
        fn bits_sort_like_doubles(a: f64, b: f64) {
            prop_assert_eq!(ordered_bits(a).cmp(&ordered_bits(b)), a.total_cmp(&b));
        }
    }

    #[test]
    fn column_matches_documentation() {
        let values = [10.5, 11.5, 12.5, 13.5, 20.5, 21.5];
        // Scale 1 and order 2: 105, 10, 0, 0 and then 205 - 2 * 105, 10 - 2 * 10.
        assert_eq!(written(&values, &[4, 2]), [1, 2, 0xd2, 0x01, 20, 0, 0, 9, 19]);
    }

    #[test]
    fn unknown_scale_or_order_is_corrupt() {
        for bytes in [[11, 1], [0, 0], [0, 4]] {
            assert!(read_coordinates(&mut Reader(&bytes), &[]).is_err());
        }
    }
}
