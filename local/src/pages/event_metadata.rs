//! Metadata of the page of an event, for search engines and previews of links, which run no script.

use domain::{
    event::Event,
    price::Price,
    show::{Show, ShowStatus},
};
use seating::seat_map::SeatMap;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// Maximum number of characters of a description; previews show about as many.
const MAX_DESCRIPTION: usize = 160;

/// Metadata of the page of an event.
#[derive(Debug, Serialize)]
pub struct EventMetadata {
    title: String,
    description: String,
    /// Address of the page.
    url: String,
    /// Address of the poster.
    image: String,
    /// The shows as [`Event`](https://schema.org/Event) of schema.org.
    shows: Value,
}

impl EventMetadata {
    /// Describes an event of a site with this address.
    #[must_use]
    pub fn new(event: &Event, hall: &SeatMap, site: &str) -> Self {
        let url = format!("{site}/events/{}", event.id);
        let image = format!("{site}/upload/{}", event.thumbnail);
        let shows = event.shows.iter().map(|show| structured(event, show, hall, &url, &image)).collect();
        Self {
            title: event.details.title.as_str().to_owned(),
            description: shortened(event.details.description.as_str()),
            url,
            image,
            shows,
        }
    }
}

/// Describes a show in the vocabulary of schema.org.
fn structured(event: &Event, show: &Show, hall: &SeatMap, url: &str, image: &str) -> Value {
    let details = &event.details;
    let status = match show.status {
        ShowStatus::Scheduled if show.moved_from.is_some() => "EventRescheduled",
        ShowStatus::Scheduled => "EventScheduled",
        ShowStatus::Postponed => "EventPostponed",
        ShowStatus::Cancelled => "EventCancelled",
    };
    let mut location = json!({"@type": "Place", "name": details.place});
    if let Some(address) = &details.address {
        location["address"] = json!(address);
    }
    let mut described = json!({
        "@context": "https://schema.org",
        "@type": "Event",
        "name": details.title,
        "description": details.description,
        "url": url,
        "image": [image],
        "startDate": show.instant,
        "eventStatus": format!("https://schema.org/{status}"),
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        "location": location,
        "performer": {"@type": "PerformingGroup", "name": details.artist},
    });
    if let Some(announced) = show.moved_from {
        described["previousStartDate"] = json!(announced);
    }
    if let Some(minutes) = details.running_minutes {
        described["duration"] = json!(format!("PT{}M", minutes.get()));
    }
    if show.status != ShowStatus::Cancelled
        && let Some(offers) = offers(event, show, hall, url)
    {
        described["offers"] = offers;
    }
    described
}

/// Describes the prices of a show; `None` if it has no seats.
fn offers(event: &Event, show: &Show, hall: &SeatMap, url: &str) -> Option<Value> {
    let prices = || hall.areas().iter().filter(|area| !area.seats.is_empty()).map(|area| area.price);
    let (low, high): (Price, Price) = (prices().min()?, prices().max()?);
    let mut offers = Map::new();
    offers.insert("@type".to_owned(), json!("AggregateOffer"));
    offers.insert("lowPrice".to_owned(), json!(low));
    offers.insert("highPrice".to_owned(), json!(high));
    offers.insert("priceCurrency".to_owned(), json!("KRW"));
    offers.insert("validFrom".to_owned(), json!(event.details.ticketing_open_time));
    offers.insert("url".to_owned(), json!(format!("{url}/shows/{}", show.id)));
    Some(Value::Object(offers))
}

/// Returns a text as one line, cut at the end of a word if it is too long.
fn shortened(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let Some((end, _)) = line.char_indices().nth(MAX_DESCRIPTION) else { return line };
    let cut = &line[..end];
    format!("{}…", cut.rsplit_once(' ').map_or(cut, |(words, _)| words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_words() {
        assert_eq!(shortened(" 봄밤의\n야외  콘서트 "), "봄밤의 야외 콘서트");
        let longest = "가".repeat(MAX_DESCRIPTION);
        assert_eq!(shortened(&longest), longest);
        assert_eq!(shortened(&format!("{longest}나")), format!("{longest}…"));
        assert_eq!(shortened(&format!("{} {longest}", "나".repeat(20))), format!("{}…", "나".repeat(20)));
    }
}
