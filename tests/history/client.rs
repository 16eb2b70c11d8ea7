//! One of many simultaneous clients of the service.

use std::{collections::BTreeMap, net::SocketAddr};

use axum::{
    body::{Body, to_bytes},
    extract::ConnectInfo,
    http::{Method, Request, request::Builder},
};
use local::Stack;
use serde_json::{Value, json};
use tests::{Response, sample};
use uuid::Uuid;

use crate::{
    events::{self, Content, CreateResponse, RestoreResponse, SHOWS},
    members::{Change, EditResponse, JoinResponse, LoginResponse},
};

/// Shows in two months, and so in two lock items.
const DATES: [&str; SHOWS] =
    ["2027-01-30T08:00:00Z", "2027-01-31T08:00:00Z", "2027-02-01T08:00:00Z", "2027-02-02T08:00:00Z"];

/// List of events.
#[derive(Clone, Copy, Debug)]
pub enum List {
    /// All live events.
    All,
    /// Live events of the only manager.
    OwnLive,
    /// Deleted events of this manager.
    OwnDeleted,
}

/// Client in one round. Its address and the names of the round are unique.
/// Numbers identify the e-mail addresses, nicknames, passwords and keys of the round.
pub struct Client<'a> {
    pub stack: &'a Stack,
    pub address: SocketAddr,
    /// Prefix of the names of the round.
    pub round: String,
}

