//! Draws the hall of a live event with all its seats: `GET /api/v1/events/{eventId}/seat-map.svg`.

use api::{
    conditional::{self, IfNoneMatch},
    envelope::Response,
    error::Error,
    representation::{self, Representation},
    request,
    serve::Handler,
    svg_response,
};
use lambda_http::Request;
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
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let id = request::event_id(&request)?;
        let if_none_match = IfNoneMatch::from_request(&request);
        if if_none_match.is_present() {
            let etag = Representation::SeatMap.etag(&self.events.get(id).await?);
            if if_none_match.matches(&etag) {
                return Ok(conditional::not_modified(etag));
            }
        }
        let (summary, seats) = self.events.get_with_seats(id).await?;
        let response = svg_response::svg(representation::seat_map_svg(&summary, &seats)?)?;
        Ok(if_none_match.cacheable_as(response, Representation::SeatMap.etag(&summary)))
    }
}
