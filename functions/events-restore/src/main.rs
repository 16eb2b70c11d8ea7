//! Lambda function `events-restore`.

use api::serve;
use events_restore::Restore;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(Restore::new(table), config).await
}
