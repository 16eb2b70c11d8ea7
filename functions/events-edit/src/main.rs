//! Lambda function `events-edit`.

use api::{log, serve};
use events_edit::Edit;
use lambda_http::Error;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    serve::run(Edit::new(table, config.parse("MANAGER_VERIFICATION")?), config).await
}
