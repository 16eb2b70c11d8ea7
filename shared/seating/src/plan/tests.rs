mod drawings;

use proptest::{collection::vec, prelude::*, sample::select};
use roxmltree::{Document, Node};

use super::*;
use crate::{
    drawing::Drawing,
    seat_map::{MAX_AREAS, MAX_DRAWING_BYTES, MAX_POSITION, MAX_SEATS, Seat},
    svg,
};
use domain::{coordinate::Coordinate, text::Label};

/// Maximum bytes of a Lambda response; `api::envelope` enforces it.
const MAX_RESPONSE: usize = 6_291_556;

const HALL: &str = "<svg viewBox=\"0 0 400 300\"><rect width=\"100%\" height=\"100%\"/></svg>";
const NO_DRAWING: &str = "/maps/a.svg";
const SVG: &str = "http://www.w3.org/2000/svg";

fn seat(cx: f64, cy: f64, row: u32, number: u32) -> Seat {
    Seat { cx: Coordinate::from_stored(cx), cy: Coordinate::from_stored(cy), row, number }
}

fn area(label: &str, price: &str, area_map: &str, seats: Vec<Seat>) -> Area {
    Area {
        label: Label::parse(label).unwrap(),
        price: Price::parse(price).unwrap(),
        area_map: Drawing::parse(area_map).unwrap().0,
        seats,
    }
}

fn hall(total_map: &str, areas: Vec<Area>) -> SeatMap {
    SeatMap::new(Drawing::parse(total_map).unwrap().0, areas)
}

/// Builds a hall of these drawings, with one seat in the first area.
fn hall_with_drawings(total_map: &str, area_maps: &[&str]) -> SeatMap {
    let seats = |index| if index == 0 { vec![seat(20.0, 30.0, 1, 1)] } else { Vec::new() };
    let areas = area_maps.iter().enumerate();
    let areas = areas.map(|(index, map)| area(&format!("{index}"), "1000", map, seats(index)));
    hall(total_map, areas.collect())
}

/// Builds a row of evenly spaced seats.
fn row(count: u32, pitch: f64) -> Vec<Seat> {
    (0..count).map(|n| seat(f64::from(n) * pitch, 0.0, 1, n + 1)).collect()
}

/// Draws a hall, and asserts the properties of every picture.
fn draw_checked(seat_map: &SeatMap) -> String {
    let svg = draw("공연", seat_map);
    assert_svg(&svg);
    for image in images(&svg) {
        assert_svg(&image);
    }
    svg
}

/// Asserts that a document is well-formed SVG.
fn assert_svg(svg: &str) {
    let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
    assert!(document.root_element().has_tag_name((SVG, "svg")));
}

/// Returns the documents of the images of a picture.
fn images(svg: &str) -> Vec<String> {
    let document = Document::parse(svg).unwrap();
    let images = document.descendants().filter(|node| node.has_tag_name("image"));
    images.map(|image| decoded(image.attribute("href").unwrap())).collect()
}

fn decoded(url: &str) -> String {
    let base64 = url.strip_prefix("data:image/svg+xml;base64,").unwrap();
    String::from_utf8(base64_simd::STANDARD.decode_to_vec(base64).unwrap()).unwrap()
}

fn elements<'a>(document: &'a Document<'a>, class: &str) -> Vec<Node<'a, 'a>> {
    document.descendants().filter(|node| node.attribute("class") == Some(class)).collect()
}

fn number(node: Node, name: &str) -> f64 {
    node.attribute(name).unwrap().parse().unwrap()
}

/// Returns the text of an element and its descendants.
fn text(node: Node) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

fn title(node: Node) -> String {
    text(node.children().find(|child| child.has_tag_name("title")).unwrap())
}

fn circles<'a>(area: Node<'a, 'a>) -> Vec<Node<'a, 'a>> {
    area.children().filter(|node| node.has_tag_name("circle")).collect()
}

/// Returns the lines of the legend, each with its colour.
fn legend(document: &Document) -> Vec<(String, String)> {
    let legend = elements(document, "legend")[0];
    let swatches = legend.children().filter(|node| node.has_attribute("rx"));
    let lines = legend.children().filter(|node| node.has_tag_name("text"));
    swatches.zip(lines).map(|(swatch, line)| (text(line), swatch.attribute("fill").unwrap().to_owned())).collect()
}

