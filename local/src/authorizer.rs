//! API Gateway's asking of an authorizer before it calls a function.

use std::sync::Arc;

use api::authorizer::{self, AuthorizerRequest, UNAUTHORIZED};
use domain::error::{Cause, Error};
use futures_util::future::BoxFuture;
use lambda_runtime::Diagnostic;
use serde_json::{Value, json};

/// A Lambda function that decides on requests.
#[derive(Clone)]
pub struct Authorizer {
    invoke: Arc<dyn Fn(Value) -> Decision + Send + Sync>,
}

type Decision = BoxFuture<'static, Result<Value, Diagnostic>>;

impl Authorizer {
    /// The gateway's view of a function.
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

    /// Who makes the request of a proxy event without its body.
    ///
    /// # Errors
    ///
    /// `NotAuthenticated` or `PermissionDenied` where it is not let in, `Unexpected` where the function
    /// cannot tell.
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
            Ok(json!({"principalId": policy["principalId"]}))
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
