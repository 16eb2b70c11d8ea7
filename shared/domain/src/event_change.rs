//! Changes of an event: edits, its deletion and its restoration.
//!
//! Each function here decides a request as a pure function of the event that was read. Its result is a [`Plan`], which
//! the store commits only if the event is still as it was read, or an error.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    error::Error,
    event::{Details, Event, EventPatch},
    hold::Taken,
    manager::EventScope,
    notice::Telling,
    patch::Patch,
    show::{Notice, Show, ShowPatch},
};

/// Time for which a deleted event can be restored; its items expire afterwards.
pub const DELETED_EVENT_RETENTION: Duration = Duration::from_hours(30 * 24);

/// Lifetime of a poster that another one replaced.
///
/// Meanwhile clients may still show it from a response of before.
pub const REPLACED_POSTER_RETENTION: Duration = Duration::from_hours(24);

/// Precondition of an edit: the versions of the event that the client may change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExpectedVersion {
    /// Any version.
    Any,
    /// One of these versions; none, if the list is empty.
    OneOf(Vec<u64>),
}

/// Edit that a request asks for.
#[derive(Clone, Copy, Debug)]
pub enum Edit<'a> {
    /// Changes fields of the event.
    Fields(&'a EventPatch),
    /// Changes the show with this id.
    Show(Uuid, &'a ShowPatch),
    /// Cancels every show that has not begun, and patches their notices.
    Cancellation(&'a Patch<Notice>),
}

/// Change of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The event after the change.
    pub event: Event,
    /// Effect on simultaneous requests that take seats.
    pub sales: SalesEffect,
    /// True if the buyers of the changed shows get a notice.
    pub tells_buyers: bool,
    /// Poster that the event gets, and that must still be stored.
    pub new_poster: Option<String>,
    /// Poster that the event loses, with the time since 1970 at which it expires.
    pub old_poster: Option<(String, Duration)>,
}

/// Effect of a change of an event on simultaneous requests that take seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SalesEffect {
    /// They need not notice the change.
    None,
    /// They start again with the changed event.
    Changes,
    /// These shows end: no seat of them may be taken at the time of the change, and none afterwards.
    Ends(Vec<Show>),
}

/// Plans an edit at a time since 1970; returns `None` if it changes nothing.
///
/// # Errors
///
/// Returns the first that applies: `NoSuchEvent` if the event is deleted, or has no such show; the errors of the scope;
/// `NoMail` if buyers should be told and the deployment sends none; `PreconditionFailed` if the event has another
/// version than the expected ones; `TooManyChanges`, `ShowTimeTaken` or `NoticesTooLong`.
pub fn edit(
    event: &Event,
    scope: EventScope,
    expected: &ExpectedVersion,
    edit: Edit<'_>,
    telling: Telling,
    now: Duration,
) -> Result<Option<Plan>, Error> {
    expect_kept(event)?;
    let edited = match edit {
        Edit::Fields(change) => event.edited(change),
        Edit::Show(show, change) => event.with_show(show, change),
        Edit::Cancellation(notice) => event.cancelled(notice, now),
    };
    // An unknown show comes before what the manager may do.
    if matches!(edited, Err(Error::NoSuchEvent)) {
        return Err(Error::NoSuchEvent);
    }
    scope.expect(event)?;
    telling.expect_possible()?;
    if matches!(expected, ExpectedVersion::OneOf(versions) if !versions.contains(&event.version)) {
        return Err(Error::PreconditionFailed);
    }
    let tells_buyers = telling == Telling::Buyers;
    Ok(edited?.map(|edited| Plan { tells_buyers, ..Plan::new(event, edited, now) }))
}

/// Plans that an event is deleted at a time since 1970.
///
/// # Errors
///
/// Returns `NoSuchEvent` if it is deleted already, or an error of the scope.
pub fn delete(event: &Event, scope: EventScope, now: Duration) -> Result<Option<Plan>, Error> {
    expect_kept(event)?;
    scope.expect(event)?;
    let restorable_until = Some(now + DELETED_EVENT_RETENTION);
    let deleted = Event { version: event.version + 1, restorable_until, ..event.clone() };
    Ok(Some(Plan::new(event, deleted, now)))
}

