use domain::violation::DrawingError;

use super::{super::read, *};

fn total(text: &str) -> u64 {
    read(text).unwrap_or_else(|faults| panic!("{text:.200}: {faults:?}")).drawn.total
}

/// Builds nested groups: each has ten references to the group before.
fn chain(levels: usize, reference: &str) -> String {
    let group = |level: usize| {
        let before = reference.replace('?', &format!("a{}", level - 1));
        format!("<g id='a{level}'>{}</g>", before.repeat(10))
    };
    let groups: Vec<_> = (1..=levels).map(group).collect();
    format!("<g><g id='a0'><path/></g>{}</g>", groups.concat())
}

#[test]
fn plain_elements_count_once() {
    assert_eq!(total("/a.svg"), 0);
    assert_eq!(total("<svg><defs/><g id='a'><path/><text id='b'>c</text></g><path/><!-- d --></svg>"), 6);
}

#[test]
fn four_numbers_count_as_element() {
    for (list, count) in
        [("", 0), ("M0 0h9", 3), ("M0-.5.5 1e-5", 4), ("M1.5.5-.5-1E+9 +2z", 5), ("1,2 3,4\n5", 5), ("10em20%", 2)]
    {
        assert_eq!(count_numbers(list), count, "{list}");
    }
    assert_eq!(total("<g><path d='M0 0 1 1 2 2 3'/><polygon points='0 0 1 1 2 2 3 3'/></g>"), 1 + (1 + 1) + (1 + 2));
}

#[test]
fn referenced_elements_count_each_time() {
    let group = "<g id='a b'><path/><path/></g>";
    assert_eq!(total(&format!("<g>{group}<use href='#a b'/><use xlink:href='#a b'/></g>")), 1 + 3 + 2 * (1 + 3));
    assert_eq!(total(&format!("<g>{group}<path mask='URL( \"#a b\" )'/></g>")), 1 + 3 + 1 + 3);
    assert_eq!(total("<g><use href='#nothing'/></g>"), 2);
}

#[test]
fn paints_count_for_each_shape() {
    let pattern = "<pattern id='a'><path/></pattern>";
    let shapes = "<path d=''/><g><path/><text/></g>";
    for paint in ["fill='url(#a)'", "style='Stroke:url(#a)'", "class='b1'", "marker-start='url(#a)'"] {
        let painted = format!("<g {paint}>{shapes}</g>");
        let svg = format!("<svg><style>.b1{{fill:url(#a)}}</style>{pattern}{painted}</svg>");
        assert_eq!(total(&svg), 2 + 2 + 5 + 3 * 2, "{paint}");
    }
}

#[test]
fn markers_count_for_each_vertex() {
    let path = |marker: &str| {
        total(&format!("<g><marker id='a'><path/></marker><path {marker}='url(#a)' d='M0 0 1 1 2 2 3 3'/></g>"))
    };
    assert_eq!(path("marker-end"), 1 + 2 + 3 + 2);
    assert_eq!(path("marker-mid"), 1 + 2 + 3 + 8 * 2);
}

#[test]
fn gradients_count_once() {
    let gradient = "<linearGradient id='a'><stop/><stop/></linearGradient>";
    let shapes = "<path fill='url(#a)'/>".repeat(100);
    assert_eq!(total(&format!("<g>{gradient}<radialGradient id='b' href='#a'/>{shapes}</g>")), 1 + 3 + 1 + 100);
}

#[test]
fn largest_element_of_id_counts() {
    assert_eq!(total("<g><g id='a'/><g id='a'><path/></g><g id='a'/><use href='#a'/></g>"), 1 + 4 + 1 + 2);
}

#[test]
fn nested_references_multiply() {
    assert_eq!(total(&chain(3, "<use href='#?'/>")), 1 + 2 + 31 + 321 + 3_221);
    for reference in ["<use href='#?'/>", "<path d='M0 0 1 1 2 2' marker-mid='url(#?)'/>"] {
        assert_eq!(total(&chain(60, reference)), u64::MAX, "{reference}");
    }
}

#[test]
fn circular_references_are_rejected() {
    for (text, line) in [
        ("<g>\n<g id='a'>\n<use href='#a'/></g></g>", 2),
        ("<g>\n<path id='a' mask='url(#a)'/></g>", 2),
        ("<g>\n<mask id='a'>\n<g fill='url(#b)'/></mask>\n<pattern id='b'>\n<g mask='url(#a)'/></pattern></g>", 4),
        ("<svg><style>.b1{clip-path:url(#a)}</style>\n<g id='a'>\n<g class='b1'/></g></svg>", 2),
    ] {
        let faults = read(text).unwrap_err();
        assert_eq!(faults[0].error, DrawingError::CircularReference, "{text}");
        assert_eq!((faults.len(), faults[0].position.unwrap().line), (1, line), "{text}");
    }
}

#[test]
fn long_chain_is_counted() {
    let link = |n: usize| format!("<use id='a{n}' href='#a{}'/>", n + 1);
    let links: String = (0..30_000).map(link).collect();
    assert_eq!(total(&format!("<g>{links}<path id='a30000'/></g>")), 1 + 30_001 * 30_002 / 2);
}

#[test]
fn elements_that_draw_most_are_named() {
    let svg = "<svg>\n<g id='a'><path d='M0 0 1 1 2 2 3 3'/><path/></g>\n<use href='#a'/><g><use href='#b'/></g>\n\
        <g id='b' fill='url(#p)'><use href='#a'/>\n<pattern id='p'><rect/></pattern></g></svg>";
    let most: Vec<_> =
        read(svg).unwrap().drawn.most.clone().into_iter().map(|most| (most.name, most.line, most.count)).collect();
    assert_eq!(most, [("use", 3, 16), ("g", 4, 7), ("use", 3, 6)]);
}

#[test]
fn drawings_of_page_refer_to_each_other() {
    let mut page = References::default();
    for drawing in [
        "<svg><style>.b1{fill:url(#p)}</style><g id='a'/></svg>",
        "<g><g id='a'><path/></g><pattern id='p'/></g>",
        "<svg><style>.b1{mask:url(#a)}.c1{mask:url(#p)}</style><path class='b1'/></svg>",
        "<g><use href='#a'/><path class='d1 b1'/></g>",
    ] {
        page.merge(read(drawing).unwrap());
    }
    assert_eq!(page.count().unwrap().total, (2 + 1) + (3 + 1) + (2 + 1 + 3) + (1 + 3 + 1 + 3));
}
