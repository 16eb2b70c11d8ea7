//! Events of one manager, including drafts and those that can be restored.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    event::{Events, Page, query_limit},
    event_record::EventRecord,
    expiry::{epoch_seconds, since_epoch},
    keys::MANAGER,
};
use domain::{
    error::Error,
    event::{Event, StatusFilter},
    instant::Instant,
    manager::EventScope,
};
use seating::seat_map::SeatMap;

/// Event of a manager.
#[derive(Clone, Debug)]
pub struct ManagedEvent {
    /// The event.
    pub event: Event,
    /// End of the time in which the event can be restored, if it is deleted.
    pub restorable_until: Option<Instant>,
}

impl Events {
    /// Lists at most `limit` events of a manager that were registered before `after`, newest first.
    ///
    /// Makes one query. It makes further ones after each megabyte of the manager's events, about 500 events, until the
    /// page is full.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn list_managed(
        &self,
        manager: Uuid,
        filter: StatusFilter,
        limit: usize,
        after: Option<Uuid>,
    ) -> Result<Page<Uuid, ManagedEvent>, Error> {
        // DynamoDB removes expired events late. It applies the limit before the filter, so a limit together with a
        // selective filter would take many queries.
        let query = self.table.client.query();
        let now = epoch_seconds(since_epoch()?);
        let query = match filter {
            StatusFilter::Live => query.filter_expression("attribute_exists(listing)"),
            StatusFilter::Draft => {
                query.filter_expression("attribute_exists(draft) AND attribute_not_exists(expiresAt)")
            }
            StatusFilter::Deleted => {
                query.filter_expression("expiresAt > :now").expression_attribute_values(":now", now)
            }
            StatusFilter::All => query
                .filter_expression("attribute_not_exists(expiresAt) OR expiresAt > :now")
                .expression_attribute_values(":now", now)
                .limit(query_limit(limit)?),
        };
        self.page(query, MANAGER, manager.to_string(), limit, after, ManagedEvent::from).await
    }
}

impl Events {
    /// Returns an event of a manager with its seats, also a draft, or one that can be restored.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, or only a draft of another manager, `PermissionDenied` if it belongs to
    /// another manager, `Database` if a query fails.
    pub async fn get_managed(&self, id: Uuid, manager: Uuid) -> Result<(ManagedEvent, SeatMap), Error> {
        let (record, seats) = self.read_with_seats(id).await?;
        if record.is_deleted() && !record.is_restorable(since_epoch()?) {
            return Err(Error::NoSuchEvent);
        }
        let found = ManagedEvent::from(record);
        EventScope::OfManager(manager).expect(&found.event)?;
        Ok((found, seats))
    }

    /// Returns an event that a manager may copy, with its seats.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if there is none, or if it is deleted or a draft of others, `PermissionDenied` if the
    /// scope excludes it, `Database` if a query fails.
    pub async fn get_for_copy(&self, id: Uuid, scope: EventScope) -> Result<(Event, SeatMap), Error> {
        let (record, seats) = self.read_with_seats(id).await?;
        if record.is_deleted() {
            return Err(Error::NoSuchEvent);
        }
        let event = record.into_event();
        scope.expect(&event)?;
        Ok((event, seats))
    }
}

impl From<EventRecord> for ManagedEvent {
    fn from(record: EventRecord) -> Self {
        let expires = record.expires_at.map(Duration::from_secs);
        let restorable_until = expires.and_then(|expires| Instant::from_nanos(expires.as_nanos()));
        Self { event: record.into_event(), restorable_until }
    }
}
