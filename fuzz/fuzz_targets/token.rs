//! Tokens of sessions: signed ones with changes, and arbitrary ones.
#![no_main]

use std::{sync::LazyLock, time::Duration};

use arbitrary::Arbitrary;
use auth::access_token::{self, AccessTokens, SigningKey};
use auth::refresh_token::{RefreshKey, SessionSecret};
use base64_simd::URL_SAFE_NO_PAD;
use libfuzzer_sys::fuzz_target;
use storage::{public_key::Rotation, session::RefreshToken};
use uuid::Uuid;

const SECRET: &str = "0123456789abcdef0123456789abcdef";
const ISSUER: &str = "https://example.com";
const AUDIENCE: &str = "members";
const MEMBER: Uuid = Uuid::from_u128(1);

struct Keys {
    refresh: RefreshKey,
    signing: SigningKey,
    /// Valid access token.
    access: String,
}

static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let secret: SessionSecret = SECRET.parse().expect("the secret is invalid");
    let signing = SigningKey::derive(&secret, Rotation(0));
    let lifetime = Duration::from_hours(24);
    let tokens = AccessTokens { issuer: ISSUER.to_owned(), audience: AUDIENCE.to_owned(), lifetime };
    let access = signing.issue(&tokens, MEMBER).expect("the clock is before 1970");
    Keys { refresh: RefreshKey::derive(&secret), signing, access }
});

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    session: u128,
    generation: u32,
    /// Characters that replace others, at these places.
    changes: Vec<(u16, char)>,
    /// Header that replaces that of the access token.
    header: &'a [u8],
    other: &'a [u8],
}

/// Replaces characters of a token.
fn changed(token: &str, input: &Input) -> String {
    let mut changed: Vec<char> = token.chars().collect();
    for (index, character) in &input.changes {
        let index = usize::from(*index) % changed.len();
        changed[index] = *character;
    }
    changed.into_iter().collect()
}

fn is_accepted(token: &str) -> bool {
    let key = KEYS.signing.public();
    let key_id = access_token::key_id(token);
    let member = access_token::verify(token, key, ISSUER, AUDIENCE);
    key_id.is_ok_and(|id| id == key.id()) && member.is_ok()
}

fn assert_unforgeable(token: &str) {
    if let Some(verified) = KEYS.refresh.verify(token) {
        assert_eq!(KEYS.refresh.sign(verified), token, "the refresh token is forged");
    }
    if is_accepted(token) {
        assert_eq!(KEYS.access, token, "the access token is forged");
    }
}

fuzz_target!(|input: Input| {
    let keys = &*KEYS;
    let token = RefreshToken { session: Uuid::from_u128(input.session), generation: input.generation };
    let refresh = keys.refresh.sign(token);
    assert_eq!(keys.refresh.verify(&refresh), Some(token));
    assert!(is_accepted(&keys.access), "the access token is rejected");
    assert_unforgeable(&changed(&refresh, &input));
    assert_unforgeable(&changed(&keys.access, &input));
    let (_, signed) = keys.access.split_once('.').expect("the access token has no parts");
    assert_unforgeable(&format!("{}.{signed}", URL_SAFE_NO_PAD.encode_to_string(input.header)));
    assert_unforgeable(&String::from_utf8_lossy(input.other));
});
