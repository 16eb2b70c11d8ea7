//! Legend of the colours of a picture, in units of which the picture is 300 wide.

use super::{bounds::Rect, colour::Band, push, rounded, wheelchair, won};
use domain::{decimal::grouped, seat_kind::SeatKind};

const WIDTH: usize = 300;
const FONT_SIZE: usize = 9;
/// Width of a character: that of a digit in a wide, bold typeface.
const CHARACTER: usize = 6;
const LINE_HEIGHT: usize = 14;
/// Distance from the top of a line to the baseline of its text.
const BASELINE: usize = 10;
const PADDING: usize = 8;
const SWATCH: usize = 8;
/// Distance from the left of a swatch to its text.
const INDENT: usize = 12;
const COLUMN_GAP: usize = 14;

/// Line of a legend: the colour of its swatch, or none for the sign of wheelchair places, a name and a number of seats.
type Line = (Option<&'static str>, String, String);

/// Draws the legend below a hall, and returns it with its height in user coordinates.
pub fn draw(bands: &[Band], wheelchairs: usize, hall: Rect) -> (String, f64) {
    let prices = bands.iter().rev().map(|band| (Some(band.colour), price(band), seats(band.seats)));
    let wheelchairs = (wheelchairs > 0).then(|| (None, SeatKind::Wheelchair.korean().to_owned(), seats(wheelchairs)));
    let lines: Vec<Line> = prices.chain(wheelchairs).collect();
    let longest = lines.iter().map(|(_, name, seats)| name.chars().count() + 1 + seats.chars().count()).max();
    let column = INDENT + longest.unwrap_or_default() * CHARACTER + COLUMN_GAP;
    let room = WIDTH - 2 * PADDING + COLUMN_GAP;
    let rows = lines.len().div_ceil((room / column).max(1)).max(1);
    let columns = lines.len().div_ceil(rows);
    let margin = (WIDTH + COLUMN_GAP).saturating_sub(columns * column) / 2;

    let scale = hall.width() / to_f64(WIDTH);
    let height = rows * LINE_HEIGHT + 2 * PADDING;
    let mut svg = format!(
        "<g class='legend' transform='translate({} {}) scale({scale})' font-size='{FONT_SIZE}'>\
         <rect width='{WIDTH}' height='{height}' fill='#f1f5f9'/>",
        hall.left, hall.bottom,
    );
    for (index, (colour, name, seats)) in lines.iter().enumerate() {
        let (x, y) = (margin + index / rows * column, PADDING + index % rows * LINE_HEIGHT);
        let top = y + (LINE_HEIGHT - SWATCH) / 2;
        let swatch = if let Some(colour) = colour {
            format!("<rect x='{x}' y='{top}' width='{SWATCH}' height='{SWATCH}' rx='3' fill='{colour}'/>")
        } else {
            let radius = to_f64(SWATCH) / 2.0;
            let sign = wheelchair::draw(radius, to_f64(x) + radius, to_f64(top) + radius);
            format!("<g fill='#475569'>{sign}</g>")
        };
        push(
            &mut svg,
            format_args!(
                "{swatch}<text x='{}' y='{}' fill='#0f172a' font-weight='bold'>{name} \
                 <tspan fill='#475569' font-weight='normal'>{seats}</tspan></text>",
                x + INDENT,
                y + BASELINE,
            ),
        );
    }
    (svg + "</g>", rounded(to_f64(height) * scale))
}

fn price(band: &Band) -> String {
    let start = if band.lowest < band.highest { grouped(band.lowest) + "–" } else { String::new() };
    start + &won(band.highest)
}

fn seats(number: usize) -> String {
    format!("{}석", grouped(number))
}

#[expect(clippy::cast_precision_loss, reason = "lengths of a legend are below a thousand")]
fn to_f64(length: usize) -> f64 {
    length as f64
}
