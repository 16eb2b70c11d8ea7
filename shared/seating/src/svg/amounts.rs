//! Amounts that decide how long a browser takes to draw something.

/// Amounts of one element or of many.
///
/// Sizes are in the user units of the element's parent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Amounts {
    /// Drawn elements, and everything that takes as long to draw as an element.
    pub elements: u64,
    /// Elements of unknown size, each of which may cover the canvas.
    pub covering: u64,
    /// Upper bound for the vertices of all paths.
    pub vertices: u64,
    /// Area of shapes, lines and characters.
    pub area: f64,
    /// Area of lines if they are one unit wide.
    pub line_area: f64,
    /// Area of characters if the font size is one unit.
    pub text_area: f64,
    /// Length of lines, more for paths with so many lines that crossings matter.
    pub crossing: f64,
    /// Length of all lines, in their own user units.
    pub length: f64,
    /// Number of dashes.
    pub dashes: f64,
}

/// Values of inherited properties.
#[derive(Clone, Copy, Debug, Default)]
pub struct Style {
    /// Width of lines, in user units.
    pub stroke_width: f64,
    /// True if lines may be drawn.
    pub is_stroked: bool,
    /// Font size, in user units.
    pub font_size: f64,
    /// Dashes per user unit.
    pub dashes: f64,
    /// True if dashes may have round ends.
    pub is_round: bool,
}

impl Style {
    /// Values of a root without properties; no browser's font size differs from 16 pixels.
    pub const INITIAL: Self =
        Self { stroke_width: 1.0, is_stroked: false, font_size: 16.0, dashes: 0.0, is_round: false };

    pub const fn max(self, other: Self) -> Self {
        Self {
            stroke_width: self.stroke_width.max(other.stroke_width),
            is_stroked: self.is_stroked || other.is_stroked,
            font_size: self.font_size.max(other.font_size),
            dashes: self.dashes.max(other.dashes),
            is_round: self.is_round || other.is_round,
        }
    }
}

// The prices are those of Chromium without a graphics processor, in elements. `.ci/viewing_cost.py` measures them.

/// Price of filling the canvas once.
const CANVAS: f64 = 20.0;
/// Number of fills that cost as much as one with a gradient, a pattern or an image.
const PAINTED: u32 = 13;
/// Price of a line that is as long as the canvas and crosses some others.
const CROSSING: f64 = 4.0;
/// Number of characters that cost as much as an element.
const CHARACTERS: usize = 2;
/// Length of the lines of a character, in font sizes.
const CHARACTER_OUTLINE: f64 = 8.0;
/// Price of a line that is longer than the canvas.
const LONG_LINE: u64 = 8;
/// Factor for lines that cross many others.
pub const CROSSINGS: f64 = 4.0;
/// Price of a dash.
const DASH: f64 = 0.07;
/// Price of a dash with round ends.
const ROUND_DASH: f64 = 1.0;

impl Amounts {
    /// Returns the amounts of a number of characters.
    #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
    pub fn of_text(characters: usize, style: Style) -> Self {
        let elements = u64::try_from(characters / CHARACTERS).unwrap_or(u64::MAX);
        let characters = characters as f64;
        let outline = characters * style.font_size * CHARACTER_OUTLINE;
        let stroke_width = if style.is_stroked { style.stroke_width } else { 0.0 };
        Self {
            elements,
            area: characters * style.font_size.powi(2) + outline * stroke_width,
            line_area: outline,
            text_area: characters,
            length: outline,
            dashes: outline * style.dashes,
            ..Self::default()
        }
    }

