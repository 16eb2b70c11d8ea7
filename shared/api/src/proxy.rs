//! API Gateway's Lambda proxy integration: the event of a request, and the event of its response.
//! (<https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html>)
//!
//! `lambda_http` has an adapter too, but it reads each event twice. For a body of 6 MB it takes 50 million
//! instructions more than this module, four fifths of the creation of an arena. It also fails for the whole request
//! if one header is invalid, and keeps only the last value of a repeated header.

use std::collections::HashMap;

use base64_simd::STANDARD;
use bytes::Bytes;
use domain::error::Cause;
use http::{HeaderMap, HeaderName, HeaderValue};
use lambda_http::{Body, Request, RequestExt as _, aws_lambda_events::apigw::ApiGatewayProxyResponse};
use serde::Deserialize;
use serde_json::Value;

use crate::envelope::Response;

/// Request, as API Gateway passes it to a function.
#[derive(Debug, Deserialize)]
#[serde(try_from = "Event")]
pub struct ProxyRequest(pub Request);

/// Route of a request, such as `/api/v1/events/{eventId}`.
#[derive(Clone, Debug)]
pub struct Route(pub String);

/// Address of the service, from the stage variable `baseUrl`: the distribution gets its name only after the functions.
#[derive(Clone, Debug)]
pub struct BaseUrl(pub String);

/// Metadata that API Gateway adds to a request.
#[derive(Clone, Debug, Deserialize)]
pub struct RequestContext(Value);

impl RequestContext {
    /// Returns the id that the gateway assigned to the request.
    #[must_use]
    pub fn request_id(&self) -> Option<&str> {
        self.0["requestId"].as_str()
    }

    /// Returns the source address of the request, as the gateway saw it.
    #[must_use]
    pub fn source_address(&self) -> Option<&str> {
        self.0["identity"]["sourceIp"].as_str()
    }

    /// Returns the principal that the gateway's authorizer named, if it was called.
    #[must_use]
    pub fn principal(&self) -> Option<&str> {
        self.0["authorizer"]["principalId"].as_str()
    }

    /// Returns true if the gateway's authorizer found the role of order services in the token.
    #[must_use]
    pub fn is_order_service(&self) -> bool {
        // The gateway passes values of the authorizer's context as texts.
        self.0["authorizer"]["isOrderService"] == "true"
    }

    /// Returns the id of an order service that is no manager, which the gateway's authorizer found in the token.
    #[must_use]
    pub fn subject_id(&self) -> Option<&str> {
        self.0["authorizer"]["subjectId"].as_str()
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    http_method: String,
    resource: Option<String>,
    multi_value_headers: Option<Headers>,
    multi_value_query_string_parameters: Option<HashMap<String, Vec<String>>>,
    path_parameters: Option<HashMap<String, String>>,
    stage_variables: Option<HashMap<String, Value>>,
    request_context: Option<RequestContext>,
    body: Option<String>,
    is_base64_encoded: Option<bool>,
}

impl TryFrom<Event> for ProxyRequest {
    type Error = Cause;

