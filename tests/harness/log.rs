//! Log of all services of this process, which contains no user input.

use std::{
    collections::VecDeque,
    io,
    sync::{Mutex, Once},
};

use serde_json::Value;
use tracing_subscriber::{fmt, util::SubscriberInitExt as _};

/// Text that tests send and store in addition to the texts of the samples.
pub const CANARY: &str = "kanarie";

/// Texts in most requests, in stored data, or in secrets.
const CANARIES: [&str; 16] = [
    CANARY,
    "eyJ",
    "비밀번호",
    "example.com",
    "올림픽",
    "김철수",
    "닉네임",
    "봄 콘서트",
    "봄밤의",
    "아이유",
    "1층 A",
    "M10 10h80",
    "poster.png",
    "form-data",
    "WebKitFormBoundary",
    "$argon2",
];

/// Number of the last lines that tests can read.
const KEPT: usize = 5_000;

static LINES: Mutex<VecDeque<Value>> = Mutex::new(VecDeque::new());

/// Starts the log; every service of this process writes to it.
pub(crate) fn init() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let log = fmt().json().flatten_event(true).with_max_level(tracing_subscriber::filter::LevelFilter::INFO);
        log.with_writer(|| Log).finish().init();
    });
}

/// Returns the lines of a request.
#[must_use]
pub fn lines_of(request_id: &str) -> Vec<Value> {
    let lines = LINES.lock().expect("lock of the log");
    lines.iter().filter(|line| line["request_id"] == request_id).cloned().collect()
}

/// Returns the lines that contain this text.
#[must_use]
pub fn lines_with(text: &str) -> Vec<Value> {
    let lines = LINES.lock().expect("lock of the log");
    lines.iter().filter(|line| line.to_string().contains(text)).cloned().collect()
}

/// Writer that fails if a line has user input.
struct Log;

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes);
        let found: Vec<_> = CANARIES.iter().filter(|canary| line.contains(**canary)).collect();
        assert!(found.is_empty(), "the log contains {found:?}: {line}");
        let mut lines = LINES.lock().expect("lock of the log");
        lines.push_back(serde_json::from_str(&line).expect("line of JSON"));
        if lines.len() > KEPT {
            lines.pop_front();
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
