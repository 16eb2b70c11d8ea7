//! Element of a drawing, with what decides how long it takes to draw.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::{
    amounts::{Amounts, SCREEN},
    effects::{Effects, without_white_space},
    geometry::{self, Outline, Scale},
    style_sheet::is_generated_class,
};

/// Attributes with the length of a shape or viewport.
const LENGTHS: [&str; 9] = ["width", "height", "r", "rx", "ry", "x1", "y1", "x2", "y2"];

/// Price of an image that fills the screen, in fills.
const IMAGE: u64 = 17;

/// Element to be counted.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact about one attribute")]
pub(super) struct Element {
    name: &'static str,
    pub id: Option<String>,
    pub classes: Vec<String>,
    /// Id that the element links to.
    pub link: Option<String>,
    pub effects: Effects,
    /// Lengths by attribute; infinite if they are not proven.
    lengths: [Option<f64>; LENGTHS.len()],
    /// Outline of a path, or a bound for its vertices if it is malformed.
    outline: Option<Result<Outline, u64>>,
    has_own_length: bool,
    transform: Option<Scale>,
    /// Zeros if it is malformed.
    view_box: Option<[f64; 4]>,
    /// True if `preserveAspectRatio` has another value than `meet`.
    is_stretched: bool,
    /// True if lengths within the element are in units of another element.
    has_other_units: bool,
    is_tile_proven: bool,
    pub is_positioned: bool,
    /// Attributes that select a font, and those that turn or scale a text.
    font: Option<DefaultHasher>,
    /// Bound for the font families that the element names, beyond the first.
    pub families: u64,
    look: Option<DefaultHasher>,
}

/// Role of an element that other elements refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) enum Role {
    #[default]
    Other,
    Gradient,
    /// Pattern with a bound for the area of its tile.
    Pattern(f64),
    /// Symbol whose size is that of the link.
    Symbol,
    /// Viewport, which a link may resize.
    Viewport,
}

impl Element {
    pub(super) fn new(name: &'static str) -> Self {
        Self {
            name,
            id: None,
            classes: Vec::new(),
            link: None,
            effects: Effects::default(),
            lengths: [None; LENGTHS.len()],
            outline: None,
            has_own_length: true,
            transform: None,
            view_box: None,
            is_stretched: false,
            has_other_units: false,
            is_tile_proven: false,
            is_positioned: name == "textPath",
            font: None,
            families: 0,
            look: None,
        }
    }

    pub(super) fn add_attribute(&mut self, name: &str, value: &str) {
        match name {
            "id" => self.id = Some(without_white_space(value)),
            "class" => {
                let classes = value.split_ascii_whitespace().filter(|class| is_generated_class(class));
                self.classes = classes.map(str::to_owned).collect();
                self.classes.sort_unstable();
                self.classes.dedup();
                self.add_font(value);
            }
            "href" | "xlink:href" => self.link = value.strip_prefix('#').map(without_white_space).or(self.link.take()),
            "d" if self.name == "path" => self.outline = Some(Outline::path(value).ok_or_else(|| vertices(value))),
            "points" if matches!(self.name, "polygon" | "polyline") => {
                self.outline = Some(Outline::points(value).ok_or_else(|| vertices(value)));
            }
            "pathLength" => self.has_own_length = false,
            "transform" | "patternTransform" => {
                let (scale, look) = geometry::transform(value);
                let applies = match self.name {
                    "pattern" => name == "patternTransform",
                    name => is_shape(name) || matches!(name, "g" | "use" | "text"),
                };
                self.transform = Some(if applies { scale } else { Scale::UNPROVEN });
                if let Some(look) = look {
                    self.add_look(&look);
                }
            }
            "viewBox" => {
                self.view_box = Some(geometry::view_box(value).unwrap_or_default());
                self.add_look(value);
            }
            "preserveAspectRatio" => {
                let value = value.to_ascii_lowercase();
                self.is_stretched = value.contains("none") || value.contains("slice");
            }
            "patternUnits" => self.is_tile_proven = value == "userSpaceOnUse",
            "clipPathUnits" | "maskContentUnits" | "patternContentUnits" => {
                self.has_other_units |= value != "userSpaceOnUse";
            }
            "lengthAdjust" => self.has_other_units |= value != "spacing",
            "rotate" | "textLength" => self.is_positioned = true,
            "x" | "y" | "dx" | "dy" => self.is_positioned |= value.trim().contains([' ', ',', '\n', '\t', '\r']),
            "style" => {
                self.effects.add_style(value);
                self.add_font(value);
                self.add_families(value);
            }
            // A browser may select another font.
            "lang" | "xml:lang" => self.add_font(&("lang", value)),
            _ => {
                if let Some(length) = LENGTHS.iter().position(|length| *length == name) {
                    // A viewport that is as wide as the page is common.
                    let is_default = self.name == "svg" && is_part_of_page(value);
                    let number = || geometry::length(value).unwrap_or(f64::INFINITY);
                    self.lengths[length] = if is_default { None } else { Some(number()) };
                } else if !name.starts_with("data-") && !name.starts_with("aria-") {
                    if name.starts_with("font") {
                        self.add_font(&(name, value));
                        self.add_families(value);
                    }
                    self.effects.add_property(name, value);
                }
            }
        }
    }

