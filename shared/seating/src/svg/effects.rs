//! Properties that make an element draw more than itself.

use super::{allow_list, amounts::Style, geometry};

/// Effects of an element's properties, or of a rule's.
#[derive(Debug, Default)]
pub struct Effects {
    pub references: Vec<Reference>,
    /// Layers that are drawn apart and then clipped or blended; see [`Effects::add_property`].
    pub layers: u64,
    /// Price of all other properties, in elements.
    pub price: u64,
    /// True if a value is `inherit`, so any property may be inherited.
    pub inherits: bool,
    /// Greatest `width` or `height` in `style`, in user units.
    pub size: Option<f64>,
    /// True if another property in `style` may change the size of the element or its content.
    pub resizes: bool,
    pub stroke_width: Option<f64>,
    pub is_stroked: Option<bool>,
    pub font_size: Option<f64>,
    /// Dashes per user unit.
    pub dashes: Option<f64>,
    pub is_round: bool,
    /// Font sizes, as bits of numbers.
    pub font_sizes: Vec<u64>,
}

/// Reference by id.
#[derive(Debug)]
pub struct Reference {
    pub id: String,
    pub repetition: Repetition,
}

/// Number of times that a referenced part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Once, by a link.
    Linked,
    /// Once, by a property that is not inherited.
    Once,
    /// Once for each element of the part, because all inherit it.
    PerElement,
    /// At each vertex of each path in the part.
    PerVertex,
}

// Prices in elements, measured as those in `amounts.rs`.

/// Price of a property that is not known.
const UNKNOWN: u64 = 400;
/// Price of a line whose width ignores all scales, so it may cover the canvas.
const FIXED_LINE: u64 = 20;

/// Properties in `style` that cost nothing by themselves, in addition to those of SVG.
const CHEAP: [&str; 21] = [
    "background",
    "background-color",
    "border",
    "box-sizing",
    "color-scheme",
    "content",
    "float",
    "margin",
    "max-height",
    "max-width",
    "min-height",
    "min-width",
    "object-fit",
    "overflow-wrap",
    "padding",
    "rotate",
    "touch-action",
    "transition",
    "translate",
    "user-select",
    "word-wrap",
];

/// Properties in `style` that change sizes, other than `d`, `width`, `height` and `zoom`.
const SIZES: [&str; 7] = ["all", "block-size", "r", "rx", "ry", "scale", "transform"];

impl Effects {
    /// Adds a presentation attribute, or the declarations of `style`; percentages relate to a viewport's side.
    pub fn add(&mut self, name: &str, value: &str, side: f64) {
        self.inherits |= without_white_space(value).to_ascii_lowercase().contains("inherit");
        self.references.extend(references(name, value));
        if name == "style" {
            for (name, value) in value.split(';').filter_map(|declaration| declaration.split_once(':')) {
                self.add_property(&name.trim().to_ascii_lowercase(), value, side);
            }
        } else {
            self.add_property(name, value, side);
        }
    }

    /// Returns the style of an element with these effects.
    pub fn style(&self, inherited: Style) -> Style {
        Style {
            stroke_width: self.stroke_width.unwrap_or(inherited.stroke_width),
            is_stroked: self.is_stroked.unwrap_or(inherited.is_stroked),
            font_size: self.font_size.unwrap_or(inherited.font_size),
            dashes: self.dashes.unwrap_or(inherited.dashes),
            is_round: self.is_round || inherited.is_round,
        }
    }

    fn add_font_size(&mut self, size: f64) {
        self.font_size = Some(size.max(self.font_size.unwrap_or(0.0)));
        self.font_sizes.push(size.to_bits());
    }

