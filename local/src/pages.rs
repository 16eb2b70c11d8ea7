//! Site on which visitors find events and buy seats, and managers run theirs: the files in `local/site`.

use api::error::Error;
use axum::{
    Router,
    extract::{Path, rejection::PathRejection},
    response::{Html, IntoResponse, Response},
    routing::get,
};
use domain::hold_limits::SeatLimit;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use minijinja::{Environment, context};
use rust_embed::Embed;

use crate::gateway;

/// Files of the site.
#[derive(Embed)]
#[folder = "site"]
struct Site;

/// Page of the site.
struct Page {
    /// Address. The script reads the ids in it.
    path: &'static str,
    title: &'static str,
    /// Names of the style sheets besides `site.css`.
    styles: &'static [&'static str],
    script: &'static str,
}

const PAGES: [Page; 14] = [
    Page { path: "/", title: "공연", styles: &["events"], script: "events/list-page" },
    Page { path: "/events/{event}", title: "공연", styles: &["event"], script: "event/event-page" },
    Page {
        path: "/events/{event}/shows/{show}",
        title: "좌석 선택",
        styles: &["hall", "booking", "account"],
        script: "booking/seats-page",
    },
    Page { path: "/login", title: "로그인", styles: &["account"], script: "account/login-page" },
    Page { path: "/join", title: "회원가입", styles: &["account"], script: "account/join-page" },
    Page {
        path: "/forgot-password", title: "비밀번호 찾기", styles: &["account"], script: "account/forgot-page"
    },
    Page {
        path: "/reset-password", title: "비밀번호 다시 정하기", styles: &["account"], script: "account/reset-page"
    },
    Page { path: "/verify-email", title: "이메일 인증", styles: &["account"], script: "account/verify-page" },
    Page { path: "/account", title: "내 정보", styles: &["account"], script: "account/account-page" },
    Page { path: "/tickets", title: "내 예매", styles: &["account", "tickets"], script: "tickets/tickets-page" },
    Page { path: "/manager", title: "공연 관리", styles: &["manager"], script: "manager/manager-page" },
    Page {
        path: "/manager/new",
        title: "공연 등록",
        styles: &["hall", "manager", "registration"],
        script: "registration/registration-page",
    },
    Page {
        path: "/manager/events/{event}",
        title: "공연 관리",
        styles: &["manager", "desk"],
        script: "manager/event-page",
    },
    Page {
        path: "/manager/events/{event}/shows/{show}",
        title: "회차 관리",
        styles: &["manager", "hall", "booking", "desk"],
        script: "manager/show-page",
    },
];

/// Content security policy: files and requests of the service only, and no script or style inside a page. Drawings of
/// halls are images as `data:`.
const POLICY: &str =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'";

/// Serves the pages, and their files below `/site`. Pages know how many seats of a show a member may have.
pub fn router(max_seats: SeatLimit) -> Router {
    let pages = PAGES.iter().fold(Router::new(), |router, entry| {
        let html = entry.html(max_seats);
        router.route(entry.path, get(move || async { page(POLICY, Html(html)) }))
    });
    pages.route("/site/{*name}", get(file))
}

async fn file(name: Result<Path<String>, PathRejection>) -> Response {
    let file = name.ok().and_then(|Path(name)| Site::get(&name));
    let Some(file) = file else { return gateway::error_response(&Error::NoSuchRoute) };
    page(POLICY, ([(CONTENT_TYPE, file.metadata.mimetype().to_owned())], file.data.into_owned()))
}

impl Page {
    fn html(&self, max_seats: SeatLimit) -> String {
        let Self { title, styles, script, .. } = self;
        let context = context! { title, styles, script, max_seats => max_seats.get() };
        let html = Environment::new().render_str(include_str!("pages/page.html"), context);
        html.expect("the template of the pages")
    }
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
