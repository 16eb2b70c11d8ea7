//! Changes that other systems are told, found by comparing what is stored before and after a write.
//!
//! A comparison says nothing about drafts, holds and logins: there are too many of them, or they are nobody's business.

use uuid::Uuid;

use crate::{
    event::{Event, Status},
    hold::{Hold, HoldState, OrderId},
    id,
    member::Member,
    seats::admission::SoldSeat,
    show::{Show, ShowId},
    ticket::Ticket,
};

/// Committed change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommittedChange {
    /// The sort of the change.
    pub kind: ChangeKind,
    /// Its subject.
    pub subject: Subject,
}

/// Sort of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// An event was registered, copied or restored as published, or a draft was published.
    EventPublished,
    /// A published event became a draft.
    EventHidden,
    /// Fields or the poster of a published event were edited, or its shows were put in another order.
    EventChanged,
    /// A published event was deleted.
    EventDeleted,
    /// A published event got a show.
    ShowAdded,
    /// A published event lost a show.
    ShowRemoved,
    /// A show of a published event has another time, status or notice.
    ShowChanged,
    /// An order got the seats of a hold, or the box office sold seats.
    SaleConfirmed,
    /// An order was cancelled.
    SaleCancelled,
    /// A member registered.
    MemberJoined,
    /// A member has another name, nickname or password, or a verified address.
    MemberChanged,
    /// A member withdrew.
    MemberWithdrawn,
    /// A ticket let somebody in.
    TicketAdmitted,
    /// The admission of a ticket was taken back.
    TicketRemoved,
}

/// Subject of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    /// An event.
    Event {
        /// The event.
        event: Uuid,
        /// Its manager.
        manager: Uuid,
    },
    /// A show after the change, or before its removal.
    Show {
        /// The event.
        event: Uuid,
        /// The show.
        show: Show,
    },
    /// A sale.
    Sale {
        /// The hold.
        hold: Box<Hold>,
        /// The order that has its seats, or had them.
        order: OrderId,
    },
    /// The member with this id.
    Member(Uuid),
    /// A ticket.
    Ticket {
        /// The ticket.
        ticket: Ticket,
        /// Gate of the admission.
        gate: Uuid,
    },
}

/// Member as far as changes are told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberState {
    /// The member.
    pub member: Member,
    /// Number of new passwords since the registration.
    pub new_passwords: u64,
    /// True if the address is verified.
    pub is_email_verified: bool,
}

impl ChangeKind {
    /// Returns the name of the kind, such as `event.published`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::EventPublished => "event.published",
            Self::EventHidden => "event.hidden",
            Self::EventChanged => "event.changed",
            Self::EventDeleted => "event.deleted",
            Self::ShowAdded => "show.added",
            Self::ShowRemoved => "show.removed",
            Self::ShowChanged => "show.changed",
            Self::SaleConfirmed => "sale.confirmed",
            Self::SaleCancelled => "sale.cancelled",
            Self::MemberJoined => "member.joined",
            Self::MemberChanged => "member.changed",
            Self::MemberWithdrawn => "member.withdrawn",
            Self::TicketAdmitted => "ticket.admitted",
            Self::TicketRemoved => "ticket.removed",
        }
    }
}

/// Compares an event with what it was before; `None` if it is new.
///
/// An event that is published, hidden or deleted is told as that alone.
#[must_use]
pub fn of_event(before: Option<&Event>, after: &Event) -> Vec<CommittedChange> {
    let before = before.filter(|before| before.status() == Status::Live);
    let kind = match (before, after.status()) {
        (None, Status::Live) => ChangeKind::EventPublished,
        (Some(_), Status::Draft) => ChangeKind::EventHidden,
        (Some(_), Status::Deleted) => ChangeKind::EventDeleted,
        (Some(before), Status::Live) => return of_live_event(before, after),
        (None, _) => return Vec::new(),
    };
    vec![event_change(kind, after)]
}

fn of_live_event(before: &Event, after: &Event) -> Vec<CommittedChange> {
    let change = |kind, show: &Show| {
        let subject = Subject::Show { event: after.id, show: show.clone() };
        CommittedChange { kind, subject }
    };
    let is_in = |event: &Event, show: &Show| event.shows.iter().any(|other| other.id == show.id);
    let kept = |event: &Event, other: &Event| -> Vec<_> {
        event.shows.iter().filter(|show| is_in(other, show)).map(|show| show.id).collect()
    };
    let is_edited = before.details != after.details
        || before.thumbnail != after.thumbnail
        || kept(before, after) != kept(after, before);
    let edited = is_edited.then(|| event_change(ChangeKind::EventChanged, after));
    let removed = before.shows.iter().filter(|show| !is_in(after, show));
    let others = after.shows.iter().filter_map(|show| match before.shows.iter().find(|old| old.id == show.id) {
        None => Some(change(ChangeKind::ShowAdded, show)),
        Some(old) => (old != show).then(|| change(ChangeKind::ShowChanged, show)),
    });
    edited.into_iter().chain(removed.map(|show| change(ChangeKind::ShowRemoved, show))).chain(others).collect()
}

