//! A proxy in front of DynamoDB, S3 and SES that records calls and injects faults.

use std::{
    collections::BTreeSet,
    convert::Infallible,
    future::pending,
    io, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws::CALL_TIMEOUT;
use aws_sdk_dynamodb::config::{
    retry::{RetryConfig, RetryPartition, TokenBucket},
    timeout::TimeoutConfig,
};
use axum::{
    body::Bytes,
    http::{
        Request, Response,
        header::{CONTENT_LENGTH, TRANSFER_ENCODING},
    },
};
use http_body_util::{BodyExt as _, Full};
use hyper::{
    body::{Body, Incoming},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::TokioIo;
use local::{BUCKET, Stack, TABLE};
use serde_json::Value;
use storage::{events::poster_store::Posters, table::Table};
use tokio::{net::TcpListener, sync::RwLock};

use crate::{
    conflicts::Conflicts,
    fault::{self, Fault, RETRIED_BY_STORE, Rule},
    permissions::{self, Permission},
};

/// Time limit of a try if a rule suppresses responses; otherwise the limit of AWS applies.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Initial backoff of the SDK before a retry; a second on AWS.
const BACKOFF: Duration = Duration::from_millis(1);

/// Header with the same value in all tries of a call.
const INVOCATION: &str = "amz-sdk-invocation-id";

/// Proxy in front of the storage of a stack; it runs until the runtime of the test ends.
#[derive(Debug)]
pub struct Proxy {
    dynamodb: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    ses: aws_sdk_sesv2::Client,
    dynamodb_url: String,
    state: Arc<State>,
}

/// Calls and consumed capacity units.
///
/// Each try counts as a call. The embedded DynamoDB reports the units on request, also to the functions. They
/// follow the published rules:
///
/// - A read unit for each 4 KB of an item or of a whole page; half a unit if the read is eventually consistent.
/// - A write unit for each 1 KB of the larger of an item before and after; twice in a transaction, and once
///   more for a copy in an index.
///
/// It reports no units if a condition expression rejects a write, although AWS charges them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// Names of the calls in order, for example `GetItem EVENT`, `Query listing` or `PUT poster`.
    pub calls: Vec<String>,
    /// Consumed read units.
    pub read_units: f64,
    /// Consumed write units.
    pub write_units: f64,
}

#[derive(Debug)]
struct State {
    client: reqwest::Client,
    rules: Mutex<Vec<Rule>>,
    record: Mutex<Record>,
    /// Permissions that all calls so far need.
    permissions: Mutex<BTreeSet<Permission>>,
    conflicts: Conflicts,
    /// Locked for reading during a call.
    running: RwLock<()>,
}

#[derive(Debug, Default)]
struct Record {
    calls: Vec<Call>,
    usage: Usage,
}

/// Call with all its tries.
#[derive(Debug)]
struct Call {
    invocation: String,
    name: String,
    tries: usize,
}

impl Proxy {
    /// Starts a proxy in front of the storage of a stack. The first matching rule applies.
    pub async fn start(stack: &Stack, rules: impl IntoIterator<Item = Rule>) -> Self {
        let rules: Vec<_> = rules.into_iter().collect();
        let has_timeout = rules.iter().any(|rule| matches!(rule.fault, Fault::NoResponse));
        let client = reqwest::Client::new();
        let state = State {
            client,
            rules: Mutex::new(rules),
            record: Mutex::default(),
            permissions: Mutex::default(),
            conflicts: Conflicts::default(),
            running: RwLock::default(),
        };
        let state = Arc::new(state);
        let dynamodb_url = serve(stack.dynamodb_url(), &state).await;
        let s3_url = serve(stack.s3_url(), &state).await;
        let ses_url = serve(stack.ses_url(), &state).await;

        // The quota of retries would end after some faults.
        let partition = RetryPartition::custom("tests").token_bucket(TokenBucket::unlimited()).build();
        let config = stack.dynamodb().config().clone();
        let retries = config.retry_config().cloned().unwrap_or_else(RetryConfig::standard);
        let retries = retries.with_initial_backoff(BACKOFF);
        // On a busy machine an answer may come late, and another attempt would count as a call.
        let attempt_timeout = if has_timeout { TIMEOUT } else { CALL_TIMEOUT };
        let mut timeouts = TimeoutConfig::builder().operation_attempt_timeout(attempt_timeout).build();
        if let Some(defaults) = config.timeout_config() {
            timeouts.take_defaults_from(defaults);
        }

        let dynamodb = config.to_builder().endpoint_url(&dynamodb_url).retry_partition(partition.clone());
        let dynamodb = dynamodb.retry_config(retries.clone()).timeout_config(timeouts.clone()).build();
        let s3 = stack.s3().config().to_builder().endpoint_url(s3_url).retry_partition(partition.clone());
        let s3 = s3.retry_config(retries.clone()).timeout_config(timeouts.clone()).build();
        let ses = stack.ses().config().to_builder().endpoint_url(ses_url).retry_partition(partition);
        let ses = ses.retry_config(retries).timeout_config(timeouts).build();
        Self {
            dynamodb: aws_sdk_dynamodb::Client::from_conf(dynamodb),
            s3: aws_sdk_s3::Client::from_conf(s3),
            ses: aws_sdk_sesv2::Client::from_conf(ses),
            dynamodb_url,
            state,
        }
    }

    /// Replaces the rules, and forgets all calls.
    pub fn set_rules(&self, rules: impl IntoIterator<Item = Rule>) {
        *self.state.rules.lock().expect("lock of the rules") = rules.into_iter().collect();
        *self.state.record() = Record::default();
    }

    /// Lets each transaction take this time, and conflict with others that write one of its items meanwhile, as on AWS.
    pub fn set_transaction_time(&self, time: Duration) {
        self.state.conflicts.set_duration(time);
    }

    /// Removes the rules, and keeps what was recorded.
    pub fn remove_rules(&self) {
        self.state.rules.lock().expect("lock of the rules").clear();
    }

    /// Returns the table behind the proxy.
    #[must_use]
    pub fn table(&self) -> Table {
        Table::new(self.dynamodb.clone(), TABLE.to_owned())
    }

    /// Returns the posters behind the proxy.
    #[must_use]
    pub fn posters(&self) -> Posters {
        Posters::new(self.s3.clone(), BUCKET.to_owned())
    }

    /// Returns a client of the DynamoDB behind the proxy.
    #[must_use]
    pub fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.dynamodb
    }

    /// Returns a client of the S3 behind the proxy.
    #[must_use]
    pub fn s3(&self) -> &aws_sdk_s3::Client {
        &self.s3
    }

    /// Returns a client of the SES behind the proxy.
    #[must_use]
    pub fn ses(&self) -> &aws_sdk_sesv2::Client {
        &self.ses
    }

    /// Returns the endpoint of the DynamoDB behind the proxy.
    #[must_use]
    pub fn dynamodb_url(&self) -> String {
        self.dynamodb_url.clone()
    }

    /// Returns the names of the calls since the rules were set, each once regardless of its tries.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.state.record().calls.iter().map(|call| call.name.clone()).collect()
    }

    /// Forgets the permissions that the calls so far needed.
    pub fn forget_permissions(&self) {
        self.state.permissions.lock().expect("lock of the permissions").clear();
    }

    /// Returns the permissions that all calls so far need.
    pub(crate) fn permissions(&self) -> BTreeSet<Permission> {
        self.state.permissions.lock().expect("lock of the permissions").clone()
    }

    /// Returns the usage since the last call of this function.
    #[must_use]
    pub fn take_usage(&self) -> Usage {
        mem::take(&mut self.state.record().usage)
    }

    /// Waits until all calls are done, also those of requests that ended.
    pub async fn wait(&self) {
        drop(self.state.running.write().await);
    }
}

