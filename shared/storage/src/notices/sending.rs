//! Sending of notices: the buyers whose turn it is, and what became of their mails.
//!
//! A batch of members is stored before their mails, and each mail is claimed before it is sent: the claim is an item
//! that only one can make. So whatever fails and is repeated, nobody gets a second mail, and everybody without a claim
//! still gets theirs. A claim that nobody completed is that of a mail whose outcome is unknown.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use aws_sdk_dynamodb::types::AttributeValue;
use domain::{
    clock::Clock,
    error::Error,
    event::Event,
    hold::Taken,
    manager::EventScope,
    notice::{self, Batch, BuyerNotice, NoticeStatus, RETENTION, Turn},
    show::{Show, ShowId},
};
use seating::seat_map::SeatMap;
use uuid::Uuid;

use crate::{
    events::{event_record::EventRecord, hall_cache::Halls},
    items::Items,
    keys::{self, EXPIRES, SEATS_OF_PARTITION},
    members::member_store,
    notices::{notice_record::read_notice, notice_store::between, progress_record::StoredProgress},
    seats::{hold_record::read_hold, holder_record, seat_states::SeatStates},
    table::{Item, MAX_READS, Table, epoch_seconds, from_item},
    transaction::{Transaction, TransactionError},
    write::Write,
};

/// Attribute of a claim whose mail was taken.
const SENT: &str = "sent";

/// Store of the sendings.
#[derive(Clone, Debug)]
pub struct Sendings {
    table: Table,
    halls: Halls,
    states: SeatStates,
    clock: Clock,
}

/// Batch of a notice about a show.
#[derive(Debug)]
pub struct Sending {
    /// The notice.
    pub notice: BuyerNotice,
    /// The event, as it was at the begin of the batch.
    pub event: Event,
    /// The show.
    pub show: Show,
    hall: Arc<SeatMap>,
    owner: String,
    stored: StoredProgress,
    /// Version of the event up to which no change replaces the notice.
    checked: AtomicU64,
}

/// Decision about a member of a batch.
#[derive(Debug)]
pub enum Next {
    /// Nobody gets the notice any more; its status becomes this one.
    Stop(NoticeStatus),
    /// The member gets no mail.
    Skip,
    /// The mail of the member is claimed, and must now be sent to this address.
    Send(String),
}

/// Work of a sender.
#[derive(Debug)]
pub enum Work {
    /// All shows are done, somebody else sends, or the notice does not exist any more.
    None,
    /// Nobody gets a mail at this moment, but there may be more work.
    Again,
    /// Members of this batch get their mails.
    Batch(Box<Sending>),
}

impl Sending {
    /// Returns the ids of the members.
    #[must_use]
    pub fn members(&self) -> &[Uuid] {
        self.stored.progress.batch.as_ref().map_or(&[], |batch| &batch.members)
    }

    fn id(&self) -> ShowId {
        ShowId { event: self.event.id, show: self.show.id }
    }

    fn claim(&self, member: Uuid) -> keys::Key {
        keys::told(self.notice.id, self.show.id, member)
    }
}

