//! Tests of the drawings in the picture.

use std::fs;

use super::*;

#[test]
fn drawings_are_images_of_their_own() {
    let drawing = |color: &str| {
        format!("<style>.st0{{fill:{color};stroke:url(#a)}}</style><linearGradient id='a'/><path class='st0'/>")
    };
    let maps = ["red", "blue"].map(|color| format!("<svg>{}</svg>", drawing(color)));
    let svg = draw_checked(&hall_with_drawings(&maps[0], &[&maps[1]]));
    let images = images(&svg);
    assert_eq!(images.len(), 2);
    for (image, color) in images.iter().zip(["red", "blue"]) {
        assert!(image.ends_with(&format!("<g>{}</g></svg>", drawing(color))), "{image}");
    }
    assert!(!svg.contains("st0"));
}

#[test]
fn html_only_markup_becomes_well_formed() {
    let total = "\u{feff}<?xml version=\"1.0\" encoding=\"euc-kr\"?>\n<!DOCTYPE svg><!-- a --><svg viewBox=\"0 0 400 300\">\
                 <text>1층&nbsp;무대&#x20AC;&amp;</text><path id=\"&nbsp;\"/><use xlink:href=\"#a\"/></svg>\n<!-- b -->";
    let images = images(&draw_checked(&hall_with_drawings(total, &["<g xlink:href='#b'/>", "<svg/>"])));
    let document = Document::parse(&images[0]).unwrap();
    let drawn = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
    assert_eq!(text(drawn), "1층\u{a0}무대€&");
    assert!(document.descendants().any(|node| node.attribute("id") == Some("\u{a0}")));
    assert!(images[1].ends_with("<g xlink:href='#b'></g></svg>"), "{}", images[1]);
    assert!(images[2].ends_with("<g></g></svg>"), "{}", images[2]);
}

#[test]
fn drawing_keeps_hall_coordinates() {
    let total = "<svg x=\"5\" y=\"5\" width=\"800\" height=\"200mm\" viewBox=\"-10,20 400 300\" \
                 preserveAspectRatio=\"none\" stroke=\"blue\"><path/></svg>";
    let svg = draw_checked(&hall_with_drawings(total, &["<g transform=\"translate(1)\"><path/></g>"]));
    let images = images(&svg);
    assert_eq!(svg.matches("<image x='-10' y='20' width='400' height='300' href=").count(), 2, "{svg}");
    assert!(images.iter().all(|image| image.contains(" viewBox='-10 20 400 300' font-family='sans-serif'><g ")));
    assert!(images[0].ends_with("stroke=\"blue\"><path/></g></svg>"), "{}", images[0]);
    assert!(images[1].ends_with("><g transform=\"translate(1)\"><path/></g></svg>"), "{}", images[1]);
    assert_eq!(view_box(&Document::parse(&svg).unwrap())[..3], [-10.0, 20.0, 400.0]);
}

#[test]
fn size_replaces_missing_view_box() {
    for (size, width, height) in
        [("width=\"400\" height=\"300px\"", 400.0, 300.0), ("width=' 320px ' height='1e2'", 320.0, 100.0)]
    {
        let svg = draw_checked(&hall_with_drawings(&format!("<svg {size}/>"), &["<g/>"]));
        let document = Document::parse(&svg).unwrap();
        assert_eq!(view_box(&document)[..3], [0.0, 0.0, width]);
        assert!((legend_top(&document) - height).abs() < 1e-9);
    }
}

#[test]
fn invalid_size_falls_back_to_seats() {
    for size in [
        "",
        "width='100%' height='100%'",
        "width='100' height='1em'",
        "width='100mm' height='NaN'",
        "width='0' height='10'",
        "viewBox='a'",
        "viewBox='0 0 10'",
        "viewBox='0 0 0 10'",
        "viewBox='0 0 10 0'",
        "viewBox='0 0 -10 10'",
        "viewBox='0 0 1e300 1'",
        "viewBox='0 0 1 1e300'",
        "viewBox='1e300 0 1 1'",
        "viewBox='0 -1e300 1 1'",
    ] {
        let svg = draw_checked(&hall(&format!("<svg {size}/>"), vec![area("A", "1", "<g/>", row(11, 100.0))]));
        assert_eq!(view_box(&Document::parse(&svg).unwrap())[..3], [-100.0, -100.0, 1200.0], "{size}");
    }
}

