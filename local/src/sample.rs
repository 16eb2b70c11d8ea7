//! Sample events in the halls of [`layouts`].
//!
//! `local/sample/<hall>.json` is the request without areas and seats. The poster `<hall>.webp` was
//! rendered from `<hall>.svg`.

use axum::body::Body;
use domain::error::Cause;
use http::{
    Request, StatusCode,
    header::{AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::{Map, Value};
use uuid::{Uuid, uuid};

use crate::{
    Stack,
    layouts::{self, Layout},
};

/// Manager of all sample events.
pub const MANAGER: Uuid = uuid!("5b0c6f0e-3d5a-4e0e-9a55-2f6f1f3f7c10");

const BOUNDARY: &str = "sample-4f8a2c71d9";

/// Request that registers a sample event.
#[derive(Clone, Debug)]
pub struct Sample {
    /// Name of the hall ([`Layout::name`]).
    pub name: &'static str,
    /// Part `request`, as JSON.
    pub request: String,
    /// Part `thumbnail`, a WebP image.
    pub poster: &'static [u8],
}

/// Returns the events in the order of their registration.
///
/// # Errors
///
/// Returns an error if a file in `local/sample` is not a JSON object.
pub fn events() -> Result<Vec<Sample>, serde_json::Error> {
    [
        (layouts::stadium(), include_str!("../sample/stadium.json"), &include_bytes!("../sample/stadium.webp")[..]),
        (layouts::arena(), include_str!("../sample/arena.json"), include_bytes!("../sample/arena.webp")),
        (layouts::theatre(), include_str!("../sample/theatre.json"), include_bytes!("../sample/theatre.webp")),
    ]
    .into_iter()
    .map(|(hall, details, poster)| Sample::new(&hall, details, poster))
    .collect()
}

/// Registers the events that are not registered yet.
///
/// # Errors
///
/// Returns an error if the service rejects an event for another reason.
pub async fn load(stack: &Stack) -> Result<(), Cause> {
    for event in events()? {
        let mut request = Request::post("/api/v1/events")
            .header("x-api-managerId", MANAGER.to_string())
            .header(CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"));
        if let Some(issuer) = stack.issuer() {
            request = request.header(AUTHORIZATION, format!("Bearer {}", issuer.token(MANAGER)?));
        }
        let response = stack.call(request.body(Body::from(event.form()))?).await;
        if !matches!(response.status(), StatusCode::CREATED | StatusCode::CONFLICT) {
            let body = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
            return Err(format!("{}: {}", event.name, String::from_utf8_lossy(&body)).into());
        }
    }
    Ok(())
}

impl Sample {
    fn new(hall: &Layout, details: &str, poster: &'static [u8]) -> Result<Self, serde_json::Error> {
        let mut request: Map<String, Value> = serde_json::from_str(details)?;
        request.insert("totalMap".to_owned(), hall.total_map.as_str().into());
        request.insert("areas".to_owned(), serde_json::to_value(&hall.areas)?);
        Ok(Self { name: hall.name, request: Value::from(request).to_string(), poster })
    }

    /// Encodes both parts as `multipart/form-data`.
    fn form(&self) -> Vec<u8> {
        let part = |name: &str, media_type: &str| {
            format!(
                "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{name}\"\r\n\
                 Content-Type: {media_type}\r\n\r\n"
            )
        };
        let end = format!("\r\n--{BOUNDARY}--\r\n");
        [
            part("request", "application/json").as_bytes(),
            self.request.as_bytes(),
            b"\r\n",
            part("thumbnail", "image/webp").as_bytes(),
            self.poster,
            end.as_bytes(),
        ]
        .concat()
    }
}
