//! The service, as its callers see it.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;

use crate::{Response, form::Form, sample, stack::stack};

/// How long an answer may take, so that one that never comes fails its test instead of holding it up.
const PATIENCE: Duration = Duration::from_mins(2);

/// A caller of the service.
#[derive(Clone, Debug)]
pub struct Api {
    base: String,
    client: Client,
}

impl Default for Api {
    fn default() -> Self {
        Self::new()
    }
}

impl Api {
    /// A caller of the service at `BASE_URL`, or of the one of this process.
    #[must_use]
    pub fn new() -> Self {
        Self::at(&std::env::var("BASE_URL").unwrap_or_else(|_| stack().url()))
    }

    /// A caller of the service at this URL.
    #[must_use]
    pub fn at(base: &str) -> Self {
        let client = Client::builder().timeout(PATIENCE).build().expect("a client");
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// A request to a path, to be completed and sent.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a request and reads the answer.
    pub async fn send(request: RequestBuilder) -> Response {
        Response::read(request.send().await.expect("an answer")).await
    }

    /// Posts bytes as JSON.
    pub async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Response {
        let request = self.request(Method::POST, path).header("Content-Type", "application/json");
        Self::send(request.header("Accept", "application/json").body(body)).await
    }

    /// Registers a member.
    pub async fn join(&self, body: &Value) -> Response {
        self.post("/api/v1/members/join", body.to_string()).await
    }

    /// Logs a member in.
    pub async fn login(&self, body: &Value) -> Response {
        self.post("/api/v1/members/login", body.to_string()).await
    }

    /// Registers an event with a small poster.
    pub async fn create(&self, event: &Value) -> Response {
        self.create_with_form(&sample::form(event)).await
    }

    /// Registers an event from a form.
    pub async fn create_with_form(&self, form: &Form) -> Response {
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        Self::send(request.header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Registers an event from a form, in a way that can be repeated by a key.
    pub async fn create_with_key(&self, key: &str, form: &Form) -> Response {
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        let request = request.header("Idempotency-Key", key);
        Self::send(request.header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Reads from a path.
    pub async fn get(&self, path: &str) -> Response {
        Self::send(self.request(Method::GET, path).header("Accept", "application/json")).await
    }

    /// Shows an event.
    pub async fn event(&self, id: &str) -> Response {
        self.get(&format!("/api/v1/events/{id}")).await
    }

    /// Deletes an event.
    pub async fn delete(&self, id: &str) -> Response {
        Self::send(self.request(Method::DELETE, &format!("/api/v1/events/{id}"))).await
    }

    /// Reads a poster, from `UPLOAD_URL` where another server than that of the API has them.
    pub async fn poster(&self, thumbnail: &str) -> Response {
        let base = std::env::var("UPLOAD_URL").unwrap_or_else(|_| self.base.clone());
        Self::send(self.client.get(format!("{}/upload/{thumbnail}", base.trim_end_matches('/')))).await
    }
}
