//! Requests with their expected responses.

use axum::http::Method;
use serde_json::Value;
use tests::{Api, form::Form, sample};

/// Id of an event or a member that does not exist.
const ID: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

/// Request with the expected code of its response.
#[derive(Clone, Debug)]
pub struct Case {
    pub method: Method,
    pub path: String,
    pub headers: Vec<(String, Vec<u8>)>,
    pub body: Vec<u8>,
    pub code: &'static str,
}

impl Case {
    pub fn new(method: Method, path: impl Into<String>, code: &'static str) -> Self {
        Self { method, path: path.into(), headers: vec![], body: vec![], code }
    }

    /// Creates a registration of a member with this JSON body.
    pub fn join(body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self { body: body.into(), ..Self::new(Method::POST, "/api/v1/members/join", code) }
            .header("Content-Type", "application/json")
    }

    /// Creates a registration of an event, by a manager, with this body.
    pub fn create(media_type: &str, body: impl Into<Vec<u8>>, code: &'static str) -> Self {
        Self { body: body.into(), ..Self::new(Method::POST, "/api/v1/events", code) }
            .header("Content-Type", media_type)
            .header("x-api-managerId", sample::MANAGER)
    }

    pub fn create_with(form: &Form, code: &'static str) -> Self {
        Self::create(&form.content_type(), form.body(), code)
    }

    /// Creates an event with this text, which may be invalid JSON, as the field at a JSON pointer.
    pub fn field(pointer: &str, json: &str, code: &'static str) -> Self {
        let mut event = sample::event();
        *event.pointer_mut(pointer).unwrap() = "@".into();
        let text = event.to_string().replace("\"@\"", json);
        Self::create_with(&Form::new().part(sample::REQUEST, text).part(sample::THUMBNAIL, sample::POSTER), code)
    }

    /// Replaces a header.
    pub fn header(mut self, name: &str, value: impl Into<Vec<u8>>) -> Self {
        self.headers.retain(|(other, _)| other != name);
        self.headers.push((name.to_owned(), value.into()));
        self
    }

    pub fn request(&self, api: &Api) -> reqwest::RequestBuilder {
        let request = api.request(self.method.clone(), &self.path).body(self.body.clone());
        self.headers.iter().fold(request, |request, (name, value)| request.header(name, value.as_slice()))
    }

    /// Describes the request in a failure.
    pub fn name(&self) -> String {
        let headers: Vec<_> = self
            .headers
            .iter()
            .map(|(name, value)| format!("{name}: {:.80}", String::from_utf8_lossy(value)))
            .collect();
        let (method, path, body) = (&self.method, &self.path, String::from_utf8_lossy(&self.body));
        format!("{method} {path:.200} {headers:?} {body:.80}")
    }
}

/// Route of the `OpenAPI` document.
pub struct Route {
    method: Method,
    path: String,
    /// Body of a request with JSON.
    body: Vec<u8>,
    parameters: Vec<String>,
    media_types: Vec<String>,
    needs_body: bool,
}

impl Route {
    pub fn has(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|name| name == parameter)
    }

    pub fn takes_json(&self) -> bool {
        self.media_types.iter().any(|media_type| media_type == "application/json")
    }

    /// Returns whether a body must have content, unlike that of a cancellation.
    pub fn needs_body(&self) -> bool {
        self.needs_body
    }

    pub fn takes_body(&self) -> bool {
        !self.media_types.is_empty()
    }

    /// Creates a request with this id. It is valid, except that its object may not exist and its fields are missing.
    pub fn case_with_id(&self, id: &str, code: &'static str) -> Case {
        let path = sample::path(&self.path, &[], id);
        let case = Case::new(self.method.clone(), path, code).header("x-api-managerId", sample::MANAGER);
        if self.takes_json() {
            Case { body: self.body.clone(), ..case.header("Content-Type", "application/json") }
        } else if self.takes_body() {
            let form = sample::form(&sample::event());
            Case { body: form.body(), ..case.header("Content-Type", form.content_type()) }
        } else {
            case
        }
    }

    pub fn case(&self, code: &'static str) -> Case {
        self.case_with_id(ID, code)
    }
}

/// Returns all routes of the service that read a request before its token.
pub fn routes() -> Vec<Route> {
    let document = openapi::document("/");
    let paths = document["paths"].as_object().unwrap();
    let operations = paths.iter().flat_map(|(path, operations)| {
        operations.as_object().unwrap().iter().map(move |(method, operation)| (path, method, operation))
    });
    let examples: Value = serde_json::from_str(&openapi::examples()).unwrap();
    let name = |parameter: &Value| parameter["$ref"].as_str().unwrap().rsplit('/').next().unwrap().to_owned();
    let is_read =
        |path: &str, operation: &Value| path.starts_with("/api/") && operation["security"][0].get("member").is_none();
    let operations = operations.filter(|(path, _, operation)| is_read(path, operation));
    let routes = operations.map(|(path, method, operation)| Route {
        method: method.to_uppercase().parse().unwrap(),
        path: path.clone(),
        // Invalid fields come before an unknown show.
        body: match &examples[operation["operationId"].as_str().unwrap()]["request"] {
            request if (path.contains("{showId}") || path.ends_with("/copies")) && !request.is_null() => {
                request.to_string().into_bytes()
            }
            _ => b"{}".to_vec(),
        },
        parameters: operation["parameters"].as_array().into_iter().flatten().map(name).collect(),
        needs_body: operation["requestBody"]["required"] == true,
        media_types: operation["requestBody"]["content"]
            .as_object()
            .into_iter()
            .flat_map(|content| content.keys().cloned())
            .collect(),
    });
    routes.collect()
}
