//! How much a drawing draws, what it draws by reference included.
//!
//! A dozen nested `<use>` elements can ask for a billion shapes, and bring a browser down with less
//! than a kilobyte. So can a marker that is drawn at each vertex of a long path, and a pattern that
//! each shape of a group inherits.

use std::collections::HashMap;

/// The most elements that one drawing, or all drawings of an event together, may
/// draw. It is as many as a drawing of 1 MiB can spell out, six of each seat of
/// the largest hall.
pub const MAX_DRAWN_ELEMENTS: u64 = 150_000;

/// How long a chain of references is followed.
const MAX_CHAIN: usize = 500;

/// Which elements of drawings draw which others.
#[derive(Debug, Default)]
pub struct References {
    /// The first of them is all that stands in no other part.
    parts: Vec<Part>,
    /// The parts that bear an id, white space left out; which of several a page shows is not known.
    ids: HashMap<String, Vec<usize>>,
    /// Whether an element asks to inherit what is not inherited by itself.
    inherits: bool,
}

/// An element that has an id, or whose references are inherited, and what is in it, but for other parts.
#[derive(Debug, Default)]
struct Part {
    own: Count,
    inside: Vec<usize>,
    references: Vec<Reference>,
}

/// How much is drawn.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    elements: u64,
    /// Not more than these many vertices have the paths among them.
    vertices: u64,
}

/// A reference by id.
#[derive(Debug)]
struct Reference {
    id: String,
    drawn: Drawn,
}

/// How often what is referred to is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drawn {
    /// Once, by a link.
    Linked,
    /// Once, by a property that is not inherited.
    Once,
    /// Once for each element of the part, all of which inherit it.
    ByElement,
    /// At each vertex of each path in the part.
    ByVertex,
}

/// What has been counted so far.
struct Known<'a> {
    parts: Vec<Option<Count>>,
    ids: HashMap<&'a str, Count>,
}

/// What the counting needs of an element.
#[derive(Debug, Default)]
pub(super) struct Element {
    id: Option<String>,
    own: Count,
    references: Vec<Reference>,
    inherits: bool,
}

impl Element {
    /// An element of this name, without attributes.
    pub(super) fn new(name: &str) -> Self {
        // Colours, and no shapes.
        let is_drawn = !matches!(name, "linearGradient" | "radialGradient" | "stop");
        Self { own: Count { elements: u64::from(is_drawn), vertices: 0 }, ..Self::default() }
    }

    /// Takes in an attribute and its decoded value.
    pub(super) fn attribute(&mut self, name: &str, value: &str) {
        match name {
            "id" => self.id = Some(compact(value)),
            "href" | "xlink:href" => {
                let id = value.strip_prefix('#').map(compact);
                self.references.extend(id.map(|id| Reference { id, drawn: Drawn::Linked }));
            }
            _ => {
                let joined = compact(value);
                let lower = joined.to_ascii_lowercase();
                // A command of a path takes a byte at the least, and a number with its separator two.
                if matches!(name, "d" | "points") {
                    self.own.vertices = u64::try_from(value.len()).unwrap_or(u64::MAX);
                }
                self.inherits |= lower.contains("inherit");
                let drawn = drawn_by_property(name, &lower);
                let urls = lower.match_indices("url(").map(|(at, url)| &joined[at + url.len()..]);
                let ids = urls.filter_map(|rest| {
                    rest.split_once(')')?.0.trim_matches(['"', '\'']).strip_prefix('#').map(str::to_owned)
                });
                self.references.extend(ids.map(|id| Reference { id, drawn }));
            }
        }
    }
}

/// How often an attribute draws what it refers to, or at the most in the case of a `style`.
fn drawn_by_property(name: &str, value: &str) -> Drawn {
    match name {
        "fill" | "stroke" | "marker-start" | "marker-end" => Drawn::ByElement,
        "marker" | "marker-mid" => Drawn::ByVertex,
        "style" if value.contains("marker") => Drawn::ByVertex,
        "style" if value.contains("fill:") || value.contains("stroke:") => Drawn::ByElement,
        _ => Drawn::Once,
    }
}

impl Count {
    fn plus(self, other: Self, times: u64) -> Self {
        let sum = |one: u64, other: u64| one.saturating_add(other.saturating_mul(times));
        Self { elements: sum(self.elements, other.elements), vertices: sum(self.vertices, other.vertices) }
    }

    fn or_more(self, other: Self) -> Self {
        Self { elements: self.elements.max(other.elements), vertices: self.vertices.max(other.vertices) }
    }

    const fn unbounded() -> Self {
        Self { elements: u64::MAX, vertices: u64::MAX }
    }
}

