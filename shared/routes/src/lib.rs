//! All functions with a route.
//!
//! This is the only list of them: the local stack, the `OpenAPI` document and the tests take their routes from it. Each
//! function describes its own operation, above its handler.

use std::convert::Infallible;

use api::{
    cors::Origins,
    envelope::Response,
    serve::{self, Handler},
};
use credentials::session::{AccessVerifier, Profiles, TokenIssuer};
use domain::{
    clock::Clock,
    cursor::CursorKey,
    error::Cause,
    hold::HoldLimits,
    password::{Hasher, Password},
    session::{AccessLifetime, RefreshKey, Rotation, SessionSecret},
};
use http::Method;
use lambda_http::Request;
use serde_json::{Value, json};
use storage::{blocks::Blocks, event::Events, holds::Holds, poster::Posters, shows::Shows, table::Table};
use tower::util::BoxCloneSyncService;
use utoipa::OpenApi;

pub use {
    auth_keys, auth_login, auth_logout, auth_refresh, events_create, events_delete, events_detail, events_edit,
    events_get, events_list, events_restore, events_seat_map, events_thumbnail, holds_cancel, holds_confirm,
    holds_create, holds_get, holds_release, managers_events, members_edit, members_get, members_join, members_login,
    members_nickname, members_withdraw, seats_availability, seats_block, seats_list,
};

/// Operations of all functions.
#[derive(Debug, OpenApi)]
#[openapi(paths(
    members_join::operation,
    members_login::operation,
    members_edit::operation,
    members_withdraw::operation,
    members_get::operation,
    members_nickname::operation,
    holds_create::operation,
    holds_get::operation,
    holds_release::operation,
    holds_confirm::operation,
    holds_cancel::operation,
    members_join::operation_at_auth,
    auth_login::operation,
    auth_refresh::operation,
    auth_logout::operation,
    auth_keys::operation,
    auth_keys::configuration,
    events_create::operation,
    events_list::operation,
    events_get::operation,
    events_detail::operation,
    seats_availability::operation,
    seats_list::operation,
    seats_block::operation,
    seats_block::removal,
    events_seat_map::operation,
    events_edit::operation,
    events_thumbnail::operation,
    events_delete::operation,
    events_restore::operation,
    managers_events::operation,
))]
pub struct Operations;

/// Stores and settings of the functions.
#[derive(Debug)]
pub struct Resources {
    /// The table.
    pub table: Table,
    /// The bucket of the posters.
    pub posters: Posters,
    /// Key that authenticates cursors.
    pub cursors: CursorKey,
    /// Argon2id parameters of new hashes, in PHC notation.
    pub argon2_params: &'static str,
    /// Settings of members' sessions.
    pub sessions: SessionSettings,
    /// Limits of holds.
    pub holds: HoldLimits,
    /// Clock that decides which holds have expired.
    pub clock: Clock,
}

/// Settings of members' sessions.
#[derive(Clone, Debug)]
pub struct SessionSettings {
    /// Secret from which the keys are derived.
    pub secret: SessionSecret,
    /// Number of the key that signs access tokens.
    pub rotation: Rotation,
    /// Audience of access tokens.
    pub audience: String,
    /// Lifetime of access tokens.
    pub lifetime: AccessLifetime,
}

/// A function behind the shared middleware.
pub type RouteService = BoxCloneSyncService<Request, Response, Infallible>;

/// Function with its route.
#[derive(Debug)]
pub struct Route {
    /// Method of its requests.
    pub method: Method,
    /// Path such as `/api/v1/events/{eventId}`.
    pub path: String,
    /// True if the gateway authorizes a manager first.
    pub is_for_managers: bool,
    /// The function behind the shared middleware; pages of all origins may call it.
    pub service: RouteService,
}

