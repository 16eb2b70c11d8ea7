//! Sizes that plain numbers in attributes prove.
//!
//! Whatever is not a plain number proves nothing. No bound is smaller than the true size, and none takes more time or
//! memory to find than the text is long.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

/// Largest number that proves something; larger ones could overflow.
const MAX: f64 = 1e30;

/// Factors by which a transform enlarges areas and lengths; infinite if they are not proven.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    pub area: f64,
    pub length: f64,
}

impl Scale {
    pub const ONE: Self = Self { area: 1.0, length: 1.0 };
    pub const UNPROVEN: Self = Self { area: f64::INFINITY, length: f64::INFINITY };

    /// Returns the scale that a factor has in both directions.
    pub const fn uniform(factor: f64) -> Self {
        Self { area: factor * factor, length: factor }
    }

    pub const fn is_proven(self) -> bool {
        self.area <= MAX && self.length <= MAX
    }

    /// Combines the scales of an outer and an inner transform.
    pub fn times(self, inner: Self) -> Self {
        Self { area: product(self.area, inner.area), length: product(self.length, inner.length) }
    }
}

/// Multiplies two bounds so that a product is never too small: it cannot underflow, and has no NaN.
pub fn product(one: f64, other: f64) -> f64 {
    let product = one * other;
    if product <= MAX { product.max(1.0 / MAX) } else { f64::INFINITY }
}

/// Upper bounds for the size of a shape, in its own user units.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outline {
    /// Area of the rectangle around the shape.
    pub area: f64,
    /// Length of all lines and curves.
    pub length: f64,
    /// Number of points at which lines and curves start or end.
    pub vertices: u64,
}

impl Outline {
    pub fn rectangle(width: f64, height: f64) -> Option<Self> {
        Self { area: width * height, length: 2.0 * (width + height), vertices: 4 }.proven()
    }

    pub fn line(width: f64, height: f64) -> Option<Self> {
        Self { area: width * height, length: width + height, vertices: 2 }.proven()
    }

    /// Reads the attribute `points`; returns `None` if it is malformed.
    pub fn points(points: &str) -> Option<Self> {
        let (mut numbers, mut pen) = (Numbers::new(points), Pen::default());
        while let Some(x) = numbers.next() {
            pen.line_to((x, numbers.next()?));
        }
        pen.close();
        numbers.is_at_end().then(|| pen.outline())?
    }

    /// Reads the attribute `d`; returns `None` if it is malformed.
    pub fn path(d: &str) -> Option<Self> {
        let (mut numbers, mut pen) = (Numbers::new(d), Pen::default());
        let mut command = None;
        while !numbers.is_at_end() {
            command = numbers.letter().or(command);
            let letter = command?;
            let origin = if letter.is_ascii_lowercase() { pen.at } else { (0.0, 0.0) };
            let mut point = || Some((origin.0 + numbers.next()?, origin.1 + numbers.next()?));
            match letter.to_ascii_uppercase() {
                b'M' => {
                    let start = point()?;
                    pen.move_to(start);
                    // Further points are those of lines.
                    command = Some(if letter == b'm' { b'l' } else { b'L' });
                }
                b'L' => pen.line_to(point()?),
                b'H' => pen.line_to((origin.0 + numbers.next()?, pen.at.1)),
                b'V' => pen.line_to((pen.at.0, origin.1 + numbers.next()?)),
                b'C' => pen.curve_to(Some(b'C'), &[point()?, point()?, point()?]),
                b'S' => pen.curve_to(Some(b'C'), &[pen.reflected(b'C'), point()?, point()?]),
                b'Q' => pen.curve_to(Some(b'Q'), &[point()?, point()?]),
                b'T' => pen.curve_to(Some(b'Q'), &[pen.reflected(b'Q'), point()?]),
                b'A' => {
                    let (rx, ry) = (numbers.next()?.abs(), numbers.next()?.abs());
                    numbers.next()?;
                    numbers.flag()?;
                    numbers.flag()?;
                    pen.arc_to(rx, ry, (origin.0 + numbers.next()?, origin.1 + numbers.next()?));
                }
                b'Z' => {
                    pen.close();
                    // A number must not follow.
                    command = None;
                }
                _ => return None,
            }
        }
        pen.outline()
    }

