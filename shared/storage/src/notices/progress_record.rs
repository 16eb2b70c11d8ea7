//! Items with the progress of sending a notice to the buyers of a show.
//!
//! Only the sender writes them, under the condition that nobody else did since the read. Without an item, the sending
//! has not begun.

use domain::{
    error::Error,
    notice::{Batch, BuyerNotice, Counts, NoticeStatus, Progress, RETENTION},
    show::ShowId,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    items::Items,
    keys,
    table::{from_item, to_item},
    write::Write,
};

/// Progress as it was read, with its owner.
#[derive(Clone, Debug, Default)]
pub(crate) struct StoredProgress {
    pub progress: Progress,
    /// Execution that sends; `None` if the sending has not begun.
    pub owner: Option<String>,
    version: u64,
}

/// Attributes of the progress, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProgressRecord {
    status: String,
    pass: u32,
    position: u32,
    buyers: u32,
    sent: u32,
    failed: u32,
    /// Members of the batch that is not completed.
    #[serde(skip_serializing_if = "Option::is_none")]
    batch: Option<Vec<Uuid>>,
    /// Number of the seat after the batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    end: Option<u32>,
    owner: String,
    version: u64,
    expires_at: u64,
}

impl StoredProgress {
    /// Returns the progress of a notice among these items.
    pub fn take(items: &mut Items, notice: Uuid, show: ShowId) -> Result<Self, Error> {
        let Some(item) = items.take(&keys::progress(notice, show)) else { return Ok(Self::default()) };
        let record: ProgressRecord = from_item(item)?;
        let status = NoticeStatus::from_name(&record.status);
        let progress = Progress {
            status: status.ok_or_else(|| Error::unexpected("progress of unknown status"))?,
            pass: record.pass,
            position: record.position,
            counts: Counts { buyers: record.buyers, sent: record.sent, failed: record.failed },
            batch: record.batch.map(|members| Batch { members, end: record.end.unwrap_or(record.position) }),
        };
        Ok(Self { progress, owner: Some(record.owner), version: record.version })
    }

    /// Builds the write that replaces the progress, if it is as it was read, and returns it with the new progress.
    pub fn replace(
        &self,
        notice: &BuyerNotice,
        show: Uuid,
        owner: &str,
        progress: Progress,
    ) -> Result<(Write, Self), Error> {
        let Progress { status, pass, position, counts, batch } = progress.clone();
        let (batch, end) = batch.map(|batch| (batch.members, batch.end)).unzip();
        let record = ProgressRecord {
            status: status.name().to_owned(),
            pass,
            position,
            buyers: counts.buyers,
            sent: counts.sent,
            failed: counts.failed,
            batch,
            end,
            owner: owner.to_owned(),
            version: self.version + 1,
            expires_at: (notice.created() + RETENTION).as_secs(),
        };
        let put = Write::put(keys::progress(notice.id, ShowId { event: notice.event, show }), to_item(&record)?);
        Ok((put.if_version(self.version), Self { progress, owner: Some(owner.to_owned()), version: self.version + 1 }))
    }
}
