//! What the service answered.

use reqwest::header::HeaderMap;
use serde_json::Value;

/// An answer, read to its end.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// Reads a response to its end.
    pub async fn read(response: reqwest::Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.expect("a whole body").to_vec(),
        }
    }

    /// The body as JSON.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body)
            .unwrap_or_else(|error| panic!("no JSON ({error}): {}", self.text()))
    }

    /// The body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The `code` of the envelope.
    #[must_use]
    pub fn code(&self) -> String {
        self.json()["code"].as_str().expect("a code").to_owned()
    }

    /// The `data` of the envelope.
    #[must_use]
    pub fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    /// The `[field, value]` of each entry in `errors`.
    #[must_use]
    pub fn errors(&self) -> Vec<[String; 2]> {
        let json = self.json();
        let errors = json["errors"].as_array().unwrap_or_else(|| panic!("no errors: {json}"));
        let text = |entry: &Value, key: &str| entry[key].as_str().expect("a text").to_owned();
        errors
            .iter()
            .map(|entry| {
                assert!(!text(entry, "reason").is_empty(), "a reason in {entry}");
                [text(entry, "field"), text(entry, "value")]
            })
            .collect()
    }

    /// The ids of the listed events.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let data = self.data();
        let events = data.as_array().expect("an array");
        events.iter().map(|event| event["id"].as_str().expect("an id").to_owned()).collect()
    }

    /// The path of the next page, where one is announced.
    #[must_use]
    pub fn next_page(&self) -> Option<String> {
        let link = self.headers.get("Link")?.to_str().expect("a printable header");
        let path = link.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\""));
        Some(path.unwrap_or_else(|| panic!("a link to the next page: {link}")).to_owned())
    }

    /// The one value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().unwrap_or_else(|| panic!("no {name} in {:?}", self.headers));
        assert!(values.next().is_none(), "one {name} in {:?}", self.headers);
        value.to_str().expect("a printable header")
    }

    /// Checks status and code, and that the envelope of a failure is the one of the contract.
    #[track_caller]
    #[expect(
        clippy::must_use_candidate,
        clippy::return_self_not_must_use,
        reason = "often the check is all that is wanted"
    )]
    pub fn expect(self, status: u16, code: &str) -> Self {
        self.check(status, code);
        self
    }

    /// Checks the same of an answer that is only lent.
    #[track_caller]
    pub fn check(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.code().as_str()), (status, code), "{:.2000}", self.text());
        let json = self.json();
        let keys: Vec<_> = json.as_object().expect("an object").keys().collect();
        let expected: &[&str] = match code {
            "0" => &["message", "code", "data"],
            "C_001" | "C_003" => &["message", "code", "errors"],
            _ => &["message", "code"],
        };
        assert_eq!(keys.len(), expected.len(), "{keys:?}");
        assert!(keys.iter().all(|key| expected.contains(&key.as_str())), "{keys:?}");
        assert!(json["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
}