    fn try_from(event: Event) -> Result<Self, Cause> {
        let body = match event.body {
            None => Body::Empty,
            Some(body) if event.is_base64_encoded == Some(true) => Body::Binary(STANDARD.decode_to_vec(body)?),
            Some(body) => Body::Text(body),
        };
        let mut request = Request::new(body);
        *request.method_mut() = event.http_method.parse()?;
        *request.headers_mut() = event.multi_value_headers.unwrap_or_default().0;
        if let Some(route) = event.resource {
            request.extensions_mut().insert(Route(route));
        }
        let variable = event.stage_variables.as_ref().and_then(|variables| variables.get("baseUrl"));
        if let Some(base_url) = variable.and_then(|url| base_url(url, event.request_context.as_ref())) {
            request.extensions_mut().insert(BaseUrl(base_url));
        }
        if let Some(context) = event.request_context {
            request.extensions_mut().insert(context);
        }
        let request = request
            .with_path_parameters(event.path_parameters.unwrap_or_default())
            .with_query_string_parameters(event.multi_value_query_string_parameters.unwrap_or_default());
        Ok(Self(request))
    }
}

/// Returns the address of the service.
///
/// `sam local start-api` does not evaluate the variable, an expression of the template, so it is that of the request
/// there.
fn base_url(variable: &Value, context: Option<&RequestContext>) -> Option<String> {
    match variable {
        Value::String(url) => Some(url.clone()),
        _ => Some(format!("http://{}", context?.0["domainName"].as_str()?)),
    }
}

/// Headers of an event, each with all its values; invalid headers are skipped.
///
/// As user input, a value may be invalid UTF-8.
#[derive(Debug, Default, Deserialize)]
#[serde(from = "HashMap<String, Vec<Bytes>>")]
pub(super) struct Headers(pub(super) HeaderMap);

impl From<HashMap<String, Vec<Bytes>>> for Headers {
    fn from(event: HashMap<String, Vec<Bytes>>) -> Self {
        let mut headers = HeaderMap::new();
        for (name, values) in event {
            let Ok(name) = HeaderName::from_bytes(name.as_bytes()) else { continue };
            for value in values.into_iter().filter_map(|value| HeaderValue::from_maybe_shared(value).ok()) {
                headers.append(&name, value);
            }
        }
        Self(headers)
    }
}

/// Builds the event of a response.
#[must_use]
pub fn response_event(response: Response) -> ApiGatewayProxyResponse {
    let (head, body) = response.into_parts();
    let mut event = ApiGatewayProxyResponse::default();
    event.status_code = head.status.as_u16().into();
    event.multi_value_headers = head.headers;
    event.is_base64_encoded = matches!(body, Body::Binary(_));
    // Without a body, the key is absent.
    event.body = Some(body).filter(|body| !matches!(body, Body::Empty));
    event
}

#[cfg(test)]
mod tests {
    use http::{Method, Response};
    use serde_json::{Value, json};

    use super::*;

    fn read(event: &Value) -> Result<Request, serde_json::Error> {
        serde_json::from_value::<ProxyRequest>(event.clone())?;
        serde_json::from_str(&event.to_string()).map(|ProxyRequest(request)| request)
    }

    fn source_address(request: &Request) -> Option<&str> {
        request.extensions().get().and_then(RequestContext::source_address)
    }

    #[test]
    fn full_event_is_read() {
        let request = read(&json!({
            "resource": "/api/v1/events/{eventId}", "path": "/api/v1/events/1", "httpMethod": "DELETE",
            "headers": {"Accept": "b"},
            "multiValueHeaders": {"Accept": ["a", "b"], "X-Api-ManagerId": ["가"]},
            "queryStringParameters": {"q": "2"},
            "multiValueQueryStringParameters": {"q": ["1", "2"]},
            "pathParameters": {"eventId": "1\"/"},
            "requestContext": {"anything": [{}], "identity": {"user": null, "sourceIp": "203.0.113.7"}},
            "body": "\"가\"", "isBase64Encoded": false,
        }))
        .unwrap();
        assert_eq!(request.method(), Method::DELETE);
        let accepted: Vec<_> = request.headers().get_all("accept").iter().collect();
        assert_eq!(accepted, ["a", "b"]);
        assert_eq!(request.headers()["x-api-managerid"].as_bytes(), "가".as_bytes());
        assert_eq!(request.query_string_parameters().all("q"), Some(vec!["1", "2"]));
        assert_eq!(request.path_parameters().first("eventId"), Some("1\"/"));
        assert_eq!(request.extensions().get::<Route>().unwrap().0, "/api/v1/events/{eventId}");
        assert_eq!(source_address(&request).unwrap(), "203.0.113.7");
        assert_eq!(request.body(), &Body::Text("\"가\"".to_owned()));
        let binary = read(&json!({"httpMethod": "POST", "body": "/wA=", "isBase64Encoded": true})).unwrap();
        assert_eq!(binary.body(), &Body::Binary(b"\xFF\0".to_vec()));
    }

