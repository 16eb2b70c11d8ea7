//! Shows of an event: their times, and what became of them.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    described, error::Error, hold::Taken, id, instant::Instant, patch::Patch, text::Paragraph, violation::Violation,
};

/// Maximum number of shows of an event.
pub const MAX_SHOWS: usize = 60;
const _: () = assert!(MAX_SHOWS <= 1 << id::INDEX_BITS);

/// Maximum number of characters of all notices of an event together, so that its responses have a limit.
pub const MAX_NOTICES: usize = 10_000;

/// Time after its begin from which seats of a show do not prevent the deletion of its event.
const FINISHED: Duration = Duration::from_hours(24);

/// Text for visitors of a show, such as the reason of its cancellation.
pub type Notice = Paragraph<500>;

/// At most 60 distinct instants, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShowTimes(Vec<Instant>);

/// Show of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Show {
    /// The id, derived from the event.
    pub id: Uuid,
    /// Time of the show.
    pub instant: Instant,
    /// Scheduled, postponed or cancelled.
    pub status: ShowStatus,
    /// Text for visitors.
    pub notice: Option<Notice>,
    /// Time that was announced first, if the show was moved since.
    pub moved_from: Option<Instant>,
}

/// Show that a request is about, with its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowId {
    /// The event.
    pub event: Uuid,
    /// The show.
    pub show: Uuid,
}

/// Status of a show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ShowStatus {
    /// It takes place at its time.
    #[default]
    Scheduled,
    /// It takes place later, at a time that is not known yet. So it has not begun, whatever its time.
    Postponed,
    /// It does not take place.
    Cancelled,
}

/// Patch of a show; fields that are `None` keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ShowPatch {
    /// The new status.
    pub status: Option<ShowStatus>,
    /// The new time.
    pub instant: Option<Instant>,
    /// Patch of the notice.
    pub notice: Patch<Notice>,
}

described!(ShowStatus as "ShowStatus", { "type": "string", "enum": Self::NAMES });

impl ShowTimes {
    /// Adds a show.
    ///
    /// # Errors
    ///
    /// Returns `Duplicate` if the event already has the show, `TooMany` if it has 60.
    pub fn add(&mut self, show: Instant) -> Result<(), Violation> {
        if self.0.contains(&show) {
            return Err(Violation::Duplicate);
        }
        if self.0.len() == MAX_SHOWS {
            return Err(Violation::TooMany(MAX_SHOWS));
        }
        self.0.push(show);
        Ok(())
    }

    /// Iterates over the times.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Instant> {
        self.0.iter().copied()
    }

    /// Returns the shows of a new event.
    #[must_use]
    pub fn of_new(&self, event: Uuid) -> Vec<Show> {
        self.iter().enumerate().map(|(index, instant)| Show::new(id::first_show(event, index), instant)).collect()
    }

    /// Returns the shows of an event that gets this version.
    ///
    /// A show at a kept instant stays as it is. The id of any other show is derived from the version. An event has each
    /// version only once, so no show of the event had this id before.
    ///
    /// # Errors
    ///
    /// Returns `TooManyChanges` if a show is new, and the version is too large for its id.
    pub fn of_version(&self, event: Uuid, version: u64, before: &[Show]) -> Result<Vec<Show>, Error> {
        let show = |(index, instant): (usize, Instant)| {
            let kept = before.iter().find(|show| show.instant == instant).cloned();
            let added = || Some(Show::new(id::show(event, version, index)?, instant));
            kept.or_else(added).ok_or(Error::TooManyChanges)
        };
        self.iter().enumerate().map(show).collect()
    }
}

impl Show {
    /// Builds a scheduled show.
    #[must_use]
    pub fn new(id: Uuid, instant: Instant) -> Self {
        Self { id, instant, status: ShowStatus::Scheduled, notice: None, moved_from: None }
    }

    /// Returns the show of an announced event, or of a draft, after a change.
    #[must_use]
    pub fn changed(&self, patch: &ShowPatch, is_announced: bool) -> Self {
        let instant = patch.instant.unwrap_or(self.instant);
        let announced = self.moved_from.or(is_announced.then_some(self.instant));
        Self {
            id: self.id,
            instant,
            status: patch.status.unwrap_or(self.status),
            notice: patch.notice.applied(self.notice.clone()),
            moved_from: announced.filter(|announced| *announced != instant),
        }
    }

    /// Returns true if its seats can be sold at a time since 1970, once ticketing has opened.
    #[must_use]
    pub fn is_on_sale(&self, now: Duration) -> bool {
        self.status == ShowStatus::Scheduled && !self.has_begun(now)
    }

    /// Returns true if it has begun at a time since 1970, or would have if it was not cancelled.
    #[must_use]
    pub fn has_begun(&self, now: Duration) -> bool {
        self.status != ShowStatus::Postponed && self.instant.since_epoch() <= now
    }

