//! The functions behind the gateway.

use std::collections::BTreeMap;

use auth::{issuer::Issuer, url::IssuerUrl};
use domain::{clock::Clock, error::Cause};
use functions::{
    environment::{Environment, NOTICE_RATE, TICKETS_URL},
    managers::authorize::Authorize,
    registry,
};

use crate::{
    authorizer::Authorizer,
    emulators::{BUCKET, Emulators, TABLE},
    gateway::Function,
    issuer::{AUDIENCE, manager_role, order_role},
    settings::Settings,
};

/// Variables, emulators and clock of the local functions.
#[derive(Clone, Debug)]
pub struct LocalEnvironment {
    variables: BTreeMap<&'static str, String>,
    emulators: Emulators,
    clock: Clock,
}

impl LocalEnvironment {
    /// Builds the environment from the secrets of cursors, of sessions and of tickets, the settings, and the address of
    /// the pages to which mails lead.
    pub(crate) fn new(
        emulators: Emulators,
        (cursors, sessions, tickets): (String, String, String),
        settings: &Settings,
        base_url: &str,
    ) -> Self {
        let variables = [
            ("TABLE_NAME", TABLE.to_owned()),
            ("BUCKET_NAME", BUCKET.to_owned()),
            ("CURSOR_KEY", cursors),
            ("SESSION_SECRET", sessions),
            ("TICKET_SECRET", tickets),
            ("SIGNING_KEY_ROTATION", settings.signing_key_rotation.0.to_string()),
            ("MEMBER_AUDIENCE", settings.audience.clone()),
            ("ACCESS_TOKEN_SECONDS", settings.access_lifetime.duration().as_secs().to_string()),
            ("ARGON2_PARAMS", settings.argon2_params.to_owned()),
            ("COMMON_PASSWORDS", "allowed".to_owned()),
            ("HOLD_SECONDS", settings.holds.lifetime.duration().as_secs().to_string()),
            ("MAX_SEATS", settings.holds.max_seats.get().to_string()),
            ("EMAIL_VERIFICATION", settings.email_verification.as_str().to_owned()),
            ("MAIL_FROM", settings.mail_from.clone()),
            ("PASSWORD_RESET_URL", format!("{base_url}/reset-password")),
            ("EMAIL_VERIFICATION_URL", format!("{base_url}/verify-email")),
            (TICKETS_URL, format!("{base_url}/tickets")),
            (NOTICE_RATE, settings.notice_rate.to_string()),
        ];
        Self { variables: variables.into(), emulators, clock: settings.clock.clone() }
    }

    /// Returns the same environment with other clients of its emulators.
    #[must_use]
    pub fn with_clients(self, dynamodb: aws_sdk_dynamodb::Client, s3: aws_sdk_s3::Client) -> Self {
        Self { emulators: Emulators { dynamodb, s3, ..self.emulators }, ..self }
    }

    /// Returns the same environment with another client of SES.
    #[must_use]
    pub fn with_ses(self, ses: aws_sdk_sesv2::Client) -> Self {
        Self { emulators: Emulators { ses, ..self.emulators }, ..self }
    }

    /// Returns the same environment with another value of a variable.
    #[must_use]
    pub fn with(mut self, variable: &'static str, value: &str) -> Self {
        self.variables.insert(variable, value.to_owned());
        self
    }
}

impl Environment for LocalEnvironment {
    fn variable(&self, name: &'static str) -> Option<String> {
        self.variables.get(name).filter(|value| !value.is_empty()).cloned()
    }

    async fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.emulators.dynamodb.clone()
    }

    async fn s3(&self, _: &str) -> aws_sdk_s3::Client {
        self.emulators.s3.clone()
    }

    async fn ses(&self) -> aws_sdk_sesv2::Client {
        self.emulators.ses.clone()
    }

    fn clock(&self) -> Clock {
        self.clock.clone()
    }
}

/// Builds all functions.
///
/// If there is an issuer, managers are verified.
///
/// # Errors
///
/// Returns an error if a setting is invalid.
pub(crate) async fn functions(
    environment: &LocalEnvironment,
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
    let routes = registry::routes(environment).await?;
    Ok(routes.into_iter().map(|route| Function::new(route, &authorizer, base_url)).collect())
}
