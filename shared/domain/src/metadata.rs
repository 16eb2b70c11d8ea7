//! Removal of what tells where, when, by whom or with what an image was made.
//!
//! An image consists of blocks. A block stays if browsers draw with it, or if it describes colours; pixels are not
//! decoded. All other blocks go, because programs write into them what they like: cameras also write positions into
//! blocks of their own. From EXIF, only the orientation stays. Data after the end of the image goes, too: telephones
//! append videos and further pictures, with positions. Zeros there only fill the file, and stay.

use std::ops::Range;

use bytes::Bytes;

use crate::image::{jpeg_segment, read_gif};

/// Removes metadata from a JPEG image (ITU-T T.81).
///
/// Images after the end go, and with them the gain map, which brightens the main image on some screens.
///
/// Returns `None` if the image is damaged or truncated.
#[must_use]
pub fn clean_jpeg(image: &Bytes) -> Option<Bytes> {
    const START: u8 = 0xD8;
    const END: u8 = 0xD9;
    const SCAN: u8 = 0xDA;
    let mut edit = Edit::new(image);
    let mut has_exif = false;
    let mut has_scan = false;
    let mut at = 2;
    loop {
        let segment = jpeg_segment(image, at)?;
        if !has_scan {
            // Browsers skip bytes between segments, as the end of a comment with a wrong length.
            edit.remove(at..segment.range.start);
        }
        at = segment.range.end;
        match (segment.marker, segment.content) {
            (START, _) => return None,
            (END, _) => return has_scan.then(|| edit.finish(at)),
            (0xE1, exif) if exif.starts_with(b"Exif\0") && !has_exif => {
                has_exif = true;
                let exif = orientation_of(exif).map(|exif| [&b"\xFF\xE1\0\x22Exif\0\0"[..], &exif].concat());
                edit.replace(segment.range, &exif.unwrap_or_default());
            }
            (0xE0, content) if content.starts_with(b"JFIF\0") || content.starts_with(b"JFXX\0") => {}
            (0xE2, content) if content.starts_with(b"ICC_PROFILE\0") => {}
            // It tells how pixels are to be read as colours.
            (0xEE, content) if content.starts_with(b"Adobe") => {}
            // Data of applications, and comments.
            (0xE0..=0xEF | 0xFE, _) => edit.remove(segment.range),
            (marker, _) => has_scan |= marker == SCAN,
        }
    }
}

/// Chunks that the PNG standard (third edition) calls ancillary, without `eXIf`, `tIME` and those of text.
const PNG_CHUNKS: [&[u8; 4]; 16] = [
    b"acTL", b"bKGD", b"cHRM", b"cICP", b"cLLI", b"fcTL", b"fdAT", b"gAMA", b"hIST", b"iCCP", b"mDCV", b"pHYs",
    b"sBIT", b"sPLT", b"sRGB", b"tRNS",
];

/// Removes metadata from a PNG image, animated or not.
///
/// Returns `None` if the image is truncated, or if another chunk stands before the one with the size: without it, a
/// browser would show the image, and its size was not checked.
#[must_use]
pub fn clean_png(image: &Bytes) -> Option<Bytes> {
    let mut edit = Edit::new(image);
    let mut has_exif = false;
    let mut at = 8;
    loop {
        let (header, rest) = image.get(at..)?.split_first_chunk::<8>()?;
        let length = u32::from_be_bytes([header[0], header[1], header[2], header[3]]) as usize;
        let content = rest.get(..length)?;
        let range = at..at + header.len() + length + 4;
        at = range.end;
        match &header[4..] {
            _ if at > image.len() => return None,
            _ if range.start == 8 && header != b"\0\0\0\x0DIHDR" => return None,
            b"IEND" => return Some(edit.finish(at)),
            b"eXIf" if !has_exif => {
                has_exif = true;
                let chunk = orientation_of(content).map(|exif| {
                    let chunk = [&b"eXIf"[..], &exif].concat();
                    [&26_u32.to_be_bytes()[..], &chunk, &crc32fast::hash(&chunk).to_be_bytes()].concat()
                });
                edit.replace(range, &chunk.unwrap_or_default());
            }
            // A decoder needs those whose first letter is upper case.
            kind if kind[0].is_ascii_uppercase() || PNG_CHUNKS.iter().any(|known| *known == kind) => {}
            _ => edit.remove(range),
        }
    }
}

