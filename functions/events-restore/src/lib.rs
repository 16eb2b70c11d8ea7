//! Restores a deleted event, for whoever may invoke the function by itself: it has no route.

use domain::{error::Error, id};
use serde::{Deserialize, Serialize};
use storage::{event::Events, restoration::Restoration, table::Table};

/// What is asked for: `{"eventId": "…"}`.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Request {
    /// The deleted event.
    pub event_id: String,
}

/// What is answered: `{"result": "RESTORED"}`, or why it is not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Response {
    /// What became of it.
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

    /// Restores the event with its seats, its shows and its poster.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told whether it is restored; to ask again is safe.
    pub async fn handle(&self, Request { event_id }: Request) -> Result<Response, Error> {
        // No event has what is no id.
        let Some(id) = id::parse(&event_id) else { return Ok(Response { result: Restoration::Gone }) };
        let result = self.events.restore(id).await?;
        Ok(Response { result })
    }
}
