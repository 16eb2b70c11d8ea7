//! Price of showing drawings, including what references repeat.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser.
//! So can a marker at each vertex of a long path, or a pattern that each shape of a group inherits.
//!
//! The price is in drawn elements. Masks, layers, large areas and much text count as the number of elements that take as
//! long. All amounts are upper bounds, so that no drawing costs more than its price.

use std::collections::{HashMap, HashSet};

use super::{
    amounts::{Amounts, Style},
    effects::{Effects, Reference, Repetition},
    element::Element,
    style_sheet::Rule,
};

/// Maximum price of one drawing, or of all drawings of an event together, in drawn elements.
///
/// A drawing of 1 MiB can write out as many small ones: six for each seat of the largest hall.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Maximum length of a chain of references.
const MAX_CHAIN: usize = 250;

/// Side of the canvas, in user units, if `totalMap` does not define it.
const DEFAULT_CANVAS: f64 = 1_000.0;

/// Number of pixels of embedded images that cost as much as an element, mainly for memory.
const PIXELS: u64 = 250;
/// Price of a font size at one scale.
const FONT: u64 = 35;
/// Price of a viewport within a drawing.
const VIEWPORT: u64 = 4;
/// Price of a gradient, pattern or marker for each element that is painted with it.
const PAINT: u64 = 3;
/// Number of references that an element is painted with at most: those of `fill` and `stroke`.
const MAX_PAINTS: u64 = 2;
/// Price of a layer for a group; it takes longer if layers are nested.
const LAYER_OF_GROUP: u64 = 100;
/// Price of a layer for a single small shape, in addition to that of its area.
const LAYER_OF_SHAPE: u64 = 10;

/// References between the elements of drawings.
#[derive(Debug, Default)]
pub struct References {
    /// All parts; each contains elements that are in no other part.
    parts: Vec<Part>,
    /// Part of each drawing's root, with the side of the drawing's canvas if the drawing defines it.
    roots: Vec<(usize, Option<f64>)>,
    /// Side of the canvas for the other drawings; if it is unknown, sizes are not counted.
    canvas: Option<f64>,
    /// Parts by id, without white space; if several have an id, it is unknown which one a page shows.
    ids: HashMap<String, Vec<usize>>,
    /// True if an element has the value `inherit`, so any property may be inherited.
    inherits: bool,
    /// Greatest values of all links and rules.
    style: Style,
    /// Greatest width of lines that an element sets; they are drawn if a link or rule sets `stroke`.
    stroke_width: f64,
    /// Pixels of all embedded images.
    pixels: u64,
    /// Font sizes, and factors by which texts are scaled, as bits of numbers; for each pair, glyphs are drawn anew.
    font_sizes: HashSet<u64>,
    text_scales: HashSet<u64>,
    /// Effects of the rules in style sheets.
    rules: Vec<Effects>,
    /// Rules by class; on a page, a rule applies to the elements of all drawings.
    classes: HashMap<String, Vec<usize>>,
}

/// Root, or an element with an id, a generated class or effects, and its content without other parts.
///
/// Amounts are in the units outside of the element, those of a viewport in its own size.
#[derive(Debug, Default)]
struct Part {
    own: Amounts,
    /// Parts within this part, with the factors from their units to those of this part.
    inside: Vec<(usize, f64)>,
    effects: Effects,
    classes: Vec<String>,
    /// Factor from the units within the element to those outside of it.
    transform: f64,
    /// Size that a link gives to a viewport, or that a viewport gives to itself.
    size: f64,
    is_shape: bool,
    is_viewport: bool,
}

/// Place of an element's content among the parts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    part: usize,
    /// Factor from the content's units to those of the part.
    scale: f64,
    /// Greater side of the viewport, in the content's units, to which percentages relate.
    pub side: f64,
    /// Factor from the content's units to the canvas.
    canvas_scale: f64,
    style: Style,
}

