//! Imitation of API Gateway in front of the functions.
//!
//! An HTTP request becomes a REST proxy event, passes through the adapter of the deployed functions,
//! and the proxy response becomes an HTTP response.

use std::{
    collections::{BTreeMap, HashMap},
    net::SocketAddr,
    sync::Arc,
};

use api::{
    access_log::{self, AccessLogEntry},
    client::VIEWER_ADDRESS,
    cors::EXPOSED_HEADERS,
    envelope::{self, MAX_RESPONSE},
    error::{Error, FormFault, JsonError, Limit},
    fields::Errors,
    multipart,
    proxy::ProxyRequest,
    request::MAX_BODY,
};
use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, RawPathParams, Request},
    middleware::map_response,
    response::Response,
    routing::any,
};
use base64_simd::STANDARD;
use bytes::{Bytes, BytesMut};
use domain::{error::Cause, violation::Violation};
use functions::{caller::CallerKind, registry::Route, service};
use futures_util::{StreamExt as _, future::BoxFuture};
use headers::{ContentLength, HeaderMapExt as _};
use http::{
    HeaderMap, HeaderValue, Method, StatusCode,
    header::{ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, ALLOW, CONTENT_TYPE},
    request::Parts,
};
use lambda_http::{Context, aws_lambda_events::apigw::ApiGatewayProxyResponse};
use serde_json::{Map, Value, json};
use tokio::{runtime::Handle, sync::Semaphore, task::spawn_blocking};
use uuid::Uuid;

use crate::authorizer::Authorizer;

/// Maximum bytes of a Lambda event and response (AWS quota: 6 MB).
const MAX_LAMBDA_PAYLOAD: usize = MAX_RESPONSE;
/// Maximum bytes of a body that an event holds as base64.
const MAX_EVENT_BODY: usize = MAX_LAMBDA_PAYLOAD / 4 * 3;
/// Maximum bytes of a query. API Gateway limits it, together with all headers, to 10,240 bytes.
const MAX_QUERY: usize = 8 * 1024;
/// Route of preflights of unknown paths, as in template.yaml.
const UNKNOWN_PATH: &str = "/{proxy+}";
/// Headers that API Gateway sets, regardless of user input.
const GATEWAY_HEADERS: [&str; 3] = ["host", "x-forwarded-for", "x-forwarded-proto"];

/// Returns true for a header that clients cannot send: one of the gateway, or the client's address from `CloudFront`.
fn is_reserved(name: &str) -> bool {
    GATEWAY_HEADERS.contains(&name) || name == VIEWER_ADDRESS
}

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

    /// Returns the same function for the preflights of a path.
    fn preflight(&self, path: &str) -> Self {
        Self { method: Method::OPTIONS, path: path.into(), authorizer: None, ..self.clone() }
    }

    async fn respond(&self, parameters: HashMap<String, String>, request: Request) -> Response {
        let request_id = request_id();
        proxy(self, parameters, request, &request_id).await.unwrap_or_else(|error| failure(&error, &request_id))
    }
}

/// Routes requests to the functions, and sends gateway responses for unknown routes.
///
/// Preflights of a path go to one function of this path, as in template.yaml. Another one responds to those of
/// unknown paths, so that a page can read the 404.
pub fn router(functions: Vec<Function>, other_routes: Router) -> Router {
    let preflight_of_unknown_path = functions.first().map(|function| function.preflight(UNKNOWN_PATH));
    let fallback = move |request: Request| async move {
        match preflight_of_unknown_path {
            Some(preflight) if request.method() == preflight.method => preflight.respond(HashMap::new(), request).await,
            _ => error_response(&Error::NoSuchRoute),
        }
    };
    let mut by_path: BTreeMap<Arc<str>, Vec<Function>> = BTreeMap::new();
    for function in functions {
        let preflight = function.preflight(&function.path);
        by_path.entry(Arc::clone(&function.path)).or_insert_with(|| vec![preflight]).push(function);
    }
    let router =
        by_path.into_iter().fold(Router::new(), |router, (path, functions)| add_path(router, &path, functions));
    let other_routes = other_routes.fallback(fallback.clone()).method_not_allowed_fallback(fallback);
    router.fallback_service(other_routes).layer(map_response(allow_preflight))
}

