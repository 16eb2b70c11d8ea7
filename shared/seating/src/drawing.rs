//! Drawings of halls and areas.

use crate::svg;
use domain::{text, violation::Violation};

/// An SVG document or fragment that is safe to show, or the URL or path of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing(String);

impl Drawing {
    /// Takes any text and keeps it byte for byte; gives its references too.
    ///
    /// # Errors
    ///
    /// `Required` for a blank text, `ControlCharacter` for one with a control
    /// character but line breaks and tabs, `Drawing` for one that
    /// [`svg::read`] refuses.
    pub fn parse(text: &str) -> Result<(Self, svg::References), Vec<Violation>> {
        if text::is_blank(text) {
            return Err(vec![Violation::Required]);
        }
        if text.chars().any(text::is_control_in_paragraph) {
            return Err(vec![Violation::ControlCharacter]);
        }
        let references = svg::read(text).map_err(|rejection| vec![Violation::UnsafeDrawing(rejection)])?;
        Ok((Self(text.to_owned()), references))
    }

    /// The drawing as it was sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn from_stored(text: String) -> Self {
        Self(text)
    }
}
