//! The Lambda function `posters-reap`.

use std::convert::Infallible;

use aws_lambda_events::dynamodb::Event;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use posters_reap::Reap;
use shared::{
    aws,
    config::Config,
    http::log,
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
    let reap = &Reap { events, posters };
    let handle = async |event: LambdaEvent<Event>| Ok::<_, Infallible>(reap.handle(event.payload).await);
    lambda_runtime::run(service_fn(handle)).await
}
