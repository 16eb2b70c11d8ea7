//! The poster of an event: an image, identified by its content and read to its end.

mod gif;
mod jpeg;
mod png;
mod webp;

use bytes::{Bytes, TryGetError};

/// An image whose content has been read to its end.
///
/// Pixels are not decoded, so a small file cannot expand into a large one. Bytes are neither changed nor copied.
pub struct Poster {
    bytes: Bytes,
    format: Format,
}

impl Poster {
    /// Checks the content of an uploaded part, regardless of its content type.
    ///
    /// Bytes after the image are accepted, as in browsers, because cameras append previews and video. The poster
    /// is served with the sniffed type.
    ///
    /// # Errors
    ///
    /// Returns the first [`Rejection`] that applies, in the order of the enum, or [`Rejection::Corrupt`] if a
    /// broken header hides the sides.
    pub fn read(bytes: Bytes) -> Result<Self, Rejection> {
        if bytes.is_empty() {
            return Err(Rejection::Empty);
        }
        if bytes.len() > MAX_BYTES {
            return Err(Rejection::TooLarge);
        }
        let format = Format::sniff(&bytes).ok_or(Rejection::NotAnImage)?;
        match format {
            Format::Jpeg => jpeg::check(&bytes),
            Format::Png => png::check(&bytes),
            Format::Gif => gif::check(&bytes),
            Format::WebP => webp::check(&bytes),
        }?;
        Ok(Self { bytes, format })
    }

    /// Returns the format of the image.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the unchanged content.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

/// Maximum size of a poster, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Maximum length of a side, in pixels.
pub const MAX_SIDE: u32 = 10_000;

/// Image format of a poster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JPEG (ITU-T T.81).
    Jpeg,
    /// PNG, animated or not (W3C PNG, third edition).
    Png,
    /// GIF, 87a or 89a.
    Gif,
    /// WebP (RFC 9649).
    WebP,
}

impl Format {
    /// Returns the content type for storage and responses.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
        }
    }

    /// Returns the file name extension, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::WebP => "webp",
        }
    }

    /// Detects the format as browsers do (WHATWG MIME Sniffing, 6.1).
    fn sniff(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"\xFF\xD8\xFF") {
            Some(Self::Jpeg)
        } else if bytes.starts_with(b"\x89PNG\r\n\x1A\n") {
            Some(Self::Png)
        } else if bytes.starts_with(b"GIF87a") || bytes.starts_with(b"GIF89a") {
            Some(Self::Gif)
        } else if bytes.starts_with(b"RIFF") && bytes.get(8..14) == Some(b"WEBPVP") {
            Some(Self::WebP)
        } else {
            None
        }
    }
}

/// Reason why a poster is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The part is empty.
    Empty,
    /// The part has more than [`MAX_BYTES`].
    TooLarge,
    /// The content starts like none of the formats.
    NotAnImage,
    /// A side is longer than [`MAX_SIDE`].
    SideTooLong,
    /// The image is truncated or damaged.
    Corrupt,
}

impl From<TryGetError> for Rejection {
    fn from(_: TryGetError) -> Self {
        Self::Corrupt
    }
}

