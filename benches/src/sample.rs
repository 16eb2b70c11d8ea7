//! Sample requests as REST proxy events of API Gateway.

use std::fs;

use base64_simd::STANDARD;
use bytes::Bytes;
use domain::error::Cause;
use local::layouts;
use serde_json::{Value, json};
use tests::{form::Form, sample};

use crate::root;

/// Description, about as long as on the sites of ticket sellers.
const DESCRIPTION: &str = "봄밤의 정취를 가득 담은 단독 콘서트가 올림픽공원에서 열립니다. 이번 공연에서는 데뷔곡부터 \
최근 발매한 정규 앨범의 수록곡까지 스무 곡이 넘는 무대를 열두 인조 밴드의 라이브 연주로 만나실 수 있습니다.\n\n\
공연 시간은 약 백오십 분이며 중간 휴식은 없습니다. 공연 시작 후에는 입장이 제한될 수 있으니 여유 있게 도착해 주시기 \
바랍니다. 우천 시에도 예정대로 진행하며, 천재지변으로 취소되는 경우에는 예매 수수료를 포함한 전액을 돌려 드립니다.\n\n\
만 여덟 살 이상 관람하실 수 있고, 한 사람이 네 장까지 예매하실 수 있습니다. 휠체어석은 전화로만 예매를 받습니다.";

/// Maximum size of a poster.
const MAX_POSTER_BYTES: usize = 4 * 1024 * 1024;

/// Small JPEG, as a camera or a drawing program writes it.
const JPEG: &[u8] = include_bytes!("../../tests/corpus/images/accepted/realistic.jpg");

/// Returns a unique event with two areas and three seats.
#[must_use]
pub fn event() -> Value {
    let mut event = sample::event();
    event["description"] = json!(DESCRIPTION);
    event
}

/// Returns a unique event with the 10,106 seats of the arena.
#[must_use]
pub fn event_in_arena() -> Value {
    sample::with_hall(event(), &layouts::arena())
}

/// Returns a unique event with the 25,000 seats of the stadium, in 152 areas.
#[must_use]
pub fn event_in_stadium() -> Value {
    sample::with_hall(event(), &layouts::stadium())
}

/// Returns a unique event with this many seats in one area.
#[must_use]
pub fn event_with_seats(seats: usize) -> Value {
    sample::with_hall(event(), &layouts::grid(seats))
}

/// Returns a poster of a few kilobytes.
#[must_use]
pub fn small_poster() -> Vec<u8> {
    JPEG.to_vec()
}

/// Returns a poster of the maximum size: a small image, padded with data that decoders accept.
#[must_use]
pub fn large_poster() -> Vec<u8> {
    let (image, end) = JPEG.split_at(JPEG.len() - 2);
    let noise = (1..=254_u8).cycle().map(|byte| byte.wrapping_mul(167)).filter(|byte| *byte != 0xff);
    image.iter().copied().chain(noise).take(MAX_POSTER_BYTES - end.len()).chain(end.iter().copied()).collect()
}

/// Reads the REST proxy event `events/<slug>.json` and changes it.
///
/// # Errors
///
/// Returns an error if the file does not exist.
pub fn proxy_event(slug: &str, change: impl FnOnce(&mut Value)) -> Result<Bytes, Cause> {
    let text = fs::read(root().join("events").join(slug).with_extension("json"))?;
    let mut event = serde_json::from_slice(&text)?;
    change(&mut event);
    Ok(serde_json::to_vec(&event)?.into())
}

/// Sets a JSON body in base64, as template.yaml configures the gateway to send it.
pub fn set_json(event: &mut Value, body: &Value) {
    set_body(event, body.to_string().as_bytes());
}

/// Sets a form with an event and a poster.
pub fn set_form(event: &mut Value, fields: &Value, poster: Vec<u8>) {
    let form = Form::new().part(sample::REQUEST, fields.to_string()).part(sample::THUMBNAIL, poster);
    set_multipart(event, &form);
}

/// Sets a form with a poster alone.
pub fn set_poster(event: &mut Value, poster: Vec<u8>) {
    set_multipart(event, &Form::new().part(sample::THUMBNAIL, poster));
}

fn set_multipart(event: &mut Value, form: &Form) {
    event["headers"]["Content-Type"] = json!(form.content_type());
    event["multiValueHeaders"]["Content-Type"] = json!([form.content_type()]);
    set_body(event, &form.body());
}

/// Sets a form with an event in gzip and a poster, from a client that accepts gzip.
pub fn set_gzip_form(event: &mut Value, fields: &Value, poster: Vec<u8>) {
    let part = sample::gzip(fields.to_string().as_bytes());
    let form = Form::new().part(sample::GZIP_REQUEST, part).part(sample::THUMBNAIL, poster);
    set_multipart(event, &form);
    accept_gzip(event);
}

/// Adds the header of a client that accepts gzip.
pub fn accept_gzip(event: &mut Value) {
    event["headers"]["Accept-Encoding"] = json!("gzip");
    event["multiValueHeaders"]["Accept-Encoding"] = json!(["gzip"]);
}

/// Sets the event id in the path.
pub fn set_event_id(event: &mut Value, id: &str) {
    let path = format!("/api/v1/events/{id}");
    event["pathParameters"]["eventId"] = json!(id);
    event["requestContext"]["path"] = json!(format!("/live{path}"));
    event["path"] = json!(path);
}

/// Sets the manager's token.
pub fn set_token(event: &mut Value, token: &str) {
    let authorization = format!("Bearer {token}");
    event["multiValueHeaders"]["Authorization"] = json!([authorization]);
    event["headers"]["Authorization"] = json!(authorization);
}

/// Sets the member id in the path.
pub fn set_member_id(event: &mut Value, id: &str) {
    let path = event["resource"].as_str().unwrap_or_default().replace("{memberId}", id);
    event["pathParameters"]["memberId"] = json!(id);
    event["requestContext"]["path"] = json!(format!("/live{path}"));
    event["path"] = json!(path);
}

/// Sets the manager's id.
pub fn set_manager(event: &mut Value, manager: &str) {
    event["multiValueHeaders"]["x-api-managerId"] = json!([manager]);
    event["headers"]["x-api-managerId"] = json!(manager);
}

/// Sets the limit in the query.
pub fn set_limit(event: &mut Value, limit: usize) {
    set_query(event, &[("limit", &limit.to_string())]);
}

/// Sets the parameters of the query.
pub fn set_query(event: &mut Value, parameters: &[(&str, &str)]) {
    event["queryStringParameters"] =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect();
    event["multiValueQueryStringParameters"] =
        parameters.iter().map(|(name, value)| ((*name).to_owned(), json!([value]))).collect();
}

fn set_body(event: &mut Value, body: &[u8]) {
    event["body"] = json!(STANDARD.encode_to_string(body));
    event["isBase64Encoded"] = json!(true);
}
