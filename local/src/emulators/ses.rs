//! SES that keeps mails instead of sending them.
//!
//! It takes the requests of the SDK: `SendEmail` of version 2 of the API
//! (<https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html>).

use std::time::Duration;

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    response::{IntoResponse as _, Response},
    routing::post,
};
use domain::{clock::Clock, instant::Instant};
use http::StatusCode;
use serde::Deserialize;
use serde_json::json;
use uuid::Uuid;

use crate::mailbox::{Mailbox, StoredMail};

/// Emulator with its mailbox.
#[derive(Clone, Debug)]
struct Ses {
    mailbox: Mailbox,
    /// True if it responds as SES does when sending is paused.
    is_paused: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct SendEmail {
    from_email_address: String,
    destination: Destination,
    content: EmailContent,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Destination {
    to_addresses: Vec<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct EmailContent {
    simple: Message,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Message {
    subject: Content,
    body: Body,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Body {
    text: Content,
    html: Content,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Content {
    data: String,
}

/// Serves an SES that keeps its mails in a mailbox.
pub fn router(mailbox: Mailbox, is_paused: bool) -> Router {
    Router::new().route("/v2/email/outbound-emails", post(send_email)).with_state(Ses { mailbox, is_paused })
}

async fn send_email(State(ses): State<Ses>, body: Bytes) -> Response {
    let Ok(request) = serde_json::from_slice::<SendEmail>(&body) else {
        return error("BadRequestException", "The request is not a simple mail with text and HTML.");
    };
    if ses.is_paused {
        return error("SendingPausedException", "Email sending is disabled for your account.");
    }
    let [to] = &request.destination.to_addresses[..] else {
        return error("BadRequestException", "Expected one recipient.");
    };
    let is_recipient = to.bytes().all(|byte| byte.is_ascii_graphic()) && to.contains('@');
    let Message { subject, body } = request.content.simple;
    let is_sender = request.from_email_address.is_ascii() && request.from_email_address.contains('@');
    if !is_recipient || !is_sender || subject.data.contains(char::is_control) {
        return error("BadRequestException", "An address or the subject contains an illegal character.");
    }
    let at = Instant::from_epoch(Duration::from_secs(Clock::default().now().as_secs()))
        .map(|instant| instant.to_string())
        .unwrap_or_default();
    let mail = StoredMail { to: to.clone(), subject: subject.data, text: body.text.data, html: body.html.data, at };
    match ses.mailbox.add(mail) {
        Ok(()) => Json(json!({"MessageId": Uuid::new_v4()})).into_response(),
        Err(error) => {
            tracing::error!(%error, "a mail cannot be kept");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

/// Builds an error response; the SDK reads the code from the header.
fn error(code: &'static str, message: &str) -> Response {
    (StatusCode::BAD_REQUEST, [("x-amzn-ErrorType", code)], Json(json!({"message": message}))).into_response()
}
