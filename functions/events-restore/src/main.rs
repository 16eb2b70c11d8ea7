//! Lambda function `events-restore`.

use api::{log, serve};
use events_restore::Restore;
use lambda_http::Error;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    serve::run(Restore::new(table, config.parse("MANAGER_VERIFICATION")?), config).await
}