impl State {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a try of a call and returns its fault.
    fn fault(&self, call: &Request<Bytes>) -> Option<Fault> {
        let invocation = call.headers()[INVOCATION].to_str().expect("invocation id").to_owned();
        let name = fault::name(call);
        let Record { calls, usage, .. } = &mut *self.record();
        usage.calls.push(name.clone());
        let is_same =
            |known: &Call| known.invocation == invocation || (RETRIED_BY_STORE.contains(&&*name) && known.name == name);
        let index = calls.iter().position(is_same).unwrap_or(calls.len());
        if index == calls.len() {
            calls.push(Call { invocation, name: name.clone(), tries: 0 });
        }
        calls[index].tries += 1;
        let before: Vec<_> = calls[..index].iter().map(|call| &*call.name).collect();
        let rules = self.rules.lock().expect("lock of the rules");
        let hit = rules.iter().find(|rule| rule.applies_to(&name, calls[index].tries, &before));
        hit.map(|rule| rule.fault.clone())
    }

    /// Responds to a call to the backend at an endpoint. `None` closes the connection.
    async fn respond(&self, endpoint: &str, mut call: Request<Bytes>) -> Option<Response<Bytes>> {
        self.permissions.lock().expect("lock of the permissions").extend(permissions::needed(&call));
        let fault = self.fault(&call);
        if let Some(error) = fault.as_ref().and_then(|fault| fault.error(&call)) {
            return Some(error);
        }
        match &fault {
            Some(Fault::ConnectionError) => return None,
            Some(Fault::NoResponse) => return pending().await,
            Some(Fault::Gated(gate)) => gate.pass().await,
            Some(Fault::Rewritten(rewrite)) => {
                let mut body = fault::json(call.body());
                rewrite(&mut body);
                *call.body_mut() = body.to_string().into();
            }
            _ => {}
        }
        let writing = match self.conflicts.begin(&call).await {
            Ok(writing) => writing,
            Err(error) => return Some(error),
        };
        let running = self.running.read().await;
        let response = self.forward(endpoint, call).await;
        drop((running, writing));
        match fault {
            Some(Fault::LostResponse) => None,
            Some(Fault::CutResponse) => Some(fault::cut(response)),
            _ => Some(response),
        }
    }

