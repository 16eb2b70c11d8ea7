//! The poster of an event: an image, identified by its content.

use bytes::Bytes;
use imagesize::ImageType;

use crate::{
    described,
    image::jpeg_sizes,
    metadata::{clean_gif, clean_jpeg, clean_png, clean_webp},
};

/// An image of an accepted format and size, which has the end marker of its format and no metadata.
///
/// Pixels are not decoded, so a small file cannot expand into a large one.
pub struct Poster {
    bytes: Bytes,
    format: Format,
}

impl Poster {
    /// Checks the content of an uploaded part, regardless of its content type, and removes its metadata. An image
    /// without metadata is not copied.
    ///
    /// # Errors
    ///
    /// Returns the first [`Rejection`] that applies, in the order of the enum, or [`Rejection::Corrupt`] if the image
    /// has no readable size.
    pub fn read(bytes: &Bytes) -> Result<Self, Rejection> {
        if bytes.is_empty() {
            return Err(Rejection::Empty);
        }
        if bytes.len() > MAX_BYTES {
            return Err(Rejection::TooLarge);
        }
        let format = Format::detect(bytes).ok_or(Rejection::NotAnImage)?;
        let sizes = match format {
            Format::Jpeg => jpeg_sizes(bytes),
            _ => imagesize::blob_size(bytes).ok().map(|size| vec![(size.width, size.height)]),
        };
        for (width, height) in sizes.ok_or(Rejection::Corrupt)? {
            check_size(width, height)?;
        }
        let clean = match format {
            Format::Jpeg => clean_jpeg,
            Format::Png => clean_png,
            Format::Gif => clean_gif,
            Format::WebP => clean_webp,
        };
        let bytes = clean(bytes).ok_or(Rejection::Corrupt)?;
        Ok(Self { bytes, format })
    }

    /// Returns the format of the image.
    #[must_use]
    pub fn format(&self) -> Format {
        self.format
    }

    /// Returns the content, without metadata.
    #[must_use]
    pub fn bytes(&self) -> &Bytes {
        &self.bytes
    }
}

described!(Poster as "Poster", {
    "description": "JPEG, PNG, GIF or WebP image, recognized by its content. Its metadata, such as the location, is not \
                    stored; its orientation and colour profile are.",
    "type": "string",
    "format": "binary",
});

fn check_size(width: usize, height: usize) -> Result<(), Rejection> {
    if width == 0 || height == 0 {
        return Err(Rejection::Corrupt);
    }
    if width.max(height) > MAX_SIDE {
        return Err(Rejection::SideTooLong);
    }
    if width * height > MAX_PIXELS { Err(Rejection::TooManyPixels) } else { Ok(()) }
}

/// Maximum size of a poster, in bytes.
pub const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Maximum length of a side, in pixels.
pub const MAX_SIDE: usize = 10_000;

