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

    /// Encodes the header of a GIF image of this size.
    fn gif(width: u16, height: u16) -> String {
        let mut content = b"GIF89a".to_vec();
        content.extend(width.to_le_bytes());
        content.extend(height.to_le_bytes());
        content.resize(NO_IMAGE + 1, 0);
        base64_simd::STANDARD.encode_to_string(content)
    }

    #[test]
    fn sides_are_limited() {
        assert_eq!(pixels(&gif(4_096, 3)), Ok(12_288));
        for (width, height) in [(4_097, 1), (1, 4_097)] {
            assert_eq!(pixels(&gif(width, height)), Err(DrawingError::ImageTooLarge(MAX_SIDE)));
        }
    }

    #[test]
    fn other_content_is_rejected() {
        for header in [b"BM".as_slice(), b"\xff\xd8\xff", b"\0\0\x01\0\x01\0", b"II*\0"] {
            let content = [header, &[1; 60]].concat();
            let content = base64_simd::STANDARD.encode_to_string(content);
            assert_eq!(pixels(&content), Err(DrawingError::ImageFormat), "{header:?}");
        }
    }

    #[test]
    fn content_that_no_browser_shows_has_no_pixels() {
        assert_eq!(pixels(&base64_simd::STANDARD.encode_to_string(b"<svg>".repeat(20))), Ok(0));
        assert_eq!(pixels("iVBORw0KGgo="), Ok(0));
        assert_eq!(pixels("A"), Ok(0));
    }

    #[test]
    fn only_raster_images_are_recognized() {
        assert_eq!(base64("data:image/png;base64,AA/+"), Some("AA/+"));
        assert_eq!(base64("data:image/webp;base64,AA\n AA= =\n"), Some("AA\n AA"));
        for link in
            ["data:image/png,AA", "data:image/png;base64,=", "data:image/svg+xml;base64,AA", "data:image/png;base64,A#"]
        {
            assert_eq!(base64(link), None, "{link}");
        }
    }
}
