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
