//! API Gateway's Lambda proxy integration: the event of a request, and the JSON of its response.
//!
//! `lambda_http` reads the events of every service; therefore it reads each event twice and copies its
//! body twice. This module reads an event of a REST API in one pass and copies its body once. It takes
//! headers and query from the `multiValue…` fields, which are complete.
//! (<https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html>)

use std::{borrow::Cow, collections::HashMap, fmt};

use base64_simd::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use lambda_http::{Body, Request, RequestExt as _};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{Error as _, MapAccess, Visitor},
    ser::{SerializeMap as _, SerializeStruct as _},
};

use serde_json::value::RawValue;

use crate::{envelope::Response, request_context::RequestContext};

/// Request, as API Gateway passes it to a function.
#[derive(Debug)]
pub struct ProxyRequest(pub Request);

/// Response, as a function returns it to API Gateway.
#[derive(Debug)]
pub struct ProxyResponse(pub Response);

/// Route of a request, such as `/api/v1/events/{eventId}`.
#[derive(Clone, Debug)]
pub struct Route(pub String);

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event<'a> {
    #[serde(borrow)]
    http_method: Text<'a>,
    resource: Option<Text<'a>>,
    multi_value_headers: Option<Headers>,
    multi_value_query_string_parameters: Option<HashMap<String, Vec<String>>>,
    path_parameters: Option<HashMap<String, String>>,
    request_context: Option<Box<RawValue>>,
    body: Option<Text<'a>>,
    is_base64_encoded: Option<bool>,
}

impl<'de> Deserialize<'de> for ProxyRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Event::deserialize(deserializer)?.into_request().map(Self).map_err(D::Error::custom)
    }
}

impl Event<'_> {
    fn into_request(self) -> Result<Request, String> {
        let body = match self.body {
            None => Body::Empty,
            Some(Text(body)) if self.is_base64_encoded == Some(true) => {
                Body::Binary(STANDARD.decode_to_vec(body.as_bytes()).map_err(|error| error.to_string())?)
            }
            Some(Text(body)) => Body::Text(body.into_owned()),
        };
        let mut request = Request::new(body);
        *request.method_mut() = Method::from_bytes(self.http_method.0.as_bytes()).map_err(|error| error.to_string())?;
        if let Some(headers) = self.multi_value_headers {
            *request.headers_mut() = headers.0;
        }
        if let Some(route) = self.resource {
            request.extensions_mut().insert(Route(route.0.into_owned()));
        }
        if let Some(context) = self.request_context {
            request.extensions_mut().insert(RequestContext(context));
        }
        if let Some(parameters) = self.path_parameters {
            request = request.with_path_parameters(parameters);
        }
        if let Some(parameters) = self.multi_value_query_string_parameters {
            request = request.with_query_string_parameters(parameters);
        }
        Ok(request)
    }
}

/// Headers of an event, each with all its values; invalid headers are skipped.
pub(super) struct Headers(pub(super) HeaderMap);

/// Text that is copied only if it has escapes.
#[derive(Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

/// Bytes of a text; as user input, they may be invalid UTF-8.
struct Bytes<'a>(Cow<'a, [u8]>);

impl<'de> Deserialize<'de> for Headers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(HeadersVisitor)
    }
}

struct HeadersVisitor;

impl<'de> Visitor<'de> for HeadersVisitor {
    type Value = Headers;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("headers with lists of values")
    }

    fn visit_map<M: MapAccess<'de>>(self, mut map: M) -> Result<Headers, M::Error> {
        let mut headers = HeaderMap::with_capacity(32);
        while let Some((name, values)) = map.next_entry::<Bytes, Vec<Bytes>>()? {
            let Ok(name) = HeaderName::from_bytes(&name.0) else { continue };
            for value in values.iter().filter_map(|value| HeaderValue::from_bytes(&value.0).ok()) {
                // A full map accepts no more.
                let _ = headers.try_append(&name, value);
            }
        }
        Ok(Headers(headers))
    }
}

impl<'de> Deserialize<'de> for Bytes<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_bytes(BytesVisitor)
    }
}

struct BytesVisitor;

impl<'de> Visitor<'de> for BytesVisitor {
    type Value = Bytes<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_bytes<E>(self, bytes: &'de [u8]) -> Result<Self::Value, E> {
        Ok(Bytes(bytes.into()))
    }

    fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Self::Value, E> {
        Ok(Bytes(bytes.to_owned().into()))
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
        Ok(Bytes(text.as_bytes().into()))
    }

    fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Bytes(text.as_bytes().to_owned().into()))
    }
}

impl Serialize for ProxyResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let response = &self.0;
        let mut json = serializer.serialize_struct("ProxyResponse", 4)?;
        json.serialize_field("statusCode", &response.status().as_u16())?;
        json.serialize_field("multiValueHeaders", &MultiValueHeaders(response.headers()))?;
        match response.body() {
            Body::Text(text) => {
                json.serialize_field("body", &json_string(text))?;
                json.serialize_field("isBase64Encoded", &false)?;
            }
            Body::Binary(bytes) => {
                json.serialize_field("body", &STANDARD.encode_to_string(bytes))?;
                json.serialize_field("isBase64Encoded", &true)?;
            }
            _ => json.serialize_field("isBase64Encoded", &false)?,
        }
        json.end()
    }
}

