//! Seating plan: the picture of a hall, with its drawings, seats and prices.

mod bounds;
mod colour;
mod dots;
mod drawings;
mod legend;
mod wheelchair;

use std::fmt::Write as _;

use quick_xml::escape::partial_escape;

use crate::seat_map::{Area, SeatMap};
use bounds::Rect;
use colour::Band;
use domain::{decimal::grouped, price::Price, seat_kind::SeatKind, text::escaped_len};
use drawings::Drawings;

/// Maximum bytes of the circles of a hall if the title of each seat repeats the label of its area.
///
/// They are counted as in a JSON string. The largest drawings and the legend take less than 1.5 million bytes.
const MAX_LABELLED_BYTES: usize = 4_500_000;

/// Maximum number of seats that are drawn as circles; more are dots in paths.
///
/// A browser needs an element and a tooltip for each circle: seconds and hundreds of megabytes for a stadium.
const MAX_CIRCLES: usize = 25_000;

/// Draws a hall as one SVG document.
///
/// Its user coordinates are those of `totalMap`. Its `viewBox` is that of `totalMap`, widened if seats lie
/// outside it, with room for the legend below. From back to front, it has
///
/// - `<title>`, the title;
/// - a white background;
/// - the drawings, each as an image (`plan/drawings.rs`);
/// - for each area a `<g class='area'>` in the colour of its price, with a `<title>` of label and price. In it, each
///   seat is a `<circle>` at its exact `cx` and `cy`, with a `<title>` of label, row, number and price: `1층 A구역 12열 34번
///   132,000원`, followed by its kind if it has one: `휠체어석`. If the hall has more than 25,000 seats, they are dots in
///   paths instead (`plan/dots.rs`), which have no titles. A wheelchair place is a square with a ring instead
///   (`plan/wheelchair.rs`);
/// - `<g class='legend'>`, a line for each colour, from the highest price to the lowest: the price and its number of
///   seats. More than nine prices share nine colours; then a line has the lowest and the highest price. The last line
///   has the number of wheelchair places, if there are any.
///
/// All seats have one size, which depends on the distance of the seats. Text is readable if the picture is 300
/// pixels wide. If the circles exceed 4.5 million bytes, the titles of seats omit the label of their area:
/// `12열 34번 132,000원`. So the picture of every valid hall, escaped as a JSON string, fits into a response of
/// Lambda. It cannot run or fetch anything.
#[must_use]
pub fn draw(title: &str, seat_map: &SeatMap) -> String {
    let drawings = Drawings::new(seat_map);
    let (hall, radius) = bounds::hall(drawings.viewport(), seat_map);
    let bands = colour::bands(seat_map);
    let (legend, legend_height) = legend::draw(&bands, wheelchair::count(seat_map), hall);
    let picture = Rect { bottom: hall.bottom + legend_height, ..hall };
    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let seats = if seats <= MAX_CIRCLES {
        let labelled = circles(seat_map, &bands, radius, true);
        if escaped_len(&labelled) <= MAX_LABELLED_BYTES { labelled } else { circles(seat_map, &bands, radius, false) }
    } else {
        dots::draw(seat_map, &bands, hall, radius)
    };
    format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='{picture}' font-family='sans-serif'><title>{}</title><rect {} fill='{}'/>{}{seats}{legend}</svg>",
        escaped(title),
        picture.attributes(),
        colour::BACKGROUND,
        drawings.draw(hall),
    )
}

fn circles(seat_map: &SeatMap, bands: &[Band], radius: f64, is_labelled: bool) -> String {
    // The rim separates a circle from a drawing that is as dark.
    let (stroke, rim) = (colour::BACKGROUND, rounded(radius / 6.0));
    let mut svg = format!("<g stroke='{stroke}' stroke-width='{rim}' paint-order='stroke'>");
    if wheelchair::count(seat_map) > 0 {
        svg.push_str(&wheelchair::definition(radius));
    }
    for area in seat_map.areas() {
        let price = won(area.price);
        let label = if is_labelled { escaped(area.label.as_str()) + " " } else { String::new() };
        svg.push_str(&area_start("fill", area, bands));
        for seat in &area.seats {
            let (row, number) = (seat.row, seat.number);
            let kind = seat.kind.map_or(String::new(), |kind| format!(" {}", kind.korean()));
            let title = format_args!("<title>{label}{row}열 {number}번 {price}{kind}</title>");
            let is_wheelchair = seat.kind == Some(SeatKind::Wheelchair);
            let [start, middle] = if is_wheelchair { wheelchair::PLACE } else { ["<circle cx='", "' cy='"] };
            svg.push_str(start);
            seat.cx.write_to(&mut svg);
            svg.push_str(middle);
            seat.cy.write_to(&mut svg);
            if is_wheelchair {
                push(&mut svg, format_args!("'>{title}</use>"));
            } else {
                push(&mut svg, format_args!("' r='{radius}'>{title}</circle>"));
            }
        }
        svg.push_str("</g>");
    }
    svg + "</g>"
}

/// Returns the start of an area: its group, which sets a property to the colour of its price, and its title.
fn area_start(property: &str, area: &Area, bands: &[Band]) -> String {
    let (label, price) = (escaped(area.label.as_str()), won(area.price));
    format!("<g class='area' {property}='{}'><title>{label} {price}</title>", colour::of(area.price, bands))
}

/// Formats a price for people: `132,000원`.
fn won(price: Price) -> String {
    format!("{}원", grouped(price))
}

/// Escapes a text between tags, and replaces two characters that it may have but XML forbids.
fn escaped(text: &str) -> String {
    partial_escape(text).replace(['\u{fffe}', '\u{ffff}'], "\u{fffd}")
}

/// Rounds a length to four significant digits.
fn rounded(length: f64) -> f64 {
    format!("{length:.3e}").parse().unwrap_or(length)
}

fn push(svg: &mut String, text: std::fmt::Arguments) {
    // Writing to a `String` cannot fail.
    let _ = svg.write_fmt(text);
}

#[cfg(test)]
mod tests;
