//! Requests with their expected responses.

use axum::http::Method;
use lambda_http::Body;
use serde_json::Value;
use tests::{Api, form::Form, sample};

/// Route with a JSON body.
pub const JOIN: &str = "/api/v1/members/join";
/// Route with a form.
pub const CREATE: &str = "/api/v1/events";

/// Route with a manager and query parameters.
pub const OWN_EVENTS: &str = "/api/v1/managers/me/events";

/// Route with a JSON body and preconditions. No event has this id.
pub const EDIT: &str = "/api/v1/events/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

/// Route with a form of only a poster. No event has this id.
pub const THUMBNAIL: &str = "/api/v1/events/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11/thumbnail";

/// Route with a JSON body and a password. No member has this id.
pub const MEMBER: &str = "/api/v1/members/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

/// Route with a password alone. No member has this id.
pub const WITHDRAWAL: &str = "/api/v1/members/6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11/withdrawal";

/// Request with a name and the expected code of its response.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub method: Method,
    pub path: String,
    pub headers: Vec<(&'static str, Vec<u8>)>,
    pub body: Vec<u8>,
    pub code: &'static str,
    /// Drawing and poster that an accepted event must return.
    pub returned: Option<(String, Vec<u8>)>,
}

impl Case {
    /// Creates a request without headers and body.
    pub fn new(name: impl Into<String>, method: Method, path: impl Into<String>, code: &'static str) -> Self {
        let (name, path) = (name.into(), path.into());
        Self { name, method, path, headers: vec![], body: vec![], code, returned: None }
    }

    pub fn get(name: impl Into<String>, path: impl Into<String>, code: &'static str) -> Self {
        Self::new(name, Method::GET, path, code)
    }

    /// Creates a request for the events of a manager with this query.
    pub fn own_events(name: impl Into<String>, query: &str, code: &'static str) -> Self {
        Self::get(name, format!("{OWN_EVENTS}?{query}"), code).header("x-api-managerId", sample::MANAGER)
    }

    /// Creates a registration of a member with this JSON body.
    pub fn join(name: impl Into<String>, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self::new(name, Method::POST, JOIN, code).header("Content-Type", "application/json").with_body(body)
    }

    /// Creates an edit or a withdrawal of a member with this JSON body.
    pub fn account(name: impl Into<String>, path: &str, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        let method = if path == MEMBER { Method::PATCH } else { Method::POST };
        Self::new(name, method, path, code).header("Content-Type", "application/json").with_body(body)
    }

    /// Creates an edit of an event with this JSON body.
    pub fn edit(name: impl Into<String>, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self::new(name, Method::PATCH, EDIT, code).header("Content-Type", "application/json").with_body(body)
    }

    /// Creates a registration of an event, by a manager, with this form.
    pub fn form(name: impl Into<String>, media_type: &str, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self::new(name, Method::POST, CREATE, code)
            .header("Content-Type", media_type)
            .header("x-api-managerId", sample::MANAGER)
            .with_body(body)
    }

    pub fn create(name: impl Into<String>, form: &Form, code: &'static str) -> Self {
        Self::form(name, &form.content_type(), form.body(), code)
    }

    /// Creates an event with this text, which may be invalid JSON, as the field at a JSON pointer.
    pub fn field(name: impl Into<String>, pointer: &str, json: &str, code: &'static str) -> Self {
        let mut event = sample::event();
        *event.pointer_mut(pointer).unwrap() = "@".into();
        let text = event.to_string().replace("\"@\"", json);
        let form = Form::new().part(sample::REQUEST, text).part(sample::THUMBNAIL, sample::POSTER);
        Self::create(name, &form, code)
    }

    /// Creates an event with this drawing as `totalMap`.
    pub fn drawing(name: impl Into<String>, drawing: &str, code: &'static str) -> Self {
        let mut event = sample::event();
        event["totalMap"] = drawing.into();
        Self { returned: Some((drawing.to_owned(), sample::POSTER.to_vec())), ..Self::event(name, &event, code) }
    }

    pub fn event(name: impl Into<String>, event: &Value, code: &'static str) -> Self {
        Self::create(name, &sample::form(event), code)
    }

    /// Creates an event with this poster.
    pub fn poster(name: impl Into<String>, poster: Vec<u8>, code: &'static str) -> Self {
        let event = sample::event();
        let form = Form::new().part(sample::REQUEST, event.to_string()).part(sample::THUMBNAIL, poster.clone());
        let drawing = event["totalMap"].as_str().unwrap().to_owned();
        Self { returned: Some((drawing, poster)), ..Self::create(name, &form, code) }
    }

    /// Creates a replacement of a poster with the same form, whose other part is ignored.
    pub fn into_replacement(self) -> Self {
        let name = format!("replacement by {}", self.name);
        Self { name, method: Method::PUT, path: THUMBNAIL.to_owned(), ..self }
    }

    pub fn header(mut self, name: &'static str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// Removes the headers with a name.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self
    }

    fn with_body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    pub fn status(&self) -> u16 {
        match self.code {
            "0" if self.method == Method::POST => 201,
            "0" => 200,
            "AM_001" => 401,
            "C_008" | "E_002" => 404,
            "C_005" => 413,
            "C_004" => 415,
            _ => 400,
        }
    }

    pub fn request(&self, api: &Api) -> reqwest::RequestBuilder {
        let request = api.request(self.method.clone(), &self.path).body(self.body.clone());
        self.headers.iter().fold(request, |request, (name, value)| request.header(*name, value.as_slice()))
    }

    /// Builds the request that the gateway passes to the function.
    pub fn lambda_request(&self) -> lambda_http::Request {
        let request = lambda_http::http::Request::builder().method(self.method.clone()).uri(&self.path);
        let request =
            self.headers.iter().fold(request, |request, (name, value)| request.header(*name, value.as_slice()));
        request.body(Body::Binary(self.body.clone())).unwrap()
    }
}

/// Creates a case for each pair of a name and an input.
pub fn table<T: Copy>(
    inputs: &[(&str, T)],
    code: &'static str,
    case: impl Fn(&str, T, &'static str) -> Case,
) -> Vec<Case> {
    inputs.iter().map(|&(name, input)| case(name, input, code)).collect()
}
