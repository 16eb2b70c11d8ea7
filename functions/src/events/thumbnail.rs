//! Replaces the poster of an event, live or a draft: `PUT /api/v1/events/{eventId}/thumbnail`.

use api::{envelope::Response, error::Error, form, if_match::expected_version, messages, request};
use domain::{
    error::{Cause, Error as DomainError},
    event::{EventPatch, new_thumbnail},
    event_change::Edit,
    notice::Telling,
    poster::Poster,
};
use lambda_http::Request;
use storage::events::{event_store::Events, poster_expiry::PosterExpiry, poster_store::Posters};

use crate::{caller::EventManager, environment::Environment, events::edit_request::edited_event, operation::Operation};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct ReplaceThumbnail {
    events: Events,
    posters: Posters,
    poster_expiry: PosterExpiry,
}

/// Replaces the poster of an event.
///
/// It gets a new file name; the old poster can be loaded for another day.
#[utoipa::path(
    put,
    path = "/api/v1/events/{eventId}/thumbnail",
    operation_id = "events-thumbnail",
    params(("If-Match", Header)),
    request_body(content = ref("ThumbnailForm"), content_type = "multipart/form-data"),
    responses((status = 200, description = "The event as it is now.", body = ref("EventSummary"))),
)]
pub fn operation() {}

impl Operation for ReplaceThumbnail {
    type Caller = EventManager;

    async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let (table, posters) = (environment.table().await?, environment.posters().await?);
        Ok(Self {
            events: Events::new(table.clone(), environment.clock()),
            posters,
            poster_expiry: PosterExpiry::new(table),
        })
    }

    async fn handle(&self, EventManager(scope): EventManager, request: Request) -> Result<Response, Error> {
        use DomainError::{NoSuchEvent, PermissionDenied, PosterExpired, PreconditionFailed};
        let id = request::event_id(&request);
        form::expect_form(&request)?;
        let expected = expected_version(&request)?;
        let [part] = form::parts(request, ["thumbnail"]).await?;
        let poster = Poster::read(&part.content).map_err(DomainError::Poster)?;
        let id = id?;

        // An edit that changes nothing: it rejects what the later edit would reject, before a poster is stored.
        self.events.edit(id, scope, &expected, Edit::Fields(&EventPatch::default()), Telling::Nobody).await?;

        let thumbnail = new_thumbnail(id, poster.format());
        self.poster_expiry.schedule(&thumbnail).await?;
        self.posters.put(&thumbnail, &poster).await?;
        let patch = EventPatch { thumbnail: Some(thumbnail.clone()), ..EventPatch::default() };
        let edited = self.events.edit(id, scope, &expected, Edit::Fields(&patch), Telling::Nobody).await;
        if let Err(NoSuchEvent | PermissionDenied | PreconditionFailed | PosterExpired) = edited
            && let Err(error) = self.posters.remove(&thumbnail).await
        {
            tracing::warn!(thumbnail, cause = error.causes(), "failed to remove poster of rejected replacement");
        }
        edited_event(&edited?, messages::EVENT_EDITED)
    }
}
