//! Sold seats of a show, for those who sell them.

use std::{collections::HashMap, sync::Arc, time::Duration};

use domain::{
    clock::Clock,
    error::Error,
    hold::{Hold, HoldState, OrderId, Taken},
    idempotency::{Fingerprint, IdempotencyKey},
    manager::Seller,
    seats::{
        holder::Holder,
        plan::Plan,
        selling::{self, BoxOfficeSale, Charged},
    },
    show::ShowId,
};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use seating::seat_map::SeatMap;
use uuid::Uuid;

use crate::{
    events::hall_cache::ShowOfEvent,
    items::Items,
    keys::{self, SEATS_OF_PARTITION},
    request_key::{RequestKey, earlier_result},
    seats::{
        fence::Fence,
        hold_record::read_hold,
        holds::{HoldInHall, Holds, amount},
        seat_plan::{Commit, MAX_ITEMS},
        seat_states::by_item,
    },
    table::{MAX_READS, Table},
    transaction::{TransactionError, until_decided},
};

/// Maximum number of simultaneous reads of holds.
const READS: usize = 16;

/// Store of the sales of all shows.
#[derive(Clone, Debug)]
pub struct Sales {
    holds: Holds,
}

/// Sales of a show, by their first seat in the hall.
#[derive(Debug)]
pub struct SalesOfShow {
    /// Confirmed holds, each with the number of its first seat.
    pub sales: Vec<(u32, Hold)>,
    /// Seat after which the next page begins, if there may be more.
    pub next: Option<u32>,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
}

/// Request of a box office to sell seats.
#[derive(Debug)]
pub struct NewSale {
    /// The order.
    pub order: OrderId,
    /// Ids of the seats, all different.
    pub seats: Vec<Uuid>,
    /// Amount that was charged.
    pub charged: Charged,
    /// Key that makes a repetition safe, with the content of the request.
    pub key: Option<(IdempotencyKey, Fingerprint)>,
}

