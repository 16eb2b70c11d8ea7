//! RIFF chunks of WebP images (RFC 9649).

use bytes::Buf;

use super::{Rejection, check_sides};

/// Length of the header of an animation frame, in bytes.
const FRAME_HEADER: usize = 16;

/// Checks the chunks, including those in animation frames, up to the end that the RIFF header states.
///
/// They must contain image data; the first must be one with which an image may start.
pub(super) fn check(mut rest: &[u8]) -> Result<(), Rejection> {
    rest.try_get_u32()?; // "RIFF"
    let size = rest.try_get_u32_le()?;
    let mut chunks = rest.split_off(..size as usize).ok_or(Rejection::Corrupt)?;
    chunks.try_get_u32()?; // "WEBP"

    if !matches!(chunks.get(..4), Some(b"VP8 " | b"VP8L" | b"VP8X")) {
        return Err(Rejection::Corrupt);
    }
    let mut has_image = false;
    while !chunks.is_empty() {
        let (kind, contents) = next_chunk(&mut chunks)?;
        has_image |= is_image(kind, contents)?;
        if kind == *b"ANMF" {
            let mut inner = contents.get(FRAME_HEADER..).ok_or(Rejection::Corrupt)?;
            while !inner.is_empty() {
                let (kind, contents) = next_chunk(&mut inner)?;
                has_image |= is_image(kind, contents)?;
            }
        }
    }
    has_image.then_some(()).ok_or(Rejection::Corrupt)
}

/// Reads one chunk.
///
/// The padding byte of an odd last chunk may be missing, since decoders do not need it.
fn next_chunk<'a>(rest: &mut &'a [u8]) -> Result<([u8; 4], &'a [u8]), Rejection> {
    let mut kind = [0; 4];
    rest.try_copy_to_slice(&mut kind)?;
    let size = rest.try_get_u32_le()?;
    let contents = rest.split_off(..size as usize).ok_or(Rejection::Corrupt)?;
    *rest = rest.get(contents.len() % 2..).unwrap_or_default();
    Ok((kind, contents))
}

