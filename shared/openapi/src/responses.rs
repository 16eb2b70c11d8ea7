//! Responses of an operation: codes, headers and examples for each status.

use std::collections::BTreeMap;

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::{examples, schemas};
use api::{error::Error, json::MEDIA_TYPE, request::REQUEST_ID, status};
use domain::{error::Error as DomainError, poster::Rejection};

/// Code of a gateway response to a throttled request, only on AWS.
const THROTTLED: &str = "C_009";
/// Code of the only 409 with `Retry-After`.
const IN_PROGRESS: &str = "C_010";
/// Header with the time to wait.
const RETRY_AFTER: &str = "Retry-After";

/// Headers of every response.
pub const COMMON: [&str; 4] = ["Vary", "x-request-id", "Cache-Control", "Access-Control-Allow-Origin"];

/// Headers of responses, by name.
pub fn headers() -> Value {
    let required =
        |description: &str, schema: Value| json!({ "description": description, "required": true, "schema": schema });
    let optional = |description: &str, schema: Value| json!({ "description": description, "schema": schema });
    json!({
        "Vary": required(
            "Always names `Origin`, `Access-Control-Request-Method` and `Access-Control-Request-Headers`. Responses \
             with the seats of an event also name `Accept-Encoding`.",
            json!({ "type": "string", "pattern": "Origin" }),
        ),
        REQUEST_ID.as_str(): required(
            "Id of the request, also in the access log.",
            json!({ "type": "string", "minLength": 1 }),
        ),
        "Cache-Control": required(
            "`no-store`, except for reads of events, which shared caches may keep for one second.",
            json!({ "type": "string" }),
        ),
        "Access-Control-Allow-Origin": optional(
            "Origins whose pages may read the response.",
            json!({ "type": "string" }),
        ),
        "Location": required("Path of the new resource. Members have no route to read them.", json!({ "type": "string", "pattern": "^/api/v1/" })),
        "ETag": required(
            "Entity tag of the representation, for `If-None-Match`.",
            json!({ "type": "string", "pattern": "^\"[A-Za-z0-9_-]+\"$" }),
        ),
        "Content-Encoding": optional(
            "`gzip` if the body exceeds 1 MiB and `Accept-Encoding` allows gzip.",
            json!({ "type": "string", "enum": ["gzip"] }),
        ),
        "Content-Security-Policy": required(
            "Blocks scripts and external resources if the picture is opened as a page.",
            json!({ "type": "string", "pattern": "sandbox" }),
        ),
        "X-Content-Type-Options": required(
            "Prevents browsers from guessing another media type.",
            json!({ "type": "string", "enum": ["nosniff"] }),
        ),
        "Link": optional(
            "Path of the next page, if there is one: `</api/v1/…?…>; rel=\"next\"`.",
            json!({ "type": "string", "pattern": "^</api/v1/(events|managers/me/events)\\?.+>; rel=\"next\"$" }),
        ),
        RETRY_AFTER: required("Seconds to wait before a retry. Sent with 429, 503 and `C_010`.", seconds()),
    })
}

fn seconds() -> Value {
    json!({ "type": "integer", "minimum": 1 })
}

/// Builds a response with data in the envelope.
pub fn success(description: &str, headers: &[&str], data: &Value, example: &Value) -> Value {
    json!({
        "description": format!("`{}`: {description}", status::SUCCESS),
        "headers": header_references(headers),
        "content": { MEDIA_TYPE: { "schema": schemas::success(data), "example": example } },
    })
}

/// Builds a response without a body.
pub fn empty(description: &str, headers: &[&str]) -> Value {
    json!({ "description": description, "headers": header_references(headers) })
}

/// Builds the failure responses by status: those of these errors, and those of every operation.
pub fn failures(errors: Vec<Error>) -> Map<String, Value> {
    let mut by_status: BTreeMap<StatusCode, BTreeMap<&str, Failure>> = BTreeMap::new();
    let shared = [Error::unexpected(""), DomainError::Database("".into()).into()];
    for error in errors.into_iter().chain(shared) {
        let (status, code) = status::status_and_code(&error);
        let failure = Failure { meaning: meaning(&error), example: examples::failure_response(&error) };
        by_status.entry(status).or_default().insert(code, failure);
    }
    let invalid = Error::Parameters(Vec::new());
    let from_gateway = [
        (status::status_and_code(&invalid), meaning(&invalid), examples::unusable_response()),
        (
            (StatusCode::TOO_MANY_REQUESTS, THROTTLED),
            "There are too many requests. Only on AWS: the gateway limits their rate.",
            examples::throttled_response(THROTTLED),
        ),
    ];
    for ((status, code), meaning, example) in from_gateway {
        by_status.entry(status).or_default().entry(code).or_insert(Failure { meaning, example });
    }
    by_status
        .into_iter()
        .map(|(status, failures)| (status.as_u16().to_string(), failure_response(status, &failures)))
        .collect()
}

