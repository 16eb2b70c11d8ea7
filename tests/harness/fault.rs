//! A proxy between a function and its backends that breaks one of its calls.

use std::{
    future::pending,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use aws_sdk_dynamodb::config::{
    retry::{RetryConfig, RetryPartition},
    timeout::TimeoutConfig,
};
use axum::{
    body::Bytes,
    http::{Request, Response, StatusCode, header::CONTENT_LENGTH},
};
use local::{BUCKET, Stack, TABLE};
use serde_json::{Value, json};
use storage::{poster::Posters, table::Table};
use tokio::sync::{Notify, RwLock};
use uuid::Uuid;

use crate::proxy::{self, Backend, Proxy, Running};

/// How long a call waits that is never answered. Other calls wait as long as on AWS.
const PATIENCE: Duration = Duration::from_secs(1);

/// How long the SDK waits before it tries again, at the most: on AWS, a second.
const BACKOFF: Duration = Duration::from_millis(1);

/// The header by which the tries of one call know each other.
const INVOCATION: &str = "amz-sdk-invocation-id";

/// The calls that the store tries again by itself, each at most one of a request.
const TRANSACTION: &str = "TransactWriteItems";
const BATCH: &str = "BatchGetItem";

const PUT: &str = "PutItem";

/// What goes wrong with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The connection is closed before the backend sees the call.
    ErrorBefore,
    /// The backend answers by an internal error, and does nothing.
    ErrorStatus,
    /// The backend does it, and the connection is closed instead of the answer.
    LostReply,
    /// The backend does it, and its answer breaks off; S3's answers to this service have no body to break.
    CutReply,
    /// The backend is too busy, and does nothing.
    Throttle,
    /// `DynamoDB` is too busy for one of several items: it cancels the transaction, or leaves out of
    /// its answer what it should read.
    ThrottledItem,
    /// The call never comes through, and is never answered.
    Timeout,
    /// The process that calls ends before the backend sees the call.
    KilledBefore,
    /// The process that calls ends when the backend has done it.
    KilledAfter,
}

/// How often it goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// Once: the next try of the call goes well.
    Once,
    /// With each try of the call; the calls after it go well.
    Call,
    /// With each try of the call and of all calls after it.
    Outage,
}

/// What goes wrong in a request.
#[derive(Clone, Debug)]
pub struct Injection {
    /// The kind of the call that it goes wrong with.
    pub kind: String,
    /// How many calls of that kind come before it. All tries of one call count as one, be they the
    /// SDK's or the store's.
    pub nth: usize,
    /// What goes wrong with it.
    pub fault: Fault,
    /// How often.
    pub strength: Strength,
}

/// What a function works on.
#[derive(Clone, Debug)]
pub struct Backends {
    /// The table of the service.
    pub table: Table,
    /// The posters of the service.
    pub posters: Posters,
}

/// A table and a bucket behind proxies that see every call of one request, and break one.
#[derive(Debug)]
pub struct Faults {
    backends: Backends,
    state: Arc<State>,
    _proxies: [Running; 2],
}

#[derive(Debug)]
struct State {
    injection: Option<Injection>,
    /// The calls so far, by invocation and name.
    calls: Mutex<Vec<(String, String)>>,
    /// Whether there still is a process that calls; read for as long as a call is under way.
    is_alive: RwLock<bool>,
    killed: Notify,
}

impl Fault {
    /// Every one of them.
    pub const ALL: [Self; 9] = [
        Self::ErrorBefore,
        Self::ErrorStatus,
        Self::LostReply,
        Self::CutReply,
        Self::Throttle,
        Self::ThrottledItem,
        Self::Timeout,
        Self::KilledBefore,
        Self::KilledAfter,
    ];

    /// Whether the backend does what it is called for.
    #[must_use]
    pub fn takes_effect(self) -> bool {
        matches!(self, Self::LostReply | Self::CutReply | Self::KilledAfter)
    }

    /// Whether nobody is left to answer.
    #[must_use]
    pub fn kills(self) -> bool {
        matches!(self, Self::KilledBefore | Self::KilledAfter)
    }

    /// How often it can go wrong: a process ends once.
    #[must_use]
    pub fn strengths(self) -> &'static [Strength] {
        if self.kills() { &[Strength::Once] } else { &[Strength::Once, Strength::Call, Strength::Outage] }
    }

    /// Whether a call of this kind can meet it.
    #[must_use]
    pub fn concerns(self, kind: &str) -> bool {
        match self {
            Self::ThrottledItem => [TRANSACTION, BATCH].contains(&kind),
            Self::CutReply => !is_of_s3(kind),
            _ => true,
        }
    }
}

