//! Tickets on the wire.

use api::{
    envelope::{self, Response},
    error::Error,
    messages,
};
use auth::{ticket_code::CODE_LENGTH, tickets::TicketIssuer};
use domain::{
    described, id, instant::Instant, price::Price, seat_kind::SeatKind, seats::admission::Admission, text::Label,
    ticket::Ticket,
};
use schemars::JsonSchema;
use seating::seat_map::SeatPosition;
use serde::Serialize;
use storage::seats::tickets::SoldHold;
use uuid::Uuid;

use crate::tickets::qr;

// So every code has a picture.
const _: () = assert!(CODE_LENGTH <= qr::MAX_BYTES);

/// Code of a ticket.
pub(crate) struct TicketCode;

described!(TicketCode as "TicketCode", {
    "description": "65 bytes and their ES256 signature in base64url: the byte 1, and the ids of event, show, hold and seat. \
                    The key is in `/.well-known/jwks.json`; its `kid` begins with `ticket-`.",
    "type": "string",
    "maxLength": 200,
    "pattern": "^[A-Za-z0-9_-]+$",
});

/// Ticket for a seat.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Ticket")]
pub struct TicketResponse<'a> {
    seat_id: Uuid,
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
    /// Each response may have another one; all of them are valid.
    #[schemars(with = "TicketCode")]
    code: String,
    /// The code as a QR code: an SVG picture.
    qr: String,
    /// Only once the ticket was admitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    admitted_at: Option<Instant>,
}

/// Responds with the tickets of a confirmed hold. The key that verifies them is stored before.
///
/// # Errors
///
/// Returns `Database` if the key cannot be stored.
pub(super) async fn respond(sold: &SoldHold, issuer: &TicketIssuer) -> Result<Response, Error> {
    issuer.publish().await?;
    let signed = |ticket| {
        let code = issuer.code(ticket);
        let qr = qr::picture(&code).expect("a code fits into a QR code");
        (code, qr)
    };
    envelope::ok(messages::TICKETS_LISTED, &tickets(sold, signed))
}

/// Returns the tickets of a confirmed hold, in the order of its seats, with the code and the picture of each.
pub fn tickets(sold: &SoldHold, code: impl Fn(Ticket) -> (String, String)) -> Vec<TicketResponse<'_>> {
    let SoldHold { hold, hall, admissions } = sold;
    let ticket = |(number, admission): (&u32, &Option<_>)| {
        let number = *number as usize;
        let (index, seat) = hall.seat(number)?;
        let area = &hall.areas()[index];
        let seat_id = id::seat(hold.event, number);
        let (code, qr) = code(Ticket { event: hold.event, show: hold.show, hold: hold.id, seat: seat_id });
        Some(TicketResponse {
            seat_id,
            area_id: id::area(hold.event, index),
            area_label: &area.label,
            price: area.price,
            row: seat.row,
            number: seat.number,
            kind: seat.kind,
            code,
            qr,
            admitted_at: admission.as_ref().and_then(|admission: &Admission| Instant::from_milliseconds(admission.at)),
        })
    };
    hold.seats.iter().zip(admissions).filter_map(ticket).collect()
}
