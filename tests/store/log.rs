//! The log holds nothing that a caller sends, and nothing of what is stored, whatever becomes of a request.

use std::{
    io,
    sync::{Arc, Mutex},
    time::SystemTime,
};

use api::{
    access_log::{self, AccessLogEntry, Metrics},
    authorizer::Authorizer as _,
    cors::Origins,
    proxy::ProxyRequest,
    serve::{self, Handler},
};
use auth::Issuer;
use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use base64_simd::{STANDARD, URL_SAFE_NO_PAD};
use domain::{
    client_address::ClientAddress,
    error::Error,
    manager::{Authentication, Role},
    password::common::CommonPasswords,
};
use lambda_http::{Context, http::Method};
use local::{Stack, TABLE};
use managers_authorize::Authorize;
use serde_json::{Value, json};
use storage::keys::{self, EXPIRES, Key, LISTING, SUMMARY};
use tests::{
    Backends, Proxy,
    fault::{Extent, Fault, Rule},
    form::Form,
    new_stack, sample, stack,
};
use tracing_subscriber::util::SubscriberInitExt as _;
use uuid::Uuid;

/// What every text holds that is sent or stored.
const CANARY: &str = "kanarie";
/// The id of a manager that nothing else holds.
const MANAGER: &str = "ca4a41e0-ca4a-4ca4-8a4a-ca4a41e0ca4a";
const SOURCE: &str = "192.0.2.77";
const EVENT: &str = "/api/v1/events/{eventId}";

/// All that is logged.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Log {
    /// Has a function answer what API Gateway hands over, and gives what it warns of: beside that, it logs
    /// the line of the request, and the cause of a failure of ours once.
    async fn of(&self, handler: impl Handler, event: &Value, code: &str) -> Vec<Value> {
        let (log, metrics) = (self.clone(), Arc::new(Metrics::new("tickets")));
        let write = move |line: &AccessLogEntry| {
            let json = access_log::to_json(line, &metrics, SystemTime::now().into()).unwrap();
            log.0.lock().unwrap().extend(json);
        };
        let service = access_log::with_access_log(serve::service(handler, &Origins::Any), write);
        let request: ProxyRequest = serde_json::from_str(&event.to_string()).unwrap();
        let mut context = Context::default();
        context.xray_trace_id = Some(format!("Root={CANARY};Self={CANARY}"));
        serve::invoke(service, request, context).await;

        let text = String::from_utf8(std::mem::take(&mut self.0.lock().unwrap())).unwrap();
        for secret in [CANARY, MANAGER, SOURCE, sample::PASSWORD, "$argon2"] {
            assert!(!text.to_lowercase().contains(secret), "{secret} is logged: {text}");
        }
        let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let line = lines.pop().unwrap();
        assert_eq!((&line["message"], &line["code"]), (&json!("request completed"), &json!(code)), "{text}");
        let (failures, warnings): (Vec<_>, _) = lines.into_iter().partition(|line| line["level"] == "ERROR");
        assert_eq!(failures.len(), usize::from(code.starts_with("S_")), "{text}");
        assert!(failures.iter().all(|failure| failure["cause"].is_string()), "{text}");
        warnings
    }
}

/// What API Gateway hands over, with a canary wherever a caller may write something.
fn event(method: &Method, resource: &str, parameter: &str, media_type: &str, body: &[u8]) -> Value {
    json!({
        "resource": resource,
        "path": resource.replace("{eventId}", parameter),
        "httpMethod": method.as_str(),
        "multiValueHeaders": {
            "Authorization": [format!("Bearer {CANARY}")],
            "Content-Type": [media_type],
            "Cookie": [CANARY],
            "Idempotency-Key": [CANARY],
            "If-None-Match": [format!("\"{CANARY}\"")],
            "Referer": [CANARY],
            "User-Agent": [CANARY],
            "X-Forwarded-For": [SOURCE],
            "x-api-managerId": [MANAGER],
            "x-viewer-address": [SOURCE],
            CANARY: [CANARY],
        },
        "multiValueQueryStringParameters": {CANARY: [CANARY]},
        "pathParameters": {"eventId": parameter},
        "requestContext": {"identity": {"sourceIp": SOURCE, "userAgent": CANARY}},
        "body": STANDARD.encode_to_string(body),
        "isBase64Encoded": true,
    })
}

