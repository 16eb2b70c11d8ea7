//! Lists the events of the manager who asks, newest first: `GET /api/v1/managers/me/events`.

use api::{
    envelope::{self, Response},
    error::Error,
    event::ManagedEvent,
    managed::ManagedPageRequest,
    manager, messages, page,
    serve::Handler,
};
use domain::cursor::CursorKey;
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct OwnEvents {
    events: Events,
    cursors: CursorKey,
}

impl OwnEvents {
    /// Builds the endpoint on a table, with the key that authenticates its cursors.
    #[must_use]
    pub fn new(table: Table, cursors: CursorKey) -> Self {
        Self { events: Events::new(table), cursors }
    }
}

/// Lists a manager's own events.
///
/// Returns the events of the manager who sends the request, newest registration first. A deleted event is listed for
/// the 30 days in which it can be restored. The response is not cached.
#[utoipa::path(
    get,
    path = "/api/v1/managers/me/events",
    operation_id = "managers-events",
    params(("x-api-managerId", Header), ("status", Query), ("limit", Query), ("cursor", Query)),
    security((), ("manager" = [])),
    responses((
        status = 200,
        description = "One page of the manager's events.",
        body = ref("ManagedEvents"),
        headers(("Link")),
    )),
    extensions(("x-failures" = json!(["C_008", "AM_001", "AM_002"]))),
)]
pub fn operation() {}

impl Handler for OwnEvents {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let manager = manager::identify(&request)?;
        let requested = ManagedPageRequest::from_request(&request, manager, &self.cursors)?;
        let page = self.events.list_managed(manager, requested.filter, requested.limit, requested.after).await?;
        let events = page.events.iter().map(|managed| ManagedEvent::new(&managed.event, managed.restorable_until));
        let mut response = envelope::ok(messages::EVENTS_LISTED, &events.collect::<Vec<_>>())?;
        if let Some(last) = page.next {
            page::add_link(&mut response, &requested.next(last, &self.cursors))?;
        }
        Ok(response)
    }
}
