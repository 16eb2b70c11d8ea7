//! The Lambda function `events-detail`.

use events_detail::Detail;
use lambda_http::Error;
use shared::{
    aws,
    config::Config,
    http::{log, serve},
    store::{event::Events, table::Table},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let events = Events::new(Table::new(dynamodb, config.table_name()?));
    serve::run(Detail { events }, &config.allowed_origins()?, &config.metrics_namespace()?).await
}
