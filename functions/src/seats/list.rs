//! Lists the seats of a show with their states, for clients that expect one flat list:
//! `GET /api/v1/events/{eventId}/dates/{showId}/seat-reservation/detail`.

use api::{
    conditional::{self, IfNoneMatch},
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::error::Cause;
use lambda_http::Request;
use storage::seats::shows::Shows;

use crate::{
    caller::Anyone,
    environment::Environment,
    operation::{Cache, Operation},
    seats::seat_state::SeatList,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    shows: Shows,
}

/// Lists the seats of a show.
///
/// For clients that expect one flat list. It does not say who has a seat; `availability` is smaller.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/seat-reservation/detail",
    operation_id = "seats-list",
    params(("If-None-Match", Header)),
    responses((status = 200, description = "The seats.", body = ref("ListedSeats"))),
)]
pub fn operation() {}

impl Operation for List {
    type Caller = Anyone;

    const CACHE: Cache = Cache::OneSecond;
    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { shows: Shows::new(environment.table().await?, environment.clock()) })
    }

    async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
        let show = self.shows.get(request::show_id(&request)?).await?;
        let list = SeatList::new(show.event.id, &show.hall, &show.states, show.now);
        let (if_none_match, etags) = (IfNoneMatch::from_request(&request), list.etags());
        if let Some(etag) = if_none_match.find(etags.clone()) {
            return Ok(conditional::not_modified(etag));
        }
        let accepted = ContentEncoding::accepted_by(&request);
        let response = envelope::ok_encoded(messages::SEATS_FOUND, &list, accepted)?;
        let [identity, gzip] = etags;
        let etag = if ContentEncoding::of(&response) == ContentEncoding::Gzip { gzip } else { identity };
        Ok(if_none_match.tag(response, etag))
    }
}
