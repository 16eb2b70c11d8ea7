//! Blocks of GIF images (GIF specification, version 89a).

use gif::DecodeOptions;

use super::{Rejection, check_sides};

/// Checks the blocks up to the trailer, without decoding pixels.
///
/// There must be an image, and every image must be within the logical screen.
pub(super) fn check(bytes: &[u8]) -> Result<(), Rejection> {
    let mut options = DecodeOptions::new();
    options.skip_frame_decoding(true);
    options.check_frame_consistency(true);
    let mut decoder = options.read_info(bytes).map_err(|_| Rejection::Corrupt)?;
    check_sides(decoder.width(), decoder.height())?;

    let mut has_image = false;
    while let Some(frame) = decoder.next_frame_info().map_err(|_| Rejection::Corrupt)? {
        check_sides(frame.width, frame.height)?;
        has_image = true;
    }
    has_image.then_some(()).ok_or(Rejection::Corrupt)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Format,
        tests::{check_side_limits, check_zero_sides, read},
    };
    use super::*;

    const BROKEN: Result<Format, Rejection> = Err(Rejection::Corrupt);

    fn screen(width: u16, height: u16) -> Vec<u8> {
        let sides = [width, height].map(u16::to_le_bytes).concat();
        [b"GIF89a", &sides[..], b"\x80\0\0", &[0; 6]].concat()
    }

    fn image(left: u16, top: u16, width: u16, height: u16) -> Vec<u8> {
        let bounds = [left, top, width, height].map(u16::to_le_bytes).concat();
        [b",", &bounds[..], b"\0\x02\x02\x4C\x01\0"].concat()
    }

    #[test]
    fn sides_are_limited() {
        let pixel = image(0, 0, 1, 1);
        let on_screen = |w, h| [&screen(w, h)[..], &pixel, b";"].concat();
        check_side_limits(Format::Gif, on_screen);
        check_zero_sides(on_screen);
        check_zero_sides(|w, h| [&screen(1, 1)[..], &image(0, 0, w, h), b";"].concat());
    }

    #[test]
    fn every_image_lies_within_the_screen() {
        let read_second = |left, top, width, height| {
            let images = [image(0, 0, 1, 1), image(left, top, width, height)].concat();
            read([&screen(8, 8)[..], &images, b";"].concat())
        };
        assert_eq!(read_second(2, 4, 6, 4), Ok(Format::Gif));
        assert_eq!(read_second(3, 4, 6, 4), BROKEN);
        assert_eq!(read_second(2, 5, 6, 4), BROKEN);
        assert_eq!(read_second(0, 0, 9, 1), BROKEN);
    }

    #[test]
    fn image_and_trailer_are_required() {
        let image = image(0, 0, 1, 1);
        let comment = b"!\xFE\x03a;b\0";
        let read_blocks = |blocks: &[&[u8]]| read([&screen(1, 1), &blocks.concat()[..]].concat());

        assert_eq!(read_blocks(&[comment, &image, comment, b";"]), Ok(Format::Gif));
        for blocks in [&[&comment[..], b";\0"][..], &[b";", &image, b";"], &[&image, comment], &[&image, b"<html>;"]] {
            assert_eq!(read_blocks(blocks), BROKEN);
        }
    }
}
