//! Lambda function `events-get`.

use api::serve;
use events_get::Get;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(Get::new(table), config).await
}
