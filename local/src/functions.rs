//! The functions behind the gateway.

use auth::{Issuer, url::IssuerUrl};
use domain::{cursor::CursorKey, error::Cause, session::SessionSecret};
use managers_authorize::Authorize;
use routes::{Resources, SessionSettings, routes};
use storage::{poster::Posters, table::Table};

use crate::{
    authorizer::Authorizer,
    emulators::{BUCKET, Emulators, TABLE},
    gateway::Function,
    issuer::{AUDIENCE, manager_role, order_role},
    settings::Settings,
};

/// Builds all functions on the emulators.
///
/// If there is an issuer, managers are verified.
///
/// # Errors
///
/// Returns an error if a setting is invalid.
pub async fn functions(
    emulators: &Emulators,
    (cursors, secret): (CursorKey, SessionSecret),
    settings: &Settings,
    issuer: Option<IssuerUrl>,
    base_url: &str,
) -> Result<Vec<Function>, Cause> {
    let authorize = match issuer {
        None => Authorize::Open,
        Some(url) => {
            let issuer = Issuer::new(url, AUDIENCE.to_owned())?;
            let (role, order_role) = (manager_role(), Some(order_role()));
            Authorize::Verified { issuer: Box::new(issuer), role, order_role }
        }
    };
    let authorizer = Authorizer::new(authorize);
    let routes = routes(Resources {
        table: Table::new(emulators.dynamodb.clone(), TABLE.to_owned()),
        posters: Posters::new(emulators.s3.clone(), BUCKET.to_owned()),
        cursors,
        argon2_params: settings.argon2_params,
        sessions: SessionSettings {
            secret,
            rotation: settings.signing_key_rotation,
            audience: settings.audience.clone(),
            lifetime: settings.access_lifetime,
        },
        holds: settings.holds,
        clock: settings.clock.clone(),
    })
    .await?;
    let function = |route| Function::new(route, &authorizer, base_url);
    Ok(routes.into_iter().map(function).collect())
}
