//! Lambda function `managers-events`.

use api::serve;
use lambda_http::Error;
use managers_events::OwnEvents;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let function = OwnEvents::new(table, config.parse("CURSOR_KEY")?);
    serve::run(function, config).await
}
