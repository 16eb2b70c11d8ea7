//! A function as Lambda calls it, without a gateway in between.

use std::collections::HashMap;

use api::{
    cors::Origins,
    envelope::{self, Response},
    error::Error as ApiError,
    proxy::ProxyRequest,
    serve::{self, Handler},
};
use domain::error::Error;
use lambda_http::{Body, Request, RequestExt as _, Service as _, http};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{Response, form::Form, sample};

/// Calls a function and checks the status of its reply.
pub async fn call(handler: impl Handler, request: Request, status: u16) -> Response {
    let Ok(reply) = serve::service(handler, &Origins::Any).call(request).await;
    assert_eq!(reply.status(), status, "{:?}", reply.body());
    reply
}

/// Calls a function and gives what its caller would see.
pub async fn send(handler: impl Handler, request: Request) -> Response {
    let Ok(reply) = serve::service(handler, &Origins::Any).call(request).await;
    let (parts, body) = reply.into_parts();
    Response { status: parts.status.as_u16(), headers: parts.headers, body: body.to_vec() }
}

/// What a caller would see of what a function answers that has no route.
pub fn response_without_route(answer: Result<impl Serialize, Error>) -> Response {
    let reply = answer.map_err(ApiError::from).and_then(|data| envelope::ok("-", &data));
    let (parts, body) = reply.unwrap_or_else(|error| envelope::failure(&error)).into_parts();
    Response { status: parts.status.as_u16(), headers: parts.headers, body: body.to_vec() }
}

/// The body of a reply as JSON.
#[must_use]
pub fn json(reply: &Response) -> Value {
    let Body::Text(text) = reply.body() else { panic!("a text: {reply:?}") };
    serde_json::from_str(text).expect("a body in JSON")
}

/// A request with a JSON body.
#[must_use]
pub fn post(json: &Value) -> Request {
    let request = http::Request::post("/").header("Content-Type", "application/json");
    request.body(Body::from(json.to_string())).expect("a request")
}

/// A request with a JSON body, as the gateway hands over one that came to it from this address.
#[must_use]
pub fn post_from_address(source: &str, body: &Value) -> Request {
    let event = json!({
        "httpMethod": "POST",
        "multiValueHeaders": {"Content-Type": ["application/json"]},
        "requestContext": {"identity": {"sourceIp": source}},
        "body": body.to_string(),
    });
    let ProxyRequest(request) = serde_json::from_value(event).expect("a request");
    request
}

/// A request with a form, from a manager.
#[must_use]
pub fn post_form(form: &Form) -> Request {
    let request = http::Request::post("/")
        .header("x-api-managerId", sample::MANAGER)
        .header("Content-Type", form.content_type());
    request.body(Body::from(form.body())).expect("a request")
}

/// A request whose path names an event, as the gateway hands it over whose authorizer let this
/// principal in.
#[must_use]
pub fn event_request_by(principal: &Value, id: &str) -> Request {
    let event = json!({
        "httpMethod": "DELETE",
        "pathParameters": {"eventId": id},
        "requestContext": {"authorizer": {"principalId": principal}},
    });
    let ProxyRequest(request) = serde_json::from_value(event).expect("a request");
    request
}

/// A request whose path names an event.
#[must_use]
pub fn event_request(id: &str) -> Request {
    let parameters = HashMap::from([("eventId".to_owned(), id.to_owned())]);
    Request::new(Body::Empty).with_path_parameters(parameters)
}

/// A request for a list with these parameters, as a query string has them.
#[must_use]
pub fn list_request(query: &str) -> Request {
    let parameters: HashMap<_, _> = query
        .split('&')
        .filter_map(|parameter| parameter.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    Request::new(Body::Empty).with_query_string_parameters(parameters)
}
