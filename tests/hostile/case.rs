//! Requests with their expected responses.

use axum::http::Method;
use tests::{Api, Operation, form::Form, sample};

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

/// Creates a request of an operation with this id. It is valid, except that its object may not exist and its fields are
/// missing.
pub fn case_with_id(operation: &Operation, id: &str, code: &'static str) -> Case {
    let path = sample::path(&operation.path, &[], id);
    let case = Case::new(operation.method.clone(), path, code).header("x-api-managerId", sample::MANAGER);
    // Invalid fields come before an unknown show.
    let needs_fields = operation.has("showId") || operation.path.ends_with("/copies");
    match &operation.media_type {
        Some(_) if operation.takes_json() => {
            let body = Some(&operation.example["request"]).filter(|request| needs_fields && !request.is_null());
            let body = body.map_or_else(|| "{}".to_owned(), ToString::to_string);
            Case { body: body.into_bytes(), ..case.header("Content-Type", "application/json") }
        }
        Some(_) => {
            let form = sample::form(&sample::event());
            Case { body: form.body(), ..case.header("Content-Type", form.content_type()) }
        }
        None => case,
    }
}

/// Creates a request of an operation for an object that does not exist.
pub fn case_of(operation: &Operation, code: &'static str) -> Case {
    case_with_id(operation, ID, code)
}

/// Returns all operations that read a request before its token.
pub fn operations() -> Vec<Operation> {
    let is_read = |operation: &Operation| {
        operation.path.starts_with("/api/") && !operation.is_for_members && !operation.is_for_gates
    };
    Operation::all().into_iter().filter(is_read).collect()
}
