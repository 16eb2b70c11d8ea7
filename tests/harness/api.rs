//! Client of the service.

use std::{net::IpAddr, time::Duration};

use reqwest::{Client, ClientBuilder, Method, RequestBuilder, header::HeaderMap};
use serde_json::{Value, json};

use crate::{Response, form::Form, sample, stack::stack};

/// Time limit of a request, so that a test fails instead of waiting forever.
const TIMEOUT: Duration = Duration::from_mins(2);

/// Client of the HTTP interface.
#[derive(Clone, Debug)]
pub struct Api {
    base: String,
    client: Client,
    /// Header that names the manager or order service who sends all requests.
    caller: Option<(&'static str, String)>,
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
        Self::with_client(base, Client::builder())
    }

    /// Creates a client of the same service with another address of this machine, such as 127.0.0.2.
    #[must_use]
    pub fn from_address(&self, address: &str) -> Self {
        let address: IpAddr = address.parse().expect("IP address");
        Self::with_client(&self.base, Client::builder().local_address(address))
    }

    fn with_client(base: &str, client: ClientBuilder) -> Self {
        // A service on AWS requires the API key without `CloudFront`.
        let key = std::env::var("API_KEY").ok();
        let key = key.map(|key| ("x-api-key".parse().expect("name"), key.parse().expect("API_KEY")));
        let headers: HeaderMap = key.into_iter().collect();
        let client = client.timeout(TIMEOUT).default_headers(headers).build().expect("HTTP client");
        Self { base: base.trim_end_matches('/').to_owned(), client, caller: None }
    }

    /// Creates a client of the same service whose requests this manager sends, without a token.
    #[must_use]
    pub fn by(&self, manager: &str) -> Self {
        Self { caller: Some(("x-api-managerId", manager.to_owned())), ..self.clone() }
    }

    /// Creates a client of the same service whose requests have this token of a manager or an order service.
    #[must_use]
    pub fn with_token(&self, token: &str) -> Self {
        Self { caller: Some(("Authorization", format!("Bearer {token}"))), ..self.clone() }
    }

    /// Starts to build a request.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.client.request(method, format!("{}{path}", self.base));
        self.caller.iter().fold(request, |request, (name, value)| request.header(*name, value))
    }

    /// Starts to build a request of [`sample::MANAGER`], unless the client has another one.
    pub fn manager_request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.request(method, path);
        if self.caller.is_some() { request } else { request.header("x-api-managerId", sample::MANAGER) }
    }

    /// Sends a request, reads the response, and checks the headers that every response of the API has.
    pub async fn send(request: RequestBuilder) -> Response {
        let response = request.send().await.expect("response");
        let is_api = response.url().path().starts_with("/api/");
        let response = Response::read(response).await;
        if is_api {
            response.check_common_headers();
        }
        response
    }

    /// Sends a request with these headers and no body.
    pub async fn send_with(&self, method: Method, path: &str, headers: &[(&str, &str)]) -> Response {
        let request = self.request(method, path);
        Self::send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
    }

    /// Posts bytes as JSON.
    pub async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Response {
        Self::send(self.request(Method::POST, path).header("Content-Type", "application/json").body(body)).await
    }

    /// Sends a GET request.
    pub async fn get(&self, path: &str) -> Response {
        self.send_with(Method::GET, path, &[]).await
    }

    /// Sends a GET request as [`sample::MANAGER`], or as the manager of the client.
    pub async fn get_as_manager(&self, path: &str) -> Response {
        Self::send(self.manager_request(Method::GET, path)).await
    }

    /// Sends a GET request with this `If-None-Match`.
    pub async fn get_unless(&self, path: &str, tag: &str) -> Response {
        self.send_with(Method::GET, path, &[("If-None-Match", tag)]).await
    }
}

/// Members.
impl Api {
    /// Registers a member.
    pub async fn join(&self, body: &Value) -> Response {
        self.post("/api/v1/members/join", body.to_string()).await
    }

    /// Joins with a new member, and returns the registration with the id.
    pub async fn joined(&self) -> Value {
        let mut member = sample::member();
        member["id"] = self.join(&member).await.expect(201, "0").id().into();
        member
    }

