//! Valid requests, which tests change as needed.

use std::io::Write as _;

use domain::{
    member::Registration,
    password::{Hasher, Password},
};
use flate2::{Compression, write::GzEncoder};
use functions::members::account::JoinRequest;
use local::layouts::Layout;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::form::Form;

/// Id of a manager.
pub const MANAGER: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

/// Id of another manager.
pub const OTHER_MANAGER: &str = "0b9e7c3a-15d2-4f6e-8a41-7c2d9e5f0a63";

/// Id that no event has.
pub const UNKNOWN_EVENT: &str = "0196a1b2-0000-7000-8000-00000000abcd";

/// Headers of the form part with the fields.
pub const REQUEST: &str = "Content-Disposition: form-data; name=\"request\"\nContent-Type: application/json";

/// Headers of the form part with the fields in gzip.
pub const GZIP_REQUEST: &str =
    "Content-Disposition: form-data; name=\"request\"; filename=\"blob\"\nContent-Type: application/gzip";

/// Headers of the form part with the poster.
pub const THUMBNAIL: &str =
    "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"poster.png\"\nContent-Type: image/png";

/// Small PNG image.
pub const POSTER: &[u8] = include_bytes!("../corpus/images/accepted/rgb8.png");

/// Another poster, of another format.
pub const OTHER_POSTER: &[u8] = include_bytes!("../corpus/images/accepted/realistic.jpg");

/// Returns [`POSTER`] with a chunk that names its author, after the one with its size.
#[must_use]
pub fn signed_poster() -> Vec<u8> {
    [&POSTER[..33], b"\0\0\0\x0AtEXtAuthor\0Kim\x2C\x1A\xBC\x44", &POSTER[33..]].concat()
}

/// Returns [`OTHER_POSTER`] as it is stored: without its second segment, which is EXIF.
#[must_use]
pub fn stored_other_poster() -> Vec<u8> {
    [&OTHER_POSTER[..20], &OTHER_POSTER[808..]].concat()
}

/// Returns ten characters that no other call returns: `u` and hexadecimal digits.
#[must_use]
pub fn unique() -> String {
    format!("u{}", &Uuid::new_v4().simple().to_string()[..9])
}

/// Replaces the parameters of a path, such as `{eventId}`, by these ids, and all others by `rest`.
#[must_use]
pub fn path(template: &str, ids: &[(&str, &str)], rest: &str) -> String {
    let parts = template.split(['{', '}']).enumerate().map(|(index, part)| match ids.iter().find(|id| id.0 == part) {
        _ if index % 2 == 0 => part,
        Some((_, id)) => id,
        None => rest,
    });
    parts.collect()
}

/// Well-formed token of a gate that does not exist.
pub const UNKNOWN_GATE: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// Id of the event of the examples in `openapi.json`.
const EXAMPLE: &str = "01966b1c-4b10-7c3e-9d52-6f0a8e7b4c21";

/// Replaces the ids of parts of the event of the examples by those of another event.
#[must_use]
pub fn in_event(example: &Value, event: &str) -> Value {
    let parts = |event: &str| format!("{}8{}", &event[..14], &event[15..28]);
    let text = example.to_string();
    if event.is_empty() {
        return example.clone();
    }
    text.replace(&parts(EXAMPLE), &parts(event)).parse().expect("JSON")
}

/// Returns a registration of a new member, as JSON.
#[must_use]
pub fn member() -> Value {
    let unique = unique();
    json!({
        "email": format!("{unique}@example.com"),
        "name": "김철수",
        "nickname": format!("닉네임{unique}"),
        "password": PASSWORD,
    })
}

/// Zero-width space, Hangul filler and byte order mark.
pub const INVISIBLE: &str = "\u{200b}\u{3164}\u{feff}";

/// Password of [`member`] and [`registration`].
pub const PASSWORD: &str = "비밀번호1234!";

