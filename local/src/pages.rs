//! Page on which visitors find events, managers run theirs, and members hold seats and change their accounts.

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use uuid::Uuid;

/// HTML of the page. Its placeholders are replaced by [`PARTS`], and `{nonce}` in each response.
const INDEX: &str = include_str!("pages/index.html");

/// Style and scripts of the page, by their placeholders.
const PARTS: [(&str, &str); 11] = [
    ("{page.css}", include_str!("pages/page.css")),
    ("{controls.js}", include_str!("pages/controls.js")),
    ("{form.js}", include_str!("pages/form.js")),
    ("{session.js}", include_str!("pages/session.js")),
    ("{list.js}", include_str!("pages/list.js")),
    ("{search.js}", include_str!("pages/search.js")),
    ("{manager.js}", include_str!("pages/manager.js")),
    ("{account.js}", include_str!("pages/account.js")),
    ("{holds.js}", include_str!("pages/holds.js")),
    ("{seats.js}", include_str!("pages/seats.js")),
    ("{views.js}", include_str!("pages/views.js")),
];

/// Serves `/`.
pub fn router() -> Router {
    Router::new().route("/", get(index))
}

async fn index() -> Response {
    let nonce = Uuid::new_v4().simple().to_string();
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src 'self' data:; \
         connect-src 'self'"
    );
    let index = INDEX.replace("{nonce}", &nonce);
    page(&policy, Html(PARTS.iter().fold(index, |index, (placeholder, part)| index.replace(placeholder, part))))
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