/// Plans that an event is restored at a time since 1970; returns `None` if it is not deleted.
///
/// # Errors
///
/// Returns `NoSuchEvent` if it has expired, or an error of the scope.
pub fn restore(event: &Event, scope: EventScope, now: Duration) -> Result<Option<Plan>, Error> {
    if event.has_expired(now) {
        return Err(Error::NoSuchEvent);
    }
    scope.expect(event)?;
    let restored = || Event { restorable_until: None, ..event.clone() };
    Ok(event.is_deleted().then(|| Plan::new(event, restored(), now)))
}

fn expect_kept(event: &Event) -> Result<(), Error> {
    if event.is_deleted() { Err(Error::NoSuchEvent) } else { Ok(()) }
}

impl Plan {
    fn new(before: &Event, event: Event, now: Duration) -> Self {
        let has_other_poster = event.thumbnail != before.thumbnail;
        let replaced_until = has_other_poster.then(|| now + REPLACED_POSTER_RETENTION);
        let until = event.restorable_until.or(replaced_until);
        Self {
            sales: SalesEffect::new(before, &event),
            tells_buyers: false,
            new_poster: (has_other_poster || before.is_deleted()).then(|| event.thumbnail.clone()),
            old_poster: until.map(|until| (before.thumbnail.clone(), until)),
            event,
        }
    }

    /// Returns true if a seat in this state prevents the plan, which ends its show.
    ///
    /// No seat of a show that is removed may be taken. A show of an event that is hidden or deleted is less strict.
    #[must_use]
    pub fn is_prevented_by(&self, state: Taken, show: &Show, now: Duration) -> bool {
        let is_kept = self.event.shows.iter().any(|kept| kept.id == show.id);
        if is_kept { show.keeps_event(state, now) } else { state.is_current(now) }
    }
}

