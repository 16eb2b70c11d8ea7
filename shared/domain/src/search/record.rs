//! Search record: the parts of an event that a search compares, in few bytes.
//!
//! A search reads the records of all live events, so each byte of a record costs read units.
//!
//! | Part  | Content                                                             |
//! |-------|---------------------------------------------------------------------|
//! | times | the time when ticketing opens, the number of shows as a varint, and |
//! |       | the shows in ascending order                                        |
//! | text  | title, artist and place, folded, with a line break after each       |
//!
//! - A varint is an unsigned LEB128 number.
//! - A time is a varint: four times a number of units, plus the code of the unit. The units are minutes (0), seconds
//!   (1), milliseconds (2) and nanoseconds (3), the largest that keeps the value. They are counted from 1970, and those
//!   of a show from the show before it, if any.
//! - The text is UTF-8, except that a Hangul syllable takes two bytes instead of three: its number, big-endian, with
//!   the highest bit set. No character begins with such a byte in UTF-8.
//!
//! If you change the encoding or [`fold`], rewrite the stored records.

use std::{error, fmt};

use crate::{event::Details, instant::Instant, text::fold};

/// Units of times, in nanoseconds.
const UNITS: [u128; 4] = [60_000_000_000, 1_000_000_000, 1_000_000, 1];
/// Number of bits for the code of a unit.
const UNIT_BITS: u32 = 2;
/// First byte of the last Hangul syllable.
const LAST_LEAD: u8 = 0xAB;

/// Decoded search record, with its text still encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Time when ticketing opens.
    pub ticketing_open_time: Instant,
    /// Shows in ascending order.
    pub shows: Vec<Instant>,
    text: &'a [u8],
}

/// Error of a stored search record that cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CorruptRecord;

impl fmt::Display for CorruptRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the stored search record is corrupt")
    }
}

impl error::Error for CorruptRecord {}

/// Encodes the search record of an event.
#[must_use]
pub fn encode(details: &Details) -> Vec<u8> {
    let mut out = Vec::new();
    write_time(&mut out, details.ticketing_open_time.nanos());
    let mut shows: Vec<_> = details.shows.iter().map(Instant::nanos).collect();
    shows.sort_unstable();
    write_unsigned(&mut out, shows.len() as u128);
    let mut previous = 0;
    for show in shows {
        write_time(&mut out, show - previous);
        previous = show;
    }
    for field in [details.title.as_str(), details.artist.as_str(), details.place.as_str()] {
        write_text(&mut out, &fold(field));
        out.push(b'\n');
    }
    out
}

impl<'a> Record<'a> {
    /// Decodes the times of a search record.
    ///
    /// # Errors
    ///
    /// Returns `CorruptRecord` if the bytes do not start with times.
    pub fn decode(bytes: &'a [u8]) -> Result<Self, CorruptRecord> {
        let mut reader = Reader(bytes);
        let ticketing_open_time = instant(reader.time()?)?;
        let count = reader.unsigned()?;
        let mut shows = Vec::new();
        let mut show = 0_u128;
        for _ in 0..count {
            show = show.checked_add(reader.time()?).ok_or(CorruptRecord)?;
            shows.push(instant(show)?);
        }
        Ok(Self { ticketing_open_time, shows, text: reader.0 })
    }

    /// Decodes the folded title, artist and place, each on a line.
    ///
    /// # Errors
    ///
    /// Returns `CorruptRecord` if the bytes are not a text.
    pub fn text(&self) -> Result<String, CorruptRecord> {
        let mut bytes = self.text;
        let mut text = String::with_capacity(bytes.len() * 3 / 2);
        while let Some(&first) = bytes.first() {
            let length = match first {
                0..0x80 => bytes.iter().position(|byte| !byte.is_ascii()).unwrap_or(bytes.len()),
                0x80..=LAST_LEAD => 2,
                _ => first.leading_ones() as usize,
            };
            let (piece, rest) = bytes.split_at_checked(length).ok_or(CorruptRecord)?;
            match *piece {
                [lead @ 0x80..=LAST_LEAD, second] => {
                    let number = u16::from_be_bytes([lead & 0x7f, second]);
                    text.push(syllable(number).ok_or(CorruptRecord)?);
                }
                _ => text.push_str(str::from_utf8(piece).map_err(|_| CorruptRecord)?),
            }
            bytes = rest;
        }
        Ok(text)
    }
}

fn instant(nanos: u128) -> Result<Instant, CorruptRecord> {
    Instant::from_nanos(nanos).ok_or(CorruptRecord)
}

fn write_time(out: &mut Vec<u8>, nanos: u128) {
    let largest = (0_u8..).zip(UNITS).find(|(_, unit)| nanos.is_multiple_of(*unit));
    let (code, unit) = largest.unwrap_or((3, 1));
    write_unsigned(out, ((nanos / unit) << UNIT_BITS) | u128::from(code));
}

fn write_unsigned(out: &mut Vec<u8>, mut value: u128) {
    while value >= 0x80 {
        out.push(value.to_le_bytes()[0] | 0x80);
        value >>= 7;
    }
    out.push(value.to_le_bytes()[0]);
}

/// Returns the number of a Hangul syllable: 0 for `가`, 11,171 for `힣`.
fn syllable_number(c: char) -> Option<u16> {
    ('가'..='힣').contains(&c).then(|| u32::from(c) - u32::from('가')).and_then(|number| number.try_into().ok())
}

/// Returns the syllable with this number.
fn syllable(number: u16) -> Option<char> {
    char::from_u32(u32::from('가') + u32::from(number)).filter(|c| *c <= '힣')
}

