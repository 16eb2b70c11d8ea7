//! Number of elements that a drawing draws, including references.
//!
//! A dozen nested `<use>` elements, in less than a kilobyte, can draw a billion shapes and crash a browser.
//! So can a marker at each vertex of a long path, or a pattern that each shape of a group inherits.

use std::collections::HashMap;

use super::style_sheet::{Rule, is_generated_class};

/// Maximum number of elements that one drawing, or all drawings of an event together, may draw.
///
/// A drawing of 1 MiB can write out as many: six for each seat of the largest hall.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// Maximum length of a chain of references.
const MAX_CHAIN: usize = 500;

/// References between the elements of drawings.
#[derive(Debug, Default)]
pub struct References {
    /// All parts; the first has the elements that are in no other part.
    parts: Vec<Part>,
    /// Parts by id, without white space; if several have an id, it is unknown which one a page shows.
    ids: HashMap<String, Vec<usize>>,
    /// True if an element has the value `inherit`, so any property may be inherited.
    inherits: bool,
    /// References of the rules in style sheets.
    rules: Vec<Vec<Reference>>,
    /// Rules by class; on a page, a rule applies to the elements of all drawings.
    classes: HashMap<String, Vec<usize>>,
}

/// Element with an id, a generated class or inherited references, and its content without other parts.
#[derive(Debug, Default)]
struct Part {
    own: Count,
    inside: Vec<usize>,
    references: Vec<Reference>,
    classes: Vec<String>,
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

/// Results counted so far, by part, id and rule.
struct Memo<'a> {
    parts: Vec<Option<Count>>,
    ids: HashMap<&'a str, Count>,
    rules: Vec<Option<Referenced>>,
}

/// Sums of what references draw, by repetition.
#[derive(Clone, Copy, Debug, Default)]
struct Referenced {
    once: Count,
    per_element: Count,
    per_vertex: Count,
}

