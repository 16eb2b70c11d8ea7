//! Lists the live events, newest first: `GET /api/v1/events`.

use http::header::{HeaderValue, LINK};
use lambda_http::Request;
use shared::{
    domain::{cursor::CursorKey, error::Error},
    http::{
        conditional,
        envelope::{self, Reply},
        messages, request,
        serve::Handler,
    },
    store::event::Events,
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct List {
    /// Where events are kept.
    pub events: Events,
    /// What its cursors are sealed with.
    pub cursors: CursorKey,
}

impl Handler for List {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let asked = request::page(&request, &self.cursors)?;
        let page = self.events.list(asked.limit, asked.after).await?;
        let summaries = format!("[{}]", page.summaries.join(","));
        let mut reply = envelope::ok_json(messages::EVENTS_LISTED, &summaries).map(conditional::cacheable)?;
        if let Some(last) = page.next {
            let cursor = self.cursors.sign(last);
            let link = format!("</api/v1/events?limit={}&cursor={cursor}>; rel=\"next\"", asked.limit);
            let link = HeaderValue::from_str(&link).map_err(Error::unexpected)?;
            reply.headers_mut().insert(LINK, link);
        }
        Ok(reply)
    }
}
