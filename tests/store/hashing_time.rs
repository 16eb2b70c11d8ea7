//! Metrics in the access log entry of a request.

use api::{
    access_log::{self, AccessLogEntry},
    cors::Origins,
    serve::{self, Handler},
};
use domain::{password::Password, throttling::MAX_FROM_ONE_CLIENT};
use lambda_http::{Request, Service as _};
use members_join::Join;
use members_login::Login;
use serde_json::{Value, json};
use storage::table::Table;
use tests::{function::post, sample};
use tokio::sync::mpsc;

fn join(table: Table) -> Join {
    Join::new(table, sample::hasher(1), Password::parse)
}

/// Calls a function, and returns its access log entry and the response body.
async fn access_log_entry(handler: impl Handler, request: Request, code: &str) -> (Value, Value) {
    let (entries, mut logged) = mpsc::unbounded_channel();
    let log = move |entry: &AccessLogEntry| drop(entries.send(serde_json::to_value(entry).unwrap()));
    let mut service = access_log::with_access_log(serve::service(handler, &Origins::Any), log);
    let Ok(response) = service.call(request).await;
    let entry = logged.recv().await.unwrap();
    assert_eq!(entry["code"], code, "{entry}");
    (entry, serde_json::from_slice(response.body()).unwrap_or_default())
}

#[tokio::test]
async fn hashing_time_is_logged() {
    let join = || join(tests::table());
    let (joined, _) = access_log_entry(join(), post(&sample::member()), "0").await;
    let (hashed, all) = (joined["hash_microseconds"].as_u64(), joined["microseconds"].as_u64());
    assert!(hashed.is_some() && hashed <= all, "{joined}");
    let (rejected, _) = access_log_entry(join(), post(&json!({})), "C_001").await;
    assert_eq!(rejected.get("hash_microseconds"), None);

    let wrong = json!({"email": sample::member()["email"], "password": "wrong"});
    let login = || Login::new(tests::table(), sample::hasher(1));
    for _ in 0..MAX_FROM_ONE_CLIENT {
        access_log_entry(login(), post(&wrong), "AL_001").await;
    }
    let (barred, _) = access_log_entry(login(), post(&wrong), "AL_002").await;
    assert_eq!(barred.get("hash_microseconds"), None, "{barred}");
}
