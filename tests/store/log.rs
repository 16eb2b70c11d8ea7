//! Logs contain neither user input nor stored data, for any response and failure.

use std::{
    io::{self, Write as _},
    sync::{Arc, Mutex},
    time::SystemTime,
};

use api::{
    access_log::{self, AccessLogEntry},
    authorizer::Authorizer as _,
    cors::Origins,
    log,
    proxy::ProxyRequest,
    serve::{self, Handler},
};
use auth::Issuer;
use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use base64_simd::{STANDARD, URL_SAFE_NO_PAD};
use domain::{
    email::Email,
    error::Error,
    manager::{Authentication, Role},
    password::Password,
};
use lambda_http::{Context, http::Method};
use local::{Stack, TABLE};
use managers_authorize::Authorize;
use serde_json::{Value, json};
use storage::keys::{self, Key, LISTING, LIVE};
use tests::{
    Backends, Proxy,
    fault::{Extent, Fault, Rule},
    form::Form,
    new_stack, sample, stack,
};
use tracing_subscriber::util::SubscriberInitExt as _;
use uuid::Uuid;

/// Text that is part of everything sent or stored.
const CANARY: &str = "kanarie";
/// Manager id that is sent nowhere else.
const MANAGER: &str = "ca4a41e0-ca4a-4ca4-8a4a-ca4a41e0ca4a";
const SOURCE: &str = "192.0.2.77";
const EVENT: &str = "/api/v1/events/{eventId}";
const MEMBER: &str = "/api/v1/members/{memberId}";

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
    /// Calls a function, checks its log, and returns the warnings.
    ///
    /// In addition, the log must have the access log entry, and the cause of a 5xx response once.
    async fn call(&self, handler: impl Handler, event: &Value, code: &str) -> Vec<Value> {
        let log = self.clone();
        let write = move |entry: &AccessLogEntry| {
            let record = access_log::record(entry, "tickets", SystemTime::now().into()).unwrap();
            writeln!(log.0.lock().unwrap(), "{record}").unwrap();
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
        let entry = lines.pop().unwrap();
        assert_eq!((&entry["message"], &entry["code"]), (&json!("request completed"), &json!(code)), "{text}");
        let (failures, warnings): (Vec<_>, _) = lines.into_iter().partition(|line| line["level"] == "ERROR");
        assert_eq!(failures.len(), usize::from(code.starts_with("S_")), "{text}");
        assert!(failures.iter().all(|failure| failure["cause"].is_string()), "{text}");
        warnings
    }
}

/// Builds a Lambda payload with a canary in everything that a client controls.
fn payload(method: &Method, resource: &str, parameter: &str, media_type: &str, body: &[u8]) -> Value {
    json!({
        "resource": resource,
        "path": resource.replace("{eventId}", parameter).replace("{memberId}", parameter),
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
            "x-api-key": [CANARY],
            "x-api-managerId": [MANAGER],
            "x-viewer-address": [SOURCE],
            CANARY: [CANARY],
        },
        "multiValueQueryStringParameters": {CANARY: [CANARY]},
        "pathParameters": {"eventId": parameter, "memberId": parameter},
        "requestContext": {"identity": {"apiKey": CANARY, "sourceIp": SOURCE, "userAgent": CANARY}},
        "body": STANDARD.encode_to_string(body),
        "isBase64Encoded": true,
    })
}

fn json_payload(resource: &str, body: &Value) -> Value {
    payload(&Method::POST, resource, "", "application/json", body.to_string().as_bytes())
}

fn member_payload(id: &str, body: &Value) -> Value {
    payload(&Method::PATCH, MEMBER, id, "application/json", body.to_string().as_bytes())
}

fn form_payload(form: &Form) -> Value {
    payload(&Method::POST, "/api/v1/events", "", &form.content_type(), &form.body())
}

fn list_payload(query: &str) -> Value {
    let mut payload = payload(&Method::GET, "/api/v1/events", "", CANARY, b"");
    if let Some((name, value)) = query.split_once('=') {
        payload["multiValueQueryStringParameters"][name] = json!([value]);
    }
    payload
}

fn event_payload(method: &Method, resource: &str, id: &str) -> Value {
    payload(method, resource, id, CANARY, b"")
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

/// Builds the form of an event with a canary in every text and every part header.
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
    members_join::Join::new(backends.table.clone(), sample::hasher(1), Password::parse)
}

fn login(backends: &Backends, passes: u32) -> members_login::Login {
    let table = backends.table.clone();
    members_login::Login::new(table, sample::hasher(passes))
}

