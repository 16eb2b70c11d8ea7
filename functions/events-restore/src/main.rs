//! The Lambda function `events-restore`.

use events_restore::{Request, Restore};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use shared::{
    aws,
    config::Config,
    http::log,
    store::{event::Events, table::Table},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let restore = &Restore { events: Events::new(Table::new(dynamodb, config.table_name()?)) };
    let handle = async |event: LambdaEvent<Request>| {
        restore.handle(event.payload).await.map_err(|error| error.causes().unwrap_or_default())
    };
    lambda_runtime::run(service_fn(handle)).await
}
