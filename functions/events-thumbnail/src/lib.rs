//! Replaces the poster of a live event: `PUT /api/v1/events/{eventId}/thumbnail`.

use api::{edit, envelope::Response, error::Error, form::FormRequest, manager, request, serve::Handler};
use domain::{error::Error as DomainError, event::new_thumbnail, manager::Authentication, poster::Poster};
use lambda_http::Request;
use storage::{edit::Edit, event::Events, poster::Posters, poster_expiry::PosterExpiry, table::Table};

/// Endpoint with its stores.
#[derive(Debug)]
pub struct ReplaceThumbnail {
    events: Events,
    posters: Posters,
    poster_expiry: PosterExpiry,
    managers: Authentication,
}

impl ReplaceThumbnail {
    /// Builds the endpoint on a table and a bucket; verified managers change only their own events.
    #[must_use]
    pub fn new(table: Table, posters: Posters, managers: Authentication) -> Self {
        Self { events: Events::new(table.clone()), posters, poster_expiry: PosterExpiry::new(table), managers }
    }
}

impl Handler for ReplaceThumbnail {
    async fn handle(&self, request: Request) -> Result<Response, Error> {
        use DomainError::{NoSuchEvent, PermissionDenied, PosterExpired, PreconditionFailed};
        let owner = manager::owner(&request, self.managers)?;
        let id = request::event_id(&request);
        let form = FormRequest::new(request)?;
        let if_match = form.if_match()?;
        let [part] = form.parts(["thumbnail"]).await?;
        let poster = Poster::read(part.content).map_err(DomainError::Poster)?;
        let id = id?;

        // An edit that changes nothing: it rejects what the later edit would reject, before a poster is stored.
        let unchanged = |summary: &str, _| edit::expect_match(if_match.as_ref(), summary).map(|()| None);
        self.events.edit(id, owner, &unchanged).await?;

        let thumbnail = new_thumbnail(id, poster.format());
        self.poster_expiry.schedule(&thumbnail).await?;
        self.posters.put(&thumbnail, &poster).await?;
        let replaced = |summary: &str, _| {
            edit::expect_match(if_match.as_ref(), summary)?;
            let edited = edit::replace_thumbnail(summary, &thumbnail)?;
            Ok(edited.map(|(summary, details)| Edit { summary, details, thumbnail: Some(thumbnail.clone()) }))
        };
        let edited = self.events.edit(id, owner, &replaced).await;
        if let Err(NoSuchEvent | PermissionDenied | PreconditionFailed | PosterExpired) = edited
            && let Err(error) = self.posters.remove(&thumbnail).await
        {
            tracing::warn!(thumbnail, cause = error.causes(), "failed to remove poster of rejected replacement");
        }
        edit::edited(&edited?)
    }
}
