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
use storage::events::{event_store::Events, idempotency_claims::ClaimOutcome};

use crate::{
    caller::Manager,
    environment::Environment,
    events::{
        edit_request::RESERVED_FOR_EDITS,
        event_response::EventDetail,
        registrar::{PosterSource, Registrar},
        registration::Registration,
    },
    operation::Operation,
};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct Create {
    events: Events,
    registrar: Registrar,
}

/// Registers an event.
///
/// Stores the event and its poster, and returns the event with the ids that the service assigned. An event whose
/// response would be too large is rejected and not stored. With `published: false` it is a draft, which only its
/// manager can read.
///
/// - The poster is served at `/upload/<thumbnail>`, and never changes. Its metadata is removed: EXIF except the
///   orientation, XMP, IPTC, comments, data of other programs, and data after the end, such as a video or a gain map.
/// - Optional fields may also be null or blank.
/// - `docs/front-end.md` says which values of `totalMap` and `areaMap` are accepted. Elements nest at most 100 deep;
///   images have at most 4,096 pixels a side, and 16,777,216 in a drawing.
#[utoipa::path(
    post,
    path = "/api/v1/events",
    operation_id = "events-create",
    params(("x-api-managerId", Header), ("Idempotency-Key", Header)),
    request_body(content = ref("CreateForm"), content_type = "multipart/form-data"),
    responses((status = 201, description = "The event is registered.", body = ref("EventDetail"))),
    extensions(("x-failures" = json!(["C_001", "C_002", "C_010", "E_001"]))),
)]
pub fn operation() {}

impl Operation for Create {
    type Caller = Manager;

    const NEGOTIATES_ENCODING: bool = true;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self {
            events: Events::new(environment.table().await?, environment.clock()),
            registrar: Registrar::new(environment).await?,
        })
    }

    async fn handle(&self, Manager(manager): Manager, request: Request) -> Result<Response, Error> {
        let accepted = ContentEncoding::accepted_by(&request);
        form::expect_form(&request)?;
        let key = request::idempotency_key(&request)?;
        let [fields, thumbnail] = form::parts(request, ["request", "thumbnail"]).await?;
        let Registration { details, shows, published, seat_map } = registration(&fields)?;
        let poster = Poster::read(&thumbnail.content).map_err(DomainError::Poster)?;
        let event = Event::register(manager, details, &shows, published, poster.format());

        let response = created(&event, &seat_map, accepted, RESERVED_FOR_EDITS)?;
        let source = PosterSource::Sent(&poster);
        let Some(key) = key else {
            self.registrar.schedule(&event).await?;
            self.registrar.store(&event, &seat_map, source, None).await?;
            return Ok(response);
        };
        let fingerprint = Fingerprint::new(&[&fields.content, &thumbnail.content]);
        // Boxed, because two simultaneous calls would make a large future.
        let claiming = Box::pin(self.registrar.claim(manager, None, &key, fingerprint));
        let scheduling = Box::pin(self.registrar.schedule(&event));
        let (claimed, scheduled) = join(claiming, scheduling).await;
        match claimed? {
            ClaimOutcome::Completed(id) => {
                let (event, seats) = self.events.get_including_deleted(id).await?;
                created(&event, &seats, accepted, 0)
            }
            ClaimOutcome::Acquired(claim) => {
                if let Err(error) = scheduled {
                    self.registrar.release(&claim).await;
                    return Err(error.into());
                }
                self.registrar.store(&event, &seat_map, source, Some(&claim)).await?;
                Ok(response)
            }
        }
    }
}

/// Reads the event in the part `request`; its inflated JSON is freed afterwards.
fn registration(fields: &Part) -> Result<Registration, Error> {
    Registration::parse(&fields.inflated()?)
}

fn created(event: &Event, seats: &SeatMap, accepted: ContentEncoding, reserved: usize) -> Result<Response, Error> {
    let location = format!("/api/v1/events/{}", event.id);
    let detail = EventDetail::new(event, seats);
    envelope::created_encoded(&location, messages::EVENT_CREATED, &detail, accepted, reserved)
}