fn edit(backends: &Backends) -> members_edit::Edit {
    members_edit::Edit::new(backends.table.clone(), sample::hasher(1), Password::parse)
}

fn withdraw(backends: &Backends) -> members_withdraw::Withdraw {
    members_withdraw::Withdraw::new(backends.table.clone(), sample::hasher(1))
}

fn create(backends: &Backends) -> events_create::Create {
    events_create::Create::new(backends.table.clone(), backends.posters.clone(), Authentication::Open)
}

fn list(backends: &Backends) -> events_list::List {
    events_list::List::new(backends.table.clone(), "0123456789abcdef".parse().unwrap())
}

fn own_events(backends: &Backends) -> managers_events::OwnEvents {
    let cursors = "0123456789abcdef".parse().unwrap();
    managers_events::OwnEvents::new(backends.table.clone(), Authentication::Open, cursors)
}

/// Stores an item instead of the one that the service would store.
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
    let _guard = log::subscriber(move || writer.clone()).set_default();
    let backends = Backends::from_stack(stack());

    let (join_path, member) = ("/api/v1/members/join", member());
    log.call(join(&backends), &json_payload(join_path, &member), "0").await;
    log.call(join(&backends), &json_payload(join_path, &member), "AJ_001").await;
    log.call(join(&backends), &json_payload(join_path, &json!({"email": CANARY, "name": CANARY.repeat(9)})), "C_001")
        .await;
    log.call(join(&backends), &json_payload(join_path, &json!(CANARY)), "C_002").await;
    log.call(join(&backends), &payload(&Method::POST, join_path, "", CANARY, b""), "C_004").await;
    let login_path = "/api/v1/members/login";
    log.call(login(&backends, 1), &json_payload(login_path, &member), "0").await;
    let wrong = json!({"email": member["email"], "password": CANARY});
    log.call(login(&backends, 1), &json_payload(login_path, &wrong), "AL_001").await;

    let logged_in = tests::Api::new().login(&json!({"email": member["email"], "password": sample::PASSWORD})).await;
    let id = logged_in.data()["id"].as_str().unwrap().to_owned();
    let [right, wrong] = [sample::PASSWORD, CANARY].map(|password| json!({"password": password}));
    let change =
        json!({"password": sample::PASSWORD, "name": CANARY, "nickname": format!("{CANARY}{}", sample::unique())});
    log.call(edit(&backends), &member_payload(&id, &change), "0").await;
    let taken = tests::add_member(&sample::hasher(1)).await;
    let taken = json!({"password": sample::PASSWORD, "nickname": taken.nickname.as_str()});
    log.call(edit(&backends), &member_payload(&id, &taken), "AJ_002").await;
    log.call(edit(&backends), &member_payload(CANARY, &json!({"name": CANARY.repeat(9)})), "C_001").await;
    for id in [CANARY, &id] {
        log.call(edit(&backends), &member_payload(id, &wrong), "AL_001").await;
        log.call(withdraw(&backends), &member_payload(id, &wrong), "AL_001").await;
    }
    log.call(withdraw(&backends), &member_payload(&id, &right), "0").await;

    let form = concert();
    let mut created = form_payload(&form);
    created["multiValueHeaders"]["Idempotency-Key"] = json!([format!("{CANARY}-{}", sample::unique())]);
    log.call(create(&backends), &created, "0").await;
    log.call(create(&backends), &created, "0").await;
    let other = form_payload(&concert());
    let mut reused = created.clone();
    (reused["body"], reused["multiValueHeaders"]["Content-Type"]) =
        (other["body"].clone(), other["multiValueHeaders"]["Content-Type"].clone());
    log.call(create(&backends), &reused, "C_011").await;
    let by_invalid_manager = |mut event: Value| {
        event["multiValueHeaders"]["x-api-managerId"] = json!([CANARY]);
        event
    };
    log.call(create(&backends), &by_invalid_manager(form_payload(&form)), "AM_001").await;
    let cut = payload(&Method::POST, "/api/v1/events", "", &form.content_type(), CANARY.as_bytes());
    log.call(create(&backends), &cut, "C_006").await;
    let no_poster = Form::new().part(sample::REQUEST, sample::event().to_string()).part(sample::THUMBNAIL, CANARY);
    log.call(create(&backends), &form_payload(&no_poster), "C_007").await;

    log.call(list(&backends), &list_payload(""), "0").await;
    log.call(list(&backends), &list_payload(&format!("limit={CANARY}")), "C_003").await;
    log.call(list(&backends), &list_payload(&format!("cursor={CANARY}")), "C_003").await;
    log.call(own_events(&backends), &list_payload("status=all"), "0").await;
    for parameter in ["status", "limit", "cursor"] {
        log.call(own_events(&backends), &list_payload(&format!("{parameter}={CANARY}")), "C_003").await;
    }
    log.call(own_events(&backends), &by_invalid_manager(list_payload("")), "AM_001").await;
    log.call(list(&backends), &list_payload(&format!("q={CANARY}")), "0").await;
    for name in ["from", "to", "ticketing", "sort"] {
        log.call(list(&backends), &list_payload(&format!("{name}={CANARY}")), "C_003").await;
    }

    let live = tests::Api::new().create(&sample::event()).await.data()["id"].as_str().unwrap().to_owned();
    for (id, code) in [(CANARY, "E_002"), (&live, "0")] {
        let (detail, seat_map) = (format!("{EVENT}/detail"), format!("{EVENT}/seat-map.svg"));
        let get = events_get::Get::new(backends.table.clone());
        log.call(get, &event_payload(&Method::GET, EVENT, id), code).await;
        let function = events_detail::Detail::new(backends.table.clone());
        log.call(function, &event_payload(&Method::GET, &detail, id), code).await;
        let function = events_seat_map::SeatMap::new(backends.table.clone());
        log.call(function, &event_payload(&Method::GET, &seat_map, id), code).await;
        let function = events_delete::Delete::new(backends.table.clone(), Authentication::Open);
        log.call(function, &event_payload(&Method::DELETE, EVENT, id), code).await;
        let function = events_restore::Restore::new(backends.table.clone(), Authentication::Open);
        log.call(function, &event_payload(&Method::POST, &format!("{EVENT}/restore"), id), code).await;
    }
}

