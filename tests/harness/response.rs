//! Response of the service.

use std::io::Read as _;

use flate2::bufread::GzDecoder;
use reqwest::header::HeaderMap;
use serde_json::Value;

/// Response with its whole body.
#[derive(Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// HTTP headers.
    pub headers: HeaderMap,
    /// Bytes of the body.
    pub body: Vec<u8>,
}

impl Response {
    /// Reads a response with its whole body.
    pub async fn read(response: reqwest::Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.expect("complete body").to_vec(),
        }
    }

    /// Returns the response with an inflated body, which must be compressed.
    #[must_use]
    pub fn inflated(mut self) -> Self {
        assert_eq!(self.header("Content-Encoding"), "gzip");
        let compressed = std::mem::take(&mut self.body);
        GzDecoder::new(&*compressed).read_to_end(&mut self.body).expect("gzip");
        self
    }

    /// Returns the names in the `Vary` headers.
    #[must_use]
    pub fn varied(&self) -> Vec<&str> {
        let values = self.headers.get_all("Vary").iter().map(|value| value.to_str().expect("printable header"));
        values.flat_map(|value| value.split(',')).map(str::trim).collect()
    }

    /// Parses the body.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("invalid JSON ({error}): {}", self.text()))
    }

    /// Returns the body as text.
    #[must_use]
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// Returns the `code` of the envelope.
    #[must_use]
    pub fn code(&self) -> String {
        self.json()["code"].as_str().expect("code of the envelope").to_owned()
    }

    /// Returns the `data` of the envelope.
    #[must_use]
    pub fn data(&self) -> Value {
        self.json()["data"].clone()
    }

    /// Returns `[field, value]` of each violation in `errors`.
    #[must_use]
    pub fn errors(&self) -> Vec<[String; 2]> {
        let json = self.json();
        let errors = json["errors"].as_array().unwrap_or_else(|| panic!("no array `errors`: {json}"));
        let text = |entry: &Value, key: &str| entry[key].as_str().expect("string").to_owned();
        errors
            .iter()
            .map(|entry| {
                assert!(!text(entry, "reason").is_empty(), "no reason: {entry}");
                [text(entry, "field"), text(entry, "value")]
            })
            .collect()
    }

    /// Returns the ids of the listed events.
    #[must_use]
    pub fn ids(&self) -> Vec<String> {
        let data = self.data();
        let events = data.as_array().expect("array of events");
        events.iter().map(|event| event["id"].as_str().expect("id of an event").to_owned()).collect()
    }

    /// Returns the path of the next page if there is one.
    #[must_use]
    pub fn next_page(&self) -> Option<String> {
        let link = self.headers.get("Link")?.to_str().expect("printable header");
        let path = link.strip_prefix('<').and_then(|link| link.strip_suffix(">; rel=\"next\""));
        Some(path.unwrap_or_else(|| panic!("invalid link to the next page: {link}")).to_owned())
    }

    /// Returns the value of a header that must occur exactly once.
    #[must_use]
    pub fn header(&self, name: &str) -> &str {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next().unwrap_or_else(|| panic!("no {name} in {:?}", self.headers));
        assert!(values.next().is_none(), "several {name} in {:?}", self.headers);
        value.to_str().expect("printable header")
    }

    /// Checks the status, the code and the fields of the envelope.
    #[track_caller]
    #[expect(clippy::must_use_candidate, clippy::return_self_not_must_use, reason = "many tests need only the check")]
    pub fn expect(self, status: u16, code: &str) -> Self {
        self.check(status, code);
        self
    }

    /// Checks the same as [`Self::expect`], without consuming the response.
    #[track_caller]
    pub fn check(&self, status: u16, code: &str) {
        assert_eq!((self.status, self.code().as_str()), (status, code), "{:.2000}", self.text());
        let json = self.json();
        let keys: Vec<_> = json.as_object().expect("JSON object").keys().collect();
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
