//! Seat map of an event: its drawings, areas and seats, and the rules that join them.

use std::collections::HashSet;

use domain::{
    coordinate::Coordinate,
    decimal,
    price::Price,
    text::Label,
    violation::{DrawingError, DrawingFault, Violation},
};

use crate::{
    drawing::Drawing,
    svg::{DrawnElements, MAX_DRAWN_ELEMENTS, References},
};

/// Maximum number of areas of an event.
pub const MAX_AREAS: usize = 500;
/// Maximum number of seats of an event, in all areas together.
pub const MAX_SEATS: usize = 100_000;
/// Maximum total size of an event's drawings, in bytes.
pub const MAX_DRAWING_BYTES: usize = 1024 * 1024;

/// Maximum row, and maximum number of a seat.
pub const MAX_POSITION: u32 = 2_147_483_647;

/// Valid seat map, made by a [`Builder`]: the drawing of the hall and its areas, in the order sent.
///
/// It has 1 to 500 areas with distinct labels, at most 100,000 seats with
/// distinct positions within their area, and drawings within the limits of size and elements.
#[derive(Clone, Debug, PartialEq)]
pub struct SeatMap {
    total_map: Drawing,
    areas: Vec<Area>,
}

impl SeatMap {
    /// Rebuilds a stored seat map without validation.
    #[must_use]
    pub fn from_stored(total_map: Drawing, areas: Vec<Area>) -> Self {
        Self { total_map, areas }
    }

    /// Returns the drawing of the whole hall.
    #[must_use]
    pub fn total_map(&self) -> &Drawing {
        &self.total_map
    }

    /// Returns the areas, in the order sent.
    #[must_use]
    pub fn areas(&self) -> &[Area] {
        &self.areas
    }
}

/// Seat map under construction: each part is checked against the parts before it.
#[derive(Debug, Default)]
pub struct Builder {
    total_map: Option<Drawing>,
    areas: Vec<Area>,
    labels: HashSet<String>,
    drawing_bytes: usize,
    /// Sum of the drawn elements of each drawing.
    drawn_elements: u64,
    /// References of all drawings together, because a page may show them together.
    references: References,
    seats: usize,
    open_areas: usize,
    is_invalid: bool,
}

impl Builder {
    /// Sets the drawing of the whole hall.
    ///
    /// # Errors
    ///
    /// Returns `DrawingsTooLarge` or `TooManyElements` if it makes all drawings together exceed a limit.
    pub fn total_map(&mut self, drawing: (Drawing, References)) -> Result<(), Violation> {
        let result = self.count_drawing(&drawing.0, drawing.1);
        self.total_map = Some(drawing.0);
        result
    }

    /// Starts the next area; until it is finished, the hall is invalid.
    pub fn area(&mut self) -> AreaBuilder<'_> {
        self.open_areas += 1;
        AreaBuilder {
            hall: self,
            label: None,
            price: None,
            area_map: None,
            reserved: 0,
            seats: Vec::new(),
            positions: HashSet::new(),
        }
    }

    /// Returns a violation for each limit that all areas together exceed.
    #[must_use]
    pub fn violations(&self) -> Vec<Violation> {
        let error = match self.references.count() {
            // This has been reported for a drawing.
            _ if self.drawn_elements > MAX_DRAWN_ELEMENTS => None,
            Ok(drawn) => too_many_elements(drawn),
            Err(_) => Some(DrawingError::CircularReference),
        };
        let drawings = error.map(|error| Violation::UnsafeDrawing(DrawingFault { position: None, error }));
        let seats = (self.seats > MAX_SEATS).then_some(Violation::TooManySeats(MAX_SEATS));
        drawings.into_iter().chain(seats).collect()
    }

    /// Returns the seat map if it is complete and valid.
    #[must_use]
    pub fn build(self) -> Option<SeatMap> {
        let has_areas = self.open_areas == 0 && (1..=MAX_AREAS).contains(&self.areas.len());
        let is_valid = !self.is_invalid && has_areas && self.violations().is_empty();
        self.total_map.filter(|_| is_valid).map(|total_map| SeatMap { total_map, areas: self.areas })
    }

    /// Counts a drawing; returns an error only for the first that exceeds a limit.
    fn count_drawing(&mut self, drawing: &Drawing, references: References) -> Result<(), Violation> {
        let before = self.drawing_bytes;
        self.drawing_bytes += drawing.as_str().len();
        let exceeds = before <= MAX_DRAWING_BYTES && self.drawing_bytes > MAX_DRAWING_BYTES;
        self.check(!exceeds, Violation::DrawingsTooLarge(MAX_DRAWING_BYTES))?;
        let before = self.drawn_elements;
        let mut drawn = references.drawn.clone();
        drawn.total = drawn.total.saturating_add(before);
        self.drawn_elements = drawn.total;
        self.references.merge(references);
        match too_many_elements(drawn).filter(|_| before <= MAX_DRAWN_ELEMENTS) {
            Some(error) => self.check(false, Violation::UnsafeDrawing(DrawingFault { position: None, error })),
            None => Ok(()),
        }
    }

    fn check(&mut self, holds: bool, violation: Violation) -> Result<(), Violation> {
        self.is_invalid |= !holds;
        if holds { Ok(()) } else { Err(violation) }
    }
}

