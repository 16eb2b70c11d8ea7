//! Price of showing drawings, including what references repeat.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser.
//! So can a marker at each vertex of a long path, or a pattern that each shape of a group inherits.
//!
//! The price is in drawn elements. What takes longer than a small shape counts as the number of elements that
//! take as long. A shape counts as if it filled the screen unless plain numbers prove that it is smaller.

use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher},
};

use super::{
    amounts::{Amounts, Style},
    effects::{Effects, Layers, Reference, Repetition},
    element::{Element, Role, families},
    geometry::{Outline, Scale},
    style_sheet::Rule,
};

/// Maximum price of one drawing, or of all drawings of an event together, in drawn elements.
///
/// A drawing of 1 MiB can write out as many: six for each seat of the largest hall. They take 3 seconds at most.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Maximum length of a chain of references.
const MAX_CHAIN: usize = 150;

/// Pixels of embedded images that take as much memory as a drawn element.
const PIXELS: u64 = 250;

/// Price of another font or font size, and of each family in its list; 260 to 500 microseconds.
const FONT: u64 = 26;
/// Price of a character that has not been drawn in its font and direction: 60 microseconds for Latin letters, and 90 to
/// 320 for Hangul and Chinese characters.
const GLYPH: u64 = 16;
const LATIN_GLYPH: u64 = 1;

/// Price of a tile that fills the screen, in fills; mainly for memory.
const TILE: u64 = 150;
/// Stops of gradients that cost as much as an element for each shape that they paint.
const STOPS: u64 = 32;
/// Rules of a class that cost as much as an element for each element of the class.
const RULES: usize = 256;
/// Elements of a gradient with two stops.
const SHORT_GRADIENT: u64 = 3;
/// Price of gradients and patterns for each shape painted with it, and of its area beyond that of a plain fill.
const GRADIENT: (u64, u64) = (2, 4);
const LONG_GRADIENT: (u64, u64) = (2, 16);
const PATTERN: (u64, u64) = (10, 13);

/// References between the elements of drawings.
#[derive(Debug, Default)]
pub struct References {
    parts: Vec<Part>,
    /// Parts of the roots, with pixels for each user unit on a page of their own; `None` for fragments.
    roots: Vec<(usize, Option<f64>)>,
    /// Pixels for each user unit in the seat map if this is the drawing of the hall; `None` if it has no size.
    as_hall: Option<f64>,
    /// Pixels for each user unit in the seat map; zero if there is none.
    hall: f64,
    /// Parts by id, without white space; if several have an id, it is unknown which one a page shows.
    ids: HashMap<String, Vec<usize>>,
    /// True if an element has the value `inherit`, so any property may be inherited.
    inherits: bool,
    style: Style,
    /// Rules by class; on a page, a rule applies to the elements of all drawings.
    rules: Vec<Effects>,
    classes: HashMap<String, Vec<usize>>,
    /// Texts and characters as written, without references.
    texts: Amounts,
    /// Hashes of the fonts and glyphs of the texts.
    fonts: HashSet<u64>,
    glyphs: HashSet<u64>,
    /// Number of fonts, and greatest number of families that a rule names beyond the first.
    font_count: u64,
    rule_families: u64,
    /// Price of all fonts, glyphs and pixels of images; each image is decoded once.
    once: u64,
    pixels: u64,
}

/// Root, or an element with an id, a generated class or inherited references, and its content without other parts.
///
/// Its sizes are in the user units outside of the element.
#[derive(Debug, Default)]
struct Part {
    own: Amounts,
    /// Parts within this part, with the scales of the elements between.
    inside: Vec<(usize, Scale)>,
    links: Vec<Link>,
    classes: Vec<String>,
    role: Role,
    dashes: f64,
    has_context_paint: bool,
    is_shape: bool,
}

/// Reference of an element in a part.
#[derive(Debug)]
struct Link {
    reference: Reference,
    scale: Scale,
    /// Scale of a symbol of one unit that the element links to.
    symbol: Scale,
}

