//! Removes expired posters; the table's stream invokes it.

use domain::{
    error::{Cause, Error},
    event::id_from_thumbnail,
};
use futures_util::future::join_all;
use serde_dynamo::AttributeValue;
use storage::{
    event::Events,
    keys::{self, PARTITION},
    poster::Posters,
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
}

impl Cleanup {
    /// Builds the function on its table and bucket.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing.
    pub async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        Ok(Self { events: Events::new(environment.table().await?), posters: environment.posters().await? })
    }

    /// Removes the poster of each expiry record that `DynamoDB` deleted because it expired.
    ///
    /// Skips other changes of the table. Returns the failed records, which Lambda retries.
    pub async fn handle(&self, event: StreamEvent) -> BatchResponse {
        let removals = event.records.iter().map(|record| self.remove_expired(record));
        BatchResponse { batch_item_failures: join_all(removals).await.into_iter().flatten().collect() }
    }

    async fn remove_expired(&self, record: &StreamRecord) -> Option<BatchItemFailure> {
        let thumbnail = expired_thumbnail(record)?;
        let error = self.remove(thumbnail).await.err()?;
        tracing::error!(thumbnail, cause = error.causes(), "failed to remove expired poster");
        Some(BatchItemFailure { item_identifier: record.change.sequence_number.clone() })
    }

    /// Removes a poster, unless it belongs to an event that is live, a draft, or restorable.
    ///
    /// Normally no such event exists, but a delayed write can store the expiry record after the event.
    async fn remove(&self, thumbnail: &str) -> Result<(), Error> {
        if let Some(event) = id_from_thumbnail(thumbnail)
            && self.events.thumbnail(event).await?.as_deref() == Some(thumbnail)
        {
            tracing::warn!(thumbnail, "expired poster still has an event");
            return Ok(());
        }
        self.posters.remove(thumbnail).await
    }
}

/// Returns the poster's file name if `DynamoDB` deleted its expiry record because it expired.
fn expired_thumbnail(record: &StreamRecord) -> Option<&str> {
    let UserIdentity { kind, principal_id } = record.user_identity.as_ref()?;
    let by_time_to_live = kind == "Service" && principal_id == "dynamodb.amazonaws.com";
    match record.change.keys.get(PARTITION) {
        Some(AttributeValue::S(partition)) if by_time_to_live && record.event_name == "REMOVE" => {
            keys::thumbnail(partition)
        }
        _ => None,
    }
}
