//! A service that verifies managers.

use local::{Addresses, Data, Settings, Stack, issuer::ManagerAuthentication};
use reqwest::{Method, RequestBuilder};

use crate::{
    Api, Response,
    issuer::{Issuer, Key},
    sample,
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
    _stack: Stack,
}

impl VerifiedService {
    /// Starts the issuer and the service.
    pub async fn start() -> Self {
        let key = Key::es256();
        let issuer = Issuer::start(&[&key, &Key::rs256()]).await;
        let managers = ManagerAuthentication::ExternalIssuer(issuer.url().parse().expect("URL of the issuer"));
        let settings = Settings { managers, ..Settings::default() };
        let data = Data::temporary().expect("temporary folder");
        let stack = Stack::start_with(Addresses::default(), data, settings).await.expect("started stack");
        Self { issuer, key, api: Api::with_url(&stack.url()), _stack: stack }
    }

    /// Creates a valid token of a manager.
    #[must_use]
    pub fn token(&self, manager: &str) -> String {
        self.key.token(&self.issuer.claims(manager))
    }

    /// Builds a request to register an event, without a token.
    pub fn create_request(&self) -> RequestBuilder {
        let form = sample::form(&sample::event());
        let request = self.api.request(Method::POST, "/api/v1/events");
        request.header("Content-Type", form.content_type()).body(form.body())
    }

    /// Registers an event as this manager and returns its id.
    pub async fn create_event_as(&self, manager: &str) -> String {
        let created = Api::send(self.create_request().bearer_auth(self.token(manager))).await.expect(201, "0");
        created.data()["id"].as_str().expect("id of an event").to_owned()
    }

    /// Builds a request to delete an event, without a token.
    pub fn delete_request(&self, id: &str) -> RequestBuilder {
        self.api.request(Method::DELETE, &format!("/api/v1/events/{id}"))
    }

    /// Deletes an event as this manager.
    pub async fn delete_as(&self, manager: &str, id: &str) -> Response {
        Api::send(self.delete_request(id).bearer_auth(self.token(manager))).await
    }

    /// Sends a deletion with this `Authorization` header.
    ///
    /// The response is 404 if the request is authorized, because the event does not exist.
    pub async fn authorize(&self, authorization: &str) -> Response {
        let unknown = "0196a1b2-0000-7000-8000-00000000abcd";
        Api::send(self.delete_request(unknown).header("Authorization", authorization)).await
    }
}
