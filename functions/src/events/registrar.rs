//! Storing of new events with their posters.

use domain::{
    error::{Cause, Error},
    event::Event,
    idempotency::{Fingerprint, IdempotencyKey},
    poster::Poster,
};
use seating::seat_map::SeatMap;
use storage::events::{
    event_store::Events,
    idempotency_claims::{Claim, ClaimOutcome, IdempotencyKeys},
    poster_expiry::PosterExpiry,
    poster_store::Posters,
};
use uuid::Uuid;

use crate::environment::Environment;

/// Stores of what a new event consists of.
#[derive(Debug)]
pub struct Registrar {
    events: Events,
    idempotency: IdempotencyKeys,
    posters: Posters,
    poster_expiry: PosterExpiry,
}

/// Source of the poster of a new event.
#[derive(Clone, Copy)]
pub enum PosterSource<'a> {
    /// The request.
    Sent(&'a Poster),
    /// The stored poster with this file name.
    Copied(&'a str),
}

impl Registrar {
    /// Opens the stores.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    pub async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let table = environment.table().await?;
        Ok(Self {
            events: Events::new(table.clone(), environment.clock()),
            idempotency: IdempotencyKeys::new(table.clone()),
            posters: environment.posters().await?,
            poster_expiry: PosterExpiry::new(table),
        })
    }

    /// Claims a manager's key for a registration, or for a copy of an event.
    ///
    /// # Errors
    ///
    /// Returns those of [`IdempotencyKeys::claim`].
    pub async fn claim(
        &self,
        manager: Uuid,
        original: Option<Uuid>,
        key: &IdempotencyKey,
        fingerprint: Fingerprint,
    ) -> Result<ClaimOutcome, Error> {
        self.idempotency.claim(manager, original, key, fingerprint).await
    }

    /// Gives up the claim of a request that stores nothing.
    pub async fn release(&self, claim: &Claim) {
        if let Err(error) = self.idempotency.release(claim).await {
            tracing::warn!(cause = error.causes(), "failed to release idempotency key");
        }
    }

    /// Makes the poster of an event expire, unless the event is stored. Must be called before [`store`](Self::store).
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn schedule(&self, event: &Event) -> Result<(), Error> {
        self.poster_expiry.schedule(&event.thumbnail).await
    }

    /// Stores the poster, then the items, so that every visible event has its poster.
    ///
    /// Releases the claim if it is certain that no item was stored.
    ///
    /// # Errors
    ///
    /// Returns those of [`Events::add`], and `PosterStorage`.
    pub async fn store(
        &self,
        event: &Event,
        seats: &SeatMap,
        poster: PosterSource<'_>,
        claim: Option<&Claim>,
    ) -> Result<(), Error> {
        use Error::{AlreadyRegistered, InProgress, PosterExpired, PosterStorage, TooManyShows};
        let has_poster = match poster {
            PosterSource::Sent(poster) => self.posters.put(&event.thumbnail, poster).await,
            PosterSource::Copied(from) => self.posters.copy(from, &event.thumbnail).await,
        };
        let stored = match has_poster {
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
}
