//! Body of a request to join.
#![no_main]

use api::json;
use domain::{
    member::{Nickname, Registration},
    password::Password,
};
use functions::members::account::JoinRequest;
use fuzz::rejection;
use libfuzzer_sys::fuzz_target;
use serde_json::json;

fn read(body: &[u8]) -> Option<Registration> {
    let request = json::object::<JoinRequest>(body).ok()?;
    request.registration(Password::parse).map_err(|error| rejection::assert_explained(&error)).ok()
}

fuzz_target!(|body: &[u8]| {
    let Some(joined) = read(body) else { return };
    let Registration { email, name, nickname, .. } = &joined;
    assert!(email.as_str().contains('@') && email.as_str().chars().count() <= 50);
    assert!(name.as_str().chars().count() <= 20 && nickname.as_str().chars().count() <= 20);
    // Otherwise two members could have one nickname.
    let upper = Nickname::from_stored(nickname.as_str().to_uppercase());
    for nickname in [nickname, &upper] {
        let canonical = nickname.canonical();
        assert_eq!(Nickname::from_stored(canonical.clone()).canonical(), canonical);
    }

    let [email, name, nickname] = [email.as_str(), name.as_str(), nickname.as_str()];
    let again = json!({"email": email, "name": name, "nickname": nickname, "password": "a"});
    let again = read(again.to_string().as_bytes()).expect("accepted values are rejected");
    assert_eq!((&again.email, &again.name, &again.nickname), (&joined.email, &joined.name, &joined.nickname));
});