#[tokio::test]
async fn storage_failure_logs_no_input() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = log::subscriber(move || writer.clone()).set_default();
    let id = Uuid::now_v7().to_string();
    for fault in [Fault::ConnectionError, Fault::InternalError, Fault::CutResponse, Fault::Throttled] {
        let proxy_with_fault =
            async |kind: &str| Proxy::start(stack(), [Rule::new(kind, Extent::Outage, fault.clone())]).await;
        let proxy = proxy_with_fault("TransactWriteItems").await;
        log.call(join(proxy.backends()), &json_payload("/api/v1/members/join", &member()), "S_003").await;
        let proxy = proxy_with_fault("UpdateItem").await;
        log.call(login(proxy.backends(), 1), &json_payload("/api/v1/members/login", &member()), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        log.call(edit(proxy.backends()), &member_payload(CANARY, &member()), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        log.call(withdraw(proxy.backends()), &member_payload(CANARY, &member()), "S_003").await;
        let proxy = proxy_with_fault("PutItem(IDEMPOTENCY)").await;
        log.call(create(proxy.backends()), &form_payload(&concert()), "S_003").await;
        let proxy = proxy_with_fault("Query").await;
        log.call(list(proxy.backends()), &list_payload(""), "S_003").await;
        let proxy = proxy_with_fault("Query").await;
        log.call(list(proxy.backends()), &list_payload(&format!("q={CANARY}")), "S_003").await;
        let proxy = proxy_with_fault("Query").await;
        log.call(own_events(proxy.backends()), &list_payload("status=all"), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        let get = events_get::Get::new(proxy.backends().table.clone());
        log.call(get, &event_payload(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        let detail = events_detail::Detail::new(proxy.backends().table.clone());
        log.call(detail, &event_payload(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        let seat_map = events_seat_map::SeatMap::new(proxy.backends().table.clone());
        log.call(seat_map, &event_payload(&Method::GET, EVENT, &id), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        let delete = events_delete::Delete::new(proxy.backends().table.clone(), Authentication::Open);
        log.call(delete, &event_payload(&Method::DELETE, EVENT, &id), "S_003").await;
        let proxy = proxy_with_fault("GetItem").await;
        let restore = events_restore::Restore::new(proxy.backends().table.clone(), Authentication::Open);
        log.call(restore, &event_payload(&Method::POST, EVENT, &id), "S_003").await;
    }
}

#[tokio::test]
async fn tolerated_failure_logs_no_input() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = log::subscriber(move || writer.clone()).set_default();
    let backends = Backends::from_stack(stack());
    let proxy_with_fault =
        async |kind: &str| Proxy::start(stack(), [Rule::new(kind, Extent::Outage, Fault::InternalError)]).await;
    let messages = |warnings: Vec<Value>| {
        assert!(warnings.iter().all(|warning| warning["cause"].is_string()), "{warnings:?}");
        warnings.into_iter().map(|mut warning| warning["message"].take()).collect::<Vec<_>>()
    };

    let member = member();
    log.call(join(&backends), &json_payload("/api/v1/members/join", &member), "0").await;
    let wrong = json_payload("/api/v1/members/login", &json!({"email": member["email"], "password": CANARY}));
    log.call(login(&backends, 1), &wrong, "AL_001").await;
    // The first two updates count the attempt.
    let rule = Rule { nth: 2, ..Rule::new("UpdateItem", Extent::Outage, Fault::InternalError) };
    let proxy = Proxy::start(stack(), [rule]).await;
    let warnings = log.call(login(proxy.backends(), 2), &json_payload("/api/v1/members/login", &member), "0").await;
    assert_eq!(messages(warnings), ["failed to reset login failures", "password rehash failed"]);

    let mut registered = form_payload(&concert());
    registered["multiValueHeaders"]["Idempotency-Key"] = json!([sample::unique()]);
    log.call(create(&backends), &registered, "0").await;
    registered["multiValueHeaders"]["Idempotency-Key"] = json!([sample::unique()]);
    let proxy = proxy_with_fault("DELETE").await;
    let warnings = log.call(create(proxy.backends()), &registered, "E_001").await;
    let expected = ["failed to remove poster of rejected event", "failed to release idempotency key"];
    assert_eq!(messages(warnings), expected);
}

#[tokio::test]
async fn corrupt_record_is_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = log::subscriber(move || writer.clone()).set_default();
    let stack = new_stack().await;
    let backends = Backends::from_stack(&stack);
    let number = |digits: &str| AttributeValue::N(digits.to_owned());
    let list = || AttributeValue::L(vec![canary()]);

    let member = member();
    let address = member["email"].as_str().unwrap();
    let credentials = json_payload("/api/v1/members/login", &member);
    let email = &Email::from_stored(address.to_owned());
    let id = || AttributeValue::S(Uuid::nil().to_string());
    for (id, other) in [(canary(), canary()), (id(), list())] {
        let attributes = ["email", "name", "nickname", "password"].map(|name| (name, other.clone()));
        let attributes = [&[("id", id)], &attributes[..]].concat();
        store(&stack, &keys::login(email), &attributes).await;
        log.call(login(&backends, 1), &credentials, "S_001").await;
    }

    let id = Uuid::new_v4();
    for email in [number("1"), list()] {
        store(&stack, &keys::member(id), &[("email", email)]).await;
        log.call(edit(&backends), &member_payload(&id.to_string(), &member), "S_001").await;
        log.call(withdraw(&backends), &member_payload(&id.to_string(), &member), "S_001").await;
    }

    let id = Uuid::now_v7();
    let event = &event_payload(&Method::GET, EVENT, &id.to_string());
    let attributes = [(LISTING, canary()), ("title", number("1")), ("chunks", canary()), ("manager", canary())];
    store(&stack, &keys::event(id), &attributes).await;
    log.call(events_get::Get::new(backends.table.clone()), event, "S_001").await;
    log.call(events_delete::Delete::new(backends.table.clone(), Authentication::Open), event, "S_001").await;
    log.call(events_restore::Restore::new(backends.table.clone(), Authentication::Open), event, "S_001").await;
    for data in [canary(), AttributeValue::B(Blob::new(CANARY))] {
        store(&stack, &keys::chunk(id, 0), &[("data", data)]).await;
        log.call(events_detail::Detail::new(backends.table.clone()), event, "S_001").await;
        log.call(events_seat_map::SeatMap::new(backends.table.clone()), event, "S_001").await;
    }
    for times in [canary(), list()] {
        let live = AttributeValue::S(LIVE.to_owned());
        let texts = ["title", "artist", "place"].map(|name| (name, canary()));
        let attributes = [&[(LISTING, live), ("ticketingOpenTime", number("1")), ("showTimes", times)], &texts[..]];
        store(&stack, &keys::event(id), &attributes.concat()).await;
        log.call(self::list(&backends), &list_payload(&format!("q={CANARY}")), "S_001").await;
    }
}

#[tokio::test]
async fn rejected_token_is_not_logged() {
    let log = Log::default();
    let writer = log.clone();
    let _guard = log::subscriber(move || writer.clone()).set_default();
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
        assert!(text.contains("token rejected") & !text.contains(CANARY), "{text}");
    }
}