impl Referenced {
    fn plus(self, other: Self) -> Self {
        Self {
            once: self.once.plus(other.once, 1),
            per_element: self.per_element.plus(other.per_element, 1),
            per_vertex: self.per_vertex.plus(other.per_vertex, 1),
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
}

impl Element {
    pub(super) fn new(name: &str) -> Self {
        // These are colours and data, not shapes.
        let is_drawn = !matches!(name, "linearGradient" | "radialGradient" | "stop" | "style" | "metadata");
        Self { own: Count { elements: u64::from(is_drawn), vertices: 0 }, ..Self::default() }
    }

    pub(super) fn add_attribute(&mut self, name: &str, value: &str) {
        match name {
            "id" => self.id = Some(without_white_space(value)),
            "class" => {
                let classes = value.split_ascii_whitespace().filter(|class| is_generated_class(class));
                self.classes = classes.map(str::to_owned).collect();
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
        let references: Vec<_> = values.flat_map(|(name, value)| property_references(name, value)).collect();
        if !references.is_empty() {
            for class in &rule.classes {
                self.classes.entry((*class).to_owned()).or_default().push(self.rules.len());
            }
            self.rules.push(references);
        }
    }

    /// Adds the references of another drawing on the same page.
    pub fn merge(&mut self, other: Self) {
        if self.parts.is_empty() {
            *self = other;
            return;
        }
        self.inherits |= other.inherits;
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
        let mut memo = Memo { parts, ids: HashMap::new(), rules };
        if self.parts.is_empty() { 0 } else { self.count_part(0, &mut memo, 0).elements }
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
        let Part { own, inside, references, classes } = &self.parts[part];
        let mut once = *own;
        for &part in inside {
            once = once.plus(self.count_part(part, memo, chain + 1), 1);
        }
        let mut referenced = self.count_references(references, memo, chain);
        for &rule in classes.iter().filter_map(|class| self.classes.get(class)).flatten() {
            referenced = referenced.plus(self.count_rule(rule, memo, chain));
        }
        once = once.plus(referenced.once, 1);
        let all = once
            .plus(referenced.per_element, once.elements)
            .plus(referenced.per_vertex, once.vertices.max(once.elements));
        memo.parts[part] = Some(all);
        all
    }

    fn count_rule<'a>(&'a self, rule: usize, memo: &mut Memo<'a>, chain: usize) -> Referenced {
        if let Some(referenced) = memo.rules[rule] {
            return referenced;
        }
        memo.rules[rule] = Some(Referenced { once: Count::unbounded(), ..Referenced::default() });
        let referenced = self.count_references(&self.rules[rule], memo, chain);
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
mod tests {
    use domain::violation::{DrawingError, DrawingFault};

    use super::{super::read, *};

    fn drawn(text: &str) -> u64 {
        read(text).map_or(u64::MAX, |references| references.drawn_elements())
    }

    /// Builds nested groups: each has ten references to the group before.
    fn chain(levels: usize, reference: &str) -> String {
        let group = |level: usize| {
            let before = reference.replace('?', &format!("a{}", level - 1));
            format!("<g id=\"a{level}\">{}</g>", before.repeat(10))
        };
        let groups: Vec<_> = (1..=levels).map(group).collect();
        format!("<g><g id=\"a0\"><path/></g>{}</g>", groups.concat())
    }

    #[test]
    fn plain_elements_count_once() {
        assert_eq!(drawn("/a.svg"), 0);
        assert_eq!(drawn("<g/>"), 1);
        assert_eq!(drawn("<svg><g id='a'><path/><path id='b'/></g><path/></svg>"), 5);
    }

    #[test]
    fn referenced_elements_count_each_time() {
        assert_eq!(
            drawn("<g><g id='a'><path/><path/></g><use href='#a'/><use xlink:href='#a'/></g>"),
            1 + 3 + 2 * (1 + 3)
        );
        assert_eq!(drawn("<g><mask id='m'><path/></mask><path mask='URL( \"#m\" )'/></g>"), 1 + 2 + (1 + 2));
        assert_eq!(drawn("<g><use href='#nothing'/></g>"), 2);
        let spaced = ["<path mask='url(\"#a b\")'/>", "<use href='#a b'/>", "<use href='#ab&#10;'/>"];
        for spaced in spaced {
            assert_eq!(drawn(&format!("<g><g id='a b'><path/></g>{spaced}</g>")), 1 + 2 + (1 + 2), "{spaced}");
        }
    }

    #[test]
    fn nested_references_multiply() {
        for reference in ["<use href=\"#?\"/>", "<path marker-mid=\"url(#?)\"/>", "<path style=\"mask:url('#?')\"/>"] {
            assert!(drawn(&chain(4, reference)) <= MAX_DRAWN_ELEMENTS, "{reference}");
            assert_eq!(
                read(&chain(5, reference)).map(drop),
                Err(vec![DrawingFault { position: None, error: DrawingError::TooManyElements }]),
                "{reference}"
            );
        }
    }

    #[test]
    fn drawn_elements_are_limited() {
        // A group of 498 paths and 299 links to it reach the limit exactly.
        let group = format!("<g id='a'>{}</g>", "<path/>".repeat(498));
        let full = |more: &str| format!("<g>{group}{}{more}</g>", "<use href='#a'/>".repeat(299));
        assert_eq!(drawn(&full("")), MAX_DRAWN_ELEMENTS);
        assert_eq!(
            read(&full("<path/>")).map(drop),
            Err(vec![DrawingFault { position: None, error: DrawingError::TooManyElements }])
        );
    }

    #[test]
    fn inherited_references_count_per_element() {
        let pattern = "<pattern id='p'><path/><path/></pattern>";
        let group = |attribute: &str| format!("<g>{pattern}<g {attribute}><path/><path/><path/></g></g>");
        let once = 1 + 3 + 4;
        for attribute in ["fill='url(#p)'", "stroke='url(#p)'", "style='fill: URL(#p)'", "marker-end='url(#p)'"] {
            assert_eq!(drawn(&group(attribute)), once + 4 * 3, "{attribute}");
        }
        for attribute in ["mask='url(#p)'", "style='clip-path:url(#p)'"] {
            assert_eq!(drawn(&group(attribute)), once + 3, "{attribute}");
        }
        assert_eq!(drawn(&format!("<g>{pattern}<g mask='url(#p)'><path mask='inherit'/></g></g>")), 1 + 3 + 2 + 6 * 3);
    }

    #[test]
    fn markers_count_per_vertex() {
        let marked =
            |attribute: &str| format!("<g><marker id='m'><path/></marker><g {attribute}><path d='M0 0h1'/></g></g>");
        for attribute in ["marker-mid='url(#m)'", "style='marker:url(#m)'"] {
            assert_eq!(drawn(&marked(attribute)), 1 + 2 + 2 + 6 * 2, "{attribute}");
        }
    }

    #[test]
    fn gradients_are_not_counted() {
        let gradient = "<linearGradient id='l'><stop/><stop/></linearGradient>";
        assert_eq!(drawn(&format!("<g>{gradient}<g fill='url(#l)'><path/><path/></g></g>")), 1 + 3);
    }

    #[test]
    fn circular_references_are_unbounded() {
        assert_eq!(drawn("<g id='a'><use href='#a'/></g>"), u64::MAX);
        assert_eq!(drawn("<g><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></g>"), u64::MAX);
    }

    #[test]
    fn long_reference_chain_is_unbounded() {
        let link = |n| format!("<linearGradient id='a{n}' href='#a{}'/>", n + 1);
        let chain = |count| format!("<g>{}</g>", (0..count).map(link).collect::<String>());
        assert_eq!(drawn(&chain(MAX_CHAIN)), 1);
        assert_eq!(drawn(&chain(MAX_CHAIN + 1)), u64::MAX);
    }

    #[test]
    fn inherit_applies_to_all_drawings() {
        let masked = "<g><mask id='m'><path/></mask><g mask='url(#m)'><path/><path/></g></g>";
        assert_eq!(drawn(masked), 6 + 2);
        // Then each element of the part with the mask may also have the mask.
        for (first, second, all) in
            [(masked, "<g mask='inherit'/>", 7 + 7 * 2), ("<g mask='inherit'/>", masked, 1 + 6 + 6 * 2)]
        {
            let mut page = read(first).unwrap();
            page.merge(read(second).unwrap());
            assert_eq!(page.drawn_elements(), all, "{first}");
        }
    }

    #[test]
    fn merged_drawings_share_ids() {
        let mut page = read("<g><g id='a'><path/></g></g>").unwrap();
        page.merge(read("/b.svg").unwrap());
        page.merge(read("<g><g id='b'><use href='#a'/><use href='#a'/></g></g>").unwrap());
        page.merge(read("<g><use href='#b'/></g>").unwrap());
        let (a, b) = (2, 1 + 2 * (1 + 2));
        assert_eq!(page.drawn_elements(), (1 + a) + (1 + b) + (1 + 1 + b));
    }

    #[test]
    fn shared_id_counts_as_largest_part() {
        let area = || read("<g><g id='s'><path/></g><use href='#s'/></g>").unwrap();
        let mut page = References::default();
        for _ in 0..200 {
            page.merge(area());
        }
        assert_eq!(page.drawn_elements(), 200 * area().drawn_elements());
    }

    #[test]
    fn rules_apply_to_all_elements_of_their_class() {
        let defs = "<pattern id='p'><path/><path/></pattern>";
        let svg = |css: &str, content: &str| format!("<svg>{defs}<style>{css}</style>{content}</svg>");
        let filled = svg(".a1{fill:url(#p)}", "<path class='b a1'/><g class='a1'><path/></g><path class='b2'/>");
        assert_eq!(drawn(&filled), 1 + 3 + 4 + 3 + 2 * 3);
        // A pattern whose content has its own class is circular.
        let circular = svg(".a1{fill:url(#q)}", "<pattern id='q'><path class='a1'/></pattern><path class='a1'/>");
        assert_eq!(drawn(&circular), u64::MAX);
    }

    #[test]
    fn rules_apply_to_other_drawings_of_the_page() {
        let mut page = read("<svg><path class='a1'/></svg>").unwrap();
        page.merge(read("<svg><mask id='m'><path/></mask><style>.a1{mask:url(#m)}</style></svg>").unwrap());
        assert_eq!(page.drawn_elements(), 2 + 2 + 1 + 2);
    }

    #[test]
    fn many_duplicate_ids_are_counted_fast() {
        const MANY: usize = 20_000;
        let sites = "<g id='a'/>".repeat(MANY) + &"<use href='#a'/>".repeat(MANY);
        assert_eq!(drawn(&format!("<g>{sites}</g>")), 1 + 3 * MANY as u64);
    }
}
