//! Requests of the manager of the sample events.

use axum::body::Body;
use domain::error::Cause;
use http::{
    Method, Request, StatusCode,
    header::{ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE},
};
use serde_json::Value;

use super::MANAGER;
use crate::Stack;

/// Sends JSON, as [`send`] does.
pub async fn send_json(stack: &Stack, method: Method, path: &str, body: &Value) -> Result<Option<Value>, Cause> {
    let response = send(stack, method, path, "application/json", body.to_string().into_bytes()).await?;
    Ok(response.map(|body| serde_json::from_slice(&body)).transpose()?)
}

/// Sends a request of the manager. Returns the body of a success, and `None` if such an event exists already.
pub async fn send(
    stack: &Stack,
    method: Method,
    path: &str,
    media_type: &str,
    body: Vec<u8>,
) -> Result<Option<Vec<u8>>, Cause> {
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header("x-api-managerId", MANAGER.to_string())
        // The largest hall is returned only in gzip.
        .header(ACCEPT_ENCODING, "gzip")
        .header(CONTENT_TYPE, media_type);
    if let Some(issuer) = stack.issuer() {
        request = request.header(AUTHORIZATION, format!("Bearer {}", issuer.token(MANAGER)?));
    }
    let response = stack.call(request.body(Body::from(body))?).await;
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await?;
    match status {
        StatusCode::OK | StatusCode::CREATED => Ok(Some(body.into())),
        StatusCode::CONFLICT => Ok(None),
        _ => Err(format!("{path}: {}", String::from_utf8_lossy(&body)).into()),
    }
}
