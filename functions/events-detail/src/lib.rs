//! Shows a live event as its registration was answered, with all its seats:
//! `GET /api/v1/events/{eventId}/detail`.

use lambda_http::Request;
use shared::{
    domain::error::Error,
    http::{
        conditional::{self, Held},
        envelope::{self, Reply},
        messages, request,
        serve::Handler,
        view::{self, View},
    },
    store::event::Events,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Detail {
    /// Where events are kept.
    pub events: Events,
}

impl Handler for Detail {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let id = request::event_id(&request)?;
        let held = Held::by(&request);
        if held.is_any() {
            let etag = View::Detail.etag(&self.events.get(id).await?);
            if held.has(&etag) {
                return Ok(conditional::nothing_new(etag));
            }
        }
        let (summary, seats) = self.events.get_with_seats(id).await?;
        let detail = view::detail(id, &summary, &seats)?;
        let reply = envelope::ok_json(messages::EVENT_FOUND, &detail)?;
        Ok(conditional::cacheable_as(reply, View::Detail.etag(&summary)))
    }
}