impl Default for Place {
    /// Returns the place of a root.
    fn default() -> Self {
        Self { part: 0, scale: 1.0, side: DEFAULT_CANVAS, canvas_scale: 0.0, style: Style::INITIAL }
    }
}

/// Results counted so far, by part, id and rule.
struct Memo<'a> {
    parts: Vec<Option<Amounts>>,
    ids: HashMap<&'a str, Referenced>,
    rules: Vec<Option<Drawn>>,
}

/// Amounts of the parts with an id, of which any may be drawn.
#[derive(Clone, Copy, Debug, Default)]
struct Referenced {
    viewport: Amounts,
    /// Greatest size that a viewport gives to itself.
    size: f64,
    other: Amounts,
}

/// Sums of what effects draw.
#[derive(Clone, Copy, Debug, Default)]
struct Drawn {
    once: Amounts,
    per_element: Amounts,
    per_vertex: Amounts,
    /// Number of gradients, patterns and other references that an element may be painted with.
    paints: u64,
    layers: u64,
}

impl Drawn {
    fn plus(self, other: Self) -> Self {
        Self {
            once: self.once.plus(other.once, 1),
            per_element: self.per_element.plus(other.per_element, 1),
            per_vertex: self.per_vertex.plus(other.per_vertex, 1),
            paints: self.paints.saturating_add(other.paints),
            layers: self.layers.saturating_add(other.layers),
        }
    }
}

impl References {
    /// Takes the canvas of `totalMap` for the drawings of a page that do not define one.
    pub(crate) fn use_canvas_of(&mut self, total_map: &Self) {
        let canvas = total_map.roots.first().and_then(|&(_, canvas)| canvas);
        self.canvas = Some(canvas.unwrap_or(DEFAULT_CANVAS));
    }

    /// Adds an element to its parent's part, or as a new part if needed, and returns the place of its content.
    pub(super) fn add_element(&mut self, parent: Option<Place>, element: Element) -> Place {
        self.inherits |= element.effects.inherits;
        let mut outside = parent.unwrap_or_default();
        if let (None, Some(canvas)) = (parent, element.canvas()) {
            outside.canvas_scale = canvas.recip();
        }
        let style = element.effects.style(outside.style);
        self.style.is_round |= style.is_round;
        self.stroke_width = self.stroke_width.max(style.stroke_width);
        if element.is_link() {
            let set = element.effects.style(Style { is_stroked: style.is_stroked, ..Style::default() });
            self.style = self.style.max(set);
        }
        self.font_sizes.extend(&element.effects.font_sizes);
        let mut amounts = element.amounts(style, outside.canvas_scale);
        let is_viewport = parent.is_some() && element.is_viewport();
        if is_viewport {
            amounts.elements += VIEWPORT;
        }
        if element.is_link() && !self.text_scales.is_empty() {
            self.text_scales.insert(element.scale(false).to_bits());
        }
        let (scale, side) = (element.scale(is_viewport), element.content_side());
        let viewport = if is_viewport { element.size() } else { 1.0 };
        let canvas_scale = outside.canvas_scale * scale * viewport;
        let mut place = Place { part: outside.part, scale, side, canvas_scale, style };
        let effects = &element.effects;
        let is_part = parent.is_none()
            || is_viewport
            || element.id.is_some()
            || !element.classes.is_empty()
            || !effects.references.is_empty()
            || effects.layers > 0;
        if is_part {
            place.part = self.parts.len();
            if parent.is_some() {
                self.parts[outside.part].inside.push((place.part, outside.scale * viewport));
            } else {
                self.roots.push((place.part, element.canvas()));
            }
            self.parts.push(Part {
                own: amounts,
                inside: Vec::new(),
                transform: element.scale(false),
                size: if is_viewport { element.own_size() } else { element.size() },
                is_shape: element.is_shape(),
                is_viewport,
                effects: element.effects,
                classes: element.classes,
            });
            if let Some(id) = element.id {
                self.ids.entry(id).or_default().push(place.part);
            }
        } else {
            place.scale *= outside.scale;
            let own = &mut self.parts[place.part].own;
            *own = own.plus(amounts.scaled(outside.scale), 1);
        }
        place
    }

