//! Site on which visitors find events and buy seats, and managers run theirs: the files in `local/site`.

mod calendar;
mod crawlers;
mod event_metadata;
mod files;
mod unknown;

use api::error::{Error as ApiError, Limit};
use axum::{
    Router,
    extract::{RawPathParams, Request, rejection::StringRejection},
    middleware::{Next, from_fn},
    response::{Html, IntoResponse, Response},
    routing::{get, post},
};
use domain::{error::Error, event::Event, hold_limits::SeatLimit, id, manager::EventScope};
use functions::tickets::qr;
use http::{
    StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};
use minijinja::{Environment, context};
use storage::events::event_store::Events;

use crate::gateway;
use event_metadata::EventMetadata;

/// Page of the site.
struct Page {
    /// Address. The script reads the ids in it.
    path: &'static str,
    title: &'static str,
    /// Names of the style sheets besides `site.css`.
    styles: &'static [&'static str],
    script: &'static str,
}

const PAGES: [Page; 16] = [
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
    Page {
        path: "/tickets/{event}/{show}/{hold}",
        title: "예매 내역",
        styles: &["account", "hall", "tickets", "door-ticket"],
        script: "tickets/order-page",
    },
    Page { path: "/gate", title: "입장 확인", styles: &["gate"], script: "gate/gate-page" },
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
        styles: &["manager", "hall", "booking", "desk", "door-ticket"],
        script: "manager/show-page",
    },
];

/// Page of addresses that have none.
const UNKNOWN: Page =
    Page { path: "", title: "페이지를 찾을 수 없어요", styles: &[], script: "elements/unknown-page" };

/// Content security policy: files and requests of the service only, and no script or style inside a page. Drawings of
/// halls are images as `data:`.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; manifest-src 'self'";

/// Settings and data that the pages show.
#[derive(Clone, Debug)]
pub struct Service {
    /// Address of the site, without a slash at its end.
    pub address: String,
    /// Events, for the metadata of their pages.
    pub events: Events,
    /// Number of seats of a show that a member may have.
    pub max_seats: SeatLimit,
}

/// Serves the pages, and their files below `/site`.
pub fn router(service: &Service) -> Router {
    let pages = PAGES.iter().fold(Router::new(), |router, entry| {
        let service = service.clone();
        router.route(entry.path, get(move |ids: RawPathParams| async move { entry.respond(&service, &ids).await }))
    });
    let robots = crawlers::robots(&service.address);
    let Service { address, events, .. } = service.clone();
    let service = service.clone();
    let calendar = move |ids| async move { calendar::respond(&service, ids).await };
    pages
        .route("/events/{event}/shows/{show}/calendar.ics", get(calendar))
        .route("/robots.txt", get(|| async { robots }))
        .route("/sitemap.xml", get(move || async move { crawlers::sitemap(&events, &address).await }))
        .route("/site/{*name}", get(files::respond))
        .route("/qr", post(qr_code))
}

/// Lets browsers see a page at unknown addresses of a router.
pub fn with_unknown_page(router: Router, service: &Service) -> Router {
    let html = UNKNOWN.html(service, None);
    router.layer(from_fn(move |request: Request, next: Next| unknown::respond(request, next, html.clone())))
}

/// Draws the text in the body of a request as a QR code. It may be a secret, which an address would tell to logs.
async fn qr_code(text: Result<String, StringRejection>) -> Response {
    match text.ok().and_then(|text| qr::picture(&text)) {
        Some(picture) => page(POLICY, ([(CONTENT_TYPE, "image/svg+xml")], picture)),
        None => gateway::error_response(&ApiError::TooLarge(Limit::Body(qr::MAX_BYTES))),
    }
}

impl Page {
    async fn respond(&self, service: &Service, ids: &RawPathParams) -> Response {
        let id = |name| ids.iter().find(|(known, _)| *known == name).map(|(_, id)| id::parse(id));
        let event = match id("event") {
            Some(event) if self.path.starts_with("/events/") => event,
            _ => return page(POLICY, Html(self.html(service, None))),
        };
        let found = match event {
            Some(event) => service.events.get_with_seats(event, EventScope::PUBLIC).await,
            None => Err(Error::NoSuchEvent),
        };
        let has_show =
            |event: &Event| id("show").is_none_or(|show| event.shows.iter().any(|known| Some(known.id) == show));
        match found {
            Ok((event, hall)) if has_show(&event) => {
                let metadata = EventMetadata::new(&event, &hall, &service.address);
                page(POLICY, Html(self.html(service, Some(&metadata))))
            }
            // The script says what is missing.
            Ok(_) | Err(Error::NoSuchEvent) => {
                (StatusCode::NOT_FOUND, page(POLICY, Html(self.html(service, None)))).into_response()
            }
            Err(_) => page(POLICY, Html(self.html(service, None))),
        }
    }

    fn html(&self, service: &Service, event: Option<&EventMetadata>) -> String {
        let Self { path, title, styles, script } = self;
        // The page of seats has the same content as that of its event, for search engines.
        let is_indexed = *path == "/" || event.is_some();
        let Service { address, max_seats, .. } = service;
        let max_seats = max_seats.get();
        let (files, modules) = (files::address(), files::modules(&format!("{script}.js")));
        let is_list = *path == "/";
        let context =
            context! { title, styles, script, max_seats, address, event, is_indexed, is_list, files, modules };
        // The name ends the escaping of HTML.
        let html = Environment::new().render_named_str("page.html", include_str!("pages/page.html"), context);
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
