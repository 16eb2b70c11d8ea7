//! Sequential model of the seats of a show.

use std::collections::BTreeMap;

use domain::show::ShowStatus;
use uuid::Uuid;

use crate::{
    client::Outcome,
    linearizability::{Call, Model},
};

/// Number of seats that clients use.
pub const SEATS: usize = 16;
/// Those in the second area, of which all seats are used: ordinary seats, two wheelchair places and a companion's seat.
const SECOND_AREA: Seats = 0b11_1111 << 10;
const WHEELCHAIRS: Seats = 0b1_1000 << 10;
const COMPANION: Seats = 0b10_0000 << 10;
/// Maximum number of seats that a member has.
const MAX_SEATS: u32 = 4;

/// Number of times that the show can have.
pub const TIMES: usize = 3;
/// Time at which the show has begun.
pub const BEGUN: usize = 2;
/// Number of labels of blocked seats.
pub const LABELS: usize = 2;

/// Set of seats, as a bit mask.
pub type Seats = u16;

/// Entry of the show in its event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Entry {
    pub status: ShowStatus,
    /// Number of its time.
    pub time: usize,
}

pub struct Show;

/// State of a show.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ShowState {
    is_deleted: bool,
    is_draft: bool,
    is_removed: bool,
    ticketing: Ticketing,
    entry: Entry,
    /// Number of times at which the clock was moved; each one lets all holds expire.
    epoch: u32,
    seats: [Seat; SEATS],
    /// Sold seats whose tickets are admitted.
    admitted: Seats,
    holds: BTreeMap<Uuid, Hold>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Ticketing {
    #[default]
    Open,
    OpensLater,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Seat {
    #[default]
    Free,
    Of(Uuid),
    /// With the number of its label, if it has one.
    Blocked(Option<usize>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Hold {
    /// None if the box office sold the seats.
    member: Option<usize>,
    seats: Seats,
    epoch: u32,
    state: HoldState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum HoldState {
    Held,
    Confirmed(usize),
    Released,
    /// Expired, or released by a request that began before that.
    ExpiredOrReleased,
    Cancelled(usize),
}

/// Operation with its response.
///
/// A hold returns its id and the number of times at which the clock had been moved, and one of best seats also its
/// seats. `is_during_expiry` is true if the clock was moved meanwhile: the release may have decided before, and take
/// effect after it. So `is_during_change` is for a scan or a removal, which reads the show before the seat. `Unblock`
/// returns the number of freed seats, `Blocks` the blocked seats without a label and with each one, and the
/// cancellation of an event no entry if the show was removed.
#[derive(Clone, Debug)]
pub enum Operation {
    Hold { member: usize, seats: Seats, response: Outcome<(Uuid, u32)> },
    HoldBest { member: usize, count: u32, kinds: Kinds, response: Outcome<(Uuid, u32, Seats)> },
    Sell { seats: Seats, order: usize, response: Outcome<Uuid> },
    Release { hold: Uuid, is_during_expiry: bool, response: Outcome<()> },
    Confirm { hold: Uuid, order: usize, response: Outcome<()> },
    Cancel { hold: Uuid, order: usize, response: Outcome<()> },
    Get { hold: Uuid, response: Outcome<String> },
    Block { seats: Seats, label: Option<usize>, response: Outcome<()> },
    Unblock { freed: Freed, response: Outcome<u32> },
    Blocks { response: Outcome<[Seats; 1 + LABELS]> },
    Availability { response: Outcome<Seats> },
    Scan { hold: Uuid, seats: Seats, is_during_change: bool, response: Outcome<String> },
    RemoveAdmission { seats: Seats, is_during_change: bool, response: Outcome<bool> },
    Delete { response: Outcome<()> },
    Restore { response: Outcome<()> },
    Remove { response: Outcome<()> },
    Hide { response: Outcome<()> },
    Publish { response: Outcome<()> },
    Open { is_closed: bool, response: Outcome<()> },
    Change { status: Option<ShowStatus>, time: Option<usize>, response: Outcome<Option<Entry>> },
    CancelEvent { response: Outcome<Option<Entry>> },
    Expire { response: Outcome<()> },
}

/// Seats that are freed: these, or those with a label.
#[derive(Clone, Copy, Debug)]
pub enum Freed {
    Seats(Seats),
    Label(usize),
}

/// Seats that a hold of the best ones can have.
#[derive(Clone, Copy, Debug)]
pub enum Kinds {
    Ordinary,
    Wheelchair,
    WheelchairAndCompanion,
}

impl Kinds {
    /// Returns the seats of these kinds.
    fn seats(self) -> Seats {
        match self {
            Self::Ordinary => SECOND_AREA & !WHEELCHAIRS & !COMPANION,
            Self::Wheelchair => WHEELCHAIRS,
            Self::WheelchairAndCompanion => WHEELCHAIRS | COMPANION,
        }
    }

    /// Returns true if a hold can have so many of these free seats.
    fn suffice(self, free: Seats, count: u32) -> bool {
        let has_wheelchair = matches!(self, Self::Ordinary) || free & WHEELCHAIRS != 0;
        has_wheelchair && (free & self.seats()).count_ones() >= count
    }
}

/// Marks the releases during which the clock was moved, and the scans during which the event or show changed.
pub fn mark_overlaps(calls: &mut [Call<Operation>]) {
    use Operation::{CancelEvent, Change, Delete, Expire, Release, Remove, RemoveAdmission, Restore, Scan};
    let times = |is_such: fn(&Operation) -> bool| -> Vec<_> {
        let such = calls.iter().filter(|call| is_such(&call.operation));
        such.map(|call| (call.invoked, call.completed)).collect()
    };
    let expiries = times(|operation| matches!(operation, Expire { .. }));
    let changes = times(|operation| {
        matches!(operation, CancelEvent { .. } | Change { .. } | Delete { .. } | Remove { .. } | Restore { .. })
    });
    for call in calls {
        let (begin, end) = (call.invoked, call.completed);
        let overlaps =
            |times: &[(u64, u64)]| times.iter().any(|(invoked, completed)| *invoked < end && begin < *completed);
        match &mut call.operation {
            Release { is_during_expiry, .. } => *is_during_expiry = overlaps(&expiries),
            Scan { is_during_change, .. } | RemoveAdmission { is_during_change, .. } => {
                *is_during_change = overlaps(&changes);
            }
            _ => {}
        }
    }
}

/// Returns true for operations that concern the whole event, so that they work without the show.
fn is_about_event(operation: &Operation) -> bool {
    use Operation::{CancelEvent, Delete, Hide, Open, Publish, Remove};
    matches!(operation, Delete { .. } | Remove { .. } | Hide { .. } | Publish { .. } | Open { .. } | CancelEvent { .. })
}

/// Returns true for operations that do not work in a draft.
fn is_public(operation: &Operation) -> bool {
    use Operation::{Availability, Confirm, Get, Hold, HoldBest, Release};
    matches!(
        operation,
        Hold { .. } | HoldBest { .. } | Release { .. } | Get { .. } | Confirm { .. } | Availability { .. }
    )
}

impl Ticketing {
    fn new(is_closed: bool) -> Self {
        if is_closed { Self::OpensLater } else { Self::Open }
    }
}

impl Entry {
    fn has_begun(self) -> bool {
        self.time == BEGUN && self.status != ShowStatus::Postponed
    }
}

impl ShowState {
    /// Returns true if the show is postponed or cancelled.
    fn is_off(&self) -> bool {
        self.entry.status != ShowStatus::Scheduled
    }

    fn is_taken(&self, seat: Seat) -> bool {
        match seat {
            Seat::Free => false,
            Seat::Blocked(_) => true,
            Seat::Of(hold) => self.holds.get(&hold).is_some_and(|hold| self.has_seats(hold)),
        }
    }

    fn has_seats(&self, hold: &Hold) -> bool {
        match hold.state {
            HoldState::Held => hold.epoch == self.epoch,
            HoldState::Confirmed(_) => true,
            HoldState::Released | HoldState::ExpiredOrReleased | HoldState::Cancelled(_) => false,
        }
    }

    fn taken(&self) -> Seats {
        let taken = self.seats.iter().enumerate().filter(|(_, seat)| self.is_taken(**seat));
        taken.fold(0, |taken, (number, _)| taken | 1 << number)
    }

    /// Returns the seats that are blocked.
    fn blocked(&self) -> Seats {
        (0..LABELS).fold(self.blocked_with(None), |blocked, label| blocked | self.blocked_with(Some(label)))
    }

    /// Returns the seats that are blocked with a label, or without one.
    fn blocked_with(&self, label: Option<usize>) -> Seats {
        let blocked = self.seats.iter().enumerate().filter(|(_, seat)| **seat == Seat::Blocked(label));
        blocked.fold(0, |blocked, (number, _)| blocked | 1 << number)
    }

    /// Returns the blocked seats that are to be freed.
    fn freed(&self, freed: Freed) -> Seats {
        match freed {
            Freed::Seats(seats) => self.blocked() & seats,
            Freed::Label(label) => self.blocked_with(Some(label)),
        }
    }

    /// Returns the number of seats that a member has.
    fn seats_of(&self, member: usize) -> u32 {
        let own = self.holds.values().filter(|hold| hold.member == Some(member) && self.has_seats(hold));
        own.map(|hold| hold.seats.count_ones()).sum()
    }

    /// Holds free seats.
    fn hold(&mut self, id: Uuid, member: usize, seats: Seats, epoch: u32) -> Result<(), &'static str> {
        // It may have expired before it was stored.
        if epoch > self.epoch {
            return Err("a hold of the future");
        }
        self.set(seats, Seat::Of(id));
        self.holds.insert(id, Hold { member: Some(member), seats, epoch, state: HoldState::Held });
        Ok(())
    }

    fn set(&mut self, seats: Seats, state: Seat) {
        self.admitted &= !seats;
        for (number, seat) in self.seats.iter_mut().enumerate() {
            if seats & 1 << number != 0 {
                *seat = state;
            }
        }
    }

    fn change(&mut self, id: Uuid, state: HoldState) {
        let Some(hold) = self.holds.get_mut(&id) else { return };
        hold.state = state;
        let seats = hold.seats;
        self.set(seats, if matches!(state, HoldState::Confirmed(_)) { Seat::Of(id) } else { Seat::Free });
    }

    /// Carries out an operation, and returns the code of its failure.
    fn carry_out(&mut self, operation: &Operation) -> Result<(), &'static str> {
        use Operation::{Availability, Block, Blocks, Cancel, Confirm, Get, Hold, HoldBest, Release, Sell, Unblock};
        match operation {
            Operation::Restore { .. } => self.is_deleted = false,
            Operation::Expire { .. } => self.epoch += 1,
            Operation::Scan { .. } | Operation::RemoveAdmission { .. } => return self.admit(operation),
            _ if self.is_deleted || self.is_removed && !is_about_event(operation) => return Err("E_002"),
            _ if self.is_draft && is_public(operation) => return Err("E_002"),
            Hold { seats, .. } if seats & COMPANION != 0 && seats & WHEELCHAIRS == 0 => return Err("C_001"),
            Hold { .. } | HoldBest { .. } if self.ticketing == Ticketing::OpensLater => return Err("H_003"),
            Hold { .. } | HoldBest { .. } | Sell { .. } if self.is_off() || self.entry.has_begun() => {
                return Err("H_003");
            }
            Hold { .. } | HoldBest { .. } | Sell { .. } | Block { .. } | Unblock { .. } => {
                return self.take_seats(operation);
            }
            Release { hold, is_during_expiry, .. } => return self.release(*hold, *is_during_expiry),
            Confirm { hold, order, response } => return self.confirm(*hold, *order, response),
            Cancel { hold: id, order, .. } => match self.holds.get(id).ok_or("not held yet")?.state {
                HoldState::Confirmed(known) if known == *order => self.change(*id, HoldState::Cancelled(*order)),
                HoldState::Cancelled(known) if known == *order => {}
                _ => return Err("H_004"),
            },
            Get { .. } | Availability { .. } | Blocks { .. } => {}
            _ => return self.change_event(operation),
        }
        Ok(())
    }

    /// Returns true if this error applies, perhaps with others. Which of several a request is told, is not promised
    /// while others change the same seats.
    fn may_reject(&self, operation: &Operation, code: &str) -> bool {
        let is_over = self.is_off() || self.entry.has_begun();
        let taken = self.taken();
        match (operation, code) {
            (Operation::Hold { .. } | Operation::HoldBest { .. }, "H_003") => {
                is_over || self.ticketing == Ticketing::OpensLater
            }
            (Operation::Sell { .. }, "H_003") => is_over,
            (Operation::Hold { member, seats, .. }, "H_002") => self.seats_of(*member) + seats.count_ones() > MAX_SEATS,
            (Operation::HoldBest { member, count, .. }, "H_002") => self.seats_of(*member) + count > MAX_SEATS,
            (Operation::Hold { seats, .. }, "H_001") => taken & seats != 0,
            (Operation::HoldBest { count, kinds, .. }, "H_006") => !kinds.suffice(!taken, *count),
            (Operation::Sell { seats, .. } | Operation::Block { seats, .. }, "H_001") => {
                taken & !self.blocked() & seats != 0
            }
            (Operation::Confirm { .. }, "H_004") => self.is_off(),
            _ => false,
        }
    }

    /// Changes the event or its show.
    fn change_event(&mut self, operation: &Operation) -> Result<(), &'static str> {
        match operation {
            Operation::Hide { .. } if self.is_draft => {}
            Operation::Delete { .. } | Operation::Remove { .. } | Operation::Hide { .. }
                if !self.is_removed && self.taken() != 0 =>
            {
                return Err("E_004");
            }
            Operation::Delete { .. } => self.is_deleted = true,
            Operation::Remove { .. } => self.is_removed = true,
            Operation::Hide { .. } => self.is_draft = true,
            Operation::Publish { .. } => self.is_draft = false,
            Operation::Open { is_closed, .. } => self.ticketing = Ticketing::new(*is_closed),
            Operation::Change { status, time, .. } => {
                let Entry { status: old_status, time: old_time } = self.entry;
                self.entry = Entry { status: status.unwrap_or(old_status), time: time.unwrap_or(old_time) };
            }
            Operation::CancelEvent { .. } if !self.entry.has_begun() => self.entry.status = ShowStatus::Cancelled,
            _ => {}
        }
        Ok(())
    }

    /// Holds, sells, blocks or frees seats.
    fn take_seats(&mut self, operation: &Operation) -> Result<(), &'static str> {
        let (taken, blocked) = (self.taken(), self.blocked());
        match operation {
            Operation::Hold { member, seats, .. } if self.seats_of(*member) + seats.count_ones() > MAX_SEATS => {
                return Err("H_002");
            }
            Operation::HoldBest { member, count, .. } if self.seats_of(*member) + count > MAX_SEATS => {
                return Err("H_002");
            }
            Operation::Hold { seats, .. } if taken & seats != 0 => return Err("H_001"),
            Operation::Hold { member, seats, response } => {
                let (id, epoch) = response.clone().unwrap_or_default();
                return self.hold(id, *member, *seats, epoch);
            }
            Operation::HoldBest { count, kinds, response: Err(_), .. } => {
                return Err(if kinds.suffice(!taken, *count) { "free seats" } else { "H_006" });
            }
            Operation::HoldBest { member, count, kinds, response: Ok((id, epoch, seats)) } => {
                let is_of_kinds = seats & !kinds.seats() == 0 && kinds.suffice(*seats, *count);
                if !is_of_kinds || seats.count_ones() != *count || taken & seats != 0 {
                    return Err("other seats");
                }
                return self.hold(*id, *member, *seats, *epoch);
            }
            Operation::Sell { seats, .. } | Operation::Block { seats, .. } if taken & !blocked & seats != 0 => {
                return Err("H_001");
            }
            Operation::Sell { seats, order, response } => {
                let id = response.clone().unwrap_or_default();
                let state = HoldState::Confirmed(*order);
                self.set(*seats, Seat::Of(id));
                self.holds.insert(id, Hold { member: None, seats: *seats, epoch: self.epoch, state });
            }
            Operation::Block { seats, label: None, .. } => self.set(seats & !blocked, Seat::Blocked(None)),
            Operation::Block { seats, label, .. } => self.set(*seats, Seat::Blocked(*label)),
            Operation::Unblock { freed, .. } => self.set(self.freed(*freed), Seat::Free),
            _ => {}
        }
        Ok(())
    }

    /// Admits a ticket of one seat, or takes the admission of the seat back.
    fn admit(&mut self, operation: &Operation) -> Result<(), &'static str> {
        let is_gone = self.is_deleted || self.is_removed;
        match operation {
            Operation::Scan { is_during_change: true, response: Err(_), .. }
            | Operation::RemoveAdmission { is_during_change: true, response: Err(_), .. } => return Err("G_001"),
            Operation::Scan { is_during_change: false, .. }
            | Operation::RemoveAdmission { is_during_change: false, .. }
                if is_gone =>
            {
                return Err("G_001");
            }
            Operation::Scan { hold, seats, is_during_change, response } => {
                let number = seats.trailing_zeros() as usize;
                let is_confirmed = |hold: &Hold| matches!(hold.state, HoldState::Confirmed(_));
                let is_sold = self.seats[number] == Seat::Of(*hold) && self.holds.get(hold).is_some_and(is_confirmed);
                let response = response.as_deref().unwrap_or_default();
                let expected = match () {
                    () if *is_during_change && response == "SHOW_OFF" => "SHOW_OFF",
                    () if !is_during_change && self.is_off() => "SHOW_OFF",
                    () if !is_sold => "NOT_SOLD",
                    () if self.admitted & seats != 0 => "ALREADY_ADMITTED",
                    () => "ADMITTED",
                };
                if response != expected {
                    return Err("another result");
                }
                if expected == "ADMITTED" {
                    self.admitted |= seats;
                }
            }
            Operation::RemoveAdmission { seats, response, .. } => {
                if *response != Ok(self.admitted & seats != 0) {
                    return Err("another result");
                }
                self.admitted &= !seats;
            }
            _ => {}
        }
        Ok(())
    }

    fn release(&mut self, id: Uuid, is_during_expiry: bool) -> Result<(), &'static str> {
        let hold = self.holds.get_mut(&id).ok_or("not held yet")?;
        match hold.state {
            HoldState::Confirmed(_) => return Err("H_004"),
            HoldState::Held if hold.epoch == self.epoch => self.change(id, HoldState::Released),
            HoldState::Held if is_during_expiry => hold.state = HoldState::ExpiredOrReleased,
            _ => {}
        }
        Ok(())
    }

    fn confirm(&mut self, id: Uuid, order: usize, response: &Outcome<()>) -> Result<(), &'static str> {
        let hold = *self.holds.get(&id).ok_or("not held yet")?;
        let mut others = self.seats.iter().enumerate().filter(|(number, _)| hold.seats & 1 << number != 0);
        match hold.state {
            // Either is possible.
            HoldState::ExpiredOrReleased if response.is_err() => Err("H_004"),
            HoldState::Confirmed(known) if known == order => Ok(()),
            HoldState::Held | HoldState::ExpiredOrReleased if self.is_off() => Err("H_004"),
            HoldState::Held | HoldState::ExpiredOrReleased
                if others.all(|(_, seat)| *seat == Seat::Of(id) || !self.is_taken(*seat)) =>
            {
                self.change(id, HoldState::Confirmed(order));
                Ok(())
            }
            _ => Err("H_004"),
        }
    }

    fn may_have(&self, hold: &Hold, status: &str) -> bool {
        match hold.state {
            HoldState::Held if hold.epoch == self.epoch => status == "HELD",
            HoldState::Held => status == "EXPIRED",
            HoldState::Confirmed(_) => status == "CONFIRMED",
            HoldState::Released | HoldState::Cancelled(_) => status == "RELEASED",
            HoldState::ExpiredOrReleased => ["EXPIRED", "RELEASED"].contains(&status),
        }
    }
}

