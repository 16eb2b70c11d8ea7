//! Events: performances that tickets are sold for.

use uuid::Uuid;

use super::{
    id,
    instant::Instant,
    poster::Format,
    seat_map::SeatMap,
    text::{Line, Paragraph, fold},
};

/// The most show dates of an event.
pub const MAX_SHOWS: usize = 60;

/// The title of an event.
pub type Title = Line<100>;

/// What an event is about.
pub type Description = Paragraph<5_000>;

/// The venue of an event.
pub type Place = Line<100>;

/// The performer of an event.
pub type Artist = Line<100>;

/// What a manager says of an event, without its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// The title.
    pub title: Title,
    /// The description.
    pub description: Description,
    /// The venue.
    pub place: Place,
    /// The performer.
    pub artist: Artist,
    /// When the event opens.
    pub event_open_time: Instant,
    /// When ticketing opens.
    pub ticketing_open_time: Instant,
    /// When it is shown: 1 to 60 distinct instants.
    pub shows: Vec<Instant>,
}

/// A request to register an event, but for its poster.
#[derive(Clone, Debug, PartialEq)]
pub struct Draft {
    /// What is said of the event.
    pub details: Details,
    /// Its seats.
    pub seat_map: SeatMap,
}

/// A registered event, without its seats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Given by the service: a version 7 UUID, so that ids sort by registration.
    pub id: Uuid,
    /// The manager who registered it.
    pub manager: Uuid,
    /// The file name of its poster.
    pub thumbnail: String,
    /// What the manager said of it.
    pub details: Details,
}

impl Event {
    /// Registers an event now.
    #[must_use]
    pub fn register(manager: Uuid, details: Details, poster: Format) -> Self {
        let id = Uuid::now_v7();
        Self { id, manager, thumbnail: format!("{id}.{}", poster.extension()), details }
    }

    /// The id of the `index`-th show date.
    #[must_use]
    pub fn show_id(&self, index: usize) -> Uuid {
        id::derive(self.id, "eventDatetimes", index)
    }
}

/// The id of the event that has a poster of this file name; none where it is no poster's.
#[must_use]
pub fn of_poster(thumbnail: &str) -> Option<Uuid> {
    thumbnail.split_once('.')?.0.parse().ok()
}

/// The id of the `index`-th area of an event.
#[must_use]
pub fn area_id(event: Uuid, index: usize) -> Uuid {
    id::derive(event, "areas", index)
}

impl Details {
    /// What no two live events may have in common: for each show, the title and
    /// place, folded and with white space collapsed, and the instant.
    pub fn claims(&self) -> impl Iterator<Item = [String; 3]> {
        let title = collapsed(self.title.as_str());
        let place = collapsed(self.place.as_str());
        self.shows.iter().map(move |instant| [title.clone(), place.clone(), instant.to_string()])
    }
}

fn collapsed(text: &str) -> String {
    fold(text).split_whitespace().collect::<Vec<_>>().join(" ")
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
            shows: shows.iter().map(|json| instant(json)).collect(),
        }
    }

    #[test]
    fn case_width_and_white_space_do_not_make_another_event() {
        let one: Vec<_> = details("Spring  Concert", "올림픽홀", &["1"]).claims().collect();
        let other: Vec<_> = details(" ＳＰＲＩＮＧ concert ", "올림픽홀", &["1.0"]).claims().collect();
        assert_eq!(one, other);
    }

    #[test]
    fn every_show_claims_its_own_instant() {
        let claims: Vec<_> = details("a", "b", &["1", "2"]).claims().collect();
        assert_eq!(claims.len(), 2);
        assert_ne!(claims[0], claims[1]);
    }

    #[test]
    fn another_place_is_another_event() {
        let claim = |place| details("a", place, &["1"]).claims().next();
        assert_ne!(claim("b"), claim("c"));
    }

    #[test]
    fn later_registrations_sort_later() {
        let register = || Event::register(Uuid::nil(), details("a", "b", &["1"]), Format::Png).id;
        let ids: Vec<_> = (0..1_000).map(|_| register()).collect();
        assert!(ids.is_sorted());
        assert_eq!(ids[0].get_version_num(), 7);
    }

    #[test]
    fn the_poster_has_a_name_of_our_own() {
        let event = Event::register(Uuid::nil(), details("a", "b", &["1"]), Format::Jpeg);
        assert_eq!(event.thumbnail, format!("{}.jpg", event.id));
        assert_eq!(of_poster(&event.thumbnail), Some(event.id));
        assert_eq!(of_poster("a.jpg"), None);
    }
}
