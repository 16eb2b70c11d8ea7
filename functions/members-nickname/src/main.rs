//! Lambda function `members-nickname`.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

use api::serve;
use credentials::session::{AccessVerifier, Profiles};
use lambda_http::Error;
use members_nickname::ChangeNickname;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let verifier =
        AccessVerifier::new(table.clone(), config.parse("SIGNING_KEY_ROTATION")?, config.text("MEMBER_AUDIENCE")?);
    serve::run(ChangeNickname::new(Profiles::new(table, verifier)), config).await
}
