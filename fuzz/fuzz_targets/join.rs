//! Body of a request to join, also read as a request to log in.
#![no_main]

use api::json;
use domain::{
    email::Email,
    member::{Nickname, Registration},
    password::Password,
};
use functions::members::account::{JoinRequest, LoginRequest};
use fuzz::rejection;
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

fn read(body: &[u8]) -> Option<Registration> {
    let request = json::object::<JoinRequest>(body).ok()?;
    request.registration(Password::parse).map_err(|error| rejection::assert_explained(&error)).ok()
}

/// Reads the request of a member with these texts, which must be accepted.
fn accepted(email: &str, name: &str, nickname: &str) -> Registration {
    let member: Value = json!({"email": email, "name": name, "nickname": nickname, "password": "a"});
    read(member.to_string().as_bytes()).expect("accepted values are rejected")
}

/// Asserts that an address that is accepted at login is also accepted at registration.
fn assert_login(body: &[u8]) {
    let Ok(request) = json::object::<LoginRequest>(body) else { return };
    match request.credentials() {
        Ok(credentials) => assert_eq!(accepted(credentials.email.as_str(), "a", "a").email, credentials.email),
        Err(error) => rejection::assert_explained(&error),
    }
}

fuzz_target!(|body: &[u8]| {
    assert_login(body);
    let Some(joined) = read(body) else { return };
    let Registration { email, name, nickname, .. } = &joined;
    assert!(email.as_str().contains('@') && email.as_str().chars().count() <= 50);
    assert!(name.as_str().chars().count() <= 20 && nickname.as_str().chars().count() <= 20);
    // Otherwise two members could have one address or one nickname.
    let canonical = email.canonical();
    assert_eq!(Email::from_stored(canonical.clone()).canonical(), canonical);
    let upper = Nickname::from_stored(nickname.as_str().to_uppercase());
    for nickname in [nickname, &upper] {
        let canonical = nickname.canonical();
        assert_eq!(Nickname::from_stored(canonical.clone()).canonical(), canonical);
    }

    let again = accepted(email.as_str(), name.as_str(), nickname.as_str());
    assert_eq!((&again.email, &again.name, &again.nickname), (&joined.email, &joined.name, &joined.nickname));
});
