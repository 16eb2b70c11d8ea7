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
    events::{CreateResponse, SHOWS},
    members::{Change, EditResponse, JoinResponse, LoginResponse},
};

/// Shows in two months, and so in two lock items.
const DATES: [&str; SHOWS] =
    ["2027-01-30T08:00:00Z", "2027-01-31T08:00:00Z", "2027-02-01T08:00:00Z", "2027-02-02T08:00:00Z"];

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
        let response = self.send(request.body(form.body().into()).expect("a request")).await;
        match (response.status, response.code().as_str()) {
            (201, "0") if self.shows(&response.data()) == Some(shows) => {
                Ok(CreateResponse::Created(id(&response.data())))
            }
            (409, "E_001") => Ok(CreateResponse::AlreadyRegistered),
            (409, "C_010") => Ok(CreateResponse::InProgress),
            (422, "C_011") => Ok(CreateResponse::KeyReused),
            _ => Err(describe(&response)),
        }
    }

    /// Reads an event, with or without its seats, and returns its shows; none if the event is not found.
    pub async fn get_event(&self, event: Uuid, with_seats: bool) -> Result<Option<u8>, String> {
        let response = self.get(&format!("/api/v1/events/{event}{}", if with_seats { "/detail" } else { "" })).await;
        if (response.status, response.code().as_str()) == (404, "E_002") {
            return Ok(None);
        }
        let data = response.json()["data"].take();
        let shows = self.shows(&data).filter(|_| response.status == 200);
        // The seat also encodes the shows of its event.
        let seat = data["areas"][0]["seats"][0]["cx"].as_u64();
        let is_whole = !with_seats || seat == shows.map(u64::from);
        shows.filter(|_| is_whole).map(Some).ok_or_else(|| describe(&response))
    }

    /// Returns the listed events of the round with their shows, and the last listed event if more follow.
    pub async fn list(&self, limit: usize) -> Result<(BTreeMap<Uuid, u8>, Option<Uuid>), String> {
        let response = self.get(&format!("/api/v1/events?limit={limit}")).await;
        if (response.status, response.code().as_str()) != (200, "0") {
            return Err(describe(&response));
        }
        let data = response.data();
        let events = data.as_array().expect("an array");
        let listed = events.iter().filter_map(|event| Some((id(event), self.shows(event)?)));
        let last = events.last().map(id).filter(|_| response.next_page().is_some());
        Ok((listed.collect(), last))
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

    fn email(&self, number: usize) -> String {
        format!("{}-{number}@example.com", self.round)
    }

    fn nickname(&self, number: impl std::fmt::Display) -> String {
        format!("{}-{number}", self.round)
    }

    /// Returns the shows of an event; none if it is of another round.
    fn shows(&self, event: &Value) -> Option<u8> {
        if event["title"] != self.round {
            return None;
        }
        let dates = event["eventDatetimes"].as_array()?;
        let has_date = |date: &str| dates.iter().any(|show| show["datetime"] == date);
        Some(DATES.iter().zip(0..).filter(|(date, _)| has_date(date)).map(|(_, bit)| 1 << bit).sum())
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

fn password_text(number: usize) -> String {
    format!("password-{number}")
}

fn id(data: &Value) -> Uuid {
    data["id"].as_str().and_then(|id| id.parse().ok()).unwrap_or_else(|| panic!("an id: {data}"))
}

fn describe(response: &Response) -> String {
    format!("{} {:.500}", response.status, response.text())
}