impl Model for Show {
    type State = ShowState;
    type Operation = Operation;

    fn step(state: &ShowState, operation: &Operation) -> Option<ShowState> {
        let mut next = state.clone();
        let expected = next.carry_out(operation);
        let is_as_read = match operation {
            Operation::Get { hold, response: Ok(status) } => {
                state.holds.get(hold).is_some_and(|hold| state.may_have(hold, status))
            }
            Operation::Unblock { freed, response: Ok(count) } => *count == state.freed(*freed).count_ones(),
            Operation::Blocks { response: Ok(blocks) } => {
                *blocks == [None, Some(0), Some(1)].map(|label| state.blocked_with(label))
            }
            Operation::Availability { response: Ok(taken) } => *taken == state.taken(),
            Operation::Change { response: Ok(entry), .. } | Operation::CancelEvent { response: Ok(entry) } => {
                *entry == (!next.is_removed).then_some(next.entry)
            }
            _ => true,
        };
        if code(operation).is_some_and(|code| state.may_reject(operation, code)) {
            return Some(state.clone());
        }
        (is_as_read && code(operation) == expected.err()).then_some(next)
    }

    /// Most operations change nothing in some states, such as the release of a released hold.
    fn may_change_later(operation: &Operation) -> bool {
        !matches!(operation, Operation::Get { .. } | Operation::Availability { .. } | Operation::Blocks { .. })
    }
}

