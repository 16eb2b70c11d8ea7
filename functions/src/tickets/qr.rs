//! Pictures of QR codes.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc};

/// Light modules around a code (ISO/IEC 18004, 9.1).
const QUIET_ZONE: i32 = 4;

/// Maximum number of bytes of a text in a QR code with error correction M (ISO/IEC 18004, table 7: version 40).
pub const MAX_BYTES: usize = 2_331;

/// Draws a text as a QR code in SVG, with error correction M or better; `None` if it is longer than `MAX_BYTES`.
///
/// Each run of dark modules is a line: its start relative to the end of the one before, and its length.
#[must_use]
pub fn picture(text: &str) -> Option<String> {
    let code = QrCode::encode_binary(text.as_bytes(), QrCodeEcc::Medium).ok()?;
    let size = code.size();
    let mut lines = String::new();
    let (mut x, mut y) = (0, 0);
    for row in 0..size {
        let mut column = 0;
        while column < size {
            let dark = (column..size).take_while(|column| code.get_module(*column, row)).count();
            let length = i32::try_from(dark).ok()?;
            if length > 0 {
                write!(lines, "m{} {}h{length}", column - x, row - y).ok()?;
                (x, y) = (column + length, row);
            }
            column += length + 1;
        }
    }
    let (start, width) = (-QUIET_ZONE, size + 2 * QUIET_ZONE);
    Some(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{start} {start} {width} {width}\" shape-rendering=\"crispEdges\">\
         <path fill=\"#fff\" d=\"M{start} {start}h{width}v{width}h-{width}z\"/>\
         <path stroke=\"#000\" d=\"M0 .5{lines}\"/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the dark modules back from a picture.
    fn modules(picture: &str, size: i32) -> Vec<bool> {
        let lines = picture.split_once("d=\"M0 .5").unwrap().1.split('"').next().unwrap();
        let mut modules = vec![false; usize::try_from(size * size).unwrap()];
        let (mut x, mut y) = (0, 0);
        for line in lines.split('m').skip(1) {
            let (from, run) = line.split_once('h').unwrap();
            let (right, down) = from.split_once(' ').unwrap();
            let [right, down, run] = [right, down, run].map(|number| number.parse::<i32>().unwrap());
            (x, y) = (x + right, y + down);
            for column in x..x + run {
                modules[usize::try_from(y * size + column).unwrap()] = true;
            }
            x += run;
        }
        modules
    }

    #[test]
    fn picture_has_modules_of_code() {
        let text = "a_-9".repeat(43);
        let code = QrCode::encode_binary(text.as_bytes(), QrCodeEcc::Medium).unwrap();
        assert_ne!(code.error_correction_level(), QrCodeEcc::Low);
        let (picture, size) = (picture(&text).unwrap(), code.size());
        let expected: Vec<_> = (0..size * size).map(|at| code.get_module(at % size, at / size)).collect();
        assert_eq!(modules(&picture, size), expected);
        assert!(picture.len() <= 8 * 1024, "{}", picture.len());
        assert!(picture.contains(&format!("viewBox=\"-4 -4 {0} {0}\"", size + 8)));
        assert!(super::picture(&"a".repeat(MAX_BYTES)).is_some());
        assert!(super::picture(&"a".repeat(MAX_BYTES + 1)).is_none());
    }
}
