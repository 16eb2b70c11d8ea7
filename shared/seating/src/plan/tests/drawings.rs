//! Tests of the drawings in the picture.

use std::fs;

use super::*;
use crate::svg;

/// Builds a hall of these drawings, with one seat at (20, 30) in the first area.
fn hall_with_drawings(total_map: &str, area_maps: &[&str]) -> SeatMap {
    let seats = |index| if index == 0 { vec![seat(20.0, 30.0, 1, 1)] } else { Vec::new() };
    let areas = area_maps.iter().enumerate();
    let areas = areas.map(|(index, map)| area(&format!("{index}"), "1000", map, seats(index)));
    hall(total_map, areas.collect())
}

#[test]
fn html_only_markup_becomes_well_formed() {
    let total = "\u{feff}<?xml version=\"1.0\" encoding=\"euc-kr\"?>\n<!DOCTYPE svg><!-- a --><svg viewBox=\"0 0 400 300\">\
                 <text>1층&nbsp;&#x20AC;&amp;</text><path id=\"&nbsp;\"/><use xlink:href=\"#a\"/></svg>\n<!-- b -->";
    let images = images(&draw_checked(&hall_with_drawings(total, &["<g xlink:href='#b'/>", "<svg/>"])));
    assert!(
        images[0].ends_with(
            "<g viewBox=\"0 0 400 300\"><text>1층&#160;&#x20AC;&amp;</text><path id=\"&#160;\"/>\
         <use xlink:href=\"#a\"/></g></svg>"
        ),
        "{}",
        images[0]
    );
    assert!(images[1].ends_with("<g xlink:href='#b'></g></svg>"), "{}", images[1]);
    assert!(images[2].ends_with("<g></g></svg>"), "{}", images[2]);
}

#[test]
fn drawing_keeps_hall_coordinates() {
    let total = "<svg x=\"5\" width=\"800\" height=\"200mm\" viewBox=\"-10,20 400 300\" stroke=\"blue\"><path/></svg>";
    let svg = draw_checked(&hall_with_drawings(total, &["<g transform=\"translate(1)\"><path/></g>"]));
    assert_eq!(svg.matches("<image x='-10' y='20' width='400' height='300' href=").count(), 2, "{svg}");
    assert!(images(&svg).iter().all(|image| image.contains(" viewBox='-10 20 400 300' font-family='sans-serif'><g ")));
    assert_eq!(view_box(&Document::parse(&svg).unwrap())[..3], [-10.0, 20.0, 400.0]);
}

#[test]
fn size_replaces_missing_view_box() {
    let bounds = |size: &str| {
        let svg = draw_checked(&hall(&format!("<svg {size}/>"), vec![area("A", "1", "<g/>", row(11, 100.0))]));
        let document = Document::parse(&svg).unwrap();
        let [left, top, width, _] = view_box(&document);
        [left, top, width, legend_top(&document) - top].map(|number| number.to_string())
    };
    assert_eq!(bounds("width='2000' height='300px' y='-100'")[2..], ["2048", "348"]);
    let of_seats = ["-100", "-100", "1200", "200"];
    let sizes = "|width='100%' height='100%'|width='100' height='1em'|width='0' height='10'|viewBox='0 0 10'\
                 |viewBox='0 0 0 10'|viewBox='0 0 10 -10'|viewBox='0 0 1e300 1'|viewBox='0 -1e300 1 1'";
    for size in sizes.split('|') {
        assert_eq!(bounds(size), of_seats, "{size}");
    }
}

#[test]
fn area_map_needs_hall_coordinates() {
    for (area_maps, shown) in [
        (["<svg viewBox='10 10 30 30'><path/></svg>", NO_DRAWING], 1),
        (["<svg width='30' height='40'><path/></svg>", NO_DRAWING], 1),
        (["<svg><path/></svg>", "https://a.example/a.svg"], 1),
        (["<svg viewBox='0 0 10 10'><path/></svg>", NO_DRAWING], 0),
        (["<svg viewBox='25 0 300 300'><path/></svg>", NO_DRAWING], 0),
        // The drawing of an area without seats must have the bounds of `totalMap`.
        (["<g/>", "<svg viewBox='0 0 400 300'><path/></svg>"], 2),
        (["<g/>", "<svg viewBox='0 0 10 10'><path/></svg>"], 1),
    ] {
        let svg = draw_checked(&hall_with_drawings(HALL, &area_maps));
        assert_eq!(images(&svg).len(), 1 + shown, "{area_maps:?}");
    }
}

#[test]
fn accepted_files_are_drawn() {
    for folder in ["exports", "svg/inert"] {
        let folder = format!("{}/../../tests/corpus/{folder}", env!("CARGO_MANIFEST_DIR"));
        for file in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_file()) {
            let drawing = fs::read_to_string(file).unwrap();
            if svg::read(&drawing).is_ok() {
                let is_markup = drawing.trim_start_matches('\u{feff}').trim_start().starts_with('<');
                let images = images(&draw_checked(&hall_with_drawings(&drawing, &["/a.svg"])));
                assert_eq!(images.len(), usize::from(is_markup), "{drawing}");
            }
        }
    }
}
