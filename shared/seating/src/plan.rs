//! The picture of a hall: its maps, its seats and what they cost.

mod bounds;
mod colour;
mod legend;
mod maps;
mod markup;
mod spacing;

use std::fmt::Write as _;

use crate::seat_map::{Area, MAX_DRAWING_BYTES, SeatMap};
use bounds::Rect;
use colour::Palette;
use domain::{decimal::grouped, price::Price, text::escaped_len};
use legend::Legend;
use maps::Maps;
use markup::{Escaped, Rounded, Shortest};

/// The most bytes of a picture whose seats each repeat the label of their area, counted as a
/// JSON string has them, where `"`, `\` and line breaks take two.
const LABELLED: usize = 6_000_000;

/// About how many bytes a seat takes.
const SEAT: usize = 128;

/// What tells the label of a seat's area.
#[derive(Clone, Copy)]
enum Labels {
    OnSeats,
    OnAreas,
}

/// Draws a hall as one SVG 1.1 document.
///
/// Its user coordinates are those of `totalMap`, and its `viewBox` is that of `totalMap`,
/// widened where seats lie outside it, with room for the legend below. From the back to
/// the front it holds
///
/// - `<title>`, the title;
/// - a white background;
/// - the maps, isolated from one another and from the picture, as `plan/maps.rs` does it;
/// - for each area a `<g class='area'>` in the colour of its price, with a `<title>` of label
///   and price, and in it for each seat a `<circle>` at its exact `cx` and `cy` with a
///   `<title>` of label, row, number and price: `1층 A구역 12열 34번 132,000원`. There
///   is no other `<circle>` outside the maps;
/// - `<g class='legend'>`, a line for each price from the dearest to the cheapest: the
///   price and how many seats have it. More than 24 prices share 8 lines, which give
///   the lowest and the highest of each eighth of them.
///
/// Colours run from the cheapest price to the dearest, evenly by rank. The dots are of one size,
/// which is set by how close seats are; lettering is sized to be read where the picture
/// is shown 300 pixels wide.
///
/// Where more than six million bytes came of it, seats leave their label to the area's
/// `<title>`: `12열 34번 132,000원`. The picture of every legal hall then fits into an
/// answer of Lambda, escaped as a JSON string. It cannot run or fetch anything, and passes
/// [`super::svg::read`] where the maps leave room for what is added.
#[must_use]
pub fn draw(title: &str, seat_map: &SeatMap) -> String {
    let maps = Maps::read(seat_map);
    let spacing = spacing::spacing(seat_map);
    let hall = bounds::hall(maps.viewport(), seat_map, spacing);
    let radius = spacing::radius(spacing, hall.longer_side());
    let rim = spacing::rim(radius, hall.longer_side());
    let palette = Palette::of(seat_map);
    let legend = Legend::new(&palette, hall);

    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let mut svg = String::with_capacity(MAX_DRAWING_BYTES / 4 + seats * SEAT);
    open(&mut svg, title, Rect { height: hall.height + legend.height(), ..hall });
    maps.write(&mut svg, hall);
    // The rim sets a dot off from a map as dark as itself.
    push(&mut svg, format_args!("<g stroke='{}' stroke-width='{}'>", colour::BACKGROUND, Rounded(rim)));
    let before_seats = svg.len();
    for labels in [Labels::OnSeats, Labels::OnAreas] {
        svg.truncate(before_seats);
        for area in seat_map.areas() {
            write_area(&mut svg, area, palette.colour(area.price), radius, labels);
        }
        if escaped_len(&svg) <= LABELLED {
            break;
        }
    }
    svg.push_str("</g>");
    legend.write(&mut svg);
    svg.push_str("</svg>");
    svg
}

fn open(svg: &mut String, title: &str, picture: Rect) {
    push(
        svg,
        format_args!(
            "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' \
             version='1.1' viewBox='{picture}' font-family='sans-serif'><title>{}</title>\
             <rect {} fill='{}'/>",
            Escaped(title),
            picture.attributes(),
            colour::BACKGROUND,
        ),
    );
}

fn write_area(svg: &mut String, area: &Area, colour: &str, radius: f64, labels: Labels) {
    let (label, price) = (Escaped(area.label.as_str()).to_string(), won(area.price));
    push(svg, format_args!("<g class='area' fill='{colour}'><title>{label} {price}</title>"));
    let radius = Rounded(radius);
    let before = match labels {
        Labels::OnSeats => format!("' r='{radius}'><title>{label} "),
        Labels::OnAreas => format!("' r='{radius}'><title>"),
    };
    let after = format!("번 {price}</title></circle>");
    for seat in &area.seats {
        let (cx, cy) = (Shortest(seat.cx.value()), Shortest(seat.cy.value()));
        push(svg, format_args!("<circle cx='{cx}' cy='{cy}{before}{}열 {}{after}", seat.row, seat.number));
    }
    svg.push_str("</g>");
}

/// A price as people read it: `132,000원`.
fn won(price: Price) -> String {
    format!("{}원", grouped(price))
}

fn push(svg: &mut String, text: std::fmt::Arguments) {
    // A `String` takes anything.
    let _ = svg.write_fmt(text);
}

#[cfg(test)]
mod tests;
