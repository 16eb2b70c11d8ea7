//! Image of a poster.
#![no_main]

use bytes::Bytes;
use domain::poster::{Format, MAX_BYTES, MAX_SIDE, Poster};
use fuzz::png;
use imagesize::ImageType;
use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};

fuzz_target!(|image: &[u8]| {
    let Ok(poster) = Poster::read(Bytes::copy_from_slice(image)) else { return };
    assert_eq!(poster.bytes(), image);
    let expected = match imagesize::image_type(image).expect("imagesize finds no image") {
        ImageType::Jpeg => Format::Jpeg,
        ImageType::Png => Format::Png,
        ImageType::Gif => Format::Gif,
        ImageType::Webp => Format::WebP,
        other => panic!("{other:?}"),
    };
    assert_eq!(poster.format(), expected);
    // In a JPEG, imagesize reads the padding before a marker, which decoders skip, as a segment.
    if expected != Format::Jpeg
        && let Ok(size) = imagesize::blob_size(image)
    {
        // A side in VP8 has fourteen bits. The two bits above are a scale, but imagesize adds them to the side.
        let bits = if image.get(12..16) == Some(b"VP8 ") { 0x3FFF } else { usize::MAX };
        let sides = 1..=MAX_SIDE as usize;
        assert!([size.width, size.height].iter().all(|side| sides.contains(&(side & bits))), "{size:?}");
    }
    if image.len() < MAX_BYTES {
        let extended = Poster::read([image, b"\0"].concat().into()).expect("a trailing byte is rejected");
        assert_eq!(extended.format(), poster.format());
    }
});

fuzz_mutator!(|image: &mut [u8], size: usize, max_size: usize, _seed: u32| {
    let size = fuzzer_mutate(image, size, max_size);
    png::set_checksums(&mut image[..size]);
    size
});