    /// Adds other amounts a number of times.
    pub fn plus(self, other: Self, times: u64) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
        let size = |one: f64, other: f64| one + other * times as f64;
        Self {
            elements: sum(self.elements, other.elements),
            covering: sum(self.covering, other.covering),
            vertices: sum(self.vertices, other.vertices),
            area: size(self.area, other.area),
            line_area: size(self.line_area, other.line_area),
            text_area: size(self.text_area, other.text_area),
            crossing: size(self.crossing, other.crossing),
            length: size(self.length, other.length),
            dashes: size(self.dashes, other.dashes),
        }
    }

    /// Returns the greater of each amount.
    pub fn max(self, other: Self) -> Self {
        Self {
            elements: self.elements.max(other.elements),
            covering: self.covering.max(other.covering),
            vertices: self.vertices.max(other.vertices),
            area: self.area.max(other.area),
            line_area: self.line_area.max(other.line_area),
            text_area: self.text_area.max(other.text_area),
            crossing: self.crossing.max(other.crossing),
            length: self.length.max(other.length),
            dashes: self.dashes.max(other.dashes),
        }
    }

    /// Converts the sizes to units that are larger by a factor; an infinite factor makes all sizes unknown.
    #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
    pub fn scaled(self, factor: f64) -> Self {
        if factor.is_finite() {
            let square = factor * factor;
            return Self {
                area: self.area * square,
                line_area: self.line_area * square,
                text_area: self.text_area * square,
                crossing: self.crossing * factor,
                ..self
            };
        }
        // A vertex takes seven bytes or so, and each is counted as one vertex.
        let crossing = if self.crossing > 0.0 { self.vertices as f64 / CROSSING } else { 0.0 };
        let has_area = self.area > 0.0 || self.text_area > 0.0;
        let covering = if has_area { self.covering.max(self.elements) } else { self.covering };
        Self { covering, area: 0.0, line_area: 0.0, text_area: 0.0, crossing, ..self }
    }

    /// Returns the price, in elements, if one unit is the canvas; any element may have the style.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "saturates"
    )]
    pub fn price(self, style: Style) -> u64 {
        let stroke_width = if style.is_stroked { style.stroke_width } else { 0.0 };
        let area = self.area + self.line_area * stroke_width + self.text_area * style.font_size.powi(2);
        // Most browsers clip, so an element costs no more than two paints of the canvas.
        let canvases = area.min(self.elements as f64 * 2.0 * f64::from(PAINTED)) + self.covering as f64;
        // Nor is any line within the canvas much longer than the canvas.
        let most = (self.vertices as f64 + 4.0 * self.elements as f64) * 2.0 * CROSSINGS;
        let lines = self.crossing.min(most) * CROSSING;
        let dashes = (self.dashes + self.length * style.dashes) * if style.is_round { ROUND_DASH } else { DASH };
        self.elements.saturating_add((canvases * CANVAS + lines + dashes) as u64)
    }

    /// Clips the amounts of a shape with a number of lines and a price of its area at the canvas, to which a factor leads.
    ///
    /// A shape that is larger than the canvas covers it wherever it is drawn, at any scale.
    pub fn clipped(self, lines: usize, paint: u32, canvas_scale: f64) -> Self {
        let lines = u64::try_from(lines).unwrap_or(u64::MAX);
        let is_large = self.area * canvas_scale * canvas_scale > f64::from(paint);
        #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
        let is_long = self.crossing * canvas_scale > 2.0 * CROSSINGS * lines as f64;
        if !is_large && !is_long {
            return self;
        }
        let elements = self.elements.saturating_add(lines.saturating_mul(LONG_LINE));
        Self { elements, covering: self.covering.max(u64::from(paint)), area: 0.0, crossing: 0.0, ..self }
    }

    /// Adds the price of painting with a number of gradients or patterns.
    #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
    pub fn painted(self, paints: u64) -> Self {
        let factor = 1.0 + paints as f64 * f64::from(PAINTED - 1);
        Self {
            covering: self.covering.saturating_mul(paints.saturating_mul(u64::from(PAINTED)).max(1)),
            area: self.area * factor,
            line_area: self.line_area * factor,
            text_area: self.text_area * factor,
            ..self
        }
    }

    /// Amounts that exceed every limit.
    pub fn unbounded() -> Self {
        Self { elements: u64::MAX, vertices: u64::MAX, ..Self::default() }
    }
}