    fn proven(self) -> Option<Self> {
        (self.area <= MAX && self.length <= MAX).then_some(self)
    }
}

/// Points of a path read so far.
#[derive(Default)]
struct Pen {
    at: (f64, f64),
    start: (f64, f64),
    /// Last control point, and the kind of its curve.
    control: Option<(u8, (f64, f64))>,
    bounds: Option<[f64; 4]>,
    length: f64,
    vertices: u64,
}

impl Pen {
    fn move_to(&mut self, point: (f64, f64)) {
        (self.at, self.start) = (point, point);
        self.include(point);
        self.vertices += 1;
        self.control = None;
    }

    fn line_to(&mut self, point: (f64, f64)) {
        if self.bounds.is_none() {
            return self.move_to(point);
        }
        self.curve_to(None, &[point]);
    }

    /// Adds a curve, which is not longer than the lines through its control points, nor outside of them.
    fn curve_to(&mut self, kind: Option<u8>, points: &[(f64, f64)]) {
        let from = self.at;
        for &point in points {
            self.length += distance(self.at, point);
            self.at = point;
            self.include(point);
        }
        let control = points.len().checked_sub(2).map_or(from, |control| points[control]);
        self.control = kind.map(|kind| (kind, control));
        self.vertices += 1;
    }

    /// Adds an arc; if its radii are too small for the distance, browsers enlarge both alike.
    fn arc_to(&mut self, rx: f64, ry: f64, point: (f64, f64)) {
        let enlarged = (distance(self.at, point) / 2.0 / rx.min(ry)).max(1.0);
        let radius = if rx.min(ry) > 0.0 { rx.max(ry) * enlarged } else { 0.0 };
        let (x, y) = self.at;
        self.include((x - 2.0 * radius, y - 2.0 * radius));
        self.include((x + 2.0 * radius, y + 2.0 * radius));
        self.length += 2.0 * std::f64::consts::PI * radius;
        self.curve_to(None, &[point]);
    }

    fn close(&mut self) {
        self.curve_to(None, &[self.start]);
    }

    /// Returns the first control point of a curve that continues the one before.
    fn reflected(&self, kind: u8) -> (f64, f64) {
        match self.control {
            Some((of, (x, y))) if of == kind => (2.0 * self.at.0 - x, 2.0 * self.at.1 - y),
            _ => self.at,
        }
    }

    fn include(&mut self, (x, y): (f64, f64)) {
        let [left, top, right, bottom] = self.bounds.unwrap_or([x, y, x, y]);
        self.bounds = Some([left.min(x), top.min(y), right.max(x), bottom.max(y)]);
    }

    fn outline(self) -> Option<Outline> {
        let [left, top, right, bottom] = self.bounds.unwrap_or_default();
        let area = (right - left) * (bottom - top);
        Outline { area, length: self.length, vertices: self.vertices }.proven()
    }
}

/// Returns an upper bound for the distance of two points.
fn distance(one: (f64, f64), other: (f64, f64)) -> f64 {
    (one.0 - other.0).abs() + (one.1 - other.1).abs()
}

/// Numbers and letters of an attribute, separated as SVG 2 allows (section 9.3.9).
struct Numbers<'a> {
    rest: &'a [u8],
    /// True if a comma was read that another number must follow.
    is_open: bool,
}

