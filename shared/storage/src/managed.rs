//! Events of one manager, including those that can be restored.

use std::time::Duration;

use aws_sdk_dynamodb::types::AttributeValue;
use uuid::Uuid;

use crate::{
    event::{Events, index_position},
    event_record::EventRecord,
    expiry::{epoch_seconds, since_epoch},
    keys::{EXPIRES, MANAGER},
    table::{Item, failure},
};
use domain::{
    error::Error,
    event::{Event, StatusFilter},
    instant::Instant,
};

/// Event of a manager.
#[derive(Clone, Debug)]
pub struct ManagedEvent {
    /// The event.
    pub event: Event,
    /// End of the time in which the event can be restored, if it is deleted.
    pub restorable_until: Option<Instant>,
}

/// Page of a manager's events, newest first.
#[derive(Debug)]
pub struct ManagedPage {
    /// Events on the page.
    pub events: Vec<ManagedEvent>,
    /// Id of the last event, if more follow.
    pub next: Option<Uuid>,
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
    ) -> Result<ManagedPage, Error> {
        // One additional event shows that another page follows.
        let wanted = limit + 1;
        let manager = manager.to_string();
        let query = self
            .table
            .client
            .query()
            .table_name(&self.table.name)
            .index_name(MANAGER)
            .key_condition_expression("#manager = :manager")
            .expression_attribute_names("#manager", MANAGER)
            .expression_attribute_values(":manager", AttributeValue::S(manager.clone()))
            .expression_attribute_names("#expires", EXPIRES)
            .scan_index_forward(false)
            .set_exclusive_start_key(after.map(|id| index_position(MANAGER, manager, id)));
        // DynamoDB removes expired events late. It applies the limit before the filter, so a limit together with a
        // selective filter would take many queries.
        let now = epoch_seconds(since_epoch()?);
        let query = match filter {
            StatusFilter::Live => query.filter_expression("attribute_not_exists(#expires)"),
            StatusFilter::Deleted => {
                query.filter_expression("#expires > :now").expression_attribute_values(":now", now)
            }
            StatusFilter::All => query
                .filter_expression("attribute_not_exists(#expires) OR #expires > :now")
                .expression_attribute_values(":now", now)
                .limit(i32::try_from(wanted).map_err(Error::unexpected)?),
        };

        let mut items = query.into_paginator().items().send();
        let mut events = Vec::with_capacity(wanted);
        while events.len() < wanted
            && let Some(item) = items.next().await
        {
            events.push(managed_event(item.map_err(failure)?)?);
        }
        let has_more = events.len() == wanted;
        events.truncate(limit);
        let next = events.last().filter(|_| has_more).map(|last| last.event.id);
        Ok(ManagedPage { events, next })
    }
}

fn managed_event(item: Item) -> Result<ManagedEvent, Error> {
    let record = EventRecord::from_item(item)?;
    let expires = record.expires_at.map(Duration::from_secs);
    let restorable_until = expires.and_then(|expires| Instant::from_nanos(expires.as_nanos()));
    Ok(ManagedEvent { event: record.into_event(), restorable_until })
}
