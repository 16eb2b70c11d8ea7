//! Files for search engines: which pages they may read, and a list of the events.

use std::fmt::Write as _;

use axum::response::{IntoResponse as _, Response};
use domain::error::Error;
use http::header::CONTENT_TYPE;
use storage::events::event_store::Events;

use crate::gateway;

/// Maximum number of addresses in a sitemap (<https://www.sitemaps.org/protocol.html>). The newest events are in it.
const MAX_ADDRESSES: usize = 50_000;

/// Number of events of a read.
const PAGE: usize = 1_000;

/// Returns the rules for crawlers (RFC 9309): pages that are about one person or about managers are not for them.
pub fn robots(site: &str) -> String {
    let paths = ["/account", "/tickets", "/gate", "/manager", "/mail", "/changes", "/reset-password", "/verify-email"];
    let rules = paths.map(|path| format!("Disallow: {path}\n")).concat();
    format!("User-agent: *\n{rules}Sitemap: {site}/sitemap.xml\n")
}

/// Responds with the addresses of the list and of all live events.
pub async fn sitemap(events: &Events, site: &str) -> Response {
    match addresses(events, site).await {
        Ok(xml) => ([(CONTENT_TYPE, "application/xml; charset=utf-8")], xml).into_response(),
        Err(error) => gateway::error_response(&error.into()),
    }
}

async fn addresses(events: &Events, site: &str) -> Result<String, Error> {
    let mut xml =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
            .to_owned();
    // Addresses have no characters that XML escapes.
    let _ = writeln!(xml, "<url><loc>{site}/</loc></url>");
    let (mut left, mut after) = (MAX_ADDRESSES - 1, None);
    while left > 0 {
        let page = events.list(left.min(PAGE), after).await?;
        left -= page.events.len();
        for (id, _) in &page.events {
            let _ = writeln!(xml, "<url><loc>{site}/events/{id}</loc></url>");
        }
        after = page.next;
        if after.is_none() {
            break;
        }
    }
    Ok(xml + "</urlset>\n")
}
