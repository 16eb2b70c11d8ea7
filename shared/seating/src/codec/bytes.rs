//! Numbers and texts of a stored seat map.

use super::Corrupt;

const TRUNCATED: Corrupt = Corrupt("it is truncated");
const NUMBER_TOO_LONG: Corrupt = Corrupt("a number is too long");

/// Appends a number as a varint.
///
/// Each byte has seven bits, the lowest first; every byte except the last has its top bit set.
pub fn write_unsigned(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Appends a signed number as the varint of its [`zigzag`].
pub fn write_signed(out: &mut Vec<u8>, value: i64) {
    write_unsigned(out, zigzag(value));
}

/// Appends a text as its length in bytes and its UTF-8.
pub fn write_text(out: &mut Vec<u8>, text: &str) {
    write_unsigned(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Maps numbers near zero to small codes: 0, -1, 1, -2 become 0, 1, 2, 3.
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Reader of numbers and texts, from the front of its bytes.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    pub fn byte(&mut self) -> Result<u8, Corrupt> {
        let (byte, rest) = self.0.split_first().ok_or(TRUNCATED)?;
        self.0 = rest;
        Ok(*byte)
    }

    /// Reads a varint of at most 64 bits.
    pub fn unsigned(&mut self) -> Result<u64, Corrupt> {
        let mut value = 0;
        for shift in (0..u64::BITS).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(NUMBER_TOO_LONG);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(NUMBER_TOO_LONG)
    }

    pub fn signed(&mut self) -> Result<i64, Corrupt> {
        let zigzag = self.unsigned()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// Reads a text; allocates no memory for a length that exceeds the bytes.
    pub fn text(&mut self) -> Result<String, Corrupt> {
        let length = usize::try_from(self.unsigned()?).map_err(|_| NUMBER_TOO_LONG)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(TRUNCATED)?;
        self.0 = rest;
        match str::from_utf8(text) {
            Ok(text) => Ok(text.to_owned()),
            Err(_) => Err(Corrupt("a text is not UTF-8")),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn values_round_trip(unsigned: u64, signed: i64, text: String) {
            let mut out = Vec::new();
            write_unsigned(&mut out, unsigned);
            write_signed(&mut out, signed);
            write_text(&mut out, &text);

            let mut reader = Reader(&out);
            prop_assert_eq!(reader.unsigned(), Ok(unsigned));
            prop_assert_eq!(reader.signed(), Ok(signed));
            prop_assert_eq!(reader.text(), Ok(text));
            prop_assert_eq!(reader.byte(), Err(TRUNCATED));
        }
    }

    #[test]
    fn number_over_64_bits_is_corrupt() {
        let mut largest = [0xff; 10];
        largest[9] = 0x01;
        assert_eq!(Reader(&largest).unsigned(), Ok(u64::MAX));
        largest[9] = 0x02;
        assert_eq!(Reader(&largest).unsigned(), Err(NUMBER_TOO_LONG));
        assert_eq!(Reader(&[0xff; 11]).unsigned(), Err(NUMBER_TOO_LONG));
    }

    #[test]
    fn truncated_text_is_corrupt() {
        assert_eq!(Reader(&[3, b'a', b'b']).text(), Err(TRUNCATED));
        assert!(Reader(&[1, 0xff]).text().is_err());
    }
}
