//! A proxy in front of DynamoDB and S3 that records calls and injects faults.

use std::{
    collections::HashMap,
    convert::Infallible,
    future::pending,
    io, mem,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_sdk_dynamodb::config::{
    retry::{RetryConfig, RetryPartition},
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
use storage::{poster::Posters, table::Table};
use tokio::{
    net::TcpListener,
    sync::{Notify, RwLock},
    task::JoinSet,
};
use uuid::Uuid;

use crate::fault::{self, Fault, RETRIED_BY_STORE, Rule};

/// Limit of a call if one of them is never responded to. It is that of AWS otherwise.
const TIMEOUT: Duration = Duration::from_secs(1);

/// Longest wait of the SDK before a retry: on AWS, a second.
const BACKOFF: Duration = Duration::from_millis(1);

/// Header that the tries of a call have in common.
const INVOCATION: &str = "amz-sdk-invocation-id";

/// Proxy in front of the storage of a stack, which runs until it is dropped.
#[derive(Debug)]
pub struct Proxy {
    backends: Backends,
    dynamodb: aws_sdk_dynamodb::Client,
    dynamodb_url: String,
    state: Arc<State>,
    servers: JoinSet<()>,
}

/// Storage that a function works on.
#[derive(Clone, Debug)]
pub struct Backends {
    /// The table of the service.
    pub table: Table,
    /// The posters of the service.
    pub posters: Posters,
}

/// Calls and units that were taken.
///
/// Every try that goes over the wire counts. The units are those that the embedded DynamoDB reports on
/// request, as the functions do; they follow the published rules: a read unit for each 4 KB of an item or
/// of a whole page, half of one for a read that need not be consistent; a write unit for each 1 KB of the
/// larger of an item before and after, twice in a transaction, and once more for a copy in an index. For a
/// write that its condition rejects, which AWS charges, it reports none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Usage {
    /// The calls in order: for DynamoDB the operation, for S3 method and path.
    pub calls: Vec<String>,
    /// The read units.
    pub read_units: f64,
    /// The write units.
    pub write_units: f64,
}

#[derive(Debug)]
struct State {
    client: reqwest::Client,
    rules: Vec<Rule>,
    record: Mutex<Record>,
    /// State of the calling process, alive or not; locked for reading during a call.
    is_alive: RwLock<bool>,
    killed: Notify,
}

#[derive(Debug, Default)]
struct Record {
    calls: Vec<Call>,
    usage: Usage,
    /// The last response to each request that a stale response replaces.
    responses: HashMap<String, Response<Bytes>>,
}

/// A call with all its tries.
#[derive(Debug)]
struct Call {
    invocation: String,
    name: String,
    tries: usize,
}

impl Backends {
    /// Returns the storage of a stack, without a proxy.
    #[must_use]
    pub fn of(stack: &Stack) -> Self {
        Self::with(stack.dynamodb(), stack.s3())
    }

    fn with(dynamodb: aws_sdk_dynamodb::Client, s3: aws_sdk_s3::Client) -> Self {
        Self { table: Table::new(dynamodb, TABLE.to_owned()), posters: Posters::new(s3, BUCKET.to_owned()) }
    }
}

impl Proxy {
    /// Starts a proxy in front of the storage of a stack; of several rules for a call, the first applies.
    pub async fn start(stack: &Stack, rules: impl IntoIterator<Item = Rule>) -> Self {
        let rules: Vec<_> = rules.into_iter().collect();
        let has_timeout = rules.iter().any(|rule| matches!(rule.fault, Fault::NoResponse));
        let state = Arc::new(State {
            client: reqwest::Client::new(),
            rules,
            record: Mutex::default(),
            is_alive: RwLock::new(true),
            killed: Notify::new(),
        });
        let mut servers = JoinSet::new();
        let dynamodb_url = serve(stack.dynamodb_url(), &state, &mut servers).await;
        let s3_url = serve(stack.s3_url(), &state, &mut servers).await;

        // All clients of a process share the retries that the SDK grants, except across partitions.
        let partition = RetryPartition::new(Uuid::new_v4().to_string());
        let config = stack.dynamodb().config().clone();
        let retries = config.retry_config().cloned().unwrap_or_else(RetryConfig::standard);
        let retries = retries.with_initial_backoff(BACKOFF);
        let mut timeouts = TimeoutConfig::builder();
        if has_timeout {
            timeouts = timeouts.operation_attempt_timeout(TIMEOUT);
        }
        let mut timeouts = timeouts.build();
        if let Some(defaults) = config.timeout_config() {
            timeouts.take_defaults_from(defaults);
        }

        let dynamodb = config
            .to_builder()
            .endpoint_url(&dynamodb_url)
            .retry_partition(partition.clone())
            .retry_config(retries.clone())
            .timeout_config(timeouts.clone());
        let dynamodb = aws_sdk_dynamodb::Client::from_conf(dynamodb.build());
        let s3 = stack.s3().config().to_builder();
        let s3 =
            s3.endpoint_url(s3_url).retry_partition(partition).retry_config(retries).timeout_config(timeouts);
        let backends = Backends::with(dynamodb.clone(), aws_sdk_s3::Client::from_conf(s3.build()));
        Self { backends, dynamodb, dynamodb_url, state, servers }
    }

    /// Lets the proxy run as long as the runtime of the test, and returns the storage behind it.
    #[must_use]
    pub fn detach(mut self) -> Backends {
        self.servers.detach_all();
        self.backends
    }

    /// Returns the storage behind the proxy.
    #[must_use]
    pub fn backends(&self) -> &Backends {
        &self.backends
    }

    /// Returns the table behind the proxy.
    #[must_use]
    pub fn table(&self) -> Table {
        self.backends.table.clone()
    }

    /// Returns the posters behind the proxy.
    #[must_use]
    pub fn posters(&self) -> Posters {
        self.backends.posters.clone()
    }

    /// Returns a client of the DynamoDB behind the proxy.
    #[must_use]
    pub fn dynamodb(&self) -> &aws_sdk_dynamodb::Client {
        &self.dynamodb
    }

    /// Returns the endpoint of the DynamoDB behind the proxy.
    #[must_use]
    pub fn dynamodb_url(&self) -> String {
        self.dynamodb_url.clone()
    }

    /// Returns the names of the calls in order, each once whatever its tries: for DynamoDB the operation,
    /// with the kind of an item that it puts, for S3 method and path.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.state.record().calls.iter().map(|call| call.name.clone()).collect()
    }

    /// Returns what was taken since this was last called.
    #[must_use]
    pub fn take_usage(&self) -> Usage {
        mem::take(&mut self.state.record().usage)
    }

    /// Carries out a request, unless its process is killed meanwhile.
    pub async fn unless_killed<T>(&self, request: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            response = request => Some(response),
            () = self.state.killed.notified() => None,
        }
    }
}

