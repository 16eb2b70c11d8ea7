//! Lambda function `events-restore`.

use api::access_log;
use events_restore::{Request, Restore};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    access_log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let restore = &Restore::new(Table::new(dynamodb, config.text("TABLE_NAME")?));
    let handle = async |event: LambdaEvent<Request>| {
        restore.handle(event.payload).await.map_err(|error| error.causes().unwrap_or_default())
    };
    lambda_runtime::run(service_fn(handle)).await
}
