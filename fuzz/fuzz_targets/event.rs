//! Part `request` of a form that registers an event.
#![no_main]

use api::error::Error;
use functions::events::registration::Registration;
use fuzz::{event, rejection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|part: &[u8]| {
    match Registration::parse(part) {
        Err(Error::NotJson(_)) => {}
        Ok(draft) => event::assert_valid(&draft),
        Err(error) => rejection::assert_explained(&error),
    }
});
