//! Lambda function `events-seat-map`.

use api::{log, serve};
use events_seat_map::SeatMap;
use lambda_http::Error;
use runtime::config::Config;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let table = Table::new(dynamodb, config.text("TABLE_NAME")?);
    serve::run(SeatMap::new(table), config).await
}
