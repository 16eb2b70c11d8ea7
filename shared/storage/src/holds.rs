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
    error::{Error, TakenSeat},
    hold::{Hold, HoldState, HoldStatus, OrderId},
    hold_limits::{HoldLimits, RecentHolds},
    idempotency::{Fingerprint, IdempotencyKey},
    manager::EventScope,
    price::Price,
    show::{ShowId, ShowStatus},
};
use seating::{choice::Group, seat_map::SeatMap};
use uuid::Uuid;

use crate::{
    best_seats::{BestSeats, FreeSeats},
    fence::{self, Fence, QuietFence},
    hall::{EventRead, Halls, Items, ShowOfEvent},
    hold_key::HoldKeyRecord,
    hold_record::{confirm_hold, put_hold, read_hold, release_hold},
    holder::{self, Holder},
    keys,
    seat_states::{Condition, SeatStates, change},
    table::{Table, backoff},
    transaction::{Transaction, TransactionError, until_decided, until_decided_with},
    write::Write,
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
struct BeforeHold {
    show: ShowOfEvent,
    wanted: KnownSeats,
    holder: Holder,
    /// Hold of an earlier request with the same idempotency key.
    first: Option<HoldKeyRecord>,
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

    /// Holds seats for a member: all of them or none. Makes one read and one transaction; for the best seats, it also reads
    /// the states of the areas, unless they were read within the last second.
    ///
    /// # Errors
    ///
    /// Holds nothing and returns the first that applies: `InvalidAccessToken` if there is no such member, `NoSuchEvent`
    /// if there is no such show, `NoSuchSeats` or `UnknownAreas`, `KeyReused` if the key belongs to another request,
    /// `NotOnSale`, `TooManySeatsOfMember`, `TooManyHolds`, `SeatsTaken` or `NoFreeGroup`. Returns `Database` if the outcome
    /// is unknown, or if others were faster all the time.
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
        let before = self.read_before(show_id, new, now).await?;
        if let (Some(first), Some((_, fingerprint))) = (&before.first, &new.key) {
            return Ok(self.get(show_id, new.member, first.hold(fingerprint)?).await?);
        }
        let recent = match self.decide(limits, &before, now) {
            Ok(recent) => recent,
            Err(error) => {
                self.expect_first(show_id, new, now).await?;
                return Err(error);
            }
        };
        let hold = |seats: &[u32]| Hold {
            id: Uuid::new_v4(),
            event: show_id.event,
            show: show_id.show,
            member: Some(new.member),
            amount: amount(&before.show.hall, seats),
            seats: seats.to_vec(),
            expires: limits.lifetime.expiry(now),
            state: HoldState::Held,
        };
        match &before.wanted {
            KnownSeats::These(seats) => {
                let hold = hold(seats);
                match self.transaction(new, &hold, Fence::any(), recent, &before, now)?.commit().await {
                    Ok(()) => Ok(self.in_hall(hold, before.show.hall)),
                    Err(TransactionError::Final(Error::SeatsTaken(_))) => {
                        self.expect_free(new.member, &hold, &before.holder).await?;
                        Err(TransactionError::Lost)
                    }
                    Err(error) => Err(error),
                }
            }
            KnownSeats::Best(areas, group) => {
                let collided = collisions.load(Ordering::Relaxed);
                let seats = self.free_seats.choose(&before.show, areas, *group, collided).await;
                if matches!(seats, Err(Error::NoFreeGroup)) {
                    // A simultaneous hold of the member may have taken the last seats: then the limits come first.
                    let holder = self.table.get(&keys::holder(show_id.show, new.member)).await?;
                    if !before.holder.is_same(&Holder::read(holder.as_ref())) {
                        return Err(TransactionError::Lost);
                    }
                }
                let hold = hold(&seats?);
                let fence = self.fence.take();
                let transaction = self.transaction(new, &hold, fence, recent, &before, now)?;
                match transaction.commit_without_waiting().await {
                    Ok(()) => {
                        self.fence.put_back(fence);
                        self.free_seats.take(hold.show, &hold.seats);
                        Ok(self.in_hall(hold, before.show.hall))
                    }
                    Err(TransactionError::Final(Error::SeatsTaken(_))) => {
                        self.fence.put_back(fence);
                        self.free_seats.forget();
                        collisions.fetch_add(1, Ordering::Relaxed);
                        Err(TransactionError::Lost)
                    }
                    Err(error) => Err(error),
                }
            }
        }
    }

    /// Reads what a new hold depends on.
    async fn read_before(&self, show_id: ShowId, new: &NewHold, now: Duration) -> Result<BeforeHold, Error> {
        let (member, holder) = (keys::member(new.member), keys::holder(show_id.show, new.member));
        let key = new.key.as_ref().map(|(key, _)| keys::hold_idempotency(new.member, show_id.show, key));
        let others = [member.clone(), holder.clone()].into_iter().chain(key.clone());
        let mut read = self.halls.read(show_id.event, others).await?;
        read.items.take(&member).ok_or(Error::InvalidAccessToken)?;
        let show = read.show(show_id.show, EventScope::PUBLIC)?;
        let first = key.and_then(|key| read.items.take(&key)).map(|item| HoldKeyRecord::read(item, now));
        Ok(BeforeHold {
            wanted: match &new.seats {
                WantedSeats::These(ids) => KnownSeats::These(show.numbers(ids)?),
                WantedSeats::Best(best) => KnownSeats::Best(show.areas(&best.areas)?, best.group),
            },
            show,
            holder: Holder::read(read.items.take(&holder).as_ref()),
            first: first.transpose()?.flatten(),
        })
    }

    /// Decides if a member may hold as many seats, whoever has them, and returns the holds of the last hour with this one.
    fn decide(&self, limits: HoldLimits, before: &BeforeHold, now: Duration) -> Result<RecentHolds, TransactionError> {
        let BeforeHold { show: ShowOfEvent { event, show, .. }, wanted, holder, .. } = before;
        if now < event.details.ticketing_open_time.since_epoch() || !show.is_on_sale(now) {
            return Err(Error::NotOnSale.into());
        }
        let max_seats = limits.max_seats.get();
        if holder.seats(now) + wanted.count() > max_seats {
            let is_still = holder.seats(self.clock.now()) + wanted.count() > max_seats;
            let error = Error::TooManySeatsOfMember(max_seats);
            return Err(if is_still { error.into() } else { TransactionError::Lost });
        }
        Ok(holder.recent.and_one(now)?)
    }

    /// Checks that no simultaneous request with the same key has made the hold since the read.
    async fn expect_first(&self, show_id: ShowId, new: &NewHold, now: Duration) -> Result<(), TransactionError> {
        let Some((key, _)) = &new.key else { return Ok(()) };
        let item = self.table.get(&keys::hold_idempotency(new.member, show_id.show, key)).await?;
        let record = item.map(|item| HoldKeyRecord::read(item, now)).transpose()?.flatten();
        if record.is_some() { Err(TransactionError::Lost) } else { Ok(()) }
    }

    /// Builds the transaction that stores a hold only if nothing changed since the read, and its seats are free.
    fn transaction(
        &self,
        new: &NewHold,
        hold: &Hold,
        fence: Fence,
        recent: RecentHolds,
        before: &BeforeHold,
        now: Duration,
    ) -> Result<Transaction<'_>, Error> {
        let event = &before.show.event;
        let mut transaction = Transaction::new(&self.table);
        if let Some((key, fingerprint)) = &new.key {
            let record = HoldKeyRecord::new(fingerprint, hold.id, now);
            transaction
                .add(record.put(keys::hold_idempotency(new.member, hold.show, key), now)?, TransactionError::Lost);
        }
        transaction.add(fence::count(event, hold.show, fence), TransactionError::Lost);
        transaction.add(before.holder.add(new.member, hold, recent, now), TransactionError::Lost);
        transaction.add(put_hold(hold)?, TransactionError::Lost);
        let free = |_| Condition::Free(now);
        for write in change(hold.show, &hold.seats, Some(hold.held()), free) {
            transaction.add(write, Error::SeatsTaken(Vec::new()));
        }
        Ok(transaction)
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
        let (hold, _) = self.of_member(show_id, member, hold).await?;
        match hold.status(self.clock.now()) {
            HoldStatus::Held => {
                let holder = hold.member.map(|member| holder::remove(member, &hold));
                self.free(&hold, holder).await
            }
            HoldStatus::Expired | HoldStatus::Released => Ok(()),
            HoldStatus::Confirmed => Err(Error::HoldUnusable.into()),
        }
    }

    /// Gives the seats of a hold to an order, also if it has expired and they are still free.
    ///
    /// A repetition with the same order and amount changes nothing. `amount` is in hundredths.
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
        amount: Option<u64>,
    ) -> Result<HoldInHall, Error> {
        until_decided(&self.table, move || self.try_confirm(show_id, scope, hold, order, amount)).await
    }

    async fn try_confirm(
        &self,
        show_id: ShowId,
        scope: EventScope,
        hold: Uuid,
        order: &OrderId,
        amount: Option<u64>,
    ) -> Result<HoldInHall, TransactionError> {
        let mut read = self.halls.read(show_id.event, [keys::hold(hold)]).await?;
        // Nobody confirms a hold of a draft, not even its manager.
        let show = read.show(show_id.show, EventScope::PUBLIC)?;
        scope.expect(&show.event)?;
        let hold = self.hold(&mut read, show_id, hold)?;
        if amount != Some(hold.amount.hundredths()) {
            return Err(Error::HoldUnusable.into());
        }
        match &hold.state {
            HoldState::Held if show.show.status == ShowStatus::Scheduled => {}
            HoldState::Confirmed(known) if known == order => return Ok(self.in_hall(hold, show.hall)),
            // The hold and the event are not read at the same moment, so the order may have confirmed it before the show was
            // called off.
            _ if self.read_again(&hold).await? != Some(hold.state.clone()) => return Err(TransactionError::Lost),
            _ => return Err(Error::HoldUnusable.into()),
        }
        let (now, state) = (self.clock.now(), HoldState::Confirmed(order.clone()));
        let mut transaction = Transaction::new(&self.table);
        transaction.add(fence::count(&show.event, hold.show, Fence::any()), TransactionError::Lost);
        transaction.add(confirm_hold(&hold, order), TransactionError::Lost);
        if let Some(member) = hold.member {
            transaction.add_unconditional(holder::keep(member, &hold));
        }
        let free_or_held = |_| Condition::FreeOr(now, hold.held());
        for write in change(hold.show, &hold.seats, Some(hold.sold()), free_or_held) {
            transaction.add(write, Error::HoldUnusable);
        }
        transaction.commit().await?;
        Ok(self.in_hall(Hold { state, ..hold }, show.hall))
    }

    /// Reads the state of a hold again.
    async fn read_again(&self, hold: &Hold) -> Result<Option<HoldState>, Error> {
        let mut items = Items::default();
        items.read(&self.table, [keys::hold(hold.id)].into_iter()).await?;
        let read = items.take(&keys::hold(hold.id)).map(|item| read_hold(hold.id, item, self.clock.now()));
        Ok(read.transpose()?.flatten().map(|hold| hold.state))
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
        let (sold, state) = (HoldState::Confirmed(order.clone()), HoldState::Cancelled(order.clone()));
        let is_sold = hold.as_ref().is_ok_and(|hold| [&sold, &state].contains(&&hold.state));
        scope.expect_for_cancellation(&show.event, is_sold)?;
        let hold = hold?;
        if hold.state == sold {
            let holder = match hold.member {
                Some(member) => {
                    let (key, mut items) = (keys::holder(hold.show, member), Items::default());
                    items.read(&self.table, [key.clone()].into_iter()).await?;
                    Some(Holder::read(items.take(&key).as_ref()).remove_sold(member, &hold, self.clock.now()))
                }
                None => None,
            };
            self.free(&hold, holder).await?;
        } else if hold.state != state {
            return Err(Error::HoldUnusable.into());
        }
        Ok(self.in_hall(Hold { state, ..hold }, show.hall))
    }

    /// Releases a hold, or cancels its order, frees its seats, and takes it from its holder.
    async fn free(&self, hold: &Hold, holder: Option<Write>) -> Result<(), TransactionError> {
        let taken = if hold.state == HoldState::Held { hold.held() } else { hold.sold() };
        let mut transaction = Transaction::new(&self.table);
        transaction.add(release_hold(hold, self.clock.now()), TransactionError::Lost);
        if let Some(write) = holder {
            transaction.add(write, TransactionError::Lost);
        }
        for write in change(hold.show, &hold.seats, None, |_| Condition::Is(Some(taken))) {
            transaction.add(write, TransactionError::Lost);
        }
        transaction.commit().await
    }

    /// Checks that the seats of a hold, which were taken a moment ago, are free again.
    ///
    /// The member's other holds may have changed, too. Then the request starts again, because their limits come first.
    ///
    /// # Errors
    ///
    /// Returns `SeatsTaken` with the seats that are taken.
    async fn expect_free(&self, member: Uuid, hold: &Hold, holder: &Holder) -> Result<(), Error> {
        let states = self.states.of_seats(hold.show, &hold.seats).await?;
        let later = Holder::read(self.table.get(&keys::holder(hold.show, member)).await?.as_ref());
        let now = self.clock.now();
        let taken_seat = |(index, seat): (usize, &u32)| {
            let state = states.get(seat).filter(|state| state.is_current(now))?;
            Some(TakenSeat { index, is_own: state.hold().is_some_and(|hold| later.has(hold)) })
        };
        let taken: Vec<_> = hold.seats.iter().enumerate().filter_map(taken_seat).collect();
        if taken.is_empty() || !holder.is_same(&later) { Ok(()) } else { Err(Error::SeatsTaken(taken)) }
    }

    /// Reads a hold of a member.
    ///
    /// Returns `Lost` if the hold expired during the read: an order may have confirmed it in the meantime.
    async fn of_member(
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
