//! Encoding of the state of a seat: 20 bytes, which conditions compare.
//!
//! The first four bytes are the time at which the state ends, so that a comparison of the bytes finds expired holds. The
//! others are the id of the hold or of the block. A sold seat and a blocked one never end; they differ in the version of
//! this UUID, which is 8 for a block and 4 for a hold.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::hold::Taken;
use uuid::Uuid;

/// Number of bytes.
const STATE: usize = size_of::<u32>() + size_of::<Uuid>();

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
    let bytes: &[u8; STATE] = bytes.try_into().ok()?;
    let (until, id) = bytes.split_first_chunk()?;
    let (until, id) = (u32::from_be_bytes(*until), Uuid::from_slice(id).ok()?);
    Some(match until {
        NEVER if id.get_version_num() == BLOCK_VERSION => Taken::Blocked { block: id },
        NEVER => Taken::Sold { hold: id },
        until => Taken::Held { hold: id, until: until.into() },
    })
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
