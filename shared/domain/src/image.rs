//! Blocks of raster images, and sizes that their first header does not tell. Pixels are not decoded.

use std::ops::Range;

use memchr::{memchr, memmem};

/// Names that a JPEG file with a gain map contains: that of Adobe's format in XMP, and that of ISO 21496-1.
const GAIN_MAPS: [&[u8]; 2] = [b"http://ns.adobe.com/hdr-gain-map/", b"urn:iso:std:iso:ts:21496:-1"];

/// Maximum number of images in a JPEG file, which can have a thumbnail, previews and a gain map.
const MAX_JPEG_IMAGES: usize = 16;

/// Returns true if all frames of a GIF image lie within its screen, and the image is complete.
#[must_use]
pub fn is_consistent_gif(bytes: &[u8]) -> bool {
    read_gif(bytes, |_| ()).is_some()
}

/// Reads the extensions and frames of a GIF image, passes the place of each to a function, and returns the end of the
/// image.
///
/// Returns `None` if one is incomplete, unknown or a frame beyond the screen: a browser enlarges the screen for a
/// larger frame, so the size of the screen alone says nothing about its memory. The blocks are read as all browsers
/// read them; one that they could read differently is rejected.
#[must_use]
pub fn read_gif(bytes: &[u8], mut read: impl FnMut(Range<usize>)) -> Option<usize> {
    let (header, mut rest) = bytes.split_first_chunk::<13>()?;
    let screen = [pair(&header[6..]), pair(&header[8..])];
    rest = after_palette(header[10], rest)?;
    loop {
        let start = bytes.len() - rest.len();
        let (kind, block) = rest.split_first()?;
        rest = match kind {
            b'!' => {
                let (label, blocks) = block.split_first()?;
                // Some decoders read the first block of these extensions with at least the length of the standard.
                let least = match label {
                    0xF9 => 4,
                    0x01 => 12,
                    0xFF => 11,
                    _ => 0,
                };
                if *blocks.first()? < least {
                    return None;
                }
                after_blocks(blocks)?
            }
            b',' => {
                let (frame, data) = block.split_first_chunk::<9>()?;
                let [left, top, width, height] = [0, 2, 4, 6].map(|at| pair(&frame[at..]));
                if left + width > screen[0] || top + height > screen[1] {
                    return None;
                }
                let (_code_size, blocks) = after_palette(frame[8], data)?.split_first()?;
                after_blocks(blocks)?
            }
            b';' => return Some(start + 1),
            _ => return None,
        };
        read(start..bytes.len() - rest.len());
    }
}

/// Returns the number in the first two bytes, the lower one first.
fn pair(bytes: &[u8]) -> u32 {
    u32::from(bytes[0]) | u32::from(bytes[1]) << 8
}

/// Skips the palette that the flags of a screen or a frame announce.
fn after_palette(flags: u8, bytes: &[u8]) -> Option<&[u8]> {
    let colours = if flags & 0x80 == 0 { 0 } else { 2 << (flags & 7) };
    bytes.get(3 * colours..)
}

/// Skips blocks of data up to the empty one, which ends them.
fn after_blocks(mut bytes: &[u8]) -> Option<&[u8]> {
    loop {
        let (length, block) = bytes.split_first()?;
        bytes = block.get(usize::from(*length)..)?;
        if *length == 0 {
            return Some(bytes);
        }
    }
}

/// Returns the widths and heights of the images in a JPEG file that a browser decodes, the main one first.
///
/// The others can be a gain map, which brightens the main image on some screens. Returns `None` if one is unreadable,
/// or if there are too many.
#[must_use]
pub fn jpeg_sizes(bytes: &[u8]) -> Option<Vec<(usize, usize)>> {
    let has_gain_map = GAIN_MAPS.iter().any(|name| memmem::find(bytes, name).is_some());
    let count = if has_gain_map { MAX_JPEG_IMAGES + 1 } else { 1 };
    let starts: Vec<_> = memmem::find_iter(bytes, b"\xFF\xD8\xFF").take(count).collect();
    let is_readable = starts.first() == Some(&0) && starts.len() <= MAX_JPEG_IMAGES;
    is_readable.then(|| starts.into_iter().map(|start| jpeg_size(&bytes[start + 2..])).collect())?
}

/// Returns the size of a JPEG image from its segments, up to the first one with a size.
fn jpeg_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut at = 0;
    loop {
        let JpegSegment { marker, content, range } = jpeg_segment(bytes, at)?;
        at = range.end;
        match marker {
            // Another start, the end, or pixels.
            0xD8..=0xDA => return None,
            0xC0..=0xC3 | 0xC5..=0xC7 | 0xC9..=0xCB | 0xCD..=0xCF => {
                let side = |at: usize| Some(usize::from(u16::from_be_bytes(*content.get(at..)?.first_chunk()?)));
                return Some((side(3)?, side(1)?));
            }
            _ => {}
        }
    }
}

/// Segment of a JPEG image (ITU-T T.81, annex B).
#[derive(Debug)]
pub struct JpegSegment<'a> {
    /// Second byte of the marker.
    pub marker: u8,
    /// Content after the length; empty if the marker has no length.
    pub content: &'a [u8],
    /// Place of the marker and the content.
    pub range: Range<usize>,
}

