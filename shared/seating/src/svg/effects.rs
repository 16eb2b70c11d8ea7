//! Effects of properties on the time that a browser takes to show an element.

use super::{amounts::Style, geometry};

/// Effects of the properties of an element or a rule.
#[derive(Debug, Default)]
pub(super) struct Effects {
    pub references: Vec<Reference>,
    pub layers: Layers,
    /// Dashes in a user unit.
    pub dashes: f64,
    /// Price of paths in functions.
    pub price: u64,
    /// True if the element may be painted with what another element is painted with.
    pub has_context_paint: bool,
    /// True if an element has the value `inherit`, so any property may be inherited.
    pub inherits: bool,
    /// True if a property other than the attributes for it may set the geometry.
    pub sets_geometry: bool,
    /// Greatest values of properties that have bounds for the whole page.
    pub style: Style,
}

/// Reference by id.
#[derive(Debug)]
pub(super) struct Reference {
    pub id: String,
    pub repetition: Repetition,
}

/// Number of times that a referenced part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// Once, by a link.
    Linked,
    /// Once, by a property that is not inherited.
    Once,
    /// Once for each shape of the part, because all inherit it.
    PerShape,
    /// At each vertex of each path in the part.
    PerVertex,
}

/// Price of layers, which are drawn apart and then clipped or blended, in drawn elements.
///
/// Chromium without a graphics processor takes up to 1.7 milliseconds to clip a group as large as the screen, 1.6 to
/// make it transparent and 4.5 to mask it. A layer of one shape is mostly small. Between texts, a blended element makes
/// Chromium keep the pixels of what covers it: 4 MB if they fill the screen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Layers {
    of_shape: u64,
    of_group: u64,
}

impl Layers {
    const CLIP: Self = Self { of_shape: 40, of_group: 100 };
    const OPACITY: Self = Self { of_shape: 20, of_group: 200 };
    const BLEND: Self = Self { of_shape: 3_000, of_group: 3_000 };
    const MASK: Self = Self { of_shape: 240, of_group: 1_000 };
    /// Chromium keeps the pixels of such an element, and those of what covers it: 4 MB each if they fill the screen.
    const COMPOSITED: Self = Self { of_shape: 4_000, of_group: 4_000 };

    /// Returns the layers that a declaration adds, also if the value is inherited.
    fn of(name: &str, value: &str) -> Self {
        match name {
            "clip-path" => Self::CLIP,
            "opacity" if matches!(value, "1" | "1.0" | "100%") => Self::default(),
            "will-change" | "translate" | "rotate" | "scale" => Self::COMPOSITED,
            "transform" if is_spatial(value) => Self::COMPOSITED,
            "opacity" | "isolation" | "transform" | "perspective" => Self::OPACITY,
            "mix-blend-mode" => Self::BLEND,
            // A value may list several masks.
            "mask" | "mask-image" => value.matches('(').skip(1).fold(Self::MASK, |layers, _| layers.plus(Self::MASK)),
            "transform-style" if value != "flat" => Self::COMPOSITED,
            "all" => Self::CLIP.plus(Self::OPACITY).plus(Self::BLEND).plus(Self::MASK).plus(Self::COMPOSITED),
            _ => Self::default(),
        }
    }

    pub const fn plus(self, other: Self) -> Self {
        Self {
            of_shape: self.of_shape.saturating_add(other.of_shape),
            of_group: self.of_group.saturating_add(other.of_group),
        }
    }

    pub const fn price(self, is_shape: bool) -> u64 {
        if is_shape { self.of_shape } else { self.of_group }
    }
}

impl Effects {
    /// Adds a presentation attribute or a property of a rule.
    pub fn add_property(&mut self, name: &str, value: &str) {
        self.add_references(name, value);
        self.add_declaration(name, value);
    }

    /// Adds the attribute `style`.
    pub fn add_style(&mut self, style: &str) {
        self.add_references("style", style);
        for (name, value) in style.split(';').filter_map(|declaration| declaration.split_once(':')) {
            let name = name.trim().to_ascii_lowercase();
            self.sets_geometry |= sets_geometry(&name, value);
            self.add_declaration(&name, value);
        }
    }

    fn add_references(&mut self, name: &str, value: &str) {
        if !value.contains('(') && value.len() < "inherit".len() {
            return;
        }
        let joined = without_white_space(value);
        let lower = joined.to_ascii_lowercase();
        self.inherits |= lower.contains("inherit");
        self.has_context_paint |= lower.contains("context-");
        let repetition = repetition(name, &lower);
        let urls = lower.match_indices("url(").map(|(at, url)| &joined[at + url.len()..]);
        let ids = urls
            .filter_map(|rest| rest.split_once(')')?.0.trim_matches(['"', '\'']).strip_prefix('#').map(str::to_owned));
        self.references.extend(ids.map(|id| Reference { id, repetition }));
    }

