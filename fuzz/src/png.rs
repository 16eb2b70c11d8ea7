//! Correct checksums for PNG images, so that fuzzing reaches the code behind the checks.

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";
/// Sizes, in bytes, of a chunk's length, kind and checksum.
const LENGTH: usize = 4;
const KIND: usize = 4;
const CHECKSUM: usize = 4;

/// Corrects the checksum of each complete chunk; leaves anything other than a PNG unchanged.
pub fn set_checksums(image: &mut [u8]) {
    let Some((signature, mut rest)) = image.split_at_mut_checked(SIGNATURE.len()) else { return };
    if signature != SIGNATURE {
        return;
    }
    while let Some((&length, _)) = rest.split_first_chunk::<LENGTH>() {
        let checked = KIND + u32::from_be_bytes(length) as usize;
        let Some((chunk, after)) = rest.split_at_mut_checked(LENGTH + checked + CHECKSUM) else { return };
        let (checked, checksum) = chunk[LENGTH..].split_at_mut(checked);
        checksum.copy_from_slice(&crc32fast::hash(checked).to_be_bytes());
        rest = after;
    }
}
