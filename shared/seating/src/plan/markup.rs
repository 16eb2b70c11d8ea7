//! Texts and numbers in SVG markup.

use std::fmt::{self, Display, Formatter, Write as _};

/// Text between tags, with reserved characters escaped.
///
/// U+FFFE and U+FFFF, which a title or label may have but XML forbids, become U+FFFD.
#[derive(Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Shortest decimal, in SVG notation, that parses to the same double.
#[derive(Clone, Copy)]
pub struct Shortest(pub f64);

impl Display for Shortest {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut buffer = zmij::Buffer::new();
        let decimal = buffer.format_finite(self.0);
        f.write_str(decimal.strip_suffix(".0").unwrap_or(decimal))
    }
}

#[derive(Clone, Copy)]
pub struct Rounded(pub f64);

impl Display for Rounded {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        Shortest(rounded(self.0)).fmt(f)
    }
}

/// Rounds a length to four significant digits.
pub fn rounded(length: f64) -> f64 {
    format!("{length:.3e}").parse().unwrap_or(length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn text_is_escaped() {
        assert_eq!(Escaped("<a & 'b' \"c\" ]]>").to_string(), "&lt;a &amp; 'b' \"c\" ]]&gt;");
        assert_eq!(Escaped("\u{fffe}가\u{ffff}").to_string(), "\u{fffd}가\u{fffd}");
    }

    #[test]
    fn lengths_round_to_four_digits() {
        for (length, rounded) in [(0.0, "0"), (1.23456, "1.235"), (123_456.0, "123500"), (1e-7 / 3.0, "3.333e-8")] {
            assert_eq!(Rounded(length).to_string(), rounded);
        }
    }

    #[test]
    fn decimals_are_shortest() {
        for (number, shortest) in
            [(0.0, "0"), (30.5, "30.5"), (-1e6, "-1000000"), (0.1, "0.1"), (1e-7, "1e-7"), (5e-324, "5e-324")]
        {
            assert_eq!(Shortest(number).to_string(), shortest);
        }
    }

    proptest! {
        #[test]
        fn decimals_round_trip(number in -1e6_f64..1e6, exponent in -300..=0) {
            for number in [number, number * 10_f64.powi(exponent)] {
                let shortest = Shortest(number).to_string();
                prop_assert_eq!(shortest.parse::<f64>().unwrap().to_bits(), number.to_bits());
                prop_assert!(shortest.len() <= "-1.2345678901234567e-300".len(), "{}", shortest);
            }
        }
    }
}
