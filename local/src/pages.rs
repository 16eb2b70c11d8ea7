//! Page with the registered events.

use axum::{
    Router,
    response::{Html, IntoResponse, Response},
    routing::get,
};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use uuid::Uuid;

/// HTML of the page with its style and script. `{nonce}` is replaced in each response.
const INDEX: &str = include_str!("pages/index.html");

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
    page(&policy, Html(INDEX.replace("{nonce}", &nonce)))
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