    /// Adds the pixels of an embedded image, which is decoded once however often it is drawn.
    pub(super) fn add_pixels(&mut self, pixels: u64) {
        self.pixels = self.pixels.saturating_add(pixels);
    }

    /// Adds a number of characters to a text.
    pub(super) fn add_characters(&mut self, place: Place, characters: usize) {
        self.text_scales.insert(place.scale.to_bits());
        let amounts = Amounts::of_text(characters, place.style).scaled(place.scale);
        let own = &mut self.parts[place.part].own;
        *own = own.plus(amounts, 1);
    }

    /// Adds a rule of a style sheet.
    pub(super) fn add_rule(&mut self, rule: &Rule) {
        let mut effects = Effects::default();
        for (name, value) in &rule.properties {
            effects.add(name, value, DEFAULT_CANVAS);
        }
        self.inherits |= effects.inherits;
        self.style = self.style.max(effects.style(Style::default()));
        self.font_sizes.extend(&effects.font_sizes);
        for class in &rule.classes {
            self.classes.entry((*class).to_owned()).or_default().push(self.rules.len());
        }
        self.rules.push(effects);
    }

    /// Adds the references of another drawing on the same page.
    pub fn merge(&mut self, other: Self) {
        self.inherits |= other.inherits;
        self.style = self.style.max(other.style);
        self.stroke_width = self.stroke_width.max(other.stroke_width);
        self.pixels = self.pixels.saturating_add(other.pixels);
        self.font_sizes.extend(other.font_sizes);
        self.text_scales.extend(other.text_scales);
        let offset = self.parts.len();
        self.roots.extend(other.roots.into_iter().map(|(root, canvas)| (root + offset, canvas)));
        for mut part in other.parts {
            part.inside.iter_mut().for_each(|(inside, _)| *inside += offset);
            self.parts.push(part);
        }
        for (id, parts) in other.ids {
            self.ids.entry(id).or_default().extend(parts.into_iter().map(|part| part + offset));
        }
        for (class, rules) in other.classes {
            self.classes.entry(class).or_default().extend(rules.into_iter().map(|rule| rule + self.rules.len()));
        }
        self.rules.extend(other.rules);
    }

    /// Returns the price in drawn elements, or `u64::MAX` if references are circular or chained too deeply.
    ///
    /// A single fragment does not define the canvas, so its sizes are not counted.
    #[must_use]
    pub fn drawn_elements(&self) -> u64 {
        let mut memo =
            Memo { parts: vec![None; self.parts.len()], ids: HashMap::new(), rules: vec![None; self.rules.len()] };
        let mut total = Amounts::default();
        for &(root, canvas) in &self.roots {
            let factor = canvas.or(self.canvas).map_or(0.0, f64::recip);
            total = total.plus(self.count_part(root, &mut memo, 0).scaled(factor), 1);
        }
        let pairs = self.font_sizes.len().max(1).saturating_mul(self.text_scales.len());
        let fonts = u64::try_from(pairs).unwrap_or(u64::MAX).min(total.elements).saturating_mul(FONT);
        let style = Style { stroke_width: self.stroke_width.max(self.style.stroke_width), ..self.style };
        total.price(style).saturating_add(fonts).saturating_add(self.pixels / PIXELS)
    }