impl Sales {
    /// Opens the sales in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        Self { holds: Holds::new(table, clock) }
    }

    /// Returns at most `limit` sales of a show whose first seat comes after a seat.
    ///
    /// Reads one part of 2,048 seats after the other, and the holds that the page needs, until it is full.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if the seller may see no event with the show, `PermissionDenied` if the seller may not
    /// sell it, `Database` if a read fails.
    pub async fn page(
        &self,
        show_id: ShowId,
        seller: &Seller,
        after: Option<u32>,
        limit: usize,
    ) -> Result<SalesOfShow, Error> {
        let show = self.show(show_id, seller).await?;
        let count = u32::try_from(show.hall.seat_count()).map_err(Error::unexpected)?;
        let start = after.map_or(0, |seat| seat + 1);
        let mut sales = Vec::new();
        for first in (0..count).step_by(SEATS_OF_PARTITION as usize).skip((start / SEATS_OF_PARTITION) as usize) {
            let left = limit.saturating_add(1).saturating_sub(sales.len());
            sales.append(&mut self.sales_of_part(show_id, first, start, left).await?);
            if sales.len() > limit {
                sales.truncate(limit);
                let next = sales.last().map(|(seat, _)| *seat);
                return Ok(SalesOfShow { sales, next, hall: show.hall });
            }
        }
        Ok(SalesOfShow { sales, next: None, hall: show.hall })
    }

    /// Returns all sales of a show.
    ///
    /// # Errors
    ///
    /// Returns those of [`page`](Self::page).
    pub async fn all(&self, show_id: ShowId, seller: &Seller) -> Result<SalesOfShow, Error> {
        self.page(show_id, seller, None, usize::MAX).await
    }

    async fn show(&self, show_id: ShowId, seller: &Seller) -> Result<ShowOfEvent, Error> {
        self.holds.halls.read(show_id.event, []).await?.show_in_scope(show_id.show, seller.events)
    }

    /// Returns sales whose first seat is in the part of the hall that begins with a seat, and not before `start`, in
    /// the order of these seats: at least `limit` of them, or all.
    async fn sales_of_part(
        &self,
        show_id: ShowId,
        first: u32,
        start: u32,
        limit: usize,
    ) -> Result<Vec<(u32, Hold)>, Error> {
        let mut first_seats = HashMap::new();
        for (seat, state) in self.holds.states.partition(show_id.show, first).await? {
            if let Taken::Sold { hold } = state {
                first_seats.entry(hold).and_modify(|known: &mut u32| *known = seat.min(*known)).or_insert(seat);
            }
        }
        let mut found: Vec<_> = first_seats.into_iter().map(|(hold, seat)| (seat, hold)).collect();
        found.retain(|(seat, _)| *seat >= start);
        found.sort_unstable();
        // A hold that also has seats in an earlier part is listed there.
        let is_listed = |seat: u32, hold: &Hold| {
            hold.seats.iter().min() == Some(&seat)
                && matches!(hold.state, HoldState::Confirmed(_))
                && hold.show == show_id.show
        };
        let (mut sales, mut rest) = (Vec::new(), found.as_slice());
        while sales.len() < limit && !rest.is_empty() {
            let (next, later) = rest.split_at(rest.len().min(limit - sales.len()));
            let batches = stream::iter(next.chunks(MAX_READS).map(<[_]>::to_vec));
            let holds: Vec<_> = batches.map(|batch| self.read_holds(batch)).buffered(READS).try_concat().await?;
            sales.extend(holds.into_iter().filter(|(seat, hold)| is_listed(*seat, hold)));
            rest = later;
        }
        Ok(sales)
    }

    /// Reads the holds of sold seats, in their order, as far as the holds are still there.
    async fn read_holds(&self, sold: Vec<(u32, Uuid)>) -> Result<Vec<(u32, Hold)>, Error> {
        let mut items = Items::read(&self.holds.table, sold.iter().map(|(_, id)| keys::hold(*id))).await?;
        let now = self.holds.clock.now();
        let mut holds = Vec::new();
        for (seat, id) in sold {
            if let Some(item) = items.take(&keys::hold(id)) {
                holds.extend(read_hold(id, item, now)?.map(|hold| (seat, hold)));
            }
        }
        Ok(holds)
    }

    /// Sells seats that are free or blocked, to no member: all of them or none. Makes two reads and one transaction.
    ///
    /// # Errors
    ///
    /// Sells nothing and returns the first that applies: `NoSuchEvent`, `NoSuchSeats`, `SeatsTooScattered` if the seats
    /// are in more than 97 items of neighbouring seats, `PermissionDenied`, `KeyReused`, `NotOnSale`, `SeatsTaken`, or
    /// `HoldUnusable` if the amount is wrong. Returns `Database` if the outcome is unknown.
    pub async fn sell(&self, show_id: ShowId, seller: &Seller, new: &NewSale) -> Result<HoldInHall, Error> {
        until_decided(&self.holds.table, move || self.try_sell(show_id, seller, new)).await
    }

    async fn try_sell(&self, show_id: ShowId, seller: &Seller, new: &NewSale) -> Result<HoldInHall, TransactionError> {
        let now = self.holds.clock.now();
        let key = new.key.as_ref().map(|(key, fingerprint)| RequestKey {
            key: keys::sale_idempotency(seller.id, show_id.show, key),
            fingerprint,
        });
        let mut read = self.holds.halls.read(show_id.event, key.as_ref().map(|key| key.key.clone())).await?;
        let show = read.show(show_id.show, seller.events)?;
        let seats = show.numbers(&new.seats)?;
        if by_item(&seats).len() > MAX_ITEMS {
            return Err(Error::SeatsTooScattered.into());
        }
        seller.events.expect(&show.event)?;
        if let Some(first) = earlier_result(&mut read.items, key.as_ref(), now)? {
            return Ok(self.sold(show_id, seller, first).await?);
        }
        let plan = match self.plan(&show, &seats, new, now).await {
            Ok(plan) => plan,
            Err(error) => return Err(self.holds.unless_repeated(error, key.as_ref(), now).await?),
        };
        let (fence, holder) = (Fence::any(), &Holder::default());
        let commit = Commit { show: &show, plan: &plan, holder, key, fence, now };
        commit.transaction(&self.holds.table)?.commit().await?;
        Ok(self.holds.in_hall(plan.into_hold(), show.hall))
    }

    async fn plan(&self, show: &ShowOfEvent, seats: &[u32], new: &NewSale, now: Duration) -> Result<Plan, Error> {
        selling::permit_sale(&show.show, now)?;
        let states = self.holds.states.of_seats(show.show.id, seats).await?;
        let sale = BoxOfficeSale { order: &new.order, seats, amount: amount(&show.hall, seats), charged: new.charged };
        selling::sell(&show.event, &show.show, &states, sale, now)
    }

    /// Returns the sale of an earlier request.
    async fn sold(&self, show_id: ShowId, seller: &Seller, id: Uuid) -> Result<HoldInHall, Error> {
        let mut read = self.holds.halls.read(show_id.event, [keys::hold(id)]).await?;
        let show = read.show(show_id.show, seller.events)?;
        let hold = self.holds.hold(&mut read, show_id, id)?;
        Ok(self.holds.in_hall(hold, show.hall))
    }
}
