//! Halls as drawing tools export them, for the sample events, the tests and the benchmarks.
//!
//! Halls are computed, so every call returns the same hall. Lengths are in units of the hall's drawing, whose y axis
//! points down; angles are in radians. Coordinates of seats are rounded to two or three decimals.
//!
//! The sample halls suit clients that put each `areaMap` into a `<g>` of `totalMap`, colour the element of the class
//! `area-data`, and draw each seat as a circle with a radius of up to 9.

use std::{
    f64::consts::{FRAC_PI_2, TAU},
    ops::RangeInclusive,
};

use serde::Serialize;

/// Hall with its drawings, areas and seats.
///
/// Its JSON has the fields `totalMap` and `areas` of a request that creates an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Layout {
    /// Short name in lower-case ASCII, such as `theatre`.
    #[serde(skip)]
    pub name: &'static str,
    /// Drawing of the hall without its areas and seats: an SVG document with only shapes and text.
    pub total_map: String,
    /// Areas, at least one.
    pub areas: Vec<Area>,
}

impl Layout {
    /// Number of seats in all areas.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.areas.iter().map(|area| area.seats.len()).sum()
    }
}

/// Area of a hall; all its seats have one price.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Area {
    /// Name in Korean, such as `1층 A`, to which clients append `구역`; unique in the hall.
    pub label: String,
    /// Price of a seat, in won.
    pub price: u64,
    /// Outline and label of the area: an SVG fragment `<g>` in the hall's coordinates.
    ///
    /// The outline is one path of the class `area-data`.
    pub area_map: String,
    /// Seats, ordered by row and number.
    pub seats: Vec<Seat>,
}

/// Seat: the centre of its circle in the drawing, and its row and number, which are unique in an area.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Seat {
    /// Distance from the left edge of the drawing.
    pub cx: f64,
    /// Distance from the top edge of the drawing.
    pub cy: f64,
    /// Row, counted from 1 at the front.
    pub row: u32,
    /// Number in the row, counted from 1.
    pub number: u32,
}

/// Returns a theatre with about 1,500 seats.
///
/// It has three floors of curved rows, the stage at the top, and an aisle in the middle. The distance
/// between seats is 20.
#[must_use]
pub fn theatre() -> Layout {
    const CENTRE: &[f64] = &[-0.2, 0.0, 0.2];
    let background = concat!(
        r##"<path d="M480 40H1120L1410 640L1470 1173A1546 1546 0 0 1 130 1173L190 640Z""##,
        r##" fill="#eef2f7"/>"##,
        r##"<path d="M500 40H1100V167A490 490 0 0 1 500 167Z" fill="#1e293b"/>"##,
        r##"<text x="800" y="165" font-size="34" fill="#f8fafc">무대</text>"##,
    );
    let blocks = vec![
        fan("1층 A", R, 1..=9, 520.0, &[-0.6, -0.2]),
        fan("1층 VIP", VIP, 1..=9, 520.0, CENTRE),
        fan("1층 B", R, 1..=9, 520.0, &[0.2, 0.6]),
        fan("1층 C", S, 10..=20, 788.0, &[-0.56, -0.2]),
        fan("1층 D", R, 10..=20, 788.0, CENTRE),
        fan("1층 E", S, 10..=20, 788.0, &[0.2, 0.56]),
        fan("2층 A", A, 1..=8, 1112.0, &[-0.48, -0.2]),
        fan("2층 B", S, 1..=8, 1112.0, CENTRE),
        fan("2층 C", A, 1..=8, 1112.0, &[0.2, 0.48]),
        fan("3층 A", B, 1..=6, 1364.0, &[-0.4, -0.2]),
        fan("3층 B", A, 1..=6, 1364.0, CENTRE),
        fan("3층 C", B, 1..=6, 1364.0, &[0.2, 0.4]),
    ];
    draw("theatre", "극장", (1600.0, 1370.0), 2, background, blocks)
}

