//! Stored seat maps, and their content before compression.
#![no_main]

use fuzz::event;
use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;
use seating::codec;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// Maximum memory of `decode`, in bytes.
const MAX_MEMORY: usize = 30 * 1024 * 1024;

fn check_decoding(stored: &[u8]) {
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let decoded = codec::decode(stored);
    assert!(ALLOCATED.peak_usage() - before <= MAX_MEMORY);
    if let Ok(decoded) = decoded {
        event::assert_round_trip(&decoded);
    }
}

fuzz_target!(|bytes: &[u8]| {
    check_decoding(bytes);
    let frame = zstd::bulk::compress(bytes, 1).expect("compression failed");
    check_decoding(&[&[1][..], &frame].concat());
});
