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
    assert_eq!(drawn("<g><g id='a'><path/><path/></g><use href='#a'/><use xlink:href='#a'/></g>"), 1 + 3 + 2 * (1 + 3));
    let mask = 8 * LAYER_OF_SHAPE;
    assert_eq!(drawn("<g><mask id='m'><path/></mask><path mask='URL( \"#m\" )'/></g>"), 1 + 2 + (1 + 2) + mask);
    assert_eq!(drawn("<g><use href='#nothing'/></g>"), 2);
    for (spaced, layer) in
        [("<path mask='url(\"#a b\")'/>", mask), ("<use href='#a b'/>", 0), ("<use href='#ab&#10;'/>", 0)]
    {
        let svg = format!("<g><g id='a b'><path/></g>{spaced}</g>");
        assert_eq!(drawn(&svg), 1 + 2 + (1 + 2) + layer, "{spaced}");
    }
}

#[test]
fn nested_references_multiply() {
    for reference in ["<use href=\"#?\"/>", "<path marker-mid=\"url(#?)\"/>"] {
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
    for (attribute, layers) in [("mask='url(#p)'", 8), ("style='clip-path:url(#p)'", 1)] {
        assert_eq!(drawn(&group(attribute)), once + 3 + layers * LAYER_OF_GROUP, "{attribute}");
    }
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
    let masked = "<g><mask id='m'><path/></mask><g filter='url(#m)'><path/><path/></g></g>";
    assert_eq!(drawn(masked), 6 + 2);
    // Then each element of the part may also have the reference.
    for (first, second, all) in
        [(masked, "<g filter='inherit'/>", 7 + 7 * 2), ("<g filter='inherit'/>", masked, 1 + 6 + 6 * 2)]
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
    assert_eq!(page.drawn_elements(), 2 + 2 + 1 + 2 + 8 * LAYER_OF_SHAPE);
}

#[test]
fn many_duplicate_ids_are_counted_fast() {
    const MANY: usize = 20_000;
    let sites = "<g id='a'/>".repeat(MANY) + &"<use href='#a'/>".repeat(MANY);
    assert_eq!(drawn(&format!("<g>{sites}</g>")), 1 + 3 * MANY as u64);
}

#[test]
fn layers_count_as_many_elements() {
    for (property, value, layers) in [
        ("clip-path", "url(#a)", 1),
        ("clip-path", "circle(5px)", 1),
        ("opacity", ".5", 2),
        ("isolation", "isolate", 2),
        ("mask", "url(#a)", 8),
        ("mix-blend-mode", "multiply", 8),
        ("mask", "none", 0),
        ("opacity", "1", 0),
        ("mix-blend-mode", "normal", 0),
        ("fill-opacity", ".5", 0),
    ] {
        let shape = 2 + layers * LAYER_OF_SHAPE;
        assert_eq!(drawn(&format!("<g><path {property}='{value}'/></g>")), shape, "{property}: {value}");
        assert_eq!(
            drawn(&format!("<g><path style='fill:red; {property} : {value}'/></g>")),
            shape,
            "{property}: {value}"
        );
        let group = 1 + layers * LAYER_OF_GROUP;
        assert_eq!(drawn(&format!("<g {property}='{value}'/>")), group, "{property}: {value}");
    }
    let styled = |content: &str| drawn(&format!("<svg><style>.a1,.a1{{opacity:.5}}</style>{content}</svg>"));
    assert_eq!(styled("<path class='a1 a1'/>"), 2 + 2 * LAYER_OF_SHAPE);
    assert_eq!(styled("<g class='a1'/>"), 2 + 2 * LAYER_OF_GROUP);
}

#[test]
fn twenty_thousand_masks_are_rejected() {
    let masked = |count| format!("<svg><mask id='a'><rect/></mask>{}</svg>", "<rect mask='url(#a)'/>".repeat(count));
    assert!(read(&masked(800)).is_ok());
    assert!(read(&masked(20_000)).is_err());
}

#[test]
fn images_of_all_drawings_count() {
    let mut page = read("<g/>").unwrap();
    page.add_pixels(16_777_216);
    assert!(page.drawn_elements() < MAX_DRAWN_ELEMENTS / 2);
    let mut others = References::default();
    others.add_pixels(2 * 16_777_216);
    page.merge(others);
    assert!(page.drawn_elements() > MAX_DRAWN_ELEMENTS);
}

#[test]
fn many_rules_of_one_class_are_counted_fast() {
    let rules = ".a1,.a1{opacity:.5}".repeat(10_000);
    let elements = "<g class='a1 a1 a1'/>".repeat(20_000);
    assert_eq!(read(&format!("<svg><style>{rules}</style>{elements}</svg>")).map(drop).unwrap_err().len(), 1);
}
