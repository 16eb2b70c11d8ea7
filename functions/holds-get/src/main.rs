//! Lambda function `holds-get`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use credentials::session::AccessVerifier;
use domain::clock::Clock;
use holds_get::Get;
use lambda_http::Error;
use storage::{holds::Holds, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let verifier =
        AccessVerifier::new(table.clone(), config.parse("SIGNING_KEY_ROTATION")?, config.text("MEMBER_AUDIENCE")?);
    serve::run(Get::new(verifier, Holds::new(table, Clock::default())), config).await
}
