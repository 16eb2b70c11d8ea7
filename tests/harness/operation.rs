//! Operations of the `OpenAPI` document, so that tests of all routes need no change for a new one.

use reqwest::Method;
use serde_json::Value;

/// Operation with its route.
#[derive(Clone, Debug)]
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
    /// True if it needs the access token of a member.
    pub is_for_members: bool,
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
        let examples: Value = serde_json::from_str(openapi::EXAMPLES).expect("examples");
        let document = openapi::document("/");
        let paths = document["paths"].as_object().expect("paths").iter();
        let operations = paths.flat_map(|(path, methods)| {
            methods.as_object().expect("operations").iter().map(move |(method, operation)| (path, method, operation))
        });
        let operations = operations.map(|(path, method, operation)| {
            let slug = operation["operationId"].as_str().expect("slug").to_owned();
            let name = |parameter: &Value| parameter["$ref"].as_str()?.rsplit('/').next().map(str::to_owned);
            let content = operation["requestBody"]["content"].as_object();
            Self {
                method: method.to_uppercase().parse().expect("method"),
                path: path.clone(),
                parameters: operation["parameters"].as_array().into_iter().flatten().filter_map(name).collect(),
                media_type: content.and_then(|content| content.keys().next().cloned()),
                needs_body: operation["requestBody"]["required"] == true,
                is_for_members: operation["security"][0].get("member").is_some(),
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
}