/// Place of an element's content.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    part: usize,
    /// Scale of the content in the units outside of the part, and on the screen.
    scale: Scale,
    screen: Scale,
    /// Hashes for texts; see [`Element::hashes`].
    font: u64,
    look: u64,
    families: u64,
    is_text: bool,
    is_positioned: bool,
}

/// Results counted so far, by part, id, rule and class.
struct Memo<'a> {
    parts: Vec<Option<Amounts>>,
    ids: HashMap<&'a str, Target>,
    rules: Vec<Option<Drawn>>,
    classes: HashMap<&'a str, Drawn>,
}

/// Greatest amounts of the parts with an id.
#[derive(Clone, Copy, Debug, Default)]
struct Target {
    other: Amounts,
    /// Symbols, in a size of one unit.
    symbol: Amounts,
    /// Elements of a gradient.
    gradient: u64,
    /// Tile of a pattern.
    tile: Amounts,
    /// Price of painting a shape, and of its area.
    paint: (u64, u64),
}

impl Target {
    fn add(&mut self, role: Role, amounts: Amounts) {
        match role {
            Role::Symbol => self.symbol = self.symbol.max(amounts),
            Role::Viewport => self.other = self.other.max(amounts.without_proof()),
            Role::Other => self.other = self.other.max(amounts),
            Role::Gradient => {
                self.gradient = self.gradient.max(amounts.elements);
                let price = if amounts.elements <= SHORT_GRADIENT { GRADIENT } else { LONG_GRADIENT };
                self.paint = (self.paint.0.max(price.0), self.paint.1.max(price.1));
            }
            Role::Pattern(area) => {
                let tile = Outline { area, length: 0.0, vertices: 0 };
                let tile = if area.is_finite() {
                    Amounts::of_shape(tile, TILE, true, false)
                } else {
                    Amounts::of_unproven(0, TILE)
                };
                self.other = self.other.max(amounts);
                self.tile = self.tile.max(tile);
                self.paint = (self.paint.0.max(PATTERN.0), self.paint.1.max(PATTERN.1));
            }
        }
    }
}

/// Sums of what references draw.
#[derive(Clone, Copy, Debug, Default)]
struct Drawn {
    once: Amounts,
    /// For each shape.
    per_shape: Amounts,
    /// For each element, of unproven size.
    per_element: Amounts,
    /// For each vertex, of unproven size.
    per_vertex: Amounts,
    /// Price of areas in addition to that of plain fills.
    paint: u64,
    layers: Layers,
    dashes: f64,
}

impl Drawn {
    /// Adds a reference to a target, with the scale of the reference and that of a symbol of one unit.
    fn add(&mut self, target: &Target, repetition: Repetition, inherits: bool, (scale, symbol): (Scale, Scale)) {
        let any = target.other.max(target.symbol.without_proof());
        match repetition {
            Repetition::Linked => {
                let gradient = Amounts::of_elements(target.gradient);
                let linked = target.other.max(target.symbol.scaled(symbol)).scaled(scale).max(gradient);
                self.once = self.once.plus(linked.linked(), 1);
            }
            Repetition::Once if inherits => self.per_element = self.per_element.plus(any.without_proof(), 1),
            Repetition::Once => self.once = self.once.plus(any.scaled(scale), 1),
            Repetition::PerShape => {
                let (price, area) = target.paint;
                // A browser copies the stops of a gradient fast.
                let stops = target.gradient / STOPS;
                let painted = any.plus(target.tile, 1).plus(Amounts::of_elements(price.saturating_add(stops)), 1);
                self.per_shape = self.per_shape.plus(painted, 1);
                self.paint = self.paint.saturating_add(area);
            }
            Repetition::PerVertex => {
                let painted = any.plus(target.tile, 1).plus(Amounts::of_elements(target.paint.0), 1);
                self.per_vertex = self.per_vertex.plus(painted.without_proof(), 1);
                self.paint = self.paint.saturating_add(target.paint.1);
            }
        }
    }

