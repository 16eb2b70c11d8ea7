//! Lambda function `events-get`.

use api::{log, serve};
use events_get::Get;
use lambda_http::Error;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    serve::run(Get::new(table), config).await
}
