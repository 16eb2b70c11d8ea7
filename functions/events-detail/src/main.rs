//! Lambda function `events-detail`.

use api::{log, serve};
use events_detail::Detail;
use lambda_http::Error;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    serve::run(Detail::new(table), config).await
}
