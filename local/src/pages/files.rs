//! Files of the site: its modules, style sheets and icons.
//!
//! Pages name them by the hash of all files, so that browsers can keep them until the next version.

use std::{
    collections::BTreeSet,
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::LazyLock,
};

use api::error::Error;
use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use http::{
    HeaderValue,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use rust_embed::Embed;

use super::{POLICY, page};
use crate::gateway;

#[derive(Embed)]
#[folder = "site"]
struct Site;

/// Cache directive of a file under its hash: a year, the longest that RFC 9111 names.
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// Service worker of the page `/gate`. Without the hash in its address, a browser replaces it by the next version.
const GATE_WORKER: &str = "gate/offline.worker.js";

/// Header with the path below which a service worker may see requests; the default is its folder.
const SERVICE_WORKER_ALLOWED: &str = "service-worker-allowed";

/// Hash of all files.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = DefaultHasher::new();
    for name in Site::iter() {
        (&name, Site::get(&name).map(|file| file.metadata.sha256_hash())).hash(&mut hasher);
    }
    format!("{:016x}", hasher.finish())
});

/// Returns the address of the folder of the files.
pub fn address() -> String {
    format!("/site/{}", *VERSION)
}

/// Responds with a file below `/site`, with or without the hash before its name.
pub async fn respond(name: Result<Path<String>, PathRejection>) -> Response {
    let name = name.map(|Path(name)| name).unwrap_or_default();
    let versioned = name.strip_prefix(&**VERSION).and_then(|name| name.strip_prefix('/'));
    let Some(file) = Site::get(versioned.unwrap_or(&name)) else {
        return gateway::error_response(&Error::NoSuchRoute);
    };
    let content_type = [(CONTENT_TYPE, file.metadata.mimetype().to_owned())];
    let mut response = page(POLICY, (content_type, file.data.into_owned()));
    if name == GATE_WORKER {
        response.headers_mut().insert(SERVICE_WORKER_ALLOWED, HeaderValue::from_static("/gate"));
    }
    if versioned.is_some() {
        response.headers_mut().insert(CACHE_CONTROL, FOR_EVER);
    }
    response
}

/// Returns the names of a module and of all modules that it imports, with those of workers.
///
/// A browser that knows them from the page loads them at once, not one after the other.
pub fn modules(name: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut next = vec![name.to_owned()];
    while let Some(name) = next.pop() {
        let Some(file) = Site::get(&name).filter(|_| !found.contains(&name)) else { continue };
        let code = String::from_utf8_lossy(&file.data);
        next.extend(code.lines().filter_map(imported).map(|path| resolved(&name, path)));
        found.insert(name);
    }
    found
}

/// Returns the path that a line imports, or runs as a worker. The site's format has an import, or the end of one, on a
/// line of its own.
fn imported(line: &str) -> Option<&str> {
    if let Some((_, worker)) = line.split_once("new Worker(new URL(\"") {
        return Some(worker.split_once('"')?.0);
    }
    let is_import = ["import ", "} from ", "export "].iter().any(|start| line.starts_with(start));
    let (_, path) = line.strip_suffix("\";")?.rsplit_once('"')?;
    (is_import && path.starts_with('.')).then_some(path)
}

/// Returns the name of the file to which a path in another file leads.
fn resolved(from: &str, path: &str) -> String {
    let mut parts: Vec<_> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imports_are_followed() {
        let modules = modules("elements/unknown-page.js");
        assert!(["dom.js", "elements/site-header.js", "elements/states.js"].iter().all(|name| modules.contains(*name)));
        assert!(modules.contains("service/session.js"), "imported by an import: {modules:?}");
        assert!(!modules.contains("booking/booking.js"));
    }

    #[test]
    fn paths_are_relative_to_their_file() {
        assert_eq!(imported("import { create } from \"../dom.js\";"), Some("../dom.js"));
        assert_eq!(imported("} from \"./a.js\";"), Some("./a.js"));
        assert_eq!(imported("import \"./a.js\";"), Some("./a.js"));
        assert_eq!(imported("x = new Worker(new URL(\"b.js\", import.meta.url));"), Some("b.js"));
        assert_eq!(imported("const text = \"./a.js\";"), None);
        assert_eq!(resolved("a/b.js", "./c.js"), "a/c.js");
        assert_eq!(resolved("a/b.js", "../c/d.js"), "c/d.js");
    }
}
