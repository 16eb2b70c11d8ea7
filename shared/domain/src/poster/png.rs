//! Chunks of PNG images and their checksums (W3C PNG specification, third edition).

use bytes::{Buf, Bytes};
use img_parts::png::PngChunk;

use super::{Rejection, check_sides};

/// Checks the chunks from IHDR, which must be first, to IEND, with image data between them.
pub(super) fn check(bytes: &Bytes) -> Result<(), Rejection> {
    let mut rest = bytes.clone();
    rest.try_get_u64()?; // signature

    let header = next_chunk(&mut rest)?;
    if header.kind() != *b"IHDR" || header.contents().len() != 13 {
        return Err(Rejection::Corrupt);
    }
    let mut sides = header.contents().as_ref();
    check_sides(sides.try_get_u32()?, sides.try_get_u32()?)?;
    // Each colour type has its bit depths; compression and filter have one method each.
    let [depth, colour, compression, filter, interlace] = header.contents()[8..] else {
        return Err(Rejection::Corrupt);
    };
    let depths: &[u8] = match colour {
        0 => &[1, 2, 4, 8, 16],
        3 => &[1, 2, 4, 8],
        2 | 4 | 6 => &[8, 16],
        _ => &[],
    };
    if !depths.contains(&depth) || (compression, filter) != (0, 0) || interlace > 1 {
        return Err(Rejection::Corrupt);
    }

    let mut has_data = false;
    loop {
        let chunk = next_chunk(&mut rest)?;
        match &chunk.kind() {
            b"IDAT" => has_data |= !chunk.contents().is_empty(),
            b"IEND" if has_data => return Ok(()),
            b"IEND" => return Err(Rejection::Corrupt),
            _ => {}
        }
    }
}

fn next_chunk(rest: &mut Bytes) -> Result<PngChunk, Rejection> {
    PngChunk::from_bytes(rest).map_err(|_| Rejection::Corrupt)
}

#[cfg(test)]
mod tests {
    use super::super::{
        Format,
        tests::{check_side_limits, check_zero_sides, read},
    };
    use super::*;

    const BROKEN: Result<Format, Rejection> = Err(Rejection::Corrupt);

    fn chunk(kind: [u8; 4], contents: &[u8]) -> Bytes {
        let chunk = PngChunk::new(kind, Bytes::copy_from_slice(contents));
        chunk.encoder().bytes()
    }

    fn header(width: u32, height: u32) -> Bytes {
        header_of(width, height, [8, 0, 0, 0, 0])
    }

    /// Builds a header with these fields: bit depth, colour type, compression, filter and interlacing.
    fn header_of(width: u32, height: u32, fields: [u8; 5]) -> Bytes {
        let [width, height] = [width, height].map(u32::to_be_bytes);
        chunk(*b"IHDR", &[&width[..], &height, &fields].concat())
    }

    fn image(chunks: &[&[u8]]) -> Vec<u8> {
        [b"\x89PNG\r\n\x1A\n", &chunks.concat()[..]].concat()
    }

    #[test]
    fn sides_are_limited() {
        let (data, end) = (chunk(*b"IDAT", &[0; 9]), chunk(*b"IEND", &[]));
        let sized = |width, height| image(&[&header(width, height), &data, &end]);
        check_side_limits(Format::Png, |w, h| sized(w.into(), h.into()));
        check_zero_sides(|w, h| sized(w.into(), h.into()));
        assert_eq!(read(sized(1, u32::MAX)), Err(Rejection::SideTooLong));
    }

    #[test]
    fn bit_depth_must_match_colour_type() {
        let (data, end) = (chunk(*b"IDAT", &[0; 9]), chunk(*b"IEND", &[]));
        let read_of = |fields| read(image(&[&header_of(1, 1, fields), &data, &end]));
        // PNG specification, third edition, table 11.1.
        let valid: [(u8, &[u8]); 5] =
            [(0, &[1, 2, 4, 8, 16]), (2, &[8, 16]), (3, &[1, 2, 4, 8]), (4, &[8, 16]), (6, &[8, 16])];
        for colour in 0..=8 {
            let depths = valid.iter().find(|valid| valid.0 == colour).map_or(&[][..], |valid| valid.1);
            for depth in 0..=32 {
                let expected = if depths.contains(&depth) { Ok(Format::Png) } else { BROKEN };
                assert_eq!(read_of([depth, colour, 0, 0, 0]), expected, "{depth} {colour}");
            }
        }
        assert_eq!(read_of([8, 0, 0, 0, 1]), Ok(Format::Png), "interlaced");
        for wrong in [[8, 0, 1, 0, 0], [8, 0, 0, 1, 0], [8, 0, 0, 0, 2]] {
            assert_eq!(read_of(wrong), BROKEN, "{wrong:?}");
        }
    }

    #[test]
    fn chunks_are_required_in_order() {
        let (header, text) = (header(1, 1), chunk(*b"tEXt", b"Title\0Concert"));
        let (data, end) = (chunk(*b"IDAT", &[0; 9]), chunk(*b"IEND", &[]));
        let no_data = chunk(*b"IDAT", &[]);
        let short = chunk(*b"IHDR", &[1; 12]);

        let whole = image(&[&header, &text, &data, &data, &text, &no_data, &end]);
        assert_eq!(read(whole), Ok(Format::Png));
        for chunks in [
            &[&text[..], &header, &data, &end][..],
            &[&short, &data, &end],
            &[&header, &end],
            &[&header, &end, &data, &end],
            &[&header, &no_data, &end],
            &[&header, &data],
        ] {
            assert_eq!(read(image(chunks)), BROKEN);
        }
    }

    #[test]
    fn every_byte_is_checked() {
        let (header, text) = (header(1, 1), chunk(*b"tEXt", b"a\0b"));
        let (data, end) = (chunk(*b"IDAT", &[0; 9]), chunk(*b"IEND", &[]));
        let mut png = image(&[&header, &text, &data, &end]);
        for at in 0..png.len() {
            png[at] ^= 1;
            assert!(read(png.clone()).is_err(), "byte {at}");
            png[at] ^= 1;
        }
    }
}
