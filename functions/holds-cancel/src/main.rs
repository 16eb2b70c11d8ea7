//! Lambda function `holds-cancel`.

use api::serve;
use domain::clock::Clock;
use holds_cancel::Cancel;
use lambda_http::Error;
use storage::{holds::Holds, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let holds = Holds::new(table, Clock::default());
    serve::run(Cancel::new(holds), config).await
}