fn event_change(kind: ChangeKind, event: &Event) -> CommittedChange {
    CommittedChange { kind, subject: Subject::Event { event: event.id, manager: event.manager } }
}

/// Compares a hold with what it was before; `None` if it is new.
#[must_use]
pub fn of_hold(before: Option<&Hold>, after: &Hold) -> Option<CommittedChange> {
    let was_confirmed = before.is_some_and(|before| matches!(before.state, HoldState::Confirmed(_)));
    let (kind, order) = match &after.state {
        HoldState::Confirmed(order) if !was_confirmed => (ChangeKind::SaleConfirmed, order.clone()),
        HoldState::Cancelled(order) if was_confirmed => (ChangeKind::SaleCancelled, order.clone()),
        _ => return None,
    };
    Some(CommittedChange { kind, subject: Subject::Sale { hold: Box::new(after.clone()), order } })
}

/// Compares a member with what they were before; `None` if there is no such member.
#[must_use]
pub fn of_member(before: Option<&MemberState>, after: Option<&MemberState>) -> Option<CommittedChange> {
    let (kind, state) = match (before, after) {
        (None, Some(after)) => (ChangeKind::MemberJoined, after),
        (Some(before), None) => (ChangeKind::MemberWithdrawn, before),
        (Some(before), Some(after)) if before != after => (ChangeKind::MemberChanged, after),
        _ => return None,
    };
    Some(CommittedChange { kind, subject: Subject::Member(state.member.id) })
}

