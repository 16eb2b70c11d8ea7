//! Events: performances that tickets are sold for.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    id,
    instant::Instant,
    integer::Integer,
    poster::Format,
    text::{Line, Paragraph, folded_words},
    violation::Violation,
};

/// Maximum number of shows of an event.
pub const MAX_SHOWS: usize = 60;
const _: () = assert!(MAX_SHOWS <= 1 << id::INDEX_BITS);

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
    /// Time when the event opens.
    pub event_open_time: Instant,
    /// Time when ticketing opens.
    pub ticketing_open_time: Instant,
}

/// At most 60 distinct instants, in the order of the request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shows(Vec<Instant>);

impl Shows {
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

    /// Iterates over the shows.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Instant> {
        self.0.iter().copied()
    }
}

/// Change of an event; fields that are `None` keep their values.
///
/// Of a field that an event can lack, `Some(None)` removes the value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Change {
    /// The new title.
    pub title: Option<Title>,
    /// The new description.
    pub description: Option<Description>,
    /// The new place.
    pub place: Option<Place>,
    /// The new performer.
    pub artist: Option<Artist>,
    /// Change of the genre.
    pub genre: Option<Option<Genre>>,
    /// Change of the youngest age admitted.
    pub age_rating: Option<Option<AgeRating>>,
    /// Change of the running time.
    pub running_minutes: Option<Option<RunningMinutes>>,
    /// Change of the address.
    pub address: Option<Option<Address>>,
    /// New time when the event opens.
    pub event_open_time: Option<Instant>,
    /// New time when ticketing opens.
    pub ticketing_open_time: Option<Instant>,
    /// The shows that replace all shows.
    pub shows: Option<Shows>,
    /// File name of the new poster.
    pub thumbnail: Option<String>,
}

/// A show of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The id, derived from the event.
    pub id: Uuid,
    /// Time of the show.
    pub instant: Instant,
}

/// Show that a request is about, with its event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowId {
    /// The event.
    pub event: Uuid,
    /// The show.
    pub show: Uuid,
}

/// A registered event, without its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// A version 7 UUID from the service; ids sort by registration.
    pub id: Uuid,
    /// The manager who registered it.
    pub manager: Uuid,
    /// Number of edits since the registration. It determines all representations of the event.
    pub version: u64,
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
    /// The event was deleted, and can be restored for 30 days.
    Deleted,
}

impl Status {
    /// Returns the name of the status in responses and keys.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Live => "LIVE",
            Self::Deleted => "DELETED",
        }
    }
}

/// Selection of events by their status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFilter {
    /// Only live events.
    Live,
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
    pub fn register(manager: Uuid, details: Details, shows: &Shows, poster: Format) -> Self {
        let id = Uuid::now_v7();
        let thumbnail = format!("{id}.{}", poster.extension());
        Self { id, manager, version: 0, thumbnail, details, shows: shows_of_version(id, 0, &[], shows) }
    }

    /// Returns the next version of the event, or `None` if the change changes nothing.
    #[must_use]
    pub fn edited(&self, change: &Change) -> Option<Self> {
        let version = self.version + 1;
        let details = self.details.clone();
        let edited = Self {
            id: self.id,
            manager: self.manager,
            version,
            thumbnail: change.thumbnail.clone().unwrap_or_else(|| self.thumbnail.clone()),
            details: Details {
                title: change.title.clone().unwrap_or(details.title),
                description: change.description.clone().unwrap_or(details.description),
                place: change.place.clone().unwrap_or(details.place),
                artist: change.artist.clone().unwrap_or(details.artist),
                genre: change.genre.clone().unwrap_or(details.genre),
                age_rating: change.age_rating.unwrap_or(details.age_rating),
                running_minutes: change.running_minutes.unwrap_or(details.running_minutes),
                address: change.address.clone().unwrap_or(details.address),
                event_open_time: change.event_open_time.unwrap_or(details.event_open_time),
                ticketing_open_time: change.ticketing_open_time.unwrap_or(details.ticketing_open_time),
            },
            shows: match &change.shows {
                Some(shows) => shows_of_version(self.id, version, &self.shows, shows),
                None => self.shows.clone(),
            },
        };
        let is_changed = Self { version: self.version, ..edited.clone() } != *self;
        is_changed.then_some(edited)
    }
}

