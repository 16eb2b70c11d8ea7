//! Raster images in `data:` URIs.

use domain::{
    image::{is_consistent_gif, jpeg_sizes},
    violation::DrawingError,
};
use imagesize::ImageType;

use super::syntax::is_space;

/// Maximum length of a side of an image, in pixels.
pub const MAX_SIDE: u32 = 4_096;

/// Maximum number of pixels of all images in a drawing: one image of the largest size.
pub const MAX_PIXELS: u64 = 16_777_216;

/// Maximum size of content that is too short for any image, in bytes: in no format does it have a whole size.
const NO_IMAGE: usize = 22;

/// First bytes of an image for a mouse pointer. Browsers show it, but `imagesize` does not know it.
const WINDOWS_CURSOR: &[u8] = b"\0\0\x02\0";

/// Returns the base64 of a `data:` URI of a raster image, if the link is one.
///
/// White space in the base64 is allowed, because drawing tools wrap lines.
pub fn base64(link: &str) -> Option<&str> {
    const TYPES: [&str; 5] = ["png", "jpeg", "jpg", "gif", "webp"];
    let (subtype, base64) = link.strip_prefix("data:image/")?.split_once(";base64,")?;
    let digits = base64.trim_end_matches(|c| c == '=' || is_space(c));
    let is_base64 = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/') || is_space(c);
    (TYPES.contains(&subtype) && !digits.is_empty() && digits.chars().all(is_base64)).then_some(digits)
}

/// Returns the number of pixels of an image; zero if browsers do not show it.
///
/// Browsers recognize an image by its content, whatever type the URI names.
///
/// # Errors
///
/// Returns `ImageFormat` if the content is an image of another format than PNG, JPEG, GIF and WebP, or its size cannot
/// be read, and `ImageTooLarge` if a side is too long.
pub fn pixels(base64: &str) -> Result<u64, DrawingError> {
    let content = base64_simd::forgiving_decode_to_vec(base64.as_bytes()).unwrap_or_default();
    if content.starts_with(WINDOWS_CURSOR) {
        return Err(DrawingError::ImageFormat);
    }
    let Ok(format) = imagesize::image_type(&content) else { return Ok(0) };
    if content.len() <= NO_IMAGE {
        return Ok(0);
    }
    let header = imagesize::blob_size(&content).map(|size| vec![(size.width, size.height)]);
    let sizes = match format {
        ImageType::Png | ImageType::Webp => header.ok(),
        ImageType::Jpeg => jpeg_sizes(&content),
        ImageType::Gif => header.ok().filter(|_| is_consistent_gif(&content)),
        _ => None,
    };
    let sizes = sizes.ok_or(DrawingError::ImageFormat)?;
    if sizes.iter().any(|(width, height)| *width.max(height) > MAX_SIDE as usize) {
        return Err(DrawingError::ImageTooLarge(MAX_SIDE));
    }
    Ok(sizes.into_iter().map(|(width, height)| width as u64 * height as u64).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the pixels of an image that begins with these bytes.
    fn pixels_of(header: &[u8]) -> Result<u64, DrawingError> {
        pixels(&base64_simd::STANDARD.encode_to_string([header, &[1; 60]].concat()))
    }

    #[test]
    fn sides_are_limited() {
        let gif = |width: u16, height: u16| {
            let sides = [width.to_le_bytes(), height.to_le_bytes()].concat();
            let frame = [b",\0\0\0\0", &sides[..], b"\0\x02\0"].concat();
            pixels_of(&[b"GIF89a", &sides[..], b"\x80\0\0black+", &frame, b";"].concat())
        };
        assert_eq!(gif(4_096, 3), Ok(12_288));
        for (width, height) in [(4_097, 1), (1, 4_097)] {
            assert_eq!(gif(width, height), Err(DrawingError::ImageTooLarge(MAX_SIDE)));
        }
    }

    #[test]
    fn frame_beyond_screen_is_rejected() {
        let gif = b"GIF89a\x01\0\x01\0\0\0\0,\0\0\0\0\x20\x4E\x20\x4E\0\x02\0;";
        for end in 23..=gif.len() {
            let result = pixels(&base64_simd::STANDARD.encode_to_string(&gif[..end]));
            assert_eq!(result, Err(DrawingError::ImageFormat), "{end} bytes");
        }
    }

    #[test]
    fn other_content_is_rejected() {
        for header in [b"BM".as_slice(), b"\xff\xd8\xff", b"\0\0\x01\0\x01\0", b"\0\0\x02\0\x01\0", b"II*\0"] {
            assert_eq!(pixels_of(header), Err(DrawingError::ImageFormat), "{header:?}");
        }
        // No browser shows these.
        assert_eq!(pixels_of(b"<svg>"), Ok(0));
        assert_eq!([pixels("iVBORw0KGgo="), pixels("A")], [Ok(0), Ok(0)]);
    }
}
