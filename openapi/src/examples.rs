//! Examples of requests and responses: those that the service sends for an event, a member and their holds.

use std::{collections::BTreeMap, time::Duration};

use api::{
    envelope::{self, Response},
    json, messages,
};
use domain::{
    clock,
    event::Event,
    gate::{GateName, Gates},
    hold::{Hold, HoldState, OrderId, Taken},
    instant::Instant,
    member::{Member, Nickname},
    notice::{self, BuyerNotice, Content, Message, NoticeStatus, Progress},
    password::{Password, PasswordHash},
    patch::Patch,
    poster::Format,
    price::Price,
    seats::{
        admission::{Admission, Outcome, ScanId, SoldSeat, SoldSeats},
        blocking::{self, Labels},
        plan::States,
    },
    show::{Notice, ShowPatch, ShowStatus, ShowTimes},
    text::Label,
};
use functions::{
    admissions::{counts::Counts, remove::RemovedResponse, scan_result::ScanResult},
    auth::{
        configuration::Document,
        keys::{Jwk, KeySet},
        tokens::TokenResponse,
    },
    events::{
        areas::ListedArea,
        copy_request::CopyRequest,
        edit_request::EditEventRequest,
        event_response::{EventDetail, EventSummary, ManagedEvent},
        registration::Registration,
    },
    gates::gate::{GateOfShow, GateResponse, NewGateResponse},
    holds::hold::HoldResponse,
    members::{
        account::{JoinRequest, MemberResponse, ProfileResponse},
        nickname::NicknameResponse,
    },
    notices::notice::{AcceptedNotice, NoticeResponse},
    sales::{count::Summary, csv, sale::SaleResponse},
    seats::{
        block::BlockedResponse,
        blocks::BlocksResponse,
        seat_state::{Availability, SeatList},
        unblock::FreedResponse,
    },
    tickets::ticket::tickets,
};
use lambda_http::Body;
use seating::{plan, seat_map::SeatMap};
use serde::Serialize;
use serde_json::{Value, value::RawValue};
use storage::{
    members::{member_store::StoredMember, public_keys::PublicKey},
    seats::tickets::SoldHold,
};
use uuid::{Uuid, uuid};

const MEMBER: Uuid = uuid!("3b1f8a52-7c9d-4e06-8f41-2a6d5c0e9b73");
const EVENT: Uuid = uuid!("01966b1c-4b10-7c3e-9d52-6f0a8e7b4c21");
const MANAGER: Uuid = uuid!("6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11");
const COPY: Uuid = uuid!("01968a4e-7f30-7a1d-8c42-3b9e5d6f7a80");
const POSTER: Uuid = uuid!("3f0e6f52-5a0c-4c8e-8d7b-9b1f2c6d4e8a");
const HOLD: Uuid = uuid!("7d0c4a1e-52b9-4c38-9e6f-8a1b2c3d4e5f");
const GATE_TOKEN: &str = "2224737a-e3c2-8401-9df7-0990640bdb18.f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU";
const NOTICE: Uuid = uuid!("01966b20-7c40-7a51-8c2d-3e4f5a6b7c8d");
/// Picture of a code, whose modules are left out.
const QR: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-4 -4 61 61\">…</svg>";
/// Time since 1970 of an admission.
const ADMITTED: Duration = Duration::from_hours(484_900);
/// Id of the second seat.
pub(crate) const SEAT: &str = "01966b1c-4b10-8c3e-9d52-6f0a40000001";
/// Time since 1970 of the responses, before all others.
const NOW: Duration = Duration::ZERO;
const TOKEN: &str = "eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIzYjFmOGE1MiJ9.c2lnbmF0dXJl";
const KEY: [&str; 2] = ["f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU", "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"];

/// Returns the examples of each operation as JSON, in which fields have the order of the service: `request`,
/// `response`, and texts by their media type.
///
/// # Panics
///
/// Panics if an example is invalid.
#[must_use]
pub fn examples() -> String {
    let requests = requests().into_iter().map(|(slug, request)| (slug, "request", request));
    let mut examples: BTreeMap<_, BTreeMap<_, _>> = BTreeMap::new();
    for (slug, name, example) in requests.chain(responses()) {
        examples.entry(slug).or_default().insert(name, example);
    }
    to_json(&examples)
}

