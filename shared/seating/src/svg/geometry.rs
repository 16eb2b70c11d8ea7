//! Sizes of shapes and viewports, in user units.

use std::str::FromStr as _;

use svgtypes::{Length, LengthUnit, PointsParser, SimplePathSegment, SimplifyingPathParser, Transform, ViewBox};

/// Upper bounds for what a shape covers.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outline {
    /// Area of the rectangle around the shape.
    pub area: f64,
    /// Length of the line around the shape.
    pub length: f64,
    /// Number of lines and curves.
    pub segments: usize,
}

impl Outline {
    pub const fn rectangle(width: f64, height: f64) -> Self {
        Self { area: width * height, length: 2.0 * (width + height), segments: 4 }
    }

    pub const fn line(width: f64, height: f64) -> Self {
        Self { area: 0.0, length: width + height, segments: 1 }
    }

    /// Measures the attribute `d`; returns `None` if it is malformed.
    pub fn path(d: &str) -> Option<Self> {
        let mut measured = Measured::default();
        for segment in SimplifyingPathParser::from(d) {
            match segment.ok()? {
                SimplePathSegment::MoveTo { x, y } => measured.start(x, y),
                SimplePathSegment::LineTo { x, y } => measured.segment(&[(x, y)]),
                SimplePathSegment::Quadratic { x1, y1, x, y } => measured.segment(&[(x1, y1), (x, y)]),
                SimplePathSegment::CurveTo { x1, y1, x2, y2, x, y } => {
                    measured.segment(&[(x1, y1), (x2, y2), (x, y)]);
                }
                SimplePathSegment::ClosePath => measured.close(),
            }
        }
        Some(measured.outline())
    }

    /// Measures the attribute `points`, up to the first part that is malformed.
    pub fn polygon(points: &str) -> Self {
        let mut measured = Measured::default();
        for (number, (x, y)) in PointsParser::from(points).enumerate() {
            if number == 0 {
                measured.start(x, y);
            } else {
                measured.segment(&[(x, y)]);
            }
        }
        measured.close();
        measured.outline()
    }
}

/// Points of a path read so far.
#[derive(Default)]
struct Measured {
    bounds: Option<[f64; 4]>,
    start: (f64, f64),
    last: (f64, f64),
    length: f64,
    segments: usize,
}

impl Measured {
    fn start(&mut self, x: f64, y: f64) {
        self.start = (x, y);
        self.last = (x, y);
        self.include(x, y);
    }

    /// Adds a line or curve; a curve is not longer than the lines through its control points, nor outside of them.
    fn segment(&mut self, points: &[(f64, f64)]) {
        self.segments += 1;
        for &(x, y) in points {
            self.length += (x - self.last.0).hypot(y - self.last.1);
            self.last = (x, y);
            self.include(x, y);
        }
    }

    fn close(&mut self) {
        let (x, y) = self.start;
        self.segment(&[(x, y)]);
    }

    fn include(&mut self, x: f64, y: f64) {
        let [left, top, right, bottom] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    fn outline(self) -> Outline {
        let [left, top, right, bottom] = self.bounds.unwrap_or_default();
        Outline { area: (right - left) * (bottom - top), length: self.length, segments: self.segments }
    }
}

/// Reads a length in user units; a percentage is one of a viewport's side.
///
/// Returns `None` for a length that depends on a font, and for a malformed one.
pub fn length(value: &str, side: f64) -> Option<f64> {
    // CSS Values and Units 4, section 6.2: 96 px are one inch.
    let Length { number, unit } = Length::from_str(value.trim()).ok()?;
    let unit = match unit {
        LengthUnit::None | LengthUnit::Px => 1.0,
        LengthUnit::In => 96.0,
        LengthUnit::Cm => 96.0 / 2.54,
        LengthUnit::Mm => 96.0 / 25.4,
        LengthUnit::Pt => 4.0 / 3.0,
        LengthUnit::Pc => 16.0,
        LengthUnit::Percent => side / 100.0,
        LengthUnit::Em | LengthUnit::Ex => return None,
    };
    Some((number * unit).abs())
}

/// Returns the greatest factor by which a `transform` attribute stretches a length; `None` if it is malformed.
pub fn scale(transform: &str) -> Option<f64> {
    // The greater singular value of the matrix.
    let Transform { a, b, c, d, .. } = Transform::from_str(transform).ok()?;
    let (sum, determinant) = (a * a + b * b + c * c + d * d, a * d - b * c);
    let root = (sum * sum - 4.0 * determinant * determinant).max(0.0).sqrt();
    Some(f64::midpoint(sum, root).sqrt())
}

/// Returns the width and height of a `viewBox` attribute; `None` if it is malformed or empty.
pub fn view_box(value: &str) -> Option<(f64, f64)> {
    ViewBox::from_str(value).ok().map(|view_box| (view_box.w, view_box.h))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_measured_with_their_control_points() {
        let square = Outline { area: 100.0, length: 40.0, segments: 4 };
        assert_eq!(Outline::path("M5 5h10v10h-10z"), Some(square));
        assert_eq!(Outline::polygon("5,5 15,5 15,15 5,15"), square);
        assert_eq!(Outline::rectangle(10.0, 10.0), square);
        let curve = Outline::path("M0 0C0 30 40 30 40 0").unwrap();
        assert_eq!((curve.area, curve.length, curve.segments), (1200.0, 100.0, 1));
        assert_eq!(Outline::path(""), Some(Outline::default()));
        for malformed in ["10 10", "M0 0 L9", "M0 0 Q"] {
            assert_eq!(Outline::path(malformed), None, "{malformed}");
        }
    }

    #[test]
    fn lengths_are_read_in_user_units() {
        for (value, expected) in [
            ("2", Some(2.0)),
            (" 2px ", Some(2.0)),
            ("1in", Some(96.0)),
            ("50%", Some(200.0)),
            ("-3", Some(3.0)),
            ("1em", None),
            ("wide", None),
        ] {
            assert_eq!(length(value, 400.0), expected, "{value}");
        }
    }

    #[test]
    fn scale_is_the_greatest_stretch() {
        for (transform, expected) in [
            ("", Some(1.0)),
            ("translate(900 900) rotate(30)", Some(1.0)),
            ("scale(2)", Some(2.0)),
            ("scale(0.1,-0.5)", Some(0.5)),
            ("matrix(0 3 4 0 9 9)", Some(4.0)),
            ("scale(2) scale(3)", Some(6.0)),
            ("twist(3)", None),
            ("scale(1000", None),
        ] {
            let actual = scale(transform);
            let is_equal = match (actual, expected) {
                (Some(actual), Some(expected)) => (actual - expected).abs() < 1e-9,
                _ => actual == expected,
            };
            assert!(is_equal, "{transform}: {actual:?}");
        }
    }
}
