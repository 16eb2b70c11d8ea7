//! Hangul syllables and their initial consonants (The Unicode Standard, section 3.12).

const FIRST_SYLLABLE: u32 = 0xAC00;
const SYLLABLES: u32 = 11_172;
const SYLLABLES_OF_ONE_INITIAL: u32 = 588;
/// The first of the 19 initial consonants; NFKC converts the letters on a keyboard to these.
const FIRST_INITIAL: u32 = 0x1100;
const INITIALS: u32 = 19;

/// Returns the number of a syllable: 0 for `가`, 11,171 for `힣`.
pub fn syllable_number(c: char) -> Option<u16> {
    let number = u32::from(c).checked_sub(FIRST_SYLLABLE).filter(|number| *number < SYLLABLES)?;
    u16::try_from(number).ok()
}

/// Returns the syllable with this number.
pub fn syllable(number: u16) -> Option<char> {
    let number = Some(u32::from(number)).filter(|number| *number < SYLLABLES)?;
    char::from_u32(FIRST_SYLLABLE + number)
}

/// Returns true for an initial consonant, in the form that NFKC gives it.
pub fn is_initial(c: char) -> bool {
    (FIRST_INITIAL..FIRST_INITIAL + INITIALS).contains(&u32::from(c))
}

/// Replaces each syllable with its initial consonant.
pub fn initials(text: &str) -> String {
    text.chars().map(|c| initial(c).unwrap_or(c)).collect()
}

fn initial(c: char) -> Option<char> {
    char::from_u32(FIRST_INITIAL + u32::from(syllable_number(c)?) / SYLLABLES_OF_ONE_INITIAL)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{fold, nfc};
    use icu_normalizer::DecomposingNormalizerBorrowed as Decomposing;

    #[test]
    fn initials_follow_decomposition() {
        for number in 0..11_172 {
            let c = syllable(number).unwrap();
            let decomposed: String = Decomposing::new_nfd().normalize_iter([c].into_iter()).collect();
            assert_eq!(nfc(&decomposed).collect::<Vec<_>>(), [c]);
            assert_eq!(initials(&c.to_string()).chars().next(), decomposed.chars().next(), "{c}");
            assert_eq!(syllable_number(c), Some(number));
        }
        assert_eq!(syllable(11_172), None);
        for other in ['\u{abff}', '\u{d7a4}', 'ㄱ', 'a'] {
            assert_eq!(syllable_number(other), None);
            assert_eq!(initials(&other.to_string()), other.to_string());
        }
    }

    #[test]
    fn letters_of_keyboards_are_initials() {
        let is_initials = |text| fold(text).chars().all(is_initial);
        assert!(is_initials("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ"));
        assert!(is_initials("\u{ffa1}\u{ffbe}\u{1100}\u{1112}"), "halfwidth and conjoining forms");
        for other in ["ㅏ", "ㅣ", "ㄳ", "ㅄ", "ㅿ", "ㄱㅏ", "가", "a", "1", "\u{1113}", "\u{11a8}"] {
            assert!(!is_initials(other), "{other}");
        }
    }
}