/// Returns the bodies of requests, by operation.
fn requests() -> BTreeMap<&'static str, Box<RawValue>> {
    serde_json::from_str(include_str!("requests.json")).expect("requests.json")
}

/// Returns the body of a successful response of each operation that has one, as JSON, with its name in [`examples`].
fn responses() -> Vec<(&'static str, &'static str, Box<RawValue>)> {
    let requests = requests();
    let sent = |slug: &str| requests[slug].get();
    let text = |slug: &str, field: &str| {
        let request: Value = serde_json::from_str(sent(slug)).expect("a request");
        request[field].as_str().expect("a text").to_owned()
    };

    let registration = json::object::<JoinRequest>(sent("members-join").as_bytes()).expect("a member");
    let member = Member::new(MEMBER, registration.registration(Password::parse).expect("a member"));
    let renamed =
        Member { nickname: Nickname::parse(&text("members-nickname", "nickname")).expect("one"), ..member.clone() };
    let stored = StoredMember::new(member.clone(), PasswordHash::from_stored(String::new()));
    let tokens = TokenResponse {
        access_token: TOKEN.to_owned(),
        token_type: "Bearer",
        expires_in: 3_600,
        refresh_token: text("auth-refresh", "refreshToken"),
    };
    let [x, y] = KEY.map(str::to_owned);
    let key = PublicKey { x, y };

    let (event, hall) = event(sent("events-create"));
    let summary = |message, event: &Event| ok(message, &EventSummary::from(event));
    let edit = json::object::<EditEventRequest>(sent("events-edit").as_bytes()).and_then(|edit| edit.patch());
    let edit = edit.expect("an edit");
    let edited = event.edited(&edit).ok().flatten().expect("a new version");
    let notice = |slug| Patch::Replace(Notice::parse(&text(slug, "notice")).expect("a notice"));
    let postponed = ShowPatch { status: Some(ShowStatus::Postponed), instant: None, notice: notice("shows-edit") };
    let postponed = event.with_show(event.shows[0].id, &postponed).ok().flatten().expect("a new version");
    let cancelled = event.cancelled(&notice("events-cancel"), NOW).ok().flatten().expect("a new version");
    let copy = CopyRequest::parse(sent("events-copy").as_bytes()).expect("a copy");
    let copied = with_id(event.copied(event.manager, &copy.patch, &copy.shows), COPY, &copy.shows);
    let draft = Event { published: false, ..event.clone() };
    let restorable_until = Instant::from_text("2025-05-18T04:31:20Z").ok().map(Instant::since_epoch);
    let deleted = Event { restorable_until, ..event.clone() };
    let replaced = Event { thumbnail: format!("{EVENT}-{POSTER}.webp"), ..event.clone() };

    let order = || OrderId::parse(&text("holds-confirm", "orderId")).expect("an order");
    let held = hold(&event, &hall, &[0, 1], HoldState::Held);
    let confirmed = Hold { state: HoldState::Confirmed(order()), ..held.clone() };
    let released = Hold { state: HoldState::Cancelled(order()), ..held.clone() };
    let sold = Hold { member: None, ..hold(&event, &hall, &[1], HoldState::Confirmed(order())) };
    let response = |hold| HoldResponse::new(hold, hold.status(NOW), &hall);
    let states = [None, Some(sold.sold())];
    let label = Label::parse(&text("seats-block", "label")).expect("a label");
    let block = blocking::block_of(&label);
    let blocked = States::from([(1, Taken::Blocked { block })]);
    let labels = Labels::from([(block, label)]);

    let (show, text) = (event.shows[0].id, Message::parse(&text("notices-create", "text")).expect("a text"));
    let message = BuyerNotice { id: NOTICE, event: event.id, content: Content::Message { show, text } };
    let accepted = AcceptedNotice { id: NOTICE };
    let counts = notice::Counts { buyers: 1, sent: 1, failed: 0 };
    let progress = Progress { status: NoticeStatus::Done, counts, ..Progress::default() };

    let bodies = [
        ("auth-configuration", to_json(&Document::new("https://tickets.example"))),
        ("auth-forgot", body(envelope::accepted(messages::RESET_REQUESTED))),
        ("auth-join", ok(messages::JOINED, &MemberResponse::from(&member))),
        ("auth-keys", to_json(&KeySet { keys: vec![Jwk::from(&key), Jwk::of_tickets(&key)] })),
        ("auth-login", ok(messages::LOGGED_IN, &tokens)),
        ("auth-refresh", ok(messages::REFRESHED, &tokens)),
        ("auth-verification", body(envelope::accepted(messages::VERIFICATION_REQUESTED))),
        ("events-areas", ok(messages::AREAS_LISTED, &ListedArea::all(EVENT, &hall))),
        ("events-cancel", summary(messages::EVENT_CANCELLED, &cancelled)),
        ("events-copy", summary(messages::EVENT_CREATED, &copied)),
        ("events-create", ok(messages::EVENT_CREATED, &EventDetail::new(&event, &hall))),
        ("events-detail", ok(messages::EVENT_FOUND, &EventDetail::new(&event, &hall))),
        ("events-edit", summary(messages::EVENT_EDITED, &edited)),
        ("events-get", summary(messages::EVENT_FOUND, &event)),
        ("events-list", ok(messages::EVENTS_LISTED, &[EventSummary::from(&event)])),
        ("events-restore", summary(messages::EVENT_RESTORED, &event)),
        ("events-seat-map", to_json(&plan::draw(event.details.title.as_str(), &hall))),
        ("events-thumbnail", summary(messages::EVENT_EDITED, &replaced)),
        ("holds-cancel", ok(messages::ORDER_CANCELLED, &response(&released))),
        ("holds-confirm", ok(messages::HOLD_CONFIRMED, &response(&confirmed))),
        ("holds-create", ok(messages::SEATS_HELD, &response(&held))),
        ("holds-get", ok(messages::HOLD_FOUND, &response(&held))),
        ("managers-event", ok(messages::EVENT_FOUND, &ManagedEvent::new(EventDetail::new(&event, &hall), &draft))),
        ("managers-events", ok(messages::EVENTS_LISTED, &[ManagedEvent::new(EventSummary::from(&event), &deleted)])),
        ("members-edit", ok(messages::MEMBER_EDITED, &MemberResponse::from(&renamed))),
        ("members-get", ok(messages::MEMBER_FOUND, &ProfileResponse::from(&stored))),
        ("members-holds", ok(messages::HOLDS_LISTED, &[response(&held).with_show(&event, &event.shows[0])])),
        ("members-join", ok(messages::JOINED, &MemberResponse::from(&member))),
        ("members-login", ok(messages::LOGGED_IN, &MemberResponse::from(&member))),
        ("members-nickname", ok(messages::MEMBER_EDITED, &NicknameResponse::from(&renamed))),
        ("notices-create", body(envelope::accepted_with(messages::NOTICE_ACCEPTED, &accepted).expect("a response"))),
        ("notices-list", ok(messages::NOTICES_LISTED, &[NoticeResponse::new(&message, &event.shows[0], &progress)])),
        ("sales-create", ok(messages::SEATS_SOLD, &response(&sold))),
        ("sales-list", ok(messages::SALES_LISTED, &[SaleResponse::new(&sold, &hall)])),
        ("sales-summary", ok(messages::SALES_COUNTED, &Summary::new(EVENT, &hall, &states, NOW))),
        ("seats-availability", ok(messages::SEATS_FOUND, &Availability::new(EVENT, &hall, &states, NOW))),
        ("seats-block", ok(messages::SEATS_BLOCKED, &BlockedResponse { blocked: 1 })),
        ("seats-blocks", ok(messages::BLOCKS_LISTED, &BlocksResponse::new(EVENT, &hall, &blocked, &labels))),
        ("seats-list", ok(messages::SEATS_FOUND, &SeatList::new(EVENT, &hall, &states, NOW))),
        ("seats-unblock", ok(messages::SEATS_FREED, &FreedResponse { free: 1 })),
        ("shows-edit", summary(messages::SHOW_EDITED, &postponed)),
    ];
    let of_door = responses_of_door(&event, &hall, &confirmed, &sold, &requests);
    let csv = csv::write([&sold], &hall).expect("CSV");
    let csv = ("sales-list", "text/csv", to_json(&csv.trim_start_matches('\u{feff}')));
    let bodies = bodies.into_iter().chain(of_door).map(|(slug, body)| (slug, "response", body)).chain([csv]);
    bodies.map(|(slug, name, body)| (slug, name, RawValue::from_string(body).expect("JSON"))).collect()
}

