//! Operations of the `OpenAPI` document, so that tests of all routes need no change for a new one.

use reqwest::{Method, RequestBuilder};
use serde_json::Value;

use crate::{Api, Response, sample};

/// Operation with its route.
#[derive(Clone, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of the document by itself")]
pub struct Operation {
    /// Name of its function, or of its second operation.
    pub slug: String,
    /// Method of its requests.
    pub method: Method,
    /// Path with parameters such as `{eventId}`.
    pub path: String,
    /// Names of its parameters, such as `eventId` or `If-None-Match`.
    pub parameters: Vec<String>,
    /// Media type of the body of requests.
    pub media_type: Option<String>,
    /// True if a request must have a body, unlike a cancellation.
    pub needs_body: bool,
    /// True if only managers may call it.
    pub is_for_managers: bool,
    /// True if it needs the access token of a member.
    pub is_for_members: bool,
    /// True if it needs the token of a gate.
    pub is_for_gates: bool,
    /// Examples of its request and its response.
    pub example: Value,
}

impl Operation {
    /// Returns all operations.
    ///
    /// # Panics
    ///
    /// Panics if the document is invalid.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let examples: Value = serde_json::from_str(&openapi::examples()).expect("examples");
        let document = openapi::document("/");
        let paths = document["paths"].as_object().expect("paths").iter();
        let operations = paths.flat_map(|(path, methods)| {
            methods.as_object().expect("operations").iter().map(move |(method, operation)| (path, method, operation))
        });
        let operations = operations.map(|(path, method, operation)| {
            let slug = operation["operationId"].as_str().expect("slug").to_owned();
            let name = |parameter: &Value| {
                let parameter = document.pointer(parameter["$ref"].as_str()?.strip_prefix('#')?)?;
                parameter["name"].as_str().map(str::to_owned)
            };
            let content = operation["requestBody"]["content"].as_object();
            Self {
                method: method.to_uppercase().parse().expect("method"),
                path: path.clone(),
                parameters: operation["parameters"].as_array().into_iter().flatten().filter_map(name).collect(),
                media_type: content.and_then(|content| content.keys().next().cloned()),
                needs_body: operation["requestBody"]["required"] == true,
                is_for_managers: operation["security"][1].get("manager").is_some(),
                is_for_members: operation["security"][0].get("member").is_some(),
                is_for_gates: operation["security"][0].get("gate").is_some(),
                example: examples[&slug].clone(),
                slug,
            }
        });
        operations.collect()
    }

    /// Returns true if the operation has a parameter.
    #[must_use]
    pub fn has(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|name| name == parameter)
    }

    /// Returns true if requests have a body of JSON.
    #[must_use]
    pub fn takes_json(&self) -> bool {
        self.media_type.as_deref() == Some("application/json")
    }

    /// Returns the media type and the body of a valid request, with the parts of this event, or of that of the
    /// examples.
    #[must_use]
    pub fn valid_body(&self, event: &str) -> (String, Vec<u8>) {
        match self.media_type.as_deref() {
            None => (String::new(), Vec::new()),
            Some("multipart/form-data") => {
                let form = sample::form(&sample::event());
                (form.content_type(), form.body())
            }
            Some(media_type) => {
                (media_type.to_owned(), sample::in_event(&self.example["request"], event).to_string().into_bytes())
            }
        }
    }

    /// Starts to build a request for an unknown event, or for a member with their access token.
    ///
    /// # Panics
    ///
    /// Panics if the member has no id or no token.
    pub fn request(&self, event: &str, query: &str, (member, tokens): &(Value, Value)) -> RequestBuilder {
        let path = sample::path(&self.path, &[("memberId", member["id"].as_str().expect("id"))], event) + query;
        let request = Api::new().request(self.method.clone(), &path).header("x-api-managerId", sample::MANAGER);
        if self.is_for_members { request.bearer_auth(tokens["accessToken"].as_str().expect("token")) } else { request }
    }

    /// Sends a request for an unknown event, or for a member with their access token.
    pub async fn send(&self, event: &str, session: &(Value, Value), media_type: &str, body: Vec<u8>) -> Response {
        Api::send(self.request(event, "", session).header("Content-Type", media_type).body(body)).await
    }
}
