//! Seats of a show: who may get which, and when.
//!
//! Each function here decides a request as a pure function of what was read. Its result is a [`Plan`](plan::Plan),
//! which the store commits only if everything is still as it was read, or an error.

pub mod admission;
pub mod blocking;
pub mod holder;
pub mod holding;
pub mod plan;
pub mod selling;

#[cfg(test)]
pub(crate) mod tests {
    //! An event whose ticketing opens at second 100, with a show at second 1,000, and a hold of two of its seats.

    use uuid::Uuid;

    use crate::{
        event::{Details, Event, tests::details},
        hold::{Hold, HoldState, OrderId},
        instant::Instant,
        poster::Format,
        price::Price,
        show::ShowTimes,
    };

    /// Time since 1970 at which the hold expires, in seconds.
    pub const EXPIRY: u64 = 500;

    pub fn event() -> Event {
        let at = |second: &str| Instant::from_number(second).unwrap();
        let details = Details { ticketing_open_time: at("100"), ..details("a", "b") };
        let mut shows = ShowTimes::default();
        shows.add(at("1000")).unwrap();
        Event::register(Uuid::nil(), details, &shows, true, Format::Png)
    }

    pub fn hold(state: HoldState) -> Hold {
        Hold {
            id: Uuid::from_u128(1),
            event: Uuid::nil(),
            show: Uuid::nil(),
            member: Some(Uuid::from_u128(2)),
            seats: vec![7, 8],
            amount: Price::from_stored(10_000),
            expires: EXPIRY,
            state,
        }
    }

    pub fn order(id: &str) -> OrderId {
        OrderId::parse(id).unwrap()
    }
}
