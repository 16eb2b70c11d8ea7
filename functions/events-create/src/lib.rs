//! Registers an event: `POST /api/v1/events`.

use futures_util::future::join;
use lambda_http::Request;
use shared::{
    domain::{
        error::Error,
        event::{Draft, Event},
        idempotency::Fingerprint,
        manager::Verification,
        poster::Poster,
        seat_map::SeatMap,
    },
    http::{
        envelope::{self, Reply},
        event::{CreateRequest, EventDetail},
        json, messages,
        request::{self, FormRequest},
        serve::Handler,
        view,
    },
    store::{
        event::Events,
        idempotency::{Claim, Claimed},
        poster::Posters,
    },
};
use uuid::Uuid;

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Create {
    /// Where events are kept.
    pub events: Events,
    /// Where their posters are kept.
    pub posters: Posters,
    /// Whether managers have to prove who they are.
    pub managers: Verification,
}

impl Handler for Create {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let manager = request::manager(&request, self.managers)?;
        let form = FormRequest::new(request)?;
        let key = form.idempotency_key()?;
        let [fields, thumbnail] = form.parts(["request", "thumbnail"]).await?;
        let Draft { details, seat_map } = json::object::<CreateRequest>(&fields)?.try_into()?;
        let poster = Poster::read(thumbnail.clone()).map_err(Error::Poster)?;
        let event = Event::register(manager, details, poster.format());

        let detail = EventDetail::from((&event, &seat_map));
        let reply = envelope::created(&location(event.id), messages::EVENT_CREATED, &detail)?;
        let summary = serde_json::to_string(&detail.summary).map_err(Error::unexpected)?;
        let Some(key) = key else {
            self.events.expect_poster(&event.thumbnail).await?;
            self.store(&event, summary, &seat_map, &poster, None).await?;
            return Ok(reply);
        };
        let fingerprint = Fingerprint::of(&[&fields, &thumbnail]);
        // Boxed, since two calls at once would make this a large future.
        let claiming = Box::pin(self.events.claim(manager, &key, fingerprint));
        let expecting = Box::pin(self.events.expect_poster(&event.thumbnail));
        let (claimed, expected) = join(claiming, expecting).await;
        match claimed? {
            Claimed::Done(id) => self.repeat(id).await,
            Claimed::First(claim) => {
                if let Err(error) = expected {
                    self.release(&claim).await;
                    return Err(error);
                }
                self.store(&event, summary, &seat_map, &poster, Some(&claim)).await?;
                Ok(reply)
            }
        }
    }
}

impl Create {
    /// Stores the poster, then the records; so whoever sees the event sees its poster.
    ///
    /// What is sure to have stored no record gives up the claim. Anything else may have stored them.
    async fn store(
        &self,
        event: &Event,
        summary: String,
        seats: &SeatMap,
        poster: &Poster,
        claim: Option<&Claim>,
    ) -> Result<(), Error> {
        let stored = match self.posters.put(&event.thumbnail, poster).await {
            Ok(()) => self.events.add(event, summary, seats, claim).await,
            Err(error) => Err(error),
        };
        if let Err(Error::AlreadyRegistered | Error::InProgress | Error::PosterExpired) = stored
            && let Err(error) = self.posters.remove(&event.thumbnail).await
        {
            tracing::warn!(
                thumbnail = event.thumbnail,
                cause = error.causes(),
                "a poster is left until it expires"
            );
        }
        if let (Err(Error::AlreadyRegistered | Error::PosterExpired | Error::PosterStorage(_)), Some(claim)) =
            (&stored, claim)
        {
            self.release(claim).await;
        }
        stored
    }

    /// Gives up the claim of a request that stored no record.
    async fn release(&self, claim: &Claim) {
        if let Err(error) = self.events.release(claim).await {
            tracing::warn!(cause = error.causes(), "an idempotency key is held until its claim lapses");
        }
    }

    /// Answers again what was answered when the event was registered, whatever became of it.
    async fn repeat(&self, id: Uuid) -> Result<Reply, Error> {
        let (summary, seats) = self.events.get_even_if_deleted(id).await?;
        let detail = view::detail(id, &summary, &seats)?;
        envelope::created_json(&location(id), messages::EVENT_CREATED, &detail)
    }
}

fn location(event: Uuid) -> String {
    format!("/api/v1/events/{event}")
}