/// Returns true if a chunk contains image data; checks its sides.
fn is_image(kind: [u8; 4], contents: &[u8]) -> Result<bool, Rejection> {
    match (&kind, contents) {
        (b"VP8X", &[_, _, _, _, w0, w1, w2, h0, h1, h2, ..]) => {
            let width = 1 + u32::from_le_bytes([w0, w1, w2, 0]);
            let height = 1 + u32::from_le_bytes([h0, h1, h2, 0]);
            check_sides(width, height)?;
            Ok(false)
        }
        (b"VP8 ", &[_, _, _, 0x9D, 0x01, 0x2A, w0, w1, h0, h1, ..]) => {
            // A side has fourteen bits; the two above them are a scale.
            let width = u16::from_le_bytes([w0, w1]) & 0x3FFF;
            let height = u16::from_le_bytes([h0, h1]) & 0x3FFF;
            check_sides(width, height)?;
            Ok(true)
        }
        (b"VP8L", &[0x2F, b0, b1, b2, b3, ..]) => {
            let sides = u32::from_le_bytes([b0, b1, b2, b3]);
            check_sides(1 + (sides & 0x3FFF), 1 + (sides >> 14 & 0x3FFF))?;
            Ok(true)
        }
        (b"VP8X" | b"VP8 " | b"VP8L", _) => Err(Rejection::Corrupt),
        _ => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Format,
        tests::{check_side_limits, check_zero_sides, read},
    };
    use super::*;

    const BROKEN: Result<Format, Rejection> = Err(Rejection::Corrupt);

    fn chunk(kind: &[u8], contents: &[u8]) -> Vec<u8> {
        let size = u32::try_from(contents.len()).expect("the chunk is short");
        let pad = &[0][..contents.len() % 2];
        [kind, &size.to_le_bytes(), contents, pad].concat()
    }

    fn image(chunks: &[&[u8]]) -> Vec<u8> {
        chunk(b"RIFF", &[b"WEBP", &chunks.concat()[..]].concat())
    }

    fn frame(chunks: &[&[u8]]) -> Vec<u8> {
        chunk(b"ANMF", &[&[0; FRAME_HEADER], &chunks.concat()[..]].concat())
    }

    fn canvas(width: u16, height: u16) -> Vec<u8> {
        let [[w0, w1], [h0, h1]] = [width - 1, height - 1].map(u16::to_le_bytes);
        chunk(b"VP8X", &[0, 0, 0, 0, w0, w1, 0, h0, h1, 0])
    }

    /// Builds a lossy image to be scaled, which the top two bits of a side request.
    fn lossy(width: u16, height: u16) -> Vec<u8> {
        let [[w0, w1], [h0, h1]] = [width, height].map(|side| (side | 0x4000).to_le_bytes());
        chunk(b"VP8 ", &[0, 0, 0, 0x9D, 0x01, 0x2A, w0, w1, h0, h1])
    }

    fn lossless(width: u16, height: u16) -> Vec<u8> {
        let sides = u32::from(height - 1) << 14 | u32::from(width - 1);
        chunk(b"VP8L", &[&[0x2F], &sides.to_le_bytes()[..]].concat())
    }

    #[test]
    fn sides_are_limited() {
        let small = lossy(1, 1);
        check_side_limits(Format::WebP, |w, h| image(&[&lossy(w, h)]));
        check_side_limits(Format::WebP, |w, h| image(&[&lossless(w, h)]));
        check_side_limits(Format::WebP, |w, h| image(&[&canvas(w, h), &small]));
        check_side_limits(Format::WebP, |w, h| image(&[&canvas(1, 1), &frame(&[&small]), &frame(&[&lossy(w, h)])]));
        check_zero_sides(|w, h| image(&[&lossy(w, h)]));

        let wide = chunk(b"VP8X", &[0, 0, 0, 0, 0, 0, 1, 0, 0, 0]);
        assert_eq!(read(image(&[&wide, &small])), Err(Rejection::SideTooLong));
    }

    #[test]
    fn image_data_is_required() {
        let (canvas, small) = (canvas(1, 1), lossy(1, 1));
        let alpha = chunk(b"ALPH", &[0; 5]);
        for whole in [&[&alpha[..], &small][..], &[&frame(&[&alpha, &small])]] {
            let webp = image(&[&canvas, &whole.concat()]);
            assert_eq!(read(webp), Ok(Format::WebP));
        }
        for no_data in [&[][..], &alpha, &frame(&[]), &frame(&[&alpha])] {
            assert_eq!(read(image(&[&canvas, no_data])), BROKEN);
        }
    }

    #[test]
    fn first_chunk_must_be_vp8() {
        let small = lossy(1, 1);
        for other in [b"VP6X", b"VP80", b"VP8l"] {
            assert_eq!(read(image(&[&chunk(other, &[0; 10]), &small])), BROKEN);
            assert_eq!(read(image(&[&small, &chunk(other, &[0; 10])])), Ok(Format::WebP));
        }
    }

    #[test]
    fn riff_size_is_checked() {
        let whole = image(&[&lossy(1, 1), &chunk(b"EXIF", b"odd")]);
        let read_sized = |content: usize| {
            let size = u32::try_from(content).expect("the image is short");
            read([&whole[..4], &size.to_le_bytes(), &whole[8..]].concat())
        };
        let content = whole.len() - 8;
        assert_eq!(read_sized(content), Ok(Format::WebP));
        assert_eq!(read_sized(content - 1), Ok(Format::WebP), "without last padding byte");
        for wrong in [0, 3, 4, content - 2, content + 1] {
            assert_eq!(read_sized(wrong), BROKEN, "{wrong}");
        }
    }

    #[test]
    fn broken_frame_is_rejected() {
        let (canvas, small) = (canvas(1, 1), lossy(1, 1));
        let no_header = chunk(b"ANMF", &[0; FRAME_HEADER - 1]);
        assert_eq!(read(image(&[&canvas, &no_header, &small])), BROKEN);
        let cut = frame(&[&small, &small[..small.len() - 1]]);
        assert_eq!(read(image(&[&canvas, &cut])), BROKEN);
    }

    #[test]
    fn broken_image_data_is_rejected() {
        for (kind, contents) in [
            (b"VP8 ", &[0, 0, 0, 0x9D, 0x01, 0x2B, 1, 0, 1, 0][..]),
            (b"VP8 ", &[0, 0, 0, 0x9D, 0x01, 0x2A, 1, 0, 1]),
            (b"VP8L", &[0x2E, 0, 0, 0, 0]),
            (b"VP8L", &[0x2F, 0, 0, 0]),
            (b"VP8X", &[0; 9]),
        ] {
            let webp = image(&[&chunk(kind, contents), &lossy(1, 1)]);
            assert_eq!(read(webp), BROKEN, "{contents:?}");
        }
    }
}