/// Returns the `viewBox`: left, top, width, height.
fn view_box(document: &Document) -> [f64; 4] {
    let numbers = document.root_element().attribute("viewBox").unwrap().split(' ');
    numbers.map(|number| number.parse().unwrap()).collect::<Vec<_>>().try_into().unwrap()
}

/// Returns the upper edge of the legend.
fn legend_top(document: &Document) -> f64 {
    let transform = elements(document, "legend")[0].attribute("transform").unwrap();
    let (_, top) = transform.split_once(')').unwrap().0.split_once(' ').unwrap();
    top.parse().unwrap()
}

#[test]
fn seat_title_is_complete() {
    let seat_map = hall(HALL, vec![area("1층 <A>&'\"", "132000", "<g/>", vec![seat(20.0, 30.5, 12, 34)])]);
    let svg = draw_checked(&seat_map);
    let document = Document::parse(&svg).unwrap();
    let area = elements(&document, "area")[0];
    assert_eq!(title(area), "1층 <A>&'\" 132,000원");
    assert_eq!(title(circles(area)[0]), "1층 <A>&'\" 12열 34번 132,000원");
}

#[test]
fn event_title_is_escaped() {
    let svg = draw("<b>\u{fffe} & ]]>", &hall_with_drawings(HALL, &["<g/>"]));
    let document = Document::parse(&svg).unwrap();
    assert_eq!(title(document.root_element()), "<b>\u{fffd} & ]]>");
}

#[test]
fn legend_lists_prices_from_highest() {
    let seat_map = hall(
        HALL,
        vec![
            area("B", "99000.5", "<g/>", row(2, 10.0)),
            area("A", "132000", "<g/>", row(3, 10.0)),
            area("C", "99000.50", "<g/>", row(1_234, 0.1)),
            area("D", "0", "<g/>", vec![]),
        ],
    );
    let svg = draw_checked(&seat_map);
    let document = Document::parse(&svg).unwrap();
    let (texts, colours): (Vec<_>, Vec<_>) = legend(&document).into_iter().unzip();
    assert_eq!(texts, ["132,000원 3석", "99,000.5원 1,236석", "0원 0석"]);
    let fills: Vec<_> = elements(&document, "area").iter().map(|area| area.attribute("fill").unwrap()).collect();
    assert_eq!(fills, [&*colours[1], &*colours[0], &*colours[1], &*colours[2]]);
}

#[test]
fn legend_is_centred_below_hall() {
    let svg = draw_checked(&hall(HALL, vec![area("A", "1000", NO_DRAWING, vec![seat(200.0, 150.0, 1, 1)])]));
    // The legend is 30 units high, and 300 units are as wide as the picture.
    assert!(svg.contains("viewBox='0 0 400 340'"), "{svg}");
    assert!(svg.contains("<g class='legend' transform='translate(0 300) scale(1.3333333333333333)'"), "{svg}");
    // The line has a swatch, nine characters and a gap, so it is 80 wide.
    assert!(svg.contains("<rect x='117' y='11' width='8' height='8'"), "{svg}");
    assert!(svg.contains("<text x='129' y='18'"), "{svg}");
}

#[test]
fn more_than_nine_prices_share_lines() {
    for (prices, first, last) in [
        (9, "9,000원 2석", "1,000원 2석"),
        (10, "9,000–10,000원 4석", "1,000원 2석"),
        (200, "178,000–200,000원 46석", "1,000–22,000원 44석"),
    ] {
        let areas = (1..=prices).map(|n| area(&format!("{n}"), &format!("{n}000"), "<g/>", row(2, 10.0)));
        let svg = draw_checked(&hall(HALL, areas.collect()));
        let document = Document::parse(&svg).unwrap();
        let legend = legend(&document);
        assert_eq!((legend.len(), &*legend[0].0, &*legend[8].0), (9, first, last));
        let mut colours: Vec<_> = elements(&document, "area").iter().map(|area| area.attribute("fill")).collect();
        colours.dedup();
        colours.reverse();
        assert_eq!(colours, legend.iter().map(|(_, colour)| Some(&**colour)).collect::<Vec<_>>());
        let [_, top, width, height] = view_box(&document);
        assert!(top + height - legend_top(&document) < width / 2.0, "the legend is too high");
    }
}

