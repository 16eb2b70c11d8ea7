//! Number of elements that a drawing draws, including references.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser.
//! So can a marker at each vertex of a long path, or a pattern that each shape of a group inherits.
//! Masks, clip paths, blend modes and opacity count as the elements that take as long to draw.

use std::collections::HashMap;

use super::style_sheet::{Rule, is_generated_class};

/// Maximum number of elements that one drawing, or all drawings of an event together, may draw.
///
/// A drawing of 1 MiB can write out as many: six for each seat of the largest hall.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Maximum length of a chain of references.
const MAX_CHAIN: usize = 500;

// A layer is drawn apart and then clipped or blended. In Chromium without a graphics processor, a small element takes
// 20 microseconds, and a layer as large as the screen a hundred times as long. A layer of a shape is mostly small.

/// Drawn elements that take as long as the layer of a group.
const LAYER_OF_GROUP: u64 = 100;
/// Drawn elements that take as long as the layer of a shape or text.
const LAYER_OF_SHAPE: u64 = 20;

/// Pixels of embedded images that take as much memory as a drawn element.
const PIXELS: u64 = 250;

/// References between the elements of drawings.
#[derive(Debug, Default)]
pub struct References {
    /// All parts; the first has the elements that are in no other part.
    parts: Vec<Part>,
    /// Parts by id, without white space; if several have an id, it is unknown which one a page shows.
    ids: HashMap<String, Vec<usize>>,
    /// True if an element has the value `inherit`, so any property may be inherited.
    inherits: bool,
    /// References and layers of the rules in style sheets.
    rules: Vec<(Vec<Reference>, u64)>,
    /// Rules by class; on a page, a rule applies to the elements of all drawings.
    classes: HashMap<String, Vec<usize>>,
    /// Pixels of the embedded images; each image is decoded once.
    pixels: u64,
}

/// Element with an id, a generated class or inherited references, and its content without other parts.
#[derive(Debug, Default)]
struct Part {
    own: Count,
    inside: Vec<usize>,
    references: Vec<Reference>,
    classes: Vec<String>,
    is_shape: bool,
}

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    elements: u64,
    /// Upper bound for the vertices of all paths.
    vertices: u64,
}

/// Reference by id.
#[derive(Debug)]
struct Reference {
    id: String,
    repetition: Repetition,
}

/// Number of times that a referenced part is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repetition {
    /// Once, by a link.
    Linked,
    /// Once, by a property that is not inherited.
    Once,
    /// Once for each element of the part, because all inherit it.
    PerElement,
    /// At each vertex of each path in the part.
    PerVertex,
}

/// Results counted so far, by part, id, rule and class.
struct Memo<'a> {
    parts: Vec<Option<Count>>,
    ids: HashMap<&'a str, Count>,
    rules: Vec<Option<Referenced>>,
    classes: HashMap<&'a str, Referenced>,
}

/// Sums of what references draw, by repetition.
#[derive(Clone, Copy, Debug, Default)]
struct Referenced {
    once: Count,
    per_element: Count,
    per_vertex: Count,
    layers: u64,
}

impl Referenced {
    fn plus(self, other: Self) -> Self {
        Self {
            once: self.once.plus(other.once, 1),
            per_element: self.per_element.plus(other.per_element, 1),
            per_vertex: self.per_vertex.plus(other.per_vertex, 1),
            layers: self.layers.saturating_add(other.layers),
        }
    }
}

/// Element to be counted.
#[derive(Debug, Default)]
pub(super) struct Element {
    id: Option<String>,
    own: Count,
    references: Vec<Reference>,
    classes: Vec<String>,
    inherits: bool,
    is_shape: bool,
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        // These are colours and data, not shapes.
        let is_drawn = !matches!(name, "linearGradient" | "radialGradient" | "stop" | "style" | "metadata");
        let is_shape = matches!(
            name,
            "circle" | "ellipse" | "image" | "line" | "path" | "polygon" | "polyline" | "rect" | "text" | "tspan"
        );
        Self { own: Count { elements: u64::from(is_drawn), vertices: 0 }, is_shape, ..Self::default() }
    }

    pub(super) fn add_attribute(&mut self, name: &str, value: &str) {
        match name {
            "id" => self.id = Some(without_white_space(value)),
            "class" => {
                let classes = value.split_ascii_whitespace().filter(|class| is_generated_class(class));
                self.classes = classes.map(str::to_owned).collect();
                self.classes.sort_unstable();
                self.classes.dedup();
            }
            "href" | "xlink:href" => {
                let id = value.strip_prefix('#').map(without_white_space);
                self.references.extend(id.map(|id| Reference { id, repetition: Repetition::Linked }));
            }
            _ => {
                // A path command takes at least one byte, a number with its separator two.
                if matches!(name, "d" | "points") {
                    self.own.vertices = u64::try_from(value.len()).unwrap_or(u64::MAX);
                }
                self.inherits |= inherits(value);
                self.references.extend(property_references(name, value));
                let layers = layer_price(self.is_shape).saturating_mul(layers(name, value));
                self.own.elements = self.own.elements.saturating_add(layers);
            }
        }
    }
}

