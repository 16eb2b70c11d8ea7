//! Numbers of seats of a show by their state, on the wire.

use std::time::Duration;

use domain::{hold::Taken, id, price::Price, text::Label};
use schemars::JsonSchema;
use seating::seat_map::{Area, MAX_HALL_SEATS, SeatMap};
use serde::Serialize;
use uuid::Uuid;

use crate::holds::hold::Amount;

/// Numbers of seats of a show by their state, and of each of its areas.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "SalesSummary")]
pub struct Summary<'a> {
    #[serde(flatten)]
    total: Count,
    areas: Vec<AreaSummary<'a>>,
}

/// Numbers of seats of an area by their state.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "AreaSales")]
struct AreaSummary<'a> {
    id: Uuid,
    label: &'a Label,
    price: Price,
    #[serde(flatten)]
    count: Count,
}

/// Numbers of seats, and the sum of the prices of those that are sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
struct Count {
    #[schemars(range(max = MAX_HALL_SEATS))]
    seats: u64,
    #[schemars(range(max = MAX_HALL_SEATS))]
    free: u64,
    #[schemars(range(max = MAX_HALL_SEATS))]
    held: u64,
    #[schemars(range(max = MAX_HALL_SEATS))]
    sold: u64,
    #[schemars(range(max = MAX_HALL_SEATS))]
    blocked: u64,
    /// Exact sum of the prices of the sold seats.
    #[schemars(with = "Amount")]
    revenue: Price,
}

impl<'a> Summary<'a> {
    /// Combines a hall with the states of its seats at a time since 1970.
    #[must_use]
    pub fn new(event: Uuid, hall: &'a SeatMap, states: &[Option<Taken>], now: Duration) -> Self {
        let mut states = states.iter().copied();
        let area = |(index, area): (usize, &'a Area)| {
            let states = states.by_ref().take(area.seats.len());
            let count = states.fold(Count::NOTHING, |count, state| count.with(state, area.price, now));
            AreaSummary { id: id::area(event, index), label: &area.label, price: area.price, count }
        };
        let areas: Vec<_> = hall.areas().iter().enumerate().map(area).collect();
        let total = areas.iter().fold(Count::NOTHING, |total, area| total.plus(&area.count));
        Self { total, areas }
    }
}

impl Count {
    const NOTHING: Self = Self { seats: 0, free: 0, held: 0, sold: 0, blocked: 0, revenue: Price::from_stored(0) };

    fn with(mut self, state: Option<Taken>, price: Price, now: Duration) -> Self {
        self.seats += 1;
        match state.filter(|state| state.is_current(now)) {
            None => self.free += 1,
            Some(Taken::Held { .. }) => self.held += 1,
            Some(Taken::Blocked { .. }) => self.blocked += 1,
            Some(Taken::Sold { .. }) => {
                self.sold += 1;
                self.revenue = sum(self.revenue, price);
            }
        }
        self
    }

    fn plus(self, other: &Self) -> Self {
        Self {
            seats: self.seats + other.seats,
            free: self.free + other.free,
            held: self.held + other.held,
            sold: self.sold + other.sold,
            blocked: self.blocked + other.blocked,
            revenue: sum(self.revenue, other.revenue),
        }
    }
}

fn sum(one: Price, other: Price) -> Price {
    Price::from_stored(one.hundredths() + other.hundredths())
}
