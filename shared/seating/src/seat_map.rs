//! Seat map of an event: its drawings, areas and seats, and the rules that join them.

use std::collections::HashSet;

use domain::{
    coordinate::Coordinate,
    decimal, described,
    error::Error,
    price::Price,
    seat_kind::SeatKind,
    text::Label,
    violation::{DrawingError, DrawingFault, Violation},
};

use crate::{
    drawing::{Drawing, MAX_DRAWING_BYTES},
    svg::{DrawnElements, MAX_DRAWN_ELEMENTS, References},
};

/// Maximum number of areas of an event.
pub const MAX_HALL_AREAS: usize = 500;
/// Maximum number of seats of an event, in all areas together.
pub const MAX_HALL_SEATS: usize = 100_000;

/// Maximum row, and maximum number of a seat.
pub const MAX_POSITION: u32 = 2_147_483_647;

/// Row of a seat, or its number in the row.
pub struct SeatPosition;

described!(SeatPosition as "Position", {
    "description": "Each pair of `row` and `number` is distinct in an area.",
    "type": "integer",
    "minimum": 0,
    "maximum": MAX_POSITION,
});

/// Seat map: the drawing of the hall and its areas, in the order sent.
///
/// It has 1 to 500 areas with distinct labels, and is within [`Limits`].
#[derive(Clone, Debug, PartialEq)]
pub struct SeatMap {
    total_map: Drawing,
    areas: Vec<Area>,
}

impl SeatMap {
    /// Joins parts that are valid together.
    #[must_use]
    pub fn new(total_map: Drawing, areas: Vec<Area>) -> Self {
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

    /// Returns the same hall with other prices of the areas with these labels.
    ///
    /// # Errors
    ///
    /// Returns the labels that no area has.
    pub fn with_prices(mut self, prices: &[(String, Price)]) -> Result<Self, Vec<String>> {
        let mut unknown = Vec::new();
        for (label, price) in prices {
            match self.areas.iter_mut().find(|area| area.label.as_str() == label) {
                Some(area) => area.price = *price,
                None => unknown.push(label.clone()),
            }
        }
        if unknown.is_empty() { Ok(self) } else { Err(unknown) }
    }

    /// Returns the number of seats in all areas.
    #[must_use]
    pub fn seat_count(&self) -> usize {
        self.areas.iter().map(|area| area.seats.len()).sum()
    }

    /// Returns the number of the first seat of an area, counted through all areas.
    #[must_use]
    pub fn first_seat(&self, area: usize) -> usize {
        self.areas.iter().take(area).map(|area| area.seats.len()).sum()
    }

    /// Returns a seat by its number, counted through all areas, with the number of its area.
    #[must_use]
    pub fn seat(&self, number: usize) -> Option<(usize, &Seat)> {
        let mut left = number;
        for (index, area) in self.areas.iter().enumerate() {
            match area.seats.get(left) {
                Some(seat) => return Some((index, seat)),
                None => left -= area.seats.len(),
            }
        }
        None
    }

    /// Returns true if a seat of the hall is no ordinary one.
    #[must_use]
    pub fn has_kinds(&self) -> bool {
        self.areas.iter().flat_map(|area| &area.seats).any(|seat| seat.kind.is_some())
    }

    /// Checks that with each seat of a companion, one of the seats with these numbers is a wheelchair place of its
    /// area.
    ///
    /// # Errors
    ///
    /// Returns `CompanionAlone` with the index of the first other one.
    pub fn expect_accompanied(&self, seats: &[u32]) -> Result<(), Error> {
        let places = |kind| {
            let places =
                seats.iter().enumerate().filter_map(|(index, number)| Some((index, self.seat(*number as usize)?)));
            places.filter(move |(_, (_, seat))| seat.kind == Some(kind)).map(|(index, (area, _))| (index, area))
        };
        let areas: HashSet<_> = places(SeatKind::Wheelchair).map(|(_, area)| area).collect();
        match places(SeatKind::Companion).find(|(_, area)| !areas.contains(area)) {
            Some((index, _)) => Err(Error::CompanionAlone(index)),
            None => Ok(()),
        }
    }
}

/// Rules for the parts of a hall together; each part is checked against the parts before it.
#[derive(Debug, Default)]
pub struct Limits {
    labels: HashSet<String>,
    drawing_bytes: usize,
    /// Sum of the drawn elements of each drawing.
    drawn_elements: u64,
    /// References of all drawings together, because a page may show them together.
    references: References,
    seats: usize,
}

impl Limits {
    /// Checks the label of the next area.
    ///
    /// # Errors
    ///
    /// Returns `Duplicate` if an earlier area has the same label.
    pub fn add_label(&mut self, label: &Label) -> Result<(), Violation> {
        if self.labels.insert(label.as_str().to_owned()) { Ok(()) } else { Err(Violation::Duplicate) }
    }