/// Returns the shows of an event that gets this version.
///
/// A show at a kept instant keeps its id. The id of any other show is derived from the version. An event has each
/// version only once, so no show of the event had this id before.
fn shows_of_version(event: Uuid, version: u64, before: &[Show], after: &Shows) -> Vec<Show> {
    let show = |(index, instant): (usize, Instant)| {
        let kept = before.iter().find(|show| show.instant == instant);
        kept.copied().unwrap_or_else(|| Show { id: id::show(event, version, index), instant })
    };
    after.iter().enumerate().map(show).collect()
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
    /// Two live events with the same of both have no show in common.
    #[must_use]
    pub fn unique_name(&self) -> [String; 2] {
        [self.title.as_str(), self.place.as_str()].map(|text| folded_words(text).join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn details(title: &str, place: &str) -> Details {
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
            event_open_time: instant("0"),
            ticketing_open_time: instant("0"),
        }
    }

    fn shows(seconds: &[&str]) -> Shows {
        Shows(seconds.iter().map(|json| Instant::from_number(json).unwrap()).collect())
    }

    fn registered(seconds: &[&str]) -> Event {
        Event::register(Uuid::nil(), details("a", "b"), &shows(seconds), Format::Png)
    }

    #[test]
    fn id_has_time_of_registration() {
        let time = |id| registered_at(id::parse(id).unwrap()).map(|time| time.to_string());
        assert_eq!(time("0196a1b2-0000-7000-8000-00000000abcd").as_deref(), Some("2025-05-05T18:25:19.360Z"));
        // An id of version 4 has no time.
        assert_eq!(time("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"), None);
    }

    #[test]
    fn duplicate_and_61st_show_are_rejected() {
        let at = |second: usize| Instant::from_number(&second.to_string()).unwrap();
        let mut shows = Shows::default();
        (0..MAX_SHOWS).for_each(|second| shows.add(at(second)).unwrap());
        assert_eq!(shows.add(at(0)), Err(Violation::Duplicate));
        assert_eq!(shows.add(at(MAX_SHOWS)), Err(Violation::TooMany(MAX_SHOWS)));
        assert_eq!(shows.iter().len(), MAX_SHOWS);
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
            event.edited(&Change { shows: Some(shows(seconds)), ..Change::default() }).unwrap()
        };
        let second = edited(&first, &["3", "2"]);
        assert_eq!(second.shows[1], first.shows[1], "a kept show keeps its id, also at another place in the list");
        let third = edited(&second, &["1", "2", "3"]);
        assert_eq!(third.shows[1..], [second.shows[1], second.shows[0]]);
        let ids: std::collections::HashSet<_> =
            [first.shows, second.shows, third.shows].concat().iter().map(|show| show.id).collect();
        assert_eq!(ids.len(), 2 + 1 + 1, "the first show, removed and added again, has a new id");
    }

    #[test]
    fn change_replaces_its_fields() {
        let event = registered(&["1"]);
        let genre = |genre| Some(Some(Line::parse(genre).unwrap()));
        let change = Change { title: Line::parse("c").ok(), genre: genre("뮤지컬"), ..Change::default() };
        let edited = event.edited(&change).unwrap();
        let expected = Details { genre: Line::parse("뮤지컬").ok(), ..details("c", "b") };
        assert_eq!(edited, Event { version: 1, details: expected, ..event });
        let removed = edited.edited(&Change { genre: Some(None), ..Change::default() }).unwrap();
        assert_eq!((removed.version, removed.details), (2, details("c", "b")));
    }

    #[test]
    fn change_to_same_values_is_none() {
        let event = registered(&["1"]);
        assert_eq!(event.edited(&Change::default()), None);
        let same = Change { title: Line::parse("a").ok(), shows: Some(shows(&["1"])), ..Change::default() };
        assert_eq!(event.edited(&same), None);
    }

    #[test]
    fn poster_is_named_by_event_id() {
        let event = Event::register(Uuid::nil(), details("a", "b"), &shows(&["1"]), Format::Jpeg);
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