fn too_many_elements(DrawnElements { total, most }: DrawnElements) -> Option<DrawingError> {
    (total > MAX_DRAWN_ELEMENTS).then_some(DrawingError::TooManyElements { total, most })
}

/// Area under construction.
#[derive(Debug)]
pub struct AreaBuilder<'a> {
    hall: &'a mut Builder,
    label: Option<Label>,
    price: Option<Price>,
    area_map: Option<Drawing>,
    reserved: usize,
    seats: Vec<Seat>,
    positions: HashSet<(u32, u32)>,
}

impl AreaBuilder<'_> {
    /// Sets the label.
    ///
    /// # Errors
    ///
    /// Returns `Duplicate` if an earlier area has the same label.
    pub fn label(&mut self, label: Label) -> Result<(), Violation> {
        let is_distinct = self.hall.labels.insert(label.as_str().to_owned());
        self.label = Some(label);
        self.hall.check(is_distinct, Violation::Duplicate)
    }

    /// Sets the price of every seat.
    pub fn price(&mut self, price: Price) {
        self.price = Some(price);
    }

    /// Sets the drawing of the area.
    ///
    /// # Errors
    ///
    /// Returns `DrawingsTooLarge` or `TooManyElements` if it makes all drawings together exceed a limit.
    pub fn area_map(&mut self, drawing: (Drawing, References)) -> Result<(), Violation> {
        let result = self.hall.count_drawing(&drawing.0, drawing.1);
        self.area_map = Some(drawing.0);
        result
    }

    /// Counts seats to be added; returns false if the hall may not have that many.
    pub fn reserve(&mut self, seats: usize) -> bool {
        self.hall.seats += seats;
        let fits = self.hall.seats <= MAX_SEATS;
        self.hall.is_invalid |= !fits;
        if fits {
            self.reserved += seats;
            self.positions.reserve(seats);
            self.seats.reserve(seats);
        }
        fits
    }

    /// Adds a seat; the hall is invalid if it was not reserved.
    ///
    /// # Errors
    ///
    /// Returns `Duplicate` if an earlier seat of the area has the same row and number.
    pub fn seat(&mut self, seat: Seat) -> Result<(), Violation> {
        let is_distinct = self.positions.insert((seat.row, seat.number));
        self.seats.push(seat);
        self.hall.is_invalid |= !is_distinct || self.seats.len() > self.reserved;
        if is_distinct { Ok(()) } else { Err(Violation::Duplicate) }
    }

    /// Adds the area to its hall; without a label, a price or a drawing, the hall is invalid.
    pub fn finish(self) {
        self.hall.open_areas -= 1;
        match (self.label, self.price, self.area_map) {
            (Some(label), Some(price), Some(area_map)) => {
                self.hall.areas.push(Area { label, price, area_map, seats: self.seats });
            }
            _ => self.hall.is_invalid = true,
        }
    }
}

/// Area of seats at one price.
#[derive(Clone, Debug, PartialEq)]
pub struct Area {
    /// Label, distinct within the event.
    pub label: Label,
    /// Price of every seat.
    pub price: Price,
    /// Drawing of the area.
    pub area_map: Drawing,
    /// Seats with distinct `(row, number)`; there may be none.
    pub seats: Vec<Seat>,
}

/// Seat of an area.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Horizontal coordinate of the centre.
    pub cx: Coordinate,
    /// Vertical coordinate of the centre.
    pub cy: Coordinate,
    /// Row, 0 to 2,147,483,647.
    pub row: u32,
    /// Number within the row, 0 to 2,147,483,647.
    pub number: u32,
}

/// Parses a row or seat number, a whole number in JSON notation.
///
/// # Errors
///
/// Returns `NotAnInteger` if it has a fraction, and `OutOfRange` if it is not within 0 to 2,147,483,647.
pub fn parse_position(json: &str) -> Result<u32, Vec<Violation>> {
    decimal::parse_within(json, 0, 0..=i64::from(i32::MAX))
}

#[cfg(test)]
mod tests {
    use domain::violation::DrawnElement;

    use super::*;

    fn drawing() -> (Drawing, References) {
        Drawing::parse("<g/>").unwrap()
    }

    fn seat(number: u32) -> Seat {
        Seat { cx: Coordinate::from_stored(1.0), cy: Coordinate::from_stored(2.0), row: 1, number }
    }

    fn add_area(hall: &mut Builder, label: &str, seats: &[Seat]) {
        let mut area = hall.area();
        let _ = area.label(Label::parse(label).unwrap());
        area.price(Price::from_stored(100));
        area.area_map(drawing()).unwrap();
        area.reserve(seats.len());
        for seat in seats {
            drop(area.seat(*seat));
        }
        area.finish();
    }

