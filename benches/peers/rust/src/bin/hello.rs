//! Function that does nothing: the floor of every start.

use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::de::IgnoredAny;
use serde_json::{Value, json};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let handler = |_: LambdaEvent<IgnoredAny>| async { Ok::<Value, Error>(json!({"statusCode": 200})) };
    lambda_runtime::run(service_fn(handler)).await
}
