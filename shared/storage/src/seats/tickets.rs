//! Confirmed holds with the admissions of their seats, from which tickets are made.

use std::sync::Arc;

use domain::{
    error::Error,
    hold::{Hold, HoldState},
    manager::EventScope,
    seats::admission::Admission,
    show::ShowId,
};
use seating::seat_map::SeatMap;
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    keys,
    members::public_keys::{PublicKey, put_key},
    seats::holds::Holds,
    table::Table,
    transaction::until_decided,
};

/// Confirmed hold with its hall and its admissions.
#[derive(Debug)]
pub struct SoldHold {
    /// The hold.
    pub hold: Hold,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
    /// Admission of each seat, in the order of the hold, if its ticket is admitted.
    pub admissions: Vec<Option<Admission>>,
}

impl Holds {
    /// Returns a confirmed hold of a member with its admissions, with two reads.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken`, `NoSuchEvent`, `NoSuchHold`, or `HoldUnusable` if it is not confirmed. Returns
    /// `Database` if a read fails.
    pub async fn sold_to(&self, show_id: ShowId, member: Uuid, hold: Uuid) -> Result<SoldHold, Error> {
        let (hold, show) = until_decided(&self.table, move || self.of_member(show_id, member, hold)).await?;
        self.with_admissions(hold, show.hall).await
    }

    /// Returns a sale of a show with its admissions for those who sell, with two reads.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, `NoSuchHold`, or `HoldUnusable` if it is not confirmed. Returns `Database` if a read fails.
    pub async fn sold(&self, show_id: ShowId, scope: EventScope, hold: Uuid) -> Result<SoldHold, Error> {
        let mut read = self.halls.read(show_id.event, [keys::hold(hold)]).await?;
        let show = read.show_in_scope(show_id.show, scope)?;
        let hold = self.hold(&mut read, show_id, hold)?;
        self.with_admissions(hold, show.hall).await
    }

    async fn with_admissions(&self, hold: Hold, hall: Arc<SeatMap>) -> Result<SoldHold, Error> {
        if !matches!(hold.state, HoldState::Confirmed(_)) {
            return Err(Error::HoldUnusable);
        }
        let sold = self.states.sold_of(hold.show, &hold.seats).await?;
        let admission = |seat| sold.get(seat).filter(|sold| sold.hold == hold.id)?.admission();
        Ok(SoldHold { admissions: hold.seats.iter().map(admission).collect(), hold, hall })
    }
}

/// Store of the public key of tickets, which a function stores before it issues the first one.
#[derive(Debug)]
pub struct TicketKeys {
    table: Table,
    published: OnceCell<()>,
}

impl TicketKeys {
    /// Opens the key in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table, published: OnceCell::new() }
    }

    /// Stores the key, unless this process has stored it.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown; the next call tries again.
    pub async fn publish(&self, key: &PublicKey) -> Result<(), Error> {
        self.published.get_or_try_init(async || put_key(&self.table, &keys::ticket_key(), key).await).await.copied()
    }
}
