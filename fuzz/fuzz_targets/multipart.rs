//! Form with files: its media type in the first line, then its body.
#![no_main]

use api::{error::Error, multipart};
use bytes::Bytes;
use futures_util::FutureExt as _;
use libfuzzer_sys::fuzz_target;
use memchr::memmem;

const NAMES: [&str; 2] = ["request", "thumbnail"];

fn read(content_type: &str, body: Bytes) -> Option<[Bytes; 2]> {
    match multipart::parts(content_type, body, NAMES).now_or_never().expect("the parser waits") {
        Ok(parts) => Some(parts.map(|part| part.content)),
        Err(Error::Form(_)) => None,
        Err(other) => panic!("{other:?}"),
    }
}

/// Writes the parts as a minimal form.
fn write_form(parts: &[Bytes; 2], boundary: &str) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, content) in NAMES.iter().zip(parts) {
        let head = format!("--{boundary}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
        form.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    form.extend(format!("--{boundary}--\r\n").bytes());
    form
}

fuzz_target!(|input: &[u8]| {
    let end = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
    let (line, rest) = input.split_at(end);
    let Ok(content_type) = str::from_utf8(line) else { return };
    let body = Bytes::copy_from_slice(rest.get(1..).unwrap_or_default());
    let Some(parts) = read(content_type, body.clone()) else { return };
    for part in &parts {
        let delimited = [part, &b"\r\n--"[..]].concat();
        assert!(memmem::find(&body, &delimited).is_some(), "a part is not from the body");
    }
    let boundary = "b-1f0c7a5e9d";
    if parts.iter().all(|part| memmem::find(part, boundary.as_bytes()).is_none()) {
        let form = write_form(&parts, boundary);
        assert_eq!(read(&format!("multipart/form-data; boundary={boundary}"), form.into()), Some(parts));
    }
});
