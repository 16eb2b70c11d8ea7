//! Restores a deleted event: `POST /api/v1/events/{eventId}/restore`.

use api::{
    envelope::{self, Response},
    error::Error,
    event::EventSummary,
    manager, messages, request,
    serve::Handler,
};
use domain::manager::Authentication;
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Restore {
    events: Events,
    managers: Authentication,
}

impl Restore {
    /// Builds the endpoint on a table; verified managers restore only their own events.
    #[must_use]
    pub fn new(table: Table, managers: Authentication) -> Self {
        Self { events: Events::new(table), managers }
    }
}

impl Handler for Restore {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::owner(&request, self.managers)?;
        let event = self.events.restore(request::event_id(&request)?, owner).await?;
        envelope::ok(messages::EVENT_RESTORED, &EventSummary::from(&event))
    }
}