    fn add_font(&mut self, value: &(impl std::hash::Hash + ?Sized)) {
        value.hash(self.font.get_or_insert_default());
    }

    fn add_families(&mut self, value: &str) {
        self.families = self.families.max(families(value));
    }

    fn add_look(&mut self, value: &(impl std::hash::Hash + ?Sized)) {
        value.hash(self.look.get_or_insert_default());
    }

    /// Returns the hashes for a text in this element, from those for its parent.
    pub(super) fn hashes(&self, font: u64, look: u64) -> (u64, u64) {
        let add = |hasher: &Option<DefaultHasher>, outer: u64| match hasher.clone() {
            Some(mut hasher) => {
                outer.hash(&mut hasher);
                hasher.finish()
            }
            None => outer,
        };
        (add(&self.font, font), add(&self.look, look))
    }

    pub(super) fn is_text(&self) -> bool {
        self.name == "text"
    }

    pub(super) fn is_use(&self) -> bool {
        self.name == "use"
    }

    pub(super) fn is_shape_or_text(&self) -> bool {
        is_shape(self.name) || matches!(self.name, "text" | "tspan")
    }

    /// Returns the scale of the element itself.
    pub(super) fn scale(&self) -> Scale {
        if self.effects.sets_geometry { Scale::UNPROVEN } else { self.transform.unwrap_or(Scale::ONE) }
    }

    /// Returns the scale of the content within the element, apart from its own.
    pub(super) fn content_scale(&self) -> Scale {
        let view_box = match self.view_box {
            None => None,
            Some([_, _, width, height]) if width > 0.0 && height > 0.0 && !self.is_stretched => {
                Some(Scale { area: 1.0 / (width * height), length: 1.0 / width })
            }
            Some(_) => Some(Scale::UNPROVEN),
        };
        match self.name {
            _ if self.has_other_units => Scale::UNPROVEN,
            "marker" => Scale::UNPROVEN,
            "pattern" if view_box.is_some() => Scale::UNPROVEN,
            "svg" => view_box.map_or(Scale::ONE, |view_box| view_box.times(self.size())),
            "symbol" => view_box.unwrap_or(Scale::ONE),
            _ => Scale::ONE,
        }
    }

    /// Returns the scale of a viewport of this size, if its content is one unit large.
    pub(super) fn size(&self) -> Scale {
        match self.lengths {
            [Some(width), Some(height), ..] => Scale { area: (width * height).abs(), length: width.abs() },
            _ => Scale::UNPROVEN,
        }
    }

    /// Returns pixels for each user unit of a root, on a page of its own and in the seat map of its hall.
    ///
    /// Returns `None` for a fragment, whose scale is that of the hall. A scale is infinite if it is not proven.
    pub(super) fn pixels(&self) -> Option<(f64, f64)> {
        /// `plan::drawings` ignores a larger one.
        const MAX_VIEW_BOX: f64 = 1e7;
        const UNKNOWN: (f64, f64) = (f64::INFINITY, f64::INFINITY);
        if self.name != "svg" {
            return None;
        }
        let [width, height, ..] = self.lengths;
        let is_proven = self.scale() == Scale::ONE;
        let scale = match self.view_box {
            _ if !is_proven => UNKNOWN,
            Some([x, y, w, h])
                if w > 0.0 && h > 0.0 && [x.abs(), y.abs(), w, h].iter().all(|size| *size <= MAX_VIEW_BOX) =>
            {
                let stretched = if self.is_stretched { SCREEN.1 / h } else { 0.0 };
                let by_size = (width.unwrap_or_default() / w).max(height.unwrap_or_default() / h);
                let scale = (SCREEN.0 / w).max(by_size).max(stretched);
                (scale, scale)
            }
            Some(_) => UNKNOWN,
            None => match (width, height) {
                (Some(width), Some(height)) if width > 0.0 && height > 0.0 && width.max(height) <= MAX_VIEW_BOX => {
                    let scale = (SCREEN.0 / width).max(1.0);
                    (scale, scale)
                }
                _ => (1.0, f64::INFINITY),
            },
        };
        Some(scale)
    }

