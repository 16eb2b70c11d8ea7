//! API Gateway's Lambda authorizer: its request and its response.
//! (<https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-use-lambda-authorizer.html>)

use lambda_http::Request;
use lambda_runtime::{Diagnostic, LambdaEvent, service_fn};
use serde::Deserialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    proxy::{Headers, RequestContext},
    request::bearer_token,
};
use domain::{error::Error, id};

/// Principal of an order service that is no manager.
const ORDER_SERVICE: &str = "order-service";

/// Principal if managers are not verified.
const ANYONE: &str = "anyone";

/// Error message for which the gateway returns 401; for any other it returns 500.
pub const UNAUTHORIZED: &str = "Unauthorized";

/// Request to be authorized: an event of type `REQUEST`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuthorizerRequest {
    method_arn: String,
    multi_value_headers: Option<Headers>,
    request_context: Option<RequestContext>,
}

/// Identity that an authorized request acts for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Principal {
    /// Verified manager.
    Manager {
        /// The id of the manager.
        id: Uuid,
        /// True if the manager is also an order service.
        is_order_service: bool,
    },
    /// Verified order service, which is no manager.
    OrderService {
        /// The id that a manager with its subject would have.
        id: Uuid,
    },
    /// Anyone, since managers are not verified.
    Anyone,
}

impl Principal {
    /// Returns the principal that the gateway's authorizer found for a request; `None` if it was not called.
    #[must_use]
    pub fn of(request: &Request) -> Option<Self> {
        let context: &RequestContext = request.extensions().get()?;
        match context.principal()? {
            ANYONE => Some(Self::Anyone),
            ORDER_SERVICE => Some(Self::OrderService { id: id::parse(context.subject_id()?)? }),
            id => Some(Self::Manager { id: id::parse(id)?, is_order_service: context.is_order_service() }),
        }
    }
}

/// Function that authorizes requests.
pub trait Authorizer: Send + Sync + 'static {
    /// Authorizes a request.
    ///
    /// # Errors
    ///
    /// Returns `NotAuthenticated` or `PermissionDenied` if it is rejected, another error if the check failed.
    fn authorize(&self, request: &AuthorizerRequest) -> impl Future<Output = Result<Principal, Error>> + Send;
}

impl AuthorizerRequest {
    /// Returns the bearer token (RFC 6750, 2.1) if there is exactly one `Authorization` header with one.
    #[must_use]
    pub fn bearer_token(&self) -> Option<&str> {
        bearer_token(&self.multi_value_headers.as_ref()?.0)
    }

    /// Returns the id that gateway responses carry.
    fn id(&self) -> Option<&str> {
        self.request_context.as_ref()?.request_id()
    }

    /// Returns the resource of the policy: the requested method with any path.
    ///
    /// The path is user input, and policies interpret some characters as patterns. The policy applies
    /// only to this request, so the wider resource authorizes no other.
    fn resource(&self) -> String {
        let method: Vec<_> = self.method_arn.splitn(4, '/').take(3).collect();
        format!("{}/*", method.join("/"))
    }
}

/// Serves an authorizer as a Lambda function until the process ends.
///
/// # Errors
///
/// Returns an error if the Lambda runtime cannot be reached.
pub async fn run(authorizer: impl Authorizer) -> Result<(), lambda_runtime::Error> {
    let authorizer = &authorizer;
    let handle = async |event: LambdaEvent<AuthorizerRequest>| respond(authorizer, &event.payload).await;
    lambda_runtime::run(service_fn(handle)).await
}

/// Authorizes a request and returns the policy for the gateway.
///
/// # Errors
///
/// Returns [`UNAUTHORIZED`] if the request is not authenticated, another error if the check failed.
pub async fn respond(authorizer: &impl Authorizer, request: &AuthorizerRequest) -> Result<Value, Diagnostic> {
    match authorizer.authorize(request).await {
        Ok(Principal::Manager { id, is_order_service }) => {
            Ok(policy("Allow", &id.to_string(), &json!({"isOrderService": is_order_service}), request))
        }
        Ok(Principal::OrderService { id }) => {
            Ok(policy("Allow", ORDER_SERVICE, &json!({"isOrderService": true, "subjectId": id.to_string()}), request))
        }
        Ok(Principal::Anyone) => Ok(policy("Allow", ANYONE, &json!({"isOrderService": false}), request)),
        Err(Error::PermissionDenied) => Ok(policy("Deny", "nobody", &json!({"isOrderService": false}), request)),
        Err(Error::NotAuthenticated) => {
            tracing::warn!(request_id = request.id(), "request rejected");
            Err(diagnostic(UNAUTHORIZED))
        }
        Err(error) => {
            tracing::error!(request_id = request.id(), cause = error.causes(), "authorization failed");
            Err(diagnostic("the authorizer failed"))
        }
    }
}

fn policy(effect: &str, principal: &str, context: &Value, request: &AuthorizerRequest) -> Value {
    json!({
        "principalId": principal,
        "context": context,
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
    fn bearer_token_is_in_one_header() {
        for value in ["Bearer a.b.c", "bearer a.b.c", "BEARER   a.b.c "] {
            assert_eq!(request("GET/", &[value]).bearer_token(), Some("a.b.c"), "{value}");
        }
        let invalid: [&[&str]; 5] = [
            &["Bearer"],
            &["Bearer "],
            &["Bearer ä.b.c"],
            &["Bearer a.b.c", "Bearer a.b.c"],
            &["Basic a.b.c", "Bearer a.b.c"],
        ];
        for values in invalid {
            assert_eq!(request("GET/", values).bearer_token(), Some(""), "{values:?}");
        }
        let missing: [&[&str]; 4] = [&[], &["a.b.c"], &["Basic a.b.c"], &["Bearera.b.c"]];
        for values in missing {
            assert_eq!(request("GET/", values).bearer_token(), None, "{values:?}");
        }
        let without = serde_json::from_value::<AuthorizerRequest>(json!({"methodArn": ARN, "multiValueHeaders": null}));
        assert_eq!(without.unwrap().bearer_token(), None);
    }

    #[test]
    fn policy_covers_method_not_path() {
        for path in ["DELETE/api/v1/events/${a}*?", "DELETE/"] {
            assert_eq!(request(path, &[]).resource(), format!("{ARN}/DELETE/*"));
        }
    }
}
