//! Lambda function `auth-logout`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use auth_logout::Logout;
use domain::session::RefreshKey;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let key = RefreshKey::derive(&config.parse("SESSION_SECRET")?);
    serve::run(Logout::new(table, key), config).await
}
