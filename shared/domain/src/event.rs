//! Events: performances that tickets are sold for.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    described,
    error::Error,
    hold::GroupSize,
    id,
    instant::Instant,
    integer::Integer,
    patch::Patch,
    poster::Format,
    show::{MAX_NOTICES, Notice, Show, ShowPatch, ShowStatus, ShowTimes},
    text::{Line, Paragraph, folded_words},
};

/// The title of an event.
pub type Title = Line<100>;

/// The description of an event.
pub type Description = Paragraph<5_000>;

/// The place of an event.
pub type Place = Line<100>;

/// The performer of an event.
pub type Artist = Line<100>;

/// The genre of an event.
pub type Genre = Line<30>;

/// The postal address of the place.
pub type Address = Line<200>;

/// Youngest age admitted, in years; 0 admits everyone.
pub type AgeRating = Integer<0, 19>;

/// Running time of a show in minutes, with its intermissions; at most a day.
pub type RunningMinutes = Integer<1, 1_440>;

/// Minutes before each show at which its ticketing closes; at most a year.
pub type TicketingCloseMinutes = Integer<0, 525_600>;

/// Number of seats of a show that a member may have.
pub type MaxSeats = GroupSize;

/// The data that a manager registers, without shows and seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The title.
    pub title: Title,
    /// The description.
    pub description: Description,
    /// The place.
    pub place: Place,
    /// The performer.
    pub artist: Artist,
    /// The genre, if it is known.
    pub genre: Option<Genre>,
    /// Youngest age admitted, if it is known.
    pub age_rating: Option<AgeRating>,
    /// Running time, if it is known.
    pub running_minutes: Option<RunningMinutes>,
    /// Address of the place, if it is known.
    pub address: Option<Address>,
    /// Minutes before each show at which its ticketing closes; without them it closes as the show begins.
    pub ticketing_close_minutes: Option<TicketingCloseMinutes>,
    /// Number of seats of a show that a member may have, if it is less than the deployment allows.
    pub max_seats: Option<MaxSeats>,
    /// Time when the event opens.
    pub event_open_time: Instant,
    /// Time when ticketing opens.
    pub ticketing_open_time: Instant,
}

/// Patch of an event; fields that are `None` keep their values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventPatch {
    /// The new title.
    pub title: Option<Title>,
    /// The new description.
    pub description: Option<Description>,
    /// The new place.
    pub place: Option<Place>,
    /// The new performer.
    pub artist: Option<Artist>,
    /// Change of the genre.
    pub genre: Patch<Genre>,
    /// Change of the youngest age admitted.
    pub age_rating: Patch<AgeRating>,
    /// Change of the running time.
    pub running_minutes: Patch<RunningMinutes>,
    /// Change of the address.
    pub address: Patch<Address>,
    /// Change of the close of the ticketing.
    pub ticketing_close_minutes: Patch<TicketingCloseMinutes>,
    /// Change of the seats that a member may have.
    pub max_seats: Patch<MaxSeats>,
    /// New time when the event opens.
    pub event_open_time: Option<Instant>,
    /// New time when ticketing opens.
    pub ticketing_open_time: Option<Instant>,
    /// The shows that replace all shows.
    pub shows: Option<ShowTimes>,
    /// True if everyone can read it.
    pub published: Option<bool>,
    /// File name of the new poster.
    pub thumbnail: Option<String>,
}

/// A registered event, without its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// A version 7 UUID from the service; ids sort by registration.
    pub id: Uuid,
    /// The manager who registered it.
    pub manager: Uuid,
    /// Number of edits and deletions since the registration. It determines all representations of the event.
    pub version: u64,
    /// True if everyone can read it until it is deleted; otherwise it is a draft, for its manager only.
    pub published: bool,
    /// Time since 1970 until which it can be restored, if it is deleted.
    pub restorable_until: Option<Duration>,
    /// The file name of its poster.
    pub thumbnail: String,
    /// The data from the manager.
    pub details: Details,
    /// The shows, in the order of the request.
    pub shows: Vec<Show>,
}

/// Status of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// Everyone can read the event.
    Live,
    /// Only its manager can read the event.
    Draft,
    /// The event was deleted, and can be restored for 30 days.
    Deleted,
}

