//! The answers to an operation: for each status its codes, headers and examples.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{examples, schemas};
use crate::{
    domain::{error::Error, poster::Refusal},
    http::{json::MEDIA_TYPE, serve::REQUEST_ID, status},
};

/// The code with which the gateway throttles, on AWS alone; no function gives it.
const THROTTLED: &str = "C_009";

/// The headers that every answer has.
const COMMON: [&str; 4] = ["Vary", "x-request-id", "Cache-Control", "Access-Control-Allow-Origin"];

/// The headers that answers have, by their names.
pub fn headers() -> Value {
    let required = |description: &str, schema: Value| json!({ "description": description, "required": true, "schema": schema });
    let optional = |description: &str, schema: Value| json!({ "description": description, "schema": schema });
    json!({
        "Vary": required(
            "`Origin`, `Access-Control-Request-Method` and `Access-Control-Request-Headers`.",
            json!({ "type": "string", "pattern": "Origin" }),
        ),
        REQUEST_ID.as_str(): required(
            "The id of this request, which is in the log too.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        "Cache-Control": required(
            "`no-store`; but a shared cache may keep what tells of events for a second.",
            json!({ "type": "string" }),
        ),
        "Access-Control-Allow-Origin": optional(
            "Which pages may read the answer.",
            json!({ "type": "string" }),
        ),
        "Location": required("Where it is now.", json!({ "type": "string", "pattern": "^/api/v1/" })),
        "ETag": required(
            "The strong validator of what is answered.",
            json!({ "type": "string", "pattern": "^\"[A-Za-z0-9_-]+\"$" }),
        ),
        "Content-Security-Policy": required(
            "What the picture may do when it is opened by itself.",
            json!({ "type": "string", "pattern": "sandbox" }),
        ),
        "X-Content-Type-Options": required(
            "It is taken for nothing else.",
            json!({ "type": "string", "enum": ["nosniff"] }),
        ),
        "Link": optional(
            "Where more events follow: the path of the next page, as in `</api/v1/events?…>; rel=\"next\"`.",
            json!({ "type": "string", "pattern": "^</api/v1/events\\?.+>; rel=\"next\"$" }),
        ),
        "Retry-After": required("After how many seconds to try again.", json!({ "type": "integer", "minimum": 1 })),
    })
}

/// An answer with some data in the envelope.
pub fn success(description: &str, headers: &[&str], data: &Value, example: &Value) -> Value {
    json!({
        "description": format!("`{}`: {description}", status::SUCCESS),
        "headers": referred(headers),
        "content": { MEDIA_TYPE: { "schema": schemas::success(data), "example": example } },
    })
}

/// An answer without a body.
pub fn empty(description: &str, headers: &[&str]) -> Value {
    json!({ "description": description, "headers": referred(headers) })
}

/// The answers to what fails, by status: those that are given, and those of every operation.
pub fn failures(errors: Vec<Error>) -> Map<String, Value> {
    let mut by_status: BTreeMap<StatusCode, BTreeMap<&str, Failure>> = BTreeMap::new();
    let everywhere = [Error::unexpected(""), Error::Database("".into())];
    for error in errors.into_iter().chain(everywhere) {
        let (status, code) = status::of(&error);
        let failure = Failure { meaning: meaning(&error), example: examples::failed(&error) };
        by_status.entry(status).or_default().insert(code, failure);
    }
    let from_gateway = [
        (status::of(&Error::Parameters(Vec::new())), "the request cannot be used", examples::unusable()),
        (
            (StatusCode::TOO_MANY_REQUESTS, THROTTLED),
            "throttled by the gateway, on AWS",
            examples::throttled(THROTTLED),
        ),
    ];
    for ((status, code), meaning, example) in from_gateway {
        by_status.entry(status).or_default().entry(code).or_insert(Failure { meaning, example });
    }
    by_status
        .into_iter()
        .map(|(status, failures)| (status.as_u16().to_string(), answer(status, &failures)))
        .collect()
}

/// A code, as it is answered.
struct Failure {
    meaning: &'static str,
    example: Value,
}

fn answer(status: StatusCode, failures: &BTreeMap<&str, Failure>) -> Value {
    let codes = |wanted: fn(&&str) -> bool| failures.keys().copied().filter(wanted).collect::<Vec<_>>();
    // What the gateway refuses by itself it does not always explain.
    let explained = codes(|code| matches!(*code, "C_001" | "C_003"));
    let bare = codes(|code| *code != "C_001");
    let schemas: Vec<_> = [(explained, true), (bare, false)]
        .into_iter()
        .filter(|(codes, _)| !codes.is_empty())
        .map(|(codes, errors)| schemas::failure(&codes, errors))
        .collect();
    let schema = if let [one] = &schemas[..] { one.clone() } else { json!({ "oneOf": schemas }) };
    let meanings: Vec<_> =
        failures.iter().map(|(code, failure)| format!("`{code}`: {}", failure.meaning)).collect();
    let examples: Map<_, _> = failures
        .iter()
        .map(|(code, failure)| ((*code).to_owned(), json!({ "value": failure.example })))
        .collect();
    let waits = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    json!({
        "description": meanings.join("; "),
        "headers": referred(if waits { &["Retry-After"] } else { &[] }),
        "content": { MEDIA_TYPE: { "schema": schema, "examples": examples } },
    })
}

fn referred(names: &[&str]) -> Value {
    let all = COMMON.iter().chain(names);
    all.map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }))).collect()
}

/// When an error is answered.
fn meaning(error: &Error) -> &'static str {
    match error {
        Error::Fields(_) => "fields fail validation; `errors` names each",
        Error::NotJson => "the body, or the part `request`, is no JSON object in UTF-8",
        Error::Parameters(_) => "a query parameter or a header cannot be used",
        Error::MediaType(_) => "wrong media type",
        Error::TooLarge(_) | Error::Poster(Refusal::TooLarge) => {
            "the body, the poster or the answer is too large"
        }
        Error::Form(_) => "the form cannot be read, or a part is missing or repeated",
        Error::Poster(_) => "the poster is no readable image",
        Error::NoSuchRoute => "no such route, or not with this method",
        Error::EmailTaken => "the e-mail address is taken",
        Error::NicknameTaken => "the nickname is taken",
        Error::WrongCredentials => "wrong e-mail address or password",
        Error::TooManyFailures(_) => "too many logins with the e-mail address failed",
        Error::NoManager => {
            "`x-api-managerId` is missing or no UUID; where managers are verified, no token that can be used"
        }
        Error::NotAuthenticated => "where managers are verified: no token that can be used",
        Error::NotPermitted => "where managers are verified: this one may not do this",
        Error::InProgress => "a request with the same `Idempotency-Key` is being carried out",
        Error::KeyReused => "the same `Idempotency-Key` came with other parts",
        Error::AlreadyRegistered => "the event is registered already",
        Error::NoSuchEvent => "no such event",
        Error::Unexpected(_) => "unexpected",
        Error::PosterExpired | Error::PosterStorage(_) => "the poster storage is unavailable",
        Error::Database(_) => "the database is unavailable",
    }
}
