use domain::violation::{DrawingError, DrawingFault};
use proptest::{prelude::*, sample::select};

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

fn is_too_costly(text: &str) -> bool {
    match read(text) {
        Ok(_) => false,
        Err(faults) => {
            assert_eq!(faults, [DrawingFault { position: None, error: DrawingError::TooManyElements }], "{text:.200}");
            true
        }
    }
}

#[test]
fn plain_elements_count_once() {
    assert_eq!(drawn("/a.svg"), 0);
    assert_eq!(drawn("<g/>"), 1);
    assert_eq!(drawn("<g><g id='a'><path/><path id='b'/></g><path/><!-- a --></g>"), 6);
    assert_eq!(drawn("<svg/>"), 3);
}

#[test]
fn referenced_elements_count_each_time() {
    assert_eq!(drawn("<g><g id='a'><path/><path/></g><use href='#a'/><use xlink:href='#a'/></g>"), 1 + 3 + 2 * (2 + 3));
    assert_eq!(drawn("<g><mask id='m'><path/></mask><path mask='URL( \"#m\" )'/></g>"), 1 + 2 + (1 + 2) + 240);
    assert_eq!(drawn("<g><use href='#nothing'/></g>"), 1 + 2);
    for (spaced, price) in
        [("<path mask='url(\"#a b\")'/>", 1 + 240), ("<use href='#a b'/>", 2), ("<use href='#ab&#10;'/>", 2)]
    {
        let svg = format!("<g><g id='a b'><path/></g>{spaced}</g>");
        assert_eq!(drawn(&svg), 1 + 2 + (price + 2), "{spaced}");
    }
}

#[test]
fn nested_references_multiply() {
    for (reference, accepted) in [("<use href=\"#?\"/>", 4), ("<path marker-mid=\"url(#?)\"/>", 2)] {
        assert!(!is_too_costly(&chain(accepted, reference)), "{reference}");
        assert!(is_too_costly(&chain(accepted + 1, reference)), "{reference}");
    }
}

#[test]
fn drawn_elements_are_limited() {
    // A group of 497 paths, 299 links to it and one more path reach the limit exactly.
    let group = format!("<g id='a'>{}</g>", "<path/>".repeat(497));
    let full = |more: &str| format!("<g>{group}{}{more}</g>", "<use href='#a'/>".repeat(299));
    assert_eq!(drawn(&full("<path/>")), MAX_DRAWN_ELEMENTS);
    assert!(is_too_costly(&full("<path/><path/>")));
}

/// Pattern whose tile and content cost five elements and nearly no area.
const PATTERN: &str = "<pattern id='p' patternUnits='userSpaceOnUse' width='.1' height='.1'><path/><path/></pattern>";

#[test]
fn inherited_references_count_per_shape() {
    let group = |attribute: &str| format!("<g>{PATTERN}<g {attribute}><path/><path/><path/></g></g>");
    let once = 1 + 5 + 4;
    for attribute in ["fill='url(#p)'", "stroke='url(#p)'", "style='fill: URL(#p)'", "marker-end='url(#p)'"] {
        assert_eq!(drawn(&group(attribute)), once + 3 * (5 + 10), "{attribute}");
    }
    for (attribute, layer) in [("mask='url(#p)'", 1_000), ("style='clip-path:url(#p)'", 100)] {
        assert_eq!(drawn(&group(attribute)), once + 5 + layer, "{attribute}");
    }
}

#[test]
fn markers_count_per_vertex() {
    let marked =
        |attribute: &str| format!("<g><marker id='m'><path/></marker><g {attribute}><path d='M0 0h1'/></g></g>");
    let price = 3 + 1 + 20;
    for attribute in ["marker-mid='url(#m)'", "style='marker:url(#m)'"] {
        assert_eq!(drawn(&marked(attribute)), 1 + price + 2 + 2 * price, "{attribute}");
    }
}

#[test]
fn gradients_count_per_shape() {
    let painted = |stops: usize| {
        let gradient = format!("<linearGradient id='l'>{}</linearGradient>", "<stop/>".repeat(stops));
        drawn(&format!("<g>{gradient}<g fill='url(#l)'><path/><path/></g></g>"))
    };
    assert_eq!(painted(2), 1 + 3 + 3 + 2 * 2);
    assert_eq!(painted(63), 1 + 64 + 3 + 2 * (2 + 2));
    let large = |stops: usize| {
        let gradient = format!("<linearGradient id='l'>{}</linearGradient>", "<stop/>".repeat(stops));
        drawn(&hall(&gradient, "<rect width='1000' height='1000' fill='url(#l)'/>", 10))
    };
    assert_eq!(large(3), large(2) + 1 + 10 * 12 * 20);
}

