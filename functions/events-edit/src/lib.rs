//! Edits a live event: `PATCH /api/v1/events/{eventId}`.

use api::{
    content_encoding::ContentEncoding,
    edit::{self, EditRequest},
    envelope::{self, Response},
    error::Error,
    manager, messages,
    representation::Representation,
    request,
    serve::Handler,
};
use domain::{error::Error as DomainError, manager::Authentication};
use headers::{ETag, HeaderMapExt as _};
use lambda_http::Request;
use storage::{edit::Edit as NewContent, event::Events, table::Table};

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
        let (if_match, fields) = request::edit::<EditRequest>(&request)?;
        let change = edit::change(&fields)?;
        let edited = |summary: &str, version: u64| {
            if if_match.as_ref().is_some_and(|tags| !tags.matches(etag(summary))) {
                return Err(DomainError::PreconditionFailed);
            }
            let edited = edit::apply(summary, &change, version)?;
            Ok(edited.map(|(summary, details)| NewContent { summary, details }))
        };
        let summary = self.events.edit(request::event_id(&request)?, owner, &edited).await?;
        let mut response = envelope::ok_json(messages::EVENT_EDITED, &summary)?;
        response.headers_mut().typed_insert(etag(&summary));
        Ok(response)
    }
}

fn etag(summary: &str) -> ETag {
    Representation::Summary.etag(summary, ContentEncoding::Identity)
}