impl<'a> Numbers<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.as_bytes().trim_ascii_start(), is_open: false }
    }

    fn is_at_end(&self) -> bool {
        self.rest.is_empty() && !self.is_open
    }

    /// Reads a letter, after which numbers may follow.
    fn letter(&mut self) -> Option<u8> {
        let letter = *self.rest.first().filter(|byte| byte.is_ascii_alphabetic() && !self.is_open)?;
        self.rest = self.rest[1..].trim_ascii_start();
        Some(letter)
    }

    /// Reads a flag of an arc, which needs no separator.
    fn flag(&mut self) -> Option<()> {
        self.rest.first().filter(|byte| matches!(byte, b'0' | b'1'))?;
        self.skip(1);
        Some(())
    }

    fn next(&mut self) -> Option<f64> {
        let digits = |from: usize| {
            let digits = self.rest.get(from..).unwrap_or_default().iter().take_while(|byte| byte.is_ascii_digit());
            from + digits.count()
        };
        let is_at = |at: usize, bytes: &[u8]| self.rest.get(at).is_some_and(|byte| bytes.contains(byte));
        let mut end = digits(usize::from(is_at(0, b"+-")));
        if is_at(end, b".") {
            end = digits(end + 1);
        }
        if is_at(end, b"eE") {
            let sign = usize::from(is_at(end + 1, b"+-"));
            end = digits(end + 1 + sign);
        }
        let number: f64 = std::str::from_utf8(&self.rest[..end]).ok()?.parse().ok()?;
        if number.abs() > MAX {
            return None;
        }
        self.skip(end);
        Some(number)
    }

    /// Skips bytes, white space, and one comma.
    fn skip(&mut self, bytes: usize) {
        let rest = self.rest[bytes..].trim_ascii_start();
        let after_comma = rest.strip_prefix(b",");
        self.is_open = after_comma.is_some();
        self.rest = after_comma.unwrap_or(rest).trim_ascii_start();
    }
}

/// Returns the scale of a `transform` attribute, and a hash of it unless it only moves.
pub fn transform(value: &str) -> (Scale, Option<u64>) {
    let mut scale = Scale::ONE;
    let mut hasher = DefaultHasher::new();
    let mut only_moves = true;
    let mut rest = value.trim_ascii();
    while !rest.is_empty() {
        let function = rest.split_once('(').and_then(|(name, rest)| Some((name.trim_ascii(), rest.split_once(')')?)));
        let Some((name, (arguments, after))) = function else { return (Scale::UNPROVEN, Some(0)) };
        let mut numbers = Numbers::new(arguments);
        let arguments: Vec<f64> = std::iter::from_fn(|| numbers.next()).take(7).collect();
        scale = scale.times(match (name, &arguments[..]) {
            _ if !numbers.is_at_end() => Scale::UNPROVEN,
            ("translate", [_] | [_, _]) | ("rotate", [_] | [_, _, _]) => Scale::ONE,
            ("scale", [x]) => Scale::uniform(x.abs()),
            ("scale", [x, y]) => Scale { area: (x * y).abs(), length: x.abs().max(y.abs()) },
            ("matrix", [a, b, c, d, _, _]) => Scale { area: (a * d - b * c).abs(), length: a.hypot(*b) + c.hypot(*d) },
            _ => Scale::UNPROVEN,
        });
        // The last two numbers of a matrix, and the centre of a rotation, only move.
        let turning = match (name, arguments.len()) {
            ("translate", _) => 0,
            ("matrix", 6) if arguments.starts_with(&[1.0, 0.0, 0.0, 1.0]) => 0,
            ("matrix", 6) => 4,
            ("rotate", 3) => 1,
            (_, count) => count,
        };
        only_moves &= turning == 0;
        (name, arguments[..turning].iter().map(|number| number.to_bits()).collect::<Vec<_>>()).hash(&mut hasher);
        rest = after.trim_ascii_start();
        rest = rest.strip_prefix(',').unwrap_or(rest).trim_ascii_start();
    }
    (scale, (!only_moves).then(|| hasher.finish()))
}

/// Reads a `viewBox` attribute; returns `None` if it is malformed.
pub fn view_box(value: &str) -> Option<[f64; 4]> {
    let mut numbers = Numbers::new(value);
    let view_box = [numbers.next()?, numbers.next()?, numbers.next()?, numbers.next()?];
    numbers.is_at_end().then_some(view_box)
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

#[cfg(test)]
mod tests;
