//! One of many simultaneous clients of the service.

use std::collections::BTreeMap;

use domain::{event::Status, show::ShowStatus};
use serde_json::{Value, json};
use tests::{Api, Response, sample};
use uuid::Uuid;

use crate::events::{Change, Content, Registration, SHOWS, Show, ShowChange};

/// Response to an operation: its data, or the code of the failure.
pub type Outcome<T> = Result<T, String>;

/// Shows in two months, and so in two lock items.
const DATES: [&str; SHOWS] =
    ["2100-01-30T08:00:00Z", "2100-01-31T08:00:00Z", "2100-02-01T08:00:00Z", "2100-02-02T08:00:00Z"];

/// List of events.
#[derive(Clone, Copy, Debug)]
pub enum List {
    /// All live events.
    All,
    /// Live events of the only manager.
    OwnLive,
    /// Drafts of this manager.
    OwnDrafts,
    /// Deleted events of this manager.
    OwnDeleted,
}

/// Client in one round. The names of the round are unique, and numbers identify its keys.
pub struct Client<'a> {
    pub api: &'a Api,
    /// Prefix of the names of the round.
    pub round: String,
}

impl Client<'_> {
    pub async fn create(&self, registration: Registration, key: Option<usize>) -> Outcome<(Uuid, Content)> {
        let Registration { shows, is_draft } = registration;
        let event = json!({
            "title": self.round,
            // As its seat, this is never edited.
            "description": shows.to_string(),
            "place": place_text(Content::PLACE),
            "artist": artist_text(Content::ARTIST),
            "eventOpenTime": DATES[0],
            "ticketingOpenTime": DATES[0],
            "eventDatetimes": dates(shows),
            "published": !is_draft,
            "totalMap": "/map.svg",
            "areas": [{
                "label": "A", "price": 1_000, "areaMap": "/a.svg",
                "seats": [{"cx": shows, "cy": 1, "row": 1, "number": 1}],
            }],
        });
        let form = sample::form(&event);
        let response = match key {
            Some(key) => self.api.create_with_key(&format!("{}-{key}", self.round), &form).await,
            None => self.api.create_with_form(&form).await,
        };
        outcome(&response, |data| Some((id(data)?, self.content(data)?)))
    }

    /// Reads an event, with or without its seats.
    pub async fn get_event(&self, event: Uuid, with_seats: bool) -> Outcome<Version> {
        let response = self.api.event(&format!("{event}{}", if with_seats { "/detail" } else { "" })).await;
        outcome(&response, |data| {
            let seat = data["areas"][0]["seats"][0]["cx"].as_u64().map(|shows| shows.to_string());
            let is_whole = !with_seats || seat.as_deref() == data["description"].as_str();
            is_whole.then_some(self.version(&response)?)
        })
    }

    /// Copies an event, with the place and the performer of a new one.
    pub async fn copy(&self, event: Uuid, Registration { shows, is_draft }: Registration) -> Outcome<(Uuid, Content)> {
        let copy = json!({
            "place": place_text(Content::PLACE),
            "artist": artist_text(Content::ARTIST),
            "eventOpenTime": DATES[0],
            "ticketingOpenTime": DATES[0],
            "eventDatetimes": dates(shows),
            "published": !is_draft,
        });
        let response = self.api.copy(&event.to_string(), &copy).await;
        outcome(&response, |data| Some((id(data)?, self.content(data)?)))
    }

    /// Reads an event as its manager.
    pub async fn get_own(&self, event: Uuid) -> Outcome<(Status, Version)> {
        let response = self.api.managed_event(&event.to_string()).await;
        let statuses = [Status::Live, Status::Draft, Status::Deleted];
        let status = |data: &Value| statuses.into_iter().find(|status| data["status"] == status.name());
        outcome(&response, |data| Some((status(data)?, self.version(&response)?)))
    }

    /// Edits an event, if it has the entity tag that is given, and returns its new version.
    pub async fn edit_event(&self, event: Uuid, change: Change, if_match: Option<&str>) -> Outcome<Version> {
        let fields = [
            ("place", change.place.map(|place| place_text(place).into())),
            ("artist", change.artist.map(|artist| artist_text(artist).into())),
            ("eventDatetimes", change.shows.map(|shows| json!(dates(shows)))),
            ("published", change.is_draft.map(|is_draft| json!(!is_draft))),
        ];
        self.change(&event.to_string(), &fields, if_match).await
    }

    /// Changes a show, if its event has the entity tag that is given, and returns the new version of the event.
    pub async fn change_show(
        &self,
        (event, show): (Uuid, Uuid),
        change: ShowChange,
        if_match: Option<&str>,
    ) -> Outcome<Version> {
        let fields = [
            ("status", change.status.map(|status| status.name().into())),
            ("datetime", change.time.map(|time| DATES[time].into())),
        ];
        self.change(&format!("{event}/dates/{show}"), &fields, if_match).await
    }

    async fn change(&self, path: &str, fields: &[(&str, Option<Value>)], if_match: Option<&str>) -> Outcome<Version> {
        let fields = fields.iter().filter_map(|(name, value)| Some(((*name).to_owned(), value.clone()?)));
        let change = Value::Object(fields.collect());
        let response = match if_match {
            Some(etag) => self.api.edit_if_match(path, etag, &change).await,
            None => self.api.edit(path, &change).await,
        };
        outcome(&response, |_| self.version(&response))
    }

    pub async fn cancel_event(&self, event: Uuid) -> Outcome<Version> {
        let response = self.api.cancel(&event.to_string(), &json!({})).await;
        outcome(&response, |_| self.version(&response))
    }

    /// Returns the listed events of the round, and the last listed event if more follow.
    pub async fn list(&self, list: List, limit: usize) -> Outcome<(BTreeMap<Uuid, Content>, Option<Uuid>)> {
        let path = match list {
            List::All => "/api/v1/events?",
            List::OwnLive => "/api/v1/managers/me/events?",
            List::OwnDrafts => "/api/v1/managers/me/events?status=draft&",
            List::OwnDeleted => "/api/v1/managers/me/events?status=deleted&",
        };
        let response = self.api.get_as_manager(&format!("{path}limit={limit}")).await;
        outcome(&response, |data| {
            let events = data.as_array()?;
            let of_round = events.iter().filter_map(|event| Some((id(event)?, self.content(event)?)));
            let next_after = events.last().and_then(id).filter(|_| response.next_page().is_some());
            Some((of_round.collect(), next_after))
        })
    }

    pub async fn delete(&self, event: Uuid) -> Outcome<()> {
        outcome(&self.api.delete(&event.to_string()).await, |_| Some(()))
    }

    pub async fn restore(&self, event: Uuid) -> Outcome<Content> {
        outcome(&self.api.restore(&event.to_string()).await, |data| self.content(data))
    }

    /// Returns the version of an event in a response; none if it is of another round.
    fn version(&self, response: &Response) -> Option<Version> {
        let etag = response.header("ETag").to_owned();
        let number = etag.trim_matches('"').rsplit('-').next()?.parse().ok()?;
        Some(Version { content: self.content(&response.data())?, number, etag })
    }

    /// Returns the content of an event; none if it is of another round.
    fn content(&self, event: &Value) -> Option<Content> {
        if event["title"] != self.round {
            return None;
        }
        let number = |field: &str| event[field].as_str()?.rsplit(' ').next()?.parse().ok();
        let shows = event["eventDatetimes"].as_array()?;
        let show = |date| {
            let position = shows.iter().position(|show| show["datetime"] == date)?;
            let show = &shows[position];
            let status = show["status"].as_str().map_or(Some(ShowStatus::Scheduled), ShowStatus::from_name)?;
            Some(Show { id: id(show)?, status, position })
        };
        Some(Content { place: number("place")?, artist: number("artist")?, shows: DATES.map(show) })
    }
}

/// Version of an event.
#[derive(Debug)]
pub struct Version {
    pub content: Content,
    /// Number in the entity tag.
    pub number: u64,
    pub etag: String,
}

fn dates(shows: u8) -> Vec<&'static str> {
    DATES.into_iter().zip(0..).filter(|(_, bit)| shows & (1 << bit) != 0).map(|(date, _)| date).collect()
}

fn place_text(number: usize) -> String {
    format!("공연장 {number}")
}

fn artist_text(number: usize) -> String {
    format!("가수 {number}")
}

fn id(data: &Value) -> Option<Uuid> {
    data["id"].as_str()?.parse().ok()
}

/// Reads the data of a success, or the code of a failure. A text that is no code means that the data are wrong.
pub fn outcome<T>(response: &Response, read: impl FnOnce(&Value) -> Option<T>) -> Outcome<T> {
    match response.status {
        204 => read(&Value::Null),
        200 | 201 => read(&response.data()),
        _ => return Err(response.code()),
    }
    .ok_or_else(|| format!("wrong data: {:.500}", response.text()))
}