    fn count_part<'a>(&'a self, number: usize, memo: &mut Memo<'a>, chain: usize) -> Amounts {
        if let Some(amounts) = memo.parts[number] {
            return amounts;
        }
        if chain > MAX_CHAIN {
            return Amounts::unbounded();
        }
        // A circular reference reads this value and becomes unbounded.
        memo.parts[number] = Some(Amounts::unbounded());
        let part = &self.parts[number];
        let mut once = part.own;
        for &(inside, factor) in &part.inside {
            once = once.plus(self.count_part(inside, memo, chain + 1).scaled(factor), 1);
        }
        let mut drawn = self.count_effects(&part.effects, part.size, memo, chain);
        for &rule in part.classes.iter().filter_map(|class| self.classes.get(class)).flatten() {
            drawn = drawn.plus(self.count_rule(rule, memo, chain));
        }
        let Drawn { once: linked, per_element, per_vertex, paints, layers } = drawn;
        let layer = if part.is_shape { LAYER_OF_SHAPE } else { LAYER_OF_GROUP };
        if part.is_shape {
            once = once.painted(layers.min(1));
        }
        let layers = Amounts { elements: layer.saturating_mul(layers), ..Amounts::default() };
        once = once.plus(linked.scaled(part.transform), 1);
        let all = once
            .painted(paints)
            .plus(layers, 1)
            .plus(per_element.scaled(part.transform), once.elements)
            .plus(per_vertex.scaled(part.transform), once.vertices.max(once.elements));
        memo.parts[number] = Some(all);
        all
    }

    fn count_rule<'a>(&'a self, rule: usize, memo: &mut Memo<'a>, chain: usize) -> Drawn {
        if let Some(drawn) = memo.rules[rule] {
            return drawn;
        }
        memo.rules[rule] = Some(Drawn { once: Amounts::unbounded(), ..Drawn::default() });
        let effects = &self.rules[rule];
        let mut drawn = self.count_effects(effects, 1.0, memo, chain);
        drawn.once.elements = drawn.once.elements.saturating_add(effects.price);
        memo.rules[rule] = Some(drawn);
        drawn
    }

    /// Counts what effects draw in addition to their element; its own price is counted with the element.
    fn count_effects<'a>(&'a self, effects: &'a Effects, size: f64, memo: &mut Memo<'a>, chain: usize) -> Drawn {
        let mut drawn = Drawn { layers: effects.layers, ..Drawn::default() };
        if self.inherits {
            let price = effects.price.saturating_add(effects.layers.saturating_mul(LAYER_OF_GROUP));
            drawn.per_element.elements = price;
        }
        for Reference { id, repetition } in &effects.references {
            let Referenced { viewport, size: own_size, other } = self.count_id(id, memo, chain + 1);
            let most = viewport.scaled(size.max(own_size)).max(other);
            match repetition {
                Repetition::Once if self.inherits => {
                    drawn.per_element = drawn.per_element.plus(most.scaled(f64::INFINITY), 1);
                }
                Repetition::Linked | Repetition::Once => drawn.once = drawn.once.plus(most, 1),
                Repetition::PerElement => {
                    drawn.paints = MAX_PAINTS.min(drawn.paints + 1);
                    drawn.per_element = drawn.per_element.plus(most, 1);
                }
                Repetition::PerVertex => drawn.per_vertex = drawn.per_vertex.plus(most, 1),
            }
        }
        drawn.per_element.elements = drawn.per_element.elements.saturating_add(PAINT * drawn.paints);
        drawn
    }

    /// Counts the largest parts with an id; returns zero if there are none.
    fn count_id<'a>(&'a self, id: &'a str, memo: &mut Memo<'a>, chain: usize) -> Referenced {
        // Without the memo, thousands of references to thousands of equal ids would take quadratic time.
        if let Some(&referenced) = memo.ids.get(id) {
            return referenced;
        }
        let mut most = Referenced::default();
        for &part in self.ids.get(id).into_iter().flatten() {
            let amounts = self.count_part(part, memo, chain);
            let Part { is_viewport, size, .. } = self.parts[part];
            if is_viewport {
                most.viewport = most.viewport.max(amounts);
                most.size = most.size.max(size);
            } else {
                most.other = most.other.max(amounts);
            }
        }
        memo.ids.insert(id, most);
        most
    }
}

#[cfg(test)]
mod tests;
