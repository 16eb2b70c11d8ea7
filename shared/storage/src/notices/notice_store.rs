//! Notices to buyers, for managers.

use std::time::Duration;

use domain::{
    clock::{Clock, milliseconds},
    error::Error,
    event::Event,
    idempotency::{Fingerprint, IdempotencyKey},
    manager::EventScope,
    notice::{self, BuyerNotice, MAX_LISTED, Message, Progress, Telling, WINDOW},
    show::{Show, ShowId},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    events::event_record::EventRecord,
    items::Items,
    keys,
    notices::{
        notice_record::{put_notice, read_notice},
        progress_record::StoredProgress,
    },
    request_key::{RequestKey, RequestKeyRecord, earlier_result},
    table::{Table, failure, from_item, text, to_item},
    transaction::{Transaction, TransactionError, until_decided},
    write::Write,
};

/// Store of the notices.
#[derive(Clone, Debug)]
pub struct Notices {
    table: Table,
    clock: Clock,
}

/// Message of a manager that is not sent yet.
#[derive(Debug)]
pub struct NewMessage {
    /// Manager who sends it, by whom idempotency keys are told apart.
    pub manager: Uuid,
    /// Text.
    pub text: Message,
    /// Key that makes a repetition safe, with the content of the request.
    pub key: Option<(IdempotencyKey, Fingerprint)>,
}

/// Item with the times of the last messages of a show, which docs/data.md describes.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MessagesRecord {
    version: u64,
    /// Times in milliseconds.
    times: Vec<u64>,
    expires_at: u64,
}

impl Notices {
    /// Opens the notices in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { table, clock }
    }

    /// Adds a message to the buyers of a show, and returns its id; makes a read and a transaction.
    ///
    /// # Errors
    ///
    /// Adds nothing and returns the first that applies: `NoSuchEvent` if no published event has the show,
    /// `PermissionDenied` if it is out of the scope, `NoMail`, `KeyReused`, `TooManyNotices`. Returns `Database` if the
    /// outcome is unknown.
    pub async fn add_message(
        &self,
        show: ShowId,
        scope: EventScope,
        telling: Telling,
        new: &NewMessage,
    ) -> Result<Uuid, Error> {
        until_decided(&self.table, || self.try_add_message(show, scope, telling, new)).await
    }

    async fn try_add_message(
        &self,
        show: ShowId,
        scope: EventScope,
        telling: Telling,
        new: &NewMessage,
    ) -> Result<Uuid, TransactionError> {
        let now = self.clock.now();
        let key = new.key.as_ref().map(|(key, fingerprint)| RequestKey {
            key: keys::message_idempotency(new.manager, show.show, key),
            fingerprint,
        });
        let others = [keys::messages(show)].into_iter().chain(key.as_ref().map(|key| key.key.clone()));
        let mut items = Items::read(&self.table, others.chain([keys::event(show.event)])).await?;
        let event = event_of(&mut items, show, EventScope::PUBLIC)?;
        scope.expect(&event)?;
        telling.expect_possible()?;
        if let Some(message) = earlier_result(&mut items, key.as_ref(), now)? {
            return Ok(message);
        }
        let before: MessagesRecord = items.take(&keys::messages(show)).map(from_item).transpose()?.unwrap_or_default();
        let earlier = before.times.iter().map(|time| Duration::from_millis(*time));
        let notice = BuyerNotice::of_message(event.id, show.show, new.text.clone(), earlier, now)?;
        let mut transaction = Transaction::new(&self.table);
        if let Some(RequestKey { key, fingerprint }) = key {
            transaction.add(RequestKeyRecord::new(fingerprint, notice.id, now).put(key, now)?, TransactionError::Lost);
        }
        transaction.add(before.with(show, notice.created())?, TransactionError::Lost);
        transaction.add(put_notice(&notice)?, Error::unexpected("new notice already exists"));
        transaction.commit().await?;
        Ok(notice.id)
    }

    /// Returns the notices of a show with the progress of their sending, newest first, at most 100, and the show.
    ///
    /// Makes two reads and a query.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, or `Database` if a read fails.
    pub async fn of_show(
        &self,
        show_id: ShowId,
        scope: EventScope,
    ) -> Result<(Show, Vec<(BuyerNotice, Progress)>), Error> {
        let mut items = Items::read(&self.table, [keys::event(show_id.event)]).await?;
        let event = event_of(&mut items, show_id, scope)?;
        scope.expect(&event)?;
        let show = event.show(show_id.show)?;
        let query = self.table.query(keys::notices_partition(event.id)).scan_index_forward(false);
        let query = query.key_condition_expression("pk = :partition AND begins_with(sk, :prefix)");
        let mut stored =
            query.expression_attribute_values(":prefix", text(keys::NOTICE_PREFIX)).into_paginator().items().send();
        let mut notices = Vec::new();
        while notices.len() < MAX_LISTED
            && let Some(item) = stored.next().await
        {
            let notice = read_notice(item.map_err(failure)?, self.clock.now())?;
            notices.extend(notice.filter(|notice| notice.concerns(show.id)));
        }
        let keys = notices.iter().map(|notice| keys::progress(notice.id, show_id));
        let mut items = Items::read(&self.table, keys).await?;
        let with_progress = notices.into_iter().map(|notice| {
            let StoredProgress { progress, .. } = StoredProgress::take(&mut items, notice.id, show_id)?;
            Ok((notice, progress))
        });
        Ok((show.clone(), with_progress.collect::<Result<_, Error>>()?))
    }
}

