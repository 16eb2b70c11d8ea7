//! The Lambda function `events-create`.

use events_create::Create;
use lambda_http::Error;
use shared::{
    aws,
    config::Config,
    http::serve,
    store::{event::Events, poster::Posters, table::Table},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    serve::init_tracing();
    let config = Config::from_env();
    let aws = aws::connect(config)?;
    let dynamodb = aws_sdk_dynamodb::Client::new(&aws);
    let events = Events::new(Table::new(dynamodb, config.table_name()?));
    let posters = Posters::new(aws_sdk_s3::Client::new(&aws), config.bucket_name()?);
    serve::run(Create { events, posters }, &config.allowed_origins()?).await
}
