//! Compression with gzip (RFC 1952): of large responses, and of the part `request` of a form.

use std::io::{self, Read as _, Write as _};

use flate2::{Compression, bufread::GzDecoder, write::GzEncoder};

use crate::error::{Error, JsonError, Limit};

/// Media type of a compressed part of a form (RFC 6713).
pub const MEDIA_TYPE: &str = "application/gzip";

/// Maximum size of a part after inflating, in bytes.
///
/// It holds 100,000 seats of 240 bytes each, far more than a drawing tool writes.
pub const MAX_INFLATED: usize = 24 * 1024 * 1024;

/// A low level: a hall is so regular that level 6 takes three times the time for 11 % fewer bytes.
const LEVEL: Compression = Compression::new(2);

/// Compresses a body; equal bodies have equal results.
///
/// # Errors
///
/// Returns an error only if writing to memory fails.
pub fn compress(body: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), LEVEL);
    encoder.write_all(body)?;
    encoder.finish()
}

/// Inflates exactly one gzip member, and stops at [`MAX_INFLATED`].
///
/// # Errors
///
/// Returns `TooLarge` if the content exceeds the limit, and `NotJson` if it is not one undamaged member.
pub fn inflate(member: &[u8]) -> Result<Vec<u8>, Error> {
    let mut decoder = GzDecoder::new(member);
    let mut content = Vec::new();
    // One byte beyond the limit shows that it is exceeded.
    let result = decoder.by_ref().take(MAX_INFLATED as u64 + 1).read_to_end(&mut content);
    if content.len() > MAX_INFLATED {
        return Err(Error::TooLarge(Limit::Inflated(MAX_INFLATED)));
    }
    match result {
        Ok(_) if decoder.into_inner().is_empty() => Ok(content),
        _ => Err(Error::not_json(JsonError::Gzip)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_damaged(member: &[u8]) -> bool {
        matches!(inflate(member), Err(Error::NotJson(fault)) if fault.error == JsonError::Gzip)
    }

    #[test]
    fn inflating_stops_at_limit() {
        let largest = vec![b' '; MAX_INFLATED];
        assert!(inflate(&compress(&largest).unwrap()).unwrap() == largest);
        let too_large = compress(&vec![b' '; MAX_INFLATED + 1]).unwrap();
        // The rest is never read, so it may be missing.
        for member in [&too_large[..], &too_large[..too_large.len() - 8]] {
            assert!(matches!(inflate(member), Err(Error::TooLarge(Limit::Inflated(MAX_INFLATED)))));
        }
    }

    #[test]
    fn other_than_one_member_is_damaged() {
        let member = compress(b"{}").unwrap();
        assert_eq!(inflate(&member).unwrap(), b"{}");
        for length in 0..member.len() {
            assert!(is_damaged(&member[..length]), "{length} bytes");
        }
        for other in [b"{}", &[&member[..], b"\0"].concat()[..], &member.repeat(2)] {
            assert!(is_damaged(other), "{other:?}");
        }
        // Behind the header, every byte counts: the content, its checksum and its size.
        for at in 10..member.len() {
            let mut changed = member.clone();
            changed[at] ^= 1;
            assert!(is_damaged(&changed), "byte {at}");
        }
    }
}
