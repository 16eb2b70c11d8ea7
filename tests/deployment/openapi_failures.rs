//! The failures in `openapi.json` are those of the code and of the gateway.

use std::collections::BTreeSet;

use api::{
    envelope,
    error::{Error, FormFault, Limit},
    json,
    request::MAX_BODY,
    status,
};
use domain::{error::Error as DomainError, hold_limits, mail, poster::Rejection, throttling};
use lambda_http::Body;
use serde_json::Value;

use crate::{
    openapi::{document, operations},
    template::{template, text},
};

/// Returns the failures of the interface by code.
pub fn failures() -> Value {
    document()["components"]["examples"].take()
}

#[test]
fn failures_match_code() {
    let failures = failures();
    let errors = [
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
        DomainError::InvalidRefreshToken,
        DomainError::InvalidAccessToken,
        DomainError::NotTheMember,
        DomainError::InvalidMailToken,
        DomainError::TooManyMails(mail::WINDOW),
        DomainError::EmailNotVerified,
        DomainError::NoMail,
        DomainError::unexpected(""),
        DomainError::PosterStorage("".into()),
        DomainError::Database("".into()),
    ];
    let mut codes = BTreeSet::from(["C_001", "C_002", "C_003", "C_009", "H_001"]);
    for error in errors.into_iter().chain(domain_errors.map(Error::from)) {
        let (status, code) = status::status_and_code(&error);
        codes.insert(code);
        let Body::Text(body) = envelope::failure(&error).into_body() else { panic!("no text") };
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(failures[code]["value"], body);
        assert_eq!(statuses_of(code), [status.as_str()].into_iter().map(str::to_owned).collect());
    }
    assert_eq!(codes, failures.as_object().unwrap().keys().map(String::as_str).collect());
}

/// Returns the statuses of all responses that may have a code.
fn statuses_of(code: &str) -> BTreeSet<String> {
    let document = document();
    let mut statuses = BTreeSet::new();
    for (_, _, operation) in operations(&document) {
        let responses = operation["responses"].as_object().unwrap();
        let named = responses.iter().filter(|(_, response)| {
            response["$ref"].as_str().is_some_and(|name| name.split(['/', '.']).any(|part| part == code))
        });
        statuses.extend(named.map(|(status, _)| status.clone()));
    }
    statuses
}

#[test]
fn gateway_responses_match_template() {
    let template = template();
    for (response, code) in [("THROTTLED", "C_009"), ("DEFAULT_4XX", "C_003")] {
        let response = &template["Resources"]["Api"]["Properties"]["GatewayResponses"][response];
        let body: Value = serde_json::from_str(text(&response["ResponseTemplates"]["application/json"])).unwrap();
        let mut example = failures()[code]["value"].take();
        // The gateway gives no reasons.
        example.as_object_mut().unwrap().remove("errors");
        assert_eq!(example, body);
    }
}
