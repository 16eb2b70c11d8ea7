//! Lambda function `events-detail`.

use api::serve;
use events_detail::Detail;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(Detail::new(table), config).await
}
