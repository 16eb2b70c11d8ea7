//! The Lambda function `events-list`.

use events_list::List;
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
    let cursors = config.cursor_key()?;
    serve::run(List { events, cursors }, &config.allowed_origins()?, &config.metrics_namespace()?).await
}
