//! Holds, orders and blocked seats on the wire.

use domain::{
    error::Error as DomainError,
    event::{Event, Place, Title},
    hold::{Hold, HoldStatus, MAX_AREAS, MAX_SEATS, OrderId, repeated},
    id,
    instant::Instant,
    integer::Integer,
    price::Price,
    seats::selling::Charged,
    show::{Notice, Show, ShowStatus},
    text::Label,
    violation::Violation,
};
use seating::{choice::Group, seat_map::SeatMap};
use serde::{Deserialize, Serialize};
use serde_json::json;
use storage::{best_seats::BestSeats, holds::WantedSeats};
use uuid::Uuid;

use api::{
    error::Error,
    fields::{Errors, Field},
};

/// Body of a request to hold seats: these seats, or the best ones of some areas.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct HoldRequest<'a> {
    #[serde(borrow)]
    seat_ids: Field<'a>,
    count: Field<'a>,
    area_ids: Field<'a>,
    adjacent: Field<'a>,
}

/// Body of a request to block or to free seats.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct SeatsRequest<'a> {
    #[serde(borrow)]
    seat_ids: Field<'a>,
}

/// Body of a request to confirm a hold.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct ConfirmationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a>,
    amount: Field<'a>,
}

/// Body of a request to cancel an order.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CancellationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a>,
}

/// Order that paid for a hold.
#[derive(Debug)]
pub struct Confirmation {
    /// The order.
    pub order: OrderId,
    /// Amount that was charged.
    pub charged: Charged,
}

impl HoldRequest<'_> {
    /// Returns the seats that the member wants.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<WantedSeats, Error> {
        let mut errors = Errors::default();
        let wants_best = self.count.not_null().or(self.area_ids.not_null()).is_some();
        if !wants_best {
            let seats = read_seats(&mut errors, self.seat_ids, MAX_SEATS);
            return if errors.is_empty() { Ok(WantedSeats::These(seats)) } else { Err(errors.into_error()) };
        }
        if let Some(field) = self.seat_ids.not_null() {
            errors.add("seatIds", field, Violation::SeatsAndAreas);
        }
        let count = errors.number("count", self.count, Integer::<1, 10>::parse);
        let areas = read_ids(&mut errors, "areaIds", self.area_ids, MAX_AREAS, &Violation::NoSuchArea);
        let adjacent = self.adjacent.not_null().map_or(Some(true), |field| errors.boolean("adjacent", field));
        match (count, adjacent) {
            (Some(count), Some(adjacent)) if errors.is_empty() => {
                let group = Group { count: count.get() as usize, adjacent };
                Ok(WantedSeats::Best(BestSeats { areas, group }))
            }
            _ => Err(errors.into_error()),
        }
    }
}

impl SeatsRequest<'_> {
    /// Returns the ids of the seats: 1 to `max`, all different.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self, max: usize) -> Result<Vec<Uuid>, Error> {
        let mut errors = Errors::default();
        let ids = read_seats(&mut errors, self.seat_ids, max);
        if errors.is_empty() { Ok(ids) } else { Err(errors.into_error()) }
    }
}

/// Reads the ids of seats: 1 to `max`, all different.
pub(crate) fn read_seats(errors: &mut Errors, field: Field, max: usize) -> Vec<Uuid> {
    read_ids(errors, "seatIds", field, max, &Violation::NoSuchSeat)
}

/// Reads ids: 1 to `max`, all different. `unknown` is the violation of a text that is no id.
fn read_ids(errors: &mut Errors, name: &str, field: Field, max: usize, unknown: &Violation) -> Vec<Uuid> {
    let mut within = Errors::default();
    let items = within.items(name, field, max).unwrap_or_default();
    let mut ids = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let Some(text) = within.text(format_args!("{name}[{index}]"), *item, |text| Ok(text.to_owned())) else {
            continue;
        };
        match id::parse(&text) {
            Some(id) => ids.push(id),
            None => within.add(format_args!("{name}[{index}]"), *item, unknown.clone()),
        }
    }
    if within.is_empty() {
        for index in repeated(&ids) {
            within.add(format_args!("{name}[{index}]"), items[index], Violation::Duplicate);
        }
    }
    errors.extend(within);
    ids
}

impl ConfirmationRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn confirmation(self) -> Result<Confirmation, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        let charged = errors.number("amount", self.amount, |json| Ok(Charged::parse(json)));
        match (order, charged) {
            (Some(order), Some(charged)) => Ok(Confirmation { order, charged }),
            _ => Err(errors.into_error()),
        }
    }
}

