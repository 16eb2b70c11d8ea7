//! PNG images whose checksums are right, so that what lies behind them is reached.

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";
/// The bytes of a chunk's length, of its kind, and of its checksum behind the contents.
const LENGTH: usize = 4;
const KIND: usize = 4;
const CHECKSUM: usize = 4;

/// Puts the checksum of each whole chunk right; does nothing to what is no PNG.
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
