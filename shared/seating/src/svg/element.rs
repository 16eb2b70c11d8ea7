//! Amounts of a single element, computed from its attributes.

use super::{
    allow_list,
    amounts::{Amounts, CROSSINGS, Style},
    effects::{Effects, Reference, Repetition, without_white_space},
    geometry::{self, Outline},
    style_sheet::is_generated_class,
};

/// Number of lines of a path from which on each may cross many others.
const MANY_LINES: usize = 500;

/// Price of the memory for a pattern as large as the canvas, in fills of the canvas.
const TILE: u32 = 40;

/// Price of a rotated image as large as the canvas, in fills of the canvas.
const IMAGE: u32 = 20;

/// Price of a text, in addition to that of its characters.
const TEXT: usize = 6;

/// Price of an image, in addition to that of its area.
const IMAGE_ELEMENT: usize = 4;

/// Price of a character with a position of its own, mainly for memory.
const POSITION: usize = 2;

/// Side of the canvas if the root has neither a `viewBox` nor a size (CSS 2, section 10.6.2: 300 by 150 pixels).
const CANVAS: f64 = 150.0;

/// Side of a screen, in pixels.
const SCREEN: f64 = 1_000.0;

/// Smallest factor that differs from zero, so that the product with infinity is a number.
const MIN_SCALE: f64 = 1e-9;

/// Element to be counted.
#[derive(Debug, Default)]
pub struct Element {
    name: &'static str,
    pub id: Option<String>,
    pub classes: Vec<String>,
    pub effects: Effects,
    /// Upper bound for the vertices of the path: a command takes at least one byte, a number with its separator two.
    vertices: usize,
    /// Greater side of the viewport around the element, to which percentages relate.
    side: f64,
    width: Option<f64>,
    height: Option<f64>,
    view_box: Option<(f64, f64)>,
    /// Factor of the attribute `transform`.
    transform: f64,
    outline: Outline,
    /// Number of characters with a position of their own.
    positions: usize,
    is_size_unknown: bool,
    has_box_units: bool,
}

impl Element {
    /// Starts an element within a viewport whose greater side is given in user units.
    pub fn new(name: &'static str, side: f64) -> Self {
        Self { name, side, transform: 1.0, ..Self::default() }
    }

    pub fn add_attribute(&mut self, name: &str, value: &str) {
        let size = geometry::length(value, self.side);
        match (name, self.name) {
            ("id", _) => self.id = Some(without_white_space(value)),
            ("class", _) => {
                let classes = value.split_ascii_whitespace().filter(|class| is_generated_class(class));
                self.classes = classes.map(str::to_owned).collect();
            }
            ("href" | "xlink:href", _) => {
                let id = value.strip_prefix('#').map(without_white_space);
                self.effects.references.extend(id.map(|id| Reference { id, repetition: Repetition::Linked }));
            }
            ("width", _) => self.set_size(size, None),
            ("height", _) => self.set_size(None, size),
            ("r", "circle") => self.set_size(size.map(|r| 2.0 * r), size.map(|r| 2.0 * r)),
            ("rx", "ellipse") => self.set_size(size.map(|r| 2.0 * r), None),
            ("ry", "ellipse") => self.set_size(None, size.map(|r| 2.0 * r)),
            ("x1" | "x2", "line") => self.set_size(size.map(|x| x + self.width.unwrap_or(0.0)), None),
            ("y1" | "y2", "line") => self.set_size(None, size.map(|y| y + self.height.unwrap_or(0.0))),
            ("x" | "y" | "dx" | "dy" | "rotate", "text" | "tspan") => {
                self.positions += value.split([' ', ',']).count() - 1;
            }
            ("lengthAdjust", _) => self.is_size_unknown = true,
            ("viewBox", _) => self.view_box = geometry::view_box(value),
            ("transform" | "patternTransform", _) => match geometry::scale(value) {
                Some(scale) => self.transform = scale.max(MIN_SCALE),
                None => self.is_size_unknown = true,
            },
            ("maskContentUnits" | "clipPathUnits", _) => self.has_box_units = value == "objectBoundingBox",
            ("d" | "points", _) => {
                self.vertices = value.len();
                let outline = if name == "d" { Outline::path(value) } else { Some(Outline::polygon(value)) };
                self.is_size_unknown |= outline.is_none();
                self.outline = outline.unwrap_or_default();
            }
            _ if allow_list::is_css(name) => self.effects.add(name, value, self.side),
            _ => {}
        }
    }

