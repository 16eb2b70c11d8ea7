//! Cursors: signed ones with changes, and arbitrary ones.
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
struct Input<'a> {
    id: u128,
    changes: Vec<(u8, char)>,
    other: &'a str,
}

fn assert_unforgeable(key: &CursorKey, cursor: &str, limit: &str) {
    let verified = key.verify(cursor);
    if let Some(id) = verified {
        assert_eq!(key.sign(id), cursor, "the cursor is forged");
    }
    let query = HashMap::from(
        [("cursor", vec![cursor]), ("limit", vec![limit])]
            .map(|(name, values)| (name.to_owned(), values.into_iter().map(str::to_owned).collect::<Vec<_>>())),
    );
    let request = Request::new(Body::Empty).with_query_string_parameters(query);
    if let Ok(page) = page::from_request(&request, key) {
        assert_eq!(page.after, verified);
        assert!((1..=MAX_PAGE).contains(&page.limit));
        assert_eq!(limit.trim_start_matches('0'), page.limit.to_string());
    }
}

fuzz_target!(|input: Input| {
    let key: CursorKey = SECRET.parse().expect("the secret is invalid");
    let signed = key.sign(Uuid::from_u128(input.id));
    assert_eq!(key.verify(&signed), Some(Uuid::from_u128(input.id)));
    let mut changed: Vec<char> = signed.chars().collect();
    for (index, character) in input.changes {
        let index = usize::from(index) % changed.len();
        changed[index] = character;
    }
    assert_unforgeable(&key, &changed.into_iter().collect::<String>(), input.other);
    assert_unforgeable(&key, input.other, "1");
});
