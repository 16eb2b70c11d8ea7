//! Legend of the colours of a picture.

use super::{
    bounds::Rect,
    colour::{Palette, PriceColour},
    markup::{Rounded, rounded},
    push, won,
};
use domain::{decimal::grouped, price::Price};

/// Maximum number of lines with one price each.
pub const MAX_LINES: usize = 24;
/// Number of lines for more prices, so that colours remain distinct.
pub const BANDS: usize = 8;
/// Maximum number of lines in large text.
const MAX_LARGE_LINES: usize = 9;

/// Large font size, as a share of the picture's width: 9 pixels of 300.
const LARGE_FONT: f64 = 9.0 / 300.0;
/// Small font size, as a share of the picture's width: 7 pixels of 300.
const SMALL_FONT: f64 = 7.0 / 300.0;

// Lengths in ems, which are the font size.
const PADDING: f64 = 0.9;
const LINE_HEIGHT: f64 = 1.6;
const SWATCH: f64 = 0.9;
const SWATCH_GAP: f64 = 0.45;
const COLUMN_GAP: f64 = 1.6;
/// Distance from the middle of digits down to their baseline.
const BASELINE_SHIFT: f64 = 0.36;

pub struct Legend {
    lines: Vec<Line>,
    columns: usize,
    bounds: Rect,
    em: f64,
}

struct Line {
    colour: String,
    price: String,
    seats: String,
}

impl Legend {
    /// Lays out the legend below a hall.
    pub fn new(palette: &Palette, hall: Rect) -> Self {
        let lines = lines(palette);
        let em = rounded(hall.width * if lines.len() > MAX_LARGE_LINES { SMALL_FONT } else { LARGE_FONT });
        let column = (longest_width(&lines) + COLUMN_GAP) * em;
        let room = hall.width - (2.0 * PADDING - COLUMN_GAP) * em;
        let mut columns = (1..=lines.len()).rev().find(|&columns| column * to_f64(columns) <= room).unwrap_or(1);
        // The number of rows stays; the columns are filled more evenly.
        columns = lines.len().div_ceil(lines.len().div_ceil(columns).max(1)).max(1);
        let rows = lines.len().div_ceil(columns);
        let height = rounded((to_f64(rows) * LINE_HEIGHT + 2.0 * PADDING) * em);
        Self { lines, columns, bounds: Rect { y: hall.bottom(), height, ..hall }, em }
    }

    pub fn height(&self) -> f64 {
        self.bounds.height
    }

    /// Writes the legend over anything that a drawing draws there.
    pub fn write(&self, svg: &mut String) {
        let Self { lines, columns, bounds, em } = self;
        push(
            svg,
            format_args!(
                "<g class='legend' font-size='{}'><rect {} fill='#f1f5f9'/>",
                Rounded(*em),
                bounds.attributes()
            ),
        );
        let rows = lines.len().div_ceil(*columns);
        let column = (longest_width(lines) + COLUMN_GAP) * em;
        let width = column * to_f64(*columns) - COLUMN_GAP * em;
        let left = bounds.x + (bounds.width - width) / 2.0;
        for (index, line) in lines.iter().enumerate() {
            let x = left + column * to_f64(index / rows);
            let middle = bounds.y + (PADDING + LINE_HEIGHT * (to_f64(index % rows) + 0.5)) * em;
            line.write(svg, (x, middle), *em);
        }
        svg.push_str("</g>");
    }
}

impl Line {
    /// Creates the line of a range of prices, the highest first.
    fn from_band(band: &[(Price, &PriceColour)]) -> Option<Self> {
        let (&(highest, _), &(lowest, _)) = (band.first()?, band.last()?);
        let (_, middle) = band[band.len() / 2];
        let seats: usize = band.iter().map(|(_, entry)| entry.seats).sum();
        let start = if lowest < highest { format!("{}–", grouped(lowest)) } else { String::new() };
        let price = format!("{start}{}", won(highest));
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
                x + side + SWATCH_GAP * em,
                middle + BASELINE_SHIFT * em,
            ),
        );
    }

    /// Estimates its width in ems, in a wide typeface.
    fn width(&self) -> f64 {
        let width = |c: char| match c {
            '0'..='9' | '–' => 0.65,
            ',' | '.' | ' ' => 0.35,
            _ => 1.0,
        };
        SWATCH + SWATCH_GAP + self.price.chars().chain([' ']).chain(self.seats.chars()).map(width).sum::<f64>()
    }
}

fn lines(palette: &Palette) -> Vec<Line> {
    let entries: Vec<_> = palette.highest_first().collect();
    let count = if entries.len() > MAX_LINES { BANDS } else { entries.len() };
    let bands = (0..count).map(|band| &entries[band * entries.len() / count..(band + 1) * entries.len() / count]);
    bands.filter_map(Line::from_band).collect()
}

fn longest_width(lines: &[Line]) -> f64 {
    lines.iter().map(Line::width).fold(0.0, f64::max)
}

#[expect(clippy::cast_precision_loss, reason = "there are at most a few lines")]
fn to_f64(count: usize) -> f64 {
    count as f64
}
