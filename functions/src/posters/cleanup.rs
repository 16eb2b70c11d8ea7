//! Removes expired posters, and what remains of expired events; the table's stream invokes it.

use domain::{
    error::{Cause, Error},
    event::id_from_thumbnail,
};
use futures_util::future::join_all;
use serde_dynamo::AttributeValue;
use storage::{
    events::{event_store::Events, poster_store::Posters, removed_events::RemovedEvents},
    keys::{self, PARTITION, SORT},
};

use crate::{
    environment::Environment,
    posters::stream::{BatchItemFailure, BatchResponse, StreamEvent, StreamRecord, UserIdentity},
};

/// Function with its stores.
#[derive(Debug)]
pub struct Cleanup {
    events: Events,
    posters: Posters,
    removed_events: RemovedEvents,
}

impl Cleanup {
    /// Builds the function on its table and bucket.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing.
    pub async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let table = environment.table().await?;
        Ok(Self {
            events: Events::new(table.clone(), environment.clock()),
            posters: environment.posters().await?,
            removed_events: RemovedEvents::new(table),
        })
    }

    /// Removes the poster of each expiry record, and the remaining items of each event, that `DynamoDB` deleted because
    /// it expired.
    ///
    /// Skips other changes of the table. Returns the failed records, which Lambda retries.
    pub async fn handle(&self, event: StreamEvent) -> BatchResponse {
        let removals = event.records.iter().map(|record| self.remove_expired(record));
        BatchResponse { batch_item_failures: join_all(removals).await.into_iter().flatten().collect() }
    }

    async fn remove_expired(&self, record: &StreamRecord) -> Option<BatchItemFailure> {
        let [partition, sort] = expired_key(record)?;
        let removed = if let Some(thumbnail) = keys::thumbnail(partition) {
            self.remove_poster(thumbnail).await
        } else {
            // The chunks of its seat map have the same partition key.
            let event = keys::event_id(partition).filter(|_| sort == keys::EVENT_SORT)?;
            self.removed_events.remove(event).await
        };
        let error = removed.err()?;
        tracing::error!(partition, cause = error.causes(), "failed to remove what expired");
        Some(BatchItemFailure { item_identifier: record.change.sequence_number.clone() })
    }

    /// Removes a poster, unless it belongs to an event that is live, a draft, or restorable.
    ///
    /// Normally no such event exists, but a delayed write can store the expiry record after the event.
    async fn remove_poster(&self, thumbnail: &str) -> Result<(), Error> {
        if let Some(event) = id_from_thumbnail(thumbnail)
            && self.events.thumbnail(event).await?.as_deref() == Some(thumbnail)
        {
            tracing::warn!(thumbnail, "expired poster still has an event");
            return Ok(());
        }
        self.posters.remove(thumbnail).await
    }
}

/// Returns partition and sort key of an item that `DynamoDB` deleted because it expired.
fn expired_key(record: &StreamRecord) -> Option<[&str; 2]> {
    let UserIdentity { kind, principal_id } = record.user_identity.as_ref()?;
    let by_time_to_live = kind == "Service" && principal_id == "dynamodb.amazonaws.com";
    match [PARTITION, SORT].map(|name| record.change.keys.get(name)) {
        [Some(AttributeValue::S(partition)), Some(AttributeValue::S(sort))]
            if by_time_to_live && record.event_name == "REMOVE" =>
        {
            Some([partition, sort])
        }
        _ => None,
    }
}
