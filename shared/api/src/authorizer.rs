//! API Gateway's Lambda authorizer: what it asks of the function before it calls another, and what it
//! takes for an answer.
//! (<https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html>)

use std::sync::Arc;

use http::{HeaderMap, header::AUTHORIZATION};
use lambda_runtime::{Diagnostic, LambdaEvent, service_fn};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::proxy::Headers;
use domain::error::Error;

/// The error by which a function has the gateway answer 401; any other is answered 500.
pub const UNAUTHORIZED: &str = "Unauthorized";

/// A request that is to be let in or not: an event of the kind `REQUEST`.
#[derive(Debug, Deserialize)]
#[serde(from = "Event")]
pub struct AuthorizerRequest {
    /// The id that the gateway's own answers carry; empty where it gave none.
    id: String,
    method_arn: String,
    headers: HeaderMap,
}

/// Who is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// This manager.
    Manager(Uuid),
    /// Whoever it is.
    Anyone,
}

/// What decides on requests.
pub trait Authorizer: Send + Sync + 'static {
    /// Decides on a request.
    ///
    /// # Errors
    ///
    /// `NotAuthenticated` or `NotPermitted` where it is not let in, any other where that cannot be told.
    fn authorize(&self, request: &AuthorizerRequest)
    -> impl Future<Output = Result<Principal, Error>> + Send;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    method_arn: String,
    multi_value_headers: Option<Headers>,
    request_context: Option<Context>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    request_id: Option<String>,
}

impl From<Event> for AuthorizerRequest {
    fn from(event: Event) -> Self {
        let headers = event.multi_value_headers.map(|headers| headers.0).unwrap_or_default();
        let id = event.request_context.and_then(|context| context.request_id).unwrap_or_default();
        Self { id, method_arn: event.method_arn, headers }
    }
}

impl AuthorizerRequest {
    /// The bearer token of the request (RFC 6750, 2.1), where it has one `Authorization` with one.
    #[must_use]
    pub fn bearer_token(&self) -> Option<&str> {
        let mut values = self.headers.get_all(AUTHORIZATION).iter();
        let (Some(value), None) = (values.next(), values.next()) else { return None };
        let (scheme, token) = value.to_str().ok()?.trim().split_once(' ')?;
        let token = token.trim_start();
        (scheme.eq_ignore_ascii_case("Bearer") && !token.is_empty()).then_some(token)
    }

    /// The method that is asked for, whatever the path: callers choose that, and a policy reads some
    /// characters as patterns. An answer counts for this request alone, so no other gets in by it.
    fn resource(&self) -> String {
        let method: Vec<_> = self.method_arn.splitn(4, '/').take(3).collect();
        format!("{}/*", method.join("/"))
    }
}

/// Serves an authorizer as a Lambda function, for as long as the process lives.
///
/// # Errors
///
/// Where the Lambda runtime cannot be reached.
pub async fn run(authorizer: impl Authorizer) -> Result<(), lambda_runtime::Error> {
    let authorizer = Arc::new(authorizer);
    lambda_runtime::run(service_fn(move |LambdaEvent { payload, .. }| {
        let authorizer = Arc::clone(&authorizer);
        async move { respond(&*authorizer, &payload).await }
    }))
    .await
}

/// Decides on a request, in the words of the gateway: a policy that lets its principal in or not.
///
/// # Errors
///
/// [`UNAUTHORIZED`] where nobody is known to ask, any other where that cannot be told.
pub async fn respond(authorizer: &impl Authorizer, request: &AuthorizerRequest) -> Result<Value, Diagnostic> {
    match authorizer.authorize(request).await {
        Ok(Principal::Manager(manager)) => Ok(policy("Allow", &manager.to_string(), request)),
        Ok(Principal::Anyone) => Ok(policy("Allow", "anyone", request)),
        Err(Error::NotPermitted) => Ok(policy("Deny", "nobody", request)),
        Err(Error::NotAuthenticated) => {
            tracing::warn!(request_id = request.id, "request rejected");
            Err(diagnostic(UNAUTHORIZED))
        }
        Err(error) => {
            tracing::error!(request_id = request.id, cause = error.causes(), "authorization failed");
            Err(diagnostic("the authorizer failed"))
        }
    }
}

fn policy(effect: &str, principal: &str, request: &AuthorizerRequest) -> Value {
    json!({
        "principalId": principal,
        "policyDocument": {
            "Version": "2012-10-17",
            "Statement": [{"Action": "execute-api:Invoke", "Effect": effect, "Resource": request.resource()}],
        },
    })
}

fn diagnostic(message: &str) -> Diagnostic {
    Diagnostic { error_type: "AuthorizerError".to_owned(), error_message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARN: &str = "arn:aws:execute-api:ap-northeast-2:000000000000:a1b2/live";

    fn request(path: &str, authorizations: &[&str]) -> AuthorizerRequest {
        let headers = json!({"AUTHORIZATION": authorizations, "Accept": ["*/*"]});
        serde_json::from_value(
            json!({"type": "REQUEST", "methodArn": format!("{ARN}/{path}"), "multiValueHeaders": headers}),
        )
        .unwrap()
    }

    #[test]
    fn a_bearer_token_is_that_of_one_header_with_its_scheme_in_any_case() {
        for value in ["Bearer a.b.c", "bearer a.b.c", "BEARER   a.b.c "] {
            assert_eq!(request("GET/", &[value]).bearer_token(), Some("a.b.c"), "{value}");
        }
        let others: [&[&str]; 8] = [
            &[],
            &[""],
            &["Bearer"],
            &["Bearer "],
            &["a.b.c"],
            &["Basic a.b.c"],
            &["Bearera.b.c"],
            &["Bearer a.b.c", "Bearer a.b.c"],
        ];
        for values in others {
            assert_eq!(request("GET/", values).bearer_token(), None, "{values:?}");
        }
        let without =
            serde_json::from_value::<AuthorizerRequest>(json!({"methodArn": ARN, "multiValueHeaders": null}));
        assert_eq!(without.unwrap().bearer_token(), None);
    }

    #[test]
    fn a_policy_is_for_the_method_whatever_is_in_the_path() {
        for path in ["DELETE/api/v1/events/1", "DELETE/api/v1/events/${a}*?", "DELETE/"] {
            assert_eq!(request(path, &[]).resource(), format!("{ARN}/DELETE/*"));
        }
    }
}