described!(Status as "Status", { "type": "string", "enum": ([Self::Live, Self::Draft, Self::Deleted].map(Self::name)) });

impl Status {
    /// Returns the name of the status in responses and keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "LIVE",
            Self::Draft => "DRAFT",
            Self::Deleted => "DELETED",
        }
    }
}

/// Selection of events by their status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// Only live events.
    Live,
    /// Only drafts.
    Draft,
    /// Only deleted events.
    Deleted,
    /// Events of every status.
    All,
}

/// Returns the time at which the event of this id was registered, to a millisecond.
#[must_use]
pub fn registered_at(id: Uuid) -> Option<Instant> {
    let (seconds, nanos) = id.get_timestamp()?.to_unix();
    Instant::from_nanos(Duration::new(seconds, nanos).as_nanos())
}

impl Event {
    /// Builds a new event with a new id.
    #[must_use]
    pub fn register(manager: Uuid, details: Details, shows: &ShowTimes, published: bool, poster: Format) -> Self {
        let id = Uuid::now_v7();
        let thumbnail = format!("{id}.{}", poster.extension());
        let shows = shows.of_new(id);
        Self { id, manager, version: 0, published, restorable_until: None, thumbnail, details, shows }
    }

    /// Returns the status.
    #[must_use]
    pub fn status(&self) -> Status {
        match self.restorable_until {
            Some(_) => Status::Deleted,
            None if self.published => Status::Live,
            None => Status::Draft,
        }
    }

    /// Returns a show of the event.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if the event has no show with this id.
    pub fn show(&self, id: Uuid) -> Result<&Show, Error> {
        self.shows.iter().find(|show| show.id == id).ok_or(Error::NoSuchEvent)
    }

    /// Returns true if the event is deleted.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.status() == Status::Deleted
    }

    /// Returns true if the event is deleted and can no longer be restored at a time since 1970.
    #[must_use]
    pub fn has_expired(&self, now: Duration) -> bool {
        self.restorable_until.is_some_and(|until| until <= now)
    }

    /// Returns the next version of the event, or `None` if the change changes nothing.
    ///
    /// # Errors
    ///
    /// Returns `TooManyChanges` if it adds a show, and the event has changed too often.
    pub fn edited(&self, patch: &EventPatch) -> Result<Option<Self>, Error> {
        let version = self.version + 1;
        let edited = Self {
            id: self.id,
            manager: self.manager,
            version,
            published: patch.published.unwrap_or(self.published),
            restorable_until: self.restorable_until,
            thumbnail: patch.thumbnail.clone().unwrap_or_else(|| self.thumbnail.clone()),
            details: self.details.edited(patch),
            shows: match &patch.shows {
                Some(shows) => shows.of_version(self.id, version, &self.shows)?,
                None => self.shows.clone(),
            },
        };
        Ok(edited.if_changed(self))
    }

    /// Returns the next version of the event, with a changed show, or `None` if the change changes nothing.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if the event has no such show, `ShowTimeTaken` if another show of the event has the new
    /// time, `NoticesTooLong` if all notices have more than 10,000 characters.
    pub fn with_show(&self, show: Uuid, patch: &ShowPatch) -> Result<Option<Self>, Error> {
        let mut shows = self.shows.clone();
        let changed = shows.iter_mut().find(|known| known.id == show).ok_or(Error::NoSuchEvent)?;
        *changed = changed.changed(patch, self.published);
        let instant = changed.instant;
        if shows.iter().any(|other| other.id != show && other.instant == instant) {
            return Err(Error::ShowTimeTaken);
        }
        self.with_shows(shows)
    }

    /// Returns the next version of the event, in which every show is cancelled that has not begun at a time since 1970;
    /// or `None` if that changes nothing.
    ///
    /// The notices of these shows are patched.
    ///
    /// # Errors
    ///
    /// Returns `NoticesTooLong` if all notices have more than 10,000 characters.
    pub fn cancelled(&self, notice: &Patch<Notice>, now: Duration) -> Result<Option<Self>, Error> {
        let patch = ShowPatch { status: Some(ShowStatus::Cancelled), instant: None, notice: notice.clone() };
        let cancelled =
            |show: &Show| if show.has_begun(now) { show.clone() } else { show.changed(&patch, self.published) };
        self.with_shows(self.shows.iter().map(cancelled).collect())
    }

    /// Returns the next version of the event, with these shows, or `None` if they are the same.
    fn with_shows(&self, shows: Vec<Show>) -> Result<Option<Self>, Error> {
        let notices = shows.iter().filter_map(|show| show.notice.as_ref());
        if notices.map(|notice| notice.as_str().chars().count()).sum::<usize>() > MAX_NOTICES {
            return Err(Error::NoticesTooLong);
        }
        Ok(Self { version: self.version + 1, shows, ..self.clone() }.if_changed(self))
    }

    /// Returns true if members can hold seats of a show at a time since 1970.
    #[must_use]
    pub fn sells(&self, show: &Show, now: Duration) -> bool {
        let is_open = self.details.ticketing_open_time.since_epoch() <= now;
        is_open && show.is_on_sale(now + self.details.close_before_show())
    }

    fn if_changed(self, before: &Self) -> Option<Self> {
        let is_changed = Self { version: before.version, ..self.clone() } != *before;
        is_changed.then_some(self)
    }

    /// Builds a new event of a manager from this one, with the poster's format. It is published unless the change says
    /// otherwise.
    #[must_use]
    pub fn copied(&self, manager: Uuid, patch: &EventPatch, shows: &ShowTimes) -> Self {
        let id = Uuid::now_v7();
        let extension = self.thumbnail.rsplit('.').next().unwrap_or_default();
        Self {
            id,
            manager,
            version: 0,
            published: patch.published.unwrap_or(true),
            restorable_until: None,
            thumbnail: format!("{id}.{extension}"),
            details: self.details.edited(patch),
            shows: shows.of_new(id),
        }
    }
}