/// Removes metadata from a GIF image: comments, and data of applications but for repetitions and the colour profile.
///
/// Returns `None` if the image is damaged or truncated, or if something else than zeros follows it.
#[must_use]
pub fn clean_gif(image: &Bytes) -> Option<Bytes> {
    const APPLICATIONS: [&[u8]; 3] = [b"NETSCAPE2.0", b"ANIMEXTS1.0", b"ICCRGBG1012"];
    let mut edit = Edit::new(image);
    let end = read_gif(image, |range| match &image[range.clone()] {
        // Control of the next frame; text as a frame.
        [b'!', 0xF9 | 0x01, ..] => {}
        [b'!', 0xFF, _length, application @ ..] if APPLICATIONS.iter().any(|kept| application.starts_with(kept)) => {}
        [b'!', ..] => edit.remove(range),
        _ => {}
    })?;
    is_zero(&image[end..]).then(|| edit.finish(end))
}

/// Removes metadata from a WebP image (RFC 9649).
///
/// Returns `None` if the image is truncated, or if another chunk stands before the one with the size, as for PNG.
#[must_use]
pub fn clean_webp(image: &Bytes) -> Option<Bytes> {
    const HAS_EXIF: u8 = 0x08;
    const HAS_XMP: u8 = 0x04;
    /// Place of the flags, if the first chunk has them.
    const FLAGS: usize = 20;
    let length = |at: usize| Some(u32::from_le_bytes(*image.get(at..)?.first_chunk()?) as usize);
    let end = 8 + length(4)?;
    if end > image.len() {
        return None;
    }
    let mut edit = Edit::new(image);
    let mut exif = None;
    let mut at = 12;
    while at + 8 <= end {
        let content = at + 8..at + 8 + length(at + 4)?;
        if content.end > end {
            return None;
        }
        // A chunk of odd length has another byte.
        let range = at..(content.end + content.len() % 2).min(end);
        at = range.end;
        match &image[range.start..range.start + 4] {
            b"VP8X" | b"VP8 " if content.len() >= 10 => {}
            b"VP8L" if content.len() >= 5 => {}
            _ if range.start == 12 => return None,
            b"ALPH" | b"ANIM" | b"ANMF" | b"ICCP" => {}
            b"EXIF" if exif.is_none() => {
                let kept = orientation_of(&image[content]);
                let chunk = kept.map(|exif| [&b"EXIF\x1A\0\0\0"[..], &exif].concat());
                edit.replace(range, &chunk.unwrap_or_default());
                exif = Some(kept);
            }
            _ => edit.remove(range),
        }
    }
    if at == 12 {
        return None;
    }
    edit.remove(at..end);
    let has_flags = image[12..].starts_with(b"VP8X");
    edit.correct(end, |image| {
        let size = u32::try_from(image.len() - 8).unwrap_or_default();
        image[4..8].copy_from_slice(&size.to_le_bytes());
        if has_flags {
            image[FLAGS] &= !(HAS_EXIF | HAS_XMP);
            image[FLAGS] |= if exif.flatten().is_some() { HAS_EXIF } else { 0 };
        }
    });
    Some(edit.finish(end))
}

/// Returns EXIF with nothing but the orientation of this EXIF; `None` if the image is upright.
///
/// Browsers read it in the first directory of the TIFF structure (TIFF 6.0), as one short number.
fn orientation_of(exif: &[u8]) -> Option<[u8; 26]> {
    const ORIENTATION: u16 = 0x112;
    const SHORT: u16 = 3;
    let tiff = if exif.starts_with(b"Exif\0") { exif.get(6..)? } else { exif };
    let is_big_endian = match tiff.get(..4)? {
        b"MM\0*" => true,
        b"II*\0" => false,
        _ => return None,
    };
    let short = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) })
    };
    let long = |at: usize| {
        let bytes = *tiff.get(at..)?.first_chunk()?;
        Some(if is_big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) })
    };
    let directory = long(4)? as usize;
    let mut entries = (0..usize::from(short(directory)?)).map(|index| directory + 2 + 12 * index);
    let entry = entries.find(|at| short(*at) == Some(ORIENTATION))?;
    if short(entry + 2)? != SHORT || long(entry + 4)? != 1 {
        return None;
    }
    let orientation = u8::try_from(short(entry + 8)?).ok().filter(|orientation| (2..=8).contains(orientation))?;
    let mut only = *b"MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\0\0\0\0\0\0\0";
    only[19] = orientation;
    Some(only)
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Copy of an image with other blocks; copies nothing until the first change.
struct Edit<'a> {
    image: &'a Bytes,
    /// End of the part of the image that was copied or left out.
    done: usize,
    output: Vec<u8>,
}

