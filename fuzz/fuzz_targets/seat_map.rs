//! A seat map as it is stored, and what such a map holds before it is compressed.
#![no_main]

use fuzz::event;
use libfuzzer_sys::fuzz_target;
use peak_alloc::PeakAlloc;
use seating::codec;

#[global_allocator]
static ALLOCATED: PeakAlloc = PeakAlloc;

/// What `decode` promises to take at the most, in bytes.
const MOST: usize = 12 * 1024 * 1024;

fn read(stored: &[u8]) {
    ALLOCATED.reset_peak_usage();
    let before = ALLOCATED.current_usage();
    let decoded = codec::decode(stored);
    assert!(ALLOCATED.peak_usage() - before <= MOST);
    if let Ok(decoded) = decoded {
        event::assert_stored(&decoded);
    }
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    let frame = zstd::bulk::compress(bytes, 1).expect("a frame");
    read(&[&[1][..], &frame].concat());
});
