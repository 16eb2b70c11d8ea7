//! Draws the hall of a live event with all its seats: `GET /api/v1/events/{eventId}/seat-map.svg`.

use api::{
    conditional::{self, IfNoneMatch},
    content_encoding::ContentEncoding,
    envelope::Response,
    error::Error,
    representation::Representation,
    request,
    serve::Handler,
    svg_response,
};
use lambda_http::Request;
use seating::plan;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct SeatMap {
    events: Events,
}

impl SeatMap {
    /// Builds the endpoint on a table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { events: Events::new(table) }
    }
}

/// Gets the seat map of an event.
///
/// Returns a picture of the whole hall: the drawings, every seat in the colour of its price and with a tooltip, and a
/// legend of prices. Above 25,000 seats, only areas have tooltips.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/seat-map.svg",
    operation_id = "events-seat-map",
    params(("eventId", Path), ("If-None-Match", Header)),
    responses((
        status = 200,
        description = "The picture as an SVG document. It runs no scripts and loads no resources.",
        body = String,
        content_type = "image/svg+xml",
        headers(("ETag"), ("Content-Encoding"), ("Content-Security-Policy"), ("X-Content-Type-Options")),
    )),
    extensions(("x-failures" = json!(["C_005", "C_008", "E_002"]))),
)]
pub fn operation() {}

impl Handler for SeatMap {
    const NEGOTIATES_ENCODING: bool = true;

    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let id = request::event_id(&request)?;
        let if_none_match = IfNoneMatch::from_request(&request);
        if if_none_match.is_present() {
            let etags = Representation::SeatMap.etags(&self.events.get(id).await?);
            if let Some(etag) = if_none_match.find(etags) {
                return Ok(conditional::not_modified(etag));
            }
        }
        let (event, seats) = self.events.get_with_seats(id).await?;
        let picture = plan::draw(event.details.title.as_str(), &seats);
        let response = svg_response::svg(picture, ContentEncoding::accepted_by(&request))?;
        let etag = Representation::SeatMap.etag(&event, ContentEncoding::of(&response));
        Ok(if_none_match.cacheable_as(response, etag))
    }
}
