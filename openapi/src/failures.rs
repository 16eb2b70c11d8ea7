//! Failures of operations, and examples of them.

use std::collections::{BTreeMap, BTreeSet};

use api::{
    envelope,
    error::{Error, FieldError, FormFault, JsonError, JsonFault, Limit},
    json, multipart,
    request::MAX_BODY,
    status::{self, C_009, FailureCode},
};
use domain::{
    error::Error as DomainError,
    hold_limits, mail, notice,
    poster::Rejection,
    throttling,
    violation::{Position, Violation},
};
use functions::{caller::CallerKind, registry::Declaration};
use serde_json::{Map, Value, json};

use crate::{
    COMMON_FAILURES,
    examples::{SEAT, body},
    parameters, parse,
};

/// Returns the meaning and an example of each failure, by code.
///
/// # Panics
///
/// Panics if a code has no example.
#[must_use]
pub fn failures() -> Map<String, Value> {
    let bodies = bodies();
    let example = |code: &FailureCode| {
        let (_, body) = bodies.iter().find(|(known, _)| known == code).unwrap_or_else(|| panic!("{}", code.name));
        (code.name.to_owned(), json!({"summary": code.meaning, "value": parse(body)}))
    };
    FailureCode::ALL.iter().map(example).collect()
}

/// Returns the body of a response with each code, as JSON.
pub(crate) fn bodies() -> Vec<(FailureCode, String)> {
    let of_gateway = r#"{"message": "요청이 너무 많습니다. 잠시 후 다시 시도해 주세요.", "code": "C_009"}"#;
    let of_functions = errors().into_iter().map(|error| (status::code(&error), body(envelope::failure(&error))));
    of_functions.chain([(C_009, of_gateway.to_owned())]).collect()
}

/// Returns the codes of the failures of an operation, by status: its own ones, and those that follow from its
/// declaration.
pub(crate) fn by_status(declaration: &Declaration, operation: &Value) -> BTreeMap<String, Vec<&'static str>> {
    let Declaration { path, caller, negotiates_encoding, .. } = declaration;
    let (media_types, parameters) = (&operation["requestBody"]["content"], parameters(operation));
    let has = |name: &str| parameters.iter().any(|parameter| parameter == name);
    let [of_member, of_manager, of_gate] =
        [CallerKind::Member, CallerKind::Manager, CallerKind::Gate].map(|kind| *caller == kind);
    let (has_json, has_form) =
        (media_types.get(json::MEDIA_TYPE).is_some(), media_types.get(multipart::MEDIA_TYPE).is_some());
    let rules: [(bool, &[&str]); 13] = [
        (true, &COMMON_FAILURES),
        (path.contains('{'), &["C_008"]),
        (path.contains("{eventId}") && !of_gate, &["E_002"]),
        (of_gate, &["G_001"]),
        (path.contains("{holdId}"), &["H_005"]),
        (of_member, &["AS_002"]),
        (of_member && path.contains("{memberId}"), &["AS_003"]),
        (of_manager, &["AM_001", "AM_002"]),
        (has_json, &["C_001", "C_002", "C_004", "C_005"]),
        (has_form, &["C_004", "C_005", "C_006", "C_007", "S_002"]),
        (has("If-Match"), &["E_003"]),
        (has("Idempotency-Key"), &["C_011"]),
        (*negotiates_encoding, &["C_005"]),
    ];
    let own = operation["x-failures"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let derived = rules.into_iter().filter(|(applies, _)| *applies).flat_map(|(_, codes)| codes).copied();
    let mut by_status: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for name in own.chain(derived).collect::<BTreeSet<_>>() {
        let code = FailureCode::ALL.iter().find(|code| code.name == name).expect("a known code");
        by_status.entry(code.status.as_str().to_owned()).or_default().push(code.name);
    }
    by_status
}

/// Returns an error for each code of the functions.
fn errors() -> Vec<Error> {
    let field =
        |field: &str, value: &str, violation| FieldError { field: field.into(), value: value.into(), violation };
    let invalid = vec![
        field("email", "kim", Violation::InvalidEmail),
        field("name", "", Violation::Required),
        field("nickname", "1", Violation::NotAString),
    ];
    let position = Some(Position { line: 3, column: 1 });
    let errors = [
        Error::Fields(invalid),
        Error::NotJson(JsonFault { position, error: JsonError::Syntax }),
        Error::Parameters(vec![field("limit", "0", Violation::OutOfRange(1..=100))]),
        Error::SeatsTaken(vec![field("seatIds[1]", SEAT, Violation::SeatTaken)]),
        Error::MediaType(json::MEDIA_TYPE),
        Error::TooLarge(Limit::Body(MAX_BODY)),
        Error::Form(FormFault::Missing("thumbnail")),
        Error::NoSuchRoute,
    ];
    let domain_errors = [
        DomainError::Poster(Rejection::NotAnImage),
        DomainError::InProgress,
        DomainError::KeyReused,
        DomainError::EmailTaken,
        DomainError::NicknameTaken,
        DomainError::WrongCredentials,
        DomainError::TooManyFailedLogins(throttling::WINDOW),
        DomainError::NotAuthenticated,
        DomainError::PermissionDenied,
        DomainError::AlreadyRegistered,
        DomainError::NoSuchEvent,
        DomainError::SeatsOfEventTaken,
        DomainError::TooManySeatsOfMember(4),
        DomainError::TooManyHolds(hold_limits::WINDOW),
        DomainError::NotOnSale,
        DomainError::NoFreeGroup,
        DomainError::HoldUnusable,
        DomainError::NoSuchHold,
        DomainError::PreconditionFailed,
        DomainError::TooManyNotices(notice::WINDOW),
        DomainError::InvalidGateToken,
        DomainError::TooManyGates,
        DomainError::NoSuchGate,
        DomainError::InvalidRefreshToken,
        DomainError::InvalidAccessToken,
        DomainError::NotTheMember,
        DomainError::InvalidMailToken,
        DomainError::TooManyMails(mail::WINDOW),
        DomainError::EmailNotVerified,
        DomainError::NoMail,
        DomainError::Mail("".into()),
        DomainError::unexpected(""),
        DomainError::PosterStorage("".into()),
        DomainError::Database("".into()),
    ];
    errors.into_iter().chain(domain_errors.map(Error::from)).collect()
}
