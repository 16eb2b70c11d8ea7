mod drawings;

use roxmltree::{Document, Node};

use super::*;
use crate::{
    drawing::Drawing,
    drawing::MAX_DRAWING_BYTES,
    seat_map::{MAX_HALL_AREAS, MAX_HALL_SEATS, MAX_POSITION, Seat},
};
use domain::{coordinate::Coordinate, text::Label};

/// Maximum bytes of a Lambda response; `api::envelope` enforces it.
const MAX_RESPONSE: usize = 6_291_556;

const HALL: &str = "<svg viewBox=\"0 0 400 300\"><rect width=\"100%\" height=\"100%\"/></svg>";
const NO_DRAWING: &str = "/maps/a.svg";
const DATA_URL: &str = "data:image/svg+xml;base64,";

fn seat(cx: f64, cy: f64, row: u32, number: u32) -> Seat {
    Seat { cx: Coordinate::from_stored(cx), cy: Coordinate::from_stored(cy), row, number, kind: None }
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

/// Builds a row of evenly spaced seats.
fn row(count: u32, pitch: f64) -> Vec<Seat> {
    (0..count).map(|n| seat(f64::from(n) * pitch, 0.0, 1, n + 1)).collect()
}

/// Draws a hall, and asserts that the picture and its images are well-formed SVG.
fn draw_checked(seat_map: &SeatMap) -> String {
    let svg = draw("공연", seat_map);
    for svg in [&svg].into_iter().chain(&images(&svg)) {
        let document = Document::parse(svg).unwrap_or_else(|error| panic!("{error}: {svg}"));
        assert!(document.root_element().has_tag_name(("http://www.w3.org/2000/svg", "svg")));
    }
    svg
}

/// Returns the documents of the images of a picture.
fn images(svg: &str) -> Vec<String> {
    let urls = svg.split(DATA_URL).skip(1).map(|rest| rest.split_once('\'').unwrap().0);
    urls.map(|base64| String::from_utf8(base64_simd::STANDARD.decode_to_vec(base64).unwrap()).unwrap()).collect()
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

fn circles<'a>(area: Node<'a, 'a>) -> Vec<Node<'a, 'a>> {
    area.children().filter(|node| node.has_tag_name("circle")).collect()
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
fn picture_shows_drawings_seats_and_prices() {
    let areas = vec![
        area("1층 <A>&'\"", "132000", "<g><path/></g>", vec![seat(20.0, 30.5, 12, 34), seat(40.25, 30.5, 12, 35)]),
        area("B", "99000.5", NO_DRAWING, vec![seat(20.0, 60.0, 1, 1)]),
        area("C", "99000.50", NO_DRAWING, vec![]),
    ];
    let svg = draw("<b>\u{fffe} & ]]>", &hall(HALL, areas));
    let lines = images(&svg).iter().fold(svg.clone(), |svg, image| {
        svg.replace(&format!("{DATA_URL}{}", base64_simd::STANDARD.encode_to_string(image)), &format!("({image})"))
    });
    let lines = ["<image", "<g ", "<circle", "<rect x"]
        .iter()
        .fold(lines, |lines, tag| lines.replace(tag, &format!("\n{tag}")));
    insta::assert_snapshot!(lines, @r#"
    <svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 400 340' font-family='sans-serif'><title>&lt;b&gt;� &amp; ]]&gt;</title>
    <rect x='0' y='0' width='400' height='340' fill='#ffffff'/>
    <image x='0' y='0' width='400' height='300' href='(<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 400 300' font-family='sans-serif'>
    <g viewBox="0 0 400 300"><rect width="100%" height="100%"/></g></svg>)'/>
    <image x='0' y='0' width='400' height='300' href='(<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' viewBox='0 0 400 300' font-family='sans-serif'><g><path/></g></svg>)'/>
    <g stroke='#ffffff' stroke-width='1.333' paint-order='stroke'>
    <g class='area' fill='#880330'><title>1층 &lt;A&gt;&amp;'" 132,000원</title>
    <circle cx='20' cy='30.5' r='8'><title>1층 &lt;A&gt;&amp;'" 12열 34번 132,000원</title></circle>
    <circle cx='40.25' cy='30.5' r='8'><title>1층 &lt;A&gt;&amp;'" 12열 35번 132,000원</title></circle></g>
    <g class='area' fill='#0ba682'><title>B 99,000.5원</title>
    <circle cx='20' cy='60' r='8'><title>B 1열 1번 99,000.5원</title></circle></g>
    <g class='area' fill='#0ba682'><title>C 99,000.5원</title></g></g>
    <g class='legend' transform='translate(0 300) scale(1.3333333333333333)' font-size='9'><rect width='300' height='30' fill='#f1f5f9'/>
    <rect x='59' y='11' width='8' height='8' rx='3' fill='#880330'/><text x='71' y='18' fill='#0f172a' font-weight='bold'>132,000원 <tspan fill='#475569' font-weight='normal'>2석</tspan></text>
    <rect x='157' y='11' width='8' height='8' rx='3' fill='#0ba682'/><text x='169' y='18' fill='#0f172a' font-weight='bold'>99,000.5원 <tspan fill='#475569' font-weight='normal'>1석</tspan></text></g></svg>
    "#);
    assert!(Document::parse(&svg).is_ok());
}

#[test]
fn more_than_nine_prices_share_lines() {
    for (prices, first, last) in [
        (9, "9,000원 2석", "1,000원 2석"),
        (10, "9,000–10,000원 4석", "1,000원 2석"),
        (200, "178,000–200,000원 46석", "1,000–22,000원 44석"),
    ] {
        let areas = (1..=prices).map(|n| area(&format!("{n}"), &format!("{n}000"), "<g/>", row(2, 10.0)));
        let svg = draw_checked(&hall(NO_DRAWING, areas.collect()));
        let document = Document::parse(&svg).unwrap();
        let legend: Vec<_> = elements(&document, "legend")[0].children().skip(1).collect();
        let lines: Vec<_> = legend.iter().filter(|node| node.has_tag_name("text")).map(|line| text(*line)).collect();
        assert_eq!((lines.len(), &*lines[0], &*lines[8]), (9, first, last));
        let swatches = legend.iter().filter(|node| node.has_tag_name("rect")).map(|swatch| swatch.attribute("fill"));
        let mut colours: Vec<_> = elements(&document, "area").iter().map(|area| area.attribute("fill")).collect();
        colours.dedup();
        colours.reverse();
        assert_eq!(colours, swatches.collect::<Vec<_>>());
    }
}

#[test]
fn dot_size_follows_spacing() {
    let assert_radius = |expected: f64, total_map: &str, seats: Vec<Seat>| {
        let areas = vec![area("A", "1", "<g/>", seats.clone()), area("B", "1", "<g/>", seats)];
        let svg = draw_checked(&hall(total_map, areas));
        let document = Document::parse(&svg).unwrap();
        let radius = number(circles(elements(&document, "area")[0])[0], "r");
        assert!((radius - expected).abs() < 1e-9, "{radius}");
    };
    // Seats of another area at the same places do not count.
    assert_radius(4.3, "<svg viewBox='-100 -100 400 400'/>", row(20, 10.0));
    // One of twenty seats at the place of another does not shrink all dots.
    assert_radius(4.3, "<svg viewBox='-100 -100 400 400'/>", [row(19, 10.0), vec![seat(0.0, 0.0, 2, 1)]].concat());
    // Dots have a minimum and a maximum size.
    assert_radius(0.3, "<svg viewBox='-300 -300 600 600'/>", row(20, 0.1));
    assert_radius(16.0, "<svg viewBox='-20 -400 800 800'/>", row(20, 40.0));
}

#[test]
fn every_hall_has_sensible_shape() {
    let line = |x: f64, y: f64| (0..9).map(|n| seat(f64::from(n) * x, f64::from(n) * y, 1, n)).collect();
    for seats in [
        vec![],
        vec![seat(1e6, -1e6, 1, 1)],
        vec![seat(-1e6, -1e6, 1, 1), seat(1e6, 1e6, 1, 2)],
        vec![seat(1e6, 1e6, 1, 1), seat(1e6 - 1e-9, 1e6, 1, 2)],
        line(10.0, 0.0),
        line(1e-4, 1e-4),
    ] {
        let svg = draw_checked(&hall(NO_DRAWING, vec![area("A", "1", "<g/>", seats.clone())]));
        let document = Document::parse(&svg).unwrap();
        let [left, top, width, _] = view_box(&document);
        let bottom = legend_top(&document);
        let ratio = width / (bottom - top);
        assert!((1.0 / 6.1..=6.1).contains(&ratio), "{seats:?}");
        for circle in elements(&document, "area").into_iter().flat_map(circles) {
            let [x, y, r] = ["cx", "cy", "r"].map(|name| number(circle, name));
            assert!(x - r >= left && x + r <= left + width && y - r >= top && y + r <= bottom, "{svg}");
        }
    }
}

/// Builds a hall of the longest valid values, with drawings of the maximum size.
fn largest_hall(seats: u32, kind: Option<SeatKind>) -> SeatMap {
    let coordinate = -1.234_567_890_123_456_7e-300;
    let per_area = seats / u32::try_from(MAX_HALL_AREAS).unwrap();
    let areas = (0..MAX_HALL_AREAS).map(|index| {
        let seat = |n| Seat { kind, ..seat(coordinate, coordinate * 2.0, MAX_POSITION - n, MAX_POSITION - n) };
        let seats = (0..per_area).map(seat);
        area(&format!("{index:&<50}"), &format!("999999{index:03}.99"), "<g/>", seats.collect())
    });
    let comment = " ".repeat(MAX_DRAWING_BYTES - MAX_HALL_AREAS * "<g/>".len() - "<g></g>".len());
    SeatMap::new(Drawing::from_stored(format!("<g>{comment}</g>")), areas.collect())
}

#[test]
fn largest_halls_fit_response() {
    for kind in [None, Some(SeatKind::Wheelchair), Some(SeatKind::RestrictedView)] {
        let with_circles = draw(&"&".repeat(100), &largest_hall(25_000, kind));
        assert_eq!(with_circles.matches("<title>2147483").count(), 25_000, "no label");
        let with_dots = draw(&"&".repeat(100), &largest_hall(u32::try_from(MAX_HALL_SEATS).unwrap(), kind));
        for svg in [with_circles, with_dots] {
            assert!(escaped_len(&svg) <= MAX_RESPONSE - 4 * 1024, "{kind:?}: {}", escaped_len(&svg));
        }
    }
}

/// Returns a row of four seats, of which two are wheelchair places.
fn row_with_wheelchairs() -> Vec<Seat> {
    let kinds = [None, Some(SeatKind::Wheelchair), Some(SeatKind::Companion), Some(SeatKind::Wheelchair)];
    row(4, 10.0).into_iter().zip(kinds).map(|(seat, kind)| Seat { kind, ..seat }).collect()
}

#[test]
fn wheelchair_places_have_sign() {
    let svg = draw_checked(&hall(NO_DRAWING, vec![area("A", "1000", "<g/>", row_with_wheelchairs())]));
    let document = Document::parse(&svg).unwrap();
    let drawn = elements(&document, "area")[0];
    let seats: Vec<_> = drawn.children().skip(1).map(|seat| (seat.tag_name().name(), text(seat))).collect();
    let expected = [
        ("circle", "A 1열 1번 1,000원"),
        ("use", "A 1열 2번 1,000원 휠체어석"),
        ("circle", "A 1열 3번 1,000원 동반석"),
        ("use", "A 1열 4번 1,000원 휠체어석"),
    ];
    assert_eq!(seats, expected.map(|(name, text)| (name, text.to_owned())));
    let places = drawn.children().filter(|node| node.has_tag_name("use"));
    let places: Vec<_> = places.map(|node| (node.attribute("href"), number(node, "x"), number(node, "y"))).collect();
    assert_eq!(places, [(Some("#wheelchair"), 10.0, 0.0), (Some("#wheelchair"), 30.0, 0.0)]);
    let sign = document.descendants().find(|node| node.attribute("id") == Some("wheelchair")).unwrap();
    let shapes: Vec<_> = sign.children().map(|node| node.tag_name().name()).collect();
    assert_eq!(shapes, ["rect", "circle"]);
    let lines = elements(&document, "legend")[0].children().filter(|node| node.has_tag_name("text"));
    assert_eq!(lines.map(text).collect::<Vec<_>>(), ["1,000원 4석", "휠체어석 2석"]);
}

#[test]
fn wheelchair_places_of_large_hall_are_square_dots_with_hole() {
    let many = (0..25_000).map(|n| seat(f64::from(n % 200), f64::from(n / 200), n / 200, n % 200)).collect();
    let areas = vec![area("A", "1000", "<g/>", row_with_wheelchairs()), area("B", "1000", "<g/>", many)];
    let svg = draw_checked(&hall(NO_DRAWING, areas));
    let document = Document::parse(&svg).unwrap();
    let paths: Vec<_> = elements(&document, "area")[0].children().filter(|node| node.has_tag_name("path")).collect();
    let dots = |path: &Node| path.attribute("d").unwrap().matches('m').count();
    assert_eq!(paths.iter().map(dots).collect::<Vec<_>>(), [2, 2, 2]);
    let attributes = |name| paths.iter().map(|path| path.attribute(name)).collect::<Vec<_>>();
    assert_eq!(attributes("stroke-linecap"), [None, Some("square"), None]);
    assert_eq!(attributes("stroke"), [None, None, Some("#ffffff")]);
    assert_eq!(paths[1].attribute("d"), paths[2].attribute("d"));
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
    let areas = [("<A>", "1000", 12_345, -500.5), ("B", "2000", 12_656, 90.0)];
    let areas = areas.map(|(label, price, count, left)| area(label, price, "<g/>", grid(count, left)));
    let seat_map = hall(NO_DRAWING, areas.to_vec());
    let svg = draw_checked(&seat_map);
    let document = Document::parse(&svg).unwrap();
    let drawn = elements(&document, "area");
    assert_eq!(text(drawn[0]), "<A> 1,000원");
    for (drawn, area) in drawn.iter().zip(seat_map.areas()) {
        assert_eq!(drawn.attribute("stroke"), Some(colour::of(area.price, &colour::bands(&seat_map))));
        let dots = dots(*drawn);
        assert_eq!((circles(*drawn).len(), dots.len()), (0, area.seats.len()));
        for ((x, y), seat) in dots.into_iter().zip(&area.seats) {
            let distance = (x - seat.cx.value()).hypot(y - seat.cy.value());
            assert!(distance <= 0.04, "{seat:?} at {x}, {y}");
        }
    }
}