    fn hall(areas: &[(&str, &[Seat])]) -> Option<SeatMap> {
        let mut hall = Builder::default();
        hall.total_map(drawing()).unwrap();
        for (label, seats) in areas {
            add_area(&mut hall, label, seats);
        }
        hall.build()
    }

    #[test]
    fn valid_parts_build_seat_map() {
        let map = hall(&[("A", &[seat(1), seat(2)]), ("B", &[seat(1)])]).unwrap();
        assert_eq!(map.areas().iter().map(|area| area.seats.len()).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn invalid_parts_build_nothing() {
        assert_eq!(hall(&[]), None);
        assert_eq!(hall(&[("A", &[]), ("A", &[])]), None);
        assert_eq!(hall(&[("A", &[seat(1), seat(1)])]), None);
        let mut incomplete = Builder::default();
        incomplete.total_map(drawing()).unwrap();
        incomplete.area().finish();
        assert_eq!(incomplete.build(), None);
        let mut unfinished = Builder::default();
        unfinished.total_map(drawing()).unwrap();
        add_area(&mut unfinished, "A", &[]);
        unfinished.area();
        assert_eq!(unfinished.build(), None);
        let mut unreserved = Builder::default();
        unreserved.total_map(drawing()).unwrap();
        let mut area = unreserved.area();
        area.label(Label::parse("A").unwrap()).unwrap();
        area.price(Price::from_stored(100));
        area.area_map(drawing()).unwrap();
        area.seat(seat(1)).unwrap();
        area.finish();
        assert_eq!(unreserved.build(), None);
        let mut without_map = Builder::default();
        add_area(&mut without_map, "A", &[]);
        assert_eq!(without_map.build(), None);
    }

    #[test]
    fn too_many_seats_are_reported() {
        let mut hall = Builder::default();
        assert!(hall.area().reserve(MAX_SEATS));
        assert!(hall.violations().is_empty());
        assert!(!hall.area().reserve(1));
        assert_eq!(hall.violations(), [Violation::TooManySeats(MAX_SEATS)]);
    }

    #[test]
    fn excess_drawing_is_reported_once() {
        let large = || Drawing::parse(&format!("<g>{}</g>", " ".repeat(MAX_DRAWING_BYTES / 2))).unwrap();
        let mut hall = Builder::default();
        hall.total_map(large()).unwrap();
        let exceeded = hall.area().area_map(large());
        assert_eq!(exceeded, Err(Violation::DrawingsTooLarge(MAX_DRAWING_BYTES)));
        assert_eq!(hall.area().area_map(large()), Ok(()));
        assert_eq!(hall.build(), None);
    }

    #[test]
    fn drawing_with_150_001st_element_is_reported() {
        let drawing = |paths: usize| Drawing::parse(&format!("<g>{}</g>", "<g/>".repeat(paths))).unwrap();
        let mut hall = Builder::default();
        hall.total_map(drawing(99_999)).unwrap();
        hall.area().area_map(drawing(49_999)).unwrap();
        let Err(Violation::UnsafeDrawing(fault)) = hall.area().area_map(drawing(0)) else { panic!("accepted") };
        let most = vec![DrawnElement { name: "g", line: 1, count: 1 }];
        assert_eq!(fault.error, DrawingError::TooManyElements { total: 150_001, most });
        assert_eq!(hall.area().area_map(drawing(0)), Ok(()));
    }

    #[test]
    fn links_between_drawings_are_counted() {
        let drawing = |id: &str, of: &str| {
            Drawing::parse(&format!("<g id='{id}'>{}</g>", format!("<use href='#{of}'/>").repeat(11))).unwrap()
        };
        let mut hall = Builder::default();
        for (id, of) in [("a", ""), ("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")] {
            assert!(hall.violations().is_empty());
            hall.area().area_map(drawing(id, of)).unwrap();
        }
        let [Violation::UnsafeDrawing(fault)] = &hall.violations()[..] else { panic!("accepted") };
        assert!(matches!(fault.error, DrawingError::TooManyElements { total: 212_580, .. }), "{fault:?}");
        hall.area().area_map(drawing("a", "e")).unwrap();
        let [Violation::UnsafeDrawing(fault)] = &hall.violations()[..] else { panic!("accepted") };
        assert_eq!(fault.error, DrawingError::CircularReference);
    }

    #[test]
    fn position_accepts_any_notation() {
        for (json, position) in [("0", 0), ("-0", 0), ("1.0", 1), ("12e1", 120), ("2147483647", 2_147_483_647)] {
            assert_eq!(parse_position(json), Ok(position), "{json}");
        }
    }

    #[test]
    fn position_rejects_out_of_range() {
        for json in ["-1", "2147483648", "1e400", "99999999999999999999999999999999999999"] {
            assert_eq!(parse_position(json), Err(vec![Violation::OutOfRange(0..=2_147_483_647)]), "{json}");
        }
    }

    #[test]
    fn position_rejects_fraction() {
        for json in ["1.5", "1e-1"] {
            assert_eq!(parse_position(json), Err(vec![Violation::NotAnInteger]), "{json}");
        }
    }
}
