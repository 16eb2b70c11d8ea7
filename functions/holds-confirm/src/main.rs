//! Lambda function `holds-confirm`.

use api::serve;
use domain::clock::Clock;
use holds_confirm::Confirm;
use lambda_http::Error;
use storage::{holds::Holds, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let holds = Holds::new(table, Clock::default());
    serve::run(Confirm::new(holds), config).await
}