impl Sendings {
    /// Opens the sendings in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { halls: Halls::new(table.clone()), states: SeatStates::new(table.clone()), table, clock }
    }

    /// Returns the notices of an event that may still be sent.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a read fails.
    pub async fn unfinished(&self, event: Uuid) -> Result<Vec<Uuid>, Error> {
        let notices = between(&self.table, event, keys::NOTICE_PREFIX.to_owned(), self.clock.now()).await?;
        let progress = |notice: &BuyerNotice| {
            let of_show = |show| keys::progress(notice.id, ShowId { event, show });
            notice.shows().into_iter().map(of_show).collect::<Vec<_>>()
        };
        let mut items = Items::read(&self.table, notices.iter().flat_map(progress)).await?;
        let mut unfinished = Vec::new();
        for notice in notices {
            for show in notice.shows() {
                let stored = StoredProgress::take(&mut items, notice.id, ShowId { event, show })?;
                if !stored.progress.is_over() {
                    unfinished.push(notice.id);
                    break;
                }
            }
        }
        Ok(unfinished)
    }

    /// Returns the next batch of at most `limit` members, for the first show that is not done.
    ///
    /// The first owner of a show sends; a repetition of its work must have the same name. A batch that was not
    /// completed is returned again.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails.
    pub async fn next(&self, event: Uuid, notice: Uuid, owner: &str, limit: usize) -> Result<Work, Error> {
        let now = self.clock.now();
        let mut items = Items::read(&self.table, [keys::notice(event, notice)]).await?;
        let item = items.take(&keys::notice(event, notice));
        let Some(notice) = item.map(|item| read_notice(item, now)).transpose()?.flatten() else {
            return Ok(Work::None);
        };
        let shows = notice.shows();
        let of_show = |show: &Uuid| ShowId { event, show: *show };
        let mut items =
            Items::read(&self.table, shows.iter().map(|show| keys::progress(notice.id, of_show(show)))).await?;
        for show in shows {
            let stored = StoredProgress::take(&mut items, notice.id, of_show(&show))?;
            if stored.owner.as_deref().is_some_and(|known| known != owner) {
                return Ok(Work::None);
            }
            if !stored.progress.is_over() {
                return self.batch(notice, of_show(&show), owner, stored, limit).await;
            }
        }
        Ok(Work::None)
    }

    async fn batch(
        &self,
        notice: BuyerNotice,
        show: ShowId,
        owner: &str,
        stored: StoredProgress,
        limit: usize,
    ) -> Result<Work, Error> {
        let read = self.halls.read(show.event, []).await?;
        let found = match read.show(show.show, EventScope::All) {
            Ok(found) => found,
            // The event is deleted, or the show was removed, which only one without a sold seat can be.
            Err(Error::NoSuchEvent) => {
                let claims = self.claims(&notice, show.show, &stored).await?;
                let stopped = stored.progress.stopped(NoticeStatus::Done, &claims);
                let (write, _) = stored.replace(&notice, show.show, owner, stopped)?;
                return Ok(if self.commit(write).await? { Work::Again } else { Work::None });
            }
            Err(error) => return Err(error),
        };
        let checked = AtomicU64::new(0);
        let mut sending = Sending {
            notice,
            event: found.event,
            show: found.show,
            hall: found.hall,
            owner: owner.to_owned(),
            stored,
            checked,
        };
        if let Some(status) = self.stop(&sending, Some(&sending.event)).await? {
            self.complete(sending, Some(status)).await?;
            return Ok(Work::Again);
        }
        if sending.stored.progress.batch.is_none() {
            let batch = self.plan(&sending, limit).await?;
            let is_empty = batch.members.is_empty();
            let progress = sending.stored.progress.with_batch(batch);
            if is_empty {
                sending.stored.progress = progress;
                self.complete(sending, None).await?;
                return Ok(Work::Again);
            }
            let (write, stored) = sending.stored.replace(&sending.notice, show.show, owner, progress)?;
            if !self.commit(write).await? {
                return Ok(Work::Again);
            }
            sending.stored = stored;
        }
        Ok(Work::Batch(Box::new(sending)))
    }

    /// Finds the next members with sold seats who had no turn, in one part of the hall.
    async fn plan(&self, sending: &Sending, limit: usize) -> Result<Batch, Error> {
        let position = sending.stored.progress.position;
        let mut first_seats = BTreeMap::new();
        let mut known = HashSet::new();
        let mut states = self.states.partition(sending.show.id, position).await?;
        states.sort_unstable_by_key(|(seat, _)| *seat);
        for (seat, state) in states {
            if let Taken::Sold { hold } = state
                && seat >= position
                && known.insert(hold)
            {
                first_seats.insert(seat, hold);
            }
        }
        let sold: Vec<_> = first_seats.into_iter().collect();
        let mut batch = Batch { members: Vec::new(), end: next_part(position) };
        let now = self.clock.now();
        for sold in sold.chunks(MAX_READS) {
            let mut items = Items::read(&self.table, sold.iter().map(|(_, hold)| keys::hold(*hold))).await?;
            let mut members = Vec::new();
            for (seat, id) in sold {
                let hold = items.take(&keys::hold(*id)).map(|item| read_hold(*id, item, now)).transpose()?.flatten();
                // The box office sells to no member.
                members.extend(hold.and_then(|hold| hold.member).map(|member| (*seat, member)));
            }
            let had_turn =
                Items::read(&self.table, unique(members.iter().map(|(_, member)| sending.claim(*member)))).await?;
            for (seat, member) in members {
                if had_turn.contains(&sending.claim(member)) || batch.members.contains(&member) {
                    continue;
                }
                batch.members.push(member);
                if batch.members.len() == limit {
                    return Ok(Batch { end: seat + 1, ..batch });
                }
            }
        }
        Ok(batch)
    }

    /// Decides about a member at the moment of their turn, with one read, and claims the mail.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails.
    pub async fn turn(&self, sending: &Sending, member: Uuid) -> Result<Next, Error> {
        let (event, claim) = (keys::event(sending.event.id), sending.claim(member));
        let (of_member, holder) = (keys::member(member), keys::holder(sending.show.id, member));
        let all = [event.clone(), claim.clone(), of_member.clone(), holder.clone()];
        let mut items = Items::read(&self.table, all).await?;
        let record: Option<EventRecord> = items.take(&event).map(from_item).transpose()?;
        let event = record.map(EventRecord::into_event).filter(|event| !event.is_deleted());
        if let Some(status) = self.stop(sending, event.as_ref()).await? {
            return Ok(Next::Stop(status));
        }
        let email = items.take(&of_member).map(member_store::email_of).transpose()?;
        let holder = holder_record::read(items.take(&holder).as_ref());
        let turn = notice::turn(items.contains(&claim), &holder, email.as_ref());
        if turn == Turn::Skip {
            return Ok(Next::Skip);
        }
        let expires = epoch_seconds(sending.notice.created() + RETENTION);
        // A transaction, since its repetition after a lost response changes nothing.
        let is_claimed = self.commit(Write::put_new(claim, Item::from([(EXPIRES.to_owned(), expires)]))).await?;
        Ok(match turn {
            Turn::Mail(address) if is_claimed => Next::Send(address),
            _ => Next::Skip,
        })
    }

    /// Returns the status with which a sending ends because of the event as it is now.
    async fn stop(&self, sending: &Sending, event: Option<&Event>) -> Result<Option<NoticeStatus>, Error> {
        let Some(event) = event else { return Ok(Some(NoticeStatus::Done)) };
        let is_checked = event.version <= sending.checked.load(Ordering::Relaxed);
        if is_checked || !sending.notice.may_be_replaced(event.version) {
            return Ok(None);
        }
        let first = keys::notice_sort(sending.notice.id);
        let later = between(&self.table, event.id, first, self.clock.now()).await?;
        if later.iter().any(|later| later.replaces(&sending.notice, sending.show.id)) {
            return Ok(Some(NoticeStatus::Replaced));
        }
        sending.checked.fetch_max(event.version, Ordering::Relaxed);
        Ok(None)
    }

    /// Stores that the mail of a member was taken.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn sent(&self, sending: &Sending, member: Uuid) -> Result<(), Error> {
        let write = Write::update(sending.claim(member)).set(SENT, AttributeValue::Bool(true));
        Ok(self.table.update(write).await?)
    }

    /// Takes the claim of a mail back that is known not to be sent, so that it is tried again.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn take_back(&self, sending: &Sending, member: Uuid) -> Result<(), Error> {
        self.table.delete(&sending.claim(member)).await
    }

    /// Counts the members of a batch, and moves on to the next one, or ends with a status.
    ///
    /// Does nothing if somebody else did meanwhile.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a call fails.
    pub async fn complete(&self, sending: Sending, end: Option<NoticeStatus>) -> Result<(), Error> {
        let Sending { notice, owner, stored, .. } = &sending;
        let claims = self.claims(notice, sending.show.id, stored).await?;
        let seats = u32::try_from(sending.hall.seat_count()).map_err(Error::unexpected)?;
        let progress = match end {
            Some(status) => stored.progress.stopped(status, &claims),
            None => stored.progress.after_batch(&claims, seats),
        };
        let (write, _) = stored.replace(notice, sending.id().show, owner, progress)?;
        self.commit(write).await.map(drop)
    }

    /// Returns the claims of the members of a batch: true if the mail was taken.
    async fn claims(&self, notice: &BuyerNotice, show: Uuid, stored: &StoredProgress) -> Result<Vec<bool>, Error> {
        let members = stored.progress.batch.as_ref().map_or(&[][..], |batch| &batch.members);
        let keys: Vec<_> = members.iter().map(|member| keys::told(notice.id, show, *member)).collect();
        let mut items = Items::read(&self.table, keys.clone()).await?;
        Ok(keys.iter().filter_map(|key| items.take(key)).map(|item| item.contains_key(SENT)).collect())
    }

    /// Carries out a conditional write; returns false if its condition is not met.
    async fn commit(&self, write: Write) -> Result<bool, Error> {
        let mut transaction = Transaction::new(&self.table);
        transaction.add(write, TransactionError::Lost);
        transaction.commit_unless_lost().await
    }
}

/// Returns the first seat of the part of the hall after the one with a seat.
fn next_part(seat: u32) -> u32 {
    (seat / SEATS_OF_PARTITION + 1) * SEATS_OF_PARTITION
}

fn unique(keys: impl Iterator<Item = keys::Key>) -> HashSet<keys::Key> {
    keys.collect()
}
