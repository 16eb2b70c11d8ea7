//! Amounts that decide how long a browser takes to show something.
//!
//! The unit is a small shape. The prices are those of Chromium 156 without a graphics processor: it takes 12 to 20
//! microseconds for a small shape. `.ci/viewing_cost.py` measures drawings that reach the limit.

use super::geometry::{Outline, Scale, product};

/// Pixels of the screen, 1280 x 720.
pub const SCREEN: (f64, f64) = (1280.0, 720.0);

/// Price of filling the screen once; 200 to 350 microseconds.
const FILL: u64 = 20;
const FILL_OF_PIXEL: f64 = 20.0 / (SCREEN.0 * SCREEN.1);
/// Price of a line or curve across the screen within a path.
const LINE: u64 = 16;
/// Price of a pixel along a line or curve.
const PIXEL_OF_LINE: f64 = 0.01;
/// Vertices of a path that cost as much as a shape, beyond those of a rectangle.
const VERTICES: u64 = 4;
const VERTICES_OF_RECTANGLE: u64 = 4;
/// Price of a dash; with round ends, 40 microseconds.
const DASH: u64 = 2;
/// Largest area of a stroke around a vertex, in squares of the stroke width, and the miter limit that it has then.
const JOIN: f64 = 3.5;
const MITER_LIMIT: f64 = 10.0;
/// Largest area of a character and length of its outline, if the font size is one unit.
const CHARACTER: f64 = 4.0;
const CHARACTER_OUTLINE: f64 = 16.0;
/// Price of a text that is repeated: its font, and each of its characters.
const FONT: u64 = 26;
const GLYPH: u64 = 16;

/// Amounts of an element, or sums of many.
///
/// Sizes are in user units outside of the element. Only shapes and characters of proven size have them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Amounts {
    /// Elements, and everything that takes as long as an element.
    pub elements: u64,
    /// Shapes and texts of unproven size; their price is in `elements`.
    pub unproven: u64,
    /// Shapes of proven size, and those of them that are larger than the screen, without areas.
    pub shapes: u64,
    large: u64,
    /// Vertices of paths beyond those of a rectangle, for shapes of proven size.
    lines: u64,
    /// Vertices of all shapes.
    pub vertices: u64,
    /// Sums of the area, of the length of lines, of their area if they are one unit wide, and of the area and length of
    /// one unit at each vertex.
    area: f64,
    edges: f64,
    strokes: f64,
    corners: f64,
    joins: f64,
    /// Length of all lines in user units of their own, as dashes have.
    length: f64,
    pub texts: u64,
    pub characters: u64,
    /// Characters of proven size, and their area if the font size is one unit.
    glyphs: u64,
    glyph_area: f64,
    /// Length of the longest chain of links.
    links: u64,
}

/// Maximum length of a chain of links.
///
/// Nested links draw nested elements. Chromium takes twice as long for an element that is 1,400 deep.
const MAX_LINKS: u64 = 15;

/// Greatest values of properties anywhere on a page.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// In user units; infinite if it is not proven.
    pub stroke_width: f64,
    pub miter_limit: f64,
    pub font_size: f64,
}

impl Default for Style {
    /// Returns the initial values; a miter limit below ten has the price of ten.
    fn default() -> Self {
        Self { stroke_width: 1.0, miter_limit: MITER_LIMIT, font_size: 16.0 }
    }
}

impl Style {
    pub const fn max(self, other: Self) -> Self {
        Self {
            stroke_width: self.stroke_width.max(other.stroke_width),
            miter_limit: self.miter_limit.max(other.miter_limit),
            font_size: self.font_size.max(other.font_size),
        }
    }
}

impl Default for Amounts {
    fn default() -> Self {
        Self::ZERO
    }
}

impl Amounts {
    pub const ZERO: Self = Self {
        elements: 0,
        unproven: 0,
        shapes: 0,
        large: 0,
        lines: 0,
        vertices: 0,
        area: 0.0,
        edges: 0.0,
        strokes: 0.0,
        corners: 0.0,
        joins: 0.0,
        length: 0.0,
        texts: 0,
        characters: 0,
        glyphs: 0,
        glyph_area: 0.0,
        links: 0,
    };

    pub const fn of_elements(elements: u64) -> Self {
        Self { elements, ..Self::ZERO }
    }

