//! Lambda function `posters-cleanup`.

use std::convert::Infallible;

use api::serve;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use posters_cleanup::{Cleanup, stream::StreamEvent};
use storage::{poster::Posters, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let aws = aws::connect(config)?;
    let bucket = config.text("BUCKET_NAME")?;
    let table = Table::new(aws.dynamodb().await, config.text("TABLE_NAME")?);
    let cleanup = &Cleanup::new(table, Posters::new(aws.s3(&bucket).await, bucket));
    let handle = async |event: LambdaEvent<StreamEvent>| Ok::<_, Infallible>(cleanup.handle(event.payload).await);
    lambda_runtime::run(service_fn(handle)).await
}
