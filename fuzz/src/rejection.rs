//! What holds of every request that is refused.

use api::{envelope, error::Error, fields::Errors};
use lambda_http::Body;
use serde_json::Value;

/// Asserts that the answer to a request whose fields are wrong says what is wrong with which.
///
/// # Panics
///
/// If it does not, or if the request failed for another reason.
pub fn assert_explained(error: &Error) {
    let Error::Fields(errors) = error else { panic!("{error:?}") };
    assert!((1..=Errors::MAX).contains(&errors.len()), "{}", errors.len());
    let reply = envelope::failure(error);
    assert_eq!(reply.status(), 400);
    let Body::Text(body) = reply.body() else { panic!("{:?}", reply.body()) };
    assert!(body.len() < envelope::MAX_RESPONSE);
    let answer: Value = serde_json::from_str(body).expect("an envelope");
    let told = answer["errors"].as_array().expect("errors");
    assert_eq!(told.len(), errors.len());
    for error in told {
        let text = |name: &str| error[name].as_str().expect("a text");
        assert!(!text("field").is_empty() && !text("reason").is_empty());
        assert!(text("value").chars().count() <= Errors::MAX_ECHO);
    }
}
