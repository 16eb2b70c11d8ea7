//! Image of a poster: without metadata, it is the same image, and nothing more is removed.
#![no_main]

use bytes::Bytes;
use domain::{
    image::jpeg_sizes,
    poster::{Format, MAX_BYTES, Poster},
};
use libfuzzer_sys::fuzz_target;

/// Size of EXIF with only an orientation, in bytes.
const EXIF: usize = 26;

fuzz_target!(|image: &[u8]| {
    let Ok(poster) = Poster::read(&Bytes::copy_from_slice(image)) else { return };
    // Whole EXIF with the orientation can be longer than what was sent.
    assert!(poster.bytes().len() <= image.len() + EXIF);
    if image.len() + EXIF <= MAX_BYTES {
        let again = Poster::read(poster.bytes()).expect("an image without metadata is rejected");
        assert_eq!((again.format(), again.bytes()), (poster.format(), poster.bytes()));
        assert_eq!(size(&again, again.bytes()), size(&poster, image));
        let extended = Poster::read(&[image, b"\0"].concat().into()).expect("a trailing zero is rejected");
        assert_eq!(extended.format(), poster.format());
    }
});

/// Returns the width and height of an image with the format of a poster.
fn size(poster: &Poster, image: &[u8]) -> (usize, usize) {
    if poster.format() == Format::Jpeg {
        return jpeg_sizes(image).expect("a readable image")[0];
    }
    let size = imagesize::blob_size(image).expect("a readable image");
    (size.width, size.height)
}
