//! Lambda function `managers-events`.

use api::{log, serve};
use lambda_http::Error;
use managers_events::OwnEvents;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    let function = OwnEvents::new(table, config.parse("MANAGER_VERIFICATION")?, config.parse("CURSOR_KEY")?);
    serve::run(function, config).await
}
