//! Admits people at a gate: `POST /api/v1/events/{eventId}/dates/{showId}/admissions`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use auth::tickets;
use domain::{
    clock::milliseconds,
    error::Cause,
    seats::admission::{Outcome, Scan, ScanId, ScanMark},
};
use lambda_http::Request;
use storage::seats::door::Door;

use crate::{
    admissions::{
        scan_request::{AdmissionRequest, Scanned},
        scan_result::ScanResult,
    },
    caller::AtGate,
    environment::Environment,
    operation::Operation,
};

/// Endpoint with its store.
#[derive(Debug)]
pub struct Create {
    door: Door,
}

/// Admits people.
///
/// With the token of a gate. Each scan is decided by itself, and has a result at its place: of all scans of a ticket,
/// at any gates, exactly one is `ADMITTED`. A repetition of a `scanId` by the same gate is `ADMITTED` again. The last
/// three admissions of a ticket are remembered for that. After `S_003`, repeat the scans with their ids.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/dates/{showId}/admissions",
    operation_id = "admissions-create",
    request_body = ref("AdmissionRequest"),
    responses((status = 200, description = "A result for each scan.", body = ref("ScanResults"))),
)]
pub fn operation() {}

impl Operation for Create {
    type Caller = AtGate;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { door: Door::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, AtGate(gate): AtGate, request: Request) -> Result<Response, Error> {
        let scanned = request::json::<AdmissionRequest>(&request)?.scans()?;
        let tickets = tickets::read(gate.ticket_key.as_ref(), scanned.iter().map(|scan| scan.text.as_str()));
        let scan = |(Scanned { id, at, .. }, ticket): (&Scanned, Option<_>)| {
            let mark = id.as_ref().map_or_else(ScanMark::random, ScanId::mark);
            Some(Scan { ticket: ticket?, mark, at: at.map(|at| milliseconds(at.since_epoch())) })
        };
        let scans: Vec<_> = scanned.iter().zip(tickets).map(scan).collect();
        let valid: Vec<_> = scans.iter().flatten().copied().collect();
        let mut outcomes = self.door.admit(&gate, &valid).await?.into_iter();
        let outcomes = scans.iter().map(|scan| scan.and_then(|_| outcomes.next()).unwrap_or(Outcome::Invalid));
        let (event, hall) = (gate.show.event.id, &gate.show.hall);
        let mut results = Vec::new();
        for (scan, outcome) in scanned.iter().zip(outcomes) {
            results.push(ScanResult::new(&outcome, scan.id.as_ref(), event, hall, &gate.gates));
        }
        envelope::ok(messages::SCANS_DECIDED, &results)
    }
}
