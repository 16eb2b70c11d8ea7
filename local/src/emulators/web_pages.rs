//! Protection of the emulators, the mailbox and the practice payments from web pages in the developer's browser.

use std::net::IpAddr;

use axum::{
    extract::Request,
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use http::{
    HeaderMap, HeaderValue, StatusCode,
    header::{HOST, ORIGIN},
    uri::Authority,
};

/// Header by which a browser says where a request comes from.
const SEC_FETCH_SITE: &str = "sec-fetch-site";

/// Rejects requests of web pages, without CORS headers.
///
/// The emulators check no credentials, so a page could otherwise read and change all data.
pub async fn reject(request: Request, next: Next) -> Response {
    if comes_from_page(request.headers()) {
        let reason = "The emulators accept no requests of web pages, and no host except an IP address or localhost.\n";
        return (StatusCode::FORBIDDEN, reason).into_response();
    }
    next.run(request).await
}

/// Rejects requests to a host name, for pages that a browser may show.
pub async fn reject_host_names(request: Request, next: Next) -> Response {
    if names_machine(request.headers()) {
        return next.run(request).await;
    }
    (StatusCode::FORBIDDEN, "Open this page at localhost or an IP address.\n").into_response()
}

/// Returns true if a page of this service sent a request, as its browser says.
pub fn comes_from_own_page(headers: &HeaderMap) -> bool {
    let origin = headers.get(ORIGIN).and_then(|origin| origin.as_bytes().strip_prefix(b"http://"));
    names_machine(headers) && origin == headers.get(HOST).map(HeaderValue::as_bytes)
}

/// Returns true if a browser sent a request for a page, or if the host has a name.
fn comes_from_page(headers: &HeaderMap) -> bool {
    headers.contains_key(ORIGIN) || headers.contains_key(SEC_FETCH_SITE) || !names_machine(headers)
}

/// Returns true if the host is `localhost` or an IP address.
///
/// With a name of its own that resolves to this machine, a page would look like one of this machine (DNS rebinding).
/// Nobody else controls the name `localhost`, or what an address means.
fn names_machine(headers: &HeaderMap) -> bool {
    let Some(host) = headers.get(HOST).and_then(|host| Authority::try_from(host.as_bytes()).ok()) else { return false };
    let host = host.host();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    host.eq_ignore_ascii_case("localhost") || address.parse::<IpAddr>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn host(host: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(HOST, HeaderValue::from_static(host))])
    }

    #[test]
    fn own_page_has_origin_of_its_host() {
        for (origin, host, is_own) in [
            ("http://127.0.0.1:3000", "127.0.0.1:3000", true),
            ("http://localhost:3000", "localhost:3000", true),
            ("http://localhost:5173", "localhost:3000", false),
            ("http://page.example:3000", "127.0.0.1:3000", false),
            ("http://page.example:3000", "page.example:3000", false),
            ("null", "127.0.0.1:3000", false),
        ] {
            let [origin_value, host_value] = [origin, host].map(HeaderValue::from_static);
            let headers = HeaderMap::from_iter([(ORIGIN, origin_value), (HOST, host_value)]);
            assert_eq!(comes_from_own_page(&headers), is_own, "{origin} {host}");
        }
        assert!(!comes_from_own_page(&host("127.0.0.1:3000")));
    }

    #[test]
    fn only_addresses_and_localhost_are_hosts() {
        for program in ["127.0.0.1:8000", "[::1]:8000", "172.17.0.1", "localhost:8000", "LOCALHOST"] {
            assert!(!comes_from_page(&host(program)), "{program}");
        }
        for page in ["page.example:8000", "127.0.0.1.page.example", "localhost.page.example", "[::1", "a b", ""] {
            assert!(comes_from_page(&host(page)), "{page}");
        }
        assert!(comes_from_page(&HeaderMap::new()));
    }
}
