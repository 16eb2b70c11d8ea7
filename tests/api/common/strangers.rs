//! Requests that anyone can send raise no alarm: `ServerErrorAlarm` counts 5xx, and `FunctionFailureAlarm` panics.

use futures_util::{StreamExt as _, stream};
use local::Settings;
use tests::{log::lines_of, prelude::*};

/// Sixteen at a time, to a service that sends no mail. A slow machine could not answer all of them at once in seven
/// seconds.
#[tokio::test]
async fn burst_of_requests_raises_no_alarm() {
    let service = Service::start_with(Settings { mail_from: String::new(), ..Settings::default() }).await;
    let event = service.other.created().await;
    let mut requests = Vec::new();
    for operation in Operation::all() {
        let path = sample::path(&operation.path, &[("eventId", &event)], sample::UNKNOWN_EVENT);
        let (media_type, valid) = operation.valid_body(&event);
        let media_type = if media_type.is_empty() { "application/json" } else { &media_type };
        for body in [valid, Vec::new(), b"{}".into(), b"[\xff".into()] {
            for token in ["", "x"] {
                let request = service.api.request(operation.method.clone(), &path).bearer_auth(token);
                let request = request.header("x-api-managerId", sample::MANAGER).header("Content-Type", media_type);
                requests.push(Api::send(request.body(body.clone())));
            }
        }
    }
    let mut responses = stream::iter(requests).buffer_unordered(16);
    while let Some(response) = responses.next().await {
        let lines = lines_of(response.header("x-request-id"));
        assert!(response.status < 500 && lines.iter().all(|line| line["level"] != "ERROR"), "{response}: {lines:?}");
    }
}
