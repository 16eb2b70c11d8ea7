//! The Lambda function `events-delete`.

use events_delete::Delete;
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
    let managers = config.manager_verification()?;
    let delete = Delete { events, managers };
    serve::run(delete, &config.allowed_origins()?, &config.metrics_namespace()?).await
}
