//! Drawing of a hall or area.

use domain::{described, text, violation::Violation};
use serde::Serialize;

use crate::svg;

/// Maximum total size of an event's drawings, in bytes.
pub const MAX_DRAWING_BYTES: usize = 1024 * 1024;

/// Safe SVG document or fragment, or the URL or path of one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Drawing(String);

described!(Drawing as "Drawing", {
    "description": "SVG with the root `<svg>` or `<g>`, as `docs/front-end.md` explains, or a URL or path. Stored \
                    unchanged; `errors` lists every fault with its line and character.",
    "type": "string",
    "format": "drawing",
    "minLength": 1,
    "maxLength": MAX_DRAWING_BYTES,
});

impl Drawing {
    /// Validates a text, keeps it unchanged, and also returns its references.
    ///
    /// # Errors
    ///
    /// Returns `Required` if the text is blank, `DrawingsTooLarge` if it exceeds the limit of all drawings by itself,
    /// `ControlCharacter` if it has a control character other than line breaks and tabs, and an `UnsafeDrawing` for
    /// each fault that [`svg::read`] returns.
    pub fn parse(text: &str) -> Result<(Self, svg::References), Vec<Violation>> {
        if text::is_blank(text) {
            return Err(vec![Violation::Required]);
        }
        if text.len() > MAX_DRAWING_BYTES {
            return Err(vec![Violation::DrawingsTooLarge(MAX_DRAWING_BYTES)]);
        }
        if text.chars().any(text::is_control_in_paragraph) {
            return Err(vec![Violation::ControlCharacter]);
        }
        let references =
            svg::read(text).map_err(|faults| faults.into_iter().map(Violation::UnsafeDrawing).collect::<Vec<_>>())?;
        Ok((Self(text.to_owned()), references))
    }

    /// Returns the drawing as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_stored(text: String) -> Self {
        Self(text)
    }
}
