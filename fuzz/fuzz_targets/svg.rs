//! Drawing: inert markup, or a URL.
#![no_main]

use fuzz::drawing;
use libfuzzer_sys::fuzz_target;
use seating::drawing::Drawing;

fuzz_target!(|text: &str| {
    if Drawing::parse(text).is_ok() {
        drawing::assert_valid(text);
    }
});
