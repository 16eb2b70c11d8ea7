//! Tests of the drawings in the picture.

use std::fs;

use super::*;

#[test]
fn drawing_ids_do_not_collide() {
    let gradient = "<linearGradient id=\"a\"/><path fill=\"url(#a)\" style='stroke:URL( \"#a\" ) red'/>\
                    <use href='#a'/><use xlink:href='#a'/>";
    let total = format!("<svg viewBox=\"0 0 400 300\">{gradient}<path id='shared'/></svg>");
    let area = format!("<g>{gradient}<use href='#shared'/><use href='#nowhere'/></g>");
    let svg = draw_checked(&hall_with_drawings(&total, &[&area, &area]));
    for own in ["m0-a", "m1-a", "m2-a"] {
        for usage in [
            format!("id='{own}'"),
            format!("fill='url(#{own})'"),
            format!("style='stroke:URL( \"#{own}\" ) red'"),
            format!("<use href='#{own}'"),
            format!("<use xlink:href='#{own}'"),
        ] {
            assert_eq!(svg.matches(&usage).count(), 1, "{usage}");
        }
    }
    assert_eq!(svg.matches("href='#m0-shared'").count(), 2, "an area may refer to an id of the hall");
    assert!(svg.contains("href='#m1-nowhere'") && svg.contains("href='#m2-nowhere'"));
}

#[test]
fn all_references_of_value_are_prefixed() {
    let total = "<g style=\"fill:url(#a);mask:url('#b');stroke:url(  #c  )\" fill='#abc'><g id='b'/></g>";
    let svg = draw_checked(&hall_with_drawings(total, &[]));
    assert!(svg.contains("style=\"fill:url(#m0-a);mask:url('#m0-b');stroke:url(  #m0-c  )\" fill='#abc'"), "{svg}");
}

#[test]
fn html_only_markup_becomes_well_formed() {
    let total = "<?xml version=\"1.0\" encoding=\"euc-kr\"?>\n<!-- a --><svg viewBox=\"0 0 400 300\">\
                 <text data-name=\"x\" aria-labelledby=\"a\">1층&nbsp;무대&#x20AC;&amp;</text>\
                 <path id=\"it's &quot;&nbsp;&lt;\"/><use xlink:href=\"#a\"/></svg>\n";
    let svg = draw_checked(&hall_with_drawings(total, &["<g xmlns:inkscape=\"http://www.inkscape.org/\"/>"]));
    let document = Document::parse(&svg).unwrap();
    let texts: Vec<_> = document.descendants().filter(|node| node.has_tag_name("text")).collect();
    assert_eq!(text(texts[0]), "1층\u{a0}무대€&");
    assert_eq!(texts[0].attributes().len(), 0);
    assert!(document.descendants().any(|node| node.attribute("id") == Some("m0-it's \"\u{a0}<")));
    assert!(!svg.contains("<?xml") && !svg.contains("<!--") && !svg.contains("inkscape"));
}

#[test]
fn removed_comment_leaves_no_cdata_end() {
    let separated = ["]]<!-- a -->>b", "]<!-- a -->]>b", "<!-- a -->]]<!-- a -->>b", "]]<tspan/>>b"];
    for separated in separated {
        let svg = draw_checked(&hall_with_drawings(&format!("<svg><text>{separated}</text></svg>"), &["<g/>"]));
        assert!(!svg.contains("]]>"), "{separated}: {svg}");
        let document = Document::parse(&svg).unwrap();
        let drawn = document.descendants().find(|node| node.has_tag_name("text")).unwrap();
        assert_eq!(text(drawn), "]]>b", "{separated}");
    }
}

#[test]
fn drawing_keeps_hall_coordinates() {
    let total = "<svg x=\"5\" y=\"5\" width=\"800\" height=\"200mm\" viewBox=\"-10,20 400 300\" \
                 preserveAspectRatio=\"none\" transform=\"scale(2)\" \
                 style=\"width:100%; fill:red;transform:scale(3)\" stroke=\"blue\"><path/></svg>";
    let svg = draw_checked(&hall_with_drawings(total, &["<g transform=\"translate(1)\"><path/></g>"]));
    let viewport = "<svg x='-10' y='20' width='400' height='300' viewBox='-10 20 400 300'";
    assert!(svg.contains(&format!("{viewport}><g style=' fill:red' stroke='blue'><path/></g></svg>")), "{svg}");
    assert!(svg.contains(&format!("{viewport} overflow='visible'><g transform='translate(1)'><path/></g></svg>")));
    assert_eq!(view_box(&Document::parse(&svg).unwrap())[..3], [-10.0, 20.0, 400.0]);
}

#[test]
fn only_root_svg_loses_placement() {
    let style = "style='transform:scale(2);fill:red'";
    for drawing in [format!("<g {style}><path/></g>"), format!("<svg><svg {style}/><path {style}/></svg>")] {
        let svg = draw_checked(&hall_with_drawings(HALL, &[&drawing]));
        assert_eq!(svg.matches(style).count(), drawing.matches(style).count(), "{svg}");
    }
}

