//! Lambda function `members-join`.

use api::serve;
use domain::password::common::CommonPasswords;
use lambda_http::Error;
use members_join::Join;
use storage::table::Table;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let table = Table::new(aws::connect(config)?.dynamodb().await, config.text("TABLE_NAME")?);
    let hasher = config.parse("ARGON2_PARAMS")?;
    let common_passwords: CommonPasswords = config.parse("COMMON_PASSWORDS")?;
    let handler = Join::new(table, hasher, common_passwords.parser());
    serve::run(handler, config).await
}
