//! Image of a poster.
#![no_main]

use bytes::Bytes;
use domain::poster::{MAX_BYTES, Poster};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|image: &[u8]| {
    let Ok(poster) = Poster::read(Bytes::copy_from_slice(image)) else { return };
    assert_eq!(poster.bytes(), image);
    if image.len() < MAX_BYTES {
        let extended = Poster::read([image, b"\0"].concat().into()).expect("a trailing zero is rejected");
        assert_eq!(extended.format(), poster.format());
    }
});
