//! Events of one manager, including drafts and those that can be restored.

use domain::{error::Error, event::StatusFilter};
use uuid::Uuid;

use crate::{
    event::{Events, Page, query_limit},
    expiry::epoch_seconds,
    keys::MANAGER,
};

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
}
