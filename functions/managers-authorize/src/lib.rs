//! Authorizer of the gateway: identifies the manager before a request reaches its function.

use api::authorizer::{Authorizer, AuthorizerRequest, Principal};
use auth::Issuer;
use domain::{error::Error, manager::Role};

/// Authorizer with its configuration.
#[derive(Debug)]
pub enum Authorize {
    /// No verification: every request is authorized.
    Open,
    /// Verification of tokens: only managers are authorized.
    Verified {
        /// Issuer of the tokens.
        issuer: Box<Issuer>,
        /// Role that a manager's token must have.
        role: Role,
    },
}

impl Authorizer for Authorize {
    async fn authorize(&self, request: &AuthorizerRequest) -> Result<Principal, Error> {
        let Self::Verified { issuer, role } = self else { return Ok(Principal::Anyone) };
        let token = request.bearer_token().ok_or(Error::NotAuthenticated)?;
        let claims = issuer.verify(token).await?;
        role.manager(&claims).map(Principal::Manager)
    }
}