impl State {
    fn record(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records a try of a call, and returns what goes wrong with it.
    fn fault(&self, call: &Request<Bytes>) -> Option<Fault> {
        let invocation = call.headers()[INVOCATION].to_str().expect("an id").to_owned();
        let name = fault::name(call);
        let Record { calls, usage, .. } = &mut *self.record();
        usage.calls.push(fault::operation(call).unwrap_or(&name).to_owned());
        let is_same = |known: &Call| {
            known.invocation == invocation || (RETRIED_BY_STORE.contains(&&*name) && known.name == name)
        };
        let index = calls.iter().position(is_same).unwrap_or(calls.len());
        if index == calls.len() {
            calls.push(Call { invocation, name, tries: 0 });
        }
        calls[index].tries += 1;
        let is_struck = |rule: &&Rule| {
            let is_of_kind = |index: &usize| fault::kind(&calls[*index].name) == rule.kind;
            let first = (0..calls.len()).filter(is_of_kind).nth(rule.nth);
            let calls_after = first.and_then(|first| index.checked_sub(first));
            calls_after
                .is_some_and(|after| rule.extent.includes(calls[index].tries, after, is_of_kind(&index)))
        };
        self.rules.iter().find(is_struck).map(|rule| rule.fault.clone())
    }

    /// Responds to a call to the backend at an endpoint; with none, the connection is closed instead.
    async fn respond(&self, endpoint: &str, mut call: Request<Bytes>) -> Option<Response<Bytes>> {
        let fault = self.fault(&call);
        let is_alive = self.is_alive.read().await;
        if !*is_alive {
            return None;
        }
        if let Some(error) = fault.as_ref().and_then(|fault| fault.error(&call)) {
            return Some(error);
        }
        match &fault {
            Some(Fault::ConnectionError) => return None,
            Some(Fault::NoResponse) => return pending().await,
            Some(Fault::KilledBefore) => {
                drop(is_alive);
                return self.kill().await;
            }
            Some(Fault::Interleaved(action)) => action.run().await,
            Some(Fault::Rewritten(rewrite)) => {
                let mut body = fault::json(call.body());
                rewrite(&mut body);
                *call.body_mut() = body.to_string().into();
            }
            _ => {}
        }
        // Parsed and written again, since keys come in any order.
        let stale = matches!(fault, Some(Fault::Stale)).then(|| fault::json(call.body()).to_string());
        let response = self.forward(endpoint, call).await;
        match fault {
            Some(Fault::LostResponse) => None,
            Some(Fault::CutResponse) => Some(fault::cut(response)),
            Some(Fault::KilledAfter) => {
                drop(is_alive);
                self.kill().await
            }
            _ => {
                let last = stale.and_then(|call| self.record().responses.insert(call, response.clone()));
                Some(last.unwrap_or(response))
            }
        }
    }

    /// Forwards a call, with the headers that it came with, `Host` included since it is signed.
    async fn forward(&self, endpoint: &str, call: Request<Bytes>) -> Response<Bytes> {
        let operation = fault::operation(&call).map(str::to_owned);
        let (mut call, body) = call.into_parts();
        // The body may be rewritten.
        call.headers.remove(CONTENT_LENGTH);
        let url = format!("{endpoint}{}", call.uri);
        let request = self.client.request(call.method, url).headers(call.headers).body(body);
        let mut received = request.send().await.expect("a response of the backend");
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = received.status();
        *response.headers_mut() = mem::take(received.headers_mut());
        // The body goes on in one piece.
        response.headers_mut().remove(TRANSFER_ENCODING);
        *response.body_mut() = received.bytes().await.expect("a whole response");
        if let Some(operation) = operation {
            self.record().usage.add(&operation, &fault::json(response.body()));
        }
        response
    }

    /// Ends the calling process once the calls under way are done: what they do to the backend is settled
    /// then, and nothing comes after it.
    async fn kill<T>(&self) -> T {
        *self.is_alive.write().await = false;
        self.killed.notify_one();
        pending().await
    }
}

impl Usage {
    /// Adds the units that a response of DynamoDB reports: for one table, or for each of those in a
    /// transaction.
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

/// Starts a server in front of the one at an endpoint, and returns its own endpoint.
async fn serve(endpoint: String, state: &Arc<State>, servers: &mut JoinSet<()>) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    let backend = Arc::new((Arc::clone(state), endpoint));
    servers.spawn(async move {
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
    // A mapped body has no length but the one in the header, which may be another.
    Ok(response.map(|body| Full::new(body).map_frame(|frame| frame)))
}
