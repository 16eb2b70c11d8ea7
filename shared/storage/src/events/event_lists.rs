//! Lists of events: the live ones, and those of one manager, also drafts and those that can be restored.

use aws_sdk_dynamodb::operation::query::builders::QueryFluentBuilder;
use domain::{
    error::Error,
    event::{Event, StatusFilter},
};
use uuid::Uuid;

use crate::{
    events::{event_record::EventRecord, event_store::Events},
    keys::{self, LISTING, LISTING_SORT, LIVE, MANAGER},
    table::{epoch_seconds, failure, from_item, text},
};

/// Page of a list of events.
#[derive(Debug)]
pub struct Page<P> {
    /// Events on the page, each with its position in the list.
    pub events: Vec<(P, Event)>,
    /// Position after which the next page begins, if more events follow.
    pub next: Option<P>,
}

impl Events {
    /// Lists at most `limit` live events that were registered before `after`, newest first.
    ///
    /// Makes one query for each started megabyte of the page.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a query fails.
    pub async fn list(&self, limit: usize, after: Option<Uuid>) -> Result<Page<Uuid>, Error> {
        let query = self.table.client.query().limit(query_limit(limit)?);
        self.page(query, LISTING, LIVE.to_owned(), limit, after).await
    }

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
    ) -> Result<Page<Uuid>, Error> {
        // DynamoDB removes expired events late. It applies the limit before the filter, so a limit together with a
        // selective filter would take many queries.
        let query = self.table.client.query();
        let now = epoch_seconds(self.clock.now());
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
        self.page(query, MANAGER, manager.to_string(), limit, after).await
    }

    /// Reads a page of a partition of an index, newest registration first.
    ///
    /// The index has the name of its partition key. `query` has at most a filter and a limit.
    async fn page(
        &self,
        query: QueryFluentBuilder,
        index: &str,
        partition: String,
        limit: usize,
        after: Option<Uuid>,
    ) -> Result<Page<Uuid>, Error> {
        // The position is also valid if the event has left the partition.
        let position = |id| {
            let mut position = keys::event(id).attributes();
            position.extend([(index.to_owned(), text(&partition)), (LISTING_SORT.to_owned(), text(id))]);
            position
        };
        let mut items = query
            .table_name(&self.table.name)
            .index_name(index)
            .key_condition_expression(format!("{index} = :partition"))
            .expression_attribute_values(":partition", text(&partition))
            .scan_index_forward(false)
            .set_exclusive_start_key(after.map(position))
            .into_paginator()
            .items()
            .send();
        let mut events = Vec::with_capacity(limit);
        while let Some(item) = items.next().await {
            if events.len() == limit {
                return Ok(Page { next: events.last().map(|(id, _)| *id), events });
            }
            let record: EventRecord = from_item(item.map_err(failure)?)?;
            events.push((record.id, record.into_event()));
        }
        Ok(Page { events, next: None })
    }
}

/// Limit of the query for a page; one additional event shows that another page follows.
fn query_limit(limit: usize) -> Result<i32, Error> {
    i32::try_from(limit + 1).map_err(Error::unexpected)
}