    fn merge(&mut self, other: &Self) {
        self.once = self.once.plus(other.once, 1);
        self.per_shape = self.per_shape.plus(other.per_shape, 1);
        self.per_element = self.per_element.plus(other.per_element, 1);
        self.per_vertex = self.per_vertex.plus(other.per_vertex, 1);
        self.paint = self.paint.saturating_add(other.paint);
        self.layers = self.layers.plus(other.layers);
        self.dashes += other.dashes;
    }
}

impl References {
    /// Adds an element and returns the place of its content.
    pub(super) fn add_element(&mut self, parent: Option<Place>, element: Element) -> Place {
        let pixels = element.pixels();
        let outside = parent.unwrap_or_else(|| {
            let screen = Scale::uniform(pixels.map_or(0.0, |(page, _)| page));
            let scale = Scale::ONE;
            Place { part: 0, scale, screen, font: 0, look: 0, families: 0, is_text: false, is_positioned: false }
        });
        let own_scale = element.scale();
        let mut place = Place {
            families: outside.families.max(element.families),
            is_text: outside.is_text || element.is_text(),
            is_positioned: outside.is_positioned || element.is_positioned,
            ..outside
        };
        place.screen = outside.screen.times(own_scale);
        (place.font, place.look) = element.hashes(outside.font, outside.look);
        self.inherits |= element.effects.inherits;
        self.style = self.style.max(element.effects.style);
        let is_part = parent.is_none()
            || element.id.is_some()
            || !element.classes.is_empty()
            || element.effects.dashes > 0.0
            || element.effects.has_context_paint
            || element.effects.references.iter().any(|reference| reference.repetition != Repetition::Once);
        if is_part {
            place.part = self.parts.len();
            place.scale = own_scale;
            self.parts.push(Part { role: element.role(), is_shape: element.is_shape_or_text(), ..Part::default() });
            if parent.is_some() {
                self.parts[outside.part].inside.push((place.part, outside.scale));
            } else {
                self.roots.push((place.part, pixels.map(|(page, _)| page)));
                self.as_hall = pixels.map(|(_, hall)| hall);
            }
        } else {
            place.scale = outside.scale.times(own_scale);
        }
        let part = &mut self.parts[place.part];
        let amounts = element.amounts(place.screen);
        self.texts.texts += amounts.texts;
        part.own = part.own.plus(amounts.scaled(place.scale), 1);
        // Only links of `<use>` keep the scale of what they link to.
        let (scale, symbol) =
            if element.is_use() { (place.scale, element.size()) } else { (Scale::UNPROVEN, Scale::UNPROVEN) };
        if let Some(id) = element.link.clone() {
            let reference = Reference { id, repetition: Repetition::Linked };
            part.links.push(Link { reference, scale, symbol });
        }
        let content_scale = if parent.is_some() { element.content_scale() } else { Scale::ONE };
        let links = element.effects.references.into_iter();
        part.links.extend(links.map(|reference| Link { reference, scale: place.scale, symbol: Scale::UNPROVEN }));
        if is_part {
            part.classes = element.classes;
            part.dashes = element.effects.dashes;
            part.has_context_paint = element.effects.has_context_paint;
            if let Some(id) = element.id {
                self.ids.entry(id).or_default().push(place.part);
            }
        }
        place.scale = place.scale.times(content_scale);
        place.screen = place.screen.times(content_scale);
        place
    }

    /// Adds a comment, which a link copies like an element.
    pub(super) fn add_comment(&mut self, place: Place) {
        let own = &mut self.parts[place.part].own;
        *own = own.plus(Amounts::of_elements(1), 1);
    }

