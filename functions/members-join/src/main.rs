//! The Lambda function `members-join`.

use lambda_http::Error;
use members_join::Join;
use shared::{
    aws,
    config::Config,
    domain::password::Hasher,
    http::{log, serve},
    store::{member::Members, table::Table},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let dynamodb = aws::connect(config)?.dynamodb().await;
    let members = Members::new(Table::new(dynamodb, config.table_name()?));
    let hasher = Hasher::new(config.argon2_params()?);
    let common_passwords = config.common_passwords()?;
    serve::run(
        Join { members, hasher, common_passwords },
        &config.allowed_origins()?,
        &config.metrics_namespace()?,
    )
    .await
}
