//! Middleware of all operations: authentication, CORS, common headers, cache directives, and an envelope for every failure.

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc};

use api::{
    access_log,
    cors::{self, Origins},
    envelope::{self, Response},
    error::Error,
    proxy::{ProxyRequest, response_event},
    request::REQUEST_ID,
};
use domain::error::Cause;
use futures_util::FutureExt as _;
use http::{
    HeaderMap, HeaderValue,
    header::{CACHE_CONTROL, VARY},
};
use lambda_http::{
    Context, Request, RequestExt as _, Service, aws_lambda_events::apigw::ApiGatewayProxyResponse, service_fn,
};
use tower_layer::Layer as _;

use crate::{
    caller::Caller,
    environment::Environment,
    operation::{Cache, Operation},
};

/// Passes an event of API Gateway to a service.
pub async fn invoke(
    mut service: impl Service<Request, Response = Response, Error = Infallible>,
    ProxyRequest(request): ProxyRequest,
    context: Context,
) -> ApiGatewayProxyResponse {
    let Ok(response) = service.call(request.with_lambda_context(context)).await;
    response_event(response)
}

/// Operation with the authenticator of its callers.
struct Endpoint<O: Operation> {
    operation: O,
    authenticator: <O::Caller as Caller>::Authenticator,
}

/// Builds an operation behind the middleware.
///
/// # Errors
///
/// Returns an error if a setting of the operation is missing or invalid.
pub async fn service<O: Operation>(
    environment: &impl Environment,
    origins: &Origins,
) -> Result<
    impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static,
    Cause,
> {
    let operation = O::new(environment).await?;
    let authenticator = O::Caller::authenticator(environment).await?;
    let endpoint = Arc::new(Endpoint { operation, authenticator });
    let endpoint = service_fn(move |request| {
        let endpoint = Arc::clone(&endpoint);
        // Boxed, because the layers around it would copy the largest future of all.
        Box::pin(async move { Ok(endpoint.respond(request).await) })
    });
    let with_cors = cors::layer(origins).layer(endpoint);
    Ok(service_fn(move |request| {
        let mut with_cors = with_cors.clone();
        async move {
            let request_id = access_log::request_id(&request).to_owned();
            let Ok::<_, Infallible>(mut response) = with_cors.call(request).await;
            add_common_headers(response.headers_mut(), &request_id);
            if O::NEGOTIATES_ENCODING {
                response.headers_mut().append(VARY, HeaderValue::from_static("Accept-Encoding"));
            }
            Ok(response)
        }
    }))
}

/// Adds the headers that every response of a function has; without a cache directive it gets `no-store`.
pub fn add_common_headers(headers: &mut HeaderMap, request_id: &str) {
    add_vary(headers);
    if let Ok(id) = HeaderValue::from_str(request_id) {
        headers.insert(REQUEST_ID, id);
    }
    headers.entry(CACHE_CONTROL).or_insert(Cache::Never.directives());
}

/// Adds the names that `Vary` has in every response.
pub fn add_vary(headers: &mut HeaderMap) {
    for name in ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"] {
        headers.append(VARY, HeaderValue::from_static(name));
    }
}

impl<O: Operation> Endpoint<O> {
    /// Carries out a request, and turns every failure, even a panic, into a response.
    async fn respond(&self, request: Request) -> Response {
        let request_id = access_log::request_id(&request).to_owned();
        let result = AssertUnwindSafe(self.carry_out(request)).catch_unwind().await;
        result.unwrap_or_else(|_| Err(Error::unexpected("the operation panicked"))).unwrap_or_else(|error| {
            if let Some(cause) = error.causes() {
                tracing::error!(request_id, cause, "request failed");
            }
            envelope::failure(&error)
        })
    }

    async fn carry_out(&self, request: Request) -> Result<Response, Error> {
        let caller = O::Caller::authenticate(&self.authenticator, &request).await?;
        let mut response = self.operation.handle(caller, request).await?;
        response.headers_mut().insert(CACHE_CONTROL, O::CACHE.directives());
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use domain::clock::Clock;

    use super::*;
    use crate::caller::Anyone;

    struct Panicking;

    impl Operation for Panicking {
        type Caller = Anyone;

        async fn new(_: &impl Environment) -> Result<Self, Cause> {
            Ok(Self)
        }

        async fn handle(&self, _: Anyone, _: Request) -> Result<Response, Error> {
            panic!("injected")
        }
    }

    /// Environment without settings.
    struct Empty;

    impl Environment for Empty {
        fn variable(&self, _: &'static str) -> Option<String> {
            None
        }

        async fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
            unreachable!()
        }

        async fn s3(&self, _: &str) -> aws_sdk_s3::Client {
            unreachable!()
        }

        fn clock(&self) -> Clock {
            Clock::default()
        }
    }

    #[tokio::test]
    async fn panic_is_an_envelope() {
        let mut service = service::<Panicking>(&Empty, &Origins::Any).await.unwrap();
        for _ in 0..2 {
            let Ok(response) = service.call(Request::default()).await;
            assert_eq!(response.status(), 500);
            assert!(String::from_utf8_lossy(response.body()).contains(r#""code":"S_001""#));
            assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
        }
    }
}
