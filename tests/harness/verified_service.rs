//! A service that verifies managers.

use aws_sdk_dynamodb::types::AttributeValue;
use local::{Settings, issuer::ManagerAuthentication};
use reqwest::Method;

use crate::{
    Api, Response, Service,
    issuer::{Issuer, Key},
    sample, set,
    token::with,
};

/// Service that verifies managers, with its own issuer; both end with the test.
#[derive(Debug)]
pub struct VerifiedService {
    /// Issuer of the tokens.
    pub issuer: Issuer,
    /// ES256 key of the issuer, which has an RS256 key too.
    pub key: Key,
    /// Client of the service, without a token.
    pub api: Api,
    /// The service.
    pub service: Service,
}

impl VerifiedService {
    /// Starts the issuer and the service.
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    /// Starts the issuer, and the service with these settings.
    pub async fn start_with(settings: Settings) -> Self {
        let key = Key::es256();
        let issuer = Issuer::start(&[&key, &Key::rs256()]).await;
        let managers = ManagerAuthentication::ExternalIssuer(issuer.url().parse().expect("URL of the issuer"));
        let service = Service::start_with(Settings { managers, ..settings }).await;
        Self { issuer, key, api: service.api.clone(), service }
    }

    /// Creates a valid token of a manager.
    #[must_use]
    pub fn token(&self, manager: &str) -> String {
        self.key.token(&self.issuer.claims(manager))
    }

    /// Creates a client with the token of a manager.
    #[must_use]
    pub fn by(&self, manager: &str) -> Api {
        self.api.with_token(&self.token(manager))
    }

    /// Creates a client with a token of these roles.
    #[must_use]
    pub fn with_roles(&self, subject: &str, roles: &[&str]) -> Api {
        self.api.with_token(&self.key.token(&with(&self.issuer.claims(subject), "roles", roles)))
    }

    /// Makes [`sample::OTHER_MANAGER`] the owner of an event.
    pub async fn change_owner(&self, id: &str) {
        let owner = AttributeValue::S(sample::OTHER_MANAGER.to_owned());
        set(&self.service.stack.dynamodb(), &format!("EVENT#{id}"), "EVENT", "manager", owner).await;
    }

    /// Sends a deletion with this `Authorization` header.
    ///
    /// The response is 404 if the request is authorized, because the event does not exist.
    pub async fn authorize(&self, authorization: &str) -> Response {
        let path = format!("/api/v1/events/{}", sample::UNKNOWN_EVENT);
        self.api.send_with(Method::DELETE, &path, &[("Authorization", authorization)]).await
    }
}
