//! Lists or searches the live events: `GET /api/v1/events`.

use api::{conditional::IfNoneMatch, envelope::Response, error::Error, page};
use domain::{clock::Clock, cursor::CursorKey, error::Cause};
use lambda_http::Request;
use storage::events::event_store::Events;

use crate::{
    caller::Anyone,
    environment::Environment,
    events::{
        self,
        event_response::EventSummary,
        search_request::{self, SearchRequest},
    },
    operation::{Cache, Operation},
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    events: Events,
    cursors: CursorKey,
    clock: Clock,
}

impl List {
    /// Responds with a page of the list, and returns the path of the next page.
    async fn list(&self, request: &Request) -> Result<(Response, Option<String>), Error> {
        let page_request = page::from_request(request, &self.cursors)?;
        let page = self.events.list(page_request.limit, page_request.after).await?;
        let (response, next) = events::event_page::respond(&page, EventSummary::from)?;
        Ok((response, next.map(|last| page_request.next(&self.cursors, last))))
    }

    /// Responds with a page of a search, and returns the path of the next page.
    async fn search(&self, request: &SearchRequest) -> Result<(Response, Option<String>), Error> {
        let SearchRequest { search, started, after, limit, .. } = request;
        let page = self.events.search(search, *started, *after, *limit).await?;
        let (response, next) = events::event_page::respond(&page, EventSummary::from)?;
        Ok((response, next.map(|last| request.next(&self.cursors, last))))
    }
}

/// Lists or searches events.
///
/// Returns events, newest first, without `totalMap` and `areas`. With `q`, `from`, `to`, `ticketing` or `sort` it
/// returns the events that match all of them. A page that would be too large ends early. Text is compared after Unicode
/// normalization (NFKC) and case folding.
///
/// - A word of `q` may be a part of a longer one, also across white space: `달빛우체국` finds `달빛 우체국`. Punctuation
///   between syllables ends a match of initial consonants.
/// - Percent-encode values: an unencoded `+` of an offset means a space.
/// - `newest` is the default order; the others are ascending.
#[utoipa::path(
    get,
    path = "/api/v1/events",
    operation_id = "events-list",
    params(
        ("limit", Query), ("cursor", Query), ("q", Query), ("from", Query), ("to", Query), ("ticketing", Query),
        ("sort", Query), ("If-None-Match", Header),
    ),
    responses((status = 200, description = "One page of events.", body = ref("Events"))),
)]
pub fn operation() {}

impl Operation for List {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let cursors = environment.parse("CURSOR_KEY")?;
        Ok(Self {
            events: Events::new(environment.table().await?, environment.clock()),
            cursors,
            clock: environment.clock(),
        })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let (mut response, next) = match search_request::from_request(&request, &self.cursors, &self.clock)? {
            // Boxed, so that the future of a plain list stays small.
            Some(search) => Box::pin(self.search(&search)).await?,
            None => self.list(&request).await?,
        };
        if let Some(next) = next {
            page::add_link(&mut response, &next)?;
        }
        Ok(IfNoneMatch::from_request(&request).tag_body(response))
    }
}
