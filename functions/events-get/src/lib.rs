//! Shows a live event without its seats: `GET /api/v1/events/{eventId}`.

use lambda_http::Request;
use shared::{
    domain::error::Error,
    http::{
        envelope::{self, Reply},
        event::EventSummary,
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
        let event = self.events.get(request::event_id(&request)?).await?;
        envelope::ok(messages::EVENT_FOUND, &EventSummary::from(&event))
    }
}
