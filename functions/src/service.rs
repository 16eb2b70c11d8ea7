//! Middleware of all operations: authentication, CORS, common headers, cache directives, and an envelope for every
//! failure.

use std::{convert::Infallible, panic::AssertUnwindSafe, sync::Arc};

use api::{
    access_log::{self, HashingTime},
    cors::{self, Origins},
    envelope::{self, Response},
    error::Error,
    proxy::{ProxyRequest, response_event},
    request::REQUEST_ID,
};
use auth::hashing_time::with_hashing_time;
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
    caller::{self, Caller},
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
            let (response, hashing) = with_hashing_time(with_cors.call(request)).await;
            let Ok::<_, Infallible>(mut response) = response;
            if let Some(time) = hashing {
                response.extensions_mut().insert(HashingTime(time));
            }
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

    async fn carry_out(&self, mut request: Request) -> Result<Response, Error> {
        let caller = O::Caller::authenticate(&self.authenticator, &request).await?;
        caller::hide_identity(&mut request);
        let mut response = self.operation.handle(caller, request).await?;
        response.headers_mut().insert(CACHE_CONTROL, O::CACHE.directives());
        Ok(response)
    }
}

#[cfg(test)]
mod tests {
    use api::{client, manager, request};
    use domain::clock::Clock;
    use serde_json::json;
    use uuid::Uuid;

    use super::*;
    use crate::caller::Anyone;

    /// Declares an operation for anyone that only handles requests.
    macro_rules! operation {
        ($operation:ident, $handle:expr) => {
            struct $operation;

            impl Operation for $operation {
                type Caller = Anyone;

                async fn new(_: &impl Environment) -> Result<Self, Cause> {
                    Ok(Self)
                }

                async fn handle(&self, _: Anyone, request: Request) -> Result<Response, Error> {
                    let handle: fn(Request) -> Response = $handle;
                    Ok(handle(request))
                }
            }
        };
    }

    operation!(Panicking, |_| panic!("injected"));
    operation!(ReadsToken, |request| {
        let is_visible = request::bearer_token(request.headers()).is_some()
            || manager::identify(&request).is_ok()
            || client::address(&request).to_string() != "unknown";
        envelope::no_content(if is_visible { "visible" } else { "hidden" })
    });
    operation!(SetsCache, |_| {
        let mut response = envelope::no_content("m");
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("public"));
        response
    });

    async fn respond<O: Operation>(request: Request) -> Response {
        let Ok(response) = service::<O>(&Empty, &Origins::Any).await.unwrap().call(request).await;
        response
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

        async fn ses(&self) -> aws_sdk_sesv2::Client {
            unreachable!()
        }

        fn clock(&self) -> Clock {
            Clock::default()
        }
    }

    #[tokio::test]
    async fn undeclared_caller_is_hidden() {
        let event = json!({
            "httpMethod": "GET",
            "multiValueHeaders": {"Authorization": ["Bearer a"], "x-api-managerId": [Uuid::max()], "x-viewer-address": ["::1"]},
            "requestContext": {"authorizer": {"principalId": "anyone"}, "identity": {"sourceIp": "::1"}},
        });
        let ProxyRequest(request) = serde_json::from_value(event).unwrap();
        assert!(manager::identify(&request).is_ok());
        let response = respond::<ReadsToken>(request).await;
        assert!(String::from_utf8_lossy(response.body()).contains("hidden"));
    }

    #[tokio::test]
    async fn undeclared_cache_is_overwritten() {
        assert_eq!(respond::<SetsCache>(Request::default()).await.headers()[CACHE_CONTROL], "no-store");
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
