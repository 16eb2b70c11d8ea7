//! The service as one of many simultaneous clients sees it.

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
    hall::{Creation, SHOWS},
    members::{Joining, LoggingIn},
};

/// The show dates.
const DATES: [&str; SHOWS] =
    ["2027-01-15T08:00:00Z", "2027-01-16T08:00:00Z", "2027-01-17T08:00:00Z", "2027-01-18T08:00:00Z"];

/// A client with an address of its own, in one of the rounds, whose names nobody else has.
pub struct Service<'a> {
    /// The service.
    pub stack: &'a Stack,
    /// The client's address.
    pub client: SocketAddr,
    /// What the names of the round begin with.
    pub round: String,
}

impl Service<'_> {
    /// Joins with one of the addresses, nicknames and passwords.
    pub async fn join(&self, email: usize, nickname: usize, password: usize) -> Result<Joining, String> {
        let body = json!({
            "email": self.email(email),
            "name": "김철수",
            "nickname": self.nickname(nickname),
            "password": secret(password),
        });
        let answer = self.post("/api/v1/members/join", &body).await;
        match (answer.status, answer.code().as_str()) {
            (201, "0") => Ok(Joining::Joined(id(&answer.data()))),
            (409, "AJ_001") => Ok(Joining::EmailTaken),
            (409, "AJ_002") => Ok(Joining::NicknameTaken),
            _ => Err(told(&answer)),
        }
    }

    /// Logs in with one of the addresses and passwords.
    pub async fn login(&self, email: usize, password: usize) -> Result<LoggingIn, String> {
        let body = json!({"email": self.email(email), "password": secret(password)});
        let answer = self.post("/api/v1/members/login", &body).await;
        let data = || answer.json()["data"].take();
        match (answer.status, answer.code().as_str()) {
            (200, "0") if data()["email"] == self.email(email) => {
                let nickname = data()["nickname"].as_str().expect("a nickname").to_owned();
                let nickname = nickname.strip_prefix(&self.nickname("")).and_then(|which| which.parse().ok());
                Ok(LoggingIn::LoggedIn {
                    id: id(&data()),
                    nickname: nickname.expect("a nickname of the round"),
                })
            }
            (401, "AL_001") => Ok(LoggingIn::WrongCredentials),
            _ => Err(told(&answer)),
        }
    }

    /// Registers an event with these shows, under a key or without.
    pub async fn create(&self, shows: u8, key: Option<usize>) -> Result<Creation, String> {
        let dates: Vec<_> =
            DATES.iter().zip(0..).filter(|(_, bit)| shows & (1 << bit) != 0).map(|(date, _)| date).collect();
        let event = json!({
            "title": self.round,
            "description": "여러 관리자가 동시에 등록합니다.",
            "place": "올림픽홀",
            "artist": "아이유",
            "eventOpenTime": DATES[0],
            "ticketingOpenTime": DATES[0],
            "eventDatetimes": dates,
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
        let answer = self.send(request.body(form.body().into()).expect("a request")).await;
        match (answer.status, answer.code().as_str()) {
            (201, "0") if self.shows(&answer.data()) == Some(shows) => {
                Ok(Creation::Created(id(&answer.data())))
            }
            (409, "E_001") => Ok(Creation::AlreadyRegistered),
            (409, "C_010") => Ok(Creation::InProgress),
            (422, "C_011") => Ok(Creation::KeyReused),
            _ => Err(told(&answer)),
        }
    }

    /// Opens an event, with its seats or without, and gives its shows, where it is there.
    pub async fn show(&self, event: Uuid, with_seats: bool) -> Result<Option<u8>, String> {
        let answer =
            self.get(&format!("/api/v1/events/{event}{}", if with_seats { "/detail" } else { "" })).await;
        if (answer.status, answer.code().as_str()) == (404, "E_002") {
            return Ok(None);
        }
        let data = answer.json()["data"].take();
        let shows = self.shows(&data).filter(|_| answer.status == 200);
        // The seat tells of its event, too.
        let seat = data["areas"][0]["seats"][0]["cx"].as_u64();
        let is_whole = !with_seats || seat == shows.map(u64::from);
        shows.filter(|_| is_whole).map(Some).ok_or_else(|| told(&answer))
    }

    /// Lists events: those of the round with their shows, and the last of all, where more follow.
    pub async fn list(&self, limit: usize) -> Result<(BTreeMap<Uuid, u8>, Option<Uuid>), String> {
        let answer = self.get(&format!("/api/v1/events?limit={limit}")).await;
        if (answer.status, answer.code().as_str()) != (200, "0") {
            return Err(told(&answer));
        }
        let data = answer.data();
        let events = data.as_array().expect("an array");
        let listed = events.iter().filter_map(|event| Some((id(event), self.shows(event)?)));
        let last = events.last().map(id).filter(|_| answer.next_page().is_some());
        Ok((listed.collect(), last))
    }

    /// Deletes an event, and tells whether it was there.
    pub async fn delete(&self, event: Uuid) -> Result<bool, String> {
        let request = self.request(Method::DELETE, &format!("/api/v1/events/{event}"));
        let answer = self.send(request.body(Body::empty()).expect("a request")).await;
        match answer.status {
            204 => Ok(true),
            404 if answer.code() == "E_002" => Ok(false),
            _ => Err(told(&answer)),
        }
    }

    fn email(&self, which: usize) -> String {
        format!("{}-{which}@example.com", self.round)
    }

    fn nickname(&self, which: impl std::fmt::Display) -> String {
        format!("{}-{which}", self.round)
    }

    /// The shows of an event, where it is one of the round.
    fn shows(&self, event: &Value) -> Option<u8> {
        if event["title"] != self.round {
            return None;
        }
        let dates = event["eventDatetimes"].as_array()?;
        let is_shown = |date: &str| dates.iter().any(|shown| shown["datetime"] == date);
        Some(DATES.iter().zip(0..).filter(|(date, _)| is_shown(date)).map(|(_, bit)| 1 << bit).sum())
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        let request = self.request(Method::POST, path).header("Content-Type", "application/json");
        self.send(request.body(body.to_string().into()).expect("a request")).await
    }

    async fn get(&self, path: &str) -> Response {
        self.send(self.request(Method::GET, path).body(Body::empty()).expect("a request")).await
    }

    fn request(&self, method: Method, path: &str) -> Builder {
        Request::builder().method(method).uri(path).extension(ConnectInfo(self.client))
    }

    async fn send(&self, request: Request<Body>) -> Response {
        let (head, body) = self.stack.call(request).await.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a whole body").to_vec();
        Response { status: head.status.as_u16(), headers: head.headers, body }
    }
}

/// One of the passwords.
fn secret(which: usize) -> String {
    format!("password-{which}")
}

fn id(data: &Value) -> Uuid {
    data["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("an id: {data}"))
}

fn told(answer: &Response) -> String {
    format!("{} {:.500}", answer.status, answer.text())
}
