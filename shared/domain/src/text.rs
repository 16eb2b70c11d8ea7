//! Texts of limited length.

use std::{borrow::Cow, sync::LazyLock};

use caseless::Caseless;
use icu_normalizer::{ComposingNormalizerBorrowed as Composing, DecomposingNormalizerBorrowed as Decomposing};
use icu_properties::{CodePointSetData, props::DefaultIgnorableCodePoint};
use memchr::memchr_iter;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Serialize;

use crate::{schema::class, violation::Violation};

/// A text that is not blank, of at most `MAX` characters (Unicode scalar values).
///
/// It contains no control characters, except line breaks and tabs if it is `MULTILINE`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Text<const MAX: usize, const MULTILINE: bool>(String);

/// Pattern of texts that are not blank, with any characters.
pub static VISIBLE: LazyLock<String> = LazyLock::new(|| format!("[^{}]", class(is_invisible)));

/// Pattern of blank texts.
pub static BLANK: LazyLock<String> = LazyLock::new(|| format!("^[{}]*$", class(is_invisible)));

/// A text of one line.
pub type Line<const MAX: usize> = Text<MAX, false>;

/// A text of several lines.
pub type Paragraph<const MAX: usize> = Text<MAX, true>;

/// The name of an area, unique within its event.
pub type Label = Line<50>;

impl<const MAX: usize, const MULTILINE: bool> Text<MAX, MULTILINE> {
    /// Parses a text.
    ///
    /// # Errors
    ///
    /// Returns only `Required` if the text is blank; otherwise all that apply of `TooLong` and
    /// `ControlCharacter`.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        if is_blank(text) {
            return Err(vec![Violation::Required]);
        }
        let mut violations = Vec::new();
        if text.chars().count() > MAX {
            violations.push(Violation::TooLong(MAX));
        }
        if text.chars().any(Self::is_control) {
            violations.push(Violation::ControlCharacter);
        }
        if violations.is_empty() { Ok(Self(text.to_owned())) } else { Err(violations) }
    }

    fn is_control(c: char) -> bool {
        if MULTILINE { is_control_in_paragraph(c) } else { c.is_control() }
    }

    /// Returns the unchanged text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Rebuilds a stored value without validating it.
    #[must_use]
    pub fn from_stored(text: String) -> Self {
        Self(text)
    }
}

impl<const MAX: usize, const MULTILINE: bool> JsonSchema for Text<MAX, MULTILINE> {
    fn schema_name() -> Cow<'static, str> {
        format!("{}{MAX}", if MULTILINE { "Paragraph" } else { "Line" }).into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let forbidden = class(Self::is_control);
        let unmarked = class(|c| Self::is_control(c) || is_invisible(c));
        let pattern = format!("^[^{forbidden}]*[^{unmarked}][^{forbidden}]*$");
        let mut schema = json_schema!({"type": "string", "minLength": 1, "maxLength": MAX, "pattern": pattern});
        if MULTILINE {
            schema.insert("description".into(), "May have line breaks and tabs.".into());
        }
        schema
    }
}

/// Returns the characters of a text in Unicode normalization form C (NFC).
pub fn nfc(text: &str) -> impl Iterator<Item = char> {
    Composing::new_nfc().normalize_iter(text.chars())
}

/// Folds a text, so that case and compatibility forms (NFKC) do not matter.
///
/// This is the compatibility caseless matching of the Unicode Standard (chapter 3, D146).
#[must_use]
pub fn fold(text: &str) -> String {
    let folded = Decomposing::new_nfd().normalize_iter(text.chars()).default_case_fold();
    let folded = Decomposing::new_nfkd().normalize_iter(folded).default_case_fold();
    Composing::new_nfkc().normalize_iter(folded).collect()
}

/// Splits a text at white space into the words that people compare: folded, and without invisible characters.
#[must_use]
pub fn folded_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for word in text.split_whitespace() {
        // Most words have only ASCII, brackets such as 〈〉 and Hangul. With the tables of Unicode for them too, a search
        // among 10,000 events would take over 100 ms.
        if word.chars().all(|c| matches!(c, '\0'..='\x7f' | '、'..='】' | '가'..='힣')) {
            words.push(word.to_ascii_lowercase());
        } else {
            words.extend(fold(&word.replace(is_invisible, "")).split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// Removes white space and invisible characters from both ends of a text.
#[must_use]
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_invisible)
}

/// Returns true if a text is empty or has only white space and invisible characters.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_invisible)
}