    /// Forwards a call with its headers, including `Host`, which is signed.
    async fn forward(&self, endpoint: &str, call: Request<Bytes>) -> Response<Bytes> {
        let operation = fault::operation(&call).map(str::to_owned);
        let (mut call, mut body) = call.into_parts();
        if operation.is_some() {
            let mut json = fault::json(&body);
            json["ReturnConsumedCapacity"] = "TOTAL".into();
            body = json.to_string().into();
        }
        // The body may be rewritten.
        call.headers.remove(CONTENT_LENGTH);
        let url = format!("{endpoint}{}", call.uri);
        let request = self.client.request(call.method, url).headers(call.headers).body(body);
        let mut received = request.send().await.expect("response of the backend");
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = received.status();
        *response.headers_mut() = mem::take(received.headers_mut());
        // The body is forwarded as a whole.
        response.headers_mut().remove(TRANSFER_ENCODING);
        *response.body_mut() = received.bytes().await.expect("complete response");
        if let Some(operation) = operation {
            self.record().usage.add(&operation, &fault::json(response.body()));
        }
        response
    }
}

impl Usage {
    /// Adds the units in a response of DynamoDB, for one table or for each table of a transaction.
    fn add(&mut self, operation: &str, response: &Value) {
        let consumed = &response["ConsumedCapacity"];
        let tables = consumed.as_array().map_or(std::slice::from_ref(consumed), Vec::as_slice);
        let units: f64 = tables.iter().filter_map(|table| table["CapacityUnits"].as_f64()).sum();
        match operation {
            "GetItem" | "BatchGetItem" | "TransactGetItems" | "Query" | "Scan" => self.read_units += units,
            _ => self.write_units += units,
        }
    }
}

/// Starts a server in front of an endpoint and returns its own endpoint.
async fn serve(endpoint: String, state: &Arc<State>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("free port");
    let address = listener.local_addr().expect("local address");
    let backend = Arc::new((Arc::clone(state), endpoint));
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            let backend = Arc::clone(&backend);
            let service = service_fn(move |call| respond(Arc::clone(&backend), call));
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(connection), service));
        }
    });
    format!("http://{address}")
}

async fn respond(
    backend: Arc<(Arc<State>, String)>,
    call: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = Infallible>>, io::Error> {
    let (state, endpoint) = &*backend;
    let (parts, body) = call.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let response = state.respond(endpoint, Request::from_parts(parts, body)).await;
    // The server closes a connection whose service fails.
    let response = response.ok_or(io::ErrorKind::ConnectionAborted)?;
    // A mapped body has no known length, so that the header may declare another one.
    Ok(response.map(|body| Full::new(body).map_frame(|frame| frame)))
}
