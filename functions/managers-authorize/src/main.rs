//! Lambda function `managers-authorize`.

use api::{authorizer, serve};
use auth::{Issuer, ManagerAuthentication};
use domain::manager::Role;
use lambda_http::Error;
use managers_authorize::Authorize;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let config = serve::init();
    let authorize = match config.parse("MANAGER_ISSUER")? {
        ManagerAuthentication::Open => {
            tracing::warn!("managers are not verified: anyone can register events as any manager and delete any event");
            Authorize::Open
        }
        ManagerAuthentication::Issuer(url) => {
            let issuer = Issuer::new(url, config.text("MANAGER_AUDIENCE")?)?;
            issuer.prefetch_keys().await;
            let claim = config.text("MANAGER_ROLE_CLAIM")?;
            let role = Role::new(claim.clone(), config.text("MANAGER_ROLE")?);
            let order_role = config.optional("ORDER_ROLE").map(|name| Role::new(claim, name));
            Authorize::Verified { issuer: Box::new(issuer), role, order_role }
        }
    };
    authorizer::run(authorize).await
}