fn posted(resource: &str, body: &Value) -> Value {
    event(&Method::POST, resource, "", "application/json", body.to_string().as_bytes())
}

fn submitted(form: &Form) -> Value {
    event(&Method::POST, "/api/v1/events", "", &form.content_type(), &form.body())
}

fn page(query: &str) -> Value {
    let mut event = event(&Method::GET, "/api/v1/events", "", CANARY, b"");
    if let Some((name, value)) = query.split_once('=') {
        event["multiValueQueryStringParameters"][name] = json!([value]);
    }
    event
}

fn of_event(method: &Method, resource: &str, id: &str) -> Value {
    event(method, resource, id, CANARY, b"")
}

fn member() -> Value {
    let unique = sample::unique();
    json!({
        "email": format!("{CANARY}.{unique}@{CANARY}.example"),
        "name": CANARY,
        "nickname": format!("{CANARY}{unique}"),
        "password": sample::PASSWORD,
    })
}

/// An event with a canary in each of its texts, and its form with one in each of the headers.
fn concert() -> Form {
    let mut event = sample::event();
    for text in ["title", "description", "place", "artist"] {
        event[text] = format!("{CANARY} {}", sample::unique()).into();
    }
    event["totalMap"] = format!("<svg><title>{CANARY}</title></svg>").into();
    event["areas"][0]["label"] = CANARY.into();
    event["areas"][0]["areaMap"] = format!("https://{CANARY}.example/{CANARY}.svg").into();
    form(&event)
}

fn form(event: &Value) -> Form {
    let named = |headers: &str| format!("{headers}\nX-Canary: {CANARY}");
    let thumbnail = named(sample::THUMBNAIL).replace("poster.png", CANARY);
    let poster = [sample::POSTER, CANARY.as_bytes()].concat();
    Form::new().part(&named(sample::REQUEST), event.to_string()).part(&thumbnail, poster)
}

fn join(backends: &Backends) -> members_join::Join {
    members_join::Join::new(backends.table.clone(), sample::hasher(1), CommonPasswords::Allowed)
}

fn login(backends: &Backends, passes: u32) -> members_login::Login {
    let table = backends.table.clone();
    members_login::Login::new(table, sample::hasher(passes), None)
}

fn create(backends: &Backends) -> events_create::Create {
    events_create::Create::new(backends.table.clone(), backends.posters.clone(), Authentication::Open)
}

fn list(backends: &Backends) -> events_list::List {
    events_list::List::new(backends.table.clone(), "0123456789abcdef".parse().unwrap())
}

/// Stores an item in place of what the service would store.
async fn store(stack: &Stack, key: &Key, attributes: &[(&str, AttributeValue)]) {
    let mut item = key.attributes();
    item.extend(attributes.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
    stack.dynamodb().put_item().table_name(TABLE).set_item(Some(item)).send().await.unwrap();
}

fn canary() -> AttributeValue {
    AttributeValue::S(CANARY.to_owned())
}

#[tokio::test]
async fn user_input_is_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = access_log::log_subscriber(move || writer.clone()).set_default();
    let backends = Backends::from_stack(stack());

    let (joining, member) = ("/api/v1/members/join", member());
    log.of(join(&backends), &posted(joining, &member), "0").await;
    log.of(join(&backends), &posted(joining, &member), "AJ_001").await;
    log.of(join(&backends), &posted(joining, &json!({"email": CANARY, "name": CANARY.repeat(9)})), "C_001")
        .await;
    log.of(join(&backends), &posted(joining, &json!(CANARY)), "C_002").await;
    log.of(join(&backends), &event(&Method::POST, joining, "", CANARY, b""), "C_004").await;
    let logging_in = "/api/v1/members/login";
    log.of(login(&backends, 1), &posted(logging_in, &member), "0").await;
    let wrong = json!({"email": member["email"], "password": CANARY});
    log.of(login(&backends, 1), &posted(logging_in, &wrong), "AL_001").await;

    let form = concert();
    let mut created = submitted(&form);
    created["multiValueHeaders"]["Idempotency-Key"] = json!([format!("{CANARY}-{}", sample::unique())]);
    log.of(create(&backends), &created, "0").await;
    log.of(create(&backends), &created, "0").await;
    let other = submitted(&concert());
    let mut reused = created.clone();
    (reused["body"], reused["multiValueHeaders"]["Content-Type"]) =
        (other["body"].clone(), other["multiValueHeaders"]["Content-Type"].clone());
    log.of(create(&backends), &reused, "C_011").await;
    let by_nobody = |mut event: Value| {
        event["multiValueHeaders"]["x-api-managerId"] = json!([CANARY]);
        event
    };
    log.of(create(&backends), &by_nobody(submitted(&form)), "AM_001").await;
    let cut = event(&Method::POST, "/api/v1/events", "", &form.content_type(), CANARY.as_bytes());
    log.of(create(&backends), &cut, "C_006").await;
    let no_poster =
        Form::new().part(sample::REQUEST, sample::event().to_string()).part(sample::THUMBNAIL, CANARY);
    log.of(create(&backends), &submitted(&no_poster), "C_007").await;

    log.of(list(&backends), &page(""), "0").await;
    log.of(list(&backends), &page(&format!("limit={CANARY}")), "C_003").await;
    log.of(list(&backends), &page(&format!("cursor={CANARY}")), "C_003").await;

    let live = tests::Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    for (id, code) in [(CANARY, "E_002"), (&live, "0")] {
        let (detail, seat_map) = (format!("{EVENT}/detail"), format!("{EVENT}/seat-map.svg"));
        let get = events_get::Get::new(backends.table.clone());
        log.of(get, &of_event(&Method::GET, EVENT, id), code).await;
        let function = events_detail::Detail::new(backends.table.clone());
        log.of(function, &of_event(&Method::GET, &detail, id), code).await;
        let function = events_seat_map::SeatMap::new(backends.table.clone());
        log.of(function, &of_event(&Method::GET, &seat_map, id), code).await;
        let function = events_delete::Delete::new(backends.table.clone(), Authentication::Open);
        log.of(function, &of_event(&Method::DELETE, EVENT, id), code).await;
    }
}