/// The kind of the call of a name: the operation of DynamoDB, with what it puts, or the method of S3.
#[must_use]
pub fn kind(call: &str) -> &str {
    call.split(' ').next().unwrap_or(call)
}

/// Whether calls of a kind are made to S3.
#[must_use]
pub fn is_of_s3(kind: &str) -> bool {
    kind.chars().all(|letter| letter.is_ascii_uppercase())
}

impl Backends {
    /// The backends of this service, unbroken.
    #[must_use]
    pub fn of(stack: &Stack) -> Self {
        Self::with(stack.dynamodb(), stack.s3())
    }

    fn with(dynamodb: aws_sdk_dynamodb::Client, s3: aws_sdk_s3::Client) -> Self {
        Self { table: Table::new(dynamodb, TABLE.to_owned()), posters: Posters::new(s3, BUCKET.to_owned()) }
    }
}

impl Faults {
    /// The backends of this service, of which one call goes wrong; or none, to see which there are.
    pub async fn new(stack: &Stack, injection: Option<Injection>) -> Self {
        let is_timeout = injection.as_ref().is_some_and(|injection| injection.fault == Fault::Timeout);
        let state = Arc::new(State {
            injection,
            calls: Mutex::default(),
            is_alive: RwLock::new(true),
            killed: Notify::new(),
        });
        let dynamodb = proxy::run(stack.dynamodb_url(), Arc::clone(&state)).await;
        let s3 = proxy::run(stack.s3_url(), Arc::clone(&state)).await;

        // The tries that the SDK grants are shared by all clients of a process unless they are told not to.
        let partition = RetryPartition::new(Uuid::new_v4().to_string());
        let config = stack.dynamodb().config().clone();
        let retries = config.retry_config().cloned().unwrap_or_else(RetryConfig::standard);
        let retries = retries.with_initial_backoff(BACKOFF);
        let mut timeouts = TimeoutConfig::builder();
        if is_timeout {
            timeouts = timeouts.operation_attempt_timeout(PATIENCE);
        }
        let mut timeouts = timeouts.build();
        if let Some(defaults) = config.timeout_config() {
            timeouts.take_defaults_from(defaults);
        }

        let table = config
            .to_builder()
            .endpoint_url(&dynamodb.endpoint)
            .retry_partition(partition.clone())
            .retry_config(retries.clone())
            .timeout_config(timeouts.clone());
        let bucket = stack.s3().config().to_builder();
        let bucket = bucket
            .endpoint_url(&s3.endpoint)
            .retry_partition(partition)
            .retry_config(retries)
            .timeout_config(timeouts);
        let table = aws_sdk_dynamodb::Client::from_conf(table.build());
        let bucket = aws_sdk_s3::Client::from_conf(bucket.build());
        let backends = Backends::with(table, bucket);
        Self { backends, state, _proxies: [dynamodb, s3] }
    }

    /// What the function is to work on.
    #[must_use]
    pub fn backends(&self) -> &Backends {
        &self.backends
    }

    /// The calls so far, one after another: for DynamoDB the operation, with the kind of an item that
    /// it puts by itself, for S3 method and path.
    #[must_use]
    pub fn calls(&self) -> Vec<String> {
        self.state.calls().iter().map(|(_, name)| name.clone()).collect()
    }

    /// Carries out a request, unless its process is killed meanwhile.
    pub async fn unless_killed<T>(&self, request: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            answer = request => Some(answer),
            () = self.state.killed.notified() => None,
        }
    }
}

impl State {
    fn calls(&self) -> MutexGuard<'_, Vec<(String, String)>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a try of a call, and gives what goes wrong with it.
    fn fault(&self, call: &Request<Bytes>) -> Option<Fault> {
        let invocation = call.headers()[INVOCATION].to_str().expect("an id").to_owned();
        let name = name(call);
        let mut calls = self.calls();
        let is_known =
            |(id, of): &(_, _)| *id == invocation || ([TRANSACTION, BATCH].contains(&&*name) && *of == name);
        let known = calls.iter().position(is_known);
        let index = known.unwrap_or_else(|| {
            calls.push((invocation, name));
            calls.len() - 1
        });
        let Injection { kind: of, nth, fault, strength } = self.injection.as_ref()?;
        let mut alike = (0..calls.len()).filter(|&index| kind(&calls[index].1) == of);
        let broken = alike.nth(*nth)?;
        let strikes = match strength {
            Strength::Once => index == broken && known.is_none(),
            Strength::Call => index == broken,
            Strength::Outage => index >= broken,
        };
        strikes.then_some(*fault)
    }