impl MessagesRecord {
    /// Builds the write that adds a message, if there is no other since the read.
    fn with(&self, show: ShowId, time: Duration) -> Result<Write, Error> {
        let oldest = milliseconds(time.saturating_sub(WINDOW));
        let times =
            self.times.iter().copied().filter(|earlier| *earlier > oldest).chain([milliseconds(time)]).collect();
        let record = Self { version: self.version + 1, times, expires_at: (time + 2 * WINDOW).as_secs() };
        Ok(Write::put(keys::messages(show), to_item(&record)?).if_version(self.version))
    }
}

/// Returns the event of a show among these items, if it exists for the scope.
fn event_of(items: &mut Items, show: ShowId, scope: EventScope) -> Result<Event, Error> {
    let record: Option<EventRecord> = items.take(&keys::event(show.event)).map(from_item).transpose()?;
    let event = record.map(EventRecord::into_event).filter(|event| !event.is_deleted()).ok_or(Error::NoSuchEvent)?;
    scope.expect_visible(&event)?;
    event.show(show.show)?;
    Ok(event)
}

/// Returns the notices of an event since a time, with one query.
pub(crate) async fn since(
    table: &Table,
    event: Uuid,
    since: Duration,
    now: Duration,
) -> Result<Vec<BuyerNotice>, Error> {
    between(table, event, keys::notice_sort(notice::first_id_since(since)), now).await
}

/// Returns the notices of an event whose sort keys are this one or later, with one query.
pub(crate) async fn between(
    table: &Table,
    event: Uuid,
    first: String,
    now: Duration,
) -> Result<Vec<BuyerNotice>, Error> {
    let query = table.query(keys::notices_partition(event));
    let query = query.key_condition_expression("pk = :partition AND sk BETWEEN :first AND :last");
    let query = query.expression_attribute_values(":first", text(first));
    let query = query.expression_attribute_values(":last", text(keys::notice_sort(Uuid::max())));
    let items: Result<Vec<_>, _> = query.into_paginator().items().send().collect().await;
    let notices: Result<Vec<_>, _> = items.map_err(failure)?.into_iter().map(|item| read_notice(item, now)).collect();
    Ok(notices?.into_iter().flatten().collect())
}
