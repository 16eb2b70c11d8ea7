//! Requests, and what the service makes of them.

use lambda_http::Body;
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use api::{
    envelope::{self, Response},
    error::Error,
    event::{CreateRequest, Draft, EventDetail, EventSummary},
    fields::Errors,
    form::IDEMPOTENCY_KEY,
    json,
    member::{JoinRequest, Joined, LoggedIn, LoginRequest},
    messages, representation,
};
use domain::{
    event::Event,
    idempotency::MAX_LENGTH,
    member::{Credentials, Member, Registration},
    poster::Format,
    violation::Violation,
};
use seating::seat_map::SeatMap;

/// The manager who registers the event.
pub const MANAGER: Uuid = uuid!("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11");
/// The event.
pub const EVENT: Uuid = uuid!("01966b1c-4b10-7c3e-9d52-6f0a8e7b4c21");
/// The member.
const MEMBER: Uuid = uuid!("3b1f8a52-7c9d-4e06-8f41-2a6d5c0e9b73");

/// A request to register a member.
pub fn join_request() -> Value {
    json!({ "email": "kim@example.com", "name": "김철수", "nickname": "철수", "password": "secret" })
}

/// A request to log in.
pub fn login_request() -> Value {
    json!({ "email": "kim@example.com", "password": "secret" })
}

/// The part `request` of a request to register an event.
pub fn create_request() -> Value {
    json!({
        "title": "봄 콘서트",
        "description": "봄밤의 야외 콘서트",
        "place": "올림픽홀",
        "artist": "아이유",
        "eventOpenTime": 1_745_557_200.5,
        "ticketingOpenTime": "2025-04-18T14:00:00+09:00",
        "eventDatetimes": [1_745_643_600, 1_745_730_000],
        "totalMap": "<svg viewBox=\"0 0 400 300\"><rect width=\"400\" height=\"300\" fill=\"#eef2f7\"/></svg>",
        "areas": [{
            "label": "1층 A구역",
            "price": 132_000,
            "areaMap": "<g class=\"area\"><path d=\"M10 10h80v60h-80z\"/></g>",
            "seats": [
                { "cx": 20, "cy": 30.5, "row": 1, "number": 1 },
                { "cx": 40.25, "cy": 30.5, "row": 1, "number": 2 },
            ],
        }],
    })
}

/// The answer to [`join_request`].
pub fn joined() -> Value {
    answered(|| envelope::created("/", messages::JOINED, &Joined::from(&member()?)))
}

/// The answer to [`login_request`].
pub fn logged_in() -> Value {
    answered(|| envelope::ok(messages::LOGGED_IN, &LoggedIn::from(&member()?)))
}

/// The answer to [`create_request`].
pub fn created() -> Value {
    answered(|| {
        let (event, seat_map) = event()?;
        envelope::created("/", messages::EVENT_CREATED, &EventDetail::from((&event, &seat_map)))
    })
}

/// The answer to a request for the event.
pub fn found() -> Value {
    answered(|| envelope::ok(messages::EVENT_FOUND, &EventSummary::from(&event()?.0)))
}

/// The answer to a request for the event with its seats.
pub fn detailed() -> Value {
    answered(|| {
        let (event, seat_map) = event()?;
        envelope::ok(messages::EVENT_FOUND, &EventDetail::from((&event, &seat_map)))
    })
}

/// The picture of the event's hall.
pub fn drawn() -> String {
    let drawn = || {
        let (event, seat_map) = event()?;
        let summary = serde_json::to_string(&EventSummary::from(&event)).map_err(Error::unexpected)?;
        representation::seat_map_svg(&summary, &seat_map)
    };
    drawn().unwrap_or_default()
}

/// The answer to a request for the list.
pub fn listed() -> Value {
    answered(|| envelope::ok(messages::EVENTS_LISTED, &[EventSummary::from(&event()?.0)]))
}

/// The answer to a request that fails.
pub fn failed(error: &Error) -> Value {
    body(&envelope::failure(error))
}

/// What fails in a registration without a name, and with a nickname that is a number.
pub fn wrong_join() -> Error {
    let request = json!({ "email": "kim", "nickname": 1, "password": "secret" }).to_string();
    refusal(json::object::<JoinRequest>(request.as_bytes()).and_then(Registration::try_from))
}

/// What fails in a login without a password.
pub fn wrong_login() -> Error {
    let request = json!({ "email": "kim" }).to_string();
    refusal(json::object::<LoginRequest>(request.as_bytes()).and_then(Credentials::try_from))
}

/// What fails in an event with a price that is a text and a seat in no row.
pub fn wrong_event() -> Error {
    let mut request = create_request();
    request["areas"][0]["price"] = json!("132,000");
    request["areas"][0]["seats"][1]["row"] = json!(-1);
    refusal(draft(&request))
}

/// What fails in a request for a page of no events.
pub fn wrong_page() -> Error {
    let mut errors = Errors::default();
    errors.add_value("limit", "0", Violation::OutOfRange(1..=100));
    refusal(errors.into_parameters())
}

/// The answer to a request that the gateway cannot use, and does not say why.
pub fn unusable() -> Value {
    let mut answer = failed(&Error::Parameters(Vec::new()));
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("errors");
    }
    answer
}

/// The answer to a request that the gateway throttles.
pub fn throttled(code: &str) -> Value {
    json!({ "message": "요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.", "code": code })
}

/// What fails where a request has a key of two words.
pub fn wrong_key() -> Error {
    let mut errors = Errors::default();
    errors.add_value(IDEMPOTENCY_KEY, "two words", Violation::InvalidIdempotencyKey(MAX_LENGTH));
    refusal(errors.into_parameters())
}

fn member() -> Result<Member, Error> {
    let request = join_request().to_string();
    let registration = json::object::<JoinRequest>(request.as_bytes())?.try_into()?;
    Ok(Member::new(MEMBER, registration))
}

fn event() -> Result<(Event, SeatMap), Error> {
    let Draft { details, seat_map } = draft(&create_request())?;
    let thumbnail = format!("{EVENT}.{}", Format::Jpeg.extension());
    Ok((Event { id: EVENT, manager: MANAGER, thumbnail, details }, seat_map))
}

fn draft(request: &Value) -> Result<Draft, Error> {
    json::object::<CreateRequest>(request.to_string().as_bytes())?.try_into()
}

fn refusal<T>(read: Result<T, Error>) -> Error {
    read.err().unwrap_or(Error::NotJson)
}

fn answered(answer: impl FnOnce() -> Result<Response, Error>) -> Value {
    body(&answer().unwrap_or_else(|error| envelope::failure(&error)))
}

fn body(reply: &Response) -> Value {
    match reply.body() {
        Body::Text(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Value::Null,
    }
}
