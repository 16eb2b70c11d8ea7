//! Halls as drawing tools export them, for the sample events, the tests and the benchmarks.
//!
//! Halls are computed, so every call returns the same hall. Lengths are in units of the hall's drawing, whose y axis
//! points down; angles are in radians. Coordinates of seats are rounded to two or three decimals.
//!
//! The sample halls suit clients that put each `areaMap` into a `<g>` of `totalMap`, colour the element of the class
//! `area-data`, and draw each seat as a circle with a radius of up to 9.

mod block;
mod oval;

use std::ops::RangeInclusive;

use serde::Serialize;

use block::{Block, STEP, draw, fan, remove_excess_seats, straight};
use oval::{Oval, Tier};

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
    /// Kind, as a registration names it; an ordinary seat has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
}

/// Returns a theatre with about 1,500 seats.
///
/// It has three floors of curved rows, the stage at the top, and an aisle in the middle. The distance between seats is
/// 20. The last row of two areas begins with places for wheelchairs and companions, and the rows of another with seats
/// of restricted view.
#[must_use]
pub fn theatre() -> Layout {
    const CENTRE: &[f64] = &[-0.2, 0.0, 0.2];
    let background = concat!(
        r##"<path d="M480 40H1120L1410 640L1470 1173A1546 1546 0 0 1 130 1173L190 640Z""##,
        r##" fill="#eef2f7"/>"##,
        r##"<path d="M500 40H1100V167A490 490 0 0 1 500 167Z" fill="#1e293b"/>"##,
        r##"<text x="800" y="165" font-size="34" fill="#f8fafc">무대</text>"##,
    );
    let mut blocks = vec![
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
    for block in &mut blocks {
        match &block.label[..] {
            "1층 C" => give_kinds(&mut block.seats, 20..=20, 1..=4, &["WHEELCHAIR", "COMPANION"]),
            "1층 E" => give_kinds(&mut block.seats, 20..=20, 1..=2, &["COMPANION", "WHEELCHAIR"]),
            "3층 A" => give_kinds(&mut block.seats, 1..=6, 1..=2, &["RESTRICTED_VIEW"]),
            _ => {}
        }
    }
    draw("theatre", "극장", (1600.0, 1370.0), 2, background, blocks)
}

/// Gives seats with these rows and numbers these kinds in turn.
fn give_kinds(seats: &mut [Seat], rows: RangeInclusive<u32>, numbers: RangeInclusive<u32>, kinds: &[&'static str]) {
    let seats = seats.iter_mut().filter(|seat| rows.contains(&seat.row) && numbers.contains(&seat.number));
    for (seat, kind) in seats.zip(kinds.iter().cycle()) {
        seat.kind = Some(kind);
    }
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
            blocks.push(straight(format!("{line}{number}"), price, (x, y), [15, 16], [18.0, 18.0 * STEP]));
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

/// Returns a stadium with exactly 66,000 places in 152 areas, for a concert.
///
/// Eighteen standing areas of 400 places fill the infield before the stage. Three oval tiers leave the space behind the
/// stage free. The distance between places is 18.
#[must_use]
pub fn main_stadium() -> Layout {
    const PLACES: usize = 66_000;
    const STANDING: usize = 18 * 400;
    const BOWL: Oval = Oval { x: 3900.0, y: 3300.0, width: 1400.0, height: 1080.0, power: 2.6 };
    let background = concat!(
        r##"<path d="M3900 2260C4960 2260 5260 2560 5260 3300S4960 4340 3900 4340 2540 4040 2540 3300"##,
        r##" 2840 2260 3900 2260Z" fill="#fde8e0"/>"##,
        r##"<path d="M2660 2730H5140V3960L4960 4080H2840L2660 3960Z" fill="#e2e8f0"/>"##,
        r##"<path d="M2900 2200H4900V2620H4080V2720H3720V2620H2900Z" fill="#1e293b"/>"##,
        r##"<path d="M2960 2260H3640M3700 2260H4100M4160 2260H4840" stroke="#f472b6" stroke-width="18"/>"##,
        r##"<text x="3900" y="2520" font-size="130" fill="#f8fafc">무대</text>"##,
    );
    let mut blocks = Vec::new();
    for (line, y, price) in [('A', 2760.0, VIP), ('B', 3190.0, VIP), ('C', 3620.0, R)] {
        for (number, x) in (1..).zip([2709.0, 3109.0, 3509.0, 3949.0, 4349.0, 4749.0]) {
            blocks.push(straight(format!("스탠딩 {line}{number}"), price, (x, y), [20, 20], [18.0, 18.0]));
        }
    }
    let (mut stands, mut front) = (Vec::new(), 0.0);
    for (floor, rows, sections, side, end) in [(1, 31, 44, R, S), (2, 27, 60, S, A), (3, 40, 72, A, B)] {
        let tier = Tier { floor, pitch: 18.0, rows, front, sections };
        stands.extend(BOWL.tier(&tier, |(_, y)| match y {
            ..-0.8 => None,
            ..0.4 => Some(side),
            _ => Some(end),
        }));
        front += f64::from(rows) * 18.0 * STEP + 80.0;
    }
    remove_excess_seats(&mut stands, PLACES - STANDING);
    blocks.extend(stands);
    draw("main-stadium", "주경기장", (7800.0, 6900.0), 2, background, blocks)
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
        .map(|(row, number)| Seat {
            cx: f64::from(number) * PITCH,
            cy: f64::from(row) * PITCH,
            row,
            number,
            kind: None,
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halls_have_expected_sizes() {
        assert!((1_450..=1_550).contains(&theatre().seats()), "{}", theatre().seats());
        assert!((9_900..=10_300).contains(&arena().seats()), "{}", arena().seats());
        assert_eq!((stadium().seats(), stadium().areas.len()), (25_000, 152));
        assert_eq!((main_stadium().seats(), main_stadium().areas.len()), (66_000, 152));
        for seats in [0, 1, 99, 100, 101, 100_000] {
            assert_eq!(grid(seats).seats(), seats);
        }
    }

    #[test]
    fn seats_are_in_drawing_and_do_not_overlap() {
        for (layout, pitch) in [(theatre(), 20.0), (arena(), 18.0), (stadium(), 20.0), (grid(2_345), 10.0)] {
            let (_, view_box) = layout.total_map.split_once("viewBox=\"0 0 ").unwrap();
            let (width, height) = view_box.split_once('"').unwrap().0.split_once(' ').unwrap();
            let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
            let mut seats: Vec<&Seat> = layout.areas.iter().flat_map(|area| &area.seats).collect();
            seats.sort_by(|a, b| a.cx.total_cmp(&b.cx));
            for (index, a) in seats.iter().enumerate() {
                assert!((0.0..=width).contains(&a.cx) && (0.0..=height).contains(&a.cy), "{}: {a:?}", layout.name);
                for b in seats[index + 1..].iter().take_while(|b| b.cx - a.cx < pitch) {
                    assert!((a.cx - b.cx).hypot(a.cy - b.cy) >= pitch - 0.01, "{}: {a:?} {b:?}", layout.name);
                }
            }
        }
    }

    #[test]
    fn outline_has_coordinates_of_hall() {
        for area in arena().areas {
            assert!(!area.area_map.contains("transform") && !area.area_map.contains("viewBox"));
            let (_, start) = area.area_map.split_once("<path class=\"area-data\" d=\"M").unwrap();
            let mut numbers = start.split([' ', 'A', 'H', 'L', 'h']).map(|number| number.parse::<f64>().unwrap());
            let (x, y) = (numbers.next().unwrap(), numbers.next().unwrap());
            assert!(area.seats.iter().any(|seat| (seat.cx - x).hypot(seat.cy - y) < 36.0), "{}", area.label);
        }
    }
}
