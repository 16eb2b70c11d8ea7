//! Authorizer of the gateway: identifies the manager before a request reaches its function.

use api::authorizer::{Authorizer, AuthorizerRequest, Principal};
use auth::issuer::{Issuer, ManagerAuthentication};
use domain::{
    error::{Cause, Error},
    manager::{Role, subject_id},
};

use crate::environment::Environment;

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
        /// Role of the tokens of order services, if there are any.
        order_role: Option<Role>,
    },
}

impl Authorize {
    /// Reads who the managers are from the settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    pub async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        match environment.parse("MANAGER_ISSUER")? {
            ManagerAuthentication::Open => {
                tracing::warn!(
                    "managers are not verified: anyone can register events as any manager and delete any event"
                );
                Ok(Self::Open)
            }
            ManagerAuthentication::Issuer(url) => {
                let issuer = Issuer::new(url, environment.text("MANAGER_AUDIENCE")?)?;
                issuer.prefetch_keys().await;
                let claim = environment.text("MANAGER_ROLE_CLAIM")?;
                let role = Role::new(claim.clone(), environment.text("MANAGER_ROLE")?);
                let order_role = environment.variable("ORDER_ROLE").map(|name| Role::new(claim, name));
                Ok(Self::Verified { issuer: Box::new(issuer), role, order_role })
            }
        }
    }
}

impl Authorizer for Authorize {
    async fn authorize(&self, request: &AuthorizerRequest) -> Result<Principal, Error> {
        let Self::Verified { issuer, role, order_role } = self else { return Ok(Principal::Anyone) };
        let token = request.bearer_token().ok_or(Error::NotAuthenticated)?;
        let claims = issuer.verify(token).await?;
        let is_order_service = order_role.as_ref().is_some_and(|role| role.is_held(&claims));
        match role.manager(&claims) {
            Ok(id) => Ok(Principal::Manager { id, is_order_service }),
            // An order service need not be a manager.
            Err(Error::PermissionDenied) if is_order_service => {
                Ok(Principal::OrderService { id: subject_id(&claims)? })
            }
            Err(error) => Err(error),
        }
    }
}