#[test]
fn legend_lines_fit_picture() {
    let areas = (0..30).map(|n| area(&format!("{n}"), &format!("9999999{n:02}.99"), "<g/>", row(800, 0.1)));
    let svg = draw_checked(&hall(HALL, areas.collect()));
    let document = Document::parse(&svg).unwrap();
    let legend = elements(&document, "legend")[0];
    for line in legend.children().filter(|node| node.has_tag_name("text")) {
        // Digits are 0.6 em wide, Korean letters 1 em.
        let narrowest = (0..text(line).chars().count()).map(|_| 0.5 * 9.0).sum::<f64>();
        assert!(number(line, "x") > 0.0 && number(line, "x") + narrowest < 300.0);
    }
}

#[test]
fn dot_size_follows_spacing() {
    let radius = |seat_map: &SeatMap| {
        let svg = draw_checked(seat_map);
        let document = Document::parse(&svg).unwrap();
        number(circles(elements(&document, "area")[0])[0], "r")
    };
    let rows = |pitch| vec![area("A", "1", "<g/>", row(20, pitch))];
    assert!((radius(&hall("<svg viewBox='-100 -100 400 400'/>", rows(10.0))) - 4.3).abs() < 1e-9);
    // One of twenty seats at the place of another does not shrink all dots.
    let mut seats = row(19, 10.0);
    seats.push(seat(0.0, 0.0, 2, 1));
    let crowded = vec![area("A", "1", "<g/>", seats)];
    assert!((radius(&hall("<svg viewBox='-100 -100 400 400'/>", crowded)) - 4.3).abs() < 1e-9);
    // Seats of another area do not count.
    let both = vec![area("A", "1", "<g/>", row(20, 10.0)), area("B", "1", "<g/>", row(20, 10.0))];
    assert!((radius(&hall("<svg viewBox='-100 -100 400 400'/>", both)) - 4.3).abs() < 1e-9);
    // Dots have a minimum and a maximum size.
    assert!((radius(&hall("<svg viewBox='-300 -300 600 600'/>", rows(0.1))) - 0.3).abs() < 1e-9);
    assert!((radius(&hall("<svg viewBox='-20 -400 800 800'/>", rows(40.0))) - 16.0).abs() < 1e-9);
    assert!((radius(&hall_with_drawings("<svg viewBox='-100 0 800 800'/>", &["<g/>"])) - 16.0).abs() < 1e-9);
}

#[test]
fn every_hall_has_sensible_shape() {
    let line = |x: f64, y: f64| (0..9).map(|n| seat(f64::from(n) * x, f64::from(n) * y, 1, n)).collect();
    for seats in [
        vec![],
        vec![seat(1e6, -1e6, 1, 1)],
        vec![seat(5.0, 5.0, 1, 1), seat(5.0, 5.0, 1, 2)],
        vec![seat(-1e6, -1e6, 1, 1), seat(1e6, 1e6, 1, 2)],
        vec![seat(1e6, 1e6, 1, 1), seat(1e6 - 1e-9, 1e6, 1, 2)],
        line(10.0, 0.0),
        line(0.0, 10.0),
        line(1e-4, 1e-4),
    ] {
        for total_map in [NO_DRAWING, "<g><path/></g>", HALL] {
            let svg = draw_checked(&hall(total_map, vec![area("A", "1", "<g/>", seats.clone())]));
            let document = Document::parse(&svg).unwrap();
            let [_, top, width, _] = view_box(&document);
            let height = legend_top(&document) - top;
            assert!(width > 0.0 && height > 0.0 && width / height <= 6.1 && height / width <= 6.1, "{seats:?}");
        }
    }
}

/// Builds a text of maximum size: a number, then characters that take the most bytes.
fn longest_text(prefix: usize, characters: usize) -> String {
    let prefix = prefix.to_string();
    prefix.clone() + &"&".repeat(characters - prefix.len())
}

/// Builds a hall of the longest valid values, with drawings of the maximum size.
fn largest_hall(total_map: &str, seats: usize) -> SeatMap {
    let per_area = seats / MAX_AREAS;
    let areas = (0..MAX_AREAS).map(|index| {
        let seats = (0..per_area).map(|n| {
            let n = u32::try_from(n).unwrap();
            let coordinate = -1.234_567_890_123_456_7e-300;
            seat(coordinate, coordinate * 2.0, MAX_POSITION - n, MAX_POSITION - n)
        });
        area(&longest_text(index, 50), &format!("999999{index:03}.99"), "<g/>", seats.collect())
    });
    let area_maps = MAX_AREAS * "<g/>".len();
    let (before, after) = total_map.split_once("...").unwrap();
    let repeated = after.split_once("...").unwrap();
    let room = MAX_DRAWING_BYTES - area_maps - before.len() - repeated.1.len();
    let text = repeated.0.repeat(room / repeated.0.len());
    SeatMap::new(Drawing::from_stored(format!("{before}{text}{}", repeated.1)), areas.collect())
}

