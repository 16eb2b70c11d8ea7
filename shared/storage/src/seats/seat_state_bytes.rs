//! Encoding of the state of a seat: 20 bytes, which conditions compare, and for a sold seat its admissions.
//!
//! The first four bytes are the time at which the state ends, so that a comparison of the bytes finds expired holds.
//! The others are the id of the hold or of the block. A sold seat and a blocked one never end; they differ in the
//! version of this UUID, which is 8 for a block and 4 for a hold.
//!
//! Once somebody was admitted, there follow a byte, 1 if the last admission counts and otherwise 0, and each remembered
//! admission: 6 bytes with the time in milliseconds, 2 with the number of the gate, and 8 with the mark of the scan.
//! So a sale anew forgets the admissions, and a state without any is as short as before.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    hold::Taken,
    seats::admission::{Admission, ScanMark, SoldSeat},
};
use uuid::Uuid;

/// Number of bytes.
const STATE: usize = size_of::<u32>() + size_of::<Uuid>();

/// Number of bytes of the time of an admission, and of an admission.
const TIME: usize = 6;
const ADMISSION: usize = TIME + size_of::<u16>() + ScanMark::BYTES;

/// End of a state that does not end by itself.
const NEVER: u32 = u32::MAX;

/// Version of the UUID of a block.
const BLOCK_VERSION: usize = 8;

/// Returns the bytes that are larger than those of all states that have ended at a time.
pub(crate) fn free_before(now: Duration) -> AttributeValue {
    let next = u32::try_from(now.as_secs() + 1).unwrap_or(NEVER);
    AttributeValue::B(Blob::new(next.to_be_bytes()))
}

/// Returns the bytes of a state.
pub(crate) fn encode(state: Taken) -> AttributeValue {
    let (until, id) = match state {
        Taken::Held { hold, until } => (u32::try_from(until).unwrap_or(NEVER - 1), hold),
        Taken::Sold { hold } => (NEVER, hold),
        Taken::Blocked { block } => (NEVER, Uuid::new_v8(block.into_bytes())),
    };
    AttributeValue::B(Blob::new([&until.to_be_bytes()[..], id.as_bytes()].concat()))
}

/// Reads a state from its bytes.
#[must_use]
pub fn decode(bytes: &[u8]) -> Option<Taken> {
    let (bytes, admissions) = bytes.split_first_chunk::<STATE>()?;
    let (until, id) = bytes.split_first_chunk()?;
    let (until, id) = (u32::from_be_bytes(*until), Uuid::from_slice(id).ok()?);
    let is_sold = until == NEVER && id.get_version_num() != BLOCK_VERSION;
    if !is_sold && !admissions.is_empty() {
        return None;
    }
    Some(match until {
        NEVER if id.get_version_num() == BLOCK_VERSION => Taken::Blocked { block: id },
        NEVER => Taken::Sold { hold: id },
        until => Taken::Held { hold: id, until: until.into() },
    })
}

/// Returns the bytes of a sold seat with its admissions.
pub(crate) fn encode_sold(seat: &SoldSeat) -> AttributeValue {
    let AttributeValue::B(state) = encode(Taken::Sold { hold: seat.hold }) else { unreachable!("bytes") };
    let mut bytes = state.into_inner();
    if !seat.admissions.is_empty() {
        bytes.push(seat.is_admitted.into());
        for Admission { at, gate, scan } in &seat.admissions {
            bytes.extend(&at.to_be_bytes()[2..]);
            bytes.extend(gate.to_be_bytes());
            bytes.extend(scan.to_bytes());
        }
    }
    AttributeValue::B(Blob::new(bytes))
}

/// Reads a sold seat with its admissions; `None` if the seat is not sold.
#[must_use]
pub fn decode_sold(bytes: &[u8]) -> Option<SoldSeat> {
    let Taken::Sold { hold } = decode(bytes)? else { return None };
    let (is_admitted, admissions) = bytes[STATE..].split_first().unwrap_or((&0, &[]));
    let admission = |bytes: &[u8]| {
        let (time, rest) = bytes.split_first_chunk::<TIME>()?;
        let (gate, scan) = rest.split_first_chunk()?;
        let at = time.iter().fold(0, |at, byte| at << u8::BITS | u64::from(*byte));
        let scan = ScanMark::from_bytes(scan.try_into().ok()?);
        Some(Admission { at, gate: u16::from_be_bytes(*gate), scan })
    };
    let admissions: Option<Vec<_>> = admissions.chunks(ADMISSION).map(admission).collect();
    Some(SoldSeat { hold, is_admitted: *is_admitted == 1, admissions: admissions? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(value: &AttributeValue) -> &[u8] {
        value.as_b().unwrap().as_ref()
    }

    #[test]
    fn states_are_read_as_written() {
        let hold = Uuid::new_v4();
        for state in [Taken::Held { hold, until: 1_800_000_000 }, Taken::Sold { hold }] {
            assert_eq!(decode(bytes(&encode(state))), Some(state));
        }
        let block = encode(Taken::Blocked { block: Uuid::new_v4() });
        let state @ Some(Taken::Blocked { .. }) = decode(bytes(&block)) else { panic!("not blocked") };
        assert_eq!(state.map(encode), Some(block));
        assert_eq!(decode(&[0; STATE - 1]), None);
    }

    #[test]
    fn admissions_are_read_as_written() {
        let hold = Uuid::new_v4();
        let admission = |at, scan| Admission { at, gate: 999, scan: ScanMark::from_bytes([scan; 8]) };
        for admissions in [
            vec![],
            vec![admission(1_800_000_000_123, 0)],
            vec![admission(1, 1), admission(2, 0), admission((1 << 48) - 1, 255)],
        ] {
            let seat = SoldSeat { hold, is_admitted: !admissions.is_empty(), admissions };
            let encoded = encode_sold(&seat);
            assert_eq!(decode_sold(bytes(&encoded)), Some(seat));
            assert_eq!(decode(bytes(&encoded)), Some(Taken::Sold { hold }));
            assert!(bytes(&encoded).starts_with(bytes(&encode(Taken::Sold { hold }))));
        }
        for other in [Taken::Blocked { block: Uuid::new_v4() }, Taken::Held { hold, until: 1 }] {
            let state = encode(other);
            assert_eq!(decode_sold(bytes(&state)), None);
            assert_eq!(decode(&[bytes(&state), &[1]].concat()), None);
        }
        let sold = encode(Taken::Sold { hold });
        assert_eq!(decode_sold(&[bytes(&sold), &[1; 1 + ADMISSION - 1]].concat()), None);
    }

    #[test]
    fn bytes_of_ended_states_are_smaller() {
        let is_free = |state, seconds| bytes(&encode(state)) < bytes(&free_before(Duration::from_secs(seconds)));
        let held = Taken::Held { hold: Uuid::max(), until: 1_800_000_000 };
        assert!(!is_free(held, 1_799_999_999) && is_free(held, 1_800_000_000));
        let early = Taken::Held { hold: Uuid::nil(), until: 1_800_000_000 };
        assert!(!is_free(early, 1_799_999_999) && is_free(early, 1_800_000_000));
        let blocked = Taken::Blocked { block: Uuid::new_v4() };
        assert!(!is_free(blocked, u64::from(NEVER)) && !is_free(Taken::Sold { hold: Uuid::max() }, 1 << 40));
    }
}
