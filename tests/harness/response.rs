//! Response of the service.

use std::{fmt, io::Read as _};

use flate2::bufread::GzDecoder;
use futures_util::future::join_all;
use reqwest::header::HeaderMap;
use serde_json::Value;

use crate::snapshot::{layout, named, shortened};

/// Headers that a snapshot shows, unless they have this usual value.
const SHOWN_HEADERS: [(&str, &str); 12] = [
    ("location", ""),
    ("link", ""),
    ("etag", ""),
    ("retry-after", ""),
    ("www-authenticate", ""),
    ("set-cookie", ""),
    ("content-type", "application/json"),
    ("content-encoding", ""),
    ("content-range", ""),
    ("content-security-policy", ""),
    ("cache-control", "no-store"),
    ("allow", ""),
];

/// Response with its whole body.
///
/// A snapshot shows the status, the headers that not every response has, and the body. Ids have names.
#[derive(Debug)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// HTTP headers.
    pub headers: HeaderMap,
    /// Bytes of the body.
    pub body: Vec<u8>,
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.status.to_string();
        for (name, usual) in SHOWN_HEADERS {
            let values = self.headers.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()));
            text.extend(values.filter(|value| value != usual).map(|value| format!("\n{name}: {value}")));
        }
        let body = self.text();
        text.push_str(if body.is_empty() { "" } else { "\n" });
        let text = named(&(text + &body));
        let (head, body) = text.split_at(text.find("\n{").map_or(text.len(), |end| end + 1));
        write!(f, "{head}{}", layout(body))
    }
}

impl Response {
    /// Returns the status and the shown headers, without the body. `common/examples.rs` compares whole responses.
    #[must_use]
    pub fn head(&self) -> String {
        let text = self.to_string();
        text.split_once("\n{").or_else(|| text.split_once("\n<")).map_or(text.as_str(), |(head, _)| head).to_owned()
    }

    /// Reads a response with its whole body.
    pub async fn read(response: reqwest::Response) -> Self {
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            body: response.bytes().await.expect("complete body").to_vec(),
        }
    }

    /// Checks the headers that every response of the API has, and that only successful reads may be cached.
    pub(crate) fn check_common_headers(&self) {
        let varied = self.varied();
        let cors = ["Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers"];
        assert!(varied.starts_with(&cors), "{self}\n{varied:?}");
        assert_eq!(self.header("Access-Control-Allow-Origin"), "*");
        assert!(!self.header("x-request-id").is_empty());
        let is_stored = self.header("Cache-Control") != "no-store";
        assert!(!is_stored || [200, 304].contains(&self.status), "{self}");
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
        self.json()["data"].take()
    }

    /// Returns the id in the `data` of the envelope.
    #[must_use]
    pub fn id(&self) -> String {
        self.json()["data"]["id"].as_str().unwrap_or_else(|| panic!("no id: {self}")).to_owned()
    }

    /// Returns the id of the first show in the `data` of the envelope.
    #[must_use]
    pub fn show(&self) -> String {
        self.json()["data"]["eventDatetimes"][0]["id"].as_str().unwrap_or_else(|| panic!("no show: {self}")).to_owned()
    }

    /// Returns `[field, value]` of each violation in `errors`.
    #[must_use]
    pub fn errors(&self) -> Vec<[String; 2]> {
        let json = self.json();
        let errors = json["errors"].as_array().unwrap_or_else(|| panic!("no array `errors`: {json}"));
        let text = |entry: &Value, key: &str| entry[key].as_str().expect("string").to_owned();
        errors.iter().map(|entry| [text(entry, "field"), text(entry, "value")]).collect()
    }

    /// Returns status, code and errors, or else the message, on one line.
    #[must_use]
    pub fn summary(&self) -> String {
        let Ok(json) = serde_json::from_slice::<Value>(&self.body) else { return self.status.to_string() };
        let text = |object: &Value, key: &str| object[key].as_str().expect("string").to_owned();
        let errors = json["errors"].as_array().into_iter().flatten().map(|error| {
            let [field, value, reason] = ["field", "value", "reason"].map(|key| text(error, key));
            format!(" | {field} ‘{}’ {reason}", shortened(&value, 40))
        });
        let errors: String = errors.collect();
        match text(&json, "code").as_str() {
            "0" => self.status.to_string(),
            code if !errors.is_empty() => named(&format!("{} {code}{errors}", self.status)),
            code => format!("{} {code} {}", self.status, text(&json, "message")),
        }
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
        // HTTP sends no body with this status.
        if status == 204 && self.body.is_empty() {
            return assert_eq!((self.status, code), (204, "0"));
        }
        assert_eq!((self.status, self.code().as_str()), (status, code), "{:.2000}", self.text());
        let json = self.json();
        let keys: Vec<_> = json.as_object().expect("JSON object").keys().map(String::as_str).collect();
        // In alphabetical order.
        let expected: &[&str] = match code {
            // A request of a mail has no data.
            "0" if status == 202 && json.get("data").is_none() => &["code", "message"],
            "0" => &["code", "data", "message"],
            "C_001" | "C_003" | "H_001" => &["code", "errors", "message"],
            _ => &["code", "message"],
        };
        assert_eq!(keys, expected);
        assert!(json["message"].as_str().is_some_and(|message| !message.is_empty()));
    }
}

/// Sends requests at the same time, and returns the statuses of their responses in order.
pub async fn statuses(requests: impl IntoIterator<Item = impl Future<Output = Response>>) -> Vec<u16> {
    let mut statuses: Vec<_> = join_all(requests).await.iter().map(|response| response.status).collect();
    statuses.sort_unstable();
    statuses
}

/// Sends requests with these bodies one after another, and lists a summary of each response after the number of its
/// body.
pub async fn outcomes<'a, F: Future<Output = Response>>(bodies: &'a [Value], send: impl Fn(&'a Value) -> F) -> String {
    summaries(bodies.iter().map(send).enumerate()).await
}

/// Sends requests one after another, and lists a summary of each response after its label.
pub async fn summaries<L: fmt::Display>(
    requests: impl IntoIterator<Item = (L, impl Future<Output = Response>)>,
) -> String {
    let mut lines = String::new();
    for (label, request) in requests {
        lines.extend([format!("{label}: {}\n", request.await.summary())]);
    }
    lines
}
