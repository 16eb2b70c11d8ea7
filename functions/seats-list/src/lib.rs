//! Lists the seats of a show with their states, for clients that expect one flat list:
//! `GET /api/v1/events/{eventId}/dates/{showId}/seat-reservation/detail`.

use api::{
    conditional::{self, IfNoneMatch},
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    messages, request,
    seat_state::SeatList,
    serve::Handler,
};
use lambda_http::Request;
use storage::shows::Shows;

/// Endpoint with its stores.
#[derive(Debug)]
pub struct List {
    shows: Shows,
}

impl List {
    /// Builds the endpoint on the shows.
    #[must_use]
    pub fn new(shows: Shows) -> Self {
        Self { shows }
    }
}

/// Lists the seats of a show.
///
/// For clients that expect one flat list. It does not say who has a seat; `availability` is smaller.
#[utoipa::path(
    get,
    path = "/api/v1/events/{eventId}/dates/{showId}/seat-reservation/detail",
    operation_id = "seats-list",
    params(("eventId", Path), ("showId", Path), ("If-None-Match", Header)),
    responses((status = 200, description = "The seats.", body = ref("ListedSeats"), headers(("ETag"), ("Content-Encoding")))),
    extensions(("x-failures" = json!(["C_005", "C_008", "E_002"]))),
)]
pub fn operation() {}

impl Handler for List {
    const NEGOTIATES_ENCODING: bool = true;

    async fn handle(&self, request: Request) -> Result<Response, Error> {
        let show = self.shows.get(request::show_id(&request)?.into()).await?;
        let list = SeatList::new(show.event.id, &show.hall, &show.states, show.now);
        let (if_none_match, etags) = (IfNoneMatch::from_request(&request), list.etags());
        if let Some(etag) = if_none_match.find(etags.clone()) {
            return Ok(conditional::not_modified(etag));
        }
        let accepted = ContentEncoding::accepted_by(&request);
        let response = envelope::ok_encoded(messages::SEATS_FOUND, &list, accepted)?;
        let [identity, gzip] = etags;
        let etag = if ContentEncoding::of(&response) == ContentEncoding::Gzip { gzip } else { identity };
        Ok(if_none_match.cacheable_as(response, etag))
    }
}
