//! Tells the gateway which manager makes a request, before it is carried out.

use api::authorizer::{Authorizer, AuthorizerRequest, Principal};
use auth::Issuer;
use domain::{error::Error, manager::Role};

/// The authorizer, with what it decides by.
#[derive(Debug)]
pub enum Authorize {
    /// Nobody is verified: every request is let in.
    Open,
    /// The bearer of a token is let in.
    Verified {
        /// Whose tokens count.
        issuer: Box<Issuer>,
        /// What makes their bearer a manager.
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