    fn add_declaration(&mut self, name: &str, value: &str) {
        let value = value.split('!').next().unwrap_or_default().trim();
        if ["path(", "polygon(", "shape("].iter().any(|function| value.contains(function)) {
            // A line takes at least two bytes.
            self.price = self.price.saturating_add(8 * u64::try_from(value.len()).unwrap_or(u64::MAX));
        }
        if matches!(value, "" | "none" | "normal" | "auto" | "initial" | "unset") {
            return;
        }
        let name = name.strip_prefix("-webkit-").unwrap_or(name);
        self.layers = self.layers.plus(Layers::of(name, value));
        if value == "inherit" {
            return;
        }
        let style = &mut self.style;
        match name {
            // Without a number, a value is a keyword or malformed.
            name if name.starts_with("stroke-") && !value.contains(|c: char| c.is_ascii_digit() || c == '(') => {}
            "stroke-dasharray" => self.dashes += dashes(value),
            "stroke-width" => style.stroke_width = style.stroke_width.max(number(value)),
            "stroke-miterlimit" => style.miter_limit = style.miter_limit.max(number(value)),
            "vector-effect" => style.stroke_width = f64::INFINITY,
            "font-size" => style.font_size = style.font_size.max(font_size(value)),
            "font-size-adjust" => style.font_size = f64::INFINITY,
            "font" => {
                // Only the size has a unit.
                let sizes = value.split(|c: char| c == '/' || c.is_whitespace()).filter(|token| has_unit(token));
                style.font_size = style.font_size.max(sizes.map(font_size).next().unwrap_or(f64::INFINITY));
            }
            _ => {}
        }
    }
}

/// Returns how often an attribute draws a referenced part; for `style`, an upper bound.
fn repetition(name: &str, value: &str) -> Repetition {
    match name {
        "fill" | "stroke" | "marker-start" | "marker-end" => Repetition::PerShape,
        "marker" | "marker-mid" => Repetition::PerVertex,
        "style" if value.contains("marker") => Repetition::PerVertex,
        "style" if value.contains("fill:") || value.contains("stroke:") => Repetition::PerShape,
        _ => Repetition::Once,
    }
}

/// Returns true if a list of transform functions may leave the plane of the drawing.
fn is_spatial(value: &str) -> bool {
    let value = value.to_ascii_lowercase();
    ["3d", "z(", "rotatex", "rotatey", "perspective", "var("].iter().any(|part| value.contains(part))
}

/// Returns true if a property of CSS may move, enlarge or shape an element; the name is in lower case.
fn sets_geometry(name: &str, value: &str) -> bool {
    /// Contained in names such as `-webkit-transform`, `min-width` and `outline-offset`.
    const PARTS: [&str; 16] = [
        "transform",
        "translate",
        "rotate",
        "scale",
        "zoom",
        "offset",
        "perspective",
        "will-change",
        "width",
        "height",
        "block-size",
        "inline-size",
        "aspect-ratio",
        "outline",
        "padding",
        "border",
    ];
    const OTHERS: [&str; 7] = [
        "stroke-width",
        "stroke-dashoffset",
        "shape-padding",
        "line-height",
        "text-transform",
        "transform-origin",
        "transform-box",
    ];
    let is_listed = matches!(name, "all" | "x" | "y" | "cx" | "cy" | "r" | "rx" | "ry" | "d")
        || PARTS.iter().any(|part| name.contains(part)) && !OTHERS.contains(&name) && !name.starts_with("max-");
    // The line of a text may have any thickness.
    let is_length = |word: &str| word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
    let has_length = || value.contains('(') || value.split_whitespace().any(is_length);
    is_listed || name.starts_with("text-decoration") && has_length()
}

/// Returns the number of dashes in a user unit; infinite if it is not proven.
fn dashes(value: &str) -> f64 {
    let mut count = 0.0;
    let mut sum = 0.0;
    for length in value.split(|c: char| c == ',' || c.is_whitespace()).filter(|text| !text.is_empty()) {
        match geometry::length(length) {
            Some(length) if length >= 0.0 => sum += length,
            _ => return f64::INFINITY,
        }
        count += 1.0;
    }
    if sum > 0.0 { count / sum } else { 0.0 }
}

/// Returns a length or number; infinite if it is not proven.
fn number(value: &str) -> f64 {
    geometry::length(value).map_or(f64::INFINITY, f64::abs)
}

/// Returns a bound for a font size; zero if it is at most that of the parent, infinite if it is not proven.
fn font_size(value: &str) -> f64 {
    let value = value.to_ascii_lowercase();
    let relative = |unit: &str, one: f64| {
        value.strip_suffix(unit).and_then(|number| number.trim().parse().ok()).is_some_and(|number: f64| number <= one)
    };
    match value.as_str() {
        "xx-small" | "x-small" | "small" | "medium" | "smaller" => 0.0,
        // CSS Fonts 4, section 2.5: at most three times `medium`.
        "large" | "x-large" | "xx-large" | "xxx-large" => 48.0,
        _ if relative("%", 100.0) || relative("em", 1.0) && !value.ends_with("rem") => 0.0,
        value => number(value),
    }
}

fn has_unit(token: &str) -> bool {
    let is_number = token.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    is_number && token.ends_with(|c: char| c.is_ascii_alphabetic() || c == '%')
}

/// Removes white space from an id; browsers keep some and drop some in references, so both are found.
pub(super) fn without_white_space(id: &str) -> String {
    id.split_whitespace().collect()
}

#[cfg(test)]
mod tests;