#[test]
fn circular_references_are_unbounded() {
    assert!(is_too_costly("<g id='a'><use href='#a'/></g>"));
    assert!(is_too_costly("<g><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></g>"));
}

#[test]
fn long_reference_chain_is_unbounded() {
    let reference = |n| format!("<g id='a{n}' filter='url(#a{})'/>", n + 1);
    let chain = |count| format!("<g>{}</g>", (0..count).map(reference).collect::<String>());
    assert_eq!(drawn(&chain(MAX_CHAIN)), 1 + (1..=MAX_CHAIN as u64).sum::<u64>());
    assert!(is_too_costly(&chain(MAX_CHAIN + 1)));
}

#[test]
fn long_chain_of_links_is_unbounded() {
    let link = |n| format!("<g id='a{n}'><use href='#a{}'/></g>", n + 1);
    let chain = |numbers: &mut dyn Iterator<Item = u64>| format!("<g>{}</g>", numbers.map(link).collect::<String>());
    assert_eq!(drawn(&chain(&mut (0..15))), 1 + 3 * (1..=15).sum::<u64>());
    // The order of the parts does not matter.
    assert_eq!(drawn(&chain(&mut (0..15).rev())), 1 + 3 * (1..=15).sum::<u64>());
    assert!(is_too_costly(&chain(&mut (0..16))));
    assert!(is_too_costly(&chain(&mut (0..16).rev())));
}

#[test]
fn inherit_applies_to_all_drawings() {
    let masked = "<g><mask id='m'><path/></mask><g filter='url(#m)'><path/><path/></g></g>";
    assert_eq!(drawn(masked), 6 + 2);
    // Then each element of the part may also have the reference, in any size.
    for (first, second) in [(masked, "<g filter='inherit'/>"), ("<g filter='inherit'/>", masked)] {
        let mut page = read(first).unwrap();
        page.merge(read(second).unwrap());
        assert_eq!(page.drawn_elements(), 6 + 6 * (2 + 20) + 1, "{first}");
    }
}

#[test]
fn merged_drawings_share_ids() {
    let mut page = read("<g><g id='a'><path/></g></g>").unwrap();
    page.merge(read("/b.svg").unwrap());
    page.merge(read("<g><g id='b'><use href='#a'/><use href='#a'/></g></g>").unwrap());
    page.merge(read("<g><use href='#b'/></g>").unwrap());
    let (a, b) = (2, 1 + 2 * (2 + 2));
    assert_eq!(page.drawn_elements(), (1 + a) + (1 + b) + (1 + 2 + b));
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
    let svg = |css: &str, content: &str| format!("<svg>{PATTERN}<style>{css}</style>{content}</svg>");
    let filled = svg(".a1{fill:url(#p)}", "<path class='b a1'/><g class='a1'><path/></g><path class='b2'/>");
    assert_eq!(drawn(&filled), 3 + 5 + 1 + 4 + 2 * (5 + 10));
    // A pattern whose content has its own class is circular.
    let circular = svg(".a1{fill:url(#q)}", "<pattern id='q'><path class='a1'/></pattern><path class='a1'/>");
    assert!(is_too_costly(&circular));
}

#[test]
fn rules_apply_to_other_drawings_of_the_page() {
    let mut page = read("<svg><path class='a1'/></svg>").unwrap();
    page.merge(read("<svg><mask id='m'><path/></mask><style>.a1{mask:url(#m)}</style></svg>").unwrap());
    assert_eq!(page.drawn_elements(), (3 + 1) + (3 + 2 + 1) + 240 + (2 + 20));
}

#[test]
fn many_duplicate_ids_are_counted_fast() {
    const MANY: usize = 20_000;
    let sites = "<g id='a'/>".repeat(MANY) + &"<use href='#a'/>".repeat(MANY);
    assert_eq!(drawn(&format!("<g>{sites}</g>")), 1 + 4 * MANY as u64);
}