/// Returns a file name for another poster of an event. It is new, since caches keep posters for good.
#[must_use]
pub fn new_thumbnail(event: Uuid, poster: Format) -> String {
    format!("{event}-{}.{}", Uuid::new_v4(), poster.extension())
}

/// Returns the event id in the file name of a poster, if it has one.
#[must_use]
pub fn id_from_thumbnail(thumbnail: &str) -> Option<Uuid> {
    const ID: usize = 36;
    let (id, rest) = thumbnail.split_at_checked(ID)?;
    if rest.starts_with(['.', '-']) { id::parse(id) } else { None }
}

impl Details {
    /// Returns title and place without differences of case, width, white space and invisible characters.
    ///
    /// Two events with the same of both have no show in common, unless one is deleted.
    #[must_use]
    pub fn unique_name(&self) -> [String; 2] {
        [self.title.as_str(), self.place.as_str()].map(|text| folded_words(text).join(" "))
    }

    /// Returns the time before each show at which its ticketing closes.
    #[must_use]
    pub fn close_before_show(&self) -> Duration {
        Duration::from_mins(self.ticketing_close_minutes.map_or(0, |minutes| minutes.get().into()))
    }

    fn edited(&self, patch: &EventPatch) -> Self {
        let details = self.clone();
        Self {
            title: patch.title.clone().unwrap_or(details.title),
            description: patch.description.clone().unwrap_or(details.description),
            place: patch.place.clone().unwrap_or(details.place),
            artist: patch.artist.clone().unwrap_or(details.artist),
            genre: patch.genre.applied(details.genre),
            age_rating: patch.age_rating.applied(details.age_rating),
            running_minutes: patch.running_minutes.applied(details.running_minutes),
            address: patch.address.applied(details.address),
            ticketing_close_minutes: patch.ticketing_close_minutes.applied(details.ticketing_close_minutes),
            max_seats: patch.max_seats.applied(details.max_seats),
            event_open_time: patch.event_open_time.unwrap_or(details.event_open_time),
            ticketing_open_time: patch.ticketing_open_time.unwrap_or(details.ticketing_open_time),
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn details(title: &str, place: &str) -> Details {
        let instant = |json| Instant::from_number(json).unwrap();
        Details {
            title: Line::parse(title).unwrap(),
            description: Paragraph::parse("설명").unwrap(),
            place: Line::parse(place).unwrap(),
            artist: Line::parse("가수").unwrap(),
            genre: None,
            age_rating: None,
            running_minutes: None,
            address: None,
            ticketing_close_minutes: None,
            max_seats: None,
            event_open_time: instant("0"),
            ticketing_open_time: instant("0"),
        }
    }

    fn shows(seconds: &[&str]) -> ShowTimes {
        let mut shows = ShowTimes::default();
        for json in seconds {
            shows.add(Instant::from_number(json).unwrap()).unwrap();
        }
        shows
    }

    fn registered(seconds: &[&str]) -> Event {
        Event::register(Uuid::nil(), details("a", "b"), &shows(seconds), true, Format::Png)
    }

    #[test]
    fn id_has_time_of_registration() {
        let time = |id| registered_at(id::parse(id).unwrap()).map(|time| time.to_string());
        assert_eq!(time("0196a1b2-0000-7000-8000-00000000abcd").as_deref(), Some("2025-05-05T18:25:19.360Z"));
        // An id of version 4 has no time.
        assert_eq!(time("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"), None);
    }

    #[test]
    fn unique_name_ignores_case_width_invisibility() {
        let one = details("Spring  Concert", "올림픽홀").unique_name();
        assert_eq!(one, details(" ＳＰＲＩＮＧ\u{200b} concert ", "\u{feff}올림픽\u{3164}홀").unique_name());
        assert_ne!(one, details("SpringConcert", "올림픽홀").unique_name(), "a space separates words");
        assert_ne!(one, details("Spring Concert", "체조경기장").unique_name());
    }

    #[test]
    fn ids_sort_by_registration() {
        let ids: Vec<_> = (0..100).map(|_| registered(&["1"]).id).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[test]
    fn show_ids_never_return() {
        let first = registered(&["1", "2"]);
        let edited = |event: &Event, seconds: &[&str]| {
            event.edited(&EventPatch { shows: Some(shows(seconds)), ..EventPatch::default() }).unwrap().unwrap()
        };
        let second = edited(&first, &["3", "2"]);
        assert_eq!(second.shows[1], first.shows[1], "a kept show keeps its id, also at another place in the list");
        let third = edited(&second, &["1", "2", "3"]);
        assert_eq!(third.shows[1..], [second.shows[1].clone(), second.shows[0].clone()]);
        let ids: std::collections::HashSet<_> =
            [first.shows, second.shows, third.shows].concat().iter().map(|show| show.id).collect();
        assert_eq!(ids.len(), 2 + 1 + 1, "the first show, removed and added again, has a new id");
    }

    #[test]
    fn change_replaces_its_fields() {
        let event = registered(&["1"]);
        let genre = |genre| Patch::Replace(Line::parse(genre).unwrap());
        let patch = EventPatch { title: Line::parse("c").ok(), genre: genre("뮤지컬"), ..EventPatch::default() };
        let edited = event.edited(&patch).unwrap().unwrap();
        let expected = Details { genre: Line::parse("뮤지컬").ok(), ..details("c", "b") };
        assert_eq!(edited, Event { version: 1, details: expected, ..event });
        let removed = edited.edited(&EventPatch { genre: Patch::Remove, ..EventPatch::default() }).unwrap().unwrap();
        assert_eq!((removed.version, removed.details), (2, details("c", "b")));
    }

    #[test]
    fn change_to_same_values_is_none() {
        let event = registered(&["1"]);
        assert_eq!(event.edited(&EventPatch::default()).unwrap(), None);
        let same = EventPatch { title: Line::parse("a").ok(), shows: Some(shows(&["1"])), ..EventPatch::default() };
        assert_eq!(event.edited(&same).unwrap(), None);
    }

    #[test]
    fn last_version_can_add_shows() {
        let add = |version| {
            let event = Event { version, ..registered(&["1"]) };
            event.edited(&EventPatch { shows: Some(shows(&["1", "2"])), ..EventPatch::default() })
        };
        assert_eq!(add(id::MAX_SHOW_VERSION - 1).unwrap().unwrap().shows.len(), 2);
        assert!(matches!(add(id::MAX_SHOW_VERSION), Err(Error::TooManyChanges)));
        let event = Event { version: id::MAX_SHOW_VERSION, ..registered(&["1", "2"]) };
        let removed = event.edited(&EventPatch { shows: Some(shows(&["2"])), ..EventPatch::default() });
        assert_eq!(removed.unwrap().unwrap().shows, event.shows[1..]);
    }

    #[test]
    fn show_is_moved_unless_another_has_the_time() {
        let event = registered(&["1", "2"]);
        let at = |json| Instant::from_number(json).ok();
        let moved = |show, json| event.with_show(show, &ShowPatch { instant: at(json), ..ShowPatch::default() });
        let [first, second] = [0, 1].map(|index| event.shows[index].id);
        let later = moved(first, "3").unwrap().unwrap();
        assert_eq!((later.version, later.shows[0].id, later.shows[0].instant), (1, first, at("3").unwrap()));
        assert_eq!(later.shows[1], event.shows[1]);
        assert_eq!(moved(first, "1").unwrap(), None);
        assert!(matches!(moved(second, "1"), Err(Error::ShowTimeTaken)));
        assert!(matches!(moved(Uuid::nil(), "5"), Err(Error::NoSuchEvent)));
    }

    #[test]
    fn cancellation_leaves_shows_that_have_begun() {
        let notice = |text: &str| Patch::Replace(Notice::parse(text).unwrap());
        let event = registered(&["1", "2", "3"]);
        let postponed = ShowPatch { status: Some(ShowStatus::Postponed), ..ShowPatch::default() };
        let event = event.with_show(event.shows[0].id, &postponed).unwrap().unwrap();
        let cancelled = event.cancelled(&notice("취소"), Duration::from_secs(2)).unwrap().unwrap();
        let statuses: Vec<_> = cancelled.shows.iter().map(|show| (show.status, show.notice.is_some())).collect();
        let off = (ShowStatus::Cancelled, true);
        assert_eq!(statuses, [off, (ShowStatus::Scheduled, false), off]);
        assert_eq!(cancelled.cancelled(&Patch::Keep, Duration::from_secs(2)).unwrap(), None, "notices stay");
        let without = cancelled.cancelled(&Patch::Remove, Duration::from_secs(2)).unwrap().unwrap();
        let notices: Vec<_> = without.shows.iter().map(|show| show.notice.is_some()).collect();
        assert_eq!(notices, [true, false, false], "the first one would have begun");
    }

    #[test]
    fn notices_are_limited_together() {
        let seconds: Vec<_> = (0..21).map(|second| second.to_string()).collect();
        let event = registered(&seconds.iter().map(String::as_str).collect::<Vec<_>>());
        let notice = Patch::Replace(Notice::parse(&"가".repeat(500)).unwrap());
        assert!(matches!(event.cancelled(&notice, Duration::ZERO), Ok(Some(_))), "20 shows have not begun");
        let postponed = ShowPatch { status: Some(ShowStatus::Postponed), ..ShowPatch::default() };
        let event = event.with_show(event.shows[0].id, &postponed).unwrap().unwrap();
        assert!(matches!(event.cancelled(&notice, Duration::ZERO), Err(Error::NoticesTooLong)));
    }

    #[test]
    fn copy_is_another_event() {
        let event = registered(&["1", "2"]);
        let patch = EventPatch { title: Line::parse("c").ok(), published: Some(false), ..EventPatch::default() };
        let copy = event.copied(Uuid::max(), &patch, &shows(&["1"]));
        assert_eq!((copy.manager, copy.version, copy.published), (Uuid::max(), 0, false));
        assert_eq!((copy.thumbnail, copy.details), (format!("{}.png", copy.id), details("c", "b")));
        assert!(copy.id != event.id && copy.shows[0].id != event.shows[0].id);
        assert!(event.copied(Uuid::max(), &EventPatch::default(), &shows(&["1"])).published);
    }

    #[test]
    fn poster_is_named_by_event_id() {
        let event = Event::register(Uuid::nil(), details("a", "b"), &shows(&["1"]), true, Format::Jpeg);
        assert_eq!(event.thumbnail, format!("{}.jpg", event.id));
        assert_eq!(id_from_thumbnail(&event.thumbnail), Some(event.id));
        for format in [Format::Jpeg, Format::WebP] {
            let [first, second] = [new_thumbnail(event.id, format), new_thumbnail(event.id, format)];
            assert_ne!(first, second);
            assert_eq!(id_from_thumbnail(&first), Some(event.id));
        }
        for other in ["a.jpg", &event.id.to_string(), &format!("{}a.jpg", event.id)] {
            assert_eq!(id_from_thumbnail(other), None, "{other}");
        }
    }
}
