//! The only list of the operations.

use std::convert::Infallible;

use api::{cors::Origins, envelope::Response};
use domain::error::Cause;
use http::Method;
use lambda_http::Request;
use serde_json::{Value, json};
use tower::util::BoxCloneSyncService;
use utoipa::OpenApi as _;

use crate::{
    auth,
    caller::{Caller as _, CallerKind},
    environment::Environment,
    events, holds, managers, members,
    operation::{Cache, Operation},
    seats, service,
};

/// Declares [`Operations`], [`declarations`] and [`service`]: a line for each operation, with the slug of its
/// `operation_id`, its description, and its type.
macro_rules! operations {
    ($($slug:literal $($description:ident)::+ => $operation:ty,)+) => {
        /// Descriptions of all operations for clients.
        #[derive(Debug, utoipa::OpenApi)]
        #[openapi(paths($($($description)::+,)+))]
        pub struct Operations;

        /// Returns what each operation declares.
        ///
        /// # Panics
        ///
        /// Panics if the `operation_id` of an operation is not its slug.
        #[must_use]
        pub fn declarations() -> Vec<Declaration> {
            let document = json!(Operations::openapi());
            vec![$(Declaration::new::<$operation>($slug, &document),)+]
        }

        /// Builds an operation by its slug; pages of all origins may call it.
        ///
        /// # Errors
        ///
        /// Returns an error if a setting is missing or invalid, or if there is no such operation.
        pub async fn service(slug: &str, environment: &impl Environment) -> Result<RouteService, Cause> {
            match slug {
                $($slug => {
                    let service = service::service::<$operation>(environment, &Origins::Any);
                    Ok(RouteService::new(Box::pin(service).await?))
                })+
                _ => Err(format!("no operation {slug}").into()),
            }
        }
    };
}

operations! {
    "members-join" members::join::operation => members::join::Join,
    "members-login" members::login::operation => members::login::Login,
    "members-edit" members::edit::operation => members::edit::Edit,
    "members-withdraw" members::withdraw::operation => members::withdraw::Withdraw,
    "members-get" members::get::operation => members::get::Get,
    "members-nickname" members::nickname::operation => members::nickname::ChangeNickname,
    "holds-create" holds::create::operation => holds::create::Create,
    "holds-get" holds::get::operation => holds::get::Get,
    "holds-release" holds::release::operation => holds::release::Release,
    "holds-confirm" holds::confirm::operation => holds::confirm::Confirm,
    "holds-cancel" holds::cancel::operation => holds::cancel::Cancel,
    "auth-join" members::join::operation_at_auth => members::join::Join,
    "auth-login" auth::login::operation => auth::login::Login,
    "auth-refresh" auth::refresh::operation => auth::refresh::Refresh,
    "auth-logout" auth::logout::operation => auth::logout::Logout,
    "auth-keys" auth::keys::operation => auth::keys::Keys,
    "auth-configuration" auth::configuration::operation => auth::configuration::Configuration,
    "events-create" events::create::operation => events::create::Create,
    "events-list" events::list::operation => events::list::List,
    "events-get" events::get::operation => events::get::Get,
    "events-detail" events::detail::operation => events::detail::Detail,
    "seats-availability" seats::availability::operation => seats::availability::Availability,
    "seats-list" seats::list::operation => seats::list::List,
    "seats-block" seats::block::operation => seats::block::Block,
    "seats-unblock" seats::unblock::operation => seats::unblock::Unblock,
    "events-seat-map" events::seat_map::operation => events::seat_map::SeatMap,
    "events-edit" events::edit::operation => events::edit::Edit,
    "events-thumbnail" events::thumbnail::operation => events::thumbnail::ReplaceThumbnail,
    "events-delete" events::delete::operation => events::delete::Delete,
    "events-restore" events::restore::operation => events::restore::Restore,
    "managers-events" managers::events::operation => managers::events::OwnEvents,
}

/// Operation behind the middleware.
pub type RouteService = BoxCloneSyncService<Request, Response, Infallible>;

/// Operation with its route.
#[derive(Debug)]
pub struct Route {
    /// What the operation declares.
    pub declaration: Declaration,
    /// The operation behind the middleware.
    pub service: RouteService,
}

/// What an operation declares.
#[derive(Clone, Debug)]
pub struct Declaration {
    /// Name, such as `events-get`.
    pub slug: &'static str,
    /// Method of its requests.
    pub method: Method,
    /// Path such as `/api/v1/events/{eventId}`.
    pub path: String,
    /// Kind of the identity that it needs.
    pub caller: CallerKind,
    /// Time for which caches may keep a success.
    pub cache: Cache,
}

/// Builds all operations; pages of all origins may call them.
///
/// # Errors
///
/// Returns an error if a setting is missing or invalid.
pub async fn routes(environment: &impl Environment) -> Result<Vec<Route>, Cause> {
    let mut routes = Vec::new();
    for declaration in declarations() {
        let service = service(declaration.slug, environment).await?;
        routes.push(Route { declaration, service });
    }
    Ok(routes)
}

impl Declaration {
    fn new<O: Operation>(slug: &'static str, document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let mut operations = paths.flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, operation))
        });
        let (path, method, _) =
            operations.find(|(.., operation)| operation["operationId"] == slug).expect("an operation with this slug");
        let method = method.to_uppercase().parse().expect("a method");
        Self { slug, method, path: path.clone(), caller: O::Caller::KIND, cache: O::CACHE }
    }
}