/// Returns the responses of the operations about tickets, gates and admissions.
fn responses_of_door(
    event: &Event,
    hall: &SeatMap,
    confirmed: &Hold,
    sold: &Hold,
    requests: &BTreeMap<&str, Box<RawValue>>,
) -> [(&'static str, String); 8] {
    let request: Value = serde_json::from_str(requests["admissions-create"].get()).expect("a request");
    let scanned = |field: &str| request["scans"][0][field].as_str().expect("a text").to_owned();
    let code = |_| (scanned("code"), QR.to_owned());
    let sold_hold = |hold: &Hold| SoldHold {
        hold: hold.clone(),
        hall: hall.clone().into(),
        admissions: vec![None; hold.seats.len()],
    };
    let name = GateName::parse("남문").expect("a name");
    let gates = Gates::default().with_new(event.shows[0].id, name, [0; 32], ADMITTED).expect("a gate");
    let gate = &gates.0[0];
    let scan_id = ScanId::parse(&scanned("scanId")).expect("an id");
    let admission = Admission { at: clock::milliseconds(ADMITTED), gate: 0, scan: scan_id.mark() };
    let scan = ScanResult::new(&Outcome::Admitted(1, admission), Some(&scan_id), EVENT, hall, &gates);
    let seat = |admissions: Vec<_>| SoldSeat { hold: HOLD, is_admitted: !admissions.is_empty(), admissions };
    let seats = SoldSeats::from([(0, seat(Vec::new())), (1, seat(vec![admission]))]);
    [
        ("admissions-count", ok(messages::ADMISSIONS_COUNTED, &Counts::new(EVENT, hall, &seats))),
        ("admissions-create", ok(messages::SCANS_DECIDED, &[scan])),
        ("admissions-remove", ok(messages::ADMISSION_REMOVED, &RemovedResponse { removed: true })),
        ("gates-create", ok(messages::GATE_CREATED, &NewGateResponse::new(gate, GATE_TOKEN))),
        ("gates-get", ok(messages::GATE_FOUND, &GateOfShow::new(gate, event, &event.shows[0], &seats))),
        ("gates-list", ok(messages::GATES_LISTED, &[GateResponse::new(gate, 1)])),
        ("tickets-list", ok(messages::TICKETS_LISTED, &tickets(&sold_hold(confirmed), code))),
        ("tickets-of-sale", ok(messages::TICKETS_LISTED, &tickets(&sold_hold(sold), code))),
    ]
}

/// Returns the event of an example of a registration, with its hall.
fn event(request: &str) -> (Event, SeatMap) {
    let Registration { details, shows, published, seat_map } =
        Registration::parse(request.as_bytes()).expect("a registration");
    let event = Event::register(MANAGER, details, &shows, published, Format::Jpeg);
    (with_id(event, EVENT, &shows), seat_map)
}

/// Gives another id to a new event with these shows.
fn with_id(event: Event, id: Uuid, shows: &ShowTimes) -> Event {
    Event { id, thumbnail: format!("{id}.jpg"), shows: shows.of_version(id, 0, &[]).expect("shows"), ..event }
}

/// Returns a hold of seats of the first show.
fn hold(event: &Event, hall: &SeatMap, seats: &[u32], state: HoldState) -> Hold {
    let (show, expires) = (event.shows[0].id, 1_745_125_800);
    let amount = hall.areas()[0].price.hundredths() * seats.len() as u64;
    let (seats, amount) = (seats.to_vec(), Price::from_stored(amount));
    Hold { id: HOLD, event: event.id, show, member: Some(MEMBER), seats, amount, expires, state }
}

/// Writes a 200 response.
fn ok<T: Serialize>(message: &str, data: &T) -> String {
    body(envelope::ok(message, data).expect("a small response"))
}

/// Returns the body of a response, as JSON.
pub(crate) fn body(response: Response) -> String {
    match response.into_body() {
        Body::Text(json) => json,
        _ => String::new(),
    }
}

fn to_json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("JSON")
}
