//! Commits plans of seats: all their writes in one transaction, under the conditions that were read.

use std::time::Duration;

use domain::{
    error::Error,
    seats::{
        holder::Holder,
        plan::{HoldChange, Plan},
    },
};

use crate::{
    events::{hall_cache::ShowOfEvent, sales_pause::is_paused},
    request_key::{RequestKey, RequestKeyRecord},
    seats::{
        fence::{self, Fence},
        hold_record::{confirm_hold, put_hold, release_hold},
        holder_record, seat_states,
    },
    table::Table,
    transaction::{MAX_WRITES, Transaction, TransactionError},
};

/// Maximum number of items with states of seats that one transaction writes, in addition to a fence, a hold, its holder
/// or idempotency key.
pub const MAX_ITEMS: usize = MAX_WRITES - 3;

/// Maximum number of items with states of seats that one transaction blocks, in addition to a fence and the labels.
pub const MAX_BLOCKED_ITEMS: usize = MAX_WRITES - 2;

/// Plan for a show of an event, with what was read for it.
#[derive(Debug)]
pub(crate) struct Commit<'a> {
    /// The show, as it was read.
    pub show: &'a ShowOfEvent,
    /// The plan.
    pub plan: &'a Plan,
    /// Member whose hold changes, as it was read; the default if no member has it, or if its changes are unconditional.
    pub holder: &'a Holder,
    /// Idempotency key of the request, if it has one.
    pub key: Option<RequestKey<'a>>,
    /// Fence in which a transaction that takes seats counts.
    pub fence: Fence,
    /// Time since 1970.
    pub now: Duration,
}

impl Commit<'_> {
    /// Builds the transaction; returns `Lost` if it would take seats during a pause of the event's sales.
    ///
    /// It fails with `SeatsTaken`, without the seats, if those of a new hold are not free; with `HoldUnusable` if those
    /// of a confirmed hold are not; and with `Lost` if anything else is not as it was read.
    pub fn transaction<'a>(&self, table: &'a Table) -> Result<Transaction<'a>, TransactionError> {
        let ShowOfEvent { event, show, paused_until, .. } = self.show;
        if self.waits_during_pause() && is_paused(*paused_until, self.now) {
            return Err(TransactionError::Lost);
        }
        let mut transaction = Transaction::new(table);
        if let (Some(RequestKey { key, fingerprint }), Some(HoldChange::Held(hold, _) | HoldChange::SoldAtOnce(hold))) =
            (&self.key, &self.plan.hold)
        {
            let record = RequestKeyRecord::new(fingerprint, hold.id, self.now);
            transaction.add(record.put(key.clone(), self.now)?, TransactionError::Lost);
        }
        if self.plan.state.is_some() {
            transaction.add(fence::count(event, show.id, self.fence), TransactionError::Lost);
        }
        if let Some(change) = &self.plan.hold {
            self.write_hold(change, &mut transaction)?;
        }
        for write in seat_states::writes(show.id, self.plan) {
            transaction.add(write, self.if_not_as_expected());
        }
        Ok(transaction)
    }

    /// Returns true if the plan waits during a pause of the sales: if it takes seats, except those of a hold.
    fn waits_during_pause(&self) -> bool {
        self.plan.state.is_some() && !matches!(self.plan.hold, Some(HoldChange::Confirmed(..)))
    }

    /// Adds the writes of a hold and of its holder.
    fn write_hold(&self, change: &HoldChange, transaction: &mut Transaction) -> Result<(), Error> {
        match change {
            HoldChange::Held(hold, recent) => {
                transaction.add(holder_record::add(self.holder, hold, *recent, self.now), TransactionError::Lost);
                transaction.add(put_hold(hold)?, TransactionError::Lost);
            }
            HoldChange::SoldAtOnce(hold) => {
                transaction.add(put_hold(hold)?, Error::unexpected("new hold id already exists"));
            }
            HoldChange::Confirmed(hold, order) => {
                transaction.add(confirm_hold(hold, order), TransactionError::Lost);
                if let Some(member) = hold.member {
                    transaction.add_unconditional(holder_record::keep(member, hold));
                }
            }
            HoldChange::Released(hold) => {
                transaction.add(release_hold(hold, self.now), TransactionError::Lost);
                if let Some(member) = hold.member {
                    transaction.add_unconditional(holder_record::remove(member, hold));
                }
            }
            HoldChange::Cancelled(hold, _) => {
                transaction.add(release_hold(hold, self.now), TransactionError::Lost);
                if let Some(member) = hold.member {
                    let cancel = holder_record::cancel(self.holder, member, hold, self.now);
                    transaction.add(cancel, TransactionError::Lost);
                }
            }
        }
        Ok(())
    }

    fn if_not_as_expected(&self) -> TransactionError {
        match self.plan.hold {
            Some(HoldChange::Held(..)) => Error::SeatsTaken(Vec::new()).into(),
            Some(HoldChange::Confirmed(..)) => Error::HoldUnusable.into(),
            _ => TransactionError::Lost,
        }
    }
}
