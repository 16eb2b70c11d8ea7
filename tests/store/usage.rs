//! What the line of a request says that it took.

use api::{
    access_log::{self, AccessLogEntry},
    cors::Origins,
    serve::{self, Handler},
};
use domain::{manager::Authentication, password::common::CommonPasswords};
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

fn joining(table: Table) -> Join {
    Join::new(table, sample::hasher(1), CommonPasswords::Allowed)
}

/// Calls a function and gives the line that it logs, and the data of its answer.
async fn line(handler: impl Handler, request: Request, code: &str) -> (Value, Value) {
    let (lines, mut logged) = mpsc::unbounded_channel();
    let log = move |line: &AccessLogEntry| drop(lines.send(serde_json::to_value(line).unwrap()));
    let mut service = access_log::with_access_log(serve::service(handler, &Origins::Any), log);
    let Ok(reply) = service.call(request).await;
    let line = logged.recv().await.unwrap();
    assert_eq!(line["code"], code, "{line}");
    (line, serde_json::from_slice(reply.body()).unwrap_or_default())
}

/// Calls a function, checks that its line has the units that went over the wire, and gives the data of
/// its answer.
async fn metered(meter: &Proxy, handler: impl Handler, request: Request, code: &str) -> Value {
    let _ = meter.take_usage();
    let (line, answer) = line(handler, request, code).await;
    let used = meter.take_usage();
    assert!(used.read_units + used.write_units > 0.0, "{used:?}");
    assert_eq!(line["read_units"], used.read_units, "{used:?}");
    assert_eq!(line["write_units"], used.write_units, "{used:?}");
    assert_eq!((&line["conflicts"], &line["throttles"]), (&Value::Null, &Value::Null));
    answer["data"].clone()
}

#[tokio::test]
async fn logged_units_match_the_wire() {
    let meter = Proxy::start(stack(), None).await;
    let join = || joining(meter.table());
    let login = || Login::new(meter.table(), sample::hasher(2), None);
    let create = || Create::new(meter.table(), meter.posters(), Authentication::Open);
    let list = || List::new(meter.table(), "0123456789abcdef".parse().unwrap());

    let member = sample::member();
    metered(&meter, join(), post(&member), "0").await;
    // Read by one call, and counted by two at the same time.
    let wrong = json!({"email": member["email"], "password": "wrong"});
    metered(&meter, login(), post(&wrong), "AL_001").await;
    // The hash has other parameters, and there is a failure to forget.
    let right = json!({"email": member["email"], "password": sample::PASSWORD});
    metered(&meter, login(), post(&right), "0").await;

    let event = sample::event();
    let by_key = |event: &Value| {
        let mut request = post_form(&sample::form(event));
        let key = HeaderValue::from_str(event["title"].as_str().unwrap().split(' ').next_back().unwrap());
        request.headers_mut().insert("Idempotency-Key", key.unwrap());
        request
    };
    let created = metered(&meter, create(), by_key(&event), "0").await;
    let id = created["id"].as_str().unwrap().to_owned();
    metered(&meter, create(), by_key(&event), "0").await;
    metered(&meter, list(), list_request("limit=1"), "0").await;
    metered(&meter, Get::new(meter.table()), event_request(&id), "0").await;
    metered(&meter, Detail::new(meter.table()), event_request(&id), "0").await;
    metered(&meter, SeatMap::new(meter.table()), event_request(&id), "0").await;
    metered(&meter, Delete::new(meter.table(), Authentication::Open), event_request(&id), "0").await;
    metered(&meter, Get::new(meter.table()), event_request(&id), "E_002").await;
}

#[tokio::test]
async fn conflicts_are_logged() {
    let table = table_with_rule(Rule::conflicts(3)).await;
    let (line, _) = line(joining(table), post(&sample::member()), "0").await;
    assert_eq!((&line["conflicts"], &line["throttles"]), (&json!(3), &Value::Null));
    assert_eq!(line["write_units"], 6.0);
}

#[tokio::test]
async fn throttles_are_logged() {
    for (fault, tried_by) in [(Fault::Throttled, "the SDK"), (Fault::ThrottledItem, "the store")] {
        let broken =
            async |kind: &str| Proxy::start(stack(), [Rule::new(kind, Extent::ONCE, fault.clone())]).await;
        let proxy = broken("TransactWriteItems").await;
        let join = joining(proxy.table());
        let (joined, _) = line(join, post(&sample::member()), "0").await;
        assert_eq!((&joined["throttles"], &joined["conflicts"]), (&json!(1), &Value::Null), "{tried_by}");

        let proxy = broken("BatchGetItem").await;
        let login = Login::new(proxy.table(), sample::hasher(1), None);
        let nobody = json!({"email": sample::member()["email"], "password": sample::PASSWORD});
        let (failed, _) = line(login, post(&nobody), "AL_001").await;
        assert_eq!(failed["throttles"], 1, "{tried_by}");
    }
}

#[tokio::test]
async fn hashing_time_is_logged() {
    let join = || joining(tests::table());
    let (joined, _) = line(join(), post(&sample::member()), "0").await;
    let (hashed, all) = (joined["hash_microseconds"].as_u64(), joined["microseconds"].as_u64());
    assert!(hashed.is_some() && hashed <= all, "{joined}");
    let (refused, _) = line(join(), post(&json!({})), "C_001").await;
    assert_eq!(refused.get("hash_microseconds"), None);
}