/// Escapes a body as a JSON string, with vector instructions.
///
/// `serde_json` would read every byte of the body again, to escape or check it. For a page of the list,
/// that takes three times the instructions of this escaping.
#[expect(unsafe_code, reason = "the only way to write JSON without reading it again")]
fn json_string(body: &str) -> Box<RawValue> {
    let json = json_escape_simd::escape(body);
    // SAFETY: `escape` returns exactly one JSON string with its quotes. The property test
    // `response_is_unchanged` parses it back; debug builds check every call.
    unsafe { RawValue::from_string_unchecked(json) }
}

struct MultiValueHeaders<'a>(&'a HeaderMap);

impl Serialize for MultiValueHeaders<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.keys_len()))?;
        for name in self.0.keys() {
            let values = self.0.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
            map.serialize_entry(name.as_str(), &values.collect::<Vec<_>>())?;
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use http::Response;
    use proptest::{collection::vec, prelude::*};
    use serde_json::{Value, json};

    use super::*;

    fn read(event: &Value) -> Result<Request, serde_json::Error> {
        serde_json::from_value::<ProxyRequest>(event.clone())?;
        serde_json::from_str(&event.to_string()).map(|ProxyRequest(request)| request)
    }

    fn source_address(request: &Request) -> Option<String> {
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
    }

    #[test]
    fn principal_comes_from_authorizer() {
        let principal = |context: Value| {
            let request = read(&json!({"httpMethod": "GET", "requestContext": context})).unwrap();
            request.extensions().get().and_then(RequestContext::principal)
        };
        let with_principal =
            json!({"authorizer": {"principalId": "a", "integrationLatency": 1}, "identity": {"user": "b"}});
        assert_eq!(principal(with_principal).unwrap(), "a");
        for without_principal in
            [json!({}), json!({"authorizer": null}), json!({"authorizer": {}}), json!({"principalId": "a"})]
        {
            assert_eq!(principal(without_principal), None);
        }
    }

    #[test]
    fn null_counts_as_missing() {
        let nulls = json!({
            "httpMethod": "GET", "multiValueHeaders": null, "pathParameters": null,
            "multiValueQueryStringParameters": null, "body": null, "isBase64Encoded": null,
        });
        let without_source = |context: Value| json!({"httpMethod": "GET", "requestContext": context});
        for event in [
            nulls,
            json!({"httpMethod": "GET"}),
            without_source(json!(null)),
            without_source(json!({"identity": null})),
            without_source(json!({"identity": {"sourceIp": null}})),
        ] {
            let request = read(&event).unwrap();
            assert!(request.headers().is_empty());
            assert_eq!(source_address(&request), None);
            assert!(request.path_parameters_ref().is_none());
            assert!(request.query_string_parameters_ref().is_none());
            assert_eq!(request.body(), &Body::Empty);
        }
    }

    #[test]
    fn invalid_event_is_rejected() {
        for event in [
            json!({}),
            json!([]),
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
    fn excess_headers_are_skipped() {
        let headers: serde_json::Map<_, _> = (0..40_000).map(|n| (format!("h{n}"), json!(["v"]))).collect();
        let request = read(&json!({"httpMethod": "GET", "multiValueHeaders": headers})).unwrap();
        assert!((24_000..40_000).contains(&request.headers().len()));
    }

    #[test]
    fn malformed_headers_explain_error() {
        for (headers, expected) in
            [(json!("a"), "expected headers with lists of values"), (json!({"a": [1]}), "expected a string")]
        {
            let error = read(&json!({"httpMethod": "GET", "multiValueHeaders": headers})).unwrap_err();
            assert!(error.to_string().contains(expected), "{error}");
        }
    }

    #[test]
    fn binary_response_is_base64() {
        for (body, expected) in [(Body::Binary(b"\xFF\0".to_vec()), json!("/wA=")), (Body::Empty, Value::Null)] {
            let is_binary = expected.is_string();
            let response = serde_json::to_value(ProxyResponse(Response::new(body))).unwrap();
            assert_eq!((&response["body"], &response["isBase64Encoded"]), (&expected, &json!(is_binary)));
        }
    }

    proptest! {
        #[test]
        fn request_body_keeps_bytes(bytes in vec(any::<u8>(), 0..200)) {
            let encoded = STANDARD.encode_to_string(&bytes);
            let event = json!({"httpMethod": "POST", "body": encoded, "isBase64Encoded": true});
            prop_assert_eq!(read(&event).unwrap().into_body(), Body::Binary(bytes));
        }

        #[test]
        fn response_is_unchanged(
            text in prop_oneof![any::<String>(), r#"["\\a가\t\n\u{1}]{0,400}"#],
            status in 200..600_u16,
        ) {
            let mut response = Response::new(Body::Text(text.clone()));
            *response.status_mut() = status.try_into().unwrap();
            response.headers_mut().append("vary", HeaderValue::from_static("a"));
            response.headers_mut().append("vary", HeaderValue::from_static("b"));
            let written: Value = serde_json::from_str(&serde_json::to_string(&ProxyResponse(response)).unwrap()).unwrap();
            let expected = json!({
                "statusCode": status, "multiValueHeaders": {"vary": ["a", "b"]},
                "body": text, "isBase64Encoded": false,
            });
            prop_assert_eq!(written, expected);
        }
    }
}
