//! Example requests, and the responses of the code to them.

use lambda_http::Body;
use serde_json::{Value, json};
use uuid::{Uuid, uuid};

use api::{
    account::{EditRequest, LoggedIn, LoginRequest, WithdrawRequest},
    edit,
    envelope::{self, Response},
    error::Error,
    event::{EventDetail, EventSummary, ManagedEvent},
    fields::Errors,
    form::IDEMPOTENCY_KEY,
    join::{JoinRequest, Joined},
    json, managed, messages,
    registration::{CreateRequest, Draft},
};
use domain::{
    event::{Event, Show},
    id,
    idempotency::MAX_LENGTH,
    instant::Instant,
    member::{Credentials, Member, Registration},
    password::Password,
    poster::Format,
    violation::Violation,
};
use seating::{plan, seat_map::SeatMap};

/// Id of the manager who registers the event.
pub const MANAGER: Uuid = uuid!("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11");
/// Id in the file name of the poster that replaces the one of the registration.
const LATER_POSTER: Uuid = uuid!("3f0e6f52-5a0c-4c8e-8d7b-9b1f2c6d4e8a");
/// Id of the event.
pub const EVENT: Uuid = uuid!("01966b1c-4b10-7c3e-9d52-6f0a8e7b4c21");
/// Id of another event, which is deleted.
const DELETED_EVENT: Uuid = uuid!("0196415a-9e00-7d15-8b3c-52f7a1e06d94");
/// Id of the member.
pub const MEMBER: Uuid = uuid!("3b1f8a52-7c9d-4e06-8f41-2a6d5c0e9b73");

/// Returns the body of a registration of a member.
pub fn join_request() -> Value {
    json!({ "email": "kim@example.com", "name": "김철수", "nickname": "철수", "password": "secret" })
}

/// Returns the body of a login.
pub fn login_request() -> Value {
    json!({ "email": "kim@example.com", "password": "secret" })
}

/// Returns the body of an edit of a member.
pub fn edit_member_request() -> Value {
    json!({ "password": "secret", "name": "김철수", "nickname": "새철수", "newPassword": "new secret" })
}

/// Returns the body of a withdrawal.
pub fn withdraw_request() -> Value {
    json!({ "password": "secret" })
}

/// Returns the part `request` of a registration of an event.
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
            "label": "1층 A",
            "price": 132_000,
            "areaMap": "<g><path class=\"area-data\" d=\"M10 10h80v60h-80z\"/></g>",
            "seats": [
                { "cx": 20, "cy": 30.5, "row": 1, "number": 1 },
                { "cx": 40.25, "cy": 30.5, "row": 1, "number": 2 },
            ],
        }],
    })
}

/// Returns the response to [`join_request`].
pub fn join_response() -> Value {
    body_of(|| envelope::created("/", messages::JOINED, &Joined::from(&member()?)))
}

/// Returns the response to [`login_request`].
pub fn login_response() -> Value {
    body_of(|| envelope::ok(messages::LOGGED_IN, &LoggedIn::from(&member()?)))
}

/// Returns the response to [`edit_member_request`].
pub fn edit_member_response() -> Value {
    body_of(|| {
        let request = edit_member_request().to_string();
        let edit = json::object::<EditRequest>(request.as_bytes())?.edit(Password::parse)?;
        envelope::ok(messages::MEMBER_EDITED, &LoggedIn::from(&edit.apply(&member()?)))
    })
}

/// Returns the response to [`create_request`].
pub fn create_response() -> Value {
    body_of(|| {
        let (event, seat_map) = event()?;
        envelope::created("/", messages::EVENT_CREATED, &EventDetail::new(&event, &seat_map))
    })
}

/// Returns the response to a request for the event.
pub fn get_response() -> Value {
    body_of(|| envelope::ok(messages::EVENT_FOUND, &EventSummary::from(&event()?.0)))
}

/// Returns the response to a restoration of the event.
pub fn restore_response() -> Value {
    body_of(|| envelope::ok(messages::EVENT_RESTORED, &EventSummary::from(&event()?.0)))
}

/// Returns the body of an edit.
pub fn edit_request() -> Value {
    json!({ "title": "봄 콘서트 (앙코르)", "eventDatetimes": [1_745_730_000, "2025-05-03T14:00:00+09:00"] })
}

/// Returns the response to [`edit_request`].
pub fn edit_response() -> Value {
    body_of(|| {
        let request = edit_request().to_string();
        let change = edit::change(&json::object(request.as_bytes())?)?;
        let event = event()?.0;
        edit::edited(&event.edited(&change).unwrap_or(event))
    })
}

/// Returns the response to a replacement of the poster.
pub fn replace_thumbnail_response() -> Value {
    body_of(|| {
        let thumbnail = format!("{EVENT}-{LATER_POSTER}.{}", Format::WebP.extension());
        edit::edited(&Event { thumbnail, ..event()?.0 })
    })
}

/// Returns the error of an edit without a title, and with areas.
pub fn invalid_edit() -> Error {
    let request = json!({ "title": null, "areas": [] }).to_string();
    error_of(json::object(request.as_bytes()).and_then(|request| edit::change(&request)))
}

/// Returns the error of an entity tag without quotes.
pub fn invalid_if_match() -> Error {
    let mut errors = Errors::default();
    errors.add_value("if-match", "Fknck25x", Violation::InvalidEntityTags);
    error_of(errors.into_parameters())
}

