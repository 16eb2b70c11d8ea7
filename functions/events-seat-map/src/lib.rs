//! Draws the hall of a live event with all its seats:
//! `GET /api/v1/events/{eventId}/seat-map.svg`.

use lambda_http::Request;
use shared::{
    domain::error::Error,
    http::{
        conditional::{self, Held},
        envelope::Reply,
        picture, request,
        serve::Handler,
        view::{self, View},
    },
    store::event::Events,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct SeatMap {
    /// Where events are kept.
    pub events: Events,
}

impl Handler for SeatMap {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let id = request::event_id(&request)?;
        let held = Held::by(&request);
        if held.is_any() {
            let etag = View::SeatMap.etag(&self.events.get(id).await?);
            if held.has(&etag) {
                return Ok(conditional::nothing_new(etag));
            }
        }
        let (summary, seats) = self.events.get_with_seats(id).await?;
        let reply = picture::svg(view::picture(&summary, &seats)?)?;
        Ok(conditional::cacheable_as(reply, View::SeatMap.etag(&summary)))
    }
}