/// Returns an arena with about 10,000 seats.
///
/// Blocks of straight rows surround a stage with a runway on the floor. Two tiers leave the space
/// behind the stage free. The distance between seats is 18.
#[must_use]
pub fn arena() -> Layout {
    const BOWL: Oval = Oval { x: 1590.0, y: 1200.0, width: 780.0, height: 870.0, power: 4.0 };
    let background = concat!(
        r##"<path d="M888 90H2292V1800L2190 1944H990L888 1800Z" fill="#eef2f7"/>"##,
        r##"<path d="M990 120H2190V375H1650V900H1530V375H990Z" fill="#1e293b"/>"##,
        r##"<circle cx="1590" cy="960" r="96" fill="#1e293b"/>"##,
        r##"<path d="M1050 156H1350M1440 156H1740M1830 156H2130" stroke="#38bdf8" stroke-width="12"/>"##,
        r##"<text x="1590" y="285" font-size="72" fill="#f8fafc">무대</text>"##,
    );
    let mut blocks = Vec::new();
    for (line, y, price) in [('A', 450.0, VIP), ('B', 1086.0, VIP), ('C', 1500.0, R)] {
        for (number, x) in (1..).zip([945.0, 1236.0, 1692.0, 1983.0]) {
            blocks.push(floor(format!("{line}{number}"), price, (x, y)));
        }
    }
    let lower = Tier { floor: 2, pitch: 18.0, rows: 12, front: 0.0, sections: 28 };
    let upper = Tier { floor: 3, rows: 13, front: 384.0, sections: 36, ..lower };
    blocks.extend(BOWL.tier(&lower, |(_, y)| match y {
        ..-0.6 => None,
        ..0.5 => Some(R),
        _ => Some(S),
    }));
    blocks.extend(BOWL.tier(&upper, |(_, y)| match y {
        ..-0.6 => None,
        ..0.5 => Some(A),
        _ => Some(B),
    }));
    draw("arena", "아레나", (3180.0, 2790.0), 2, background, blocks)
}

/// Returns a stadium with exactly 25,000 seats in 152 areas.
///
/// Three oval tiers surround a football pitch. The distance between seats is 20.
#[must_use]
pub fn stadium() -> Layout {
    const SEATS: usize = 25_000;
    const BOWL: Oval = Oval { x: 2800.0, y: 2480.0, width: 1040.0, height: 744.0, power: 2.6 };
    let background = concat!(
        r##"<path d="M2800 1776C3510 1776 3800 1980 3800 2480S3510 3184 2800 3184"##,
        r##" 1800 2980 1800 2480 2090 1776 2800 1776Z" fill="#bbf7d0"/>"##,
        r##"<rect x="2064" y="2004" width="1472" height="952" fill="#4ade80"/>"##,
        r##"<path d="M2248 2004h184v952h-184ZM2616 2004h184v952h-184ZM2984 2004h184v952h-184Z"##,
        r##"M3352 2004h184v952h-184Z" fill="#22c55e"/>"##,
        r##"<g fill="none" stroke="#ffffff" stroke-width="8">"##,
        r##"<path d="M2064 2004h1472v952h-1472ZM2800 2004v952M2064 2198h232v564h-232M2064 2352h78v256h-78"##,
        r##"M3536 2198h-232v564h232M3536 2352h-78v256h78"##,
        r##"M2296 2378a128 128 0 0 1 0 204M3304 2378a128 128 0 0 0 0 204"/>"##,
        r##"<circle cx="2800" cy="2480" r="128"/></g>"##,
    );
    let mut blocks = Vec::new();
    for (floor, rows, front, sections, side, end) in
        [(1, 20, 0.0, 40, VIP, R), (2, 16, 605.0, 56, R, S), (3, 17, 1110.0, 56, A, B)]
    {
        let tier = Tier { floor, pitch: 20.0, rows, front, sections };
        blocks.extend(BOWL.tier(&tier, |(_, y)| Some(if y.abs() > 0.8 { side } else { end })));
    }
    remove_excess_seats(&mut blocks, SEATS);
    draw("stadium", "스타디움", (5600.0, 4960.0), 3, background, blocks)
}

/// Returns a hall with one area and the given number of seats.
///
/// Rows are straight and have 100 seats. The distance between seats and between rows is 10.
#[must_use]
pub fn grid(seats: usize) -> Layout {
    const PITCH: f64 = 10.0;
    const COLUMNS: u32 = 100;
    let places = (1..).flat_map(|row| (1..=COLUMNS).map(move |number| (row, number)));
    let seats: Vec<Seat> = places
        .take(seats)
        .map(|(row, number)| Seat { cx: f64::from(number) * PITCH, cy: f64::from(row) * PITCH, row, number })
        .collect();
    let width = f64::from(COLUMNS + 1) * PITCH;
    let height = seats.last().map_or(PITCH, |seat| seat.cy) + PITCH;
    let block = Block {
        label: "전체".to_owned(),
        price: R,
        outline: format!("M0 0H{width}V{height}H0Z"),
        label_at: (width / 2.0, height + 14.0),
        font_size: 16.0,
        seats,
    };
    draw("grid", "격자", (width, height + 30.0), 0, "", vec![block])
}

