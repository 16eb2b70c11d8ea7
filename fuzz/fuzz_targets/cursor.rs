//! A cursor that was given, changed here and there, and one that was not.
#![no_main]

use api::page::{self, MAX_PAGE};
use arbitrary::Arbitrary;
use domain::cursor::CursorKey;
use lambda_http::{Body, Request, RequestExt as _};
use libfuzzer_sys::fuzz_target;
use std::collections::HashMap;
use uuid::Uuid;

const SECRET: &str = "0123456789abcdef";

#[derive(Arbitrary, Debug)]
struct Sent<'a> {
    id: u128,
    changes: Vec<(u8, char)>,
    other: &'a str,
}

fn check(key: &CursorKey, cursor: &str, limit: &str) {
    let verified = key.verify(cursor);
    if let Some(id) = verified {
        assert_eq!(key.sign(id), cursor, "a cursor of another making");
    }
    let query =
        HashMap::from([("cursor", vec![cursor]), ("limit", vec![limit])].map(|(name, values)| {
            (name.to_owned(), values.into_iter().map(str::to_owned).collect::<Vec<_>>())
        }));
    let request = Request::new(Body::Empty).with_query_string_parameters(query);
    if let Ok(page) = page::from_request(&request, key) {
        assert_eq!(page.after, verified);
        assert!((1..=MAX_PAGE).contains(&page.limit));
        assert_eq!(limit.trim_start_matches('0'), page.limit.to_string());
    }
}

fuzz_target!(|sent: Sent| {
    let key: CursorKey = SECRET.parse().expect("a key");
    let given = key.sign(Uuid::from_u128(sent.id));
    assert_eq!(key.verify(&given), Some(Uuid::from_u128(sent.id)));
    let mut changed: Vec<char> = given.chars().collect();
    for (at, to) in sent.changes {
        let at = usize::from(at) % changed.len();
        changed[at] = to;
    }
    check(&key, &changed.into_iter().collect::<String>(), sent.other);
    check(&key, sent.other, "1");
});
