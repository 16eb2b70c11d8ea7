//! Holds of seats, from the request of a member to the order.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use domain::{
    clock::Clock,
    error::Error,
    hold::{Hold, HoldStatus, OrderId},
    hold_limits::HoldLimits,
    idempotency::{Fingerprint, IdempotencyKey},
    manager::EventScope,
    price::Price,
    seats::{
        holder::Holder,
        holding::{self, Snapshot},
        plan::{Plan, expect_free},
        selling::{self, Charged},
    },
    show::ShowId,
};
use seating::{choice::Group, seat_map::SeatMap};
use uuid::Uuid;

use crate::{
    events::hall_cache::{EventRead, Halls, ShowOfEvent},
    items::Items,
    keys,
    request_key::{RequestKey, earlier_result},
    seats::{
        best_seats::{BestSeats, FreeSeats},
        fence::{Fence, QuietFence},
        hold_record::read_hold,
        holder_record,
        seat_plan::Commit,
        seat_states::SeatStates,
    },
    table::{Table, backoff},
    transaction::{TransactionError, until_decided, until_decided_with},
};

/// Shortest wait before the best seats are tried again: they are not those for which somebody else was faster.
const OTHER_SEATS: Duration = Duration::from_millis(1);

/// Store of the holds.
#[derive(Clone, Debug)]
pub struct Holds {
    pub(super) table: Table,
    pub(super) halls: Halls,
    pub(super) states: SeatStates,
    pub(super) clock: Clock,
    free_seats: FreeSeats,
    fence: QuietFence,
}

/// Request of a member to hold seats.
#[derive(Debug)]
pub struct NewHold {
    /// The member.
    pub member: Uuid,
    /// The seats.
    pub seats: WantedSeats,
    /// Key that makes a repetition safe, with the content of the request.
    pub key: Option<(IdempotencyKey, Fingerprint)>,
}

/// Seats that a member wants.
#[derive(Clone, Debug)]
pub enum WantedSeats {
    /// Seats with these ids, all different.
    These(Vec<Uuid>),
    /// The best free ones.
    Best(BestSeats),
}

impl WantedSeats {
    /// Returns the ids of the seats, or of the areas.
    #[must_use]
    pub fn ids(&self) -> &[Uuid] {
        match self {
            Self::These(seats) => seats,
            Self::Best(best) => &best.areas,
        }
    }
}

/// Hold with its hall and the status at the time of the response.
#[derive(Clone, Debug)]
pub struct HoldInHall {
    /// The hold.
    pub hold: Hold,
    /// The status.
    pub status: HoldStatus,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
}

/// Items that a new hold depends on, as they were read.
#[derive(Debug)]
struct HoldRead {
    show: ShowOfEvent,
    wanted: KnownSeats,
    holder: Holder,
}

impl HoldRead {
    fn commit<'a>(&'a self, plan: &'a Plan, key: Option<RequestKey<'a>>, fence: Fence, now: Duration) -> Commit<'a> {
        Commit { show: &self.show, plan, holder: &self.holder, key, fence, now }
    }
}

/// Seats of the hall that a member wants.
#[derive(Debug)]
enum KnownSeats {
    /// Seats with these numbers.
    These(Vec<u32>),
    /// A group of seats in the first of these areas that has it.
    Best(Vec<usize>, Group),
}

impl KnownSeats {
    fn count(&self) -> usize {
        match self {
            Self::These(seats) => seats.len(),
            Self::Best(_, group) => group.count,
        }
    }
}