    #[test]
    fn address_is_that_of_stage_or_of_request() {
        let base_url = |variable: Value| {
            let context = json!({"domainName": "localhost:3000"});
            let event = json!({"httpMethod": "GET", "stageVariables": variable, "requestContext": context});
            read(&event).unwrap().extensions().get::<BaseUrl>().map(|BaseUrl(url)| url.clone())
        };
        assert_eq!(base_url(json!({"baseUrl": "https://tickets.example"})).unwrap(), "https://tickets.example");
        assert_eq!(base_url(json!({"baseUrl": {"Fn::Sub": []}})).unwrap(), "http://localhost:3000");
        assert_eq!([json!(null), json!({})].map(base_url), [None, None]);
    }

    #[test]
    fn principal_comes_from_authorizer() {
        let principal = |context: Value| {
            let request = read(&json!({"httpMethod": "GET", "requestContext": context})).unwrap();
            request.extensions().get().and_then(RequestContext::principal).map(str::to_owned)
        };
        let authorizer = json!({"principalId": "a", "integrationLatency": 1});
        assert_eq!(principal(json!({"authorizer": authorizer, "identity": {"user": "b"}})).unwrap(), "a");
        for other in [json!({}), json!({"authorizer": null}), json!({"authorizer": {}}), json!({"principalId": "a"})] {
            assert_eq!(principal(other), None);
        }
    }

    #[test]
    fn null_counts_as_missing() {
        let nulls = json!({
            "httpMethod": "GET", "multiValueHeaders": null, "pathParameters": null, "requestContext": null,
            "multiValueQueryStringParameters": null, "body": null, "isBase64Encoded": null,
        });
        let with_identity = |identity: Value| json!({"httpMethod": "GET", "requestContext": {"identity": identity}});
        for event in [nulls, with_identity(json!(null)), with_identity(json!({"sourceIp": null}))] {
            let request = read(&event).unwrap();
            assert_eq!((request.headers().len(), source_address(&request), request.body()), (0, None, &Body::Empty));
            assert!(request.path_parameters().is_empty() && request.query_string_parameters().is_empty());
        }
    }

    #[test]
    fn invalid_event_is_rejected() {
        for event in [
            json!({}),
            json!({"httpMethod": "G T"}),
            json!({"httpMethod": "GET", "body": "not base64", "isBase64Encoded": true}),
            json!({"httpMethod": "GET", "multiValueHeaders": {"a": "b"}}),
        ] {
            assert!(read(&event).is_err(), "{event}");
        }
    }

    #[test]
    fn invalid_headers_are_skipped() {
        let event = b"{\"httpMethod\": \"GET\", \"headers\": {\"user-agent\": \"Beno\xEEt\"}, \"multiValueHeaders\":
            {\"a b\": [\"c\"], \"d\": [\"\\u0001\", \"e\\t\"], \"user-agent\": [\"Beno\xEEt\"]}}";
        let ProxyRequest(request) = serde_json::from_slice(event).unwrap();
        assert_eq!(request.headers().len(), 2);
        assert_eq!(request.headers()["d"], "e\t");
        assert_eq!(request.headers()["user-agent"].as_bytes(), b"Beno\xEEt");
    }

    #[test]
    fn response_is_unchanged() {
        let written = |body: Body| {
            let mut response = Response::new(body);
            *response.status_mut() = http::StatusCode::CONFLICT;
            response.headers_mut().append("vary", HeaderValue::from_static("a"));
            response.headers_mut().append("vary", HeaderValue::from_static("b"));
            serde_json::to_string(&response_event(response)).unwrap()
        };
        let head = r#""statusCode":409,"headers":{},"multiValueHeaders":{"vary":["a","b"]}"#;
        for (body, rest) in [
            (Body::Text("\"\\가\n\u{1}".to_owned()), r#","body":"\"\\가\n\u0001","isBase64Encoded":false"#),
            (Body::Binary(b"\xFF\0".to_vec()), r#","body":"/wA=","isBase64Encoded":true"#),
            (Body::Empty, r#","isBase64Encoded":false"#),
        ] {
            assert_eq!(written(body), format!("{{{head}{rest}}}"));
        }
    }
}
