//! A request and the answer that it has to get.

use axum::http::Method;
use lambda_http::Body;
use serde_json::Value;
use tests::{Api, form::Form, sample};

/// A route that takes a body.
pub const JOIN: &str = "/api/v1/members/join";
/// The route that takes a form.
pub const CREATE: &str = "/api/v1/events";

/// A request with a name, and the code of its answer.
#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub method: Method,
    pub path: String,
    pub headers: Vec<(&'static str, Vec<u8>)>,
    pub body: Vec<u8>,
    pub code: &'static str,
    /// The drawing and the poster that have to come back, where it is accepted.
    pub kept: Option<(String, Vec<u8>)>,
}

impl Case {
    /// A request without headers and body.
    pub fn new(name: impl Into<String>, method: Method, path: impl Into<String>, code: &'static str) -> Self {
        let (name, path) = (name.into(), path.into());
        Self { name, method, path, headers: vec![], body: vec![], code, kept: None }
    }

    /// A read from a path.
    pub fn get(name: impl Into<String>, path: impl Into<String>, code: &'static str) -> Self {
        Self::new(name, Method::GET, path, code)
    }

    /// A JSON body of a member.
    pub fn join(name: impl Into<String>, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self::new(name, Method::POST, JOIN, code).header("Content-Type", "application/json").with_body(body)
    }

    /// A form of an event, from a manager.
    pub fn form(
        name: impl Into<String>,
        media_type: &str,
        body: impl Into<Vec<u8>>,
        code: &'static str,
    ) -> Self {
        Self::new(name, Method::POST, CREATE, code)
            .header("Content-Type", media_type)
            .header("x-api-managerId", sample::MANAGER)
            .with_body(body)
    }

    /// The same, of a form that is well made.
    pub fn create(name: impl Into<String>, form: &Form, code: &'static str) -> Self {
        Self::form(name, &form.content_type(), form.body(), code)
    }

    /// An event whose field at a JSON pointer holds this, which need not be JSON.
    pub fn field(name: impl Into<String>, pointer: &str, json: &str, code: &'static str) -> Self {
        let mut event = sample::event();
        *event.pointer_mut(pointer).unwrap() = "@".into();
        let text = event.to_string().replace("\"@\"", json);
        let form = Form::new().part(sample::REQUEST, text).part(sample::THUMBNAIL, sample::POSTER);
        Self::create(name, &form, code)
    }

    /// An event with this drawing of the hall.
    pub fn drawing(name: impl Into<String>, drawing: &str, code: &'static str) -> Self {
        let mut event = sample::event();
        event["totalMap"] = drawing.into();
        Self { kept: Some((drawing.to_owned(), sample::POSTER.to_vec())), ..Self::event(name, &event, code) }
    }

    /// An event.
    pub fn event(name: impl Into<String>, event: &Value, code: &'static str) -> Self {
        Self::create(name, &sample::form(event), code)
    }

    /// An event with this poster.
    pub fn poster(name: impl Into<String>, poster: Vec<u8>, code: &'static str) -> Self {
        let event = sample::event();
        let form =
            Form::new().part(sample::REQUEST, event.to_string()).part(sample::THUMBNAIL, poster.clone());
        let drawing = event["totalMap"].as_str().unwrap().to_owned();
        Self { kept: Some((drawing, poster)), ..Self::create(name, &form, code) }
    }

    /// The same with another header of the name, or one more.
    pub fn header(mut self, name: &'static str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.push((name, value.into()));
        self
    }

    /// The same without the headers of a name.
    pub fn without(mut self, name: &str) -> Self {
        self.headers.retain(|(other, _)| *other != name);
        self
    }

    fn with_body(self, body: impl Into<Vec<u8>>) -> Self {
        Self { body: body.into(), ..self }
    }

    /// The status that the code goes with.
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

    /// The request over HTTP.
    pub fn request(&self, api: &Api) -> reqwest::RequestBuilder {
        let request = api.request(self.method.clone(), &self.path).body(self.body.clone());
        self.headers.iter().fold(request, |request, (name, value)| request.header(*name, value.as_slice()))
    }

    /// The request as the gateway hands it over to the function.
    pub fn event_of_lambda(&self) -> lambda_http::Request {
        let request = lambda_http::http::Request::builder().method(self.method.clone()).uri(&self.path);
        let request = self
            .headers
            .iter()
            .fold(request, |request, (name, value)| request.header(*name, value.as_slice()));
        request.body(Body::Binary(self.body.clone())).unwrap()
    }
}

/// Cases that differ in one text alone.
pub fn table<T: Copy>(
    cases: &[(&str, T)],
    code: &'static str,
    case: impl Fn(&str, T, &'static str) -> Case,
) -> Vec<Case> {
    cases.iter().map(|&(name, sent)| case(name, sent, code)).collect()
}