/// Rejects sides longer than [`MAX_SIDE`]; a side of zero is corrupt.
fn check_sides(width: impl Into<u32>, height: impl Into<u32>) -> Result<(), Rejection> {
    let (width, height) = (width.into(), height.into());
    if width == 0 || height == 0 {
        return Err(Rejection::Corrupt);
    }
    if width.max(height) > MAX_SIDE {
        return Err(Rejection::SideTooLong);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use proptest::{collection::vec, prelude::*, sample};

    use super::*;

    pub(super) fn read(bytes: impl Into<Bytes>) -> Result<Format, Rejection> {
        Poster::read(bytes.into()).map(|poster| poster.format())
    }

    /// Asserts the limits of the sides in one format.
    pub(super) fn check_side_limits(format: Format, image: impl Fn(u16, u16) -> Vec<u8>) {
        assert_eq!(read(image(1, 1)), Ok(format));
        assert_eq!(read(image(10_000, 10_000)), Ok(format));
        assert_eq!(read(image(10_001, 1)), Err(Rejection::SideTooLong));
        assert_eq!(read(image(1, 10_001)), Err(Rejection::SideTooLong));
    }

    /// Asserts that a side of zero is rejected.
    pub(super) fn check_zero_sides(image: impl Fn(u16, u16) -> Vec<u8>) {
        assert_eq!(read(image(0, 1)), Err(Rejection::Corrupt));
        assert_eq!(read(image(1, 0)), Err(Rejection::Corrupt));
    }

    fn corpus(folder: &str) -> Vec<(String, Bytes)> {
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/images");
        let files: Vec<_> = fs::read_dir(images.join(folder))
            .expect("the corpus folder exists")
            .map(|file| {
                let file = file.expect("the corpus folder is readable");
                let name = file.file_name().into_string().expect("the file name is UTF-8");
                (name, fs::read(file.path()).expect("the file is readable").into())
            })
            .collect();
        assert!(files.len() > 20);
        files
    }

    #[test]
    fn real_images_are_accepted_unchanged() {
        for (name, image) in corpus("accepted") {
            let poster = Poster::read(image.clone()).expect(&name);
            assert!(name.ends_with(poster.format().extension()), "{name}");
            assert_eq!(poster.bytes().as_ptr(), image.as_ptr(), "{name}");
            assert_eq!(poster.bytes(), &image, "{name}");
        }
    }

    #[test]
    fn image_prefixes_are_rejected() {
        for (name, image) in corpus("accepted") {
            for end in 0..image.len() {
                assert!(read(image.slice(..end)).is_err(), "{end} bytes of {name}");
            }
        }
    }

    #[test]
    fn bytes_after_the_image_are_accepted() {
        for (name, image) in corpus("accepted") {
            for suffix in [&b"\0"[..], b"<!DOCTYPE html>", b"PK\x03\x04", &image] {
                let bytes = [&image, suffix].concat();
                assert!(read(bytes).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn invalid_images_are_rejected() {
        for (name, content) in corpus("refused") {
            let rejection = match name.rsplit_once('.').expect(&name) {
                ("too-wide" | "too-tall", _) => Rejection::SideTooLong,
                (_, "jpg" | "png" | "gif" | "webp") => Rejection::Corrupt,
                _ => Rejection::NotAnImage,
            };
            assert_eq!(read(content), Err(rejection), "{name}");
        }
    }

    #[test]
    fn signature_must_be_complete() {
        let webp = b"RIFF\0\0\0\0WEBPVP";
        for (signature, size_field) in [
            (&b"\xFF\xD8\xFF"[..], 0..0),
            (b"\x89PNG\r\n\x1A\n", 0..0),
            (b"GIF87a", 0..0),
            (b"GIF89a", 0..0),
            (webp, 4..8),
        ] {
            assert_eq!(read(signature), Err(Rejection::Corrupt));
            for at in (0..signature.len()).filter(|at| !size_field.contains(at)) {
                let mut other = signature.to_vec();
                other[at] ^= 0x20;
                assert_eq!(read(other), Err(Rejection::NotAnImage), "{at}");
            }
        }
    }

    #[test]
    fn size_is_limited() {
        let mut bytes = corpus("accepted").swap_remove(0).1.to_vec();
        assert_eq!(read(vec![]), Err(Rejection::Empty));
        bytes.resize(MAX_BYTES, 0);
        assert!(read(bytes.clone()).is_ok());
        bytes.push(0);
        assert_eq!(read(bytes), Err(Rejection::TooLarge));
        assert_eq!(read(vec![0; MAX_BYTES]), Err(Rejection::NotAnImage));
        assert_eq!(read(vec![0; MAX_BYTES + 1]), Err(Rejection::TooLarge));
    }

    #[test]
    fn types_and_extensions_are_standard() {
        let names = [Format::Jpeg, Format::Png, Format::Gif, Format::WebP]
            .map(|format| (format.content_type(), format.extension()));
        assert_eq!(names, [("image/jpeg", "jpg"), ("image/png", "png"), ("image/gif", "gif"), ("image/webp", "webp")]);
    }

    proptest! {
        #[test]
        fn damaged_image_never_panics(
            image in sample::select(corpus("accepted")),
            damage in vec((any::<sample::Index>(), any::<u8>()), 1..8),
        ) {
            let mut bytes = image.1.to_vec();
            for (at, byte) in damage {
                *at.get_mut(&mut bytes) = byte;
            }
            let _ = read(bytes);
        }

        #[test]
        fn garbage_after_signature_never_panics(
            signature in sample::select(vec![
                &b"\xFF\xD8\xFF"[..],
                b"\x89PNG\r\n\x1A\n",
                b"GIF89a",
                b"RIFF\x40\0\0\0WEBPVP8X\x0A\0\0\0",
            ]),
            garbage in vec(any::<u8>(), 0..256),
        ) {
            let _ = read([signature, &garbage].concat());
        }
    }
}
