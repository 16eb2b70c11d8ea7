//! The numbers and texts that a stored seat map is made of.

use super::Corrupt;

const ENDS_EARLY: Corrupt = Corrupt("it ends early");
const LONG_NUMBER: Corrupt = Corrupt("a number is too long");

/// Appends a number as a varint: seven bits a byte, the lowest first, with the
/// top bit set in every byte but the last.
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

/// Appends the length of a text in bytes as a varint, then the text in UTF-8.
pub fn write_text(out: &mut Vec<u8>, text: &str) {
    write_unsigned(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Gives numbers near zero small codes: 0, -1, 1, -2 become 0, 1, 2, 3.
pub fn zigzag(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)).cast_unsigned()
}

/// Reads what the functions above write, from the front of its bytes on.
pub struct Reader<'a>(pub &'a [u8]);

impl Reader<'_> {
    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, Corrupt> {
        let (byte, rest) = self.0.split_first().ok_or(ENDS_EARLY)?;
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
                return Err(LONG_NUMBER);
            }
            value |= bits << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(LONG_NUMBER)
    }

    /// Reads a signed number.
    pub fn signed(&mut self) -> Result<i64, Corrupt> {
        let zigzag = self.unsigned()?;
        Ok((zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed())
    }

    /// Reads a text. It takes no memory for a length that the bytes do not have.
    pub fn text(&mut self) -> Result<String, Corrupt> {
        let length = usize::try_from(self.unsigned()?).map_err(|_| LONG_NUMBER)?;
        let (text, rest) = self.0.split_at_checked(length).ok_or(ENDS_EARLY)?;
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
            prop_assert_eq!(reader.byte(), Err(ENDS_EARLY));
        }
    }

    #[test]
    fn number_over_64_bits_is_corrupt() {
        let mut largest = [0xff; 10];
        largest[9] = 0x01;
        assert_eq!(Reader(&largest).unsigned(), Ok(u64::MAX));
        largest[9] = 0x02;
        assert_eq!(Reader(&largest).unsigned(), Err(LONG_NUMBER));
        assert_eq!(Reader(&[0xff; 11]).unsigned(), Err(LONG_NUMBER));
    }

    #[test]
    fn truncated_text_is_corrupt() {
        assert_eq!(Reader(&[3, b'a', b'b']).text(), Err(ENDS_EARLY));
        assert!(Reader(&[1, 0xff]).text().is_err());
    }
}
