//! Lambda function `members-withdraw`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::{log, serve};
use lambda_http::Error;
use members_withdraw::Withdraw;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    let hasher = config.parse("ARGON2_PARAMS")?;
    let handler = Withdraw::new(table, hasher);
    serve::run(handler, config).await
}