/// Returns a registration of a new member.
#[must_use]
pub fn registration() -> Registration {
    let body = member().to_string();
    let request: JoinRequest = serde_json::from_str(&body).expect("valid request");
    request.registration(Password::parse).expect("valid registration")
}

/// Creates a hasher that takes microseconds: Argon2 over 64 KiB with this many passes.
#[must_use]
pub fn hasher(passes: u32) -> Hasher {
    format!("m=64,t={passes},p=1").parse().expect("valid parameters")
}

/// Returns an event that is not registered yet, with all fields of the interface.
#[must_use]
pub fn event() -> Value {
    json!({
        "title": format!("봄 콘서트 {}", unique()),
        "description": "봄밤의 야외 콘서트입니다.\n우천 시에도 진행합니다.",
        "place": "올림픽공원 올림픽홀",
        "artist": "아이유",
        "eventOpenTime": 1_745_557_200,
        "ticketingOpenTime": 1_744_952_400.5,
        "totalMap": "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 300\"><rect width=\"400\" height=\"300\"/></svg>",
        "areas": [
            {
                "label": "1층 A",
                "price": 132_000,
                "areaMap": "<g style=\"fill:#f06\"><path class=\"area-data\" d=\"M10 10h80v60h-80z\"/></g>",
                "seats": [
                    { "cx": 20, "cy": 30.5, "row": 1, "number": 1 },
                    { "cx": 40.25, "cy": 30.5, "row": 1, "number": 2 },
                ],
            },
            {
                "label": "2층 B",
                "price": 99_000.5,
                "areaMap": "https://cdn.example.com/maps/b.svg",
                "seats": [{ "cx": 200, "cy": 150, "row": 1, "number": 1 }],
            },
        ],
        "eventDatetimes": [1_745_643_600, 1_745_730_000],
    })
}

/// Returns [`event`] with other fields.
#[must_use]
pub fn event_with(fields: Value) -> Value {
    with(event(), fields)
}

/// Returns [`member`] with another field.
#[must_use]
pub fn member_with(field: &str, value: impl Into<Value>) -> Value {
    with(member(), json!({ field: value.into() }))
}

/// Replaces fields of an object.
#[must_use]
pub fn with(mut object: Value, fields: Value) -> Value {
    let (Some(object_fields), Value::Object(fields)) = (object.as_object_mut(), fields) else { panic!("{object}") };
    object_fields.extend(fields);
    object
}

/// Returns an event whose item has 2 KB, like its copies in two indexes.
#[must_use]
pub fn concert() -> Value {
    let mut event = event();
    event["description"] = "봄밤의야외콘서트입니다".chars().cycle().take(470).collect::<String>().into();
    event
}

/// Replaces the hall of an event.
#[must_use]
pub fn with_hall(mut event: Value, hall: &Layout) -> Value {
    let hall = serde_json::to_value(hall).expect("hall as JSON");
    event["totalMap"] = hall["totalMap"].clone();
    event["areas"] = hall["areas"].clone();
    event
}

/// Compresses bytes as one gzip member.
#[must_use]
pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

/// Builds a form with an event in gzip and a small poster.
#[must_use]
pub fn gzip_form(event: &Value) -> Form {
    Form::new().part(GZIP_REQUEST, gzip(event.to_string().as_bytes())).part(THUMBNAIL, POSTER)
}

/// Builds a form with an event, or with JSON that need not be valid, and a small poster.
#[must_use]
pub fn form(event: &(impl ToString + ?Sized)) -> Form {
    form_with(event, POSTER)
}

/// Builds a form with an event and a poster.
#[must_use]
pub fn form_with(event: &(impl ToString + ?Sized), poster: impl Into<Vec<u8>>) -> Form {
    Form::new().part(REQUEST, event.to_string()).part(THUMBNAIL, poster)
}

/// Builds a form with a poster alone.
#[must_use]
pub fn thumbnail_form(poster: &[u8]) -> Form {
    Form::new().part(THUMBNAIL, poster)
}
