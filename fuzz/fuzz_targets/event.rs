//! Part `request` of a form that registers an event.
#![no_main]

use api::{
    event::{CreateRequest, Draft},
    json,
};
use fuzz::{event, rejection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|part: &[u8]| {
    let Ok(request) = json::object::<CreateRequest>(part) else { return };
    match Draft::try_from(request) {
        Ok(draft) => event::assert_valid(&draft),
        Err(error) => rejection::assert_explained(&error),
    }
});
