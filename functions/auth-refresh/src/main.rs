//! Lambda function `auth-refresh`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use auth_refresh::Refresh;
use credentials::session::TokenIssuer;
use lambda_http::Error;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let tokens = TokenIssuer::start(
        table.clone(),
        &config.parse("SESSION_SECRET")?,
        config.parse("SIGNING_KEY_ROTATION")?,
        config.text("MEMBER_AUDIENCE")?,
        config.parse("ACCESS_TOKEN_SECONDS")?,
    )
    .await;
    serve::run(Refresh::new(table, tokens), config).await
}
