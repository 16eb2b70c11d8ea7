//! A service whose managers are verified.

use local::{Addresses, Data, Settings, Stack, issuer::ManagerAuthentication};
use reqwest::{Method, RequestBuilder};

use crate::{
    Api, Response,
    issuer::{Issuer, Key},
    sample,
};

/// A service of its own with an issuer of its own; both end with the test.
#[derive(Debug)]
pub struct VerifiedService {
    /// The issuer.
    pub issuer: Issuer,
    /// The issuer's key, one of two: it has one that signs by RS256 too.
    pub key: Key,
    /// The service, for those who need no token.
    pub api: Api,
    _stack: Stack,
}

impl VerifiedService {
    /// Starts both.
    pub async fn start() -> Self {
        let key = Key::es256();
        let issuer = Issuer::start(&[&key, &Key::rs256()]).await;
        let managers =
            ManagerAuthentication::ExternalIssuer(issuer.url().parse().expect("the URL of an issuer"));
        let settings = Settings { managers, ..Settings::default() };
        let data = Data::temporary().expect("a temporary folder");
        let stack =
            Stack::start_with(Addresses::default(), data, settings).await.expect("a stack that starts");
        Self { issuer, key, api: Api::at(&stack.url()), _stack: stack }
    }

    /// A right token of a manager.
    #[must_use]
    pub fn token(&self, manager: &str) -> String {
        self.key.token(&self.issuer.claims(manager))
    }

    /// A request to register an event, by nobody yet.
    pub fn create_request(&self) -> RequestBuilder {
        let form = sample::form(&sample::event());
        let request = self.api.request(Method::POST, "/api/v1/events");
        request.header("Content-Type", form.content_type()).body(form.body())
    }

    /// Registers an event as this manager, and gives its id.
    pub async fn create_event_as(&self, manager: &str) -> String {
        let created =
            Api::send(self.create_request().bearer_auth(self.token(manager))).await.expect(201, "0");
        created.data()["id"].as_str().expect("an id").to_owned()
    }

    /// A request to delete an event, by nobody yet.
    pub fn delete_request(&self, id: &str) -> RequestBuilder {
        self.api.request(Method::DELETE, &format!("/api/v1/events/{id}"))
    }

    /// Deletes an event as this manager.
    pub async fn delete_as(&self, manager: &str, id: &str) -> Response {
        Api::send(self.delete_request(id).bearer_auth(self.token(manager))).await
    }

    /// Shows this to the service in `Authorization`, and gives what it answers: 404 where it lets
    /// the bearer in, since the event that is to be deleted is not there.
    pub async fn authorize(&self, authorization: &str) -> Response {
        let nothing = "0196a1b2-0000-7000-8000-00000000abcd";
        Api::send(self.delete_request(nothing).header("Authorization", authorization)).await
    }
}
