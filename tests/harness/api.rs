//! Client of the service.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, header::HeaderMap};
use serde_json::Value;

use crate::{Response, form::Form, sample, stack::stack};

/// Time limit of a request, so that a test fails instead of waiting forever.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Client of the HTTP interface.
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
    /// Creates a client of the service at `BASE_URL`, or else of the one in this process.
    #[must_use]
    pub fn new() -> Self {
        Self::with_url(&std::env::var("BASE_URL").unwrap_or_else(|_| stack().url()))
    }

    /// Creates a client of the service at this URL.
    #[must_use]
    pub fn with_url(base: &str) -> Self {
        let client = Client::builder().timeout(TIMEOUT).default_headers(Self::api_key()).build().expect("HTTP client");
        Self { base: base.trim_end_matches('/').to_owned(), client }
    }

    /// Returns the header with the API key in `API_KEY`, which a service on AWS requires without `CloudFront`.
    fn api_key() -> HeaderMap {
        let key = std::env::var("API_KEY").ok();
        key.map(|key| ("x-api-key".parse().expect("name"), key.parse().expect("API_KEY"))).into_iter().collect()
    }

    /// Starts to build a request.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.base))
    }

    /// Sends a request and reads the response.
    pub async fn send(request: RequestBuilder) -> Response {
        Response::read(request.send().await.expect("response")).await
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

    /// Sends a login.
    pub async fn login(&self, body: &Value) -> Response {
        self.post("/api/v1/members/login", body.to_string()).await
    }

    /// Joins with a new member, and returns the registration with the id.
    pub async fn joined(&self) -> Value {
        let mut member = sample::member();
        member["id"] = self.join(&member).await.expect(201, "0").data()["id"].take();
        member
    }

    /// Changes a member.
    pub async fn edit_member(&self, id: &Value, body: &Value) -> Response {
        let path = format!("/api/v1/members/{}", id.as_str().expect("id"));
        Self::send(self.request(Method::PATCH, &path).json(body)).await
    }

    /// Withdraws a member.
    pub async fn withdraw(&self, id: &Value, body: &Value) -> Response {
        self.post(&format!("/api/v1/members/{}/withdrawal", id.as_str().expect("id")), body.to_string()).await
    }

    /// Registers an event with a small poster.
    pub async fn create(&self, event: &Value) -> Response {
        self.create_with_form(&sample::form(event)).await
    }

    /// Registers an event with a small poster, as this manager.
    pub async fn create_as(&self, manager: &str, event: &Value) -> Response {
        let form = sample::form(event);
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", manager);
        Self::send(request.header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Registers an event with a compressed request, and accepts a compressed response.
    pub async fn create_in_gzip(&self, event: &Value) -> Response {
        let form = sample::gzip_form(event);
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        let request =
            request.header("Content-Type", form.content_type()).header("Accept-Encoding", "gzip, deflate, br");
        Self::send(request.body(form.body())).await
    }

    /// Registers an event from a form.
    pub async fn create_with_form(&self, form: &Form) -> Response {
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        Self::send(request.header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Registers an event with an idempotency key.
    pub async fn create_with_key(&self, key: &str, form: &Form) -> Response {
        let request = self.request(Method::POST, "/api/v1/events").header("x-api-managerId", sample::MANAGER);
        let request = request.header("Idempotency-Key", key);
        Self::send(request.header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Response {
        Self::send(self.request(Method::GET, path).header("Accept", "application/json")).await
    }

    /// Sends a GET request as this manager.
    pub async fn get_as(&self, manager: &str, path: &str) -> Response {
        Self::send(self.request(Method::GET, path).header("x-api-managerId", manager)).await
    }

    /// Requests an event.
    pub async fn event(&self, id: &str) -> Response {
        self.get(&format!("/api/v1/events/{id}")).await
    }

    /// Edits an event.
    pub async fn edit(&self, id: &str, change: &Value) -> Response {
        Self::send(self.edit_request(id).body(change.to_string())).await
    }

    /// Edits an event if it has an entity tag.
    pub async fn edit_if_match(&self, id: &str, if_match: &str, change: &Value) -> Response {
        Self::send(self.edit_request(id).header("If-Match", if_match).body(change.to_string())).await
    }

    /// Starts to build a request that edits an event.
    pub fn edit_request(&self, id: &str) -> RequestBuilder {
        self.request(Method::PATCH, &format!("/api/v1/events/{id}")).header("Content-Type", "application/json")
    }

    /// Replaces the poster of an event.
    pub async fn replace_thumbnail(&self, id: &str, poster: &[u8]) -> Response {
        let form = sample::thumbnail_form(poster);
        Self::send(self.thumbnail_request(id).header("Content-Type", form.content_type()).body(form.body())).await
    }

    /// Starts to build a request that replaces the poster of an event.
    pub fn thumbnail_request(&self, id: &str) -> RequestBuilder {
        self.request(Method::PUT, &format!("/api/v1/events/{id}/thumbnail"))
    }

    /// Deletes an event.
    pub async fn delete(&self, id: &str) -> Response {
        Self::send(self.request(Method::DELETE, &format!("/api/v1/events/{id}"))).await
    }

    /// Restores an event.
    pub async fn restore(&self, id: &str) -> Response {
        Self::send(self.restore_request(id)).await
    }

    /// Starts to build a request that restores an event.
    pub fn restore_request(&self, id: &str) -> RequestBuilder {
        self.request(Method::POST, &format!("/api/v1/events/{id}/restore"))
    }

    /// Requests a poster.
    pub async fn poster(&self, thumbnail: &str) -> Response {
        Self::send(self.poster_request(thumbnail)).await
    }

    /// Starts to build the request of a poster, from `UPLOAD_URL` if another server serves posters.
    pub fn poster_request(&self, thumbnail: &str) -> RequestBuilder {
        let base = std::env::var("UPLOAD_URL").unwrap_or_else(|_| self.base.clone());
        self.client.get(format!("{}/upload/{thumbnail}", base.trim_end_matches('/')))
    }
}