    /// Adds characters, which are drawn if they are in a text.
    pub(super) fn add_characters(&mut self, place: Place, characters: &str) {
        if !place.is_text {
            return;
        }
        let hash = BuildHasherDefault::<DefaultHasher>::default();
        if self.fonts.insert(place.font) {
            self.font_count += 1;
            self.once = self.once.saturating_add(FONT.saturating_mul(place.families.saturating_add(1)));
        }
        for character in characters.chars() {
            if self.glyphs.insert(hash.hash_one((place.font, place.look, character))) {
                self.once = self.once.saturating_add(if character.is_ascii() { LATIN_GLYPH } else { GLYPH });
            }
        }
        let count = u64::try_from(characters.chars().count()).unwrap_or(u64::MAX);
        self.texts.characters += count;
        let own = &mut self.parts[place.part].own;
        *own = own.plus(Amounts::of_text(count, place.is_positioned).scaled(place.scale), 1);
    }

    /// Adds a rule of a style sheet.
    pub(super) fn add_rule(&mut self, rule: &Rule) {
        let mut effects = Effects::default();
        for (name, value) in &rule.properties {
            effects.add_property(name, value);
            if name.starts_with("font") {
                self.rule_families = self.rule_families.max(families(value));
            }
        }
        self.inherits |= effects.inherits;
        self.style = self.style.max(effects.style);
        for class in &rule.classes {
            let rules = self.classes.entry((*class).to_owned()).or_default();
            if rules.last() != Some(&self.rules.len()) {
                rules.push(self.rules.len());
            }
        }
        self.rules.push(effects);
    }

    /// Adds the pixels of an embedded image.
    pub(super) const fn add_pixels(&mut self, pixels: u64) {
        self.pixels = self.pixels.saturating_add(pixels);
    }

    /// Takes the units of the drawing of the hall for all drawings in the seat map.
    pub fn set_hall(&mut self, hall: &Self) {
        self.hall = hall.as_hall.unwrap_or(f64::INFINITY);
    }

    /// Adds the references of another drawing on the same page.
    pub fn merge(&mut self, other: Self) {
        self.inherits |= other.inherits;
        self.style = self.style.max(other.style);
        self.texts = self.texts.plus(other.texts, 1);
        self.font_count += other.font_count;
        self.rule_families = self.rule_families.max(other.rule_families);
        self.once = self.once.saturating_add(other.once);
        self.add_pixels(other.pixels);
        let offset = self.parts.len();
        for mut part in other.parts {
            part.inside.iter_mut().for_each(|(inside, _)| *inside += offset);
            self.parts.push(part);
        }
        self.roots.extend(other.roots.into_iter().map(|(root, pixels)| (root + offset, pixels)));
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
        let families = FONT.saturating_mul(self.font_count).saturating_mul(self.rule_families);
        [self.once, families, self.pixels / PIXELS]
            .into_iter()
            .fold(self.total().price(self.style, self.texts), u64::saturating_add)
    }

    /// Sums up the amounts of all roots, in pixels.
    fn total(&self) -> Amounts {
        let (parts, rules) = (vec![None; self.parts.len()], vec![None; self.rules.len()]);
        let mut memo = Memo { parts, ids: HashMap::new(), rules, classes: HashMap::new() };
        let mut total = Amounts::ZERO;
        for &(root, pixels) in &self.roots {
            let scale = Scale::uniform(pixels.unwrap_or_default().max(self.hall));
            total = total.plus(self.count_part(root, &mut memo, 0).scaled(scale), 1);
        }
        total
    }