#[test]
fn layers_count_as_many_elements() {
    for (property, value, of_shape, of_group) in [
        ("clip-path", "url(#a)", 40, 100),
        ("clip-path", "circle(5px)", 40, 100),
        ("opacity", ".5", 20, 200),
        ("isolation", "isolate", 20, 200),
        ("mask", "url(#a)", 240, 1_000),
        ("mix-blend-mode", "multiply", 3_000, 3_000),
        ("mask", "none", 0, 0),
        ("opacity", "inherit", 20, 200),
        ("opacity", "1", 0, 0),
        ("mix-blend-mode", "normal", 0, 0),
        ("fill-opacity", ".5", 0, 0),
    ] {
        for (content, price) in [
            (format!("<path {property}='{value}'/>"), of_shape),
            (format!("<path style='fill:red; {property} : {value}'/>"), of_shape),
            (format!("<g {property}='{value}'/>"), of_group),
        ] {
            assert_eq!(drawn(&format!("<g>{content}</g>")), 2 + price, "{content}");
        }
    }
    for (content, price) in [
        ("<g mask='url(#a), Url(#b)'/>", 2_000),
        ("<g style='transform-style:preserve-3d'/>", 4_000),
        ("<g style='-webkit-transform-style:inherit'/>", 4_000),
        ("<g style='transform-style:flat'/>", 0),
        ("<g style='transform:rotate(9deg)'/>", 200),
        ("<g style='transform:translateZ(0)'/>", 4_000),
        ("<g style='transform:ROTATE3D(1,1,1,9deg)'/>", 4_000),
        ("<g style='will-change:opacity'/>", 4_000),
        ("<g style='translate:0 0 9px'/>", 4_000),
        ("<g style='all:inherit'/>", 8_300),
    ] {
        assert_eq!(drawn(&format!("<g>{content}</g>")), 2 + price, "{content}");
    }
    let styled = |content: &str| drawn(&format!("<svg><style>.a1,.a1{{opacity:.5}}</style>{content}</svg>"));
    assert_eq!(styled("<path class='a1 a1'/>"), 3 + 1 + 1 + 20);
    assert_eq!(styled("<g class='a1'/>"), 3 + 1 + 1 + 200);
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
    assert!(is_too_costly(&format!("<svg><style>{rules}</style>{elements}</svg>")));
}

#[test]
fn rules_count_for_each_element_of_their_class() {
    let styled = |rules: usize| {
        drawn(&format!("<svg><style>{}</style>{}</svg>", ".a1{fill:red}".repeat(rules), "<g class='a1'/>".repeat(100)))
    };
    assert_eq!(styled(255), 3 + 1 + 100);
    assert_eq!(styled(256), 3 + 1 + 100 * 2);
}

#[test]
fn font_families_count_for_each_font() {
    let hall = |css: &str, attributes: &str| {
        let texts: Vec<_> = (1..=10).map(|size| format!("<text font-size='{size}' {attributes}>a</text>")).collect();
        drawn(&format!("<svg><style>{css}</style>{}</svg>", texts.concat()))
    };
    let one = hall("", "");
    for (css, attributes) in [
        ("", "font-family='b,c,d'"),
        ("", "style='FONT-FAMILY:\"b;\",c,d'"),
        (".a1{font-family:b,c,d}.a2{font-family:b,c}", "class=''"),
    ] {
        assert_eq!(hall(css, attributes), one + 10 * 2 * FONT, "{css}{attributes}");
    }
}

/// Builds a hall whose canvas has sides of 1,000 units, with numbers in place of `?`.
fn hall(defs: &str, content: &str, count: usize) -> String {
    let content: String = (0..count).map(|number| content.replace('?', &number.to_string())).collect();
    format!("<svg viewBox='0 0 1000 1000'>{defs}{content}</svg>")
}