/// Routes the requests of a path to its functions by their methods; API Gateway treats HEAD as any other method.
fn add_path(router: Router, path: &str, functions: Vec<Function>) -> Router {
    let methods: Vec<_> = functions.iter().map(|function| function.method.as_str()).collect();
    let allow = HeaderValue::from_str(&methods.join(",")).expect("methods are tokens");
    let functions: Arc<[Function]> = functions.into();
    let handler = move |parameters: Result<RawPathParams, _>, request: Request| async move {
        let Some(function) = functions.iter().find(|function| function.method == request.method()) else {
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

async fn proxy(
    function: &Function,
    parameters: HashMap<String, String>,
    request: Request,
    request_id: &str,
) -> Result<Response, Error> {
    let (head, body) = request.into_parts();
    let mut context = Context::default();
    context.request_id = request_id.to_owned();
    let mut event = proxy_event(function, &parameters, &head, request_id);
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
    // On a thread of its own, so that a large body or a password hash delays no other request, and a panic ends only this
    // one. It keeps the permit, since it continues if the client disconnects.
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

/// Adds the body to a proxy event. All media types are binary in template.yaml, so API Gateway encodes every body.
fn with_body(mut event: Value, body: &[u8]) -> Result<Vec<u8>, Error> {
    if !body.is_empty() {
        event["body"] = STANDARD.encode_to_string(body).into();
        event["isBase64Encoded"] = true.into();
    }
    let event = event.to_string().into_bytes();
    if event.len() > MAX_LAMBDA_PAYLOAD { Err(Error::TooLarge(Limit::Body(MAX_BODY))) } else { Ok(event) }
}

fn check_query(query: &str) -> Result<(), Error> {
    let mut errors = Errors::default();
    if query.len() > MAX_QUERY {
        errors.add_value("query", query, Violation::TooLong(MAX_QUERY));
    }
    errors.into_parameters()
}

fn has_type(headers: &HeaderMap, media_type: &str) -> bool {
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    content_type.get(..media_type.len()).is_some_and(|start| start.eq_ignore_ascii_case(media_type.as_bytes()))
}

/// Reads a body to its end, so that the client receives the response, but keeps none that exceeds the limit.
async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Error> {
    let fits = |size: usize| size <= MAX_EVENT_BODY;
    let announced = headers.typed_get().is_none_or(|ContentLength(size)| usize::try_from(size).is_ok_and(fits));
    let mut kept = announced.then(BytesMut::new);
    let mut stream = body.into_data_stream();
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(|_| interrupted(headers))?;
        kept = kept.filter(|kept| fits(kept.len() + chunk.len()));
        if let Some(kept) = &mut kept {
            kept.extend_from_slice(&chunk);
        }
    }
    kept.map(BytesMut::freeze).ok_or(Error::TooLarge(Limit::Body(MAX_BODY)))
}

/// Returns the error of a body that does not arrive as a whole.
fn interrupted(headers: &HeaderMap) -> Error {
    if has_type(headers, multipart::MEDIA_TYPE) {
        Error::Form(FormFault::Malformed)
    } else {
        Error::not_json(JsonError::Interrupted)
    }
}

/// Builds the proxy event of a request as API Gateway does, without the body.
fn proxy_event(function: &Function, parameters: &HashMap<String, String>, head: &Parts, request_id: &str) -> Value {
    let path = head.uri.path();
    let address = head.extensions.get::<ConnectInfo<SocketAddr>>();
    let source = address.map_or_else(|| "127.0.0.1".to_owned(), |address| address.ip().to_string());
    let query: Vec<(String, String)> =
        form_urlencoded::parse(head.uri.query().unwrap_or_default().as_bytes()).into_owned().collect();
    let gateway_headers = GATEWAY_HEADERS.into_iter().zip(["localhost", &source, "http"]);
    let headers: Vec<(String, String)> = header_values(&head.headers)
        .into_iter()
        .filter(|(name, _)| !is_reserved(name))
        .chain(gateway_headers.map(|(name, value)| (name.to_owned(), value.to_owned())))
        .collect();
    json!({
        "resource": &*function.path,
        "path": path,
        "httpMethod": head.method.as_str(),
        "headers": last_values(&headers),
        "multiValueHeaders": all_values(&headers),
        "queryStringParameters": last_values(&query),
        "multiValueQueryStringParameters": all_values(&query),
        "pathParameters": parameters,
        "stageVariables": {"baseUrl": &*function.base_url},
        "body": null,
        "isBase64Encoded": false,
        "requestContext": {
            "accountId": "000000000000",
            "apiId": "local",
            "domainName": "localhost",
            "httpMethod": head.method.as_str(),
            "identity": { "sourceIp": source },
            "path": path,
            "protocol": "HTTP/1.1",
            "requestId": request_id,
            "resourceId": "local",
            "resourcePath": &*function.path,
            "stage": "local",
        },
    })
}

fn header_values(headers: &HeaderMap) -> Vec<(String, String)> {
    let text = |value: &http::HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    headers.iter().map(|(name, value)| (name.to_string(), text(value))).collect()
}

fn last_values(values: &[(String, String)]) -> Map<String, Value> {
    values.iter().map(|(name, value)| (name.clone(), json!(value))).collect()
}

fn all_values(pairs: &[(String, String)]) -> Map<String, Value> {
    let mut all: Map<String, Value> = Map::new();
    for (name, value) in pairs {
        if let Value::Array(values) = all.entry(name).or_insert_with(|| json!([])) {
            values.push(json!(value));
        }
    }
    all
}

/// Builds the HTTP response from the proxy response of a function, and decodes its body for any `Accept`.
fn http_response(proxy_response: &[u8]) -> Result<Response, Cause> {
    let proxy: ApiGatewayProxyResponse = serde_json::from_slice(proxy_response)?;
    let status = StatusCode::from_u16(u16::try_from(proxy.status_code)?)?;
    let body = match proxy.body {
        Some(lambda_http::Body::Text(text)) if proxy.is_base64_encoded => STANDARD.decode_to_vec(text)?,
        Some(body) if status != StatusCode::NO_CONTENT => body.to_vec(),
        _ => Vec::new(),
    };
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    *response.headers_mut() = proxy.headers;
    response.headers_mut().extend(proxy.multi_value_headers);
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{Mutex, mpsc},
        time::Duration,
    };

    use functions::{
        managers::authorize::Authorize,
        operation::Cache,
        registry::{Declaration, RouteService},
    };
    use futures_util::future::join;
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
