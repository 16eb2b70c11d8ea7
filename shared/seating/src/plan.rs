//! Seating plan: the picture of a hall, with its drawings, seats and prices.

mod bounds;
mod colour;
mod dots;
mod drawings;
mod legend;
mod markup;
mod spacing;

use std::fmt::Write as _;

use crate::seat_map::{Area, MAX_DRAWING_BYTES, SeatMap};
use bounds::Rect;
use colour::Palette;
use domain::{decimal::grouped, price::Price, text::escaped_len};
use dots::Dots;
use drawings::Drawings;
use legend::Legend;
use markup::{Escaped, Rounded};

/// Maximum bytes of a picture in which each seat repeats the label of its area.
///
/// They are counted as in a JSON string, where `"`, `\` and line breaks take two.
const MAX_LABELLED_BYTES: usize = 6_000_000;

/// Maximum number of seats that are drawn as circles; more are dots in paths.
///
/// A browser needs an element and a tooltip for each circle: seconds and hundreds of megabytes for a stadium.
const MAX_CIRCLES: usize = 25_000;

/// Approximate number of bytes of a circle.
const BYTES_PER_CIRCLE: usize = 128;
/// Approximate number of bytes of a dot.
const BYTES_PER_DOT: usize = 12;

/// Titles that have the label of a seat's area.
#[derive(Clone, Copy)]
enum LabelPlace {
    Seats,
    Areas,
}

/// Draws a hall as one SVG 1.1 document.
///
/// Its user coordinates are those of `totalMap`. Its `viewBox` is that of `totalMap`, widened if seats lie
/// outside it, with room for the legend below. From back to front, it has
///
/// - `<title>`, the title;
/// - a white background;
/// - the drawings, isolated from one another and from the picture (`plan/drawings.rs`);
/// - for each area a `<g class='area'>` in the colour of its price, with a `<title>` of label and price. In it,
///   each seat is a `<circle>` at its exact `cx` and `cy`, with a `<title>` of label, row, number and price:
///   `1층 A구역 12열 34번 132,000원`. There is no other `<circle>` outside the drawings. If the hall has more than
///   25,000 seats, they are dots in paths instead (`plan/dots.rs`), which have no titles;
/// - `<g class='legend'>`, a line for each price, from the highest to the lowest: the price and its number of
///   seats. More than 24 prices share 8 lines; each has the lowest and the highest price of its eighth.
///
/// Colours run from the lowest price to the highest, evenly by rank. All seats have one size, which depends on
/// the distance of the seats. Text is readable if the picture is 300 pixels wide.
///
/// If the picture exceeds six million bytes, the titles of seats omit the label of their area:
/// `12열 34번 132,000원`. So the picture of every valid hall, escaped as a JSON string, fits into a response of
/// Lambda. It cannot run or fetch anything. It passes [`super::svg::read`] unless the drawings already use up
/// the limits.
#[must_use]
pub fn draw(title: &str, seat_map: &SeatMap) -> String {
    let drawings = Drawings::new(seat_map);
    let spacing = spacing::spacing(seat_map);
    let hall = bounds::hall(drawings.viewport(), seat_map, spacing);
    let radius = spacing::radius(spacing, hall.longer_side());
    let rim = spacing::rim(radius, hall.longer_side());
    let palette = Palette::new(seat_map);
    let legend = Legend::new(&palette, hall);

    let seats: usize = seat_map.areas().iter().map(|area| area.seats.len()).sum();
    let has_circles = seats <= MAX_CIRCLES;
    let bytes_per_seat = if has_circles { BYTES_PER_CIRCLE } else { BYTES_PER_DOT };
    let mut svg = String::with_capacity(MAX_DRAWING_BYTES / 4 + seats * bytes_per_seat);
    write_start(&mut svg, title, Rect { height: hall.height + legend.height(), ..hall });
    drawings.write(&mut svg, hall);
    if has_circles {
        write_circles(&mut svg, seat_map, &palette, radius, rim);
    } else {
        Dots::new(hall, spacing).write(&mut svg, seat_map, &palette);
    }
    legend.write(&mut svg);
    svg.push_str("</svg>");
    svg
}

fn write_start(svg: &mut String, title: &str, picture: Rect) {
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

fn write_circles(svg: &mut String, seat_map: &SeatMap, palette: &Palette, radius: f64, rim: f64) {
    // The rim separates a circle from a drawing that is as dark.
    push(svg, format_args!("<g stroke='{}' stroke-width='{}'>", colour::BACKGROUND, Rounded(rim)));
    let before_seats = svg.len();
    for label_place in [LabelPlace::Seats, LabelPlace::Areas] {
        svg.truncate(before_seats);
        for area in seat_map.areas() {
            write_area(svg, area, palette.colour(area.price), radius, label_place);
        }
        if escaped_len(svg) <= MAX_LABELLED_BYTES {
            break;
        }
    }
    svg.push_str("</g>");
}

fn write_area(svg: &mut String, area: &Area, colour: &str, radius: f64, label_place: LabelPlace) {
    let (label, price) = (Escaped(area.label.as_str()).to_string(), won(area.price));
    push(svg, format_args!("<g class='area' fill='{colour}'><title>{label} {price}</title>"));
    let radius = Rounded(radius);
    let seat_middle = match label_place {
        LabelPlace::Seats => format!("' r='{radius}'><title>{label} "),
        LabelPlace::Areas => format!("' r='{radius}'><title>"),
    };
    let seat_end = format!("번 {price}</title></circle>");
    // With `write!`, the whole picture takes twice the instructions.
    let mut decimal = itoa::Buffer::new();
    for seat in &area.seats {
        svg.push_str("<circle cx='");
        seat.cx.write_to(svg);
        svg.push_str("' cy='");
        seat.cy.write_to(svg);
        svg.push_str(&seat_middle);
        svg.push_str(decimal.format(seat.row));
        svg.push_str("열 ");
        svg.push_str(decimal.format(seat.number));
        svg.push_str(&seat_end);
    }
    svg.push_str("</g>");
}

/// Formats a price for people: `132,000원`.
fn won(price: Price) -> String {
    format!("{}원", grouped(price))
}

fn push(svg: &mut String, text: std::fmt::Arguments) {
    // Writing to a `String` cannot fail.
    let _ = svg.write_fmt(text);
}

#[cfg(test)]
mod tests;
