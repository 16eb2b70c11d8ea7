//! List of the last changes: for people at `/changes`, and for programs at `/changes.json`.

use axum::{
    Router,
    extract::State,
    middleware::from_fn,
    response::{Html, IntoResponse as _, Response},
    routing::get,
};
use domain::{error::Cause, instant::Instant};
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_TYPE},
};
use minijinja::{Environment, context};
use serde_json::Value;

use crate::{
    changes::{ChangeLog, LoggedChange},
    emulators::web_pages::reject_host_names,
    pages,
};

/// Serves the changes, but not to pages of other hosts.
pub fn router(log: ChangeLog) -> Router {
    Router::new()
        .route("/changes", get(page))
        .route("/changes.json", get(json))
        .layer(from_fn(reject_host_names))
        .with_state(log)
}

async fn json(State(log): State<ChangeLog>) -> Response {
    match log.newest() {
        Ok(changes) => {
            let events: Vec<_> = changes.into_iter().map(|change| change.event).collect();
            let headers = [(CACHE_CONTROL, "no-store"), (CONTENT_TYPE, "application/json")];
            (headers, format!("[{}]", events.join(","))).into_response()
        }
        Err(error) => failure(&error),
    }
}

async fn page(State(log): State<ChangeLog>) -> Response {
    match log.newest().and_then(|changes| render(&changes)) {
        Ok(html) => pages::page("default-src 'none'; style-src 'self' 'unsafe-inline'; img-src data:", Html(html)),
        Err(error) => failure(&error),
    }
}

fn render(changes: &[LoggedChange]) -> Result<String, Cause> {
    let mut environment = Environment::new();
    environment.add_filter("in_korea", |at: &str| Instant::from_text(at).map(Instant::in_korea).unwrap_or_default());
    environment.add_filter("label", |kind: &str| label(kind).to_owned());
    // The end of the name makes the template escape all values.
    environment.add_template("changes.html", include_str!("page.html"))?;
    let shown = |change: &LoggedChange| {
        let event: Value = serde_json::from_str(&change.event)?;
        let json = serde_json::to_string_pretty(&event)?;
        Ok::<_, Cause>(context! { event => event, json => json, is_pending => change.is_pending })
    };
    let changes = changes.iter().map(shown).collect::<Result<Vec<_>, _>>()?;
    Ok(environment.get_template("changes.html")?.render(context! { changes => changes })?)
}

/// Returns the Korean name of a kind of change.
fn label(kind: &str) -> &str {
    match kind {
        "event.published" => "공연 공개",
        "event.hidden" => "공연 비공개",
        "event.changed" => "공연 정보 변경",
        "event.deleted" => "공연 삭제",
        "show.added" => "회차 추가",
        "show.removed" => "회차 삭제",
        "show.changed" => "회차 변경",
        "sale.confirmed" => "판매",
        "sale.cancelled" => "판매 취소",
        "member.joined" => "회원 가입",
        "member.changed" => "회원 정보 변경",
        "member.withdrawn" => "회원 탈퇴",
        "ticket.admitted" => "입장",
        "ticket.removed" => "입장 취소",
        other => other,
    }
}

fn failure(error: &Cause) -> Response {
    tracing::error!(error, "changes cannot be listed");
    StatusCode::INTERNAL_SERVER_ERROR.into_response()
}