// The prices of the grades, in won.
const VIP: u64 = 198_000;
const R: u64 = 165_000;
const S: u64 = 132_000;
const A: u64 = 99_000;
const B: u64 = 77_000;

/// Area before it is drawn, with the data of an SVG path as outline, and the centre and size of its label.
struct Block {
    label: String,
    price: u64,
    outline: String,
    label_at: (f64, f64),
    font_size: f64,
    seats: Vec<Seat>,
}

/// Width of the aisle between neighbouring blocks, in seats.
const AISLE: f64 = 1.7;

/// Distance of an outline from the centres of the outermost seats, in seats.
const MARGIN: f64 = 0.6;

/// Distance between rows, in seats.
const STEP: f64 = 1.25;

/// Builds curved rows of the theatre between the given angles, from left to right.
///
/// Angle zero is straight below the stage. An aisle runs along each angle.
fn fan(label: &str, price: u64, rows: RangeInclusive<u32>, front: f64, angles: &[f64]) -> Block {
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
                seats.push(Seat { cx, cy, row, number });
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

/// Builds a block on the arena's floor, with its first seat at the given point.
fn floor(label: String, price: u64, (x, y): (f64, f64)) -> Block {
    const PITCH: f64 = 18.0;
    const FONT_SIZE: f64 = 36.0;
    const COLUMNS: u32 = 15;
    const ROWS: u32 = 16;
    let seats = (1..=ROWS)
        .flat_map(|row| (1..=COLUMNS).map(move |number| (row, number)))
        .map(|(row, number)| Seat {
            cx: x + f64::from(number - 1) * PITCH,
            cy: y + f64::from(row - 1) * PITCH * STEP,
            row,
            number,
        })
        .collect();
    let margin = MARGIN * PITCH;
    let (left, top) = (x - margin, y - margin);
    let width = f64::from(COLUMNS - 1) * PITCH + 2.0 * margin;
    let height = f64::from(ROWS - 1) * PITCH * STEP + 2.0 * margin;
    Block {
        label,
        price,
        outline: format!("M{left:.1} {top:.1}h{width:.1}v{height:.1}h-{width:.1}Z"),
        label_at: (left + width / 2.0, top + height + FONT_SIZE * 0.8),
        font_size: FONT_SIZE,
        seats,
    }
}

/// Superellipse: its centre, half its width and half its height; with power 2 it is an ellipse.
struct Oval {
    x: f64,
    y: f64,
    width: f64,
    height: f64,
    power: f64,
}

/// Ring of sections around an oval: its floor, the distance between seats, its rows, and the distance
/// of its first row from the oval.
struct Tier {
    floor: u32,
    pitch: f64,
    rows: u32,
    front: f64,
    sections: u32,
}

/// Point near an oval, and its outward normal of length 1.
#[derive(Clone, Copy)]
struct CurvePoint {
    x: f64,
    y: f64,
    out: (f64, f64),
}

impl Oval {
    /// Builds the sections of a tier, clockwise from the top.
    ///
    /// The price depends on the direction of a section; a section without a price is omitted.
    fn tier(&self, tier: &Tier, price: impl Fn((f64, f64)) -> Option<u64>) -> Vec<Block> {
        let middle = tier.front + tier.half_depth();
        self.curve_points(middle, 2 * tier.sections)
            .array_windows()
            .step_by(2)
            .filter_map(|[from, centre, to]| Some((from, centre, to, price(centre.out)?)))
            .zip(1..)
            .map(|((from, centre, to, price), number)| {
                tier.section(100 * tier.floor + number, price, [from, centre, to])
            })
            .collect()
    }

    /// Returns evenly spaced points on the curve at a distance outside the oval.
    ///
    /// They run clockwise from the top, and the first point is repeated at the end.
    fn curve_points(&self, distance: f64, count: u32) -> Vec<CurvePoint> {
        const SAMPLES: u32 = 7200;
        let curve: Vec<CurvePoint> = (0..=SAMPLES)
            .map(|n| self.curve_point(TAU * f64::from(n) / f64::from(SAMPLES) - FRAC_PI_2, distance))
            .collect();
        let mut length = 0.0;
        let mut lengths = vec![length];
        for [a, b] in curve.array_windows() {
            length += (b.x - a.x).hypot(b.y - a.y);
            lengths.push(length);
        }
        (0..=count)
            .map(|n| length * f64::from(n) / f64::from(count))
            .map(|reach| lengths.partition_point(|length| *length < reach))
            .map(|index| curve[index.min(curve.len() - 1)])
            .collect()
    }

    fn curve_point(&self, angle: f64, distance: f64) -> CurvePoint {
        let (sin, cos) = angle.sin_cos();
        let (x, y) = (cos / self.width, sin / self.height);
        let radius = (x.abs().powf(self.power) + y.abs().powf(self.power)).powf(-1.0 / self.power);
        let slope = |part: f64, half: f64| part.signum() * (radius * part).abs().powf(self.power - 1.0) / half;
        let (dx, dy) = (slope(x, self.width), slope(y, self.height));
        let out = (dx / dx.hypot(dy), dy / dx.hypot(dy));
        CurvePoint { x: self.x + radius * cos + distance * out.0, y: self.y + radius * sin + distance * out.1, out }
    }
}

impl Tier {
    fn step(&self) -> f64 {
        self.pitch * STEP
    }

    /// Half the distance between the first row and the last.
    fn half_depth(&self) -> f64 {
        f64::from(self.rows - 1) * self.step() / 2.0
    }

    /// Builds straight rows between two points, perpendicular to the normal of the centre point.
    ///
    /// The centre point lies halfway between the first row and the last.
    fn section(&self, number: u32, price: u64, [from, centre, to]: [&CurvePoint; 3]) -> Block {
        let (ox, oy) = centre.out;
        let point = |along: f64, depth: f64| (centre.x - along * oy + depth * ox, centre.y + along * ox + depth * oy);
        let edge = |curve_point: &CurvePoint, depth: f64| {
            let (dx, dy) = (curve_point.x - centre.x, curve_point.y - centre.y);
            let (mx, my) = curve_point.out;
            let reach = (depth - dx * ox - dy * oy) / (mx * ox + my * oy);
            (dy + reach * my) * ox - (dx + reach * mx) * oy
        };

        let mut seats = Vec::new();
        for row in 1..=self.rows {
            let depth = f64::from(row - 1) * self.step() - self.half_depth();
            let (left, right) = (edge(from, depth), edge(to, depth));
            let places = seat_offsets(self.pitch, right - left - AISLE * self.pitch);
            for (along, number) in places.zip(1..) {
                let (cx, cy) = point(f64::midpoint(left, right) + along, depth);
                seats.push(Seat { cx, cy, row, number });
            }
        }

        let far = self.half_depth() + MARGIN * self.pitch;
        let inset = (AISLE / 2.0 - MARGIN) * self.pitch;
        let font_size = 2.0 * self.pitch;
        let corners = [
            (edge(from, -far) + inset, -far),
            (edge(to, -far) - inset, -far),
            (edge(to, far) - inset, far),
            (edge(from, far) + inset, far),
        ]
        .map(|(along, depth)| point(along, depth))
        .map(|(x, y)| format!("{x:.1} {y:.1}"));
        Block {
            label: number.to_string(),
            price,
            outline: format!("M{}Z", corners.join("L")),
            // To the left or right of a section the label needs more room than above or below it.
            label_at: point(0.0, far + font_size * (0.75 + 0.6 * ox.abs())),
            font_size,
            seats,
        }
    }
}

/// Spreads as many seats as possible evenly over a length, at least `pitch` apart.
///
/// Returns their offsets from the middle.
fn seat_offsets(pitch: f64, length: f64) -> impl Iterator<Item = f64> {
    let gaps = (length / pitch).floor();
    (0_u32..).map(f64::from).take_while(move |n| *n <= gaps).map(move |n| (n / gaps - 0.5) * length)
}

/// Removes seats from the ends of the last rows until the given number is left.
///
/// It takes one seat from each block, beginning with the last block.
fn remove_excess_seats(blocks: &mut [Block], seats: usize) {
    let excess = blocks.iter().map(|block| block.seats.len()).sum::<usize>().saturating_sub(seats);
    for index in (0..blocks.len()).rev().cycle().take(excess) {
        blocks[index].seats.pop();
    }
}

/// SVG attributes of the texts in a drawing.
const TEXT_STYLE: &str = r#"font-family="sans-serif" font-weight="bold" text-anchor="middle""#;

/// Builds a hall of the given size from the SVG of its background and from its blocks.
fn draw(
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

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    /// Returns the halls with the distance between seats and the decimals of their coordinates.
    fn halls() -> [(Layout, f64, i32); 4] {
        [(theatre(), 20.0, 2), (arena(), 18.0, 2), (stadium(), 20.0, 3), (grid(2_345), 10.0, 0)]
    }

    fn all_seats(layout: &Layout) -> impl Iterator<Item = &Seat> {
        layout.areas.iter().flat_map(|area| &area.seats)
    }

    #[test]
    fn halls_have_expected_sizes() {
        assert!((1_450..=1_550).contains(&theatre().seats()), "{}", theatre().seats());
        assert!((9_900..=10_300).contains(&arena().seats()), "{}", arena().seats());
        assert_eq!((stadium().seats(), stadium().areas.len()), (25_000, 152));
        for seats in [0, 1, 99, 100, 101, 25_000] {
            assert_eq!(grid(seats).seats(), seats);
        }
    }

    #[test]
    fn halls_are_deterministic() {
        assert_eq!(halls(), halls());
    }

    #[test]
    fn labels_and_seats_are_unique() {
        for (layout, ..) in halls() {
            let labels: HashSet<_> = layout.areas.iter().map(|area| &area.label).collect();
            assert_eq!(labels.len(), layout.areas.len());
            for area in &layout.areas {
                assert!(area.label.chars().count() <= 6 && !area.label.ends_with("구역"), "{}", area.label);
                assert!((77_000..=198_000).contains(&area.price));
                let places: HashSet<_> = area.seats.iter().map(|seat| (seat.row, seat.number)).collect();
                assert_eq!(places.len(), area.seats.len());
            }
        }
    }

    #[test]
    fn seats_do_not_overlap() {
        for (layout, pitch, _) in halls() {
            let mut seats: Vec<&Seat> = all_seats(&layout).collect();
            seats.sort_by(|a, b| a.cx.total_cmp(&b.cx));
            for (index, a) in seats.iter().enumerate() {
                for b in seats[index + 1..].iter().take_while(|b| b.cx - a.cx < pitch) {
                    assert!((a.cx - b.cx).hypot(a.cy - b.cy) >= pitch - 0.01, "{}: {a:?} {b:?}", layout.name);
                }
            }
        }
    }

    #[test]
    fn seats_are_in_drawing_and_rounded() {
        for (layout, _, decimals) in halls() {
            let (_, view_box) = layout.total_map.split_once("viewBox=\"0 0 ").unwrap();
            let (width, height) = view_box.split_once('"').unwrap().0.split_once(' ').unwrap();
            let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
            for seat in all_seats(&layout) {
                assert!((0.0..=width).contains(&seat.cx) && (0.0..=height).contains(&seat.cy), "{seat:?}");
                for value in [seat.cx, seat.cy] {
                    let digits = value.to_string().split_once('.').map_or(0, |(_, digits)| digits.len());
                    assert!(i32::try_from(digits).unwrap() <= decimals, "{value}");
                }
            }
        }
    }

    #[test]
    fn drawings_are_shapes_and_text() {
        for (layout, ..) in halls() {
            assert!(layout.total_map.starts_with(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox=""#));
            for svg in layout.areas.iter().map(|area| &area.area_map).chain([&layout.total_map]) {
                for tag in svg.split('<').skip(1) {
                    let name = tag.trim_start_matches('/').split([' ', '>']).next().unwrap_or_default();
                    assert!(["svg", "g", "path", "rect", "circle", "text", "title"].contains(&name), "{tag}");
                }
            }
        }
    }

    #[test]
    fn area_is_group_with_one_outline() {
        for (layout, ..) in halls() {
            assert!(!layout.total_map.contains("area-data"));
            for area in &layout.areas {
                assert!(area.area_map.starts_with("<g ") && area.area_map.ends_with("</g>"), "{}", area.area_map);
                assert_eq!(area.area_map.matches("area-data").count(), 1);
                assert!(area.area_map.contains(r#"<path class="area-data""#));
            }
        }
    }

    #[test]
    fn outline_has_coordinates_of_hall() {
        for (layout, pitch, _) in halls() {
            for area in &layout.areas {
                assert!(!area.area_map.contains("transform") && !area.area_map.contains("viewBox"));
                let (_, start) = area.area_map.split_once(" d=\"M").unwrap();
                let mut numbers = start.split([' ', 'A', 'H', 'L', 'h']).map(|number| number.parse::<f64>().unwrap());
                let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
                let distance = |seat: &Seat| (seat.cx - x).hypot(seat.cy - y);
                assert!(area.seats.iter().any(|seat| distance(seat) < 2.0 * pitch), "{}", area.label);
            }
        }
    }
}
