//! Site on which visitors find events and buy seats, and managers run theirs: the files in `local/site`.

use api::error::Error;
use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    response::{IntoResponse, Response},
    routing::get,
};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use rust_embed::Embed;

use crate::gateway;

/// Files of the site.
#[derive(Embed)]
#[folder = "site"]
struct Site;

/// Pages with their addresses. The scripts of a page read ids from its address.
const PAGES: [(&str, &str); 14] = [
    ("/", "index.html"),
    ("/events/{event}", "event.html"),
    ("/events/{event}/shows/{show}", "seats.html"),
    ("/login", "login.html"),
    ("/join", "join.html"),
    ("/forgot-password", "forgot-password.html"),
    ("/reset-password", "reset-password.html"),
    ("/verify-email", "verify-email.html"),
    ("/account", "account.html"),
    ("/tickets", "tickets.html"),
    ("/manager", "manager.html"),
    ("/manager/new", "new-event.html"),
    ("/manager/events/{event}", "managed-event.html"),
    ("/manager/events/{event}/shows/{show}", "managed-show.html"),
];

/// Content security policy: files and requests of the service only, and no script or style inside a page. Drawings of
/// halls are images as `data:`.
const POLICY: &str =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

/// Serves the pages, and their files below `/site`.
pub fn router() -> Router {
    let pages =
        PAGES.iter().fold(Router::new(), |router, &(path, name)| router.route(path, get(|| async { file(name) })));
    pages.route("/site/{*name}", get(named_file))
}

async fn named_file(name: Result<Path<String>, PathRejection>) -> Response {
    name.map_or_else(|_| gateway::error_response(&Error::NoSuchRoute), |Path(name)| file(&name))
}

fn file(name: &str) -> Response {
    let Some(file) = Site::get(name) else { return gateway::error_response(&Error::NoSuchRoute) };
    page(POLICY, ([(CONTENT_TYPE, file.metadata.mimetype().to_owned())], file.data.into_owned()))
}

/// Adds the content security policy and other headers; no page can be framed or send a form.
pub fn page(policy: &str, content: impl IntoResponse) -> Response {
    let policy = format!("{policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    let headers = [
        (CONTENT_SECURITY_POLICY, policy.as_str()),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
    ];
    (headers, content).into_response()
}
