//! The Lambda function `events-get`.

use events_get::Get;
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
    serve::run(Get { events }, &config.allowed_origins()?, &config.metrics_namespace()?).await
}
