//! Time in JSON: a number of epoch seconds, or an ISO 8601 text.
#![no_main]

use api::fields::{Errors, Field};
use domain::instant::Instant;
use libfuzzer_sys::fuzz_target;
use time::{OffsetDateTime, format_description::well_known::Rfc3339};

fn read(json: &str) -> Option<Instant> {
    Errors::default().instant("time", serde_json::from_str::<Field<Instant>>(json).ok()?)
}

fuzz_target!(|json: &str| {
    let Some(instant) = read(json) else { return };
    let written = instant.to_string();
    assert_eq!(read(&format!("\"{written}\"")), Some(instant));

    let parsed = OffsetDateTime::parse(&written, &Rfc3339).expect("the time is not in RFC 3339");
    assert!(parsed.offset().is_utc() && (1970..=9999).contains(&parsed.year()));
    if let Ok(seconds) = json.trim().parse::<f64>() {
        // Equal numbers in different notations are the same double.
        assert_eq!(format!("{}e-9", parsed.unix_timestamp_nanos()).parse(), Ok(seconds + 0.0), "{json}");
    } else if let Ok(sent) = OffsetDateTime::parse(&serde_json::from_str::<String>(json).expect("not a text"), &Rfc3339)
    {
        assert_eq!(sent.unix_timestamp_nanos(), parsed.unix_timestamp_nanos(), "{json}");
    }
});
