//! Draws the hall of a live event with all its seats: `GET /api/v1/events/{eventId}/seat-map.svg`.

use api::{
    envelope::{self, Response},
    error::Error,
    representation::Representation,
};
use domain::error::Cause;
use http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use lambda_http::Request;
use seating::plan;
use storage::events::event_store::Events;

use crate::{
    caller::Anyone,
    environment::Environment,
    events::hall,
    operation::{Cache, Operation},
};

/// Media type of an SVG document.
pub const MEDIA_TYPE: &str = "image/svg+xml";

/// Content security policy: a picture that is opened as a page runs nothing, loads nothing and has no origin.
const INERT: HeaderValue =
    HeaderValue::from_static("default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox");

/// Endpoint with its stores.
#[derive(Debug)]
pub struct SeatMap {
    events: Events,
}

/// Gets the seat map of an event.
///
/// Returns a picture of the whole hall: the drawings, every seat in the colour of its price and with a tooltip, and a
/// legend of prices. Above 25,000 seats, only areas have tooltips.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/seat-map.svg",
    operation_id = "events-seat-map",
    params(("If-None-Match", Header)),
    responses((
        status = 200,
        description = "The picture as an SVG document. It runs no scripts and loads no resources.",
        body = String,
        content_type = "image/svg+xml",
        headers(("Content-Security-Policy"), ("X-Content-Type-Options")),
    )),
)]
pub fn operation() {}

impl Operation for SeatMap {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;
    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        hall::respond(&self.events, &request, Representation::SeatMap, |event, seats, accepted| {
            let picture = plan::draw(event.details.title.as_str(), seats);
            let mut response = envelope::document(MEDIA_TYPE, picture, accepted)?;
            response.headers_mut().insert(CONTENT_SECURITY_POLICY, INERT);
            response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            Ok(response)
        })
        .await
    }
}
