//! Lambda functions with their limits: concurrency, and the sizes of events and responses.

use std::{collections::HashMap, sync::Arc};

use api::{
    access_log::{self, AccessLogEntry},
    error::{Error, Limit},
    fields::Errors,
    proxy::ProxyRequest,
};
use axum::{extract::Request, response::Response};
use domain::{error::Cause, violation::Violation};
use functions::{caller::CallerKind, registry::Route, service};
use futures_util::future::BoxFuture;
use http::Method;
use lambda_http::Context;
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};

use super::{
    event::{MAX_LAMBDA_PAYLOAD, http_response, proxy_event, read_body, with_body},
    failure, request_id,
};
use crate::authorizer::Authorizer;

/// Maximum bytes of a query. API Gateway limits it, together with all headers, to 10,240 bytes.
const MAX_QUERY: usize = 8 * 1024;

/// Limit of requests of a function that run at the same time, since each holds an event and a response of up to 6 MB.
///
/// Each function has its own, so that large registrations delay no list.
const MAX_CONCURRENCY: usize = 16;

/// Lambda function with its route.
#[derive(Clone)]
pub struct Function {
    method: Method,
    path: Arc<str>,
    invoke: Invoke,
    base_url: Arc<str>,
    running: Arc<Semaphore>,
    authorizer: Option<Authorizer>,
}

type Invoke = Arc<dyn Fn(Vec<u8>, Context) -> BoxFuture<'static, Result<Vec<u8>, Cause>> + Send + Sync>;

impl Function {
    /// Creates the function of a route; the authorizer is called before it if the route is for managers.
    pub fn new(route: Route, authorizer: &Authorizer, base_url: &str) -> Self {
        let service = access_log::with_access_log(route.service, log_request);
        let invoke: Invoke = Arc::new(move |event, context| {
            let service = service.clone();
            Box::pin(async move {
                let request: ProxyRequest = serde_json::from_slice(&event)?;
                let response = service::invoke(service, request, context).await;
                Ok(serde_json::to_vec(&response)?)
            })
        });
        Self {
            method: route.declaration.method,
            path: route.declaration.path.into(),
            invoke,
            base_url: base_url.into(),
            running: Arc::new(Semaphore::new(MAX_CONCURRENCY)),
            authorizer: (route.declaration.caller == CallerKind::Manager).then(|| authorizer.clone()),
        }
    }

    pub(super) fn method(&self) -> &Method {
        &self.method
    }

    pub(super) fn path(&self) -> &Arc<str> {
        &self.path
    }

    /// Returns the same function for the preflights of a path.
    pub(super) fn preflight(&self, path: &str) -> Self {
        Self { method: Method::OPTIONS, path: path.into(), authorizer: None, ..self.clone() }
    }

    pub(super) async fn respond(&self, parameters: HashMap<String, String>, request: Request) -> Response {
        let request_id = request_id();
        proxy(self, parameters, request, &request_id).await.unwrap_or_else(|error| failure(&error, &request_id))
    }
}

/// Logs the access log entry of a request in the format of the local log.
fn log_request(entry: &AccessLogEntry) {
    let AccessLogEntry { request_id, method, route, status, code, microseconds, cold_start, hash_microseconds, .. } =
        *entry;
    tracing::info!(
        request_id,
        method,
        route,
        status,
        code,
        microseconds,
        cold_start,
        hash_microseconds,
        "request completed"
    );
}

async fn proxy(
    function: &Function,
    parameters: HashMap<String, String>,
    request: Request,
    request_id: &str,
) -> Result<Response, Error> {
    let (head, body) = request.into_parts();
    let mut context = Context::default();
    context.request_id = request_id.to_owned();
    let mut event = proxy_event(&function.path, &function.base_url, &parameters, &head, request_id);
    let principal = match &function.authorizer {
        Some(authorizer) => Some(authorizer.authorize(&event).await),
        None => None,
    };
    let body = read_body(&head.headers, body).await;
    if let Some(principal) = principal {
        event["requestContext"]["authorizer"] = principal?;
    }
    check_query(head.uri.query().unwrap_or_default())?;
    let body = body?;
    let permit = Arc::clone(&function.running).acquire_owned().await.map_err(Error::unexpected)?;
    let invoke = Arc::clone(&function.invoke);
    // On a thread of its own, so that a large body or a password hash delays no other request, and a panic ends only
    // this one. It keeps the permit, since it continues if the client disconnects.
    let response = spawn_blocking(move || {
        let _permit = permit;
        let event = with_body(event, &body)?;
        let response = Handle::current().block_on(invoke(event, context)).map_err(Error::unexpected)?;
        if response.len() > MAX_LAMBDA_PAYLOAD {
            return Err(Error::TooLarge(Limit::Response(MAX_LAMBDA_PAYLOAD)));
        }
        http_response(&response).map_err(Error::unexpected)
    });
    response.await.map_err(Error::unexpected)?
}

fn check_query(query: &str) -> Result<(), Error> {
    let mut errors = Errors::default();
    if query.len() > MAX_QUERY {
        errors.add_value("query", query, Violation::TooLong(MAX_QUERY));
    }
    errors.into_parameters()
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Mutex, mpsc},
        time::Duration,
    };

    use api::envelope;
    use functions::{
        managers::authorize::Authorize,
        operation::Cache,
        registry::{Declaration, RouteService},
    };
    use futures_util::future::join;
    use http::StatusCode;
    use lambda_http::service_fn;

    use super::*;

    /// Builds a function that runs this for each request.
    fn function(run: impl Fn() + Send + Sync + 'static) -> Function {
        let run = Arc::new(run);
        let service = service_fn(move |_| {
            let run = Arc::clone(&run);
            async move {
                run();
                Ok(envelope::no_content("done"))
            }
        });
        let service = RouteService::new(service);
        let declaration = Declaration {
            slug: "test",
            method: Method::GET,
            path: "/".to_owned(),
            caller: CallerKind::Anyone,
            cache: Cache::Never,
            negotiates_encoding: false,
        };
        let route = Route { declaration, service };
        Function::new(route, &Authorizer::new(Authorize::Open), "http://localhost")
    }

    #[tokio::test]
    async fn blocked_function_delays_no_other() {
        let (sender, receiver) = mpsc::channel();
        let receiver = Mutex::new(receiver);
        let blocked = function(move || receiver.lock().unwrap().recv_timeout(Duration::from_mins(1)).unwrap());
        let other = function(move || sender.send(()).unwrap());
        let respond = async |function: Function| function.respond(HashMap::new(), Request::default()).await.status();
        assert_eq!(join(respond(blocked), respond(other)).await, (StatusCode::NO_CONTENT, StatusCode::NO_CONTENT));
    }

    #[tokio::test]
    async fn panic_ends_only_its_request() {
        let panicking = function(|| panic!("injected"));
        let response = panicking.respond(HashMap::new(), Request::default()).await;
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
    }
}