fn write_text(out: &mut Vec<u8>, text: &str) {
    for c in text.chars() {
        match syllable_number(c) {
            Some(number) => {
                let [high, low] = number.to_be_bytes();
                out.extend([high | 0x80, low]);
            }
            None => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn time(&mut self) -> Result<u128, CorruptRecord> {
        let value = self.unsigned()?;
        let unit = UNITS[usize::from(value.to_le_bytes()[0] & 0b11)];
        (value >> UNIT_BITS).checked_mul(unit).ok_or(CorruptRecord)
    }

    /// Reads a varint of at most 70 bits, which no time exceeds.
    fn unsigned(&mut self) -> Result<u128, CorruptRecord> {
        let mut value = 0;
        for shift in (0..70).step_by(7) {
            let (byte, rest) = self.0.split_first().ok_or(CorruptRecord)?;
            self.0 = rest;
            value |= u128::from(byte & 0x7f) << shift;
            if *byte < 0x80 {
                return Ok(value);
            }
        }
        Err(CorruptRecord)
    }
}

#[cfg(test)]
mod tests {
    use proptest::{collection::btree_set, prelude::*};

    use super::*;
    use crate::{
        event::Shows,
        instant::LAST_SECOND,
        text::{Line, Paragraph},
    };

    fn any_instant() -> impl Strategy<Value = Instant> {
        let last = u128::try_from(LAST_SECOND).unwrap();
        let multiple = |unit: u128| (0..=last * 1_000_000_000 / unit).prop_map(move |number| number * unit);
        let nanos = prop_oneof![
            multiple(60_000_000_000),
            multiple(1_000_000_000),
            multiple(1_000_000),
            multiple(1),
            Just(0),
            Just(last * 1_000_000_000 + 999_999_999),
        ];
        nanos.prop_map(|nanos| Instant::from_nanos(nanos).unwrap())
    }

    fn details(texts: [&str; 3], ticketing: Instant, shows: &[Instant]) -> Details {
        let [title, artist, place] = texts.map(|text| Line::from_stored(text.to_owned()));
        let mut all = Shows::default();
        for show in shows {
            all.add(*show).unwrap();
        }
        Details {
            title,
            artist,
            place,
            description: Paragraph::from_stored(String::new()),
            event_open_time: ticketing,
            ticketing_open_time: ticketing,
            shows: all,
        }
    }

    fn at(text: &str) -> Instant {
        Instant::from_text(text).unwrap()
    }

    proptest! {
        #[test]
        fn record_round_trips(
            texts in ["[^\n]{0,40}", "[가-힣a-zA-Z0-9 ]{0,40}", "\\PC{0,40}"],
            ticketing in any_instant(),
            shows in btree_set(any_instant(), 0..=60),
        ) {
            let ascending: Vec<_> = shows.iter().copied().collect();
            let descending: Vec<_> = shows.into_iter().rev().collect();
            let record = encode(&details(texts.each_ref().map(String::as_str), ticketing, &descending));
            let record = Record::decode(&record).unwrap();
            prop_assert_eq!(record.ticketing_open_time, ticketing);
            prop_assert_eq!(&record.shows, &ascending);
            prop_assert_eq!(record.text().unwrap(), texts.map(|text| fold(&text) + "\n").concat());
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes: Vec<u8>) {
            if let Ok(record) = Record::decode(&bytes) {
                let _ = record.text();
            }
            let text = Record { ticketing_open_time: at("1970-01-01T00:00Z"), shows: vec![], text: &bytes };
            let _ = text.text();
        }
    }

    #[test]
    fn record_matches_documentation() {
        let shows = [at("1970-01-01T00:02:00.000000001Z"), at("1970-01-01T00:01:00Z")];
        let record = encode(&details(["가A", "é", "힣"], at("1970-01-01T00:00:31Z"), &shows));
        let times = [(31 << 2) | 1, 2, 1 << 2];
        // 60,000,000,001 nanoseconds after the first show.
        let nanos = (60_000_000_001_u64 << 2) | 3;
        let mut nanos = [0, 7, 14, 21, 28, 35].map(|shift| u8::try_from((nanos >> shift) & 0x7f).unwrap());
        nanos[..5].iter_mut().for_each(|byte| *byte |= 0x80);
        let text = [0x80, 0, b'a', b'\n', 0xc3, 0xa9, b'\n', 0xab, 0xa3, b'\n'];
        assert_eq!(record, [&times[..], &nanos, &text].concat());
    }

    #[test]
    fn usual_record_is_compact() {
        let shows: Vec<_> = (10..14).map(|day| at(&format!("2026-12-{day}T19:30:00+09:00"))).collect();
        let texts = ["2026 뮤지컬 〈별이 빛나는 밤에〉 20주년 기념 공연 - 부산", "김철수, 이영희", "부산 드림씨어터"];
        let record = encode(&details(texts, at("2026-11-01T11:00:00Z"), &shows));
        let times = 4 + 1 + 4 + 3 * 2;
        let syllables = texts.concat().chars().filter(|c| ('가'..='힣').contains(c)).count();
        assert_eq!(record.len(), times + texts.concat().len() - syllables + "\n\n\n".len());
    }

    #[test]
    fn damaged_record_is_corrupt() {
        let record = encode(&details(["가", "나", "다"], at("2026-12-01T00:00Z"), &[at("2026-12-02T00:00Z")]));
        for length in 0..9 {
            assert_eq!(Record::decode(&record[..length]), Err(CorruptRecord), "{length} bytes");
        }
        assert_eq!(Record::decode(&[0xff; 20]), Err(CorruptRecord));
        for text in [&[0x80][..], &[0xab, 0xa4], &[0xac], &[0xc3], &[0xff], &[0xed, 0xa0, 0x80]] {
            let bytes = [&[0, 0], text].concat();
            assert_eq!(Record::decode(&bytes).unwrap().text(), Err(CorruptRecord), "{text:?}");
        }
    }
}