impl Client<'_> {
    pub async fn join(&self, email: usize, nickname: usize, password: usize) -> Result<JoinResponse, String> {
        let body = json!({
            "email": self.email(email),
            "name": "김철수",
            "nickname": self.nickname(nickname),
            "password": password_text(password),
        });
        let response = self.post("/api/v1/members/join", &body).await;
        match (response.status, response.code().as_str()) {
            (201, "0") => Ok(JoinResponse::Joined(id(&response.data()))),
            (409, "AJ_001") => Ok(JoinResponse::EmailTaken),
            (409, "AJ_002") => Ok(JoinResponse::NicknameTaken),
            _ => Err(describe(&response)),
        }
    }

    pub async fn login(&self, email: usize, password: usize) -> Result<LoginResponse, String> {
        let body = json!({"email": self.email(email), "password": password_text(password)});
        let response = self.post("/api/v1/members/login", &body).await;
        let data = || response.json()["data"].take();
        match (response.status, response.code().as_str()) {
            (200, "0") if data()["email"] == self.email(email) => {
                let nickname = data()["nickname"].as_str().expect("a nickname").to_owned();
                let nickname = nickname.strip_prefix(&self.nickname("")).and_then(|number| number.parse().ok());
                Ok(LoginResponse::LoggedIn { id: id(&data()), nickname: nickname.expect("a nickname of the round") })
            }
            (401, "AL_001") => Ok(LoginResponse::WrongCredentials),
            _ => Err(describe(&response)),
        }
    }

    pub async fn edit(&self, id: Uuid, password: usize, change: Change) -> Result<EditResponse, String> {
        let mut body = json!({"password": password_text(password)});
        if let Some(nickname) = change.nickname {
            body["nickname"] = self.nickname(nickname).into();
        }
        if let Some(password) = change.password {
            body["newPassword"] = password_text(password).into();
        }
        let response = self.send_json(Method::PATCH, &format!("/api/v1/members/{id}"), &body).await;
        match (response.status, response.code().as_str()) {
            (200, "0") if response.data()["id"] == id.to_string() => {
                let data = response.data();
                let number = |field: &str, prefix: String| {
                    let text = data[field].as_str().expect("a text").strip_prefix(&prefix).expect("one of the round");
                    text.trim_end_matches("@example.com").parse().expect("a number")
                };
                let email = number("email", format!("{}-", self.round));
                Ok(EditResponse::Edited { email, nickname: number("nickname", self.nickname("")) })
            }
            (409, "AJ_002") => Ok(EditResponse::NicknameTaken),
            (401, "AL_001") => Ok(EditResponse::WrongCredentials),
            _ => Err(describe(&response)),
        }
    }

    /// Withdraws a member, and returns false if the credentials are wrong.
    pub async fn withdraw(&self, id: Uuid, password: usize) -> Result<bool, String> {
        let body = json!({"password": password_text(password)});
        let response = self.post(&format!("/api/v1/members/{id}/withdrawal"), &body).await;
        match response.status {
            204 => Ok(true),
            401 if response.code() == "AL_001" => Ok(false),
            _ => Err(describe(&response)),
        }
    }

    pub async fn create(&self, shows: u8, key: Option<usize>) -> Result<CreateResponse, String> {
        let event = json!({
            "title": self.round,
            // As its seat, this is never edited.
            "description": shows.to_string(),
            "place": place_text(Content::PLACE),
            "artist": artist_text(Content::ARTIST),
            "eventOpenTime": DATES[0],
            "ticketingOpenTime": DATES[0],
            "eventDatetimes": dates(shows),
            "totalMap": "/map.svg",
            "areas": [{
                "label": "A", "price": 1_000, "areaMap": "/a.svg",
                "seats": [{"cx": shows, "cy": 1, "row": 1, "number": 1}],
            }],
        });
        let form = sample::form(&event);
        let mut request = self.request(Method::POST, "/api/v1/events");
        request = request.header("x-api-managerId", sample::MANAGER);
        if let Some(key) = key {
            request = request.header("Idempotency-Key", format!("{}-{key}", self.round));
        }
        let request = request.header("Content-Type", form.content_type());
        let response = self.send(request.body(form.body().into()).expect("a request")).await;
        match (response.status, response.code().as_str()) {
            (201, "0") => {
                let content = self.content(&response.data()).ok_or_else(|| describe(&response))?;
                Ok(CreateResponse::Created(id(&response.data()), content))
            }
            (409, "E_001") => Ok(CreateResponse::AlreadyRegistered),
            (409, "C_010") => Ok(CreateResponse::InProgress),
            (422, "C_011") => Ok(CreateResponse::KeyReused),
            _ => Err(describe(&response)),
        }
    }

    /// Reads an event, with or without its seats; none if it is not found.
    pub async fn get_event(&self, event: Uuid, with_seats: bool) -> Result<Option<Version>, String> {
        let response = self.get(&format!("/api/v1/events/{event}{}", if with_seats { "/detail" } else { "" })).await;
        if (response.status, response.code().as_str()) == (404, "E_002") {
            return Ok(None);
        }
        let version = self.version(&response).ok_or_else(|| describe(&response))?;
        let data = response.data();
        let seat = data["areas"][0]["seats"][0]["cx"].as_u64().map(|shows| shows.to_string());
        let is_whole = !with_seats || seat.as_deref() == data["description"].as_str();
        if is_whole { Ok(Some(version)) } else { Err(describe(&response)) }
    }

    /// Edits an event, if it has the entity tag that is given, and returns its new version if it was edited.
    pub async fn edit_event(
        &self,
        event: Uuid,
        change: events::Change,
        if_match: Option<&str>,
    ) -> Result<(events::EditResponse, Option<Version>), String> {
        let fields = [
            ("place", change.place.map(|place| place_text(place).into())),
            ("artist", change.artist.map(|artist| artist_text(artist).into())),
            ("eventDatetimes", change.shows.map(|shows| json!(dates(shows)))),
        ];
        let fields = fields.into_iter().filter_map(|(name, value)| Some((name.to_owned(), value?)));
        let mut request = self.request(Method::PATCH, &format!("/api/v1/events/{event}"));
        request = request.header("Content-Type", "application/merge-patch+json");
        if let Some(etag) = if_match {
            request = request.header("If-Match", etag);
        }
        let body = Value::Object(fields.collect()).to_string();
        let response = self.send(request.body(body.into()).expect("a request")).await;
        match (response.status, response.code().as_str()) {
            (200, "0") => {
                let version = self.version(&response).ok_or_else(|| describe(&response))?;
                Ok((events::EditResponse::Edited(version.content), Some(version)))
            }
            (404, "E_002") => Ok((events::EditResponse::NotFound, None)),
            (409, "E_001") => Ok((events::EditResponse::AlreadyRegistered, None)),
            (412, "E_003") => Ok((events::EditResponse::PreconditionFailed, None)),
            _ => Err(describe(&response)),
        }
    }

    /// Returns the listed events of the round, and the last listed event if more follow.
    pub async fn list(&self, list: List, limit: usize) -> Result<(BTreeMap<Uuid, Content>, Option<Uuid>), String> {
        let path = match list {
            List::All => "/api/v1/events?",
            List::OwnLive => "/api/v1/managers/me/events?",
            List::OwnDeleted => "/api/v1/managers/me/events?status=deleted&",
        };
        let request = self.request(Method::GET, &format!("{path}limit={limit}"));
        let request = request.header("x-api-managerId", sample::MANAGER);
        let response = self.send(request.body(Body::empty()).expect("a request")).await;
        if (response.status, response.code().as_str()) != (200, "0") {
            return Err(describe(&response));
        }
        let data = response.data();
        let events = data.as_array().expect("an array");
        let of_round = events.iter().filter_map(|event| Some((id(event), self.content(event)?)));
        let next_after = events.last().map(id).filter(|_| response.next_page().is_some());
        Ok((of_round.collect(), next_after))
    }

    /// Deletes an event, and returns true if it was found.
    pub async fn delete(&self, event: Uuid) -> Result<bool, String> {
        let request = self.request(Method::DELETE, &format!("/api/v1/events/{event}"));
        let response = self.send(request.body(Body::empty()).expect("a request")).await;
        match response.status {
            204 => Ok(true),
            404 if response.code() == "E_002" => Ok(false),
            _ => Err(describe(&response)),
        }
    }

    pub async fn restore(&self, event: Uuid) -> Result<RestoreResponse, String> {
        let request = self.request(Method::POST, &format!("/api/v1/events/{event}/restore"));
        let response = self.send(request.body(Body::empty()).expect("a request")).await;
        match (response.status, response.code().as_str()) {
            (200, "0") => self.content(&response.data()).map(RestoreResponse::Live).ok_or_else(|| describe(&response)),
            (409, "E_001") => Ok(RestoreResponse::AlreadyRegistered),
            (404, "E_002") => Ok(RestoreResponse::NotFound),
            _ => Err(describe(&response)),
        }
    }

    fn email(&self, number: usize) -> String {
        format!("{}-{number}@example.com", self.round)
    }

    fn nickname(&self, number: impl std::fmt::Display) -> String {
        format!("{}-{number}", self.round)
    }

    /// Returns the version of an event in a response; none if it has none, or is of another round.
    fn version(&self, response: &Response) -> Option<Version> {
        let content = if response.status == 200 { self.content(&response.data())? } else { return None };
        let etag = response.header("ETag").to_owned();
        let number = etag.trim_matches('"').rsplit('-').next()?.parse().ok()?;
        Some(Version { content, number, etag })
    }

    /// Returns the content of an event; none if it is of another round.
    fn content(&self, event: &Value) -> Option<Content> {
        if event["title"] != self.round {
            return None;
        }
        let number = |field: &str| event[field].as_str()?.rsplit(' ').next()?.parse().ok();
        let shows = event["eventDatetimes"].as_array()?;
        let show = |date| shows.iter().find(|show| show["datetime"] == date).map(id);
        Some(Content { place: number("place")?, artist: number("artist")?, shows: DATES.map(show) })
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        self.send_json(Method::POST, path, body).await
    }

    async fn send_json(&self, method: Method, path: &str, body: &Value) -> Response {
        let request = self.request(method, path).header("Content-Type", "application/json");
        self.send(request.body(body.to_string().into()).expect("a request")).await
    }

    async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path).body(Body::empty()).expect("a request")).await
    }

    fn request(&self, method: Method, path: &str) -> Builder {
        Request::builder().method(method).uri(path).extension(ConnectInfo(self.address))
    }

    async fn send(&self, request: Request<Body>) -> Response {
        let (head, body) = self.stack.call(request).await.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a whole body").to_vec();
        Response { status: head.status.as_u16(), headers: head.headers, body }
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

fn password_text(number: usize) -> String {
    format!("password-{number}")
}

fn id(data: &Value) -> Uuid {
    data["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("an id: {data}"))
}

fn describe(response: &Response) -> String {
    format!("{} {:.500}", response.status, response.text())
}
