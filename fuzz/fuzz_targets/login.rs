//! Body of a request to log in.
#![no_main]

use api::json;
use domain::{
    email::Email,
    member::{Credentials, Registration},
    password::Password,
};
use functions::members::account::{JoinRequest, LoginRequest};
use fuzz::rejection;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fuzz_target!(|body: &[u8]| {
    let Ok(request) = json::object::<LoginRequest>(body) else { return };
    let Credentials { email, .. } = match request.credentials() {
        Ok(credentials) => credentials,
        Err(error) => return rejection::assert_explained(&error),
    };
    // An address that is accepted at login is also accepted at registration.
    let member = json!({"email": email.as_str(), "name": "a", "nickname": "a", "password": "a"}).to_string();
    let request = json::object::<JoinRequest>(member.as_bytes()).expect("not a JSON object");
    let joined: Registration = request.registration(Password::parse).expect("the address is rejected at registration");
    assert_eq!(joined.email, email);
    // Otherwise two members could have one address.
    let canonical = email.canonical();
    assert_eq!(Email::from_stored(canonical.clone()).canonical(), canonical);
});