    fn set_size(&mut self, width: Option<f64>, height: Option<f64>) {
        let is_shape = matches!(self.name, "circle" | "ellipse" | "image" | "line" | "pattern" | "rect");
        self.is_size_unknown |= is_shape && width.is_none() && height.is_none();
        self.width = width.or(self.width);
        self.height = height.or(self.height);
    }

    /// Returns the amounts of the element without its content, in the units outside of it.
    ///
    /// The style is that of the element, and the factor leads from the units outside of it to the canvas.
    pub fn amounts(&self, style: Style, canvas_scale: f64) -> Amounts {
        // Gradients are colours, not shapes.
        let is_drawn = !matches!(self.name, "linearGradient" | "radialGradient" | "stop" | "style" | "metadata");
        let (width, height) = (self.width.unwrap_or(0.0), self.height.unwrap_or(0.0));
        let (outline, paint) = match self.name {
            "circle" | "ellipse" | "rect" => (Outline::rectangle(width, height), 1),
            "image" => (Outline::rectangle(width, height), IMAGE),
            "pattern" => (Outline::rectangle(width, height), TILE),
            "line" => (Outline::line(width, height), 1),
            _ => (self.outline, 1),
        };
        let has_own_size = self.name == "image" && (self.width.is_none() || self.height.is_none());
        let is_resized = self.effects.resizes || (self.effects.size.is_some() && self.name != "svg");
        let is_unknown = has_own_size || self.is_size_unknown || is_resized;
        let extra = match self.name {
            "text" | "tspan" | "textPath" => TEXT,
            "image" => IMAGE_ELEMENT,
            _ => 0,
        };
        let elements = usize::from(is_drawn) + extra + self.positions * POSITION;
        let stroke_width = if style.is_stroked { style.stroke_width } else { 0.0 };
        let amounts = Amounts {
            elements: self.effects.price + u64::try_from(elements).unwrap_or(u64::MAX),
            covering: u64::from(is_drawn && is_unknown),
            vertices: u64::try_from(self.vertices).unwrap_or(u64::MAX),
            area: outline.area * f64::from(paint) + outline.length * stroke_width,
            line_area: outline.length,
            crossing: outline.length * if outline.segments < MANY_LINES { 1.0 } else { CROSSINGS },
            length: outline.length,
            dashes: outline.length * style.dashes,
            ..Amounts::default()
        };
        amounts.scaled(self.transform).clipped(outline.segments, paint, canvas_scale)
    }

    /// Returns the factor from the content's units to those outside of the element; infinity if it is unknown.
    ///
    /// For a viewport, the units outside are its own size.
    pub fn scale(&self, is_viewport: bool) -> f64 {
        let is_relative = matches!(self.name, "pattern" | "marker") || self.has_box_units;
        let is_unknown = is_relative || self.effects.resizes || self.is_size_unknown;
        let side = self.view_box.filter(|_| is_viewport).map_or(1.0, |(width, height)| width.min(height));
        if is_unknown { f64::INFINITY } else { self.transform / side }
    }

    /// Returns true if the content's units depend on the size of the element.
    pub fn is_viewport(&self) -> bool {
        matches!(self.name, "svg" | "symbol") && self.view_box.is_some()
    }

    /// Returns the greater side of the element, or of the viewport around it.
    pub fn size(&self) -> f64 {
        self.width.unwrap_or(self.side).max(self.height.unwrap_or(self.side))
    }

    /// Returns the greater side that the element itself sets, or zero.
    pub fn own_size(&self) -> f64 {
        self.width.unwrap_or(0.0).max(self.height.unwrap_or(0.0))
    }

    /// Returns the greater side of the viewport for the content.
    pub fn content_side(&self) -> f64 {
        self.view_box.map_or(self.side, |(width, height)| width.max(height))
    }

    /// Returns the smaller side of the canvas, in the units of the content, if this is the root of a document.
    ///
    /// Of a drawing that is larger than the screen, only a part is the canvas.
    pub fn canvas(&self) -> Option<f64> {
        let attributes = self.width.zip(self.height);
        let (width, height) = self.view_box.or(attributes).unwrap_or((CANVAS, CANVAS));
        let shown = [self.width, self.height, self.effects.size].into_iter().flatten().fold(SCREEN, f64::max);
        (self.name == "svg").then(|| width.min(height) * SCREEN / shown)
    }

    pub fn is_link(&self) -> bool {
        self.name == "use"
    }

    pub fn is_shape(&self) -> bool {
        matches!(self.name, "circle" | "ellipse" | "image" | "line" | "path" | "polygon" | "polyline" | "rect" | "text")
    }
}
