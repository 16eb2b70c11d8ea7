//! Lambda function `events-seat-map`.

use api::serve;
use events_seat_map::SeatMap;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    serve::run(SeatMap::new(table), config).await
}
