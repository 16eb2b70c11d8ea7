//! Blocks: areas of rows before they are drawn.

use std::ops::RangeInclusive;

use super::{Area, Layout, Seat};

/// Area before it is drawn, with the data of an SVG path as outline, and the centre and size of its label.
pub struct Block {
    pub label: String,
    pub price: u64,
    pub outline: String,
    pub label_at: (f64, f64),
    pub font_size: f64,
    pub seats: Vec<Seat>,
}

/// Width of the aisle between neighbouring blocks, in seats.
pub const AISLE: f64 = 1.7;

/// Distance of an outline from the centres of the outermost seats, in seats.
pub const MARGIN: f64 = 0.6;

/// Distance between rows, in seats.
pub const STEP: f64 = 1.25;

/// Builds curved rows of the theatre between the given angles, from left to right.
///
/// Angle zero is straight below the stage. An aisle runs along each angle.
pub fn fan(label: &str, price: u64, rows: RangeInclusive<u32>, front: f64, angles: &[f64]) -> Block {
    const PITCH: f64 = 20.0;
    const FONT_SIZE: f64 = 20.0;
    let point = |radius: f64, angle: f64| (800.0 + radius * angle.sin(), -220.0 + radius * angle.cos());
    let radius = |row: u32| front + f64::from(row - rows.start()) * STEP * PITCH;

    let mut seats = Vec::new();
    for row in rows.clone() {
        let radius = radius(row);
        let mut number = 0;
        for [from, to] in angles.array_windows() {
            for along in seat_offsets(PITCH, (to - from) * radius - AISLE * PITCH) {
                let (cx, cy) = point(radius, f64::midpoint(*from, *to) + along / radius);
                number += 1;
                seats.push(Seat { cx, cy, row, number, kind: None });
            }
        }
    }

    let (near, far) = (front - MARGIN * PITCH, radius(*rows.end()) + MARGIN * PITCH);
    let inset = (AISLE / 2.0 - MARGIN) * PITCH;
    let outline: Vec<String> = angles
        .array_windows()
        .map(|[from, to]| {
            let [(ax, ay), (bx, by), (cx, cy), (dx, dy)] = [
                point(near, from + inset / near),
                point(near, to - inset / near),
                point(far, to - inset / far),
                point(far, from + inset / far),
            ];
            format!(
                "M{ax:.1} {ay:.1}A{near:.1} {near:.1} 0 0 0 {bx:.1} {by:.1}\
                 L{cx:.1} {cy:.1}A{far:.1} {far:.1} 0 0 1 {dx:.1} {dy:.1}Z"
            )
        })
        .collect();
    let middle = f64::midpoint(angles[0], angles[angles.len() - 1]);
    Block {
        label: label.to_owned(),
        price,
        outline: outline.concat(),
        label_at: point(far + FONT_SIZE, middle),
        font_size: FONT_SIZE,
        seats,
    }
}

/// Builds a block of straight rows, with its first seat at the given point.
pub fn straight(
    label: String,
    price: u64,
    (x, y): (f64, f64),
    [columns, rows]: [u32; 2],
    [pitch, row_pitch]: [f64; 2],
) -> Block {
    const FONT_SIZE: f64 = 36.0;
    let seats = (1..=rows)
        .flat_map(|row| (1..=columns).map(move |number| (row, number)))
        .map(|(row, number)| Seat {
            cx: x + f64::from(number - 1) * pitch,
            cy: y + f64::from(row - 1) * row_pitch,
            row,
            number,
            kind: None,
        })
        .collect();
    let margin = MARGIN * pitch;
    let (left, top) = (x - margin, y - margin);
    let width = f64::from(columns - 1) * pitch + 2.0 * margin;
    let height = f64::from(rows - 1) * row_pitch + 2.0 * margin;
    Block {
        label,
        price,
        outline: format!("M{left:.1} {top:.1}h{width:.1}v{height:.1}h-{width:.1}Z"),
        label_at: (left + width / 2.0, top + height + FONT_SIZE * 0.8),
        font_size: FONT_SIZE,
        seats,
    }
}

/// Spreads as many seats as possible evenly over a length, at least `pitch` apart.
///
/// Returns their offsets from the middle.
pub fn seat_offsets(pitch: f64, length: f64) -> impl Iterator<Item = f64> {
    let gaps = (length / pitch).floor();
    (0_u32..).map(f64::from).take_while(move |n| *n <= gaps).map(move |n| (n / gaps - 0.5) * length)
}

/// Removes seats from the ends of the last rows until the given number is left.
///
/// It takes one seat from each block, beginning with the last block.
pub fn remove_excess_seats(blocks: &mut [Block], seats: usize) {
    let excess = blocks.iter().map(|block| block.seats.len()).sum::<usize>().saturating_sub(seats);
    for index in (0..blocks.len()).rev().cycle().take(excess) {
        blocks[index].seats.pop();
    }
}

/// SVG attributes of the texts in a drawing.
const TEXT_STYLE: &str = r#"font-family="sans-serif" font-weight="bold" text-anchor="middle""#;

/// Builds a hall of the given size from the SVG of its background and from its blocks.
pub fn draw(
    name: &'static str,
    title: &str,
    (width, height): (f64, f64),
    decimals: i32,
    background: &str,
    blocks: Vec<Block>,
) -> Layout {
    let total_map = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\"><title>{title}</title>\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f8fafc\"/><g {TEXT_STYLE}>{background}</g></svg>"
    );
    let scale = 10_f64.powi(decimals);
    let areas = blocks.into_iter().map(|block| block.area(scale)).collect();
    Layout { name, total_map, areas }
}

impl Block {
    fn area(self, scale: f64) -> Area {
        let round = |value: f64| (value * scale).round() / scale;
        let seat = |seat: &Seat| Seat { cx: round(seat.cx), cy: round(seat.cy), ..*seat };
        Area {
            area_map: self.area_map(),
            label: self.label,
            price: self.price,
            seats: self.seats.iter().map(seat).collect(),
        }
    }

    fn area_map(&self) -> String {
        let Self { label, outline, label_at: (x, middle), font_size, .. } = self;
        let baseline = middle + 0.36 * font_size;
        // A client that outlines the group of a selected area must not outline its label.
        format!(
            "<g {TEXT_STYLE}><title>{label}구역</title>\
             <path class=\"area-data\" d=\"{outline}\" fill=\"#d5dde8\"/>\
             <text x=\"{x:.1}\" y=\"{baseline:.1}\" font-size=\"{font_size:.1}\" fill=\"#475569\" stroke=\"none\">\
             {label}</text></g>"
        )
    }
}