    /// Sends a login.
    pub async fn login(&self, body: &Value) -> Response {
        self.post("/api/v1/members/login", body.to_string()).await
    }

    /// Logs a member in with a password.
    pub async fn login_with(&self, member: &Value, password: &str) -> Response {
        self.login(&json!({"email": member["email"], "password": password})).await
    }

    /// Changes a member.
    pub async fn edit_member(&self, member: &Value, body: &Value) -> Response {
        let path = format!("/api/v1/members/{}", member["id"].as_str().expect("id"));
        Self::send(self.request(Method::PATCH, &path).json(body)).await
    }

    /// Withdraws a member.
    pub async fn withdraw(&self, member: &Value, body: &Value) -> Response {
        let path = format!("/api/v1/members/{}/withdrawal", member["id"].as_str().expect("id"));
        self.post(&path, body.to_string()).await
    }
}

/// Sessions of members.
impl Api {
    /// Sends a login that starts a session.
    pub async fn start_session(&self, body: &Value) -> Response {
        self.post("/api/v1/auth/login", body.to_string()).await
    }

    /// Starts a session of a member, and returns its tokens.
    pub async fn session(&self, member: &Value) -> Value {
        let login = json!({"email": member["email"], "password": sample::PASSWORD});
        self.start_session(&login).await.expect(200, "0").data()
    }

    /// Joins with a new member, and returns the registration with the id, and the tokens of a session.
    pub async fn joined_with_session(&self) -> (Value, Value) {
        let member = self.joined().await;
        let session = self.session(&member).await;
        (member, session)
    }

    /// Continues the session with the refresh token of these tokens.
    pub async fn refresh(&self, tokens: &Value) -> Response {
        self.post("/api/v1/auth/refresh", json!({"refreshToken": tokens["refreshToken"]}).to_string()).await
    }

    /// Ends the session with the refresh token of these tokens.
    pub async fn logout(&self, tokens: &Value) -> Response {
        self.post("/api/v1/auth/logout", json!({"refreshToken": tokens["refreshToken"]}).to_string()).await
    }

    /// Asks for a mail that resets the password.
    pub async fn forgot(&self, email: &Value) -> Response {
        self.post("/api/v1/auth/password-reset", json!({"email": email}).to_string()).await
    }

    /// Sets a new password with the token of a mail.
    pub async fn reset(&self, token: &str, password: &str) -> Response {
        let body = json!({"token": token, "newPassword": password});
        self.post("/api/v1/auth/password-reset/confirmation", body.to_string()).await
    }

    /// Asks for a mail that verifies the address, with the access token of these tokens.
    pub async fn request_verification(&self, tokens: &Value) -> Response {
        self.send_as_member(Method::POST, "/api/v1/auth/email-verification", tokens, None).await
    }

    /// Verifies the address with the token of a mail.
    pub async fn verify(&self, token: &str) -> Response {
        self.post("/api/v1/auth/email-verification/confirmation", json!({"token": token}).to_string()).await
    }

    /// Requests a member with the access token of these tokens.
    pub async fn profile(&self, member: &Value, tokens: &Value) -> Response {
        let path = format!("/api/v1/members/{}", member["id"].as_str().expect("id"));
        Self::send(self.request(Method::GET, &path).bearer_auth(tokens["accessToken"].as_str().expect("token"))).await
    }

    /// Lists the holds of a member with the access token of these tokens.
    pub async fn own_holds(&self, member: &Value, tokens: &Value) -> Response {
        let path = format!("/api/v1/members/{}/holds", member["id"].as_str().expect("id"));
        self.send_as_member(Method::GET, &path, tokens, None).await
    }

    /// Changes the nickname of a member with the access token of these tokens.
    pub async fn change_nickname(&self, member: &Value, tokens: &Value, body: &Value) -> Response {
        let path = format!("/api/v1/members/{}/nickname", member["id"].as_str().expect("id"));
        let request = self.request(Method::PATCH, &path).bearer_auth(tokens["accessToken"].as_str().expect("token"));
        Self::send(request.json(body)).await
    }
}

