//! The poster of an event: an image told by its content and read to its end.

mod gif;
mod jpeg;
mod png;
mod webp;

use bytes::{Bytes, TryGetError};

/// A poster whose content has been read to the end of its image.
///
/// The pixels are not decoded, so a small file cannot unfold into a large one,
/// and the bytes are neither changed nor copied.
pub struct Poster {
    bytes: Bytes,
    format: Format,
}

impl Poster {
    /// Takes the content of an uploaded part, whatever type the part claims.
    ///
    /// Bytes after the end of the image are accepted, as browsers accept them:
    /// cameras append previews and video, and the type served is the sniffed one.
    ///
    /// # Errors
    ///
    /// Gives the first [`Rejection`] that applies, in the order they are listed;
    /// sides that a broken header hides count as [`Rejection::Corrupt`].
    pub fn read(bytes: Bytes) -> Result<Self, Rejection> {
        if bytes.is_empty() {
            return Err(Rejection::Empty);
        }
        if bytes.len() > MAX_BYTES {
            return Err(Rejection::TooLarge);
        }
        let format = Format::sniff(&bytes).ok_or(Rejection::NotAnImage)?;
        match format {
            Format::Jpeg => jpeg::walk(&bytes),
            Format::Png => png::walk(&bytes),
            Format::Gif => gif::walk(&bytes),
            Format::WebP => webp::walk(&bytes),
        }?;
        Ok(Self { bytes, format })
    }

    /// The format the content was read as.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// The content, exactly as it was taken.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

/// The largest poster, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// The longest side of a poster, in pixels.
pub const MAX_SIDE: u32 = 10_000;

/// An image format a poster may have.
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
    /// The content type the poster is stored and served with.
    #[must_use]
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
            Self::Gif => "image/gif",
            Self::WebP => "image/webp",
        }
    }

    /// The extension of the poster's file name, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
            Self::Gif => "gif",
            Self::WebP => "webp",
        }
    }

    /// Tells the format by the patterns browsers use (WHATWG MIME Sniffing, 6.1).
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

/// Why a part is no poster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rejection {
    /// The part has no bytes.
    Empty,
    /// The part has more than [`MAX_BYTES`].
    TooLarge,
    /// The content begins like none of the formats.
    NotAnImage,
    /// A side is longer than [`MAX_SIDE`].
    SideTooLong,
    /// The content ends before its image does, or is broken inside.
    Corrupt,
}

impl From<TryGetError> for Rejection {
    fn from(_: TryGetError) -> Self {
        Self::Corrupt
    }
}

/// Refuses a side longer than [`MAX_SIDE`], and a zero one as broken.
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

    /// Reads images of one format whose sides are at their limits.
    pub(super) fn check_side_limits(format: Format, image: impl Fn(u16, u16) -> Vec<u8>) {
        assert_eq!(read(image(1, 1)), Ok(format));
        assert_eq!(read(image(10_000, 10_000)), Ok(format));
        assert_eq!(read(image(10_001, 1)), Err(Rejection::SideTooLong));
        assert_eq!(read(image(1, 10_001)), Err(Rejection::SideTooLong));
    }

    /// Reads images of one format with a zero side.
    pub(super) fn check_zero_sides(image: impl Fn(u16, u16) -> Vec<u8>) {
        assert_eq!(read(image(0, 1)), Err(Rejection::Corrupt));
        assert_eq!(read(image(1, 0)), Err(Rejection::Corrupt));
    }

    fn corpus(folder: &str) -> Vec<(String, Bytes)> {
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/images");
        let files: Vec<_> = fs::read_dir(images.join(folder))
            .expect("a corpus folder")
            .map(|file| {
                let file = file.expect("a file of the corpus");
                let name = file.file_name().into_string().expect("a plain name");
                (name, fs::read(file.path()).expect("its content").into())
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
            for after in [&b"\0"[..], b"<!DOCTYPE html>", b"PK\x03\x04", &image] {
                let bytes = [&image, after].concat();
                assert!(read(bytes).is_ok(), "{name}");
            }
        }
    }

    #[test]
    fn invalid_images_are_rejected() {
        for (name, content) in corpus("refused") {
            let refusal = match name.rsplit_once('.').expect(&name) {
                ("too-wide" | "too-tall", _) => Rejection::SideTooLong,
                (_, "jpg" | "png" | "gif" | "webp") => Rejection::Corrupt,
                _ => Rejection::NotAnImage,
            };
            assert_eq!(read(content), Err(refusal), "{name}");
        }
    }

    #[test]
    fn signature_must_be_complete() {
        let webp = b"RIFF\0\0\0\0WEBPVP";
        for (signature, sizes) in [
            (&b"\xFF\xD8\xFF"[..], 0..0),
            (b"\x89PNG\r\n\x1A\n", 0..0),
            (b"GIF87a", 0..0),
            (b"GIF89a", 0..0),
            (webp, 4..8),
        ] {
            assert_eq!(read(signature), Err(Rejection::Corrupt));
            for at in (0..signature.len()).filter(|at| !sizes.contains(at)) {
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
        assert_eq!(
            names,
            [("image/jpeg", "jpg"), ("image/png", "png"), ("image/gif", "gif"), ("image/webp", "webp")]
        );
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
        fn garbage_after_a_signature_never_panics(
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
