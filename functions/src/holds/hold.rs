//! Holds, orders and blocked seats on the wire.

use domain::{
    described,
    error::Error as DomainError,
    event::{Event, Place, Title},
    hold::{GroupSize, Hold, HoldStatus, MAX_AREAS, MAX_BLOCKED_SEATS, MAX_SEATS, OrderId, repeated},
    id,
    instant::Instant,
    price::Price,
    seats::selling::Charged,
    show::{Notice, Show, ShowStatus},
    text::Label,
    violation::Violation,
};
use schemars::JsonSchema;
use seating::{
    choice::Group,
    seat_map::{SeatMap, SeatPosition},
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use storage::{best_seats::BestSeats, holds::WantedSeats};
use uuid::Uuid;

use api::{
    error::Error,
    fields::{Errors, Field, Nullable, Set},
};

use crate::events::event::{OffStatus, Thumbnail};

/// Body of a request to hold seats: these seats, or the best ones of some areas.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("oneOf" = [
    {"required": ["seatIds"], "not": {"anyOf": [{"required": ["count"]}, {"required": ["areaIds"]}]}},
    {"required": ["count", "areaIds"], "not": {"required": ["seatIds"]}},
]))]
pub struct HoldRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Nullable<Set<Uuid, MAX_SEATS>>>,
    /// Number of seats.
    count: Field<'a, Nullable<GroupSize>>,
    /// Ids of areas of the event, in the order in which they are tried.
    area_ids: Field<'a, Nullable<Set<Uuid, MAX_AREAS>>>,
    /// True, which is the default, if the seats must have one row and consecutive numbers. Otherwise they are as near to
    /// each other as possible.
    adjacent: Field<'a, Nullable<bool>>,
}

/// Body of a request to block or to free seats.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "BlockRequest")]
pub struct SeatsRequest<'a> {
    /// Ids of seats of the event.
    #[serde(borrow)]
    seat_ids: Field<'a, Set<Uuid, MAX_BLOCKED_SEATS>>,
}

/// Body of a request to confirm a hold.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "Confirmation")]
pub struct ConfirmationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
    /// Amount that was charged. It must be that of the hold.
    amount: Field<'a, Charged>,
}

/// Body of a request to cancel an order.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
#[schemars(rename = "Cancellation")]
pub struct CancellationRequest<'a> {
    #[serde(borrow)]
    order_id: Field<'a, OrderId>,
}

/// Sum of the prices of seats.
pub(crate) struct Amount;

described!(Amount as "Amount", {
    "description": "Exact sum of the prices of the seats.",
    "type": "number",
    "minimum": 0,
    "multipleOf": 0.01,
});

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
        let wants_best = self.count.not_null().is_some() || self.area_ids.not_null().is_some();
        if !wants_best {
            let seats = read_seats(&mut errors, self.seat_ids.required());
            return if errors.is_empty() { Ok(WantedSeats::These(seats)) } else { Err(errors.into_error()) };
        }
        if let Some(field) = self.seat_ids.not_null() {
            errors.add("seatIds", field, Violation::SeatsAndAreas);
        }
        let count = errors.number("count", self.count.required(), GroupSize::parse);
        let areas = read_ids(&mut errors, "areaIds", self.area_ids.required(), &Violation::NoSuchArea);
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
    /// Returns the ids of the seats, all different.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn seats(self) -> Result<Vec<Uuid>, Error> {
        let mut errors = Errors::default();
        let ids = read_seats(&mut errors, self.seat_ids);
        if errors.is_empty() { Ok(ids) } else { Err(errors.into_error()) }
    }
}

/// Reads the ids of seats, all different.
pub(crate) fn read_seats<const MAX: usize>(errors: &mut Errors, field: Field<Set<Uuid, MAX>>) -> Vec<Uuid> {
    read_ids(errors, "seatIds", field, &Violation::NoSuchSeat)
}

/// Reads ids, all different. `unknown` is the violation of a text that is no id.
fn read_ids<const MAX: usize>(
    errors: &mut Errors,
    name: &str,
    field: Field<Set<Uuid, MAX>>,
    unknown: &Violation,
) -> Vec<Uuid> {
    let mut within = Errors::default();
    let items = within.items(name, field).unwrap_or_default();
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

/// Seats of a show that a member holds, or an order has.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Hold")]
pub struct HoldResponse<'a> {
    id: Uuid,
    event_id: Uuid,
    /// Show: the `id` of an entry of `eventDatetimes`.
    event_datetime_id: Uuid,
    #[serde(flatten)]
    #[schemars(skip)]
    show: Option<ShowOfHold<'a>>,
    #[schemars(with = "HoldStatus")]
    status: &'static str,
    /// Time at which the hold expires, if nothing confirms it.
    #[schemars(with = "Instant")]
    expires_at: Option<Instant>,
    #[schemars(with = "Amount")]
    amount: Price,
    /// Only once the hold was confirmed.
    #[serde(skip_serializing_if = "Option::is_none")]
    order_id: Option<&'a OrderId>,
    seats: Vec<HeldSeat<'a>>,
}

/// Hold of a member, with its show.
#[derive(Debug, JsonSchema)]
#[expect(dead_code, reason = "describes a hold that has its show")]
pub struct OwnHold<'a> {
    #[serde(flatten)]
    hold: HoldResponse<'a>,
    #[serde(flatten)]
    show: ShowOfHold<'a>,
}

/// Event and show of a hold, for the member who has it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ShowOfHold<'a> {
    event_title: &'a Title,
    place: &'a Place,
    #[schemars(with = "Thumbnail")]
    thumbnail: &'a str,
    datetime: Instant,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<OffStatus>")]
    show_status: Option<&'static str>,
    /// Text for visitors, which may have several lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    notice: Option<&'a Notice>,
}

/// Seat of a hold.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HeldSeat<'a> {
    id: Uuid,
    area_id: Uuid,
    area_label: &'a Label,
    price: Price,
    #[schemars(with = "SeatPosition")]
    row: u32,
    #[schemars(with = "SeatPosition")]
    number: u32,
}

/// Number of blocked seats.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Blocked")]
pub struct BlockedResponse {
    /// Seats of the request, which are all blocked now.
    pub blocked: usize,
}

/// Number of freed seats.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Freed")]
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
            order_id: hold.order(),
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
