//! Proxy event of API Gateway, as read by this service and by `lambda_http`.
#![no_main]

use std::collections::BTreeMap;

use api::proxy::{ProxyRequest, RequestContext, Route};
use http::HeaderMap;
use lambda_http::{Body, Request, RequestExt as _, aws_lambda_events::apigw::ApiGatewayProxyRequest};
use libfuzzer_sys::fuzz_target;
use serde_json::Value;

fn headers(headers: &HeaderMap) -> BTreeMap<&str, Vec<&[u8]>> {
    let values = |name| {
        let mut values: Vec<_> = headers.get_all(name).iter().map(http::HeaderValue::as_bytes).collect();
        // Names in different cases are one name, in any order.
        values.sort_unstable();
        values
    };
    headers.keys().map(|name| (name.as_str(), values(name))).collect()
}

fn assert_same(request: &Request, event: ApiGatewayProxyRequest) {
    assert_eq!(request.method(), event.http_method);
    assert_eq!(headers(request.headers()), headers(&event.multi_value_headers));
    let query = request.query_string_parameters_ref().cloned().unwrap_or_default();
    assert_eq!(query, event.multi_value_query_string_parameters);
    let path = request.path_parameters_ref().cloned().unwrap_or_default();
    assert_eq!(path, event.path_parameters.into());
    let route = request.extensions().get().map(|Route(route)| route);
    assert_eq!(route, event.resource.as_ref());
    let context: Option<&RequestContext> = request.extensions().get();
    assert_eq!(context.and_then(RequestContext::source_address), event.request_context.identity.source_ip.as_deref());
    let body = event.body.map_or(Body::Empty, |body| Body::from_maybe_encoded(event.is_base64_encoded, &body));
    assert_eq!(request.body(), &body);
}

fuzz_target!(|event: &[u8]| {
    let Ok(ProxyRequest(request)) = serde_json::from_slice(event) else { return };
    // As a value, the event has each name once, as those of API Gateway do; of a repeated one, the last counts.
    let Ok(event) = serde_json::from_slice::<Value>(event) else { return };
    if let Ok(event) = serde_json::from_value::<ApiGatewayProxyRequest>(event) {
        assert_same(&request, event);
    }
});