impl SalesEffect {
    /// Compares two versions of an event, for requests that take seats at the same time as the change.
    ///
    /// Each such request depends on fields of the event that it has read. If one of these changes so that the request
    /// might now be rejected, the request must notice.
    fn new(before: &Event, after: &Event) -> Self {
        // A new field is named here, so that somebody decides if sales depend on it.
        let Details {
            ticketing_open_time,
            ticketing_close_minutes: _,
            max_seats,
            title: _,
            description: _,
            place: _,
            artist: _,
            genre: _,
            age_rating: _,
            running_minutes: _,
            address: _,
            event_open_time: _,
        } = &after.details;
        let kept = |show: &Show| after.shows.iter().find(|later| later.id == show.id);
        let is_hidden = before.published && !after.published || after.is_deleted();
        let ended: Vec<_> = before.shows.iter().filter(|show| is_hidden || kept(show).is_none()).cloned().collect();
        if !ended.is_empty() {
            return Self::Ends(ended);
        }
        let is_other = |show: &Show, later: &Show| (show.instant, show.status) != (later.instant, later.status);
        let opens_later = *ticketing_open_time > before.details.ticketing_open_time;
        let closes_earlier = after.details.close_before_show() > before.details.close_before_show();
        let allows_fewer =
            max_seats.is_some_and(|new| before.details.max_seats.is_none_or(|old| new.get() < old.get()));
        let is_narrower = opens_later || closes_earlier || allows_fewer;
        if is_narrower || before.shows.iter().any(|show| kept(show).is_some_and(|later| is_other(show, later))) {
            Self::Changes
        } else {
            Self::None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        event::{MaxSeats, TicketingCloseMinutes},
        instant::Instant,
        seats::tests::event,
        show::{ShowStatus, ShowTimes},
        text::Line,
    };

    const NOW: Duration = Duration::from_secs(100);
    const OTHERS: EventScope = EventScope::OfManager(Uuid::max());

    fn fields(event: &Event, change: &EventPatch) -> Result<Option<Plan>, Error> {
        edit(event, EventScope::All, &ExpectedVersion::Any, Edit::Fields(change), Telling::Nobody, NOW)
    }

    fn deleted(event: &Event) -> Event {
        delete(event, EventScope::All, NOW).unwrap().unwrap().event
    }

    fn two_shows() -> Event {
        let mut event = event();
        event.shows.push(Show::new(Uuid::max(), Instant::from_number("2000").unwrap()));
        event
    }

    #[test]
    fn edit_rejects_in_this_order() {
        let event = event();
        let told = |event: &Event, scope, versions: &[u64], show, telling| {
            let expected = ExpectedVersion::OneOf(versions.to_vec());
            let moved = ShowPatch { instant: Instant::from_number("2000").ok(), ..ShowPatch::default() };
            match edit(event, scope, &expected, Edit::Show(show, &moved), telling, NOW) {
                Ok(plan) => plan.map_or("same", |_| "changed"),
                Err(Error::NoSuchEvent) => "no such event",
                Err(Error::PermissionDenied) => "permission denied",
                Err(Error::NoMail) => "no mail",
                Err(Error::PreconditionFailed) => "precondition failed",
                Err(Error::ShowTimeTaken) => "show time taken",
                Err(error) => panic!("{error:?}"),
            }
        };
        let outcome =
            |event: &Event, scope, versions: &[u64], show| told(event, scope, versions, show, Telling::Buyers);
        let (show, both) = (event.shows[0].id, two_shows());
        assert_eq!(told(&event, OTHERS, &[7], show, Telling::WithoutMail), "permission denied");
        assert_eq!(told(&event, EventScope::All, &[7], show, Telling::WithoutMail), "no mail");
        assert_eq!(outcome(&deleted(&event), OTHERS, &[7], show), "no such event");
        assert_eq!(outcome(&event, OTHERS, &[7], Uuid::max()), "no such event", "unknown show");
        assert_eq!(outcome(&both, OTHERS, &[7], both.shows[0].id), "permission denied");
        assert_eq!(outcome(&both, EventScope::All, &[7], both.shows[0].id), "precondition failed");
        assert_eq!(outcome(&both, EventScope::All, &[], both.shows[0].id), "precondition failed");
        assert_eq!(outcome(&both, EventScope::All, &[7, 0], both.shows[0].id), "show time taken");
        assert_eq!(outcome(&event, EventScope::All, &[0], show), "changed");
    }

    #[test]
    fn edit_without_effect_is_none() {
        assert_eq!(fields(&event(), &EventPatch::default()).unwrap(), None);
    }

    #[test]
    fn replaced_poster_is_kept_for_a_day() {
        let (event, other) = (event(), "other.png".to_owned());
        let plan =
            fields(&event, &EventPatch { thumbnail: Some(other.clone()), ..EventPatch::default() }).unwrap().unwrap();
        assert_eq!((plan.new_poster, plan.sales), (Some(other), SalesEffect::None));
        assert_eq!(plan.old_poster, Some((event.thumbnail.clone(), NOW + Duration::from_hours(24))));
        let plan =
            fields(&event, &EventPatch { title: Line::parse("c").ok(), ..EventPatch::default() }).unwrap().unwrap();
        assert_eq!((plan.new_poster, plan.old_poster), (None, None), "another change");
    }

    #[test]
    fn deletion_ends_all_shows_and_is_undone() {
        let event = two_shows();
        let plan = delete(&event, EventScope::All, NOW).unwrap().unwrap();
        let until = NOW + Duration::from_hours(30 * 24);
        assert_eq!(plan.event, Event { version: 1, restorable_until: Some(until), ..event.clone() });
        assert_eq!(plan.sales, SalesEffect::Ends(event.shows.clone()));
        assert_eq!((&plan.new_poster, &plan.old_poster), (&None, &Some((event.thumbnail.clone(), until))));
        assert!(matches!(delete(&plan.event, OTHERS, NOW), Err(Error::NoSuchEvent)), "again");
        assert!(matches!(delete(&event, OTHERS, NOW), Err(Error::PermissionDenied)));

        let restored = restore(&plan.event, EventScope::All, NOW).unwrap().unwrap();
        assert_eq!(restored.event, Event { version: 1, ..event.clone() });
        let posters = (Some(event.thumbnail.clone()), None);
        assert_eq!((restored.sales, (restored.new_poster, restored.old_poster)), (SalesEffect::None, posters));
        assert_eq!(restore(&event, EventScope::All, NOW).unwrap(), None);
        assert!(matches!(restore(&plan.event, OTHERS, NOW), Err(Error::PermissionDenied)));
        assert!(matches!(restore(&plan.event, OTHERS, until), Err(Error::NoSuchEvent)));
    }

    #[test]
    fn only_a_removed_show_must_have_no_seats() {
        let event = two_shows();
        let mut left = ShowTimes::default();
        left.add(event.shows[1].instant).unwrap();
        let removal = fields(&event, &EventPatch { shows: Some(left), ..EventPatch::default() }).unwrap().unwrap();
        let hiding = fields(&event, &EventPatch { published: Some(false), ..EventPatch::default() }).unwrap().unwrap();
        let later = Duration::from_hours(48);
        let is_prevented =
            |plan: &Plan| plan.is_prevented_by(Taken::Sold { hold: Uuid::nil() }, &event.shows[0], later);
        assert!(
            is_prevented(&removal) && !is_prevented(&hiding) && !is_prevented(&Plan::new(&event, deleted(&event), NOW))
        );
    }

    #[test]
    fn sales_notice_what_they_depend_on() {
        let event = two_shows();
        let effect = |change: &dyn Fn(&mut Event)| {
            let mut after = event.clone();
            change(&mut after);
            SalesEffect::new(&event, &after)
        };
        let time = Instant::from_number("101").unwrap();
        let close = |minutes| TicketingCloseMinutes::parse(minutes).ok();
        assert_eq!(effect(&|after| after.details.ticketing_close_minutes = close("0")), SalesEffect::None);
        assert_eq!(effect(&|after| after.details.ticketing_close_minutes = close("1")), SalesEffect::Changes);
        assert_eq!(effect(&|after| after.details.max_seats = MaxSeats::parse("2").ok()), SalesEffect::Changes);
        assert_eq!(effect(&|after| after.details.event_open_time = time), SalesEffect::None);
        assert_eq!(effect(&|after| after.details.title = Line::parse("c").unwrap()), SalesEffect::None);
        assert_eq!(effect(&|after| after.details.ticketing_open_time = time), SalesEffect::Changes);
        assert_eq!(effect(&|after| after.shows[1].status = ShowStatus::Postponed), SalesEffect::Changes);
        assert_eq!(effect(&|after| after.shows[0].instant = Instant::from_number("5").unwrap()), SalesEffect::Changes);
        assert_eq!(effect(&|after| after.shows.push(Show::new(Uuid::nil(), time))), SalesEffect::None);
        assert_eq!(effect(&|after| drop(after.shows.remove(0))), SalesEffect::Ends(vec![event.shows[0].clone()]));
        assert_eq!(effect(&|after| after.published = false), SalesEffect::Ends(event.shows.clone()));
        let (later, mut earlier) = (
            Event { details: Details { ticketing_open_time: time, ..event.details.clone() }, ..event.clone() },
            event.clone(),
        );
        assert_eq!(SalesEffect::new(&later, &earlier), SalesEffect::None, "opens earlier");
        earlier.published = false;
        assert_eq!(SalesEffect::new(&earlier, &event), SalesEffect::None, "publishes a draft");
        let limited = |close_minutes, seats| {
            let (ticketing_close_minutes, max_seats) = (close(close_minutes), MaxSeats::parse(seats).ok());
            Event { details: Details { ticketing_close_minutes, max_seats, ..event.details.clone() }, ..event.clone() }
        };
        for (before, after, effect) in [
            (limited("5", "2"), limited("4", "3"), SalesEffect::None),
            (limited("5", "2"), event.clone(), SalesEffect::None),
            (limited("5", "2"), limited("6", "2"), SalesEffect::Changes),
            (limited("5", "2"), limited("5", "1"), SalesEffect::Changes),
        ] {
            assert_eq!(SalesEffect::new(&before, &after), effect, "{:?} to {:?}", before.details, after.details);
        }
    }
}