    /// Returns true if a seat in this state prevents that its event is hidden or deleted, at a time since 1970.
    ///
    /// Seats no longer do a day after the begin of the show. If it is off, those that were sold still do, so that the
    /// money for them is given back first.
    #[must_use]
    pub fn keeps_event(&self, state: Taken, now: Duration) -> bool {
        let is_finished = self.status != ShowStatus::Postponed && self.instant.since_epoch() + FINISHED < now;
        match self.status {
            _ if !is_finished => state.is_current(now),
            ShowStatus::Scheduled => false,
            ShowStatus::Postponed | ShowStatus::Cancelled => matches!(state, Taken::Sold { .. }),
        }
    }
}

impl ShowStatus {
    /// Names of the statuses in requests, responses and the table, in the order of the variants.
    pub const NAMES: &[&str] = &["SCHEDULED", "POSTPONED", "CANCELLED"];

    /// Returns the status with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Scheduled, Self::Postponed, Self::Cancelled].into_iter().find(|status| status.name() == name)
    }

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u64) -> Instant {
        Instant::from_number(&second.to_string()).unwrap()
    }

    fn show(status: ShowStatus) -> Show {
        Show { status, ..Show::new(Uuid::nil(), at(100_000)) }
    }

    #[test]
    fn duplicate_and_61st_show_are_rejected() {
        let mut shows = ShowTimes::default();
        (0..60).for_each(|second| shows.add(at(second)).unwrap());
        assert_eq!(shows.add(at(0)), Err(Violation::Duplicate));
        assert_eq!(shows.add(at(60)), Err(Violation::TooMany(MAX_SHOWS)));
        assert_eq!(shows.iter().len(), MAX_SHOWS);
    }

    #[test]
    fn only_scheduled_show_is_on_sale() {
        let is_on_sale = |status, second| show(status).is_on_sale(Duration::from_secs(second));
        assert!(is_on_sale(ShowStatus::Scheduled, 99_999) && !is_on_sale(ShowStatus::Scheduled, 100_000));
        assert!(!is_on_sale(ShowStatus::Postponed, 0) && !is_on_sale(ShowStatus::Cancelled, 0));
    }

    #[test]
    fn postponed_show_has_not_begun() {
        for (status, begun) in
            [(ShowStatus::Scheduled, true), (ShowStatus::Postponed, false), (ShowStatus::Cancelled, true)]
        {
            assert!(!show(status).has_begun(Duration::from_secs(99_999)));
            assert_eq!(show(status).has_begun(Duration::from_secs(100_000)), begun);
        }
    }

    #[test]
    fn seats_keep_event_until_a_day_after_show() {
        let sold = Taken::Sold { hold: Uuid::nil() };
        let blocked = Taken::Blocked { block: Uuid::nil() };
        let keep =
            |status, second| [sold, blocked].map(|state| show(status).keeps_event(state, Duration::from_secs(second)));
        for status in [ShowStatus::Scheduled, ShowStatus::Postponed, ShowStatus::Cancelled] {
            assert_eq!(keep(status, 100_000 + 86_400), [true, true], "{status:?}");
        }
        assert_eq!(keep(ShowStatus::Scheduled, 100_000 + 86_401), [false, false]);
        assert_eq!(keep(ShowStatus::Postponed, 100_000 + 86_401), [true, true]);
        assert_eq!(keep(ShowStatus::Cancelled, 100_000 + 86_401), [true, false]);
        let expired = Taken::Held { hold: Uuid::nil(), until: 50_000 };
        assert!(!show(ShowStatus::Postponed).keeps_event(expired, Duration::from_secs(50_000)));
    }

    #[test]
    fn change_keeps_other_fields() {
        let notice = Notice::parse("연기되었습니다.\n새 일시는 곧 알려 드립니다.").unwrap();
        let patch = Patch::Replace(notice.clone());
        let change = ShowPatch { status: Some(ShowStatus::Postponed), notice: patch, ..ShowPatch::default() };
        let postponed = show(ShowStatus::Scheduled).changed(&change, true);
        assert_eq!(postponed, Show { notice: Some(notice), ..show(ShowStatus::Postponed) });
        let moved = postponed.changed(&ShowPatch { instant: Some(at(5)), ..ShowPatch::default() }, false);
        assert_eq!(moved, Show { instant: at(5), ..postponed.clone() });
        assert_eq!(moved.changed(&ShowPatch { notice: Patch::Remove, ..ShowPatch::default() }, true).notice, None);
    }

    #[test]
    fn moved_show_remembers_time_that_was_announced_first() {
        let moved = |show: &Show, second, is_announced| {
            show.changed(&ShowPatch { instant: Some(at(second)), ..ShowPatch::default() }, is_announced)
        };
        let draft = moved(&show(ShowStatus::Scheduled), 1, false);
        assert_eq!(draft.moved_from, None);
        let later = moved(&draft, 2, true);
        assert_eq!(later.moved_from, Some(at(1)));
        assert_eq!(moved(&later, 3, true).moved_from, Some(at(1)));
        assert_eq!(moved(&later, 3, false).moved_from, Some(at(1)), "a draft that was announced before");
        assert_eq!(moved(&later, 1, true).moved_from, None);
    }
}
