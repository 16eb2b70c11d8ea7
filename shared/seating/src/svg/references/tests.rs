use domain::violation::{DrawingError, DrawingFault};

use super::{super::read, *};

/// Price of an element that may cover the canvas, in addition to its own.
const COVERING: u64 = 20;

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
    assert_eq!(drawn("<svg><a:b xmlns:a='urn:a'/></svg>"), 2);
    assert_eq!(drawn("<svg><g id='a'><path/><path id='b'/></g><path/></svg>"), 5);
}

#[test]
fn referenced_elements_count_each_time() {
    assert_eq!(drawn("<g><g id='a'><path/><path/></g><use href='#a'/><use xlink:href='#a'/></g>"), 1 + 3 + 2 * (1 + 3));
    let mask = 4 * LAYER_OF_SHAPE;
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
    let pattern_price = 3;
    let once = 1 + pattern_price + 4;
    for attribute in ["fill='url(#p)'", "stroke='url(#p)'", "style='fill: URL(#p)'", "marker-end='url(#p)'"] {
        assert_eq!(drawn(&group(attribute)), once + 4 * (pattern_price + PAINT), "{attribute}");
    }
    for (attribute, layers) in [("mask='url(#p)'", 4), ("style='clip-path:url(#p)'", 1)] {
        assert_eq!(drawn(&group(attribute)), once + pattern_price + layers * LAYER_OF_GROUP, "{attribute}");
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
    assert_eq!(drawn(&format!("<g>{gradient}<g fill='url(#l)'><path/><path/></g></g>")), 1 + 3 + 3 * PAINT);
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
    let inherits = "<g mask='inherit'/>";
    for (first, second) in [(masked, inherits), (inherits, masked)] {
        let mut page = read(first).unwrap();
        page.merge(read(second).unwrap());
        // Then each of the three elements of the part may also have the mask, a layer of a group.
        let more = 3 * 4 * LAYER_OF_GROUP;
        assert!(page.drawn_elements() > drawn(masked) + drawn(inherits) + more, "{first}");
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
    let pattern_price = 3;
    assert_eq!(drawn(&filled), 1 + pattern_price + 4 + 3 * (pattern_price + PAINT));
    // A pattern whose content has its own class is circular.
    let circular = svg(".a1{fill:url(#q)}", "<pattern id='q'><path class='a1'/></pattern><path class='a1'/>");
    assert_eq!(drawn(&circular), u64::MAX);
}

#[test]
fn rules_apply_to_other_drawings_of_the_page() {
    let mut page = read("<svg><path class='a1'/></svg>").unwrap();
    page.merge(read("<svg><mask id='m'><path/></mask><style>.a1{mask:url(#m)}</style></svg>").unwrap());
    assert_eq!(page.drawn_elements(), 2 + 2 + 1 + 2 + 4 * LAYER_OF_SHAPE);
}

#[test]
fn many_duplicate_ids_are_counted_fast() {
    const MANY: usize = 20_000;
    let sites = "<g id='a'/>".repeat(MANY) + &"<use href='#a'/>".repeat(MANY);
    assert_eq!(drawn(&format!("<g>{sites}</g>")), 1 + 3 * MANY as u64);
}

/// Builds a document whose canvas has sides of 1,000 units.
fn document(content: &str) -> String {
    format!("<svg viewBox='0 0 1000 1000'>{content}</svg>")
}

#[test]
fn costly_content_is_limited() {
    let shape = "<rect width='1000' height='1000'/>";
    let long = "M0 0L1000 1000".repeat(500);
    let positions = "1 ".repeat(1_000);
    for (name, defs, content, accepted) in [
        ("large shapes", "", shape, 3_000),
        ("large lines", "", "<circle r='300' fill='none' stroke='red' stroke-width='300'/>", 2_000),
        ("gradients", "<linearGradient id='a'/>", "<rect fill='url(#a)' width='1000' height='1000'/>", 500),
        ("images", "", "<image width='1000' height='1000' transform='rotate(9)' href='blob:a'/>", 300),
        ("masks of shapes", "<mask id='a'/>", "<rect mask='url(#a)' width='1000' height='1000'/>", 400),
        ("masks of groups", "<mask id='a'/>", "<g mask='url(#a)'><rect/></g>", 350),
        ("clip paths", "<clipPath id='a'/>", "<g clip-path='url(#a)'><rect/></g>", 1_400),
        ("opacity", "", "<g opacity='.5'><rect/></g>", 700),
        ("blend modes", "", "<g style='mix-blend-mode:multiply'><rect/></g>", 350),
        ("unknown properties", "", "<rect style='will-change:transform'/>", 350),
        (
            "patterns",
            "<pattern id='a' width='9' height='9'/>",
            "<rect fill='url(#a)' width='1000' height='1000'/>",
            500,
        ),
        ("texts", "", "<text/>", 20_000),
        ("font sizes", "", "<text font-size='.?'>a</text>", 3_000),
        ("scales of text", "", "<text transform='scale(?)' font-size='.01'>a</text>", 3_000),
        ("long paths", "", &format!("<path d='{long}'/>"), 8),
        ("positions", "", &format!("<text x='{positions}'/>"), 70),
        ("dashes", "", "<path d='M0 0H1000' stroke='red' stroke-dasharray='.1'/>", 200),
        ("round dashes", "", "<path d='M0 0H1000' stroke='red' stroke-linecap='round' stroke-dasharray='.1'/>", 14),
        ("clip paths of functions", "", &format!("<g style='clip-path:path(\"{}\")'/>", "M0 0h1".repeat(100)), 350),
        ("paths of functions", "", &format!("<path style='d:path(\"{}\")'/>", "M0 0h1".repeat(100)), 220),
        ("dashed texts", "", "<text stroke='red' stroke-dasharray='.1' font-size='9'>가나다라마바사</text>", 200),
        ("stretched texts", "", "<text lengthAdjust='spacingAndGlyphs' textLength='999'>a</text>", 4_000),
        ("viewports", "<symbol id='a' viewBox='0 0 9 9'/>", "<use href='#a' width='9' height='9'/>", 20_000),
    ] {
        let svg = |count: usize| {
            let content: String = (1..=count).map(|number| content.replace('?', &format!("{number}"))).collect();
            document(&format!("{defs}{content}"))
        };
        assert!(read(&svg(accepted)).is_ok(), "{name}");
        assert!(read(&svg(3 * accepted)).is_err(), "{name}");
    }
    // Three drawings with the maximum number of pixels are too many for one page.
    let mut page = References::default();
    for _ in 0..3 {
        page.add_pixels(16_777_216);
    }
    assert!(page.drawn_elements() > MAX_DRAWN_ELEMENTS);
    let text = |characters| document(&format!("<text font-size='9'>{}</text>", "a".repeat(characters)));
    assert!(read(&text(250_000)).is_ok() && read(&text(310_000)).is_err());
}

#[test]
fn seats_cost_little_more_than_their_number() {
    let seat = |n: usize| format!("<circle cx='{}' cy='{}' r='4' stroke='red' opacity='1'/>", n % 1_000, n / 25);
    let hall: String = (0..25_000).map(seat).collect();
    let price = drawn(&document(&hall));
    assert!((25_001..40_000).contains(&price), "{price}");
}

#[test]
fn sizes_follow_transforms_and_viewports() {
    let covering = |content: &str| drawn(&document(&content.repeat(1_000)));
    let plain = covering("<g><rect width='1000' height='1000'/></g>");
    for content in [
        "<g transform='scale(100) rotate(90)'><rect width='10' height='10'/></g>",
        "<g><rect width='100%' height='100%'/></g>",
        "<g><rect width='1' height='1' transform='matrix(0 1000 -1000 0 5 5)'/></g>",
    ] {
        assert_eq!(covering(content), plain, "{content}");
    }
    for content in [
        "<svg viewBox='0 0 10 10'><rect width='10' height='10'/></svg>",
        "<g style='transform:scale(100)'><rect width='10' height='10'/></g>",
        "<rect width='9' height='9' style='width:100%;height:100%'/>",
        "<text font-size='1000'>a</text>",
        "<rect width='9em' height='9em'/>",
        "<path d='M0 0?'/>",
    ] {
        assert!(covering(content) > 1_000 * COVERING, "{content}");
    }
    for shown_larger in [
        "<svg viewBox='0 0 1000 1000' width='1000000' height='1000000'>",
        "<svg viewBox='0 0 1000 1000' style='width:1e6px'>",
        "<svg viewBox='0 0 1000 1' preserveAspectRatio='xMidYMid slice'>",
        "<svg viewBox='0 0 1 1'>",
    ] {
        let svg = format!("{shown_larger}{}</svg>", "<rect width='1' height='1'/>".repeat(1_000));
        assert!(drawn(&svg) > 1_000 * COVERING, "{shown_larger}");
    }
}

#[test]
fn links_size_viewports_and_style_content() {
    let linked = |content: &str, link: &str| drawn(&document(&format!("<defs>{content}</defs>{}", link.repeat(500))));
    let symbol = "<symbol id='a' viewBox='0 0 10 10'><rect width='10' height='10'/></symbol>";
    let small = linked(symbol, "<use href='#a' width='5' height='5'/>");
    assert!(small < 500 * COVERING, "{small}");
    assert!(linked(symbol, "<use href='#a' width='1000' height='1000'/>") > 500 * COVERING);
    assert!(linked(symbol, "<use href='#a'/>") > 500 * COVERING);
    let wide = "<symbol id='a' viewBox='0 0 1000 1000' width='1e6'><rect width='1' height='1'/></symbol>";
    assert!(linked(wide, "<use href='#a'/>") > 500 * COVERING);
    let line = "<path id='a' d='M0 0H100' stroke-width='900'/>";
    assert!(linked(line, "<use href='#a' stroke='red'/>") > linked(line, "<use href='#a'/>") + 300);
}