impl References {
    /// Adds an element to a part, or as a new part if it has to be one, and gives
    /// the part it is in; 0 is the part that elements without any are in.
    pub(super) fn element(&mut self, parent: usize, element: Element) -> usize {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        self.inherits |= element.inherits;
        let is_inherited =
            |reference: &Reference| matches!(reference.drawn, Drawn::ByElement | Drawn::ByVertex);
        let part = if element.id.is_some() || element.references.iter().any(is_inherited) {
            let part = self.parts.len();
            self.parts.push(Part::default());
            self.parts[parent].inside.push(part);
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

    /// Takes in another drawing that stands on the same page.
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
    }

    /// How many elements are drawn; without bound where references lead back.
    #[must_use]
    pub fn drawn_elements(&self) -> u64 {
        let mut known = Known { parts: vec![None; self.parts.len()], ids: HashMap::new() };
        if self.parts.is_empty() { 0 } else { self.drawn_by(0, &mut known, 0).elements }
    }

    fn drawn_by<'a>(&'a self, part: usize, known: &mut Known<'a>, chain: usize) -> Count {
        if let Some(drawn) = known.parts[part] {
            return drawn;
        }
        if chain > MAX_CHAIN {
            return Count::unbounded();
        }
        // What leads back to here meets this, and is without bound.
        known.parts[part] = Some(Count::unbounded());
        let Part { own, inside, references } = &self.parts[part];
        let mut once = *own;
        for &part in inside {
            once = once.plus(self.drawn_by(part, known, chain + 1), 1);
        }
        let mut inherited = Vec::new();
        for Reference { id, drawn } in references {
            let most = self.drawn_by_id(id, known, chain + 1);
            match drawn {
                Drawn::Once if self.inherits => inherited.push((most, Drawn::ByElement)),
                Drawn::Linked | Drawn::Once => once = once.plus(most, 1),
                &drawn => inherited.push((most, drawn)),
            }
        }
        let all = inherited.iter().fold(once, |all, &(most, drawn)| {
            let times =
                if drawn == Drawn::ByVertex { once.vertices.max(once.elements) } else { once.elements };
            all.plus(most, times)
        });
        known.parts[part] = Some(all);
        all
    }

    /// How much the largest of the parts draws that bear an id; nothing where none does.
    fn drawn_by_id<'a>(&'a self, id: &'a str, known: &mut Known<'a>, chain: usize) -> Count {
        // Thousands of references to thousands of the same id would take the product.
        if let Some(&drawn) = known.ids.get(id) {
            return drawn;
        }
        let mut most = Count::default();
        for &part in self.ids.get(id).into_iter().flatten() {
            most = most.or_more(self.drawn_by(part, known, chain));
        }
        known.ids.insert(id, most);
        most
    }
}

/// An id without white space, of which browsers keep some and drop some in a reference: so
/// whatever they take it for, it is found.
fn compact(id: &str) -> String {
    id.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use domain::violation::DrawingError;

    use super::{super::read, *};

    fn drawn(text: &str) -> u64 {
        read(text).map_or(u64::MAX, |references| references.drawn_elements())
    }

    /// Groups of ten references each to the one before.
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
            assert_eq!(
                drawn(&format!("<g><g id='a b'><path/></g>{spaced}</g>")),
                1 + 2 + (1 + 2),
                "{spaced}"
            );
        }
    }

    #[test]
    fn nested_references_multiply() {
        for reference in
            ["<use href=\"#?\"/>", "<path marker-mid=\"url(#?)\"/>", "<path style=\"mask:url('#?')\"/>"]
        {
            assert!(drawn(&chain(4, reference)) <= MAX_DRAWN_ELEMENTS, "{reference}");
            assert_eq!(
                read(&chain(5, reference)).map(drop),
                Err(DrawingError::TooManyElements),
                "{reference}"
            );
        }
    }

    #[test]
    fn drawn_elements_are_limited() {
        // A group of 498 paths, and 299 links to it.
        let group = format!("<g id='a'>{}</g>", "<path/>".repeat(498));
        let full = |more: &str| format!("<g>{group}{}{more}</g>", "<use href='#a'/>".repeat(299));
        assert_eq!(drawn(&full("")), MAX_DRAWN_ELEMENTS);
        assert_eq!(read(&full("<path/>")).map(drop), Err(DrawingError::TooManyElements));
    }

    #[test]
    fn inherited_references_count_per_element() {
        let pattern = "<pattern id='p'><path/><path/></pattern>";
        let group = |attribute: &str| format!("<g>{pattern}<g {attribute}><path/><path/><path/></g></g>");
        let once = 1 + 3 + 4;
        for attribute in
            ["fill='url(#p)'", "stroke='url(#p)'", "style='fill: URL(#p)'", "marker-end='url(#p)'"]
        {
            assert_eq!(drawn(&group(attribute)), once + 4 * 3, "{attribute}");
        }
        for attribute in ["mask='url(#p)'", "style='clip-path:url(#p)'"] {
            assert_eq!(drawn(&group(attribute)), once + 3, "{attribute}");
        }
        assert_eq!(
            drawn(&format!("<g>{pattern}<g mask='url(#p)'><path mask='inherit'/></g></g>")),
            1 + 3 + 2 + 6 * 3
        );
    }

    #[test]
    fn markers_count_per_vertex() {
        let marked = |attribute: &str| {
            format!("<g><marker id='m'><path/></marker><g {attribute}><path d='M0 0h1'/></g></g>")
        };
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
        // Each element of the part that has the mask may then have it, too.
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
    fn many_duplicate_ids_are_counted_fast() {
        const MANY: usize = 20_000;
        let sites = "<g id='a'/>".repeat(MANY) + &"<use href='#a'/>".repeat(MANY);
        assert_eq!(drawn(&format!("<g>{sites}</g>")), 1 + 3 * MANY as u64);
    }
}