    /// Counts a drawing.
    ///
    /// # Errors
    ///
    /// Returns `DrawingsTooLarge` or `TooManyElements` if it is the first that makes all drawings exceed a limit.
    pub fn add_drawing(&mut self, drawing: &Drawing, references: References) -> Result<(), Violation> {
        let (bytes, elements) = (self.drawing_bytes, self.drawn_elements);
        let mut drawn = references.drawn.clone();
        drawn.total = drawn.total.saturating_add(elements);
        self.drawing_bytes += drawing.as_str().len();
        self.drawn_elements = drawn.total;
        self.references.merge(references);
        if bytes <= MAX_DRAWING_BYTES && self.drawing_bytes > MAX_DRAWING_BYTES {
            return Err(Violation::DrawingsTooLarge(MAX_DRAWING_BYTES));
        }
        match too_many_elements(drawn).filter(|_| elements <= MAX_DRAWN_ELEMENTS) {
            Some(error) => Err(Violation::UnsafeDrawing(DrawingFault { position: None, error })),
            None => Ok(()),
        }
    }

    /// Counts seats of an area; returns false if the hall may not have that many.
    pub fn add_seats(&mut self, seats: usize) -> bool {
        self.seats += seats;
        self.seats <= MAX_HALL_SEATS
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
        let seats = (self.seats > MAX_HALL_SEATS).then_some(Violation::TooManySeats(MAX_HALL_SEATS));
        drawings.into_iter().chain(seats).collect()
    }
}

fn too_many_elements(DrawnElements { total, most }: DrawnElements) -> Option<DrawingError> {
    (total > MAX_DRAWN_ELEMENTS).then_some(DrawingError::TooManyElements { total, most })
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
    /// Kind; an ordinary seat has none.
    pub kind: Option<SeatKind>,
}

/// Parses a row or seat number, a whole number in JSON notation.
///
/// # Errors
///
/// Returns `NotAnInteger` if it has a fraction, and `OutOfRange` if it is not within 0 to 2,147,483,647.
pub fn parse_position(json: &str) -> Result<u32, Vec<Violation>> {
    match json.parse() {
        Ok(position @ 0..=MAX_POSITION) => Ok(position),
        // Another notation, such as `1.0`, or an error.
        _ => decimal::parse_within(json, 0, 0..=i64::from(MAX_POSITION)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(limits: &mut Limits, drawing: &str) -> Result<(), Violation> {
        let (drawing, references) = Drawing::parse(drawing).unwrap();
        limits.add_drawing(&drawing, references)
    }

    #[test]
    fn too_many_seats_are_reported() {
        let mut limits = Limits::default();
        assert!(limits.add_seats(MAX_HALL_SEATS - 1) && limits.add_seats(1));
        assert!(limits.violations().is_empty());
        assert!(!limits.add_seats(1));
        assert_eq!(limits.violations(), [Violation::TooManySeats(MAX_HALL_SEATS)]);
    }

    #[test]
    fn excess_drawing_is_reported_once() {
        let large = |bytes: usize| format!("<g>{}</g>", " ".repeat(bytes - "<g></g>".len()));
        let mut limits = Limits::default();
        assert_eq!(add(&mut limits, &large(MAX_DRAWING_BYTES)), Ok(()));
        assert_eq!(add(&mut limits, &large(7)), Err(Violation::DrawingsTooLarge(MAX_DRAWING_BYTES)));
        assert_eq!(add(&mut limits, &large(7)), Ok(()));
    }

    #[test]
    fn drawing_with_150_001st_element_is_reported() {
        let drawing = |groups: usize| format!("<g>{}</g>", "<g/>".repeat(groups));
        let mut limits = Limits::default();
        assert_eq!([add(&mut limits, &drawing(99_999)), add(&mut limits, &drawing(49_999))], [Ok(()), Ok(())]);
        let Err(Violation::UnsafeDrawing(fault)) = add(&mut limits, "<g/>") else { panic!("accepted") };
        assert!(matches!(fault.error, DrawingError::TooManyElements { total: 150_001, .. }), "{fault:?}");
        assert_eq!(add(&mut limits, "<g/>"), Ok(()));
        assert!(limits.violations().is_empty());
    }

    #[test]
    fn links_between_drawings_are_counted() {
        let drawing = |id: &str, of: &str| format!("<g id='{id}'>{}</g>", format!("<use href='#{of}'/>").repeat(11));
        let mut limits = Limits::default();
        for (id, of) in [("a", ""), ("b", "a"), ("c", "b"), ("d", "c"), ("e", "d")] {
            assert!(limits.violations().is_empty());
            add(&mut limits, &drawing(id, of)).unwrap();
        }
        let [Violation::UnsafeDrawing(fault)] = &limits.violations()[..] else { panic!("accepted") };
        assert!(matches!(fault.error, DrawingError::TooManyElements { total: 212_580, .. }), "{fault:?}");
        add(&mut limits, &drawing("a", "e")).unwrap();
        let [Violation::UnsafeDrawing(fault)] = &limits.violations()[..] else { panic!("accepted") };
        assert_eq!(fault.error, DrawingError::CircularReference);
    }

    #[test]
    fn companion_needs_wheelchair_place_of_its_area() {
        use SeatKind::{Companion, RestrictedView, Wheelchair};
        let area = |kinds: &[Option<SeatKind>]| Area {
            label: Label::from_stored("A".to_owned()),
            price: Price::from_stored(0),
            area_map: Drawing::from_stored("<g/>".to_owned()),
            seats: (0..).zip(kinds).map(|(number, kind)| Seat { kind: *kind, ..seat(number) }).collect(),
        };
        let areas = vec![
            area(&[Some(Wheelchair), Some(Companion), Some(Companion), None]),
            area(&[Some(Companion), Some(RestrictedView), Some(Wheelchair)]),
        ];
        let hall = SeatMap::new(Drawing::from_stored("<g/>".to_owned()), areas);
        for (seats, alone) in [
            (&[0][..], None),
            (&[3, 5], None),
            (&[2, 1, 0], None),
            (&[0, 1, 4, 6], None),
            (&[3, 1], Some(1)),
            (&[1, 5, 2], Some(0)),
            (&[0, 1, 4], Some(2)),
            (&[4, 0, 1], Some(0)),
        ] {
            let index = match hall.expect_accompanied(seats) {
                Ok(()) => None,
                Err(Error::CompanionAlone(index)) => Some(index),
                Err(error) => panic!("{error:?}"),
            };
            assert_eq!(index, alone, "{seats:?}");
        }
    }

    fn seat(number: u32) -> Seat {
        let origin = Coordinate::from_stored(0.0);
        Seat { cx: origin, cy: origin, row: 0, number, kind: None }
    }

    #[test]
    fn position_is_integer_within_limits() {
        for (json, position) in [("0", 0), ("-0", 0), ("12e1", 120), ("2147483647", 2_147_483_647)] {
            assert_eq!(parse_position(json), Ok(position), "{json}");
        }
        for json in ["-1", "2147483648", "1e400"] {
            assert_eq!(parse_position(json), Err(vec![Violation::OutOfRange(0..=2_147_483_647)]), "{json}");
        }
        assert_eq!(parse_position("1.5"), Err(vec![Violation::NotAnInteger]));
    }
}