#[test]
fn halls_of_small_shapes_are_accepted() {
    let circle = "<circle id='a' r='4'/>";
    for (defs, seat, count) in [
        ("", "<circle cx='?' cy='?' r='4'/>", 25_000),
        ("", "<rect x='?' width='8' height='8' rx='2' stroke='red' stroke-width='1.5'/>", 25_000),
        ("", "<path d='M? ?h8v8h-8z'/>", 25_000),
        ("", "<path d='M? 9.5a4 4 0 1 0 8 0 4 4 0 1 0-8 0'/>", 25_000),
        ("", "<polygon transform='translate(?)' points='0,0 9,9 0,9'/>", 25_000),
        ("", "<line x1='500' x2='508' y1='9' y2='9'/>", 25_000),
        ("", "<g transform='matrix(.7 .7 -.7 .7 ? 9)'><ellipse rx='4' ry='3'/></g>", 25_000),
        ("", "<circle r='4' opacity='.5'/>", 6_000),
        (circle, "<use href='#a' x='?'/>", 25_000),
        (
            "<symbol id='a' viewBox='0 0 90 90'><path d='M0 0h90v90z'/></symbol>",
            "<use href='#a' width='9' height='9'/>",
            20_000,
        ),
        ("", "<svg width='9' height='9' viewBox='0 0 90 90'><path d='M0 0h90v90z'/></svg>", 25_000),
        ("", "<circle cx='?' r='4'/><text x='?' y='9' font-size='6'>B?</text>", 10_000),
        ("<linearGradient id='a'><stop/><stop/></linearGradient>", "<circle r='4' fill='url(#a)'/>", 25_000),
        ("", "<path d='M0 0H99' stroke='red' stroke-dasharray='9'/>", 5_000),
        (
            "<path stroke-width='20' stroke-miterlimit='10'/><text font-size='60'>a</text>",
            "<path d='M? ?h8v8h-8z'/>",
            25_000,
        ),
    ] {
        assert!(!is_too_costly(&hall(defs, seat, count)), "{seat}");
    }
}

#[test]
fn costly_content_is_limited() {
    let positions = "1 ".repeat(1_000);
    let characters = "a".repeat(1_000);
    let lines = "L0 0L1000 1000".repeat(500);
    let stops = format!("<linearGradient id='a'>{}</linearGradient>", "<stop/>".repeat(1_000));
    let tile = |side: u32| format!("<pattern id='a' patternUnits='userSpaceOnUse' width='{side}' height='{side}'/>");
    let (small_tile, large_tile) = (tile(9), tile(1_000));
    for (name, defs, content, accepted) in [
        ("shapes as large as the canvas", "", "<rect width='1000' height='1000'/>", 6_500),
        ("wide strokes", "", "<circle r='300' fill='none' stroke='red' stroke-width='300'/>", 3_000),
        ("paths across the canvas", "", &format!("<path d='M0 0{lines}'/>"), 5),
        ("gradients", "<linearGradient id='a'/>", "<rect fill='url(#a)' width='1000' height='1000'/>", 1_400),
        ("long gradients", &stops, "<rect fill='url(#a)' width='1000' height='1000'/>", 350),
        ("languages", "", "<text lang='a?' font-size='9'>a</text>", 3_500),
        ("stops", &stops, "<rect fill='url(#a)' width='9' height='9'/>", 4_000),
        ("patterns", &small_tile, "<rect fill='url(#a)' width='1000' height='1000'/>", 480),
        ("tiles", &large_tile, "<rect fill='url(#a)' width='9' height='9'/>", 45),
        ("images", "", "<image width='1000' height='1000' href='blob:a'/>", 400),
        ("positions", "", &format!("<text x='{positions}'>{characters}</text>"), 70),
        ("characters", "", &format!("<text font-size='9'>{characters}</text>"), 140),
        ("large characters", "", "<text font-size='1000'>aaaaaaaaaa</text>", 650),
        ("font sizes", "", "<text font-size='9.?'>a</text><text font-size='8.?'>a</text>", 2_000),
        ("turned texts", "", "<text transform='rotate(.?)' font-size='9'>가나다</text>", 2_000),
        ("letters", "", "<text transform='rotate(.?)' font-size='9'>가나다라마바사아자차카타파하</text>", 500),
        ("texts", "", "<text/>", 20_000),
        ("dashes", "", "<path d='M0 0H1000' stroke='red' stroke-dasharray='.1'/>", 4),
        ("dashes of unknown length", "", "<path d='M0 0h' stroke='red' stroke-dasharray='900'/>", 0),
        ("paths in functions", "", &format!("<g style='clip-path:path(\"{lines}\")'/>"), 1),
        ("comments", "<g id='a'><!--a--><!--a--><!--a--></g>", "<use href='#a'/>", 20_000),
    ] {
        assert!(!is_too_costly(&hall(defs, content, accepted)), "{name}");
        assert!(is_too_costly(&hall(defs, content, 3 * accepted.max(1))), "{name}");
    }
}