#[test]
fn area_map_needs_hall_coordinates() {
    // The seat is at (20, 30).
    for (area_map, is_shown) in [
        ("<svg viewBox='10 10 30 30'><path/></svg>", true),
        ("<svg viewBox='0 0 400 300'><path/></svg>", true),
        ("<svg width='30' height='40'><path/></svg>", true),
        ("<svg><path/></svg>", true),
        ("<svg viewBox='0 0 10 10'><path/></svg>", false),
        ("<svg viewBox='25 0 300 300'><path/></svg>", false),
    ] {
        let svg = draw_checked(&hall_with_drawings(HALL, &[area_map]));
        assert_eq!(images(&svg).len(), 1 + usize::from(is_shown), "{area_map}");
    }
    // The drawing of an area without seats must have the bounds of `totalMap`.
    for (area_map, is_shown) in
        [("<svg viewBox='0 0 400 300'><path/></svg>", true), ("<svg viewBox='0 0 10 10'><path/></svg>", false)]
    {
        let svg = draw_checked(&hall_with_drawings(HALL, &["<g/>", area_map]));
        assert_eq!(images(&svg).len(), 2 + usize::from(is_shown), "{area_map}");
    }
}

#[test]
fn linked_drawings_are_omitted() {
    let svg = draw_checked(&hall_with_drawings(NO_DRAWING, &["https://a.example/a.svg", "<g/>"]));
    assert_eq!(images(&svg).len(), 1);
    assert_eq!(svg.matches("http").count(), 1, "only the namespace");
}

#[test]
fn exports_of_drawing_tools_are_drawn() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/exports");
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let svgs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "svg"));
    let drawings: Vec<_> = svgs.map(|path| fs::read_to_string(path).unwrap()).collect();
    let accepted: Vec<_> = drawings.iter().filter(|drawing| svg::read(drawing).is_ok()).collect();
    assert!(accepted.len() > 50);
    for drawing in accepted {
        let images = images(&draw_checked(&hall_with_drawings(drawing, &[drawing])));
        assert!(!images.is_empty(), "{drawing}");
    }
}

#[test]
fn corpus_drawings_are_drawn() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/svg/inert");
    for file in fs::read_dir(corpus).unwrap() {
        let drawing = fs::read_to_string(file.unwrap().path()).unwrap();
        let is_markup = drawing.trim_start_matches('\u{feff}').trim_start().starts_with('<');
        let images = images(&draw_checked(&hall_with_drawings(&drawing, &["<g/>"])));
        assert_eq!(images.len(), 1 + usize::from(is_markup), "{drawing}");
    }
}

/// Generates an accepted drawing.
fn any_drawing() -> impl Strategy<Value = String> {
    let name = select(vec!["path", "use", "g", "svg", "text", "image", "linearGradient"]);
    let attribute = select(vec!["id", "href", "xlink:href", "fill", "style", "width", "viewBox", "class", "data-a"]);
    let value = select(vec![
        "a",
        "b&nbsp;'",
        "#a",
        "#b c",
        "#",
        "url(#a)",
        "URL( '#a' )",
        "fill:url(#a) ;x:url( #b )",
        "0 0 9 9",
        "it's",
        "&amp;&lt;>&#34;",
        "a\n\tb",
        "100%",
        "blob:x",
        "url('#a)b')",
        "가",
    ]);
    let text = select(vec!["", "a&nbsp;b", "&#x3c;\"'\\", "<!-- c -->", "\r\n", "가]]", ">"]);
    let element = (name, vec((attribute, value, any::<bool>()), 0..4), text).prop_map(|(name, attributes, text)| {
        let attributes = attributes.iter().map(|(name, value, is_double)| match is_double {
            true => format!(" {name}=\"{value}\""),
            false => format!("\n{name} = '{}'", value.replace('\'', "&apos;")),
        });
        format!("<{name}{}>{text}</{name}>", attributes.collect::<String>())
    });
    (select(vec!["svg", "g"]), vec(element, 0..6)).prop_map(|(root, elements)| {
        let first = elements.first().map_or("", |element| element.trim_start_matches(|c| c != ' ' && c != '>'));
        let attributes = first.split_once('>').map_or("", |(attributes, _)| attributes);
        let drawing = format!("<{root}{attributes}>{}</{root}>", elements.concat());
        if svg::read(&drawing).is_ok() { drawing } else { "<g><path id='a'/></g>".to_owned() }
    })
}

proptest! {
    #[test]
    fn every_accepted_drawing_is_drawn(drawings in vec(any_drawing(), 3)) {
        let svg = draw_checked(&hall_with_drawings(&drawings[0], &[&drawings[1], &drawings[2]]));
        let document = Document::parse(&svg).unwrap();
        prop_assert!(!images(&svg).is_empty());
        // The seat is always drawn.
        prop_assert_eq!(elements(&document, "area").into_iter().flat_map(circles).count(), 1);
    }
}
