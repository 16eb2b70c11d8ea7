//! Restores a deleted event; operators invoke the function directly, because it has no route.

use domain::{error::Error, id};
use serde::{Deserialize, Serialize};
use storage::{event::Events, restoration::Restoration, table::Table};

/// Request: `{"eventId": "…"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// Id of the deleted event.
    pub event_id: String,
}

/// Response: `{"result": "RESTORED"}`, or the reason why it is not restored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// Outcome of the restoration.
    pub result: Restoration,
}

/// Function with its stores.
#[derive(Debug)]
pub struct Restore {
    events: Events,
}

impl Restore {
    /// Builds the function on a table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { events: Events::new(table) }
    }

    /// Restores the event with its seats, shows and poster.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown; a retry is safe.
    pub async fn handle(&self, Request { event_id }: Request) -> Result<Response, Error> {
        // No event has an invalid id.
        let Some(id) = id::parse(&event_id) else { return Ok(Response { result: Restoration::Gone }) };
        let result = self.events.restore(id).await?;
        Ok(Response { result })
    }
}
