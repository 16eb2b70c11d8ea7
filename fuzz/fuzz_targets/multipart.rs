//! A form with files: its media type in the first line, and its body below.
#![no_main]

use api::{error::Error, multipart};
use bytes::Bytes;
use futures_util::FutureExt as _;
use libfuzzer_sys::fuzz_target;
use memchr::memmem;

const NAMES: [&str; 2] = ["request", "thumbnail"];

fn read(content_type: &str, body: Bytes) -> Option<[Bytes; 2]> {
    match multipart::parts(content_type, body, NAMES).now_or_never().expect("read at once") {
        Ok(parts) => Some(parts),
        Err(Error::Form(_)) => None,
        Err(other) => panic!("{other:?}"),
    }
}

/// The parts in a form that says nothing more.
fn written(parts: &[Bytes; 2], boundary: &str) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, content) in NAMES.iter().zip(parts) {
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        form.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    form.extend(format!("--{boundary}--\r\n").bytes());
    form
}

fuzz_target!(|sent: &[u8]| {
    let end = sent.iter().position(|byte| *byte == b'\n').unwrap_or(sent.len());
    let (line, rest) = sent.split_at(end);
    let Ok(content_type) = str::from_utf8(line) else { return };
    let body = Bytes::copy_from_slice(rest.get(1..).unwrap_or_default());
    let Some(parts) = read(content_type, body.clone()) else { return };
    for part in &parts {
        let sent = [part, &b"\r\n--"[..]].concat();
        assert!(memmem::find(&body, &sent).is_some(), "a part that was not sent");
    }
    let boundary = "b-1f0c7a5e9d";
    if parts.iter().all(|part| memmem::find(part, boundary.as_bytes()).is_none()) {
        let form = written(&parts, boundary);
        assert_eq!(read(&format!("multipart/form-data; boundary={boundary}"), form.into()), Some(parts));
    }
});