    /// Returns the amounts of a shape whose size is not proven.
    pub const fn of_unproven(vertices: u64, weight: u64) -> Self {
        let lines = LINE.saturating_mul(vertices.saturating_sub(VERTICES_OF_RECTANGLE));
        let elements = lines.saturating_add(FILL * weight);
        Self { elements, unproven: 1, vertices, length: f64::INFINITY, ..Self::ZERO }
    }

    /// Returns the amounts of a shape; `weight` is the price of its area in that of a fill.
    ///
    /// If a shape is larger than the screen, it has the price of the screen.
    pub fn of_shape(outline: Outline, weight: u64, has_length: bool, is_large: bool) -> Self {
        let lines = outline.vertices.saturating_sub(VERTICES_OF_RECTANGLE);
        #[expect(clippy::cast_precision_loss, reason = "no text has so many vertices")]
        let (corners, weights) = (outline.vertices.max(1) as f64, weight as f64);
        let length = product(outline.length, 1.0);
        Self {
            elements: lines.div_ceil(VERTICES),
            shapes: weight,
            large: if is_large { weight } else { 0 },
            lines,
            vertices: outline.vertices,
            area: if is_large { 0.0 } else { product(outline.area, weights) },
            edges: if is_large && lines == 0 { 0.0 } else { length },
            strokes: if is_large { 0.0 } else { length },
            corners,
            joins: corners,
            length: if has_length { length } else { f64::INFINITY },
            ..Self::ZERO
        }
    }

    /// Returns the amounts of characters; those with positions of their own cost twice as much.
    #[expect(clippy::cast_precision_loss, reason = "no text has so many characters")]
    pub fn of_text(characters: u64, is_positioned: bool) -> Self {
        let size = characters as f64;
        let glyphs = characters;
        let elements = if is_positioned { 2 * characters } else { characters };
        Self { elements, characters, glyphs, glyph_area: size, ..Self::ZERO }
    }

    pub const UNBOUNDED: Self = Self::of_elements(u64::MAX);

