//! Serving an endpoint as a Lambda function: middleware shared by all handlers.

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc};

use futures_util::{FutureExt as _, future::BoxFuture};
use http::{
    HeaderMap, HeaderValue,
    header::{CACHE_CONTROL, VARY},
};
use lambda_http::{
    Context, Request, RequestExt as _, Service, aws_lambda_events::apigw::ApiGatewayProxyResponse, service_fn,
};
use lambda_runtime::LambdaEvent;
use runtime::config::Config;
use tower_layer::Layer as _;

use crate::{
    access_log::{self, AccessLogEntry},
    cors::{self, Origins},
    envelope::{self, Response},
    error::Error,
    log,
    proxy::{ProxyRequest, response_event},
    request::REQUEST_ID,
};

/// Default cache directive, since a login's response is personal and a failure may be temporary.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Endpoint of the API.
pub trait Handler: Send + Sync + 'static {
    /// True if responses depend on `Accept-Encoding`, so that all of them name it in `Vary`.
    const NEGOTIATES_ENCODING: bool = false;

    /// Carries out a request.
    ///
    /// # Errors
    ///
    /// Returns the error to send to the client.
    fn handle(&self, request: Request) -> impl Future<Output = Result<Response, Error>> + Send;
}

/// Starts the log of a function, and returns its settings.
#[must_use]
pub fn init() -> Config {
    log::init();
    Config::from_env()
}

/// Serves an endpoint as a Lambda function until the process ends.
///
/// # Errors
///
/// Returns an error if a setting is missing, or if the Lambda runtime cannot be reached.
pub async fn run(handler: impl Handler, config: Config) -> Result<(), lambda_http::Error> {
    let origins = config.parse("ALLOWED_ORIGINS")?;
    let namespace = config.text("METRICS_NAMESPACE")?;
    let log = move |entry: &AccessLogEntry<'_>| access_log::write(entry, &namespace);
    let service = access_log::with_access_log(service(handler, &origins), log);
    let invoked = service_fn(move |LambdaEvent { payload, context }| {
        let response = invoke(service.clone(), payload, context).map(Ok);
        // Boxed, because the type of the whole future exceeds the compiler's recursion limit.
        Box::pin(response) as BoxFuture<Result<ApiGatewayProxyResponse, Infallible>>
    });
    lambda_runtime::Runtime::new(invoked).run().await
}

/// Passes an event of API Gateway to a service.
pub async fn invoke(
    mut service: impl Service<Request, Response = Response, Error = Infallible>,
    ProxyRequest(request): ProxyRequest,
    context: Context,
) -> ApiGatewayProxyResponse {
    let Ok(response) = service.call(request.with_lambda_context(context)).await;
    response_event(response)
}

/// Adds the shared middleware to an endpoint: CORS, common headers, and an envelope for every failure.
pub fn service<H: Handler>(
    handler: H,
    origins: &Origins,
) -> impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static {
    let handler = Arc::new(handler);
    let endpoint = service_fn(move |request| {
        let handler = Arc::clone(&handler);
        // Boxed, because the layers around it would copy the largest future of all.
        Box::pin(async move { Ok(run_handler(&*handler, request).await) })
    });
    let with_cors = cors::layer(origins).layer(endpoint);
    service_fn(move |request| {
        let mut with_cors = with_cors.clone();
        async move {
            let request_id = access_log::request_id(&request).to_owned();
            let Ok::<_, Infallible>(mut response) = with_cors.call(request).await;
            add_common_headers(response.headers_mut(), &request_id);
            if H::NEGOTIATES_ENCODING {
                response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
            Ok(response)
        }
    })
}

/// Adds the headers that every response of a function has; without a cache directive it gets `no-store`.
pub fn add_common_headers(headers: &mut HeaderMap, request_id: &str) {
    add_vary(headers);
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(CACHE_CONTROL).or_insert(NO_STORE);
}

/// Adds the names that `Vary` has in every response.
pub fn add_vary(headers: &mut HeaderMap) {
    for name in ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"] {
        headers.append(VARY, HeaderValue::from_static(name));
    }
}

/// Runs a handler and turns every failure, also a panic, into a response.
async fn run_handler(handler: &impl Handler, request: Request) -> Response {
    let request_id = access_log::request_id(&request).to_owned();
    let handling = async {
        #[cfg(feature = "inject-panic")]
        assert!(!request.headers().contains_key("x-inject-panic"), "injected panic");
        handler.handle(request).await
    };
    let result = AssertUnwindSafe(handling).catch_unwind().await;
    result.unwrap_or_else(|_| Err(Error::unexpected("the handler panicked"))).unwrap_or_else(|error| {
        if let Some(cause) = error.causes() {
            tracing::error!(request_id, cause, "request failed");
        }
        envelope::failure(&error)
    })
}
