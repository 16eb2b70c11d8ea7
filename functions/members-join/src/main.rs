//! Lambda function `members-join`.

use api::{access_log, serve};
use lambda_http::Error;
use members_join::Join;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    access_log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    let hasher = config.parse("ARGON2_PARAMS")?;
    let handler = Join::new(table, hasher, config.parse("COMMON_PASSWORDS")?);
    serve::run(handler, config).await
}
