//! Imitation of API Gateway in front of the functions.
//!
//! An HTTP request becomes a REST proxy event, passes through the adapter of the deployed functions,
//! and the proxy response becomes an HTTP response.

mod event;
mod function;

use std::{
    collections::{BTreeMap, HashMap},
    sync::Arc,
};

use api::{cors::EXPOSED_HEADERS, envelope, error::Error};
use axum::{
    Router,
    body::Body,
    extract::{RawPathParams, Request},
    middleware::map_response,
    response::Response,
    routing::any,
};
use functions::service;
use http::{
    HeaderValue,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW},
};
use uuid::Uuid;

pub use function::Function;

/// Route of preflights of unknown paths, as in template.yaml.
const UNKNOWN_PATH: &str = "/{proxy+}";

/// Routes requests to the functions, and sends gateway responses for unknown routes.
///
/// Preflights of a path go to one function of this path, as in template.yaml. Another one responds to those of
/// unknown paths, so that a page can read the 404.
pub fn router(functions: Vec<Function>, other_routes: Router) -> Router {
    let preflight_of_unknown_path = functions.first().map(|function| function.preflight(UNKNOWN_PATH));
    let fallback = move |request: Request| async move {
        match preflight_of_unknown_path {
            Some(preflight) if request.method() == preflight.method() => {
                preflight.respond(HashMap::new(), request).await
            }
            _ => error_response(&Error::NoSuchRoute),
        }
    };
    let mut by_path: BTreeMap<Arc<str>, Vec<Function>> = BTreeMap::new();
    for function in functions {
        let preflight = function.preflight(function.path());
        by_path.entry(Arc::clone(function.path())).or_insert_with(|| vec![preflight]).push(function);
    }
    let router =
        by_path.into_iter().fold(Router::new(), |router, (path, functions)| add_path(router, &path, functions));
    let other_routes = other_routes.fallback(fallback.clone()).method_not_allowed_fallback(fallback);
    router.fallback_service(other_routes).layer(map_response(allow_preflight))
}

/// Routes the requests of a path to its functions by their methods; API Gateway treats HEAD as any other method.
fn add_path(router: Router, path: &str, functions: Vec<Function>) -> Router {
    let methods: Vec<_> = functions.iter().map(|function| function.method().as_str()).collect();
    let allow = HeaderValue::from_str(&methods.join(",")).expect("methods are tokens");
    let functions: Arc<[Function]> = functions.into();
    let handler = move |parameters: Result<RawPathParams, _>, request: Request| async move {
        let Some(function) = functions.iter().find(|function| function.method() == request.method()) else {
            let mut response = error_response(&Error::NoSuchRoute);
            response.headers_mut().insert(ALLOW, allow);
            return response;
        };
        // A parameter that is not UTF-8 after decoding is omitted.
        let parameters = parameters.iter().flatten();
        let parameters = parameters.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        function.respond(parameters, request).await
    };
    router.route(path, any(handler))
}

/// Adds `OPTIONS` to the methods that axum lists for a path, since it does not know the fallback.
async fn allow_preflight(mut response: Response) -> Response {
    let listed = response.headers().get(ALLOW).and_then(|methods| methods.to_str().ok());
    if let Some(methods) = listed.filter(|methods| !methods.contains("OPTIONS")) {
        let methods = HeaderValue::from_str(&format!("{methods},OPTIONS")).expect("methods are tokens");
        response.headers_mut().insert(ALLOW, methods);
    }
    response
}

fn request_id() -> String {
    Uuid::new_v4().to_string()
}

/// Builds a gateway response to a request without a function: an error in the envelope.
pub fn error_response(error: &Error) -> Response {
    failure(error, &request_id())
}

/// Builds a gateway response to a request with this id.
fn failure(error: &Error, request_id: &str) -> Response {
    if let Some(cause) = error.causes() {
        tracing::error!(request_id, cause, "gateway error");
    }
    let mut reply = envelope::failure(error);
    service::add_common_headers(reply.headers_mut(), request_id);
    reply.headers_mut().extend([
        (ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
        (ACCESS_CONTROL_EXPOSE_HEADERS, HeaderValue::from_static(EXPOSED_HEADERS)),
    ]);
    reply.map(|body| Body::from(body.to_vec()))
}