    /// Adds other amounts a number of times.
    pub fn plus(self, other: Self, times: u64) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        #[expect(clippy::cast_precision_loss, reason = "large numbers exceed the limit anyway")]
        let size = |one: f64, other: f64| if other > 0.0 && times > 0 { one + other * times as f64 } else { one };
        self.combine(other, sum, size)
    }

    /// Returns the greater of each amount.
    pub fn max(self, other: Self) -> Self {
        self.combine(other, u64::max, f64::max)
    }

    fn combine(self, other: Self, count: impl Fn(u64, u64) -> u64, size: impl Fn(f64, f64) -> f64) -> Self {
        Self {
            elements: count(self.elements, other.elements),
            unproven: count(self.unproven, other.unproven),
            shapes: count(self.shapes, other.shapes),
            large: count(self.large, other.large),
            lines: count(self.lines, other.lines),
            vertices: count(self.vertices, other.vertices),
            area: size(self.area, other.area),
            edges: size(self.edges, other.edges),
            strokes: size(self.strokes, other.strokes),
            corners: size(self.corners, other.corners),
            joins: size(self.joins, other.joins),
            length: size(self.length, other.length),
            texts: count(self.texts, other.texts),
            characters: count(self.characters, other.characters),
            glyphs: count(self.glyphs, other.glyphs),
            glyph_area: size(self.glyph_area, other.glyph_area),
            links: self.links.max(other.links),
        }
    }

    /// Adds a link to a chain; the amounts are unbounded if the chain is too long.
    pub fn linked(self) -> Self {
        if self.links < MAX_LINKS { Self { links: self.links + 1, ..self } } else { Self::UNBOUNDED }
    }

    /// Converts sizes to units that are smaller by a factor.
    pub fn scaled(self, scale: Scale) -> Self {
        if !scale.is_proven() {
            return self.without_proof();
        }
        Self {
            area: times(self.area, scale.area),
            edges: times(self.edges, scale.length),
            strokes: times(self.strokes, scale.area),
            corners: times(self.corners, scale.area),
            joins: times(self.joins, scale.length),
            glyph_area: times(self.glyph_area, scale.area),
            ..self
        }
    }

    /// Returns the amounts if no size is proven.
    pub fn without_proof(self) -> Self {
        let price = FILL.saturating_mul(self.shapes.saturating_add(self.glyphs));
        let price = price.saturating_add(LINE.saturating_mul(self.lines));
        Self {
            elements: self.elements.saturating_add(price),
            unproven: self.unproven.saturating_add(self.shapes),
            vertices: self.vertices,
            length: self.length,
            texts: self.texts,
            characters: self.characters,
            links: self.links,
            ..Self::ZERO
        }
    }

    /// Multiplies the price of all areas, because they have a costly paint.
    pub fn painted(self, factor: u64) -> Self {
        let more = FILL.saturating_mul(self.unproven.saturating_add(self.texts)).saturating_mul(factor - 1);
        #[expect(clippy::cast_precision_loss, reason = "a paint has a small factor")]
        let factors = factor as f64;
        Self {
            elements: self.elements.saturating_add(more),
            shapes: self.shapes.saturating_mul(factor),
            large: self.large.saturating_mul(factor),
            area: self.area * factors,
            strokes: self.strokes * factors,
            corners: self.corners * factors,
            ..self
        }
    }

    /// Returns the amounts of one copy of other amounts in the units of each shape and text.
    pub fn copies(self, other: Self) -> Self {
        // A sum over all places has the sizes of all copies.
        let places = Scale { area: self.corners, length: self.joins };
        let counts = Self::ZERO.plus(other, self.shapes);
        let proven = if self.shapes == 0 {
            Self::ZERO
        } else if places.is_proven() {
            let Self { area, edges, strokes, corners, joins, glyph_area, .. } = other.scaled(places);
            Self { area, edges, strokes, corners, joins, glyph_area, ..counts }
        } else {
            counts.without_proof()
        };
        proven.plus(other.without_proof(), self.unproven.saturating_add(self.texts))
    }

    /// Adds the dashes of all lines; `density` is the number of dashes in a user unit.
    pub fn dashed(self, density: f64, style: Style) -> Self {
        if density <= 0.0 {
            return self;
        }
        #[expect(clippy::cast_precision_loss, reason = "no text has so many characters")]
        let outlines = times(self.characters as f64, CHARACTER_OUTLINE * style.font_size);
        // If a stroke does not scale, its dashes do not either.
        let length = if style.stroke_width.is_finite() { self.length + outlines } else { f64::INFINITY };
        let dashes = whole(times(length, density));
        Self {
            elements: self.elements.saturating_add(DASH.saturating_mul(dashes)),
            lines: self.lines.saturating_add(dashes),
            vertices: self.vertices.saturating_add(dashes),
            joins: self.joins + times(self.edges, density),
            ..self
        }
    }

    /// Returns the price of amounts in pixels; `written` are those of the texts that no reference repeats.
    pub fn price(self, style: Style, written: Self) -> u64 {
        let width = product(style.stroke_width, style.miter_limit / MITER_LIMIT);
        let fills = |area: f64, shapes: u64| {
            let most = FILL.saturating_mul(shapes);
            most.min(whole(times(area, FILL_OF_PIXEL)))
        };
        let lines = whole(times(self.edges + times(self.joins, width), PIXEL_OF_LINE));
        let character = style.font_size * (CHARACTER * style.font_size + CHARACTER_OUTLINE * style.stroke_width);
        let texts = FONT.saturating_mul(self.texts.saturating_sub(written.texts));
        let characters = GLYPH.saturating_mul(self.characters.saturating_sub(written.characters));
        let strokes = times(self.strokes, width) + times(self.corners, JOIN * width * width);
        [
            self.elements,
            FILL.saturating_mul(self.large),
            fills(self.area + strokes, self.shapes),
            lines.min(FILL.saturating_mul(self.shapes).saturating_add(LINE.saturating_mul(self.lines))),
            fills(times(self.glyph_area, character), self.glyphs),
            texts,
            characters,
        ]
        .into_iter()
        .fold(0, u64::saturating_add)
    }
}

/// Multiplies a sum, which is zero if there is nothing to add up.
fn times(size: f64, factor: f64) -> f64 {
    if size > 0.0 { product(size, factor) } else { 0.0 }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the conversion saturates")]
fn whole(number: f64) -> u64 {
    number as u64
}
