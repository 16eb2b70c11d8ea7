//! Addresses without a page: people get a page that says so, and programs the envelope.

use axum::{
    extract::Request,
    middleware::Next,
    response::{Html, IntoResponse as _, Redirect, Response},
};
use http::{Method, StatusCode, header::ACCEPT};

use super::{POLICY, page};

/// Lists of which the site has one page, under another address.
const MOVED: [(&str, &str); 1] = [("/events", "/")];

/// Replaces the response to a browser that opens an unknown address: by a redirection to the address without a slash at
/// its end, or by a page.
pub async fn respond(request: Request, next: Next, unknown: String) -> Response {
    let is_page = request.method() == Method::GET && accepts_html(&request) && !is_for_programs(request.uri().path());
    let path = request.uri().path().to_owned();
    let response = next.run(request).await;
    if !is_page || response.status() != StatusCode::NOT_FOUND || is_html(&response) {
        return response;
    }
    match redirection(&path) {
        Some(target) => Redirect::permanent(&target).into_response(),
        None => (StatusCode::NOT_FOUND, page(POLICY, Html(unknown))).into_response(),
    }
}

/// Returns the address to which another one leads. It is one of this site, since it has only characters of its paths.
fn redirection(path: &str) -> Option<String> {
    let is_plain = path.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-".contains(&byte));
    let trimmed = path.strip_suffix('/').unwrap_or(path);
    if let Some((_, target)) = MOVED.iter().find(|(moved, _)| *moved == trimmed) {
        return Some((*target).to_owned());
    }
    (is_plain && trimmed.len() < path.len() && !path.contains("//")).then(|| trimmed.to_owned())
}

fn accepts_html(request: &Request) -> bool {
    let accept = request.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok());
    accept.is_some_and(|accept| accept.split(',').any(|range| range.trim().starts_with("text/html")))
}

/// Returns true if only programs request a path.
fn is_for_programs(path: &str) -> bool {
    ["/api/", "/site/", "/upload/", "/docs/", "/.well-known/"].iter().any(|start| path.starts_with(start))
}

fn is_html(response: &Response) -> bool {
    response.headers().get(http::header::CONTENT_TYPE).is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_slash_at_end_is_removed() {
        for (path, target) in [
            ("/tickets/", Some("/tickets")),
            ("/manager/new/", Some("/manager/new")),
            ("/events", Some("/")),
            ("/events/", Some("/")),
            ("/nothing", None),
            ("//page.example/", None),
            ("/\\page.example/", None),
            ("/%5Cpage.example/", None),
        ] {
            assert_eq!(redirection(path).as_deref(), target, "{path}");
        }
    }
}
