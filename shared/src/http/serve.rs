//! What surrounds every handler.

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc, time::Duration};

use futures_util::FutureExt as _;
#[cfg(not(feature = "watch"))]
use futures_util::future::BoxFuture;
use headers::HeaderMapExt as _;
use http::{
    HeaderMap, HeaderName, HeaderValue, Method,
    header::{
        AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH, LINK, LOCATION, RETRY_AFTER, VARY,
    },
};
use lambda_http::{Context, Request, RequestExt as _, Service, service_fn};
#[cfg(not(feature = "watch"))]
use lambda_runtime::LambdaEvent;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tower_layer::Layer as _;

use super::{
    conditional::{self, Held},
    envelope::{self, Reply},
    log::{self, Line},
    metrics::Metrics,
    proxy::{ProxyRequest, ProxyResponse},
};
use crate::{config::Origins, domain::error::Error};

/// The header of the request id, which is in the log line too.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What keeps an answer out of every cache: a login's holds personal data, and a failure
/// may be over in a moment.
const NOT_KEPT: HeaderValue = HeaderValue::from_static("no-store");

/// How long a browser may remember what it may send; none remembers it longer.
const PREFLIGHT_AGE: Duration = Duration::from_hours(2);

/// An endpoint: what it does with a request.
pub trait Handler: Send + Sync + 'static {
    /// Carries out a request.
    ///
    /// # Errors
    ///
    /// Whatever keeps it from being carried out.
    fn handle(&self, request: Request) -> impl Future<Output = Result<Reply, Error>> + Send;
}

/// Serves an endpoint as a Lambda function, for as long as the process lives; its metrics go by this namespace.
///
/// # Errors
///
/// Where the Lambda runtime cannot be reached.
#[cfg(not(feature = "watch"))]
pub async fn run(
    handler: impl Handler,
    origins: &Origins,
    namespace: &str,
) -> Result<(), lambda_http::Error> {
    let service = log::logged(service(handler, origins), written(namespace));
    let invoked = service_fn(move |LambdaEvent { payload, context }| {
        let answer = invoke(service.clone(), payload, context).map(Ok);
        // Boxed, since the compiler gives up on the depth of the whole.
        Box::pin(answer) as BoxFuture<Result<ProxyResponse, Infallible>>
    });
    lambda_runtime::Runtime::new(invoked).run().await
}

/// Serves an endpoint under `cargo lambda watch`, which sends events of another kind.
///
/// # Errors
///
/// Where the Lambda runtime cannot be reached.
#[cfg(feature = "watch")]
pub async fn run(
    handler: impl Handler,
    origins: &Origins,
    namespace: &str,
) -> Result<(), lambda_http::Error> {
    lambda_http::run(log::logged(service(handler, origins), written(namespace))).await
}

/// What writes the lines of requests, with metrics under this namespace.
fn written(namespace: &str) -> impl Fn(&Line) + Clone + Send + Sync + 'static {
    let metrics = Arc::new(Metrics::new(namespace));
    move |line| log::write(line, &metrics)
}

/// Carries out what API Gateway asks of a function.
pub async fn invoke(
    mut service: impl Service<Request, Response = Reply, Error = Infallible>,
    ProxyRequest(request): ProxyRequest,
    context: Context,
) -> ProxyResponse {
    let Ok(reply) = service.call(request.with_lambda_context(context)).await;
    ProxyResponse(reply)
}

/// An endpoint with all that surrounds it: whatever happens, an envelope goes out.
///
/// It answers a browser that asks what it may send, too.
pub fn service(
    handler: impl Handler,
    origins: &Origins,
) -> impl Service<Request, Response = Reply, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static
{
    let handler = Arc::new(handler);
    let guarded = service_fn(move |request| {
        let handler = Arc::clone(&handler);
        async move { Ok(guard(&*handler, request).await) }
    });
    let answering = cors(origins).layer(guarded);
    service_fn(move |request| {
        let mut answering = answering.clone();
        async move {
            let request_id = log::request_id(&request).to_owned();
            let Ok::<_, Infallible>(mut reply) = answering.call(request).await;
            finish(reply.headers_mut(), &request_id);
            Ok(reply)
        }
    })
}

/// Which pages may call the service, with what, and read what of the answer.
fn cors(origins: &Origins) -> CorsLayer {
    let allowed = match origins {
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(origins) => AllowOrigin::list(origins.iter().cloned()),
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            CONTENT_TYPE,
            AUTHORIZATION,
            HeaderName::from_static(super::request::MANAGER_ID),
            HeaderName::from_static(super::request::IDEMPOTENCY_KEY),
            IF_NONE_MATCH,
        ])
        .expose_headers([LOCATION, LINK, ETAG, RETRY_AFTER, REQUEST_ID])
        .max_age(PREFLIGHT_AGE)
        .vary([])
}

/// Adds to an answer what every answer carries; one that does not say that it may be kept
/// may not.
pub fn finish(headers: &mut HeaderMap, request_id: &str) {
    for name in ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"] {
        headers.append(VARY, HeaderValue::from_static(name));
    }
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(CACHE_CONTROL).or_insert(NOT_KEPT);
}

/// Carries out a request and answers whatever keeps it from being carried out, a panic too.
async fn guard(handler: &impl Handler, request: Request) -> Reply {
    let request_id = log::request_id(&request).to_owned();
    let held = Held::by(&request);
    let handling = async {
        #[cfg(feature = "inject-panic")]
        assert!(!request.headers().contains_key("x-inject-panic"), "a panic was asked for");
        handler.handle(request).await
    };
    let result = AssertUnwindSafe(handling).catch_unwind().await;
    let reply =
        result.unwrap_or_else(|_| Err(Error::unexpected("the handler panicked"))).unwrap_or_else(|error| {
            if let Some(cause) = error.causes() {
                tracing::error!(request_id, cause, "a request failed");
            }
            envelope::failure(&error)
        });
    match reply.headers().typed_get() {
        Some(etag) if held.has(&etag) => conditional::not_modified(reply),
        _ => reply,
    }
}
