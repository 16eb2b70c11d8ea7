//! Types of the list of operations, which is in `lib.rs`.

use std::convert::Infallible;

use api::{cors::Origins, envelope::Response};
use domain::error::Cause;
use http::Method;
use lambda_http::Request;
use serde_json::Value;
use tower::util::BoxCloneSyncService;

use crate::{
    caller::{Caller as _, CallerKind},
    environment::Environment,
    operation::{Cache, Operation},
    service,
};

/// Declares `Operations`, `declarations` and `operation_service`: a line for each operation, with the slug of its
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
        pub fn declarations() -> Vec<$crate::registry::Declaration> {
            let document = serde_json::json!(<Operations as utoipa::OpenApi>::openapi());
            vec![$($crate::registry::Declaration::new::<$operation>($slug, &document),)+]
        }

        /// Builds an operation by its slug; pages of all origins may call it.
        ///
        /// # Errors
        ///
        /// Returns an error if a setting is missing or invalid, or if there is no such operation.
        pub async fn operation_service(
            slug: &str,
            environment: &impl $crate::environment::Environment,
        ) -> Result<$crate::registry::RouteService, domain::error::Cause> {
            match slug {
                $($slug => {
                    Ok($crate::registry::route_service::<$operation>(environment).await?)
                })+
                _ => Err(format!("no operation {slug}").into()),
            }
        }
    };
}

pub(crate) use operations;

/// Operation behind the middleware.
pub type RouteService = BoxCloneSyncService<Request, Response, Infallible>;

/// Operation with its route.
#[derive(Debug)]
pub struct Route {
    /// Declaration of the operation.
    pub declaration: Declaration,
    /// The operation behind the middleware.
    pub service: RouteService,
}

/// Slug and route of an operation, and what else it declares.
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
    /// True if responses depend on `Accept-Encoding`.
    pub negotiates_encoding: bool,
}

/// Builds all operations; pages of all origins may call them.
///
/// # Errors
///
/// Returns an error if a setting is missing or invalid.
pub async fn routes(environment: &impl Environment) -> Result<Vec<Route>, Cause> {
    let mut routes = Vec::new();
    for declaration in crate::declarations() {
        let service = crate::operation_service(declaration.slug, environment).await?;
        routes.push(Route { declaration, service });
    }
    Ok(routes)
}

/// Builds an operation behind the middleware; pages of all origins may call it.
pub(crate) async fn route_service<O: Operation>(environment: &impl Environment) -> Result<RouteService, Cause> {
    Ok(RouteService::new(Box::pin(service::service::<O>(environment, &Origins::Any)).await?))
}

impl Declaration {
    pub(crate) fn new<O: Operation>(slug: &'static str, document: &Value) -> Self {
        let paths = document["paths"].as_object().into_iter().flatten();
        let mut operations = paths.flat_map(|(path, methods)| {
            methods.as_object().into_iter().flatten().map(move |(method, operation)| (path, method, operation))
        });
        let (path, method, _) =
            operations.find(|(.., operation)| operation["operationId"] == slug).expect("an operation with this slug");
        let method = method.to_uppercase().parse().expect("a method");
        Self {
            slug,
            method,
            path: path.clone(),
            caller: O::Caller::KIND,
            cache: O::CACHE,
            negotiates_encoding: O::NEGOTIATES_ENCODING,
        }
    }
}
