//! Raster images in `data:` URIs.

use domain::violation::DrawingError;
use imagesize::ImageType;

use super::syntax::is_space;

/// Maximum length of a side of an image, in pixels.
pub const MAX_SIDE: u32 = 4_096;

/// Maximum number of pixels of all images in a drawing: one image of the largest size.
pub const MAX_PIXELS: u64 = 16_777_216;

/// Maximum size of content that is too short for any image, in bytes.
const NO_IMAGE: usize = 32;

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
    let Ok(format) = imagesize::image_type(&content) else { return Ok(0) };
    let is_accepted = matches!(format, ImageType::Png | ImageType::Jpeg | ImageType::Gif | ImageType::Webp);
    match imagesize::blob_size(&content) {
        Ok(size) if is_accepted && size.width.max(size.height) > MAX_SIDE as usize => {
            Err(DrawingError::ImageTooLarge(MAX_SIDE))
        }
        Ok(size) if is_accepted => Ok(size.width as u64 * size.height as u64),
        Err(_) if content.len() <= NO_IMAGE => Ok(0),
        _ => Err(DrawingError::ImageFormat),
    }
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
        let gif =
            |width: u16, height: u16| pixels_of(&[b"GIF89a", &width.to_le_bytes()[..], &height.to_le_bytes()].concat());
        assert_eq!(gif(4_096, 3), Ok(12_288));
        for (width, height) in [(4_097, 1), (1, 4_097)] {
            assert_eq!(gif(width, height), Err(DrawingError::ImageTooLarge(MAX_SIDE)));
        }
    }

    #[test]
    fn other_content_is_rejected() {
        for header in [b"BM".as_slice(), b"\xff\xd8\xff", b"\0\0\x01\0\x01\0", b"II*\0"] {
            assert_eq!(pixels_of(header), Err(DrawingError::ImageFormat), "{header:?}");
        }
        // No browser shows these.
        assert_eq!(pixels_of(b"<svg>"), Ok(0));
        assert_eq!([pixels("iVBORw0KGgo="), pixels("A")], [Ok(0), Ok(0)]);
    }
}