    pub(super) fn role(&self) -> Role {
        match self.name {
            "linearGradient" | "radialGradient" => Role::Gradient,
            "pattern" if self.is_tile_proven => Role::Pattern(self.size().times(self.scale()).area),
            "pattern" => Role::Pattern(f64::INFINITY),
            "symbol" if self.view_box.is_some() => Role::Symbol,
            "svg" => Role::Viewport,
            _ => Role::Other,
        }
    }

    /// Returns the amounts of the element without its content, in its own units.
    pub(super) fn amounts(&self, screen: Scale) -> Amounts {
        let price = match self.name {
            "use" | "tspan" | "textPath" => 2,
            "svg" | "symbol" | "marker" | "pattern" => 3,
            "text" => 6,
            _ => 1,
        };
        let layers = self.effects.layers.price(self.is_shape_or_text());
        let elements = Amounts::of_elements(self.effects.price.saturating_add(price).saturating_add(layers));
        let weight = if self.name == "image" { IMAGE } else { 1 };
        let shape = match self.outline() {
            _ if !is_shape(self.name) => Amounts::ZERO,
            Ok(outline) => {
                let fills_screen = geometry::product(outline.area, screen.area) >= SCREEN.0 * SCREEN.1;
                Amounts::of_shape(outline, weight, self.has_own_length, screen.is_proven() && fills_screen)
            }
            Err(vertices) => Amounts::of_unproven(vertices, weight),
        };
        let texts = u64::from(matches!(self.name, "text" | "tspan" | "textPath"));
        let mut amounts = elements.plus(shape, 1);
        amounts.texts = texts;
        amounts
    }

    /// Returns the outline of a shape, or a bound for its vertices.
    fn outline(&self) -> Result<Outline, u64> {
        let [width, height, r, rx, ry, x1, y1, x2, y2] = self.lengths;
        let at = |coordinate: Option<f64>| coordinate.unwrap_or_default();
        let or_zero = |length: Option<f64>| length.unwrap_or_default().abs();
        let outline = match (self.name, self.outline) {
            (_, Some(Err(vertices))) => return Err(vertices),
            (_, Some(Ok(outline))) => Some(outline),
            ("image", _) if width.is_none() || height.is_none() => None,
            ("circle", _) => Outline::rectangle(2.0 * or_zero(r), 2.0 * or_zero(r)),
            ("ellipse", _) => Outline::rectangle(2.0 * or_zero(rx.or(ry)), 2.0 * or_zero(ry.or(rx))),
            ("line", _) => Outline::line(or_zero(Some(at(x1) - at(x2))), or_zero(Some(at(y1) - at(y2)))),
            _ => Outline::rectangle(or_zero(width), or_zero(height)),
        };
        outline.ok_or(4)
    }
}

/// Returns a bound for the vertices of a malformed path: each has a letter, or a number after another.
fn vertices(path: &str) -> u64 {
    let separators = path.bytes().filter(|byte| !byte.is_ascii_digit()).count();
    u64::try_from(separators).map_or(u64::MAX, |separators| separators.saturating_add(1))
}

/// Returns a bound for the font families that a value or a style names, beyond the first.
pub(super) fn families(value: &str) -> u64 {
    u64::try_from(value.matches(',').count()).unwrap_or(u64::MAX)
}

fn is_shape(name: &str) -> bool {
    matches!(name, "circle" | "ellipse" | "image" | "line" | "path" | "polygon" | "polyline" | "rect")
}

/// Returns true for a percentage of at most 100.
fn is_part_of_page(length: &str) -> bool {
    length.trim().strip_suffix('%').and_then(|number| number.parse().ok()).is_some_and(|number: f64| number <= 100.0)
}
