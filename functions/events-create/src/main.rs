//! The Lambda function `events-create`.

use events_create::Create;
use lambda_http::Error;
use shared::{
    aws,
    config::Config,
    http::{log, serve},
    store::{event::Events, poster::Posters, table::Table},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let aws = aws::connect(config)?;
    let bucket = config.bucket_name()?;
    let events = Events::new(Table::new(aws.dynamodb().await, config.table_name()?));
    let posters = Posters::new(aws.s3(&bucket).await, bucket);
    let managers = config.manager_verification()?;
    let create = Create { events, posters, managers };
    serve::run(create, &config.allowed_origins()?, &config.metrics_namespace()?).await
}