/// Builds all functions with their routes.
///
/// # Errors
///
/// Returns an error if the Argon2id parameters are invalid, or if a function describes no operation.
pub async fn routes(resources: Resources) -> Result<Vec<Route>, Cause> {
    let Resources { table, posters, cursors, argon2_params, sessions, holds: limits, clock } = resources;
    let SessionSettings { secret, rotation, audience, lifetime } = sessions;
    let table = || table.clone();
    let tokens = || TokenIssuer::start(table(), &secret, rotation, audience.clone(), lifetime);
    let verifier = || AccessVerifier::new(table(), rotation, audience.clone());
    let holds = || Holds::new(table(), clock.clone());
    let blocks = || Blocks::new(table(), clock.clone());
    let events = || Events::new(table()).with_clock(clock.clone());
    let shows = || Shows::new(table(), clock.clone());
    let profiles = || Profiles::new(table(), verifier());
    let hasher = || argon2_params.parse::<Hasher>();
    let document = json!(Operations::openapi());
    [
        ("members-join", service(members_join::Join::new(table(), hasher()?, Password::parse))),
        ("members-login", service(members_login::Login::new(table(), hasher()?))),
        ("members-edit", service(members_edit::Edit::new(table(), hasher()?, Password::parse))),
        ("members-withdraw", service(members_withdraw::Withdraw::new(table(), hasher()?))),
        ("members-get", service(members_get::Get::new(profiles()))),
        ("members-nickname", service(members_nickname::ChangeNickname::new(profiles()))),
        ("holds-create", service(holds_create::Create::new(verifier(), holds(), limits))),
        ("holds-get", service(holds_get::Get::new(verifier(), holds()))),
        ("holds-release", service(holds_release::Release::new(verifier(), holds()))),
        ("holds-confirm", service(holds_confirm::Confirm::new(holds()))),
        ("holds-cancel", service(holds_cancel::Cancel::new(holds()))),
        ("auth-join", service(members_join::Join::new(table(), hasher()?, Password::parse))),
        ("auth-login", service(auth_login::Login::new(table(), hasher()?, tokens().await))),
        ("auth-refresh", service(auth_refresh::Refresh::new(table(), tokens().await))),
        ("auth-logout", service(auth_logout::Logout::new(table(), RefreshKey::derive(&secret)))),
        ("auth-keys", service(auth_keys::Keys::new(&secret, rotation))),
        ("auth-configuration", service(auth_keys::Keys::new(&secret, rotation))),
        ("events-create", service(events_create::Create::new(table(), posters.clone()))),
        ("events-list", service(events_list::List::new(table(), cursors.clone()))),
        ("events-get", service(events_get::Get::new(table()))),
        ("events-detail", service(events_detail::Detail::new(table()))),
        ("seats-availability", service(seats_availability::Availability::new(shows()))),
        ("seats-list", service(seats_list::List::new(shows()))),
        ("seats-block", service(seats_block::Block::new(blocks()))),
        ("seats-unblock", service(seats_block::Block::new(blocks()))),
        ("events-seat-map", service(events_seat_map::SeatMap::new(table()))),
        ("events-edit", service(events_edit::Edit::new(events()))),
        ("events-thumbnail", service(events_thumbnail::ReplaceThumbnail::new(table(), posters.clone()))),
        ("events-delete", service(events_delete::Delete::new(events()))),
        ("events-restore", service(events_restore::Restore::new(table()))),
        ("managers-events", service(managers_events::OwnEvents::new(table(), cursors.clone()))),
    ]
    .into_iter()
    .map(|(slug, service)| route(&document, slug, service).ok_or_else(|| format!("{slug} has no operation").into()))
    .collect()
}

fn service(handler: impl Handler) -> RouteService {
    RouteService::new(serve::service(handler, &Origins::Any))
}

fn route(document: &Value, slug: &str, service: RouteService) -> Option<Route> {
    let paths = document["paths"].as_object()?;
    let operations = paths.iter().flat_map(|(path, methods)| {
        methods.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, operation))
    });
    let (path, method, operation) = operations.into_iter().find(|(.., operation)| operation["operationId"] == slug)?;
    let schemes = operation["security"].as_array();
    Some(Route {
        method: method.to_uppercase().parse().ok()?,
        path: path.clone(),
        is_for_managers: schemes.is_some_and(|schemes| schemes.iter().any(|scheme| scheme.get("manager").is_some())),
        service,
    })
}