/// Events.
impl Api {
    /// Registers an event, or sends JSON that need not be valid, with a small poster.
    pub async fn create(&self, event: &(impl ToString + ?Sized)) -> Response {
        self.create_with_form(&sample::form(event)).await
    }

    /// Registers the sample event, and returns its id.
    pub async fn created(&self) -> String {
        self.create(&sample::event()).await.expect(201, "0").id()
    }

    /// Registers and deletes the sample event, and returns its id.
    pub async fn deleted(&self) -> String {
        let id = self.created().await;
        self.delete(&id).await.check(204, "0");
        id
    }

    /// Registers an event from a form.
    pub async fn create_with_form(&self, form: &Form) -> Response {
        Self::send(self.create_request(form)).await
    }

    /// Registers an event with an idempotency key.
    pub async fn create_with_key(&self, key: &str, form: &Form) -> Response {
        Self::send(self.create_request(form).header("Idempotency-Key", key)).await
    }

    /// Starts to build a request that registers an event.
    pub fn create_request(&self, form: &Form) -> RequestBuilder {
        let request = self.manager_request(Method::POST, "/api/v1/events");
        request.header("Content-Type", form.content_type()).body(form.body())
    }

    /// Returns the public events that a search for the title of this event finds, also among many events of other
    /// tests.
    pub async fn find(&self, event: &Value) -> Vec<Value> {
        let title = event["title"].as_str().expect("title").replace(' ', "%20");
        let found = self.get(&format!("/api/v1/events?q={title}")).await.expect(200, "0").data();
        found.as_array().expect("array of events").clone()
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

    /// Changes a show.
    pub async fn edit_show(&self, event: &str, show: &str, change: &Value) -> Response {
        Self::send(self.edit_request(&format!("{event}/dates/{show}")).body(change.to_string())).await
    }

    /// Cancels the shows of an event.
    pub async fn cancel(&self, id: &str, body: &Value) -> Response {
        self.post(&format!("/api/v1/events/{id}/cancellation"), body.to_string()).await
    }

    /// Copies an event as [`sample::MANAGER`].
    pub async fn copy(&self, id: &str, body: &Value) -> Response {
        self.post_as_manager(&format!("/api/v1/events/{id}/copies"), body).await
    }

    /// Requests an event as its manager, [`sample::MANAGER`], sees it.
    pub async fn managed_event(&self, id: &str) -> Response {
        self.get_as_manager(&format!("/api/v1/managers/me/events/{id}")).await
    }

    /// Starts to build a request that edits an event.
    pub fn edit_request(&self, id: &str) -> RequestBuilder {
        self.request(Method::PATCH, &format!("/api/v1/events/{id}")).header("Content-Type", "application/json")
    }

    /// Replaces the poster of an event.
    pub async fn replace_thumbnail(&self, id: &str, poster: &[u8]) -> Response {
        Self::send(self.thumbnail_request(id, poster)).await
    }

    /// Starts to build a request that replaces the poster of an event.
    pub fn thumbnail_request(&self, id: &str, poster: &[u8]) -> RequestBuilder {
        let form = sample::thumbnail_form(poster);
        let request = self.request(Method::PUT, &format!("/api/v1/events/{id}/thumbnail"));
        request.header("Content-Type", form.content_type()).body(form.body())
    }

    /// Deletes an event.
    pub async fn delete(&self, id: &str) -> Response {
        self.send_with(Method::DELETE, &format!("/api/v1/events/{id}"), &[]).await
    }

    /// Restores an event.
    pub async fn restore(&self, id: &str) -> Response {
        self.send_with(Method::POST, &format!("/api/v1/events/{id}/restore"), &[]).await
    }

    /// Sends a request with the access token of a member.
    pub async fn send_as_member(&self, method: Method, path: &str, tokens: &Value, body: Option<&Value>) -> Response {
        let request = self.request(method, path).bearer_auth(tokens["accessToken"].as_str().expect("token"));
        Self::send(body.into_iter().fold(request, RequestBuilder::json)).await
    }

    /// Posts JSON as a manager.
    pub async fn post_as_manager(&self, path: &str, body: &Value) -> Response {
        Self::send(self.manager_request(Method::POST, path).json(body)).await
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