impl Holds {
    /// Opens the holds in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        let states = SeatStates::new(table.clone());
        let free_seats = FreeSeats::new(states.clone(), clock.clone());
        Self { halls: Halls::new(table.clone()), table, states, clock, free_seats, fence: QuietFence::default() }
    }

    /// Holds seats for a member: all of them or none. Makes one read and one transaction; for the best seats, it also
    /// reads the states of the areas, unless they were read within the last second.
    ///
    /// # Errors
    ///
    /// Holds nothing and returns the first that applies: `InvalidAccessToken` if there is no such member, `NoSuchEvent`
    /// if there is no such show, `NoSuchSeats`, `CompanionAlone` or `UnknownAreas`, `KeyReused` if the key belongs to
    /// another request, `NotOnSale`, `TooManySeatsOfMember`, `TooManyHolds`, `SeatsTaken` or `NoFreeGroup`. Returns
    /// `Database` if the outcome is unknown, or if others were faster all the time.
    pub async fn create(&self, show_id: ShowId, new: &NewHold, limits: HoldLimits) -> Result<HoldInHall, Error> {
        let collisions = &AtomicU32::new(0);
        let waits = match &new.seats {
            WantedSeats::These(_) => backoff(),
            WantedSeats::Best(_) => backoff().with_min_delay(OTHER_SEATS),
        };
        until_decided_with(&self.table, waits, move || self.try_create(show_id, new, limits, collisions)).await
    }

    async fn try_create(
        &self,
        show_id: ShowId,
        new: &NewHold,
        limits: HoldLimits,
        collisions: &AtomicU32,
    ) -> Result<HoldInHall, TransactionError> {
        let now = self.clock.now();
        let key = new.key.as_ref().map(|(key, fingerprint)| RequestKey {
            key: keys::hold_idempotency(new.member, show_id.show, key),
            fingerprint,
        });
        let (read, first) = self.read_for_hold(show_id, new, key.as_ref(), now).await?;
        if let Some(first) = first {
            return Ok(self.get(show_id, new.member, first).await?);
        }
        match self.plan_and_commit(&read, new.member, key.clone(), limits, now, collisions).await {
            Ok(hold) => Ok(self.in_hall(hold, read.show.hall)),
            Err(TransactionError::Final(error)) => Err(self.unless_repeated(error, key.as_ref(), now).await?),
            Err(TransactionError::Lost) => Err(TransactionError::Lost),
        }
    }

    /// Plans the hold, and commits it.
    async fn plan_and_commit(
        &self,
        read: &HoldRead,
        member: Uuid,
        key: Option<RequestKey<'_>>,
        limits: HoldLimits,
        now: Duration,
        collisions: &AtomicU32,
    ) -> Result<Hold, TransactionError> {
        let HoldRead { show, wanted, holder } = read;
        let snapshot = Snapshot { event: &show.event, show: &show.show, holder };
        let permission = snapshot.permit(wanted.count(), limits, now)?;
        let plan = |seats: Vec<u32>| {
            let amount = amount(&show.hall, &seats);
            snapshot.hold(permission, member, seats, amount)
        };
        match wanted {
            KnownSeats::These(seats) => self.hold_these(read, plan(seats.clone()), key, now).await,
            KnownSeats::Best(areas, group) => {
                let collided = collisions.load(Ordering::Relaxed);
                let seats = self.free_seats.choose(show, areas, *group, collided).await?;
                self.hold_best(read, plan(seats), key, now, collisions).await
            }
        }
    }

    /// Reads what a new hold depends on, and the hold of an earlier request with the same key.
    async fn read_for_hold(
        &self,
        show_id: ShowId,
        new: &NewHold,
        key: Option<&RequestKey<'_>>,
        now: Duration,
    ) -> Result<(HoldRead, Option<Uuid>), Error> {
        let (member, holder) = (keys::member(new.member), keys::holder(show_id.show, new.member));
        let others = [member.clone(), holder.clone()].into_iter().chain(key.map(|key| key.key.clone()));
        let mut read = self.halls.read(show_id.event, others).await?;
        read.items.take(&member).ok_or(Error::InvalidAccessToken)?;
        let show = read.show(show_id.show, EventScope::PUBLIC)?;
        let wanted = match &new.seats {
            WantedSeats::These(ids) => {
                let seats = show.numbers(ids)?;
                show.hall.expect_accompanied(&seats)?;
                KnownSeats::These(seats)
            }
            WantedSeats::Best(best) => KnownSeats::Best(show.areas(&best.areas)?, best.group),
        };
        let first = earlier_result(&mut read.items, key, now)?;
        Ok((HoldRead { show, wanted, holder: holder_record::read(read.items.take(&holder).as_ref()) }, first))
    }

    /// Commits a hold of seats that the member chose.
    async fn hold_these(
        &self,
        read: &HoldRead,
        plan: Plan,
        key: Option<RequestKey<'_>>,
        now: Duration,
    ) -> Result<Hold, TransactionError> {
        let commit = read.commit(&plan, key, Fence::any(), now);
        match commit.transaction(&self.table)?.commit().await {
            Ok(()) => Ok(plan.into_hold()),
            Err(TransactionError::Final(Error::SeatsTaken(_))) => {
                let seats: Vec<_> = plan.seats.iter().map(|(seat, _)| *seat).collect();
                let states = self.states.of_seats(read.show.show.id, &seats).await?;
                expect_free(&seats, &states, self.clock.now(), &read.holder)?;
                // They are free again.
                Err(TransactionError::Lost)
            }
            Err(error) => Err(error),
        }
    }

    /// Commits a hold of seats that the service chose. If somebody else was faster, there are others.
    async fn hold_best(
        &self,
        read: &HoldRead,
        plan: Plan,
        key: Option<RequestKey<'_>>,
        now: Duration,
        collisions: &AtomicU32,
    ) -> Result<Hold, TransactionError> {
        let fence = self.fence.take();
        let commit = read.commit(&plan, key, fence, now);
        let transaction = commit.transaction(&self.table).inspect_err(|_| self.fence.put_back(fence))?;
        let committed = transaction.commit_without_waiting().await;
        if matches!(committed, Ok(()) | Err(TransactionError::Final(Error::SeatsTaken(_)))) {
            self.fence.put_back(fence);
        }
        match committed {
            Ok(()) => {
                let hold = plan.into_hold();
                self.free_seats.take(hold.show, &hold.seats);
                Ok(hold)
            }
            Err(TransactionError::Final(Error::SeatsTaken(_))) => {
                self.free_seats.forget();
                collisions.fetch_add(1, Ordering::Relaxed);
                Err(TransactionError::Lost)
            }
            Err(error) => Err(error),
        }
    }

    /// Returns the error of a request, or `Lost` if a simultaneous request with the same key has succeeded since the
    /// read.
    pub(super) async fn unless_repeated(
        &self,
        error: Error,
        key: Option<&RequestKey<'_>>,
        now: Duration,
    ) -> Result<TransactionError, Error> {
        let mut items = Items::read(&self.table, key.map(|key| key.key.clone())).await?;
        let first = earlier_result(&mut items, key, now)?;
        Ok(first.map_or_else(|| error.into(), |_| TransactionError::Lost))
    }

    /// Returns a hold of a member, with one read.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken`, `NoSuchEvent` or `NoSuchHold`, or `Database` if the read fails.
    pub async fn get(&self, show_id: ShowId, member: Uuid, hold: Uuid) -> Result<HoldInHall, Error> {
        let (hold, show) = until_decided(&self.table, move || self.of_member(show_id, member, hold)).await?;
        Ok(self.in_hall(hold, show.hall))
    }

    /// Releases a hold of a member, unless it is released or has expired, and frees its seats.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken`, `NoSuchEvent`, `NoSuchHold`, or `HoldUnusable` if it is confirmed. Returns
    /// `Database` if the outcome is unknown.
    pub async fn release(&self, show_id: ShowId, member: Uuid, hold: Uuid) -> Result<(), Error> {
        until_decided(&self.table, move || self.try_release(show_id, member, hold)).await
    }

    async fn try_release(&self, show_id: ShowId, member: Uuid, hold: Uuid) -> Result<(), TransactionError> {
        let (hold, show) = self.of_member(show_id, member, hold).await?;
        match holding::release(&hold, self.clock.now())? {
            Some(plan) => self.commit(&show, &plan, &Holder::default()).await,
            None => Ok(()),
        }
    }

    /// Gives the seats of a hold to an order, also if it has expired and they are still free.
    ///
    /// A repetition with the same order and amount changes nothing.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent`, `PermissionDenied` if the event belongs to another manager than the
    /// scope, `NoSuchHold`, or `HoldUnusable`. Returns `Database` if the outcome is unknown.
    pub async fn confirm(
        &self,
        show_id: ShowId,
        scope: EventScope,
        hold: Uuid,
        order: &OrderId,
        charged: Charged,
    ) -> Result<HoldInHall, Error> {
        until_decided(&self.table, move || self.try_confirm(show_id, scope, hold, order, charged)).await
    }

    async fn try_confirm(
        &self,
        show_id: ShowId,
        scope: EventScope,
        hold: Uuid,
        order: &OrderId,
        charged: Charged,
    ) -> Result<HoldInHall, TransactionError> {
        let mut read = self.halls.read(show_id.event, [keys::hold(hold)]).await?;
        // Nobody confirms a hold of a draft, not even its manager.
        let show = read.show(show_id.show, EventScope::PUBLIC)?;
        scope.expect(&show.event)?;
        let hold = self.hold(&mut read, show_id, hold)?;
        let hold = match selling::confirm(&hold, &show.show, order, charged, self.clock.now())? {
            Some(plan) => {
                self.commit(&show, &plan, &Holder::default()).await?;
                plan.into_hold()
            }
            None => hold,
        };
        Ok(self.in_hall(hold, show.hall))
    }

    /// Frees the seats of a confirmed hold, if the order has it. The same order again changes nothing.
    ///
    /// # Errors
    ///
    /// Changes nothing and returns `NoSuchEvent`, `PermissionDenied` if the event belongs to another manager than the
    /// scope, `NoSuchHold`, or `HoldUnusable`. Returns `Database` if the outcome is unknown.
    pub async fn cancel(
        &self,
        show_id: ShowId,
        scope: EventScope,
        hold: Uuid,
        order: &OrderId,
    ) -> Result<HoldInHall, Error> {
        until_decided(&self.table, move || self.try_cancel(show_id, scope, hold, order)).await
    }

    async fn try_cancel(
        &self,
        show_id: ShowId,
        scope: EventScope,
        hold: Uuid,
        order: &OrderId,
    ) -> Result<HoldInHall, TransactionError> {
        let mut read = self.halls.read(show_id.event, [keys::hold(hold)]).await?;
        // An order service cancels what is sold in a draft, too. So the hold decides if the event exists for it.
        let show = read.show(show_id.show, EventScope::All)?;
        let hold = self.hold(&mut read, show_id, hold);
        let is_sold = hold.as_ref().is_ok_and(|hold| hold.order() == Some(order));
        scope.expect_for_cancellation(&show.event, is_sold)?;
        let hold = hold?;
        let hold = match selling::cancel(&hold, order)? {
            Some(plan) => {
                let holder = match hold.member {
                    Some(member) => {
                        let key = keys::holder(hold.show, member);
                        holder_record::read(Items::read(&self.table, [key.clone()]).await?.take(&key).as_ref())
                    }
                    None => Holder::default(),
                };
                self.commit(&show, &plan, &holder).await?;
                plan.into_hold()
            }
            None => hold,
        };
        Ok(self.in_hall(hold, show.hall))
    }

    async fn commit(&self, show: &ShowOfEvent, plan: &Plan, holder: &Holder) -> Result<(), TransactionError> {
        let (fence, now) = (Fence::any(), self.clock.now());
        let commit = Commit { show, plan, holder, key: None, fence, now };
        commit.transaction(&self.table)?.commit().await
    }

    /// Reads a hold of a member.
    ///
    /// Returns `Lost` if the hold expired during the read: an order may have confirmed it in the meantime.
    pub(super) async fn of_member(
        &self,
        show_id: ShowId,
        member: Uuid,
        hold: Uuid,
    ) -> Result<(Hold, ShowOfEvent), TransactionError> {
        let (key, before) = (keys::member(member), self.clock.now());
        let mut read = self.halls.read(show_id.event, [key.clone(), keys::hold(hold)]).await?;
        read.items.take(&key).ok_or(Error::InvalidAccessToken)?;
        let show = read.show(show_id.show, EventScope::PUBLIC)?;
        let hold = self.hold(&mut read, show_id, hold)?;
        if hold.member != Some(member) {
            return Err(Error::NoSuchHold.into());
        }
        let is_unchanged = hold.status(before) == hold.status(self.clock.now());
        if is_unchanged { Ok((hold, show)) } else { Err(TransactionError::Lost) }
    }

    pub(super) fn hold(&self, read: &mut EventRead, show_id: ShowId, id: Uuid) -> Result<Hold, Error> {
        let item = read.items.take(&keys::hold(id)).ok_or(Error::NoSuchHold)?;
        let hold = read_hold(id, item, self.clock.now())?.ok_or(Error::NoSuchHold)?;
        if (hold.event, hold.show) == (show_id.event, show_id.show) { Ok(hold) } else { Err(Error::NoSuchHold) }
    }

    pub(super) fn in_hall(&self, hold: Hold, hall: Arc<SeatMap>) -> HoldInHall {
        HoldInHall { status: hold.status(self.clock.now()), hold, hall }
    }
}

/// Returns the sum of the prices of seats.
pub(super) fn amount(hall: &SeatMap, seats: &[u32]) -> Price {
    let price = |seat: &u32| hall.seat(*seat as usize).map_or(0, |(area, _)| hall.areas()[area].price.hundredths());
    Price::from_stored(seats.iter().map(price).sum())
}
