//! Results of scans on the wire.

use domain::{
    gate::{GateName, Gates},
    id,
    instant::Instant,
    seat_kind::SeatKind,
    seats::admission::{Admission, Outcome, ScanId},
    text::Label,
};
use schemars::JsonSchema;
use seating::seat_map::{SeatMap, SeatPosition};
use serde::Serialize;
use uuid::Uuid;

/// Only `ADMITTED` lets somebody in. `ALREADY_ADMITTED`: the ticket was admitted before. `NOT_SOLD`: the order was
/// cancelled. `SHOW_OFF`: the show is postponed or cancelled. `WRONG_SHOW`: a ticket of another show. `INVALID`: no
/// ticket of this service.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[schemars(rename = "ScanResultName")]
enum ResultName {
    Admitted,
    AlreadyAdmitted,
    NotSold,
    ShowOff,
    WrongShow,
    Invalid,
}

/// Result of a scan.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "ScanResult")]
pub struct ScanResult<'a> {
    result: ResultName,
    /// Id of the scan, if it was sent.
    #[serde(skip_serializing_if = "Option::is_none")]
    scan_id: Option<&'a ScanId>,
    /// Only if the ticket is for this show.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<ScannedSeat<'a>>,
    /// Only of a ticket that is admitted, now or before.
    #[serde(skip_serializing_if = "Option::is_none")]
    admitted_at: Option<Instant>,
    /// Name of the gate that admitted it.
    #[serde(skip_serializing_if = "Option::is_none")]
    gate: Option<&'a GateName>,
    /// Show of the ticket, if it is another one of this event.
    #[serde(skip_serializing_if = "Option::is_none")]
    show_id: Option<Uuid>,
    /// Time of that show.
    #[serde(skip_serializing_if = "Option::is_none")]
    datetime: Option<Instant>,
}

/// Seat of a scanned ticket.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct ScannedSeat<'a> {
    id: Uuid,
    area_label: &'a Label,
    #[schemars(with = "SeatPosition")]
    row: u32,
    #[schemars(with = "SeatPosition")]
    number: u32,
    /// Only of a seat that is no ordinary one.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<SeatKind>,
}

impl<'a> ScanResult<'a> {
    /// Combines the outcome of a scan with the hall of its event and the gates of its show.
    #[must_use]
    pub fn new(
        outcome: &Outcome,
        scan_id: Option<&'a ScanId>,
        event: Uuid,
        hall: &'a SeatMap,
        gates: &'a Gates,
    ) -> Self {
        let only =
            |result| Self { result, scan_id, seat: None, admitted_at: None, gate: None, show_id: None, datetime: None };
        let seat = |number: &u32| seat(event, hall, *number as usize);
        let admitted = |result, number, admission: &Admission| Self {
            seat: seat(number),
            admitted_at: Instant::from_milliseconds(admission.at),
            gate: gates.0.get(usize::from(admission.gate)).map(|gate| &gate.name),
            ..only(result)
        };
        match outcome {
            Outcome::Admitted(number, admission) => admitted(ResultName::Admitted, number, admission),
            Outcome::AlreadyAdmitted(number, admission) => admitted(ResultName::AlreadyAdmitted, number, admission),
            Outcome::NotSold(number) => Self { seat: seat(number), ..only(ResultName::NotSold) },
            Outcome::ShowOff(number) => Self { seat: seat(number), ..only(ResultName::ShowOff) },
            Outcome::WrongShow(show) => Self {
                show_id: show.as_ref().map(|show| show.id),
                datetime: show.as_ref().map(|show| show.instant),
                ..only(ResultName::WrongShow)
            },
            Outcome::Invalid => only(ResultName::Invalid),
        }
    }
}

fn seat(event: Uuid, hall: &SeatMap, number: usize) -> Option<ScannedSeat<'_>> {
    let (area, seat) = hall.seat(number)?;
    let area_label = &hall.areas()[area].label;
    Some(ScannedSeat { id: id::seat(event, number), area_label, row: seat.row, number: seat.number, kind: seat.kind })
}