/// Compares the sale of a seat of a show of an event with what it was before; `None` if the seat was not sold.
///
/// The cancellation of an order is told as that: it takes no admission back.
#[must_use]
pub fn of_seat((show, seat): (ShowId, u32), before: Option<&SoldSeat>, after: &SoldSeat) -> Option<CommittedChange> {
    let before = before.filter(|before| before.hold == after.hold).and_then(SoldSeat::admission);
    let (kind, admission) = match (before, after.admission()) {
        (None, Some(admission)) => (ChangeKind::TicketAdmitted, admission),
        (Some(admission), None) => (ChangeKind::TicketRemoved, admission),
        _ => return None,
    };
    let ShowId { event, show } = show;
    let ticket = Ticket { event, show, hold: after.hold, seat: id::seat(event, seat as usize) };
    Some(CommittedChange { kind, subject: Subject::Ticket { ticket, gate: id::gate(show, admission.gate) } })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        email::Email,
        instant::Instant,
        member::{Name, Nickname},
        seats::{
            admission::{Admission, ScanMark},
            tests::{event, hold},
        },
        show::{Notice, ShowStatus},
        text::Line,
    };
    use std::time::Duration;

    fn kinds(before: Option<&Event>, after: &Event) -> Vec<&'static str> {
        of_event(before, after).into_iter().map(|change| change.kind.name()).collect()
    }

    fn published() -> Event {
        Event { published: true, restorable_until: None, ..event() }
    }

    fn draft() -> Event {
        Event { published: false, ..published() }
    }

    fn deleted(event: Event) -> Event {
        Event { restorable_until: Some(Duration::from_secs(1)), ..event }
    }

    fn show(number: u128) -> Show {
        Show::new(Uuid::from_u128(number), Instant::from_number(&number.to_string()).unwrap())
    }

    #[test]
    fn only_steps_to_and_from_published_are_told() {
        let live = published();
        let draft = Event { published: false, ..live.clone() };
        assert_eq!(kinds(None, &live), ["event.published"]);
        assert_eq!(kinds(Some(&draft), &live), ["event.published"]);
        assert_eq!(kinds(Some(&deleted(live.clone())), &live), ["event.published"]);
        assert_eq!(kinds(Some(&live), &draft), ["event.hidden"]);
        assert_eq!(kinds(Some(&live), &deleted(live.clone())), ["event.deleted"]);
        for (before, after) in [
            (None, &draft),
            (Some(&draft), &Event { version: 9, shows: vec![show(9)], ..draft.clone() }),
            (Some(&draft), &deleted(draft.clone())),
            (Some(&deleted(draft.clone())), &draft),
            (Some(&deleted(live.clone())), &draft),
            (Some(&live), &Event { version: 9, ..live.clone() }),
        ] {
            assert_eq!(kinds(before, after), [""; 0]);
        }
    }

    #[test]
    fn edit_that_publishes_is_told_as_that_alone() {
        let edited = Event { shows: vec![show(1)], thumbnail: "a".to_owned(), ..published() };
        assert_eq!(kinds(Some(&draft()), &edited), ["event.published"]);
        assert_eq!(kinds(Some(&edited), &draft()), ["event.hidden"]);
    }

    #[test]
    fn poster_and_fields_are_told_as_event() {
        let before = published();
        let poster = Event { thumbnail: "a".to_owned(), ..before.clone() };
        assert_eq!(kinds(Some(&before), &poster), ["event.changed"]);
        let mut artist = before.clone();
        artist.details.artist = Line::parse("다른 가수").unwrap();
        assert_eq!(
            of_event(Some(&before), &artist),
            [CommittedChange {
                kind: ChangeKind::EventChanged,
                subject: Subject::Event { event: before.id, manager: before.manager },
            }]
        );
    }

    #[test]
    fn each_show_is_told() {
        let [one, two, three] = [1, 2, 3].map(show);
        let event = published();
        let with = |shows: &[&Show]| Event { shows: shows.iter().copied().cloned().collect(), ..event.clone() };
        let before = with(&[&one, &two]);
        let moved = Show { instant: three.instant, ..two.clone() };
        assert_eq!(kinds(Some(&before), &with(&[&three, &moved])), ["show.removed", "show.added", "show.changed"]);
        let off = Show { status: ShowStatus::Cancelled, ..one.clone() };
        let notice = Show { notice: Some(Notice::parse("알림").unwrap()), ..one.clone() };
        for changed in [&off, &notice] {
            let subject = Subject::Show { event: before.id, show: changed.clone() };
            let told = CommittedChange { kind: ChangeKind::ShowChanged, subject };
            assert_eq!(of_event(Some(&before), &with(&[changed, &two])), [told]);
        }
        assert_eq!(kinds(Some(&before), &with(&[&two, &one])), ["event.changed"]);
    }

    #[test]
    fn sale_is_told_once() {
        let order = OrderId::parse("order-1").unwrap();
        let held = hold(HoldState::Held);
        let confirmed = hold(HoldState::Confirmed(order.clone()));
        let cancelled = hold(HoldState::Cancelled(order));
        let kind = |before: Option<&Hold>, after| of_hold(before, after).map(|change| change.kind);
        assert_eq!(kind(None, &confirmed), Some(ChangeKind::SaleConfirmed));
        assert_eq!(kind(Some(&held), &confirmed), Some(ChangeKind::SaleConfirmed));
        assert_eq!(kind(Some(&confirmed), &cancelled), Some(ChangeKind::SaleCancelled));
        for (before, after) in [
            (None, &held),
            (Some(&held), &hold(HoldState::Released)),
            (Some(&confirmed), &confirmed),
            (Some(&cancelled), &cancelled),
        ] {
            assert_eq!(kind(before, after), None);
        }
    }

    #[test]
    fn admission_and_its_removal_are_told() {
        let admission = Admission { at: 1, gate: 3, scan: ScanMark::random() };
        let sold = |is_admitted| SoldSeat { hold: Uuid::from_u128(7), is_admitted, admissions: vec![admission] };
        let new = SoldSeat { admissions: Vec::new(), ..sold(false) };
        let show = ShowId { event: Uuid::now_v7(), show: Uuid::from_u128(5) };
        let change = |before: Option<&SoldSeat>, after: &SoldSeat| of_seat((show, 9), before, after);
        let told = |kind| {
            let seat = id::seat(show.event, 9);
            let ticket = Ticket { event: show.event, show: show.show, hold: Uuid::from_u128(7), seat };
            Some(CommittedChange { kind, subject: Subject::Ticket { ticket, gate: id::gate(show.show, 3) } })
        };
        assert_eq!(change(Some(&new), &sold(true)), told(ChangeKind::TicketAdmitted));
        assert_eq!(change(Some(&sold(false)), &sold(true)), told(ChangeKind::TicketAdmitted));
        assert_eq!(change(Some(&sold(true)), &sold(false)), told(ChangeKind::TicketRemoved));
        let anew = SoldSeat { hold: Uuid::from_u128(8), ..new.clone() };
        for (before, after) in
            [(None, &new), (Some(&new), &new), (Some(&sold(true)), &sold(true)), (Some(&sold(true)), &anew)]
        {
            assert_eq!(change(before, after), None);
        }
    }

    #[test]
    fn member_is_told_if_changed() {
        let state = MemberState {
            member: Member {
                id: Uuid::from_u128(1),
                email: Email::parse("kim@example.com").unwrap(),
                name: Name::parse("김철수").unwrap(),
                nickname: Nickname::parse("철수").unwrap(),
            },
            new_passwords: 0,
            is_email_verified: false,
        };
        let kind = |before: Option<&_>, after: Option<&_>| of_member(before, after).map(|change| change.kind);
        assert_eq!(kind(None, Some(&state)), Some(ChangeKind::MemberJoined));
        assert_eq!(kind(Some(&state), None), Some(ChangeKind::MemberWithdrawn));
        assert_eq!(kind(Some(&state), Some(&state)), None);
        let name = Member { name: Name::parse("이영희").unwrap(), ..state.member.clone() };
        for other in [
            MemberState { member: name, ..state.clone() },
            MemberState { new_passwords: 1, ..state.clone() },
            MemberState { is_email_verified: true, ..state.clone() },
        ] {
            assert_eq!(kind(Some(&state), Some(&other)), Some(ChangeKind::MemberChanged));
        }
    }
}