#[test]
fn largest_hall_fits_response() {
    for total_map in [
        "<g><desc>...\"...</desc></g>",
        "<g>...<g id=\"a\"/>...</g>",
        "<g>...<g y=\"'\"/>...</g>",
        "<g fill='...url(#a)...'/>",
        "<g aria-labelledby='...a ...'/>",
    ] {
        let seat_map = largest_hall(total_map, MAX_CIRCLES);
        assert!(svg::read(seat_map.total_map().as_str()).is_ok(), "{total_map}");
        let svg = draw(&"&".repeat(100), &seat_map);
        let escaped = serde_json::to_string(&svg).unwrap().len();
        assert!(escaped <= MAX_RESPONSE - 4 * 1024, "{total_map}: {escaped}");
        let document = Document::parse(&svg).unwrap();
        let areas = elements(&document, "area");
        assert_eq!(areas.iter().map(|area| circles(*area).len()).sum::<usize>(), MAX_CIRCLES);
        assert_eq!(title(circles(areas[0])[0]), "2147483647열 2147483647번 999,999,000.99원");
        assert_eq!(title(areas[0]), format!("0{} 999,999,000.99원", "&".repeat(49)));

        let svg = draw("&", &largest_hall(total_map, MAX_SEATS));
        let escaped = serde_json::to_string(&svg).unwrap().len();
        assert!(escaped <= MAX_RESPONSE - 4 * 1024, "{total_map}: {escaped}");
    }
}

#[test]
fn large_picture_omits_seat_labels() {
    let labelled = |seats: usize| {
        let seats = (0..u32::try_from(seats).unwrap()).map(|n| seat(f64::from(n) / 7.0, 0.125, 1, n));
        let svg = draw("", &hall(HALL, vec![area(&longest_text(0, 50), "1", "<g/>", seats.collect())]));
        (svg.len(), svg.contains("&amp; 1열 0번 1원"))
    };
    let (small, is_labelled) = labelled(12_000);
    assert!(is_labelled && small < 4_500_000, "{small}");
    assert_eq!((labelled(MAX_CIRCLES).1, labelled(MAX_CIRCLES).0 < 4_000_000), (false, true));
}

/// Returns the dots of an area in user coordinates, from its paths.
fn dots(area: Node) -> Vec<(f64, f64)> {
    let transform = area.parent().unwrap().attribute("transform").unwrap();
    let numbers = transform.split(|c: char| !(c.is_ascii_digit() || ".-e".contains(c)));
    let numbers: Vec<f64> = numbers.filter_map(|number| number.parse().ok()).collect();
    let [left, top, scale] = numbers[..] else { panic!("{transform}") };
    let mut dots = Vec::new();
    for path in area.children().filter(|node| node.has_tag_name("path")) {
        let (mut x, mut y) = (0.0, 0.0);
        for step in path.attribute("d").unwrap().strip_prefix('m').unwrap().split('m') {
            let (dx, dy) = step.strip_suffix("h0").unwrap().split_once(' ').unwrap();
            x += dx.parse::<f64>().unwrap();
            y += dy.parse::<f64>().unwrap();
            dots.push((left + x * scale, top + y * scale));
        }
    }
    dots
}

