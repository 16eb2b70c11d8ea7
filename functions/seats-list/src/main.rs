//! Lambda function `seats-list`.

use api::serve;
use domain::clock::Clock;
use lambda_http::Error;
use seats_list::List;
use storage::{shows::Shows, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(List::new(Shows::new(table, Clock::default())), config).await
}