impl CancellationRequest<'_> {
    /// Validates the order.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn order(self) -> Result<OrderId, Error> {
        let mut errors = Errors::default();
        let order = errors.text("orderId", self.order_id, OrderId::parse);
        order.ok_or_else(|| errors.into_error())
    }
}

/// Turns an error about seats of a request into one that names each of them, as `seatIds[2]`.
#[must_use]
pub fn name_seats(error: DomainError, ids: &[Uuid]) -> Error {
    let mut errors = Errors::default();
    let mut add = |name: &str, index: usize, violation| {
        errors.add_value(format_args!("{name}[{index}]"), &ids[index].to_string(), violation);
    };
    match &error {
        DomainError::NoSuchSeats(indexes) => {
            for index in indexes {
                add("seatIds", *index, Violation::NoSuchSeat);
            }
            errors.into_error()
        }
        DomainError::UnknownAreas(indexes) => {
            for index in indexes {
                add("areaIds", *index, Violation::NoSuchArea);
            }
            errors.into_error()
        }
        DomainError::SeatsTooScattered => {
            errors.add_value("seatIds", &json!(ids).to_string(), Violation::TooScattered);
            errors.into_error()
        }
        DomainError::SeatsTaken(seats) => {
            for seat in seats {
                add("seatIds", seat.index, if seat.is_own { Violation::OwnSeat } else { Violation::SeatTaken });
            }
            Error::SeatsTaken(errors.into_fields())
        }
        _ => error.into(),
    }
}

/// Hold, as responses contain it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldResponse<'a> {
    id: Uuid,
    event_id: Uuid,
    event_datetime_id: Uuid,
    #[serde(flatten)]
    show: Option<ShowOfHold<'a>>,
    status: &'static str,
    expires_at: Option<Instant>,
    amount: Price,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_id: Option<&'a str>,
    seats: Vec<HeldSeat<'a>>,
}

/// Event and show of a hold, for the member who has it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ShowOfHold<'a> {
    event_title: &'a Title,
    place: &'a Place,
    thumbnail: &'a str,
    datetime: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    show_status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a Notice>,
}

/// Seat of a hold, as responses contain it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldSeat<'a> {
    id: Uuid,
    area_id: Uuid,
    area_label: &'a Label,
    price: Price,
    row: u32,
    number: u32,
}

/// Number of blocked seats.
#[derive(Debug, Serialize)]
pub struct BlockedResponse {
    /// Seats of the request, which are all blocked now.
    pub blocked: usize,
}

/// Number of freed seats.
#[derive(Debug, Serialize)]
pub struct FreedResponse {
    /// Seats that were blocked, and are free now.
    pub free: usize,
}

impl<'a> HoldResponse<'a> {
    /// Combines a hold with its status and its hall.
    #[must_use]
    pub fn new(hold: &'a Hold, status: HoldStatus, hall: &'a SeatMap) -> Self {
        Self {
            id: hold.id,
            event_id: hold.event,
            event_datetime_id: hold.show,
            show: None,
            status: status.name(),
            expires_at: Instant::from_nanos(u128::from(hold.expires) * 1_000_000_000),
            amount: hold.amount,
            order_id: hold.order().map(OrderId::as_str),
            seats: held_seats(hold, hall),
        }
    }

    /// Adds its event and show to a hold.
    #[must_use]
    pub fn with_show(self, event: &'a Event, show: &'a Show) -> Self {
        let status = (show.status != ShowStatus::Scheduled).then(|| show.status.name());
        let show = ShowOfHold {
            event_title: &event.details.title,
            place: &event.details.place,
            thumbnail: &event.thumbnail,
            datetime: show.instant,
            show_status: status,
            notice: show.notice.as_ref(),
        };
        Self { show: Some(show), ..self }
    }
}

/// Returns the seats of a hold, in its order.
#[must_use]
pub fn held_seats<'a>(hold: &Hold, hall: &'a SeatMap) -> Vec<HeldSeat<'a>> {
    let seat = |number: &u32| {
        let number = *number as usize;
        let (index, seat) = hall.seat(number)?;
        let area = &hall.areas()[index];
        Some(HeldSeat {
            id: id::seat(hold.event, number),
            area_id: id::area(hold.event, index),
            area_label: &area.label,
            price: area.price,
            row: seat.row,
            number: seat.number,
        })
    };
    hold.seats.iter().filter_map(seat).collect()
}