    /// Adds a property. The least layer is a clip path; opacity takes twice as long, a mask or a blend mode four times.
    fn add_property(&mut self, name: &str, value: &str, side: f64) {
        let value = value.trim().to_ascii_lowercase();
        let is_set = !matches!(value.as_str(), "none" | "normal" | "auto" | "initial" | "unset" | "0" | "");
        let length = || geometry::length(&value, side).unwrap_or(side);
        let name = name.strip_prefix("-webkit-").unwrap_or(name);
        match name {
            "width" | "height" if value != "auto" => self.size = Some(length().max(self.size.unwrap_or(0.0))),
            "stroke" => self.is_stroked = Some(is_set || self.is_stroked == Some(true)),
            "stroke-width" => self.stroke_width = Some(length().max(self.stroke_width.unwrap_or(0.0))),
            "font-size" => self.add_font_size(length()),
            "font" => {
                value
                    .split([' ', '/'])
                    .filter_map(|part| geometry::length(part, side))
                    .for_each(|size| self.add_font_size(size));
            }
            "stroke-dasharray" => self.dashes = Some(dashes(&value, side).max(self.dashes.unwrap_or(0.0))),
            "stroke-linecap" => self.is_round |= value != "butt",
            "clip-path" if is_set => {
                self.layers += 1;
                self.price += if value.starts_with("url(") { 0 } else { text_price(&value) };
            }
            "d" => {
                self.resizes = true;
                self.price += 2 * text_price(&value);
            }
            "opacity" if !matches!(value.as_str(), "1" | "1.0" | "100%") => self.layers += 2,
            "isolation" | "filter" if is_set => self.layers += 2,
            "mask" | "mix-blend-mode" if is_set => self.layers += 4,
            "vector-effect" if is_set => self.price += FIXED_LINE,
            "zoom" if value != "1" => self.resizes = true,
            _ if SIZES.contains(&name) => self.resizes = true,
            _ if allow_list::PROPERTIES.contains(&name) || CHEAP.contains(&name) => {}
            _ if ["-inkscape-", "--", "font-", "text-"].iter().any(|prefix| name.starts_with(prefix)) => {}
            _ if is_set => self.price += UNKNOWN,
            _ => {}
        }
    }
}

/// Returns the price of a path within a property.
fn text_price(path: &str) -> u64 {
    u64::try_from(path.len() / 2).unwrap_or(u64::MAX)
}

/// Returns the number of dashes for a line of one unit.
///
/// Browsers draw a line without dashes if they are all empty, or if a value is malformed.
fn dashes(value: &str, side: f64) -> f64 {
    let lengths = value.split([' ', ',']).filter(|length| !length.is_empty());
    let lengths: Option<Vec<_>> = lengths.map(|length| geometry::length(length, side)).collect();
    // A length that depends on a font is taken as a unit.
    let lengths = lengths.unwrap_or_else(|| if value == "none" { Vec::new() } else { vec![1.0] });
    let (count, period) = lengths.iter().fold((0.0, 0.0), |(count, period), length| (count + 1.0, period + length));
    if period > 0.0 { count / period } else { 0.0 }
}

/// Returns the references in the value of a property or `style`.
fn references(name: &str, value: &str) -> Vec<Reference> {
    let joined = without_white_space(value);
    let lower = joined.to_ascii_lowercase();
    let repetition = repetition(name, &lower);
    let urls = lower.match_indices("url(").map(|(at, url)| &joined[at + url.len()..]);
    let ids =
        urls.filter_map(|rest| rest.split_once(')')?.0.trim_matches(['"', '\'']).strip_prefix('#').map(str::to_owned));
    ids.map(|id| Reference { id, repetition }).collect()
}

/// Returns how often an attribute draws a referenced part; for `style`, an upper bound.
fn repetition(name: &str, value: &str) -> Repetition {
    match name {
        "fill" | "stroke" | "marker-start" | "marker-end" => Repetition::PerElement,
        "marker" | "marker-mid" => Repetition::PerVertex,
        "style" if value.contains("marker") => Repetition::PerVertex,
        "style" if value.contains("fill:") || value.contains("stroke:") => Repetition::PerElement,
        _ => Repetition::Once,
    }
}

/// Removes white space from an id; browsers keep some and drop some in references, so both are found.
pub fn without_white_space(id: &str) -> String {
    id.split_whitespace().collect()
}
