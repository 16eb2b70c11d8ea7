//! Representations of an event with its hall.

use api::{
    conditional::{self, IfNoneMatch},
    content_encoding::ContentEncoding,
    envelope::Response,
    error::Error,
    representation::Representation,
    request,
};
use domain::{event::Event, manager::EventScope};
use lambda_http::Request;
use seating::seat_map::SeatMap;
use storage::events::event_store::Events;

/// Responds with a representation of the event in the path, or with 304 if the client has it.
///
/// Then the hall is not read, since the version of the event determines the representation.
///
/// # Errors
///
/// Returns `NoSuchEvent`, `Database`, or an error of `build`.
pub async fn respond(
    events: &Events,
    request: &Request,
    representation: Representation,
    build: impl FnOnce(&Event, &SeatMap, ContentEncoding) -> Result<Response, Error>,
) -> Result<Response, Error> {
    let id = request::event_id(request)?;
    let if_none_match = IfNoneMatch::from_request(request);
    if if_none_match.is_present() {
        let etags = representation.etags(&events.get(id).await?);
        if let Some(etag) = if_none_match.find(etags) {
            return Ok(conditional::not_modified(etag));
        }
    }
    let (event, seats) = events.get_with_seats(id, EventScope::PUBLIC).await?;
    let response = build(&event, &seats, ContentEncoding::accepted_by(request))?;
    let etag = representation.etag(&event, ContentEncoding::of(&response));
    Ok(if_none_match.tag(response, etag))
}
