//! Events: performances that tickets are sold for.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    error::Error,
    id::{self, MAX_SHOW_VERSION},
    instant::Instant,
    poster::Format,
    text::{Line, Paragraph, folded_words},
    violation::Violation,
};

/// Maximum number of shows of an event.
pub const MAX_SHOWS: usize = 60;

/// The title of an event.
pub type Title = Line<100>;

/// The description of an event.
pub type Description = Paragraph<5_000>;

/// The place of an event.
pub type Place = Line<100>;

/// The performer of an event.
pub type Artist = Line<100>;

/// The data that a manager registers, without the seats.
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
    /// Time when the event opens.
    pub event_open_time: Instant,
    /// Time when ticketing opens.
    pub ticketing_open_time: Instant,
    /// The shows.
    pub shows: Shows,
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

/// Fields that an edit replaces; the others keep their values.
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
    /// New time when the event opens.
    pub event_open_time: Option<Instant>,
    /// New time when ticketing opens.
    pub ticketing_open_time: Option<Instant>,
    /// The shows that replace all shows.
    pub shows: Option<Shows>,
}

/// A show of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// The id.
    pub id: Uuid,
    /// Time of the show.
    pub instant: Instant,
}

/// A registered event, without its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// A version 7 UUID from the service; ids sort by registration.
    pub id: Uuid,
    /// The manager who registered it.
    pub manager: Uuid,
    /// The file name of its poster.
    pub thumbnail: String,
    /// The data from the manager.
    pub details: Details,
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
    pub fn register(manager: Uuid, details: Details, poster: Format) -> Self {
        let id = Uuid::now_v7();
        Self { id, manager, thumbnail: format!("{id}.{}", poster.extension()), details }
    }

    /// Returns the shows, with the ids of the registration.
    #[must_use]
    pub fn shows(&self) -> Vec<Show> {
        let show = |(place, instant)| Show { id: id::show(self.id, 0, place), instant };
        self.details.shows.iter().enumerate().map(show).collect()
    }
}

/// Returns the shows of an event after an edit, which gave it this version.
///
/// A show at a kept instant keeps its id. The id of any other show contains the version. An event has each version only
/// once, so no show of the event had this id before.
///
/// # Errors
///
/// Returns `Unexpected` if the version is too large for an id, after 16 million edits.
pub fn edited_shows(event: Uuid, version: u64, before: &[Show], after: &Shows) -> Result<Vec<Show>, Error> {
    if version > MAX_SHOW_VERSION {
        return Err(Error::unexpected("the event was edited too often"));
    }
    let show = |(place, instant): (usize, Instant)| {
        let kept = before.iter().find(|show| show.instant == instant);
        kept.copied().unwrap_or_else(|| Show { id: id::show(event, version, place), instant })
    };
    Ok(after.iter().enumerate().map(show).collect())
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
    /// Returns the details after a change.
    #[must_use]
    pub fn changed(self, change: Change) -> Self {
        Self {
            title: change.title.unwrap_or(self.title),
            description: change.description.unwrap_or(self.description),
            place: change.place.unwrap_or(self.place),
            artist: change.artist.unwrap_or(self.artist),
            event_open_time: change.event_open_time.unwrap_or(self.event_open_time),
            ticketing_open_time: change.ticketing_open_time.unwrap_or(self.ticketing_open_time),
            shows: change.shows.unwrap_or(self.shows),
        }
    }

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

    fn details(title: &str, place: &str, shows: &[&str]) -> Details {
        let instant = |json| Instant::from_number(json).unwrap();
        Details {
            title: Line::parse(title).unwrap(),
            description: Paragraph::parse("설명").unwrap(),
            place: Line::parse(place).unwrap(),
            artist: Line::parse("가수").unwrap(),
            event_open_time: instant("0"),
            ticketing_open_time: instant("0"),
            shows: Shows(shows.iter().map(|json| instant(json)).collect()),
        }
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
        let one = details("Spring  Concert", "올림픽홀", &["1"]).unique_name();
        assert_eq!(one, details(" ＳＰＲＩＮＧ\u{200b} concert ", "\u{feff}올림픽\u{3164}홀", &["1"]).unique_name());
        assert_ne!(one, details("SpringConcert", "올림픽홀", &["1"]).unique_name(), "a space separates words");
    }

    #[test]
    fn place_distinguishes_events() {
        let name = |place| details("a", place, &["1"]).unique_name();
        assert_ne!(name("b"), name("c"));
    }

    #[test]
    fn ids_sort_by_registration() {
        let register = || Event::register(Uuid::nil(), details("a", "b", &["1"]), Format::Png).id;
        let ids: Vec<_> = (0..1_000).map(|_| register()).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[test]
    fn show_ids_never_return() {
        let shows = |seconds: &[&str]| details("a", "b", seconds).shows;
        let event = Event::register(Uuid::nil(), details("a", "b", &["1", "2"]), Format::Png);
        let registered = event.shows();
        let second = edited_shows(event.id, 1, &registered, &shows(&["3", "2"])).unwrap();
        assert_eq!(second[1], registered[1], "a kept show keeps its id, also at another place in the list");
        let third = edited_shows(event.id, 2, &second, &shows(&["1", "2", "3"])).unwrap();
        assert_eq!(third[1..], [second[1], second[0]]);
        let ids: std::collections::HashSet<_> =
            [&registered[..], &second, &third].concat().iter().map(|s| s.id).collect();
        assert_eq!(ids.len(), 2 + 1 + 1, "the first show, removed and added again, has a new id");
    }

    #[test]
    fn edit_beyond_last_version_is_rejected() {
        let shows = details("a", "b", &["1"]).shows;
        let edited = |version| edited_shows(Uuid::nil(), version, &[], &shows);
        assert!(edited(MAX_SHOW_VERSION).is_ok());
        assert!(edited(MAX_SHOW_VERSION + 1).is_err());
    }

    #[test]
    fn change_replaces_its_fields() {
        let before = details("a", "b", &["1"]);
        assert_eq!(before.clone().changed(Change::default()), before);
        let change = Change { title: Line::parse("c").ok(), ..Change::default() };
        assert_eq!(before.changed(change), details("c", "b", &["1"]));
    }

    #[test]
    fn poster_is_named_by_event_id() {
        let event = Event::register(Uuid::nil(), details("a", "b", &["1"]), Format::Jpeg);
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
