//! Copies an event: `POST /api/v1/events/{eventId}/copies`.

use api::{
    envelope::{self, Response},
    error::Error,
    messages, request,
};
use domain::{
    error::{Cause, Error as DomainError},
    event::Event,
    idempotency::Fingerprint,
};
use lambda_http::Request;
use storage::events::{
    event_store::Events,
    idempotency_claims::{Claim, ClaimOutcome},
};
use uuid::Uuid;

use crate::{
    caller::{EventManager, Manager},
    environment::Environment,
    events::{
        copy_request::CopyRequest,
        event_response::EventSummary,
        registrar::{PosterSource, Registrar},
    },
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Copy {
    events: Events,
    registrar: Registrar,
}

/// Copies an event.
///
/// Registers a new event with the hall and the poster of another one. Fields that are missing are those of the
/// original; `published` is true unless it is given. `prices` has new prices of areas, by their labels. The owner may
/// copy an event; where managers are not verified, everyone may copy a published one.
///
/// - Null or a blank text removes an optional field; send `address` too if the place differs. `totalMap`, `areas` and
///   `thumbnail` are ignored. A label in `prices` that the original does not have is `C_001` at `prices.<label>`.
#[utoipa::path(
    post,
    path = "/api/v1/events/{eventId}/copies",
    operation_id = "events-copy",
    params(("x-api-managerId", Header), ("Idempotency-Key", Header)),
    request_body = ref("CopyRequest"),
    responses((status = 201, description = "The copy is registered.", body = ref("EventSummary"))),
    extensions(("x-failures" = json!(["C_010", "E_001", "S_002"]))),
)]
pub fn operation() {}

impl Operation for Copy {
    type Caller = (Manager, EventManager);

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self {
            events: Events::new(environment.table().await?, environment.clock()),
            registrar: Registrar::new(environment).await?,
        })
    }

    async fn handle(&self, caller: (Manager, EventManager), request: Request) -> Result<Response, Error> {
        let body = request::json_body(&request)?;
        let key = request::idempotency_key(&request)?;
        let copy = CopyRequest::parse(body)?;
        let original = request::event_id(&request)?;
        let Some(key) = key else { return self.copy(caller, original, &copy, None).await };
        let (Manager(manager), _) = caller;
        match self.registrar.claim(manager, Some(original), &key, Fingerprint::new(&[body])).await? {
            ClaimOutcome::Completed(id) => created(&self.events.get_including_deleted(id).await?.0),
            ClaimOutcome::Acquired(claim) => self.copy(caller, original, &copy, Some(&claim)).await,
        }
    }
}

impl Copy {
    /// Stores the copy. Releases the claim if it is certain that nothing was stored.
    async fn copy(
        &self,
        (Manager(manager), EventManager(scope)): (Manager, EventManager),
        original: Uuid,
        copy: &CopyRequest<'_>,
        claim: Option<&Claim>,
    ) -> Result<Response, Error> {
        let prepared = async {
            let (original, hall) = self.events.get_with_seats(original, scope).await?;
            let hall = hall.with_prices(&copy.prices).map_err(DomainError::NoSuchAreas)?;
            let event = original.copied(manager, &copy.patch, &copy.shows);
            self.registrar.schedule(&event).await?;
            Ok((original, hall, event))
        };
        let (original, hall, event) = match prepared.await {
            Ok(prepared) => prepared,
            Err(error) => {
                if let Some(claim) = claim {
                    self.registrar.release(claim).await;
                }
                return Err(copy.name_areas(error));
            }
        };
        let response = created(&event)?;
        self.registrar.store(&event, &hall, PosterSource::Copied(&original.thumbnail), claim).await?;
        Ok(response)
    }
}

fn created(event: &Event) -> Result<Response, Error> {
    envelope::created(&format!("/api/v1/events/{}", event.id), messages::EVENT_CREATED, &EventSummary::from(event))
}
