//! Lambda authorizer of the gateway, called before a function.

use std::sync::Arc;

use api::authorizer::{self, AuthorizerRequest, UNAUTHORIZED};
use domain::error::{Cause, Error};
use futures_util::future::BoxFuture;
use lambda_runtime::Diagnostic;
use serde_json::{Value, json};

/// Lambda function that authorizes requests.
#[derive(Clone)]
pub struct Authorizer {
    invoke: Arc<dyn Fn(Value) -> Decision + Send + Sync>,
}

type Decision = BoxFuture<'static, Result<Value, Diagnostic>>;

impl Authorizer {
    /// Creates an authorizer from the function `managers-authorize`.
    pub fn new(function: impl authorizer::Authorizer) -> Self {
        let function = Arc::new(function);
        let invoke = move |event| {
            let function = Arc::clone(&function);
            let response = async move {
                let request: AuthorizerRequest = serde_json::from_value(event).map_err(Cause::from)?;
                authorizer::respond(&*function, &request).await
            };
            Box::pin(response) as Decision
        };
        Self { invoke: Arc::new(invoke) }
    }

    /// Authorizes the request of a proxy event without body, and returns the authorizer context.
    ///
    /// # Errors
    ///
    /// Returns `NotAuthenticated` or `PermissionDenied` if the function denies the request, and
    /// `Unexpected` if it fails.
    pub async fn authorize(&self, event: &Value) -> Result<Value, Error> {
        let mut event = event.clone();
        event["type"] = "REQUEST".into();
        event["methodArn"] = method_arn(&event).into();
        let policy = (self.invoke)(event).await.map_err(|error| {
            if error.error_message == UNAUTHORIZED {
                Error::NotAuthenticated
            } else {
                Error::unexpected(error.error_message)
            }
        })?;
        if policy["policyDocument"]["Statement"][0]["Effect"] == "Allow" {
            let mut context = json!({"principalId": policy["principalId"]});
            // The gateway passes values of the context as texts.
            for (name, value) in policy["context"].as_object().into_iter().flatten() {
                context[name] = value.as_str().map_or_else(|| value.to_string(), str::to_owned).into();
            }
            Ok(context)
        } else {
            Err(Error::PermissionDenied)
        }
    }
}

fn method_arn(event: &Value) -> String {
    let text = |key: &str| event[key].as_str().unwrap_or_default();
    let path = text("path").trim_start_matches('/');
    format!("arn:aws:execute-api:local:000000000000:local/local/{}/{path}", text("httpMethod"))
}