impl<'a> Edit<'a> {
    fn new(image: &'a Bytes) -> Self {
        Self { image, done: 0, output: Vec::new() }
    }

    fn remove(&mut self, range: Range<usize>) {
        self.replace(range, b"");
    }

    /// Replaces a part of the image behind all earlier ones.
    fn replace(&mut self, range: Range<usize>, other: &[u8]) {
        if self.image[range.clone()] == *other {
            return;
        }
        if self.done == 0 {
            self.output.reserve_exact(self.image.len());
        }
        self.output.extend_from_slice(&self.image[self.done..range.start]);
        self.output.extend_from_slice(other);
        self.done = range.end;
    }

    /// Corrects the copy up to this end of the image, if there is one.
    fn correct(&mut self, end: usize, correction: impl FnOnce(&mut [u8])) {
        if self.done > 0 {
            self.output.extend_from_slice(&self.image[self.done..end]);
            self.done = end;
            correction(&mut self.output);
        }
    }

    /// Returns the image, without what follows this end, unless that is zeros.
    fn finish(mut self, end: usize) -> Bytes {
        let end = if is_zero(&self.image[end..]) { self.image.len() } else { end };
        if self.done == 0 {
            return self.image.slice(..end);
        }
        self.output.extend_from_slice(&self.image[self.done..end]);
        self.output.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EXIF that a camera writes: its name, the orientation, and a position.
    fn exif(orientation: u8, is_big_endian: bool) -> Vec<u8> {
        let number = |value: u32, size: usize| {
            if is_big_endian { value.to_be_bytes()[4 - size..].to_vec() } else { value.to_le_bytes()[..size].to_vec() }
        };
        let entry = |tag: u32, kind: u32, count: u32, value: &[u8]| {
            [number(tag, 2), number(kind, 2), number(count, 4), [value, &[0; 4]].concat()[..4].to_vec()].concat()
        };
        let header = if is_big_endian { b"MM\0*" } else { b"II*\0" };
        let directory = [
            number(3, 2),
            entry(0x10F, 2, 4, b"Cam"),
            entry(0x112, 3, 1, &number(orientation.into(), 2)),
            entry(0x8825, 4, 1, &number(50, 4)),
            number(0, 4),
        ];
        [header, &number(8, 4)[..], &directory.concat(), b"37.5 N 126.9 E"].concat()
    }

    /// EXIF with nothing but an orientation (TIFF 6.0): header, one entry, no further directory.
    fn only(orientation: u8) -> Vec<u8> {
        let entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
        [b"MM\0*\0\0\0\x08\0\x01", &entry[..], b"\0\0\0\0"].concat()
    }

    /// Asserts that an image becomes the other one, which then stays the same without a copy.
    fn assert_cleaned(clean: fn(&Bytes) -> Option<Bytes>, image: Vec<u8>, expected: &[u8]) {
        let cleaned = clean(&image.into()).expect("a readable image");
        assert_eq!(cleaned, expected);
        let again = clean(&cleaned).expect("a readable image");
        assert_eq!((again.as_ptr(), again.len()), (cleaned.as_ptr(), cleaned.len()));
    }

    fn segment(marker: u8, content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap();
        [&[0xFF, marker], &length.to_be_bytes()[..], content].concat()
    }

    fn with_prefix(exif: Vec<u8>) -> Vec<u8> {
        [b"Exif\0\0".to_vec(), exif].concat()
    }

    /// Builds a JPEG image of two scans, with these segments before them and between them.
    fn jpeg(before: &[Vec<u8>], between: &[Vec<u8>]) -> Vec<u8> {
        let scan = |pixels: &[u8]| [&segment(0xDA, b"\x01\x01\0\0\x3F\0"), pixels].concat();
        let frame = segment(0xC2, b"\x08\0\x02\0\x02\x01\x01\x11\0");
        let scans = [scan(b"\x12\xFF\0\xFF\xD0\x34"), between.concat(), scan(b"\x56")];
        [&b"\xFF\xD8"[..], &before.concat(), &frame, &scans.concat(), b"\xFF\xD9"].concat()
    }

    #[test]
    fn jpeg_keeps_colours_and_orientation() {
        let start = segment(0xE0, b"JFIF\0\x01\x01\0\0\x01\0\x01\0\0");
        let [profile, adobe] =
            [segment(0xE2, b"ICC_PROFILE\0\x01\x01 sRGB"), segment(0xEE, b"Adobe\0\x64\0\0\0\0\x01")];
        let comment = segment(0xFE, b"by Kim");
        for is_big_endian in [false, true] {
            for orientation in 0..=9 {
                let exif = segment(0xE1, &with_prefix(exif(orientation, is_big_endian)));
                let other_exif = segment(0xE1, &with_prefix(self::exif(3, true)));
                let image = [
                    vec![start.clone(), exif, segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta/>"), other_exif],
                    vec![segment(0xE1, b"http://ns.adobe.com/xmp/extension/\0"), profile.clone()],
                    vec![segment(0xED, b"Photoshop 3.0\08BIM"), segment(0xE5, b"RMETA\0"), segment(0xEB, b"JP\0\x01")],
                    vec![segment(0xE2, b"MPF\0"), b"too long\xFF\xFF".to_vec(), comment.clone(), adobe.clone()],
                ];
                let image = jpeg(&image.concat(), std::slice::from_ref(&comment));
                let kept = segment(0xE1, &with_prefix(only(orientation)));
                let kept = if (2..=8).contains(&orientation) { kept } else { vec![] };
                let expected = jpeg(&[start.clone(), kept, profile.clone(), adobe.clone()], &[]);
                let motion_photo = [&image[..], b"ftypmp42", &image].concat();
                assert_cleaned(clean_jpeg, image, &expected);
                assert_cleaned(clean_jpeg, motion_photo, &expected);
            }
        }
    }

    fn chunk(kind: &[u8], content: &[u8]) -> Vec<u8> {
        let content = [kind, content].concat();
        let length = u32::try_from(content.len() - 4).unwrap();
        [&length.to_be_bytes()[..], &content, &crc32fast::hash(&content).to_be_bytes()].concat()
    }

    fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
        [b"\x89PNG\r\n\x1A\n", &chunks.concat()[..], &chunk(b"IEND", b"")].concat()
    }

    #[test]
    fn png_keeps_colours_animation_and_orientation() {
        let size = chunk(b"IHDR", b"\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0");
        let kept = [b"iCCP", b"cICP", b"gAMA", b"tRNS", b"pHYs", b"acTL", b"fcTL", b"fdAT"];
        let kept = kept.map(|kind| chunk(kind, b"abc")).concat();
        let pixels = [chunk(b"PLTE", b"abc"), chunk(b"IDAT", b"pixels")].concat();
        let metadata =
            [b"tEXt", b"zTXt", b"iTXt", b"tIME", b"caBX", b"iDOT"].map(|kind| chunk(kind, b"by Kim")).concat();
        for (orientation, exif_kept) in [(1, vec![]), (6, chunk(b"eXIf", &only(6)))] {
            let [exif, other_exif] = [orientation, 3].map(|orientation| chunk(b"eXIf", &exif(orientation, false)));
            let image = [&size, &metadata, &kept, &exif, &pixels, &other_exif, &metadata].map(Clone::clone);
            let old_pixels = [&png(&image)[..], b"IDAT pixels that were cut away"].concat();
            let expected = png(&[size.clone(), kept.clone(), exif_kept, pixels.clone()]);
            assert_cleaned(clean_png, png(&image), &expected);
            assert_cleaned(clean_png, old_pixels, &expected);
        }
    }

    #[test]
    fn gif_keeps_colours_and_animation() {
        let frame = b",\0\0\0\0\x01\0\x01\0\0\x02\x01\0\0".to_vec();
        let application = |name: &[u8; 11]| [b"!\xFF\x0B", &name[..], b"\x03\x01\0\0\0"].concat();
        let [repetitions, profile] = [b"NETSCAPE2.0", b"ICCRGBG1012"].map(application);
        let text = [b"!\x01\x0C", &[1; 12][..], b"\x02Hi\0"].concat();
        let control = b"!\xF9\x04\0\x0A\0\0\0".to_vec();
        let metadata =
            [b"!\xFE\x06by Kim\0".to_vec(), application(b"XMP DataXMP"), application(b"MGK8BIM0000")].concat();
        let gif = |blocks: &[&Vec<u8>]| {
            [
                b"GIF89a\x01\0\x01\0\x80\0\0black+",
                &blocks.iter().copied().flatten().copied().collect::<Vec<_>>()[..],
                b";",
            ]
            .concat()
        };
        let image =
            gif(&[&metadata, &repetitions, &profile, &control, &metadata, &frame, &control, &text, &frame, &metadata]);
        let expected = gif(&[&repetitions, &profile, &control, &frame, &control, &text, &frame]);
        assert_cleaned(clean_gif, image, &expected);
    }

    fn riff(kind: &[u8], content: &[u8]) -> Vec<u8> {
        let padding = &[0][..content.len() % 2];
        [kind, &u32::try_from(content.len()).unwrap().to_le_bytes()[..], content, padding].concat()
    }

    fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
        riff(b"RIFF", &[b"WEBP".to_vec(), chunks.concat()].concat())
    }