/// Returns the code of a failure.
fn code(operation: &Operation) -> Option<&str> {
    match operation {
        Operation::Hold { response, .. } => response.as_ref().err(),
        Operation::HoldBest { response, .. } => response.as_ref().err(),
        Operation::Sell { response, .. } => response.as_ref().err(),
        Operation::Get { response, .. } | Operation::Scan { response, .. } => response.as_ref().err(),
        Operation::Unblock { response, .. } => response.as_ref().err(),
        Operation::Availability { response } => response.as_ref().err(),
        Operation::RemoveAdmission { response, .. } => response.as_ref().err(),
        Operation::Blocks { response } => response.as_ref().err(),
        Operation::Change { response, .. } | Operation::CancelEvent { response } => response.as_ref().err(),
        Operation::Release { response, .. }
        | Operation::Confirm { response, .. }
        | Operation::Cancel { response, .. }
        | Operation::Block { response, .. }
        | Operation::Delete { response }
        | Operation::Restore { response }
        | Operation::Remove { response }
        | Operation::Hide { response }
        | Operation::Publish { response }
        | Operation::Open { response, .. }
        | Operation::Expire { response } => response.as_ref().err(),
    }
    .map(String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::in_sequence;

    /// The model of a history must reject a seat that is sold twice, and what no other sequence explains.
    #[test]
    fn impossible_responses_are_found() {
        const ONE: Uuid = Uuid::from_u128(1);
        const TWO: Uuid = Uuid::from_u128(2);
        let hold_by = |epoch, member, seats, id| Operation::Hold { member, seats, response: Ok((id, epoch)) };
        let held = || hold_by(0, 0, 0b111, ONE);
        let confirm = |hold, order| Operation::Confirm { hold, order, response: Ok(()) };
        let cancel = |order| Operation::Cancel { hold: ONE, order, response: Ok(()) };
        let release = || Operation::Release { hold: ONE, is_during_expiry: false, response: Ok(()) };
        let sell = || Operation::Sell { seats: 1, order: 1, response: Ok(TWO) };
        let best_of = |kinds, seats| Operation::HoldBest { member: 1, count: 2, kinds, response: Ok((TWO, 0, seats)) };
        let best = |seats| best_of(Kinds::Ordinary, seats);
        let block = |seats, label| Operation::Block { seats, label, response: Ok(()) };
        let freed = |label, count| Operation::Unblock { freed: Freed::Label(label), response: Ok(count) };
        let blocks = |seats| Operation::Blocks { response: Ok(seats) };
        let expire = || Operation::Expire { response: Ok(()) };
        let scan = |result: &str| Operation::Scan {
            hold: ONE,
            seats: 1,
            is_during_change: false,
            response: Ok(result.to_owned()),
        };
        let remove = |removed| Operation::RemoveAdmission { seats: 1, is_during_change: false, response: Ok(removed) };
        let off = || Operation::Change {
            status: Some(ShowStatus::Cancelled),
            time: None,
            response: Ok(Some(Entry { status: ShowStatus::Cancelled, time: 0 })),
        };
        for calls in [
            vec![confirm(ONE, 1)],
            vec![held(), hold_by(0, 1, 1, TWO)],
            vec![held(), sell()],
            vec![held(), best(0b11)],
            vec![held(), hold_by(0, 0, 0b11000, TWO)],
            vec![held(), expire(), hold_by(1, 1, 1, TWO), confirm(ONE, 1)],
            vec![held(), confirm(ONE, 1), confirm(ONE, 2)],
            vec![held(), confirm(ONE, 1), cancel(2)],
            vec![held(), confirm(ONE, 1), release()],
            vec![held(), release(), confirm(ONE, 1)],
            vec![held(), Operation::Availability { response: Ok(0) }],
            vec![held(), Operation::Delete { response: Ok(()) }],
            vec![held(), off(), confirm(ONE, 1)],
            vec![off(), sell()],
            vec![hold_by(0, 0, COMPANION | 1, ONE)],
            vec![best(WHEELCHAIRS)],
            vec![best_of(Kinds::Wheelchair, 0b11 << 10)],
            vec![best_of(Kinds::WheelchairAndCompanion, COMPANION | 1 << 10)],
            vec![block(0b11, Some(0)), block(0b10, Some(1)), freed(0, 2)],
            vec![block(0b11, Some(0)), block(0b10, None), blocks([0b10, 0b01, 0])],
            vec![block(0b11, Some(0)), sell(), blocks([0, 0b11, 0])],
            vec![held(), scan("ADMITTED")],
            vec![held(), confirm(ONE, 1), scan("ADMITTED"), scan("ADMITTED")],
            vec![held(), confirm(ONE, 1), scan("ADMITTED"), cancel(1), sell(), scan("ALREADY_ADMITTED")],
            vec![held(), confirm(ONE, 1), scan("ADMITTED"), cancel(1), sell(), remove(true)],
            vec![held(), confirm(ONE, 1), off(), scan("ADMITTED")],
        ] {
            assert_eq!(in_sequence::<Show>(&calls), Err(calls.len() - 1), "{calls:?}");
        }
        for calls in [
            vec![held(), expire(), hold_by(1, 1, 1, TWO), confirm(TWO, 1)],
            vec![held(), expire(), confirm(ONE, 1), confirm(ONE, 1), cancel(1), sell()],
            vec![held(), best(0b11 << 10), confirm(ONE, 1), off(), cancel(1)],
            vec![
                held(),
                confirm(ONE, 1),
                scan("ADMITTED"),
                remove(true),
                scan("ADMITTED"),
                cancel(1),
                scan("NOT_SOLD"),
            ],
            vec![best_of(Kinds::WheelchairAndCompanion, COMPANION | 1 << 13), block(1, None), blocks([1, 0, 0])],
            vec![block(0b11, Some(0)), block(0b110, Some(1)), blocks([0, 1, 0b110]), freed(1, 2), blocks([0, 1, 0])],
        ] {
            assert_eq!(in_sequence::<Show>(&calls), Ok(()), "{calls:?}");
        }
    }
}
