//! Draws the hall of a live event with all its seats: `GET /api/v1/events/{eventId}/seat-map.svg`.

use api::{
    conditional::{self, IfNoneMatch},
    envelope::Reply,
    error::Error,
    request,
    serve::Handler,
    svg_response,
    view::{self, View},
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
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let id = request::event_id(&request)?;
        let if_none_match = IfNoneMatch::of(&request);
        if if_none_match.is_present() {
            let etag = View::SeatMap.etag(&self.events.get(id).await?);
            if if_none_match.matches(&etag) {
                return Ok(conditional::not_modified(etag));
            }
        }
        let (summary, seats) = self.events.get_with_seats(id).await?;
        let response = svg_response::svg(view::picture(&summary, &seats)?)?;
        Ok(if_none_match.cacheable_as(response, View::SeatMap.etag(&summary)))
    }
}
