//! Lambda function `events-create`.

use api::serve;
use events_create::Create;
use lambda_http::Error;
use storage::{poster::Posters, table::Table};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let aws = aws::connect(config)?;
    let bucket = config.text("BUCKET_NAME")?;
    let table = Table::new(aws.dynamodb().await, config.text("TABLE_NAME")?);
    let posters = Posters::new(aws.s3(&bucket).await, bucket);
    let handler = Create::new(table, posters);
    serve::run(handler, config).await
}
