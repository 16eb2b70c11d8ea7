//! Deletes a live event: `DELETE /api/v1/events/{eventId}`.

use lambda_http::Request;
use shared::{
    domain::{error::Error, manager::Verification},
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
    /// Whether managers have to prove who they are; then each deletes their own events alone.
    pub managers: Verification,
}

impl Handler for Delete {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let owner = request::owner(&request, self.managers)?;
        self.events.delete(request::event_id(&request)?, owner).await?;
        Ok(envelope::no_content(messages::EVENT_DELETED))
    }
}