/// Reads the next segment of a JPEG image after this place; `None` if it is incomplete.
///
/// Like libjpeg, which browsers use, it skips bytes before a marker, fill bytes, and markers within pixels. So it also
/// skips the pixels after the segment of a scan.
#[must_use]
pub fn jpeg_segment(bytes: &[u8], mut at: usize) -> Option<JpegSegment<'_>> {
    loop {
        let start = at + memchr(0xFF, bytes.get(at..)?)?;
        let fill = bytes[start..].iter().take_while(|byte| **byte == 0xFF).count();
        let (marker, rest) = bytes[start + fill..].split_first()?;
        at = start + fill + 1;
        let content = match marker {
            0x00 | 0x01 | 0xD0..=0xD7 => continue,
            0xD8 | 0xD9 => b"",
            _ => {
                let length = usize::from(u16::from_be_bytes(*rest.first_chunk()?));
                at += length;
                rest.get(2..length)?
            }
        };
        return Some(JpegSegment { marker: *marker, content, range: start..at });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a GIF image with a screen of 4 x 4 and frames at these places: left, top, width and height.
    fn gif(frames: &[[u8; 4]]) -> Vec<u8> {
        let frame = |[left, top, width, height]: &[u8; 4]| {
            [b",", &[*left, 0, *top, 0, *width, 0, *height, 0, 0][..], b"\x02\x01\0\0"].concat()
        };
        [b"GIF89a\x04\0\x04\0\x80\0\0\0\0\0\xff\xff\xff", &frames.iter().flat_map(frame).collect::<Vec<_>>()[..], b";"]
            .concat()
    }

    #[test]
    fn frames_lie_within_screen() {
        for frames in [&[[0, 0, 4, 4]][..], &[[0, 0, 4, 4], [3, 3, 1, 1]]] {
            assert!(is_consistent_gif(&gif(frames)), "{frames:?}");
        }
        for frame in [[0, 0, 5, 1], [0, 0, 1, 5], [1, 0, 4, 1], [0, 1, 1, 4], [255, 255, 255, 255]] {
            assert!(!is_consistent_gif(&gif(&[[0, 0, 4, 4], frame])), "{frame:?}");
        }
        let whole = gif(&[[0, 0, 4, 4]]);
        assert!((0..whole.len()).all(|end| !is_consistent_gif(&whole[..end])));
    }

    #[test]
    fn extensions_are_skipped() {
        let image = |extension: &[u8]| {
            let image = gif(&[[0, 0, 4, 4]]);
            [&image[..19], extension, &image[19..]].concat()
        };
        let application = b"!\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0";
        for extension in [&b"!\xF9\x04\0\x0A\0\0\0"[..], application, b"!\xFE\x03abc\x02de\0", b"!\xFE\0"] {
            assert!(is_consistent_gif(&image(extension)), "{extension:?}");
        }
        for extension in [&b"!\xF9\x03\0\x0A\0\0"[..], b"!\xF9\0", b"!\xFF\x04abcd\0", b"!\x01\x01a\0", b"?\0", b"\0"] {
            assert!(!is_consistent_gif(&image(extension)), "{extension:?}");
        }
    }

    #[test]
    fn empty_data_hides_no_frame() {
        let large = [b",\0\0\0\0\x20\x4E\x20\x4E\0\x02\x20", &[0; 33][..]].concat();
        let image = [&gif(&[])[..19], b",\0\0\0\0\x01\0\x01\0\0\x02\0", &large, b";"].concat();
        assert!(!is_consistent_gif(&image));
    }

    /// Builds a JPEG image of two rows without pixels, after a start and these segments.
    fn jpeg(segments: &[u8], width: u16) -> Vec<u8> {
        let frame = [&b"\xFF\xC2\0\x0B\x08\0\x02"[..], &width.to_be_bytes(), b"\x01\x01\x11\0"].concat();
        [b"\xFF\xD8", segments, &frame, b"\xFF\xDA"].concat()
    }

    /// Builds a segment of an application.
    fn segment(content: &[u8]) -> Vec<u8> {
        let length = u16::try_from(content.len() + 2).unwrap();
        [b"\xFF\xE1", &length.to_be_bytes()[..], content].concat()
    }

    #[test]
    fn gain_map_has_its_size() {
        let thumbnail = segment(&jpeg(b"", 1));
        for name in GAIN_MAPS {
            let image = jpeg(&[segment(name), thumbnail.clone()].concat(), 2);
            let with_gain_map = [image.clone(), jpeg(b"", 3)].concat();
            assert_eq!(jpeg_sizes(&with_gain_map), Some(vec![(2, 2), (1, 2), (3, 2)]));
            assert_eq!(jpeg_sizes(&[image.clone(), b"\xFF\xD8\xFF\xE0\0\x01".to_vec()].concat()), None);
            assert_eq!(jpeg_sizes(&[image, jpeg(b"", 3).repeat(15)].concat()), None);
        }
        // Without a gain map, browsers decode only the main image; the rest can be a video.
        let motion_photo = [jpeg(&thumbnail, 2), b"ftypmp42\xFF\xD8\xFF\xE0\0\x01".to_vec()].concat();
        assert_eq!(jpeg_sizes(&motion_photo), Some(vec![(2, 2)]));
    }

    #[test]
    fn jpeg_segments_are_read_as_by_libjpeg() {
        // Each would hide a size from a reader that takes two bytes after any marker as a length.
        let hidden = segment(&jpeg(b"", 1)[2..]);
        for before in [&b""[..], b"\xFF\xD0", b"\xFF\x01", b"\xFF\0", b"\xFF\xFF", b"abc", b"\xFF\xFE\0\x02"] {
            let image = jpeg(&[b"\xFF\xFE\0\x02", before, &hidden].concat(), 300);
            assert_eq!(jpeg_sizes(&image), Some(vec![(300, 2)]), "{before:?}");
        }
        for unreadable in
            [&b""[..], b"\xFF\xD8\xFF", b" \xFF\xD8\xFF\xE0\0\x02", b"\xFF\xD8\xFF\xFE\0\x01", b"\xFF\xD8\xFF\xD9"]
        {
            assert_eq!(jpeg_sizes(unreadable), None, "{unreadable:?}");
        }
    }
}
