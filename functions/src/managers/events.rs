//! Lists the events of the manager who asks, newest first: `GET /api/v1/managers/me/events`.

use api::{envelope::Response, error::Error, page};
use domain::{cursor::CursorKey, error::Cause};
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::Manager,
    environment::Environment,
    events::{
        self,
        event_response::{EventSummary, ManagedEvent},
    },
    managers::managed_page_request::ManagedPageRequest,
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct OwnEvents {
    events: Events,
    cursors: CursorKey,
}

/// Lists a manager's own events.
///
/// Returns the events of the manager who sends the request, also drafts, newest registration first. A deleted event is
/// listed for the 30 days in which it can be restored. The response is not cached.
///
/// - `restorableUntil` is only in deleted events. A change appears within two seconds.
#[utoipa::path(
    get,
    path = "/api/v1/managers/me/events",
    operation_id = "managers-events",
    params(("x-api-managerId", Header), ("status", Query), ("limit", Query), ("cursor", Query)),
    responses((status = 200, description = "One page of the manager's events.", body = ref("ManagedEvents"))),
)]
pub fn operation() {}

impl Operation for OwnEvents {
    type Caller = Manager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let cursors = environment.parse("CURSOR_KEY")?;
        Ok(Self { events: Events::new(environment.table().await?, environment.clock()), cursors })
    }

    async fn handle(&self, Manager(manager): Manager, request: Request) -> Result<Response, Error> {
        let requested = ManagedPageRequest::from_request(&request, &self.cursors, manager)?;
        let page = self.events.list_managed(manager, requested.filter, requested.limit, requested.after).await?;
        let summary = |event| ManagedEvent::new(EventSummary::from(event), event);
        let (mut response, next) = events::event_page::respond(&page, summary)?;
        if let Some(last) = next {
            page::add_link(&mut response, &requested.next(&self.cursors, last))?;
        }
        Ok(response)
    }
}
