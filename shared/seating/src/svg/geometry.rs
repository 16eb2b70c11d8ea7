//! Sizes in user units.

/// Maximum absolute value of a number.
const MAX: f64 = 1e30;

/// Reads a `viewBox` attribute; returns `None` if it is malformed.
pub fn view_box(value: &str) -> Option<[f64; 4]> {
    let numbers = value.split(|c: char| c == ',' || c.is_ascii_whitespace()).filter(|number| !number.is_empty());
    let numbers: Vec<f64> = numbers.map(|number| number.parse().ok()).collect::<Option<_>>()?;
    numbers.try_into().ok().filter(|numbers: &[f64; 4]| numbers.iter().all(|number| number.abs() <= MAX))
}

/// Reads a length in user units, 96 to the inch; returns `None` for other units and percentages.
pub fn length(text: &str) -> Option<f64> {
    let text = text.trim();
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    // CSS Values and Units 4, section 6.2.
    let unit = match &text[number.len()..] {
        "" | "px" => 1.0,
        "pt" => 4.0 / 3.0,
        "pc" => 16.0,
        "mm" => 96.0 / 25.4,
        "cm" => 96.0 / 2.54,
        "in" => 96.0,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * unit).filter(|length| length.abs() <= MAX)
}
