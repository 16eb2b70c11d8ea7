//! Lambda function `members-login`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use lambda_http::Error;
use members_login::Login;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let hasher = config.parse("ARGON2_PARAMS")?;
    let handler = Login::new(table, hasher);
    serve::run(handler, config).await
}
