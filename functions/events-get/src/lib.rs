//! Shows a live event without its seats: `GET /api/v1/events/{eventId}`.

use lambda_http::Request;
use shared::{
    domain::error::Error,
    http::{
        conditional,
        envelope::{self, Reply},
        messages, request,
        serve::Handler,
    },
    store::event::Events,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Get {
    /// Where events are kept.
    pub events: Events,
}

impl Handler for Get {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let summary = self.events.get(request::event_id(&request)?).await?;
        envelope::ok_json(messages::EVENT_FOUND, &summary).map(conditional::cacheable)
    }
}
