//! Proxy events and proxy responses of API Gateway.

use std::{collections::HashMap, net::SocketAddr};

use api::{
    client::VIEWER_ADDRESS,
    envelope::MAX_RESPONSE,
    error::{Error, FormFault, JsonError, Limit},
    multipart,
    request::MAX_BODY,
};
use axum::{body::Body, extract::ConnectInfo, response::Response};
use base64_simd::STANDARD;
use bytes::{Bytes, BytesMut};
use domain::error::Cause;
use futures_util::StreamExt as _;
use headers::{ContentLength, HeaderMapExt as _};
use http::{HeaderMap, HeaderValue, StatusCode, header::CONTENT_TYPE, request::Parts};
use lambda_http::aws_lambda_events::apigw::ApiGatewayProxyResponse;
use serde_json::{Map, Value, json};

/// Maximum bytes of a Lambda event and response (AWS quota: 6 MB).
pub const MAX_LAMBDA_PAYLOAD: usize = MAX_RESPONSE;
/// Maximum bytes of a body that an event holds as base64.
const MAX_EVENT_BODY: usize = MAX_LAMBDA_PAYLOAD / 4 * 3;
/// Headers that API Gateway sets, regardless of user input.
const GATEWAY_HEADERS: [&str; 3] = ["host", "x-forwarded-for", "x-forwarded-proto"];

/// Returns true for a header that clients cannot send: one of the gateway, or the client's address from `CloudFront`.
fn is_reserved(name: &str) -> bool {
    GATEWAY_HEADERS.contains(&name) || name == VIEWER_ADDRESS
}

/// Adds the body to a proxy event. All media types are binary in template.yaml, so API Gateway encodes every body.
pub fn with_body(mut event: Value, body: &[u8]) -> Result<Vec<u8>, Error> {
    if !body.is_empty() {
        event["body"] = STANDARD.encode_to_string(body).into();
        event["isBase64Encoded"] = true.into();
    }
    let event = event.to_string().into_bytes();
    if event.len() > MAX_LAMBDA_PAYLOAD { Err(Error::TooLarge(Limit::Body(MAX_BODY))) } else { Ok(event) }
}

fn has_type(headers: &HeaderMap, media_type: &str) -> bool {
    let content_type = headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    content_type.get(..media_type.len()).is_some_and(|start| start.eq_ignore_ascii_case(media_type.as_bytes()))
}

/// Reads a body to its end, so that the client receives the response, but keeps none that exceeds the limit.
pub async fn read_body(headers: &HeaderMap, body: Body) -> Result<Bytes, Error> {
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
pub fn proxy_event(
    route: &str,
    base_url: &str,
    parameters: &HashMap<String, String>,
    head: &Parts,
    request_id: &str,
) -> Value {
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
        "resource": route,
        "path": path,
        "httpMethod": head.method.as_str(),
        "headers": last_values(&headers),
        "multiValueHeaders": all_values(&headers),
        "queryStringParameters": last_values(&query),
        "multiValueQueryStringParameters": all_values(&query),
        "pathParameters": parameters,
        "stageVariables": {"baseUrl": base_url},
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
            "resourcePath": route,
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
pub fn http_response(proxy_response: &[u8]) -> Result<Response, Cause> {
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
