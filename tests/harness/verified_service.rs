//! A service that verifies managers.

use aws_sdk_dynamodb::types::AttributeValue;
use local::{Settings, issuer::ManagerAuthentication};
use reqwest::{Method, RequestBuilder};

use crate::{
    Api, Response, Sale, Service,
    issuer::{Issuer, Key},
    sample, set,
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
        let key = Key::es256();
        let issuer = Issuer::start(&[&key, &Key::rs256()]).await;
        let managers = ManagerAuthentication::ExternalIssuer(issuer.url().parse().expect("URL of the issuer"));
        let service = Service::start_with(Settings { managers, ..Settings::default() }).await;
        Self { issuer, key, api: service.api.clone(), service }
    }

    /// Creates a valid token of a manager.
    #[must_use]
    pub fn token(&self, manager: &str) -> String {
        self.key.token(&self.issuer.claims(manager))
    }

    /// Sends a request as this manager.
    pub fn send_as(&self, manager: &str, request: RequestBuilder) -> impl Future<Output = Response> + use<> {
        Api::send(request.bearer_auth(self.token(manager)))
    }

    /// Registers an event as this manager and returns its id.
    pub async fn created_by(&self, manager: &str) -> String {
        let form = sample::form(&sample::event());
        let request = self.api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        self.send_as(manager, request.body(form.body())).await.expect(201, "0").id()
    }

    /// Registers an event with shows to come as this manager.
    pub async fn created_on_sale_by(&self, manager: &str) -> Response {
        let form = sample::form(&Sale::on_sale());
        let request = self.api.request(Method::POST, "/api/v1/events").header("Content-Type", form.content_type());
        self.send_as(manager, request.body(form.body())).await
    }

    /// Makes [`sample::OTHER_MANAGER`] the owner of an event.
    pub async fn change_owner(&self, id: &str) {
        let owner = AttributeValue::S(sample::OTHER_MANAGER.to_owned());
        set(&self.service.stack.dynamodb(), &format!("EVENT#{id}"), "EVENT", "manager", owner).await;
    }

    /// Builds a request to delete an event, without a token.
    pub fn delete_request(&self, id: &str) -> RequestBuilder {
        self.api.request(Method::DELETE, &format!("/api/v1/events/{id}"))
    }

    /// Sends a deletion with this `Authorization` header.
    ///
    /// The response is 404 if the request is authorized, because the event does not exist.
    pub async fn authorize(&self, authorization: &str) -> Response {
        Api::send(self.delete_request(sample::UNKNOWN_EVENT).header("Authorization", authorization)).await
    }
}
