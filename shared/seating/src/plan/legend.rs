//! What the colours of a picture mean.

use super::{
    bounds::Rect,
    colour::{Grade, Palette},
    markup::{Rounded, rounded},
    push, won,
};
use domain::{decimal::grouped, price::Price};

/// The most lines, with a price each.
pub const MAX_LINES: usize = 24;
/// How many lines more prices than that share, so that colours are told apart.
pub const BANDS: usize = 8;
/// As many lines have large lettering; more have small.
const FEW: usize = 9;

/// The size of the lettering as a share of the picture's width: 9 pixels of 300.
const LARGE: f64 = 9.0 / 300.0;
/// The same where there are many lines: 7 pixels of 300.
const SMALL: f64 = 7.0 / 300.0;

// Lengths in ems, which are the size of the lettering.
const PADDING: f64 = 0.9;
const LINE: f64 = 1.6;
const SWATCH: f64 = 0.9;
const GAP: f64 = 0.45;
const BETWEEN_COLUMNS: f64 = 1.6;
/// How far below the middle of digits they stand.
const BASELINE: f64 = 0.36;

/// The lines of a legend, and how they lie.
pub struct Legend {
    lines: Vec<Line>,
    columns: usize,
    place: Rect,
    em: f64,
}

struct Line {
    colour: String,
    price: String,
    seats: String,
}

impl Legend {
    /// The legend of a hall, below it.
    pub fn new(palette: &Palette, hall: Rect) -> Self {
        let lines = lines(palette);
        let em = rounded(hall.width * if lines.len() > FEW { SMALL } else { LARGE });
        let column = (longest(&lines) + BETWEEN_COLUMNS) * em;
        let room = hall.width - (2.0 * PADDING - BETWEEN_COLUMNS) * em;
        let mut columns =
            (1..=lines.len()).rev().find(|&columns| column * float(columns) <= room).unwrap_or(1);
        // As many rows, filled more evenly.
        columns = lines.len().div_ceil(lines.len().div_ceil(columns).max(1)).max(1);
        let rows = lines.len().div_ceil(columns);
        let height = rounded((float(rows) * LINE + 2.0 * PADDING) * em);
        Self { lines, columns, place: Rect { y: hall.bottom(), height, ..hall }, em }
    }

    /// How much is added below the hall.
    pub fn height(&self) -> f64 {
        self.place.height
    }

    /// Writes the legend, over whatever a map draws in its place.
    pub fn write(&self, svg: &mut String) {
        let Self { lines, columns, place, em } = self;
        push(
            svg,
            format_args!(
                "<g class='legend' font-size='{}'><rect {} fill='#f1f5f9'/>",
                Rounded(*em),
                place.attributes()
            ),
        );
        let rows = lines.len().div_ceil(*columns);
        let column = (longest(lines) + BETWEEN_COLUMNS) * em;
        let width = column * float(*columns) - BETWEEN_COLUMNS * em;
        let left = place.x + (place.width - width) / 2.0;
        for (index, line) in lines.iter().enumerate() {
            let x = left + column * float(index / rows);
            let middle = place.y + (PADDING + LINE * (float(index % rows) + 0.5)) * em;
            line.write(svg, (x, middle), *em);
        }
        svg.push_str("</g>");
    }
}

impl Line {
    /// The line of some prices, the dearest first.
    fn of(band: &[(Price, &Grade)]) -> Option<Self> {
        let (&(dearest, _), &(cheapest, _)) = (band.first()?, band.last()?);
        let (_, middle) = band[band.len() / 2];
        let seats: usize = band.iter().map(|(_, grade)| grade.seats).sum();
        let from = if cheapest < dearest { format!("{}–", grouped(cheapest)) } else { String::new() };
        let price = format!("{from}{}", won(dearest));
        Some(Self { colour: middle.colour.clone(), price, seats: format!("{}석", grouped(seats)) })
    }

    fn write(&self, svg: &mut String, (x, middle): (f64, f64), em: f64) {
        let Self { colour, price, seats } = self;
        let side = SWATCH * em;
        let (swatch, corner) = (Rounded(side), Rounded(side / 3.0));
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 to 324")]
        let decimals = (2.0 - em.log10().floor()).max(0.0) as usize;
        push(
            svg,
            format_args!(
                "<rect x='{x:.decimals$}' y='{:.decimals$}' width='{swatch}' height='{swatch}' rx='{corner}' fill='{colour}'/>\
                 <text x='{:.decimals$}' y='{:.decimals$}' fill='#0f172a' font-weight='bold'>{price} \
                 <tspan fill='#475569' font-weight='normal'>{seats}</tspan></text>",
                middle - side / 2.0,
                x + side + GAP * em,
                middle + BASELINE * em,
            ),
        );
    }

    /// About how many ems it takes, in a wide typeface.
    fn width(&self) -> f64 {
        let width = |c: char| match c {
            '0'..='9' | '–' => 0.65,
            ',' | '.' | ' ' => 0.35,
            _ => 1.0,
        };
        SWATCH + GAP + self.price.chars().chain([' ']).chain(self.seats.chars()).map(width).sum::<f64>()
    }
}

fn lines(palette: &Palette) -> Vec<Line> {
    let grades: Vec<_> = palette.dearest_first().collect();
    let count = if grades.len() > MAX_LINES { BANDS } else { grades.len() };
    let bands =
        (0..count).map(|band| &grades[band * grades.len() / count..(band + 1) * grades.len() / count]);
    bands.filter_map(Line::of).collect()
}

fn longest(lines: &[Line]) -> f64 {
    lines.iter().map(Line::width).fold(0.0, f64::max)
}

#[expect(clippy::cast_precision_loss, reason = "there are at most a few lines")]
fn float(count: usize) -> f64 {
    count as f64
}