/// Returns true if a character is white space or leaves no mark.
///
/// The latter are the default-ignorable characters of Unicode, such as the zero-width space U+200B and the Hangul
/// filler U+3164, and the Braille pattern without dots.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_whitespace() || c == '\u{2800}' || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}

/// Returns true if a text of several lines must not contain a character.
#[must_use]
pub fn is_control_in_paragraph(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
}

/// Returns the length of a text in a JSON string, in bytes.
///
/// Quotes, backslashes, tabs and line breaks take a second byte. Other control characters would take more,
/// but no response has any.
#[must_use]
pub fn escaped_len(text: &str) -> usize {
    let count = |byte| memchr_iter(byte, text.as_bytes()).count();
    text.len() + br#""\"#.iter().chain(b"\n\r\t").copied().map(count).sum::<usize>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_values_are_counted() {
        let text = "가".repeat(19) + "🎫";
        assert_eq!(Line::<20>::parse(&text).unwrap().as_str(), text);
        assert_eq!(Line::<20>::parse(&("\u{301}".to_owned() + &text)), Err(vec![Violation::TooLong(20)]));
    }

    #[test]
    fn invisible_line_is_missing() {
        let blanks = "|\u{a0}\t\n\u{3000}|\u{ad}|\u{115f}\u{1160}|\u{200b} \u{200d}|\u{2060}\u{180e}|\u{2800}|\u{3164}\u{ffa0}\
                      |\u{fe0f}\u{feff}|\u{1d173}\u{e0020}";
        for blank in blanks.split('|') {
            assert_eq!(Line::<20>::parse(blank), Err(vec![Violation::Required]), "{blank:?}");
        }
        // A combining mark, a soft sign, Hangul letters, a Braille dot, a private and an unassigned character.
        for text in ["\u{200b}.", "\u{301}", "ь", "ㅣ", "\u{1175}", "\u{2801}", "\u{e000}", "\u{378}"] {
            assert!(Line::<20>::parse(text).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn surrounding_white_space_is_kept() {
        assert_eq!(Line::<20>::parse("  김 철수 ").unwrap().as_str(), "  김 철수 ");
    }

    #[test]
    fn only_paragraphs_have_line_breaks() {
        assert_eq!(Line::<2>::parse("a\tb"), Err(vec![Violation::TooLong(2), Violation::ControlCharacter]));
        assert!(Paragraph::<9>::parse("a\r\n\tb").is_ok());
        for control in ['\0', '\u{1b}', '\u{7f}', '\u{85}'] {
            let text = format!("a{control}b");
            assert_eq!(Paragraph::<9>::parse(&text), Err(vec![Violation::ControlCharacter]));
        }
    }

    #[test]
    fn folding_ignores_width_case_composition() {
        for (one, other) in [
            ("ＡＢＣ１２３", "abc123"),
            ("각", "\u{1100}\u{1161}\u{11a8}"),
            ("ﬃ", "FFI"),
            ("Straße", "STRASSE"),
            ("①", "1"),
            ("\u{345}\u{3b1}", "Ι\u{391}"),
        ] {
            assert_eq!(fold(one), fold(other), "{one} {other}");
            assert_eq!(fold(&fold(one)), fold(one));
        }
        for (one, other) in [("각", "간"), ("a b", "ab"), ("é", "e")] {
            assert_ne!(fold(one), fold(other), "{one} {other}");
        }
    }

    #[test]
    fn words_have_no_invisible_characters() {
        let expected = ["spring", "concert〉", "é", "아이"];
        assert_eq!(folded_words("Spring Concert〉 é 아이"), expected);
        let other = "\u{feff}Ｓp\u{ad}ring\u{3000}\u{200b} Concert\u{2800}〉\te\u{200d}\u{301} 아\u{3164}이\u{fe0f}";
        assert_eq!(folded_words(other), expected);
        assert_eq!(folded_words("\u{200b} \u{115f}\n"), [""; 0]);
    }

    #[test]
    fn escaped_len_matches_serde_json() {
        for text in ["", "가a</>", "\"\\\n\r\t", "\"\"가\\\\"] {
            assert_eq!(escaped_len(text) + "\"\"".len(), serde_json::to_string(text).unwrap().len(), "{text}");
        }
    }
}
