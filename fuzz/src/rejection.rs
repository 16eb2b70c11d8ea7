//! Properties of rejected requests.

use api::{
    envelope,
    error::{Error, JsonError},
    fields::Errors,
};
use lambda_http::Body;
use serde_json::Value;

/// Asserts that the response to a rejected request names each wrong field with a reason, or that a text in it has a
/// lone surrogate.
///
/// # Panics
///
/// Panics if it does not, or if the request failed for another reason.
pub fn assert_explained(error: &Error) {
    let errors = match error {
        Error::Fields(errors) => errors,
        Error::NotJson(fault) if fault.error == JsonError::LoneSurrogate => return,
        _ => panic!("{error:?}"),
    };
    assert!((1..=Errors::MAX).contains(&errors.len()), "{}", errors.len());
    let response = envelope::failure(error);
    assert_eq!(response.status(), 400);
    let Body::Text(body) = response.body() else { panic!("{:?}", response.body()) };
    assert!(body.len() < envelope::MAX_RESPONSE);
    let body: Value = serde_json::from_str(body).expect("the body is not JSON");
    let entries = body["errors"].as_array().expect("no array of errors");
    assert_eq!(entries.len(), errors.len());
    for entry in entries {
        let text = |name: &str| entry[name].as_str().expect("not a text");
        assert!(!text("field").is_empty() && !text("reason").is_empty());
        assert!(text("value").chars().count() <= Errors::MAX_ECHO);
    }
}