#[test]
fn unproven_sizes_count_as_the_canvas() {
    let few = |defs: &str, content: &str| drawn(&hall(defs, content, 100));
    let small = few("", "<g><rect width='9' height='9'/></g>");
    for (defs, content) in [
        ("", "<g><rect width='9em' height='9'/></g>"),
        ("", "<g><rect width='9%' height='9'/></g>"),
        ("", "<g><rect width='calc(9px)' height='9'/></g>"),
        ("", "<g><rect width='1e400' height='9'/></g>"),
        ("", "<g><rect width='NaN' height='9'/></g>"),
        ("", "<g><rect width='9' height='9' style='WIDTH:100%!important'/></g>"),
        ("", "<g style='x:y; transform : scale(99)'><rect width='9' height='9'/></g>"),
        ("", "<g transform='scale(1000)'><rect width='9' height='9'/></g>"),
        ("", "<g transform='scale(1e-300) scale(1e300) scale(1000)'><rect width='9' height='9'/></g>"),
        ("", "<g transform='skewX(89.99)'><rect width='9' height='9'/></g>"),
        ("", "<g><path d='M0 0h9v9h1e60'/></g>"),
        ("", "<g><path d='M0 0h9v9x'/></g>"),
        ("", "<g><path d='M0 0a1e-6 1e6 0 0 0 9 9'/></g>"),
        ("", "<g><polygon points='0 0 9 9 9'/></g>"),
        ("", "<svg viewBox='0 0 9 9'><rect width='9' height='9'/></svg>"),
        ("", "<g><image width='9' href='blob:a'/></g>"),
        ("<path stroke-width='9em'/>", "<g><rect width='9' height='9'/></g>"),
        ("<path style='STROKE-WIDTH:999px!important'/>", "<g><rect width='9' height='9'/></g>"),
        ("<style>.a1{stroke-width:999}</style>", "<g><rect width='9' height='9'/></g>"),
        ("<path vector-effect='non-scaling-stroke'/>", "<g><rect width='9' height='9'/></g>"),
        ("<symbol id='a' viewBox='0 0 9 9'><rect width='9' height='9'/></symbol>", "<use href='#a'/>"),
        ("<g id='a'><rect width='9' height='9'/></g>", "<use href='#a' transform='scale(1000)'/>"),
        ("<g transform='scale(.001)'><rect id='a' width='900' height='900'/></g>", "<use href='#a'/>"),
    ] {
        assert!(few(defs, content) > small + 100 * 10, "{defs}{content}");
    }
}

#[test]
fn scale_of_root_follows_its_size() {
    let price = |attributes: &str| {
        let rects = "<rect width='20' height='20'/>".repeat(1_000);
        drawn(&format!("<svg {attributes}>{rects}</svg>"))
    };
    let plain = price("viewBox='0 0 1280 720'");
    for attributes in ["", "viewBox='0 0 1280 720' width='640' height='360'", "viewBox='0 0 1280 720' width='100%'"] {
        assert_eq!(price(attributes), plain, "{attributes}");
    }
    for attributes in [
        "viewBox='0 0 128 72'",
        "viewBox='0 0 1280 720' width='12800'",
        "viewBox='0 0 1280 720' height='7200'",
        "viewBox='0 0 1280 72' preserveAspectRatio='none'",
        "viewBox='0 0 1280 720' style='width:9000px'",
        "viewBox='0 0 1280,,720'",
        "viewBox='0 0 1280 720' width='99em'",
    ] {
        assert!(price(attributes) > 5 * plain, "{attributes}");
    }
}

/// Generates numbers of ordinary size, and values that are no numbers.
fn ordinary() -> impl Strategy<Value = String> + Clone {
    let listed = select(&["0", "1", "-9", "99", "9%", "9em", "NaN", ""][..]).prop_map(str::to_owned);
    prop_oneof![listed, (0.0..1e3_f64).prop_map(|number| number.to_string())]
}

/// Generates numbers whose products and quotients leave the range of a number.
fn extreme() -> impl Strategy<Value = String> + Clone {
    let listed = select(&["1e-300", "1e29", "1e300", "-1e30", "1e999", "inf"][..]).prop_map(str::to_owned);
    prop_oneof![ordinary(), listed, any::<f32>().prop_map(|number| number.to_string())]
}