/// Maximum number of pixels: a browser takes four bytes of memory for each.
pub const MAX_PIXELS: usize = 40_000_000;

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

    fn detect(bytes: &[u8]) -> Option<Self> {
        match imagesize::image_type(bytes).ok()? {
            ImageType::Jpeg => Some(Self::Jpeg),
            ImageType::Png => Some(Self::Png),
            ImageType::Gif => Some(Self::Gif),
            ImageType::Webp => Some(Self::WebP),
            _ => None,
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
    /// The image has more than [`MAX_PIXELS`].
    TooManyPixels,
    /// The image is truncated or damaged.
    Corrupt,
}

#[cfg(test)]
mod tests {
    use std::{fs, path::Path};

    use super::*;

    fn read(bytes: impl Into<Bytes>) -> Result<Format, Rejection> {
        Poster::read(&bytes.into()).map(|poster| poster.format())
    }

    /// Builds a PNG image without pixels, and without the checksum of its size.
    fn png(width: u32, height: u32) -> Vec<u8> {
        let (width, height) = (width.to_be_bytes(), height.to_be_bytes());
        let rest = b"\x08\x02\0\0\0\0\0\0\0\0\0\0\0IEND\xAE\x42\x60\x82";
        [b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR", &width[..], &height, rest].concat()
    }

    fn corpus(folder: &str) -> Vec<(String, Bytes)> {
        let images = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus/images").join(folder);
        let paths = fs::read_dir(images).unwrap().map(|file| file.unwrap().path());
        paths.map(|path| (path.display().to_string(), fs::read(path).unwrap().into())).collect()
    }

    #[test]
    fn real_images_are_accepted_without_metadata() {
        let with_metadata = ["exif-thumbnail.jpg", "metadata.webp", "realistic.jpg"];
        for (name, image) in corpus("accepted") {
            let poster = Poster::read(&image).expect(&name);
            assert!(name.ends_with(poster.format().extension()), "{name}");
            let has_metadata = with_metadata.iter().any(|with_metadata| name.ends_with(with_metadata));
            assert_eq!(poster.bytes() != &image, has_metadata, "{name}");
            // An image without metadata is not copied.
            assert_eq!(poster.bytes().as_ptr() != image.as_ptr(), has_metadata, "{name}");
        }
        for (name, image) in corpus("polyglots") {
            let poster = Poster::read(&image).expect(&name);
            for text in [&b"alert(1)"[..], b"%PDF", b"PK\x03\x04"] {
                assert_eq!(memchr::memmem::find(poster.bytes(), text), None, "{name}");
            }
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
    fn invalid_images_are_rejected() {
        for (name, content) in corpus("refused") {
            let rejection = match &name {
                name if name.contains("too-") => Rejection::SideTooLong,
                name if name.contains("million-pixels") => Rejection::TooManyPixels,
                name if [".jpg", ".png", ".gif", ".webp"].iter().any(|end| name.ends_with(end)) => Rejection::Corrupt,
                _ => Rejection::NotAnImage,
            };
            assert_eq!(read(content), Err(rejection), "{name}");
        }
    }

    #[test]
    fn impossible_structures_are_rejected() {
        let jpeg = |parts: &[u8]| [b"\xFF\xD8", parts, b"\xFF\xD9"].concat();
        let frame = &b"\xFF\xC0\0\x0B\x08\0\x01\0\x01\x01\x01\x11\0"[..];
        let scan = &b"\xFF\xDA\0\x08\x01\x01\0\0\x3F\0"[..];
        let gif = |rest: &[u8]| [b"GIF89a\x01\0\x01\0\x80\0\0black+", rest].concat();
        let webp = |size: u32, chunk: &[u8]| [b"RIFF", &size.to_le_bytes()[..], b"WEBP", chunk].concat();
        assert!(
            read(jpeg(&[frame, scan].concat())).is_ok() && read(gif(b",\0\0\0\0\x01\0\x01\0\0\x02\x01\0\0;")).is_ok()
        );
        for image in [
            jpeg(b""),
            jpeg(frame),
            jpeg(&[b"\xFF\xC0\0\x0B\x08\0\0\0\x01\x01\x01\x11\0", scan].concat()),
            jpeg(&[b"\xFF\xE0\0\0", frame, scan].concat()),
            jpeg(&[b"\xFF\xE0\0\x01", frame, scan].concat()),
            jpeg(&b"\xFF\xE0\0\x02".repeat(1_000_000)),
            [b"\xFF\xD8".as_slice(), &vec![0xFF; 4_000_000]].concat(),
            gif(b",\0\0\0\0\x20\x4E\x20\x4E\0\x02\x01\0\0;"),
            gif(b"\0;<script>alert(1)</script>"),
            gif(b"<!DOCTYPE html><script>alert(1)</script>"),
            webp(u32::MAX, b"VP8 \x0A\0\0\0\0\0\0\x9D\x01\x2A\x01\0\x01\0"),
            webp(23, b"VP8 \x0A\0\0\0\0\0\0\x9D\x01\x2A\x01\0\x01\0"),
            webp(22, b"VP8X\x0A\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF"),
        ] {
            assert!(read(image.clone()).is_err(), "{:?}", &image[..image.len().min(40)]);
        }
    }

    #[test]
    fn sides_and_pixels_are_limited() {
        for (width, height, outcome) in [
            (1, 1, Ok(Format::Png)),
            (10_000, 4_000, Ok(Format::Png)),
            (4_000, 10_000, Ok(Format::Png)),
            (10_000, 4_001, Err(Rejection::TooManyPixels)),
            (10_001, 1, Err(Rejection::SideTooLong)),
            (1, 10_001, Err(Rejection::SideTooLong)),
            (u32::MAX, u32::MAX, Err(Rejection::SideTooLong)),
            (0, 1, Err(Rejection::Corrupt)),
            (1, 0, Err(Rejection::Corrupt)),
        ] {
            assert_eq!(read(png(width, height)), outcome, "{width} x {height}");
        }
    }

    #[test]
    fn size_is_limited() {
        assert_eq!(read(vec![]), Err(Rejection::Empty));
        let mut bytes = png(1, 1);
        bytes.resize(MAX_BYTES, 0);
        assert!(read(bytes.clone()).is_ok());
        bytes.push(0);
        assert_eq!(read(bytes), Err(Rejection::TooLarge));
        assert_eq!(read(vec![0; MAX_BYTES]), Err(Rejection::NotAnImage));
    }

    #[test]
    fn types_and_extensions_are_standard() {
        let names = [Format::Jpeg, Format::Png, Format::Gif, Format::WebP]
            .map(|format| (format.content_type(), format.extension()));
        assert_eq!(names, [("image/jpeg", "jpg"), ("image/png", "png"), ("image/gif", "gif"), ("image/webp", "webp")]);
    }
}
