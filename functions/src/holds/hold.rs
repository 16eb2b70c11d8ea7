//! Holds on the wire, as responses contain them.

use domain::{
    described,
    event::{Event, Place, Title},
    hold::{Hold, HoldStatus, OrderId},
    id,
    instant::Instant,
    price::Price,
    seat_kind::SeatKind,
    show::{Notice, Show, ShowStatus},
    text::Label,
};
use schemars::JsonSchema;
use seating::seat_map::{SeatMap, SeatPosition};
use serde::Serialize;
use uuid::Uuid;

use crate::events::event_response::{OffStatus, Thumbnail};

/// Sum of the prices of seats.
pub(crate) struct Amount;

described!(Amount as "Amount", {
    "description": "Exact sum of the prices of the seats.",
    "type": "number",
    "minimum": 0,
    "multipleOf": 0.01,
});

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
    /// Only of a seat that is no ordinary one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<SeatKind>,
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
            kind: seat.kind,
        })
    };
    hold.seats.iter().filter_map(seat).collect()
}
