//! Edits a live event: `PATCH /api/v1/events/{eventId}`.

use api::{
    edit::{self, EditRequest},
    envelope::Response,
    error::Error,
    manager, request,
    serve::Handler,
};
use domain::manager::Authentication;
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Edit {
    events: Events,
    managers: Authentication,
}

impl Edit {
    /// Builds the endpoint on a table; verified managers edit only their own events.
    #[must_use]
    pub fn new(table: Table, managers: Authentication) -> Self {
        Self { events: Events::new(table), managers }
    }
}

impl Handler for Edit {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let owner = manager::owner(&request, self.managers)?;
        let (expected, fields) = request::edit::<EditRequest>(&request)?;
        let change = edit::change(&fields)?;
        let event = self.events.edit(request::event_id(&request)?, owner, expected.as_deref(), &change).await?;
        edit::edited(&event)
    }
}