/// Returns the references in the value of a property or `style`.
fn property_references(name: &str, value: &str) -> Vec<Reference> {
    let joined = without_white_space(value);
    let lower = joined.to_ascii_lowercase();
    let repetition = repetition_of_attribute(name, &lower);
    let urls = lower.match_indices("url(").map(|(at, url)| &joined[at + url.len()..]);
    let ids =
        urls.filter_map(|rest| rest.split_once(')')?.0.trim_matches(['"', '\'']).strip_prefix('#').map(str::to_owned));
    ids.map(|id| Reference { id, repetition }).collect()
}

/// Returns the number of elements that one layer counts as.
const fn layer_price(is_shape: bool) -> u64 {
    if is_shape { LAYER_OF_SHAPE } else { LAYER_OF_GROUP }
}

/// Counts the layers that a property, or `style`, adds to an element.
///
/// A clip path is the least layer. Opacity takes twice as long, and a mask or blend mode eight times.
fn layers(name: &str, value: &str) -> u64 {
    if name == "style" {
        let declarations = value.split(';').filter_map(|declaration| declaration.split_once(':'));
        return declarations.map(|(name, value)| layers(&name.trim().to_ascii_lowercase(), value)).sum();
    }
    let value = value.trim();
    match name.strip_prefix("-webkit-").unwrap_or(name) {
        _ if matches!(value, "none" | "normal" | "auto") => 0,
        "clip-path" => 1,
        "opacity" if !matches!(value, "1" | "1.0" | "100%") => 2,
        "isolation" => 2,
        "mask" | "mask-image" | "mix-blend-mode" => 8,
        _ => 0,
    }
}

fn inherits(value: &str) -> bool {
    without_white_space(value).to_ascii_lowercase().contains("inherit")
}

/// Returns how often an attribute draws a referenced part; for `style`, an upper bound.
fn repetition_of_attribute(name: &str, value: &str) -> Repetition {
    match name {
        "fill" | "stroke" | "marker-start" | "marker-end" => Repetition::PerElement,
        "marker" | "marker-mid" => Repetition::PerVertex,
        "style" if value.contains("marker") => Repetition::PerVertex,
        "style" if value.contains("fill:") || value.contains("stroke:") => Repetition::PerElement,
        _ => Repetition::Once,
    }
}

impl Count {
    fn plus(self, other: Self, times: u64) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        Self { elements: sum(self.elements, other.elements), vertices: sum(self.vertices, other.vertices) }
    }

    fn max(self, other: Self) -> Self {
        Self { elements: self.elements.max(other.elements), vertices: self.vertices.max(other.vertices) }
    }

    const fn unbounded() -> Self {
        Self { elements: u64::MAX, vertices: u64::MAX }
    }
}

impl References {
    /// Adds an element to its parent's part, or as a new part if needed, and returns its part.
    ///
    /// Part 0 has the elements that are in no other part.
    pub(super) fn add_element(&mut self, parent: usize, element: Element) -> usize {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        self.inherits |= element.inherits;
        let is_inherited =
            |reference: &Reference| matches!(reference.repetition, Repetition::PerElement | Repetition::PerVertex);
        let is_part =
            element.id.is_some() || !element.classes.is_empty() || element.references.iter().any(is_inherited);
        let part = if is_part {
            let part = self.parts.len();
            self.parts.push(Part::default());
            self.parts[parent].inside.push(part);
            self.parts[part].classes = element.classes;
            self.parts[part].is_shape = element.is_shape;
            if let Some(id) = element.id {
                self.ids.entry(id).or_default().push(part);
            }
            part
        } else {
            parent
        };
        self.parts[part].own = self.parts[part].own.plus(element.own, 1);
        self.parts[part].references.extend(element.references);
        part
    }

    /// Adds a rule of a style sheet.
    pub(super) fn add_rule(&mut self, rule: &Rule) {
        let values = rule.properties.iter();
        self.inherits |= values.clone().any(|(_, value)| inherits(value));
        let references: Vec<_> = values.clone().flat_map(|(name, value)| property_references(name, value)).collect();
        let layers = values.map(|(name, value)| layers(name, value)).sum();
        if !references.is_empty() || layers > 0 {
            for class in &rule.classes {
                let rules = self.classes.entry((*class).to_owned()).or_default();
                if rules.last() != Some(&self.rules.len()) {
                    rules.push(self.rules.len());
                }
            }
            self.rules.push((references, layers));
        }
    }

    /// Adds the pixels of an embedded image.
    pub(super) const fn add_pixels(&mut self, pixels: u64) {
        self.pixels = self.pixels.saturating_add(pixels);
    }

