//! The least function there is.

use lambda_runtime::{Error, LambdaEvent, service_fn};
use peers::{ANSWER, Answer};
use serde::de::IgnoredAny;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let answer = |_: LambdaEvent<IgnoredAny>| async { Ok::<Answer, Error>(ANSWER) };
    lambda_runtime::run(service_fn(answer)).await
}
