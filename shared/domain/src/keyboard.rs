//! Letters that are typed on the usual Korean keyboard, in which a text is found while a word is typed.

use std::cell::OnceCell;

/// Number of syllables with the same initial consonant, and with the same initial consonant and vowel (The Unicode
/// Standard, section 3.12).
const SYLLABLES_OF_INITIAL: u32 = 588;
const SYLLABLES_OF_VOWEL: u32 = 28;

/// Vowels and final consonants, in the order of the syllables, as the letters that are typed for them.
const VOWELS: [&str; 21] = [
    "ㅏ", "ㅐ", "ㅑ", "ㅒ", "ㅓ", "ㅔ", "ㅕ", "ㅖ", "ㅗ", "ㅗㅏ", "ㅗㅐ", "ㅗㅣ", "ㅛ", "ㅜ", "ㅜㅓ", "ㅜㅔ", "ㅜㅣ",
    "ㅠ", "ㅡ", "ㅡㅣ", "ㅣ",
];
const FINALS: [&str; 28] = [
    "", "ㄱ", "ㄲ", "ㄱㅅ", "ㄴ", "ㄴㅈ", "ㄴㅎ", "ㄷ", "ㄹ", "ㄹㄱ", "ㄹㅁ", "ㄹㅂ", "ㄹㅅ", "ㄹㅌ", "ㄹㅍ", "ㄹㅎ",
    "ㅁ", "ㅂ", "ㅂㅅ", "ㅅ", "ㅆ", "ㅇ", "ㅈ", "ㅊ", "ㅋ", "ㅌ", "ㅍ", "ㅎ",
];
const INITIALS: [char; 19] =
    ['ㄱ', 'ㄲ', 'ㄴ', 'ㄷ', 'ㄸ', 'ㄹ', 'ㅁ', 'ㅂ', 'ㅃ', 'ㅅ', 'ㅆ', 'ㅇ', 'ㅈ', 'ㅉ', 'ㅊ', 'ㅋ', 'ㅌ', 'ㅍ', 'ㅎ'];

/// Word of a query as the letters that are typed for it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TypedWord {
    letters: String,
    /// True if the letters can all begin a syllable.
    is_initials: bool,
}

/// Folded text in which typed words are found.
///
/// Its letters are computed when the first word needs them.
pub(crate) struct TypedText<'a> {
    text: &'a str,
    /// The text, with each Hangul syllable as its initial consonant.
    initials: OnceCell<String>,
    letters: OnceCell<Letters>,
}

/// Letters that are typed for a text.
struct Letters {
    letters: String,
    /// Offset of the first letter of each character.
    starts: Vec<usize>,
}

impl TypedWord {
    /// Returns the letters of a folded word, or `None` if they are the word itself.
    pub fn new(word: &str) -> Option<Self> {
        let letters = typed(word);
        let is_initials = letters.chars().all(|c| INITIALS.contains(&c));
        (letters != word).then_some(Self { letters, is_initials })
    }
}

impl<'a> TypedText<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, initials: OnceCell::new(), letters: OnceCell::new() }
    }

    /// Returns true if a word occurs, beginning where a character begins.
    ///
    /// The letters of a syllable tell where it ends, except at the end of the word: so its last syllable matches all
    /// that somebody can still type. A word of consonants also matches the syllables that begin with them.
    pub fn has(&self, word: &TypedWord) -> bool {
        let initials = || self.initials.get_or_init(|| self.text.chars().map(initial).collect());
        if word.is_initials && initials().contains(&word.letters) {
            return true;
        }
        let Letters { letters, starts } = self.letters.get_or_init(|| Letters::new(self.text));
        starts.iter().any(|start| letters[*start..].starts_with(&word.letters))
    }
}

impl Letters {
    fn new(text: &str) -> Self {
        let (mut letters, mut starts) = (String::new(), Vec::new());
        for c in text.chars() {
            starts.push(letters.len());
            push_letters(c, &mut letters);
        }
        Self { letters, starts }
    }
}

/// Returns the letters that are typed for a folded text.
fn typed(text: &str) -> String {
    Letters::new(text).letters
}

/// Adds the letters that are typed for a folded character; characters that are not Korean stay as they are.
///
/// Folding turns the letters of a keyboard into the ones from which syllables are composed.
fn push_letters(c: char, letters: &mut String) {
    let index = |first: u32| u32::from(c).checked_sub(first).map(|index| index as usize);
    let initial = index(0x1100).and_then(|index| INITIALS.get(index));
    let vowel = index(0x1161).and_then(|index| VOWELS.get(index));
    let last = index(0x11A7).and_then(|index| FINALS.get(index));
    match (syllable(c), initial, vowel.or(last)) {
        (Some([initial, vowel, last]), ..) => {
            letters.push(INITIALS[initial]);
            letters.push_str(VOWELS[vowel]);
            letters.push_str(FINALS[last]);
        }
        (_, Some(initial), _) => letters.push(*initial),
        (.., Some(typed)) => letters.push_str(typed),
        _ => letters.push(c),
    }
}

/// Returns the consonant with which a syllable begins; other characters stay as they are.
fn initial(c: char) -> char {
    let single = || INITIALS.get(u32::from(c).checked_sub(0x1100)? as usize).copied();
    syllable(c).map(|[initial, ..]| INITIALS[initial]).or_else(single).unwrap_or(c)
}

/// Returns the numbers of the initial consonant, the vowel and the final consonant of a Hangul syllable.
fn syllable(c: char) -> Option<[usize; 3]> {
    if !('가'..='힣').contains(&c) {
        return None;
    }
    let number = u32::from(c) - u32::from('가');
    let (initial, rest) = (number / SYLLABLES_OF_INITIAL, number % SYLLABLES_OF_INITIAL);
    Some([initial, rest / SYLLABLES_OF_VOWEL, rest % SYLLABLES_OF_VOWEL].map(|number| number as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_follow_decomposition() {
        let nfkd = icu_normalizer::DecomposingNormalizerBorrowed::new_nfkd();
        let decomposed = |letters: &str| nfkd.normalize_iter(letters.chars()).collect::<String>();
        for c in '가'..='힣' {
            assert_eq!(typed(&c.to_string()), typed(&decomposed(&c.to_string())), "{c}");
        }
        // Keyboards and syllables have the same letters, except for those that are typed as two.
        let single = |names: &[&str], first: u32| {
            for (index, name) in (0..).zip(names).filter(|(_, name)| name.chars().count() == 1) {
                assert_eq!(decomposed(name).chars().map(u32::from).collect::<Vec<_>>(), [first + index], "{name}");
            }
        };
        single(&INITIALS.map(String::from).each_ref().map(String::as_str), 0x1100);
        single(&VOWELS, 0x1161);
        assert_eq!(typed("뷁쮀궤긔꿱"), "ㅂㅜㅔㄹㄱㅉㅜㅔㄱㅜㅔㄱㅡㅣㄲㅜㅔㄱ");
        assert_eq!(typed("\u{abff}\u{d7a4}ab"), "\u{abff}\u{d7a4}ab");
    }
}