    /// Adds the references of another drawing on the same page.
    pub fn merge(&mut self, other: Self) {
        if self.parts.is_empty() {
            *self = other;
            return;
        }
        self.inherits |= other.inherits;
        self.add_pixels(other.pixels);
        let offset = self.parts.len();
        for mut part in other.parts {
            part.inside.iter_mut().for_each(|inside| *inside += offset);
            self.parts.push(part);
        }
        if self.parts.len() > offset {
            self.parts[0].inside.push(offset);
        }
        for (id, parts) in other.ids {
            self.ids.entry(id).or_default().extend(parts.into_iter().map(|part| part + offset));
        }
        for (class, rules) in other.classes {
            self.classes.entry(class).or_default().extend(rules.into_iter().map(|rule| rule + self.rules.len()));
        }
        self.rules.extend(other.rules);
    }

    /// Counts the drawn elements; returns `u64::MAX` if references are circular or chained too deeply.
    #[must_use]
    pub fn drawn_elements(&self) -> u64 {
        let (parts, rules) = (vec![None; self.parts.len()], vec![None; self.rules.len()]);
        let mut memo = Memo { parts, ids: HashMap::new(), rules, classes: HashMap::new() };
        let elements = if self.parts.is_empty() { 0 } else { self.count_part(0, &mut memo, 0).elements };
        elements.saturating_add(self.pixels / PIXELS)
    }

    fn count_part<'a>(&'a self, part: usize, memo: &mut Memo<'a>, chain: usize) -> Count {
        if let Some(drawn) = memo.parts[part] {
            return drawn;
        }
        if chain > MAX_CHAIN {
            return Count::unbounded();
        }
        // A circular reference reads this value and becomes unbounded.
        memo.parts[part] = Some(Count::unbounded());
        let Part { own, inside, references, classes, is_shape } = &self.parts[part];
        let mut once = *own;
        for &part in inside {
            once = once.plus(self.count_part(part, memo, chain + 1), 1);
        }
        let mut referenced = self.count_references(references, memo, chain);
        for class in classes {
            referenced = referenced.plus(self.count_class(class, memo, chain));
        }
        once.elements = once.elements.saturating_add(layer_price(*is_shape).saturating_mul(referenced.layers));
        once = once.plus(referenced.once, 1);
        let all = once
            .plus(referenced.per_element, once.elements)
            .plus(referenced.per_vertex, once.vertices.max(once.elements));
        memo.parts[part] = Some(all);
        all
    }

    /// Counts what all rules of a class add to an element.
    fn count_class<'a>(&'a self, class: &'a str, memo: &mut Memo<'a>, chain: usize) -> Referenced {
        // Without the memo, thousands of rules for thousands of elements would take quadratic time.
        if let Some(&referenced) = memo.classes.get(class) {
            return referenced;
        }
        let mut referenced = Referenced::default();
        for &rule in self.classes.get(class).into_iter().flatten() {
            referenced = referenced.plus(self.count_rule(rule, memo, chain));
        }
        memo.classes.insert(class, referenced);
        referenced
    }

    fn count_rule<'a>(&'a self, rule: usize, memo: &mut Memo<'a>, chain: usize) -> Referenced {
        if let Some(referenced) = memo.rules[rule] {
            return referenced;
        }
        memo.rules[rule] = Some(Referenced { once: Count::unbounded(), ..Referenced::default() });
        let (of_rule, layers) = &self.rules[rule];
        let mut referenced = self.count_references(of_rule, memo, chain);
        referenced.layers = *layers;
        memo.rules[rule] = Some(referenced);
        referenced
    }

    fn count_references<'a>(&'a self, references: &'a [Reference], memo: &mut Memo<'a>, chain: usize) -> Referenced {
        let mut total = Referenced::default();
        for Reference { id, repetition } in references {
            let most = self.count_id(id, memo, chain + 1);
            let sum = match repetition {
                Repetition::Once if self.inherits => &mut total.per_element,
                Repetition::Linked | Repetition::Once => &mut total.once,
                Repetition::PerElement => &mut total.per_element,
                Repetition::PerVertex => &mut total.per_vertex,
            };
            *sum = sum.plus(most, 1);
        }
        total
    }

    /// Counts the largest part with an id; returns zero if there is none.
    fn count_id<'a>(&'a self, id: &'a str, memo: &mut Memo<'a>, chain: usize) -> Count {
        // Without the memo, thousands of references to thousands of equal ids would take quadratic time.
        if let Some(&drawn) = memo.ids.get(id) {
            return drawn;
        }
        let mut most = Count::default();
        for &part in self.ids.get(id).into_iter().flatten() {
            most = most.max(self.count_part(part, memo, chain));
        }
        memo.ids.insert(id, most);
        most
    }
}

/// Removes white space from an id; browsers keep some and drop some in references, so both are found.
fn without_white_space(id: &str) -> String {
    id.split_whitespace().collect()
}

#[cfg(test)]
mod tests;