#[test]
fn size_replaces_missing_view_box() {
    for (size, width, height) in [
        ("width=\"400\" height=\"300px\"", 400.0, 300.0),
        ("width='5in' height='72pt'", 480.0, 96.0),
        ("width='50.8mm' height='5.08cm'", 192.0, 192.0),
        ("width=' 20pc ' height='1e2'", 320.0, 100.0),
    ] {
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
        assert_eq!(view_box(&Document::parse(&svg).unwrap())[..3], [-100.0, -225.0, 1200.0], "{size}");
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
        assert_eq!(svg.contains("<path/>"), is_shown, "{area_map}");
    }
    // The drawing of an area without seats must have the bounds of `totalMap`.
    for (area_map, is_shown) in
        [("<svg viewBox='0 0 400 300'><path/></svg>", true), ("<svg viewBox='0 0 10 10'><path/></svg>", false)]
    {
        assert_eq!(
            draw_checked(&hall_with_drawings(HALL, &["<g/>", area_map])).contains("<path/>"),
            is_shown,
            "{area_map}"
        );
    }
}

#[test]
fn external_links_are_removed() {
    let total = "<svg viewBox='0 0 400 300'><image href='blob:https://a.example/1' width='1'/>\
                 <image href='data:image/png;base64,AAAA'/></svg>";
    let svg = draw_checked(&hall_with_drawings(total, &["https://a.example/a.svg"]));
    assert!(!svg.contains("a.example") && svg.contains("<image width='1'/>"));
    assert!(svg.contains("href='data:image/png;base64,AAAA'"));
    assert_eq!(svg.matches("http").count(), 2, "only the namespaces");
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
        let svg = draw_checked(&hall_with_drawings(drawing, &[drawing]));
        assert!(!svg.contains("<metadata") && !svg.contains("CDATA"), "{svg}");
    }
}

#[test]
fn equal_classes_of_two_drawings_are_kept_apart() {
    let drawing = |color: &str| {
        format!(
            "<svg><style>.st0,.b-1{{fill:{color};stroke:url(#a)}}</style><linearGradient id='a'/><path class='st0 x'/></svg>"
        )
    };
    let svg = draw_checked(&hall_with_drawings(&drawing("red"), &[&drawing("blue")]));
    for part in [
        "<style>.aast0,.aab-1{fill:red;stroke:url(#m0-a)}</style><linearGradient id='m0-a'/><path class='aast0 x'/>",
        "<style>.abst0,.abb-1{fill:blue;stroke:url(#m1-a)}</style><linearGradient id='m1-a'/><path class='abst0 x'/>",
    ] {
        assert!(svg.contains(part), "{svg}");
    }
}

#[test]
fn variables_of_root_style_are_kept() {
    let svg = draw_checked(&hall_with_drawings(
        "<svg style='--c:red;width:9px;fill:var(--c)'><path fill='var(--c)'/></svg>",
        &["<g/>"],
    ));
    assert!(svg.contains("<g style='--c:red;fill:var(--c)'><path fill='var(--c)'/></g>"), "{svg}");
}

#[test]
fn parts_of_drawing_tools_are_omitted() {
    let drawing = "\u{feff}<?xml version='1.0'?><!DOCTYPE svg><svg xmlns:i='urn:i' i:a='b'><metadata>x<i:b>y<path/></i:b></metadata>\
        <i:c/><path i:d='e'/></svg>";
    let svg = draw_checked(&hall_with_drawings(drawing, &["<g/>"]));
    assert!(svg.contains("<g><path/></g>"), "{svg}");
}

#[test]
fn corpus_drawings_stay_inert() {
    let corpus = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/svg/inert");
    for file in fs::read_dir(corpus).unwrap() {
        let drawing = fs::read_to_string(file.unwrap().path()).unwrap();
        let svg = draw_checked(&hall_with_drawings(&drawing, &[&drawing, "<g/>"]));
        let shapes = |svg: &str| ["<path", "<rect", "<text", "<use", "<image"].map(|tag| svg.matches(tag).count());
        let without = shapes(&draw_checked(&hall_with_drawings(NO_DRAWING, &[NO_DRAWING, "<g/>"])));
        if drawing.trim_start_matches('\u{feff}').trim_start().starts_with('<') {
            for ((drawn, own), rest) in shapes(&svg).into_iter().zip(shapes(&drawing)).zip(without) {
                assert!([rest + own, rest + 2 * own].contains(&drawn), "{drawing}");
            }
        }
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
        for node in document.descendants() {
            let id = node.attribute("id");
            let of_drawing = |id: &str| ["m0-", "m1-", "m2-"].iter().any(|prefix| id.starts_with(prefix));
            prop_assert!(id.is_none_or(of_drawing), "{}", svg);
        }
        prop_assert!(!svg.contains("]]>"), "{}", svg);
        // The seat is always drawn.
        prop_assert_eq!(elements(&document, "area").into_iter().flat_map(circles).count(), 1);
    }
}