    /// Ends the process that calls, once the calls under way are done: what they do to the backend is
    /// settled then, and nothing comes after it.
    async fn kill(&self) {
        *self.is_alive.write().await = false;
        self.killed.notify_one();
    }
}

/// A call in one word or two; puts of two kinds of items are two kinds of calls.
fn name(call: &Request<Bytes>) -> String {
    let name = proxy::name(call);
    if name != PUT {
        return name;
    }
    let put: Value = serde_json::from_slice(call.body()).expect("a request in JSON");
    format!("{name}({})", put["Item"]["sk"]["S"].as_str().expect("a sort key"))
}

impl Proxy for Arc<State> {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        let of_dynamodb = proxy::operation(&call).is_some();
        let fault = self.fault(&call);
        let is_alive = self.is_alive.read().await;
        if !*is_alive {
            return None;
        }
        match fault {
            None => Some(backend.forward(call).await),
            Some(Fault::ErrorBefore) => None,
            Some(Fault::ErrorStatus) if of_dynamodb => Some(internal_error_of_dynamodb()),
            Some(Fault::ErrorStatus) => Some(error_of_s3(StatusCode::INTERNAL_SERVER_ERROR, "InternalError")),
            Some(Fault::LostReply) => {
                backend.forward(call).await;
                None
            }
            Some(Fault::CutReply) => Some(cut(backend.forward(call).await)),
            Some(Fault::Throttle) if of_dynamodb => Some(throttled_by_dynamodb()),
            Some(Fault::Throttle) => Some(error_of_s3(StatusCode::SERVICE_UNAVAILABLE, "SlowDown")),
            Some(Fault::ThrottledItem) if proxy::name(&call) == BATCH => Some(unread_items(&call)),
            Some(Fault::ThrottledItem) => Some(throttled_item()),
            Some(Fault::Timeout) => pending().await,
            Some(Fault::KilledBefore) => {
                drop(is_alive);
                self.kill().await;
                pending().await
            }
            Some(Fault::KilledAfter) => {
                backend.forward(call).await;
                drop(is_alive);
                self.kill().await;
                pending().await
            }
        }
    }
}

/// An answer that ends before the length that it tells.
fn cut(answer: Response<Bytes>) -> Response<Bytes> {
    let (mut parts, body) = answer.into_parts();
    parts.headers.insert(CONTENT_LENGTH, body.len().into());
    Response::from_parts(parts, body.slice(..body.len() / 2))
}

fn internal_error_of_dynamodb() -> Response<Bytes> {
    const BODY: &str = r#"{
        "__type": "com.amazonaws.dynamodb.v20120810#InternalServerError",
        "message": "The request processing has failed because of an unknown error"
    }"#;
    error(StatusCode::INTERNAL_SERVER_ERROR, BODY.to_owned())
}

fn throttled_by_dynamodb() -> Response<Bytes> {
    const BODY: &str = r#"{
        "__type": "com.amazonaws.dynamodb.v20120810#ProvisionedThroughputExceededException",
        "message": "The level of configured provisioned throughput for the table was exceeded"
    }"#;
    error(StatusCode::BAD_REQUEST, BODY.to_owned())
}

fn unread_items(call: &Request<Bytes>) -> Response<Bytes> {
    let asked: Value = serde_json::from_slice(call.body()).expect("a request in JSON");
    let answer = json!({"Responses": {}, "UnprocessedKeys": asked["RequestItems"]});
    Response::new(answer.to_string().into())
}

fn throttled_item() -> Response<Bytes> {
    const BODY: &str = r#"{
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [ThrottlingError]",
        "CancellationReasons": [{"Code": "ThrottlingError", "Message": "Throughput exceeds the current capacity"}]
    }"#;
    error(StatusCode::BAD_REQUEST, BODY.to_owned())
}

fn error_of_s3(status: StatusCode, code: &str) -> Response<Bytes> {
    error(status, format!("<Error><Code>{code}</Code><Message>Please try again.</Message></Error>"))
}

fn error(status: StatusCode, body: String) -> Response<Bytes> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}
