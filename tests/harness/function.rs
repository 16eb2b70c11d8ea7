//! Calls of a function as Lambda makes them, without a gateway.

use std::collections::HashMap;

use api::{cors::Origins, envelope, proxy::ProxyRequest};
use functions::{environment::Environment, operation::Operation, service};
use lambda_http::{Body, Request, RequestExt as _, Service as _, http};
use serde_json::{Value, json};

use crate::{Response, form::Form, sample};

/// Calls an operation and returns its response.
pub async fn call<O: Operation>(environment: &impl Environment, request: Request) -> envelope::Response {
    let mut service = service::service::<O>(environment, &Origins::Any).await.expect("an operation");
    let Ok(response) = service.call(request).await;
    response
}

/// Calls an operation and returns the response as clients receive it.
pub async fn send<O: Operation>(environment: &impl Environment, request: Request) -> Response {
    let response = call::<O>(environment, request).await;
    let (parts, body) = response.into_parts();
    Response { status: parts.status.as_u16(), headers: parts.headers, body: body.to_vec() }
}

/// Parses the body of a response.
#[must_use]
pub fn json(response: &envelope::Response) -> Value {
    let Body::Text(text) = response.body() else { panic!("body is not text: {response:?}") };
    serde_json::from_str(text).expect("JSON body")
}

/// Builds a request with a JSON body.
#[must_use]
pub fn post(json: &Value) -> Request {
    let request = http::Request::post("/").header("Content-Type", "application/json");
    request.body(Body::from(json.to_string())).expect("valid request")
}

/// Builds a request with the id of a member in its path, and a JSON body.
#[must_use]
pub fn member_request(id: &str, body: &Value) -> Request {
    post(body).with_path_parameters(HashMap::from([("memberId".to_owned(), id.to_owned())]))
}

/// Builds a request with a form, sent by [`sample::MANAGER`] to a service that does not verify managers.
#[must_use]
pub fn post_form(form: &Form) -> Request {
    let event = json!({
        "httpMethod": "POST",
        "multiValueHeaders": {"x-api-managerId": [sample::MANAGER], "Content-Type": [form.content_type()]},
        "requestContext": {"authorizer": {"principalId": "anyone"}},
    });
    proxy_request(&event).map(|_| Body::from(form.body()))
}

/// Builds a request for an event, as the gateway passes it on if the authorizer returned this principal.
#[must_use]
pub fn event_request_by(principal: &Value, id: &str) -> Request {
    let event = json!({
        "httpMethod": "DELETE",
        "pathParameters": {"eventId": id},
        "requestContext": {"authorizer": {"principalId": principal}},
    });
    proxy_request(&event)
}

fn proxy_request(event: &Value) -> Request {
    let ProxyRequest(request) = serde_json::from_value(event.clone()).expect("proxy event");
    request
}

/// Builds a request with the id of an event in its path.
#[must_use]
pub fn event_request(id: &str) -> Request {
    let parameters = HashMap::from([("eventId".to_owned(), id.to_owned())]);
    Request::new(Body::Empty).with_path_parameters(parameters)
}