/// Failure with one code of a response.
struct Failure {
    meaning: &'static str,
    example: Value,
}

fn failure_response(status: StatusCode, failures: &BTreeMap<&str, Failure>) -> Value {
    let codes = |wanted: fn(&&str) -> bool| failures.keys().copied().filter(wanted).collect::<Vec<_>>();
    // Gateway responses have no `errors`.
    let explained = codes(|code| matches!(*code, "C_001" | "C_003"));
    let bare = codes(|code| *code != "C_001");
    let schemas: Vec<_> = [(explained, true), (bare, false)]
        .into_iter()
        .filter(|(codes, _)| !codes.is_empty())
        .map(|(codes, errors)| schemas::failure(&codes, errors))
        .collect();
    let schema = if let [one] = &schemas[..] { one.clone() } else { json!({ "oneOf": schemas }) };
    let meanings: Vec<_> = failures.iter().map(|(code, failure)| format!("`{code}`: {}", failure.meaning)).collect();
    let examples: Map<_, _> = failures
        .iter()
        .map(|(code, failure)| ((*code).to_owned(), json!({ "summary": failure.meaning, "value": failure.example })))
        .collect();
    let waits = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE);
    let mut headers = header_references(if waits { &[RETRY_AFTER] } else { &[] });
    if failures.contains_key(IN_PROGRESS) {
        let description = format!("Only with `{IN_PROGRESS}`: seconds to wait before a retry.");
        headers[RETRY_AFTER] = json!({ "description": description, "schema": seconds() });
    }
    json!({
        "description": meanings.join(" "),
        "headers": headers,
        "content": { MEDIA_TYPE: { "schema": schema, "examples": examples } },
    })
}

fn header_references(names: &[&str]) -> Value {
    let all = COMMON.iter().chain(names);
    all.map(|name| ((*name).to_owned(), json!({ "$ref": format!("#/components/headers/{name}") }))).collect()
}

/// Describes the condition for an error, with one text for each code.
fn meaning(error: &Error) -> &'static str {
    match error {
        Error::Fields(_) => "Fields fail validation. `errors` names each of them.",
        Error::NotJson(_) => {
            "The body, or the part `request`, is not a JSON object in UTF-8, or not one gzip member if declared so."
        }
        Error::Parameters(_) => "A query parameter, a header or the request as a whole is invalid.",
        Error::MediaType(_) | Error::ContentEncoding => "The media type or the content encoding is not supported.",
        Error::TooLarge(_) | Error::Domain(DomainError::Poster(Rejection::TooLarge)) => {
            "The body, the poster or the response is too large. A response may be too large only without gzip."
        }
        Error::Form(_) => "The form is unreadable, or a part is missing or repeated.",
        Error::NoSuchRoute => "The route does not exist or does not support this method.",
        Error::NoManager | Error::Domain(DomainError::NotAuthenticated) => {
            "The manager is not authenticated. If managers are verified: the bearer token is missing or invalid. \
             If not, only for a registration: `x-api-managerId` is missing or not a UUID."
        }
        Error::Domain(DomainError::Poster(_)) => "The poster is not a readable image.",
        Error::Domain(DomainError::EmailTaken) => "The e-mail address is already registered.",
        Error::Domain(DomainError::NicknameTaken) => "The nickname is already in use.",
        Error::Domain(DomainError::WrongCredentials) => {
            "The e-mail address or the id is unknown, or the password is wrong."
        }
        Error::Domain(DomainError::TooManyFailedLogins(_)) => {
            "Too many passwords for this member were wrong. `Retry-After` says when to retry."
        }
        Error::Domain(DomainError::PermissionDenied) => {
            "Only if managers are verified: the token lacks the role, names another manager than \
             `x-api-managerId`, or the event belongs to another manager."
        }
        Error::Domain(DomainError::InProgress) => {
            "A request with the same `Idempotency-Key` is in progress. `Retry-After` says when to retry."
        }
        Error::Domain(DomainError::KeyReused) => "The same `Idempotency-Key` was used with other content.",
        Error::Domain(DomainError::AlreadyRegistered | DomainError::TooManyShows) => {
            "An event with the same title and place already has a show at one of these times, or such events have \
             too many shows."
        }
        Error::Domain(DomainError::PreconditionFailed) => "`If-Match` does not have the entity tag of the event.",
        Error::Domain(DomainError::NoSuchEvent) => "The event does not exist.",
        Error::Domain(DomainError::Unexpected(_)) => "An unexpected error occurred.",
        Error::Domain(DomainError::PosterExpired | DomainError::PosterStorage(_)) => {
            "The poster storage is unavailable."
        }
        Error::Domain(DomainError::Database(_)) => "The database is unavailable.",
    }
}