#[tokio::test]
async fn storage_failure_logs_no_input() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = access_log::log_subscriber(move || writer.clone()).set_default();
    let id = Uuid::now_v7().to_string();
    for fault in [Fault::ConnectionError, Fault::InternalError, Fault::CutResponse, Fault::Throttled] {
        let broken =
            async |kind: &str| Proxy::start(stack(), [Rule::new(kind, Extent::Outage, fault.clone())]).await;
        let proxy = broken("TransactWriteItems").await;
        log.of(join(proxy.backends()), &posted("/api/v1/members/join", &member()), "S_003").await;
        let proxy = broken("BatchGetItem").await;
        log.of(login(proxy.backends(), 1), &posted("/api/v1/members/login", &member()), "S_003").await;
        let proxy = broken("PutItem(IDEMPOTENCY)").await;
        log.of(create(proxy.backends()), &submitted(&concert()), "S_003").await;
        let proxy = broken("Query").await;
        log.of(list(proxy.backends()), &page(""), "S_003").await;
        let proxy = broken("GetItem").await;
        let get = events_get::Get::new(proxy.backends().table.clone());
        log.of(get, &of_event(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = broken("GetItem").await;
        let detail = events_detail::Detail::new(proxy.backends().table.clone());
        log.of(detail, &of_event(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = broken("GetItem").await;
        let seat_map = events_seat_map::SeatMap::new(proxy.backends().table.clone());
        log.of(seat_map, &of_event(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = broken("GetItem").await;
        let delete = events_delete::Delete::new(proxy.backends().table.clone(), Authentication::Open);
        log.of(delete, &of_event(&Method::DELETE, EVENT, &id), "S_003").await;
    }
}

#[tokio::test]
async fn tolerated_failure_logs_no_input() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = access_log::log_subscriber(move || writer.clone()).set_default();
    let backends = Backends::from_stack(stack());
    let broken = async |kind: &str| {
        Proxy::start(stack(), [Rule::new(kind, Extent::Outage, Fault::InternalError)]).await
    };
    let texts = |warnings: Vec<Value>| {
        assert!(warnings.iter().all(|warning| warning["cause"].is_string()), "{warnings:?}");
        warnings.into_iter().map(|mut warning| warning["message"].take()).collect::<Vec<_>>()
    };

    let member = member();
    log.of(join(&backends), &posted("/api/v1/members/join", &member), "0").await;
    let wrong = posted("/api/v1/members/login", &json!({"email": member["email"], "password": CANARY}));
    log.of(login(&backends, 1), &wrong, "AL_001").await;
    let proxy = broken("UpdateItem").await;
    let warnings = log.of(login(proxy.backends(), 2), &posted("/api/v1/members/login", &member), "0").await;
    assert_eq!(texts(warnings), ["password rehash failed", "failed to reset login failures"]);

    let mut registered = submitted(&concert());
    registered["multiValueHeaders"]["Idempotency-Key"] = json!([sample::unique()]);
    log.of(create(&backends), &registered, "0").await;
    registered["multiValueHeaders"]["Idempotency-Key"] = json!([sample::unique()]);
    let proxy = broken("DELETE").await;
    let warnings = log.of(create(proxy.backends()), &registered, "E_001").await;
    let expected = ["failed to remove poster of rejected event", "failed to release idempotency key"];
    assert_eq!(texts(warnings), expected);
}

#[tokio::test]
async fn corrupt_record_is_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = access_log::log_subscriber(move || writer.clone()).set_default();
    let stack = new_stack().await;
    let backends = Backends::from_stack(&stack);
    let number = |digits: &str| AttributeValue::N(digits.to_owned());
    let list = || AttributeValue::L(vec![canary()]);

    let member = member();
    let address = member["email"].as_str().unwrap();
    let credentials = posted("/api/v1/members/login", &member);
    let counter = keys::client_login_failures(address, ClientAddress::parse(SOURCE));
    for failures in [canary(), number("-1"), list()] {
        store(&stack, &counter, &[("failures", failures), (EXPIRES, number("4102444800"))]).await;
        log.of(login(&backends, 1), &credentials, "S_001").await;
    }
    store(&stack, &counter, &[("failures", number("1")), (EXPIRES, number("4102444800"))]).await;
    let id = || AttributeValue::S(Uuid::nil().to_string());
    for (id, other) in [(canary(), canary()), (id(), list())] {
        let attributes = ["email", "name", "nickname", "password"].map(|name| (name, other.clone()));
        let attributes = [&[("id", id)], &attributes[..]].concat();
        store(&stack, &keys::email(address), &attributes).await;
        log.of(login(&backends, 1), &credentials, "S_001").await;
    }

    let id = Uuid::now_v7();
    let event = &of_event(&Method::GET, EVENT, &id.to_string());
    let attributes =
        [(LISTING, canary()), (SUMMARY, number("1")), ("chunks", canary()), ("manager", canary())];
    store(&stack, &keys::event(id), &attributes).await;
    log.of(events_get::Get::new(backends.table.clone()), event, "S_001").await;
    log.of(events_delete::Delete::new(backends.table.clone(), Authentication::Open), event, "S_001").await;
    for data in [canary(), AttributeValue::B(Blob::new(CANARY))] {
        store(&stack, &keys::chunk(id, 0), &[("data", data)]).await;
        log.of(events_detail::Detail::new(backends.table.clone()), event, "S_001").await;
        log.of(events_seat_map::SeatMap::new(backends.table.clone()), event, "S_001").await;
    }
}

#[tokio::test]
async fn rejected_token_is_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = access_log::log_subscriber(move || writer.clone()).set_default();
    let issuer = Issuer::new("https://id.example".parse().unwrap(), "tickets".to_owned()).unwrap();
    let role = Role::new("roles".to_owned(), "manager".to_owned());
    let authorize = Authorize::Verified { issuer: Box::new(issuer), role };
    let headers = [
        json!({"alg": CANARY, "kid": "1"}),
        json!({"alg": "HS256", "kid": CANARY}),
        json!({"alg": "ES256", "typ": [CANARY]}),
        json!({CANARY: CANARY}),
    ];
    let encoded = headers.map(|header| URL_SAFE_NO_PAD.encode_to_string(header.to_string()));
    for header in encoded.iter().map(String::as_str).chain([CANARY, "", "."]) {
        let token = format!("{header}.{CANARY}.{CANARY}");
        let request = json!({
            "methodArn": "arn:aws:execute-api:ap-northeast-2:1:api/live/POST/api/v1/events",
            "multiValueHeaders": {"Authorization": [format!("Bearer {token}")]},
        });
        let request = serde_json::from_value(request).unwrap();
        assert!(matches!(authorize.authorize(&request).await, Err(Error::NotAuthenticated)));
        let text = String::from_utf8(std::mem::take(&mut log.0.lock().unwrap())).unwrap();
        assert!(text.contains("token rejected") && !text.contains(CANARY), "{text}");
    }
}