#[test]
fn over_25_000_seats_are_dots() {
    let grid = |count: u32, left: f64| {
        (0..count).map(|n| seat(left + f64::from(n % 200) * 0.7, f64::from(n / 200) * -0.9, n / 200, n % 200)).collect()
    };
    for (seats, has_dots) in [(25_000, false), (25_001, true)] {
        let areas = [("<A>", "1000", 12_345, -500.5), ("B", "2000", seats - 12_345, 90.0), ("C", "3000", 0, 0.0)];
        let areas = areas.map(|(label, price, count, left)| area(label, price, "<g/>", grid(count, left)));
        let seat_map = hall(NO_DRAWING, areas.to_vec());
        let svg = draw_checked(&seat_map);
        let document = Document::parse(&svg).unwrap();
        let drawn = elements(&document, "area");
        let circles: usize = drawn.iter().map(|area| circles(*area).len()).sum();
        assert_eq!(circles, if has_dots { 0 } else { 25_000 });
        assert_eq!(title(drawn[0]), "<A> 1,000원");
        assert_eq!(drawn.len(), 3);
        if !has_dots {
            continue;
        }
        let [width, scale] = {
            let group = drawn[0].parent().unwrap();
            let scale = group.attribute("transform").unwrap().split_once("scale(").unwrap().1.trim_end_matches(')');
            [number(group, "stroke-width"), scale.parse().unwrap()]
        };
        let radius = width * scale / 2.0;
        assert!(radius > 0.0 && radius < 2.0);
        for (drawn, area) in drawn.iter().zip(seat_map.areas()) {
            let colours: Vec<_> =
                legend(&document).into_iter().filter(|(line, _)| line.starts_with(&won(area.price))).collect();
            assert_eq!(drawn.attribute("stroke"), Some(&*colours[0].1));
            let dots = dots(*drawn);
            assert_eq!(dots.len(), area.seats.len());
            for ((x, y), seat) in dots.into_iter().zip(&area.seats) {
                let distance = (x - seat.cx.value()).hypot(y - seat.cy.value());
                assert!(distance <= radius / 10.0, "{seat:?} at {x}, {y}");
            }
        }
    }
}

/// Generates a hall with seats anywhere within some distance of the origin, at few prices.
fn any_hall() -> impl Strategy<Value = SeatMap> {
    let prices = select(vec!["0", "0.01", "99000.5", "132000", "1000000000"]);
    let place = (-1.0..1.0, -1.0..1.0);
    let areas = vec((prices, vec(place, 0..40)), 1..6);
    let maps = select(vec![NO_DRAWING, "<g/>", "<svg width='5' height='900'/>", HALL]);
    (maps, areas, select(vec![1e-6, 1.0, 500.0, 1e6])).prop_map(|(total_map, areas, scale)| {
        let areas = areas.into_iter().enumerate().map(|(index, (price, places))| {
            let seats = places.into_iter().zip(1..).map(|((x, y), n)| seat(x * scale, y * scale, n / 7, n));
            area(&format!("{index}구역"), price, "<g/>", seats.collect())
        });
        hall(total_map, areas.collect())
    })
}

proptest! {
    #[test]
    fn seats_keep_place_and_price_colour(seat_map in any_hall()) {
        let svg = draw_checked(&seat_map);
        let document = Document::parse(&svg).unwrap();
        let mut prices: Vec<_> = seat_map.areas().iter().map(|area| area.price).collect();
        prices.sort();
        prices.dedup();
        let legend = legend(&document);
        prop_assert_eq!(legend.len(), prices.len());
        let areas = elements(&document, "area");
        prop_assert_eq!(areas.len(), seat_map.areas().len());
        for (drawn, area) in areas.into_iter().zip(seat_map.areas()) {
            let (line, colour) = &legend[prices.len() - 1 - prices.binary_search(&area.price).unwrap()];
            prop_assert!(line.starts_with(&won(area.price)));
            prop_assert_eq!(drawn.attribute("fill"), Some(&**colour));
            let circles = circles(drawn);
            prop_assert_eq!(circles.len(), area.seats.len());
            for (circle, seat) in circles.into_iter().zip(&area.seats) {
                prop_assert_eq!(number(circle, "cx").to_bits(), seat.cx.value().to_bits());
                prop_assert_eq!(number(circle, "cy").to_bits(), seat.cy.value().to_bits());
                prop_assert!(!circle.has_attribute("fill") && !circle.has_attribute("transform"));
                let Seat { row, number, .. } = seat;
                let expected = format!("{} {row}열 {number}번 {}", area.label.as_str(), won(area.price));
                prop_assert_eq!(title(circle), expected);
            }
        }
    }

    #[test]
    fn dots_are_fully_visible(seat_map in any_hall()) {
        let svg = draw_checked(&seat_map);
        let document = Document::parse(&svg).unwrap();
        let [left, top, width, height] = view_box(&document);
        let bottom = legend_top(&document);
        prop_assert!(top + height > bottom);
        for circle in elements(&document, "area").into_iter().flat_map(circles) {
            let [x, y, r] = ["cx", "cy", "r"].map(|name| number(circle, name));
            prop_assert!(x - r >= left && x + r <= left + width && y - r >= top && y + r <= bottom, "{}", svg);
        }
    }
}
