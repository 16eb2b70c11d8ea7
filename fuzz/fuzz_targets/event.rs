//! Part `request` of a form that registers an event.
#![no_main]

use api::{
    error::Error,
    json,
    registration::{CreateRequest, Draft},
};
use fuzz::{event, rejection};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|part: &[u8]| {
    let collected = json::object::<CreateRequest>(part).and_then(Draft::try_from);
    assert_eq!(format!("{:?}", Draft::parse(part)), format!("{collected:?}"), "the passes disagree");
    match collected {
        Err(Error::NotJson(_)) => {}
        Ok(draft) => event::assert_valid(&draft),
        Err(error) => rejection::assert_explained(&error),
    }
});
