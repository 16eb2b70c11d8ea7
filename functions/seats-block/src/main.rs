//! Lambda function `seats-block`.

use api::serve;
use domain::clock::Clock;
use lambda_http::Error;
use seats_block::Block;
use storage::{blocks::Blocks, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let blocks = Blocks::new(table, Clock::default());
    serve::run(Block::new(blocks), config).await
}