/// Generates elements of any size, with references to each other.
fn sized(number: impl Strategy<Value = String> + Clone + 'static) -> impl Strategy<Value = String> {
    let attribute = prop_oneof![
        (
            select(&["width", "height", "r", "rx", "x2", "stroke-width", "stroke-miterlimit", "font-size"][..]),
            number.clone()
        )
            .boxed(),
        (select(&["viewBox", "points", "stroke-dasharray"][..]), prop::collection::vec(number.clone(), 4))
            .prop_map(|(name, numbers)| (name, numbers.join(" "))),
        prop::collection::vec(number.clone(), 4)
            .prop_map(|n| ("d", format!("M{} {}t{} {}a1 2 3 0 1 4 5z", n[0], n[1], n[2], n[3]))),
        (number.clone(), number.clone()).prop_map(|(x, y)| ("transform", format!("scale({x} {y})rotate({x})"))),
        select(&["url(#a)", "url(#b)", "red"][..]).prop_map(|value| ("fill", value.to_owned())),
        Just(("mask", "url(#a)".to_owned())),
        select(&["#a", "#b"][..]).prop_map(|value| ("href", value.to_owned())),
        select(&["a", "b"][..]).prop_map(|value| ("id", value.to_owned())),
        Just(("patternUnits", "userSpaceOnUse".to_owned())),
        Just(("class", "a1".to_owned())),
    ];
    let attributes = prop::collection::btree_map("[a-z]", attribute, 0..5).prop_map(|attributes| {
        let attributes: std::collections::BTreeMap<_, _> = attributes.into_values().collect();
        attributes.iter().map(|(name, value)| format!(" {name}='{value}'")).collect::<Vec<_>>().concat()
    });
    let name = select(
        &["circle", "g", "line", "linearGradient", "marker", "path", "pattern", "polygon", "rect", "svg", "symbol"][..],
    );
    let name = prop_oneof![name, select(&["text", "tspan", "use"][..])];
    let leaf =
        (name.clone(), attributes.clone()).prop_map(|(name, attributes)| format!("<{name}{attributes}>a</{name}>"));
    leaf.prop_recursive(4, 24, 4, move |inner| {
        (name.clone(), attributes.clone(), prop::collection::vec(inner, 1..4))
            .prop_map(|(name, attributes, inner)| format!("<{name}{attributes}>{}</{name}>", inner.concat()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn more_elements_of_any_size_never_cost_less(
        parts in prop::collection::vec(sized(ordinary()), 2),
        added in sized(ordinary()),
        width in ordinary(),
    ) {
        let styles = format!("<style>.a1{{stroke-width:{width};fill:url(#b)}}</style>");
        let price = |content: &str| drawn(&format!("<svg viewBox='0 0 1000 1000'>{content}</svg>"));
        let content = parts.concat();
        let less = price(&content);
        for more in [format!("{added}{content}"), format!("{content}{added}"), format!("{content}{styles}")] {
            prop_assert!(less <= price(&more), "{}: {}", content, more);
        }
    }

    #[test]
    fn amounts_are_positive_numbers(content in sized(extreme()), view_box in prop::collection::vec(extreme(), 4)) {
        for view_box in ["0 0 1000 1000", &view_box.join(" ")] {
            let text = format!("<svg viewBox='{view_box}'>{content}</svg>");
            if let Ok(references) = read(&text) {
                // NaN would have no price.
                let total = format!("{:?}", references.total());
                prop_assert!(!total.contains("NaN") && !total.contains(": -"), "{}: {}", total, text);
                prop_assert!(references.drawn_elements() >= references.parts.len() as u64, "{}", text);
            }
        }
    }

    #[test]
    fn pages_never_cost_less_than_their_drawings(parts in prop::collection::vec(sized(ordinary()), 2)) {
        let drawings: Vec<_> = parts.iter().filter_map(|part| read(&format!("<svg>{part}</svg>")).ok()).collect();
        let prices: Vec<_> = drawings.iter().map(References::drawn_elements).collect();
        let mut page = References::default();
        for drawing in drawings {
            page.merge(drawing);
        }
        prop_assert!(prices.iter().all(|&price| price <= page.drawn_elements()), "{:?}", parts);
    }
}
