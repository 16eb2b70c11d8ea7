//! How much a drawing draws, what it draws by reference included.
//!
//! A dozen nested `<use>` elements can ask for a billion shapes, and bring a
//! browser down with less than a kilobyte.

use std::collections::HashMap;

/// The most elements that one drawing, or all drawings of an event together, may
/// draw. It is as many as a drawing of 1 MiB can spell out, six of each seat of
/// the largest hall.
pub const MAX_DRAWN: u64 = 150_000;

/// How long a chain of references is followed.
const MAX_CHAIN: usize = 500;

/// Which elements of drawings draw which others.
#[derive(Debug, Default)]
pub struct References {
    /// The first of them is all that stands in no element with an id.
    parts: Vec<Part>,
    /// The parts that bear an id, white space left out; which of several a page shows is not known.
    ids: HashMap<String, Vec<usize>>,
}

/// An element with an id and what is in it, but for other parts.
#[derive(Debug, Default)]
struct Part {
    elements: u64,
    inside: Vec<usize>,
    references: Vec<String>,
}

impl References {
    /// Adds an element to a part, or as a new part if it has an id, and gives
    /// the part it is in; 0 is the part that elements without any are in.
    pub(super) fn element(&mut self, parent: usize, id: Option<String>, references: Vec<String>) -> usize {
        if self.parts.is_empty() {
            self.parts.push(Part::default());
        }
        let part = match id {
            None => parent,
            Some(id) => {
                let part = self.parts.len();
                self.parts.push(Part::default());
                self.parts[parent].inside.push(part);
                self.ids.entry(compact(&id)).or_default().push(part);
                part
            }
        };
        self.parts[part].elements += 1;
        self.parts[part].references.extend(references);
        part
    }

    /// Takes in another drawing that stands on the same page.
    pub fn merge(&mut self, other: Self) {
        if self.parts.is_empty() {
            *self = other;
            return;
        }
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
    pub fn drawn(&self) -> u64 {
        let mut known = vec![None; self.parts.len()];
        if self.parts.is_empty() { 0 } else { self.drawn_by(0, &mut known, 0) }
    }

    fn drawn_by(&self, part: usize, known: &mut [Option<u64>], chain: usize) -> u64 {
        if let Some(drawn) = known[part] {
            return drawn;
        }
        if chain > MAX_CHAIN {
            return u64::MAX;
        }
        // What leads back to here meets this, and is without bound.
        known[part] = Some(u64::MAX);
        let Part { elements, inside, references } = &self.parts[part];
        let mut drawn = *elements;
        for &part in inside {
            drawn = drawn.saturating_add(self.drawn_by(part, known, chain + 1));
        }
        for id in references {
            let candidates = self.ids.get(id).into_iter().flatten();
            let most = candidates.map(|&part| self.drawn_by(part, known, chain + 1)).max();
            drawn = drawn.saturating_add(most.unwrap_or(0));
        }
        known[part] = Some(drawn);
        drawn
    }
}

/// An id without white space, of which browsers keep some and drop some in a reference: so
/// whatever they take it for, it is found.
fn compact(id: &str) -> String {
    id.split_whitespace().collect()
}

/// The ids that an attribute of this decoded value refers to, without white space.
pub(super) fn of_attribute(name: &str, value: &str) -> Vec<String> {
    if matches!(name, "href" | "xlink:href") {
        return value.strip_prefix('#').map(compact).into_iter().collect();
    }
    let joined = compact(value);
    let lower = joined.to_ascii_lowercase();
    let urls = lower.match_indices("url(").map(|(at, url)| &joined[at + url.len()..]);
    let ids = urls.filter_map(|rest| rest.split_once(')')?.0.trim_matches(['"', '\'']).strip_prefix('#'));
    ids.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::{super::read, *};

    fn drawn(text: &str) -> u64 {
        read(text).map_or(u64::MAX, |references| references.drawn())
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
    fn what_is_spelt_out_counts_once() {
        assert_eq!(drawn("/a.svg"), 0);
        assert_eq!(drawn("<g/>"), 1);
        assert_eq!(drawn("<svg><g id='a'><path/><path id='b'/></g><path/></svg>"), 5);
    }

    #[test]
    fn what_is_referred_to_counts_each_time() {
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
    fn nested_references_multiply_and_are_refused_beyond_the_limit() {
        for reference in
            ["<use href=\"#?\"/>", "<path marker-mid=\"url(#?)\"/>", "<path style=\"mask:url('#?')\"/>"]
        {
            assert!(drawn(&chain(4, reference)) <= MAX_DRAWN, "{reference}");
            assert_eq!(
                read(&chain(5, reference)).map(drop),
                Err(super::super::Refusal::TooMuchDrawn),
                "{reference}"
            );
        }
    }

    #[test]
    fn references_that_lead_back_are_without_bound() {
        assert_eq!(drawn("<g id='a'><use href='#a'/></g>"), u64::MAX);
        assert_eq!(drawn("<g><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></g>"), u64::MAX);
        let long: Vec<_> = (0..600).map(|n| format!("<g id='a{n}'><use href='#a{}'/></g>", n + 1)).collect();
        assert_eq!(drawn(&format!("<g>{}</g>", long.concat())), u64::MAX);
    }

    #[test]
    fn drawings_on_one_page_refer_to_one_another() {
        let mut page = read("<g><g id='a'><path/></g></g>").unwrap();
        page.merge(read("/b.svg").unwrap());
        page.merge(read("<g><g id='b'><use href='#a'/><use href='#a'/></g></g>").unwrap());
        page.merge(read("<g><use href='#b'/></g>").unwrap());
        let (a, b) = (2, 1 + 2 * (1 + 2));
        assert_eq!(page.drawn(), (1 + a) + (1 + b) + (1 + 1 + b));
    }

    #[test]
    fn the_same_id_in_many_drawings_counts_as_the_largest_of_them() {
        let area = || read("<g><g id='s'><path/></g><use href='#s'/></g>").unwrap();
        let mut page = References::default();
        for _ in 0..200 {
            page.merge(area());
        }
        assert_eq!(page.drawn(), 200 * area().drawn());
    }
}
