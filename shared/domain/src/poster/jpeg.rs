//! Marker segments and scans of JPEG images (ITU-T T.81, annex B).

use bytes::Buf;
use memchr::memchr_iter;

use super::{Rejection, check_sides};

const SOI: u8 = 0xD8;
const EOI: u8 = 0xD9;
const SOS: u8 = 0xDA;

/// Checks the segments and scans up to the end of the image.
///
/// There must be a frame with the sides, and a scan after it. A height of zero, which announces a DNL segment, is
/// rejected.
pub(super) fn check(mut rest: &[u8]) -> Result<(), Rejection> {
    let (mut has_frame, mut has_scan) = (false, false);
    rest.try_get_u16()?; // SOI
    loop {
        let marker = next_marker(&mut rest)?;
        if marker == EOI {
            return has_scan.then_some(()).ok_or(Rejection::Corrupt);
        }
        let length = rest.try_get_u16()?;
        let contents = length.checked_sub(2).ok_or(Rejection::Corrupt)?;
        let mut segment = rest.split_off(..contents.into()).ok_or(Rejection::Corrupt)?;
        match marker {
            0xC4 | 0xC8 | 0xCC => {} // DHT, JPG and DAC are not frames.
            0xC0..=0xCF => {
                segment.try_get_u8()?; // precision
                let height = segment.try_get_u16()?;
                check_sides(segment.try_get_u16()?, height)?;
                has_frame = true;
            }
            SOS if has_frame => has_scan = true,
            SOI | SOS => return Err(Rejection::Corrupt),
            _ => {}
        }
    }
}

/// Skips to the next marker that has a segment or ends the image.
///
/// Skipped are entropy-coded data with stuffed bytes and restarts, fill bytes, and padding by cameras between
/// segments, which decoders ignore.
fn next_marker(rest: &mut &[u8]) -> Result<u8, Rejection> {
    let is_marker = |at: &usize| matches!(rest.get(at + 1), Some(0x02..=0xCF | SOI..=0xFE));
    let position = memchr_iter(0xFF, rest).find(is_marker);
    rest.advance(position.ok_or(Rejection::Corrupt)? + 1);
    Ok(rest.try_get_u8()?)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Format,
        tests::{check_side_limits, check_zero_sides, read},
    };
    use super::*;

    const SOF0: u8 = 0xC0;
    const DHT: u8 = 0xC4;
    const APP1: u8 = 0xE1;
    const BROKEN: Result<Format, Rejection> = Err(Rejection::Corrupt);

    fn segment(marker: u8, contents: &[u8]) -> Vec<u8> {
        let length = u16::try_from(contents.len() + 2).expect("the segment is short");
        [&[0xFF, marker], &length.to_be_bytes()[..], contents].concat()
    }

    fn frame(marker: u8, width: u16, height: u16) -> Vec<u8> {
        let [[w0, w1], [h0, h1]] = [width, height].map(u16::to_be_bytes);
        segment(marker, &[8, h0, h1, w0, w1, 1, 1, 0x11, 0])
    }

    /// Builds a scan whose data contains a stuffed byte and a restart, and ends with a fill byte.
    fn scan() -> Vec<u8> {
        let header = segment(SOS, &[1, 1, 0, 0, 63, 0]);
        [&header[..], b"\x2A\xFF\x00\xFF\xD7\x2A\xFF"].concat()
    }

    fn image(parts: &[&[u8]]) -> Vec<u8> {
        [&[0xFF, SOI], &parts.concat()[..], &[0xFF, EOI]].concat()
    }

    #[test]
    fn sides_are_limited() {
        let sized = |width, height| image(&[&frame(SOF0, width, height), &scan()]);
        check_side_limits(Format::Jpeg, sized);
        check_zero_sides(sized);
    }

    #[test]
    fn every_frame_is_checked() {
        let small = frame(SOF0, 1, 1);
        for marker in [0xC0, 0xC1, 0xC2, 0xC3, 0xC5, 0xC9, 0xCF] {
            let jpeg = image(&[&small, &frame(marker, 10_001, 1), &scan()]);
            assert_eq!(read(jpeg), Err(Rejection::SideTooLong), "{marker:X}");
        }
    }

    #[test]
    fn frame_must_precede_scan() {
        let (frame, scan) = (frame(SOF0, 1, 1), scan());
        let table = segment(DHT, &[0; 9]);

        let whole = image(&[&frame, &table, &scan, &table, &scan]);
        assert_eq!(read(whole), Ok(Format::Jpeg));
        for parts in [&[][..], &[&frame[..]], &[&scan], &[&scan, &frame], &[&table, &scan]] {
            assert_eq!(read(image(parts)), BROKEN);
        }
    }

    #[test]
    fn embedded_thumbnail_is_ignored() {
        let (frame, scan) = (frame(SOF0, 1, 1), scan());
        let thumbnail = segment(APP1, &image(&[&frame, &scan]));
        let mut photo = image(&[&thumbnail, &frame, &scan]);
        assert_eq!(read(photo.clone()), Ok(Format::Jpeg));
        photo.truncate(photo.len() - 2);
        assert_eq!(read(photo), BROKEN);
        assert_eq!(read(image(&[&thumbnail])), BROKEN);
    }

    #[test]
    fn padding_before_marker_is_skipped() {
        let padded = image(&[b"\xFF", &frame(SOF0, 1, 1), b"\0\xFF\0", &scan()]);
        assert_eq!(read(padded), Ok(Format::Jpeg));
    }

    #[test]
    fn broken_segment_is_rejected() {
        let (frame, scan) = (frame(SOF0, 1, 1), scan());
        let no_length = image(&[b"\xFF\xE1\0\x01", &frame, &scan]);
        assert_eq!(read(no_length), BROKEN);
        let long = image(&[&frame, &scan, b"\xFF\xE1\x7F\xFF"]);
        assert_eq!(read(long), BROKEN);
        let no_sides = image(&[&segment(SOF0, &[8, 0, 1, 0]), &frame, &scan]);
        assert_eq!(read(no_sides), BROKEN);
        let second_start = image(&[&frame, &segment(SOI, &[]), &scan]);
        assert_eq!(read(second_start), BROKEN);
    }
}
