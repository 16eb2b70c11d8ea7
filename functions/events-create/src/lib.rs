//! Registers an event: `POST /api/v1/events`.

use lambda_http::Request;
use shared::{
    domain::{
        error::Error,
        event::{Draft, Event},
        poster::Poster,
        seat_map::SeatMap,
    },
    http::{
        envelope::{self, Reply},
        event::{CreateRequest, EventDetail},
        json, messages, request,
        serve::Handler,
    },
    store::{event::Events, poster::Posters},
};

/// The endpoint, with what it works on.
#[derive(Debug)]
pub struct Create {
    /// Where events are kept.
    pub events: Events,
    /// Where their posters are kept.
    pub posters: Posters,
}

impl Handler for Create {
    async fn handle(&self, request: Request) -> Result<Reply, Error> {
        let manager = request::manager(&request)?;
        let [fields, thumbnail] = request::form(request, ["request", "thumbnail"]).await?;
        let Draft { details, seat_map } = json::object::<CreateRequest>(&fields)?.try_into()?;
        let poster = Poster::read(thumbnail).map_err(Error::Poster)?;
        let event = Event::register(manager, details, poster.format());

        let location = format!("/api/v1/events/{}", event.id);
        let detail = EventDetail::from((&event, &seat_map));
        let reply = envelope::created(&location, messages::EVENT_CREATED, &detail)?;
        let summary = serde_json::to_string(&detail.summary).map_err(Error::unexpected)?;
        self.store(&event, summary, &seat_map, &poster).await?;
        Ok(reply)
    }
}

impl Create {
    /// Stores the poster, then the records; so whoever sees the event sees its poster.
    async fn store(
        &self,
        event: &Event,
        summary: String,
        seats: &SeatMap,
        poster: &Poster,
    ) -> Result<(), Error> {
        self.posters.put(&event.thumbnail, poster).await?;
        let added = self.events.add(event, summary, seats).await;
        // Only a refusal is sure to have stored no record that shows the poster.
        if let Err(Error::AlreadyRegistered) = added
            && let Err(error) = self.posters.remove(&event.thumbnail).await
        {
            tracing::warn!(thumbnail = event.thumbnail, cause = ?error, "a poster is left behind");
        }
        added
    }
}
