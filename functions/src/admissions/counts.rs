//! Numbers of admitted people on the wire.

use domain::{id, seats::admission::SoldSeats, text::Label};
use schemars::JsonSchema;
use seating::seat_map::{MAX_HALL_SEATS, SeatMap};
use serde::Serialize;
use uuid::Uuid;

/// Numbers of sold seats of a show and of admitted tickets, and of each of its areas.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Admissions")]
pub struct Counts<'a> {
    #[serde(flatten)]
    total: Count,
    /// In the order of the detail.
    areas: Vec<AreaCount<'a>>,
}

/// Numbers of sold seats of an area and of admitted tickets.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AreaAdmissions")]
struct AreaCount<'a> {
    id: Uuid,
    label: &'a Label,
    #[serde(flatten)]
    count: Count,
}

/// Numbers of sold seats and of admitted tickets.
#[derive(Clone, Copy, Debug, Default, Serialize, JsonSchema)]
struct Count {
    #[schemars(range(max = MAX_HALL_SEATS))]
    sold: usize,
    /// Those whose seats are still sold to the same hold.
    #[schemars(range(max = MAX_HALL_SEATS))]
    admitted: usize,
}

impl<'a> Counts<'a> {
    /// Combines a hall with its sold seats.
    #[must_use]
    pub fn new(event: Uuid, hall: &'a SeatMap, seats: &SoldSeats) -> Self {
        let (mut areas, mut first) = (Vec::new(), 0);
        for (index, area) in hall.areas().iter().enumerate() {
            let end = first + u32::try_from(area.seats.len()).unwrap_or(u32::MAX);
            let of_area = seats.range(first..end).map(|(_, seat)| seat);
            let admitted = of_area.clone().filter(|seat| seat.is_admitted).count();
            let count = Count { sold: of_area.count(), admitted };
            areas.push(AreaCount { id: id::area(event, index), label: &area.label, count });
            first = end;
        }
        let total = areas.iter().fold(Count::default(), |total, AreaCount { count, .. }| Count {
            sold: total.sold + count.sold,
            admitted: total.admitted + count.admitted,
        });
        Self { total, areas }
    }
}
