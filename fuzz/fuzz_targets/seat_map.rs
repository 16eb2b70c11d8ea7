//! Stored seat maps, and their content before compression.
#![no_main]

use libfuzzer_sys::fuzz_target;
use seating::codec;

fuzz_target!(|bytes: &[u8]| {
    let _ = codec::decode(bytes);
    let _ = codec::decode(&zstd::bulk::compress(bytes, 1).expect("compression failed"));
});
