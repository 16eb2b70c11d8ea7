//! Registers an event: `POST /api/v1/events`.

use api::{
    content_encoding::ContentEncoding,
    envelope::{self, Response},
    error::Error,
    form, messages,
    multipart::Part,
    request,
};
use domain::{
    error::{Cause, Error as DomainError},
    event::Event,
    idempotency::Fingerprint,
    poster::Poster,
};
use futures_util::future::join;
use lambda_http::Request;
use seating::seat_map::SeatMap;
use storage::{
    event::Events,
    idempotency::{Claim, ClaimOutcome, IdempotencyKeys},
    poster::Posters,
    poster_expiry::PosterExpiry,
};
use uuid::Uuid;

use crate::{
    caller::Manager, environment::Environment, events::change::RESERVED_FOR_EDITS, events::event::EventDetail,
    events::registration::Draft, operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Create {
    events: Events,
    idempotency: IdempotencyKeys,
    posters: Posters,
    poster_expiry: PosterExpiry,
}

/// Registers an event.
///
/// Stores the event and its poster, and returns the event with the ids that the service assigned. An event whose
/// response would be too large is rejected and not stored.
#[utoipa::path(
    post,
    path = "/api/v1/events",
    operation_id = "events-create",
    params(("x-api-managerId", Header), ("Idempotency-Key", Header)),
    request_body(content = ref("CreateForm"), content_type = "multipart/form-data"),
    responses((
        status = 201,
        description = "The event is registered.",
        body = ref("EventDetail"),
        headers(("Location"), ("Content-Encoding")),
    )),
    extensions(("x-failures" = json!([
        "C_001", "C_002", "C_004", "C_005", "C_006", "C_007", "C_010", "C_011", "AM_001", "AM_002", "E_001", "S_002"
    ]))),
)]
pub fn operation() {}

impl Operation for Create {
    type Caller = Manager;

    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let table = environment.table().await?;
        Ok(Self {
            events: Events::new(table.clone()),
            idempotency: IdempotencyKeys::new(table.clone()),
            posters: environment.posters().await?,
            poster_expiry: PosterExpiry::new(table),
        })
    }

    async fn handle(&self, Manager(manager): Manager, request: Request) -> Result<Response, Error> {
        let accepted = ContentEncoding::accepted_by(&request);
        form::expect_form(&request)?;
        let key = request::idempotency_key(&request)?;
        let [fields, thumbnail] = form::parts(request, ["request", "thumbnail"]).await?;
        let Draft { details, shows, seat_map } = draft(&fields)?;
        let poster = Poster::read(thumbnail.content.clone()).map_err(DomainError::Poster)?;
        let event = Event::register(manager, details, &shows, poster.format());

        let response = created(&event, &seat_map, accepted, RESERVED_FOR_EDITS)?;
        let Some(key) = key else {
            self.poster_expiry.schedule(&event.thumbnail).await?;
            self.store(&event, &seat_map, &poster, None).await?;
            return Ok(response);
        };
        let fingerprint = Fingerprint::new(&[&fields.content, &thumbnail.content]);
        // Boxed, because two simultaneous calls would make a large future.
        let claiming = Box::pin(self.idempotency.claim(manager, &key, fingerprint));
        let scheduling = Box::pin(self.poster_expiry.schedule(&event.thumbnail));
        let (claimed, scheduled) = join(claiming, scheduling).await;
        match claimed? {
            ClaimOutcome::Completed(id) => self.repeat(id, accepted).await,
            ClaimOutcome::Acquired(claim) => {
                if let Err(error) = scheduled {
                    self.release(&claim).await;
                    return Err(error.into());
                }
                self.store(&event, &seat_map, &poster, Some(&claim)).await?;
                Ok(response)
            }
        }
    }
}

impl Create {
    /// Stores the poster, then the items, so that every visible event has its poster.
    ///
    /// Releases the claim if it is certain that no item was stored.
    async fn store(
        &self,
        event: &Event,
        seats: &SeatMap,
        poster: &Poster,
        claim: Option<&Claim>,
    ) -> Result<(), DomainError> {
        use DomainError::{AlreadyRegistered, InProgress, PosterExpired, PosterStorage, TooManyShows};
        let stored = match self.posters.put(&event.thumbnail, poster).await {
            Ok(()) => self.events.add(event, seats, claim).await,
            Err(error) => Err(error),
        };
        if let Err(AlreadyRegistered | TooManyShows | InProgress | PosterExpired) = stored
            && let Err(error) = self.posters.remove(&event.thumbnail).await
        {
            tracing::warn!(
                thumbnail = event.thumbnail,
                cause = error.causes(),
                "failed to remove poster of rejected event"
            );
        }
        if let (Err(AlreadyRegistered | TooManyShows | PosterExpired | PosterStorage(_)), Some(claim)) =
            (&stored, claim)
        {
            self.release(claim).await;
        }
        stored
    }

    async fn release(&self, claim: &Claim) {
        if let Err(error) = self.idempotency.release(claim).await {
            tracing::warn!(cause = error.causes(), "failed to release idempotency key");
        }
    }

    /// Repeats the first response of a registration, even if the event was deleted since.
    async fn repeat(&self, id: Uuid, accepted: ContentEncoding) -> Result<Response, Error> {
        let (event, seats) = self.events.get_including_deleted(id).await?;
        created(&event, &seats, accepted, 0)
    }
}

/// Reads the event in the part `request`; its inflated JSON is freed afterwards.
fn draft(fields: &Part) -> Result<Draft, Error> {
    Draft::parse(&fields.inflated()?)
}

fn created(event: &Event, seats: &SeatMap, accepted: ContentEncoding, reserved: usize) -> Result<Response, Error> {
    let location = format!("/api/v1/events/{}", event.id);
    let detail = EventDetail::new(event, seats);
    envelope::created_encoded(&location, messages::EVENT_CREATED, &detail, accepted, reserved)
}
