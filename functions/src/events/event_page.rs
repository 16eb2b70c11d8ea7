//! Pages of events on the wire.

use api::{
    envelope::{self, Response},
    error::Error,
    messages,
};
use domain::event::Event;
use serde::Serialize;
use storage::events::event_lists::Page;

/// Responds with a page of events as `summary` writes them; also returns the position after which the next page begins.
///
/// A page whose response would be too large has only the first half of its events, or less.
///
/// # Errors
///
/// Returns `TooLarge` if a single event is too large, which none is.
pub fn respond<'a, P: Copy, S: Serialize>(
    page: &'a Page<P>,
    summary: impl Fn(&'a Event) -> S,
) -> Result<(Response, Option<P>), Error> {
    let mut summaries: Vec<_> = page.events.iter().map(|(_, event)| summary(event)).collect();
    loop {
        match envelope::ok(messages::EVENTS_LISTED, &summaries) {
            Err(Error::TooLarge(_)) if summaries.len() > 1 => summaries.truncate(summaries.len() / 2),
            response => {
                let is_whole = summaries.len() == page.events.len();
                let last = page.events[..summaries.len()].last().map(|(position, _)| *position);
                return Ok((response?, if is_whole { page.next } else { last }));
            }
        }
    }
}
