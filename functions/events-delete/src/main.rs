//! Lambda function `events-delete`.

use api::serve;
use events_delete::Delete;
use lambda_http::Error;
use storage::{event::Events, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(Delete::new(Events::new(table)), config).await
}
