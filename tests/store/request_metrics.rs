//! Metrics in the access log entry of a request.

use api::{
    access_log::{self, AccessLogEntry},
    cors::Origins,
    serve::{self, Handler},
};
use domain::{manager::Authentication, password::Password, throttling::MAX_FROM_ONE_CLIENT};
use events_create::Create;
use events_delete::Delete;
use events_detail::Detail;
use events_get::Get;
use events_list::List;
use events_seat_map::SeatMap;
use lambda_http::{Request, Service as _};
use members_join::Join;
use members_login::Login;
use reqwest::header::HeaderValue;
use serde_json::{Value, json};
use storage::table::Table;
use tests::{
    Proxy,
    fault::{Extent, Fault, Rule},
    function::{event_request, list_request, post, post_form},
    sample, stack, table_with_rule,
};
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

/// Calls a function, checks that it logs the units that the proxy counted, and returns the response data.
async fn check_units(meter: &Proxy, handler: impl Handler, request: Request, code: &str) -> Value {
    let _ = meter.take_usage();
    let (entry, body) = access_log_entry(handler, request, code).await;
    let used = meter.take_usage();
    assert!(used.read_units + used.write_units > 0.0, "{used:?}");
    assert_eq!(entry["read_units"], used.read_units, "{used:?}");
    assert_eq!(entry["write_units"], used.write_units, "{used:?}");
    assert_eq!((&entry["conflicts"], &entry["throttles"]), (&Value::Null, &Value::Null));
    body["data"].clone()
}

#[tokio::test]
async fn logged_units_match_the_wire() {
    let meter = Proxy::start(stack(), None).await;
    let join = || join(meter.table());
    let login = || Login::new(meter.table(), sample::hasher(2));
    let create = || Create::new(meter.table(), meter.posters(), Authentication::Open);
    let list = || List::new(meter.table(), "0123456789abcdef".parse().unwrap());

    let member = sample::member();
    check_units(&meter, join(), post(&member), "0").await;
    // Two simultaneous calls read and count the attempt.
    let wrong = json!({"email": member["email"], "password": "wrong"});
    check_units(&meter, login(), post(&wrong), "AL_001").await;
    // This login also replaces the hash and takes its attempt back.
    let right = json!({"email": member["email"], "password": sample::PASSWORD});
    check_units(&meter, login(), post(&right), "0").await;

    let event = sample::event();
    let with_key = |event: &Value| {
        let mut request = post_form(&sample::form(event));
        let key = HeaderValue::from_str(event["title"].as_str().unwrap().split(' ').next_back().unwrap());
        request.headers_mut().insert("Idempotency-Key", key.unwrap());
        request
    };
    let created = check_units(&meter, create(), with_key(&event), "0").await;
    let id = created["id"].as_str().unwrap().to_owned();
    check_units(&meter, create(), with_key(&event), "0").await;
    check_units(&meter, list(), list_request("limit=1"), "0").await;
    check_units(&meter, Get::new(meter.table()), event_request(&id), "0").await;
    check_units(&meter, Detail::new(meter.table()), event_request(&id), "0").await;
    check_units(&meter, SeatMap::new(meter.table()), event_request(&id), "0").await;
    check_units(&meter, Delete::new(meter.table(), Authentication::Open), event_request(&id), "0").await;
    check_units(&meter, Get::new(meter.table()), event_request(&id), "E_002").await;
}

#[tokio::test]
async fn conflicts_are_logged() {
    let table = table_with_rule(Rule::conflicts(3)).await;
    let (entry, _) = access_log_entry(join(table), post(&sample::member()), "0").await;
    assert_eq!((&entry["conflicts"], &entry["throttles"]), (&json!(3), &Value::Null));
    assert_eq!(entry["write_units"], 6.0);
}

#[tokio::test]
async fn throttles_are_logged() {
    for (fault, retried_by) in [(Fault::Throttled, "the SDK"), (Fault::ThrottledItem, "the store")] {
        let proxy_with_fault =
            async |kind: &str| Proxy::start(stack(), [Rule::new(kind, Extent::ONCE, fault.clone())]).await;
        let proxy = proxy_with_fault("TransactWriteItems").await;
        let join = join(proxy.table());
        let (joined, _) = access_log_entry(join, post(&sample::member()), "0").await;
        assert_eq!((&joined["throttles"], &joined["conflicts"]), (&json!(1), &Value::Null), "{retried_by}");
    }
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