/// Returns the response to a request for the event with its seats.
pub fn detail_response() -> Value {
    body_of(|| {
        let (event, seat_map) = event()?;
        envelope::ok(messages::EVENT_FOUND, &EventDetail::new(&event, &seat_map))
    })
}

/// Draws the hall of the event as SVG.
pub fn seat_map_svg() -> String {
    event().map(|(event, seat_map)| plan::draw(event.details.title.as_str(), &seat_map)).unwrap_or_default()
}

/// Returns the response to a request for the list.
pub fn list_response() -> Value {
    body_of(|| envelope::ok(messages::EVENTS_LISTED, &[EventSummary::from(&event()?.0)]))
}

/// Returns the response to a manager's request for their own events, one of which is deleted.
pub fn own_events_response() -> Value {
    body_of(|| {
        let (live, _) = event()?;
        let mut deleted = live.clone();
        deleted.id = DELETED_EVENT;
        deleted.thumbnail = format!("{DELETED_EVENT}.{}", Format::Jpeg.extension());
        let until = Instant::from_text("2025-05-18T04:31:20Z").ok();
        let events = [ManagedEvent::new(&live, None), ManagedEvent::new(&deleted, until)];
        envelope::ok(messages::EVENTS_LISTED, &events)
    })
}

/// Returns the error of an unknown status.
pub fn invalid_status() -> Error {
    let mut errors = Errors::default();
    errors.add_value("status", "archived", Violation::NotOneOf(&managed::FILTERS));
    error_of(errors.into_parameters())
}

/// Returns the response to a request that fails with this error.
pub fn failure_response(error: &Error) -> Value {
    body(&envelope::failure(error))
}

/// Returns the error of JSON with a comma after its last field.
pub fn invalid_json() -> Error {
    error_of(json::object::<JoinRequest>(b"{\n  \"email\": \"kim@example.com\",\n}"))
}

/// Returns the error of a registration without a name, and with a number as its nickname.
pub fn invalid_join() -> Error {
    let request = json!({ "email": "kim", "nickname": 1, "password": "secret" }).to_string();
    error_of(json::object::<JoinRequest>(request.as_bytes()).and_then(Registration::try_from))
}

/// Returns the error of a login without a password.
pub fn invalid_login() -> Error {
    let request = json!({ "email": "kim" }).to_string();
    error_of(json::object::<LoginRequest>(request.as_bytes()).and_then(Credentials::try_from))
}

/// Returns the error of an edit of a member without a password, and with null as the name.
pub fn invalid_edit_member() -> Error {
    let request = json!({ "name": null }).to_string();
    let edit = json::object::<EditRequest>(request.as_bytes());
    error_of(edit.and_then(|request| request.edit(Password::parse)))
}

/// Returns the error of a withdrawal without a password.
pub fn invalid_withdraw() -> Error {
    error_of(json::object::<WithdrawRequest>(b"{}").and_then(Password::try_from))
}

/// Returns the error of an event with a text as a price, and with a seat in an invalid row.
pub fn invalid_event() -> Error {
    let mut request = create_request();
    request["areas"][0]["price"] = json!("132,000");
    request["areas"][0]["seats"][1]["row"] = json!(-1);
    error_of(draft(&request))
}

/// Returns the error of a request for an empty page.
pub fn invalid_page() -> Error {
    let mut errors = Errors::default();
    errors.add_value("limit", "0", Violation::OutOfRange(1..=100));
    error_of(errors.into_parameters())
}

/// Returns the gateway response to an unusable request, which gives no reason.
pub fn unusable_response() -> Value {
    let mut response = failure_response(&Error::Parameters(Vec::new()));
    if let Some(fields) = response.as_object_mut() {
        fields.remove("errors");
    }
    response
}

/// Returns the gateway response to a throttled request.
pub fn throttled_response(code: &str) -> Value {
    json!({ "message": "요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.", "code": code })
}

/// Returns the error of an idempotency key with a space.
pub fn invalid_key() -> Error {
    let mut errors = Errors::default();
    errors.add_value(IDEMPOTENCY_KEY, "two words", Violation::InvalidIdempotencyKey(MAX_LENGTH));
    error_of(errors.into_parameters())
}

fn member() -> Result<Member, Error> {
    let request = join_request().to_string();
    let registration = json::object::<JoinRequest>(request.as_bytes())?.try_into()?;
    Ok(Member::new(MEMBER, registration))
}

fn event() -> Result<(Event, SeatMap), Error> {
    let Draft { details, shows, seat_map } = draft(&create_request())?;
    let event = Event::register(MANAGER, details, &shows, Format::Jpeg);
    let shows = event.shows.iter().map(|show| Show { id: id::part(EVENT, id::part_number(show.id)), ..*show });
    let thumbnail = format!("{EVENT}.{}", Format::Jpeg.extension());
    Ok((Event { id: EVENT, thumbnail, shows: shows.collect(), ..event }, seat_map))
}

fn draft(request: &Value) -> Result<Draft, Error> {
    json::object::<CreateRequest>(request.to_string().as_bytes())?.try_into()
}

fn error_of<T>(result: Result<T, Error>) -> Error {
    result.err().unwrap_or(Error::NoSuchRoute)
}

fn body_of(respond: impl FnOnce() -> Result<Response, Error>) -> Value {
    body(&respond().unwrap_or_else(|error| envelope::failure(&error)))
}

fn body(response: &Response) -> Value {
    match response.body() {
        Body::Text(text) => serde_json::from_str(text).unwrap_or_default(),
        _ => Value::Null,
    }
}