    #[test]
    fn webp_keeps_colours_animation_and_orientation() {
        /// Flags of an animated image with a colour profile.
        const FLAGS: u8 = 0x22;
        let size = |flags: u8| riff(b"VP8X", &[&[flags], &[0; 9][..]].concat());
        let kept =
            [b"ICCP", b"ANIM", b"ANMF", b"ALPH", b"VP8 ", b"VP8L"].map(|kind| riff(kind, b"odd length!")).concat();
        let metadata = [riff(b"XMP ", b"<x:xmpmeta/>"), riff(b"C2PA", b"odd")].concat();
        for (orientation, flag, exif_kept) in [(1, 0, vec![]), (6, 0x08, riff(b"EXIF", &only(6)))] {
            for prefix in [&b""[..], b"Exif\0\0"] {
                let exif = riff(b"EXIF", &[prefix, &exif(orientation, false)].concat());
                let image =
                    webp(&[size(FLAGS | 0x0C), metadata.clone(), kept.clone(), exif.clone(), exif, metadata.clone()]);
                let expected = webp(&[size(FLAGS | flag), kept.clone(), exif_kept.clone()]);
                assert_cleaned(clean_webp, [&image[..], b"after the end"].concat(), &expected);
                assert_cleaned(clean_webp, image, &expected);
            }
        }
        // Without flags.
        let simple = riff(b"VP8L", b"lossless");
        assert_cleaned(clean_webp, webp(&[simple.clone(), metadata]), &webp(&[simple]));
    }