    fn count_part<'a>(&'a self, part: usize, memo: &mut Memo<'a>, chain: usize) -> Amounts {
        if let Some(amounts) = memo.parts[part] {
            return amounts;
        }
        if chain > MAX_CHAIN {
            return Amounts::UNBOUNDED;
        }
        // A circular reference reads this value and becomes unbounded.
        memo.parts[part] = Some(Amounts::UNBOUNDED);
        let part_number = part;
        let part = &self.parts[part];
        let mut once = part.own;
        for &(inside, scale) in &part.inside {
            once = once.plus(self.count_part(inside, memo, chain + 1).scaled(scale), 1);
        }
        let mut drawn =
            self.count_links(part.links.iter().map(|link| (&link.reference, link.scale, link.symbol)), memo, chain);
        for class in &part.classes {
            drawn.merge(&self.count_class(class, memo, chain));
        }
        let all = self.with_drawn(part, once, &drawn);
        memo.parts[part_number] = Some(all);
        all
    }

    /// Adds what references draw to the content of a part; apart from the recursion, which so takes less stack.
    fn with_drawn(&self, part: &Part, once: Amounts, drawn: &Drawn) -> Amounts {
        let (context_price, context_paint) = if part.has_context_paint { PATTERN } else { (0, 0) };
        let per_shape = drawn.per_shape.plus(Amounts::of_elements(context_price), 1);
        let paint = drawn.paint.saturating_add(context_paint).min(2 * LONG_GRADIENT.1);
        let once = once
            .plus(Amounts::of_elements(drawn.layers.price(part.is_shape)), 1)
            .plus(drawn.once, 1)
            .dashed(part.dashes + drawn.dashes, self.style);
        once.painted(1 + paint)
            .plus(once.copies(per_shape), 1)
            .plus(drawn.per_element, once.elements)
            .plus(drawn.per_vertex, once.vertices.saturating_add(once.texts))
    }

    /// Counts what all rules of a class add to an element.
    fn count_class<'a>(&'a self, class: &'a str, memo: &mut Memo<'a>, chain: usize) -> Drawn {
        // Without the memo, thousands of rules for thousands of elements would take quadratic time.
        if let Some(&drawn) = memo.classes.get(class) {
            return drawn;
        }
        let rules = self.classes.get(class).map_or(&[][..], Vec::as_slice);
        let price = u64::try_from(rules.len() / RULES).unwrap_or(u64::MAX);
        let mut drawn = Drawn { once: Amounts::of_elements(price), ..Drawn::default() };
        for &rule in rules {
            drawn.merge(&self.count_rule(rule, memo, chain));
        }
        memo.classes.insert(class, drawn);
        drawn
    }

    fn count_rule<'a>(&'a self, rule: usize, memo: &mut Memo<'a>, chain: usize) -> Drawn {
        if let Some(drawn) = memo.rules[rule] {
            return drawn;
        }
        memo.rules[rule] = Some(Drawn { once: Amounts::UNBOUNDED, ..Drawn::default() });
        let effects = &self.rules[rule];
        let references = effects.references.iter().map(|reference| (reference, Scale::UNPROVEN, Scale::UNPROVEN));
        let mut drawn = self.count_links(references, memo, chain);
        drawn.once.elements = drawn.once.elements.saturating_add(effects.price);
        drawn.layers = effects.layers;
        drawn.dashes = effects.dashes;
        if effects.has_context_paint {
            drawn.per_shape.elements = drawn.per_shape.elements.saturating_add(PATTERN.0);
            drawn.paint = drawn.paint.saturating_add(PATTERN.1);
        }
        memo.rules[rule] = Some(drawn);
        drawn
    }

    fn count_links<'a>(
        &'a self,
        links: impl Iterator<Item = (&'a Reference, Scale, Scale)>,
        memo: &mut Memo<'a>,
        chain: usize,
    ) -> Drawn {
        let mut drawn = Drawn::default();
        for (Reference { id, repetition }, scale, symbol) in links {
            let target = self.count_id(id, memo, chain + 1);
            drawn.add(&target, *repetition, self.inherits, (scale, symbol));
        }
        drawn
    }

    /// Counts the largest parts with an id; returns zero if there are none.
    fn count_id<'a>(&'a self, id: &'a str, memo: &mut Memo<'a>, chain: usize) -> Target {
        // Without the memo, thousands of references to thousands of equal ids would take quadratic time.
        if let Some(&target) = memo.ids.get(id) {
            return target;
        }
        let mut target = Target::default();
        for &part in self.ids.get(id).into_iter().flatten() {
            let amounts = self.count_part(part, memo, chain);
            target.add(self.parts[part].role, amounts);
        }
        memo.ids.insert(id, target);
        target
    }
}

#[cfg(test)]
mod tests;
