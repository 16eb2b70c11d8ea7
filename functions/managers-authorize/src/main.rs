//! The Lambda function `managers-authorize`.

use lambda_http::Error;
use managers_authorize::Authorize;
use shared::{
    config::Config,
    domain::manager::Role,
    http::{authorizer, log},
    issuer::{Issuer, Managers},
};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    log::init();
    let config = Config::from_env();
    let authorize = match config.manager_issuer()? {
        Managers::Open => {
            tracing::warn!("open: anyone registers events as any manager, and deletes any event");
            Authorize::Open
        }
        Managers::Of(url) => {
            let issuer = Issuer::new(url, config.manager_audience()?)?;
            issuer.open().await;
            let role = Role::new(config.manager_role_claim()?, config.manager_role()?);
            Authorize::Verified { issuer: Box::new(issuer), role }
        }
    };
    authorizer::run(authorize).await
}
