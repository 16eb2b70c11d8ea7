//! Lists the live events, newest first: `GET /api/v1/events`.

use api::{
    conditional::IfNoneMatch,
    envelope::{self, Response},
    error::Error,
    json, messages, page,
    serve::Handler,
};
use domain::cursor::CursorKey;
use http::header::{HeaderValue, LINK};
use lambda_http::Request;
use storage::{event::Events, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    events: Events,
    cursors: CursorKey,
}

impl List {
    /// Builds the endpoint on a table, with the key that authenticates its cursors.
    #[must_use]
    pub fn new(table: Table, cursors: CursorKey) -> Self {
        Self { events: Events::new(table), cursors }
    }
}

impl Handler for List {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let page_request = page::from_request(&request, &self.cursors)?;
        let page = self.events.list(page_request.limit, page_request.after).await?;
        let summaries = json::array(&page.summaries);
        let mut response = envelope::ok_json(messages::EVENTS_LISTED, &summaries)?;
        if let Some(last) = page.next {
            let cursor = self.cursors.sign(last);
            let link = format!("</api/v1/events?limit={}&cursor={cursor}>; rel=\"next\"", page_request.limit);
            let link = HeaderValue::from_str(&link).map_err(Error::unexpected)?;
            response.headers_mut().insert(LINK, link);
        }
        Ok(IfNoneMatch::from_request(&request).cacheable(response))
    }
}
