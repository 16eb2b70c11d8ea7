//! Deletes a live event: `DELETE /api/v1/events/{eventId}`.

use lambda_http::Request;
use shared::{
    domain::error::Error,
    http::{
        envelope::{self, Reply},
        messages, request,
        serve::Handler,
    },
    store::event::Events,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Delete {
    /// Where events are kept.
    pub events: Events,
}

impl Handler for Delete {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        self.events.delete(request::event_id(&request)?).await?;
        Ok(envelope::no_content(messages::EVENT_DELETED))
    }
}