    /// A browser does not show these images, but would after another chunk is removed.
    #[test]
    fn size_comes_first() {
        let small = b"\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0";
        let image = png(&[chunk(b"tEXt", small), chunk(b"IHDR", &[0xFF; 13])]);
        assert_eq!(clean_png(&image.into()), None);
        assert_eq!(clean_png(&png(&[chunk(b"IHDR", b""), chunk(b"tEXt", small)]).into()), None);
        for chunks in [vec![riff(b"XMP ", &[0; 20]), riff(b"VP8 ", &[0xFF; 20])], vec![riff(b"VP8 ", b"")], vec![]] {
            assert_eq!(clean_webp(&webp(&chunks).into()), None);
        }
    }

    #[test]
    fn zeros_after_end_stay() {
        for (clean, image) in [
            (clean_jpeg as fn(&Bytes) -> Option<Bytes>, jpeg(&[], &[])),
            (clean_png, png(&[chunk(b"IHDR", &[1; 13])])),
            (clean_gif, b"GIF87a\x01\0\x01\0\0\0\0;".to_vec()),
            (clean_webp, webp(&[riff(b"VP8 ", &[0; 10])])),
        ] {
            let filled = [&image[..], &[0; 1_000]].concat();
            assert_cleaned(clean, filled.clone(), &filled);
        }
    }

    #[test]
    fn damaged_exif_has_no_orientation() {
        let whole = exif(6, true);
        // The orientation ends here.
        let needed = 8 + 2 + 12 + 10;
        for end in 0..whole.len() {
            assert_eq!(orientation_of(&whole[..end]).is_some(), end >= needed, "{end} bytes");
        }
        let changed = |at: usize, byte: u8| [&whole[..at], &[byte], &whole[at + 1..]].concat();
        // Another byte order, directory, tag, type and count.
        for (at, byte) in [(0, b'N'), (3, b'+'), (4, 0xFF), (7, 200), (23, 0x13), (25, 4), (29, 2)] {
            assert_eq!(orientation_of(&changed(at, byte)), None, "{at}");
        }
    }
}
