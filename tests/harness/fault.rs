//! Rules of a proxy: the calls that fail, and their faults.

use std::{fmt, pin::Pin, sync::Arc};

use axum::{
    body::Bytes,
    http::{Request, Response, StatusCode, header::CONTENT_LENGTH},
};
use serde_json::{Value, json};

/// Calls that the store itself retries; a request makes at most one of each.
pub const RETRIED_BY_STORE: [&str; 2] = [TRANSACTION, BATCH];
const TRANSACTION: &str = "TransactWriteItems";
const BATCH: &str = "BatchGetItem";
const PUT: &str = "PutItem";

/// Fault of some calls.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Kind of the calls.
    pub kind: String,
    /// Number of calls of this kind before the first one that fails. All tries of a call count as one,
    /// whether the SDK or the store retries.
    pub nth: usize,
    /// Tries and calls that fail, beginning with that call.
    pub extent: Extent,
    /// Fault that the rule injects.
    pub fault: Fault,
}

/// Tries and calls that a rule applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// First tries of the call; the next one succeeds.
    Tries(usize),
    /// All tries of the call; the next calls succeed.
    Call,
    /// All tries of the call and of all calls of its kind after it.
    Kind,
    /// All tries of the call and of all calls after it.
    Outage,
}

/// Deviation of a backend from its normal behaviour.
#[derive(Clone, Debug)]
pub enum Fault {
    /// The connection is closed before the backend receives the call.
    ConnectionError,
    /// The backend responds with an internal error, and does nothing.
    InternalError,
    /// The backend carries the call out, and the connection is closed instead of the response.
    LostResponse,
    /// The backend carries the call out, and its response is truncated. Responses of S3 to this service
    /// have no body.
    CutResponse,
    /// The backend throttles the call, and does nothing.
    Throttled,
    /// `DynamoDB` throttles one of several items: it cancels the transaction, or omits items of a batch
    /// from its response.
    ThrottledItem,
    /// Another transaction holds one of the items.
    Conflict,
    /// The call is neither carried out nor responded to.
    NoResponse,
    /// The calling process ends before the backend receives the call.
    KilledBefore,
    /// The calling process ends when the backend has carried the call out.
    KilledAfter,
    /// An action runs before the backend receives the call.
    Interleaved(Action),
    /// The backend receives a changed request.
    Rewritten(fn(&mut Value)),
    /// The backend returns its last response to a request with the same content.
    Stale,
}

/// Action that runs before a call.
#[derive(Clone)]
pub struct Action(Arc<dyn Fn() -> Pin<Box<dyn Future<Output = ()> + Send>> + Send + Sync>);

impl Rule {
    /// Creates a rule that begins with the first call of its kind.
    #[must_use]
    pub fn new(kind: &str, extent: Extent, fault: Fault) -> Self {
        Self { kind: kind.to_owned(), nth: 0, extent, fault }
    }

    /// Creates a rule that cancels the first tries of a transaction with a conflict.
    #[must_use]
    pub fn conflicts(tries: usize) -> Self {
        Self::new(TRANSACTION, Extent::Tries(tries), Fault::Conflict)
    }

    /// Creates a rule that runs an action before each try of a transaction.
    pub fn interleaved<F>(action: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self::new(TRANSACTION, Extent::Kind, Fault::Interleaved(Action::new(action)))
    }
}

impl Extent {
    /// First try of the call.
    pub const ONCE: Self = Self::Tries(1);

    /// Returns true if it includes this try of a call, so many calls after the first failing one.
    pub(crate) fn includes(self, try_number: usize, calls_after: usize, is_of_kind: bool) -> bool {
        match self {
            Self::Tries(tries) => calls_after == 0 && try_number <= tries,
            Self::Call => calls_after == 0,
            Self::Kind => is_of_kind,
            Self::Outage => true,
        }
    }
}

impl Fault {
    /// Faults that any call to AWS may have.
    pub const ALL: [Self; 9] = [
        Self::ConnectionError,
        Self::InternalError,
        Self::LostResponse,
        Self::CutResponse,
        Self::Throttled,
        Self::ThrottledItem,
        Self::NoResponse,
        Self::KilledBefore,
        Self::KilledAfter,
    ];

    /// Returns true if the backend carries the call out.
    #[must_use]
    pub fn takes_effect(&self) -> bool {
        matches!(self, Self::LostResponse | Self::CutResponse | Self::KilledAfter)
    }

    /// Returns true if the calling process ends.
    #[must_use]
    pub fn kills(&self) -> bool {
        matches!(self, Self::KilledBefore | Self::KilledAfter)
    }

    /// Returns the possible extents; a process ends only once.
    #[must_use]
    pub fn extents(&self) -> &'static [Extent] {
        if self.kills() { &[Extent::ONCE] } else { &[Extent::ONCE, Extent::Call, Extent::Outage] }
    }

    /// Returns true if calls of this kind can have this fault.
    #[must_use]
    pub fn applies_to(&self, kind: &str) -> bool {
        match self {
            Self::ThrottledItem => RETRIED_BY_STORE.contains(&kind),
            Self::CutResponse => !is_s3(kind),
            _ => true,
        }
    }

    /// Builds the error of a backend that does not carry the call out.
    ///
    /// Returns `None` if it does, or does not respond.
    pub(crate) fn error(&self, call: &Request<Bytes>) -> Option<Response<Bytes>> {
        Some(match (self, operation(call)) {
            (Self::InternalError, Some(_)) => dynamodb_error(StatusCode::INTERNAL_SERVER_ERROR, "InternalServerError"),
            (Self::InternalError, None) => s3_error(StatusCode::INTERNAL_SERVER_ERROR, "InternalError"),
            (Self::Throttled, Some(_)) => {
                dynamodb_error(StatusCode::BAD_REQUEST, "ProvisionedThroughputExceededException")
            }
            (Self::Throttled, None) => s3_error(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"),
            (Self::ThrottledItem, Some(BATCH)) => unprocessed_keys(call),
            (Self::ThrottledItem, _) => cancelled("ThrottlingError"),
            (Self::Conflict, Some(TRANSACTION)) => cancelled("TransactionConflict"),
            (Self::Conflict, _) => dynamodb_error(StatusCode::BAD_REQUEST, "TransactionConflictException"),
            _ => return None,
        })
    }
}

impl fmt::Debug for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action")
    }
}

impl Action {
    /// Creates an action, which may run several times.
    pub fn new<F>(action: impl Fn() -> F + Send + Sync + 'static) -> Self
    where
        F: Future<Output = ()> + Send + 'static,
    {
        Self(Arc::new(move || Box::pin(action())))
    }

    /// Runs the action.
    pub(crate) async fn run(&self) {
        (self.0)().await;
    }
}

/// Returns the operation of a call to DynamoDB, or `None` for a call to S3.
pub(crate) fn operation(call: &Request<Bytes>) -> Option<&str> {
    call.headers().get("x-amz-target")?.to_str().ok()?.rsplit('.').next()
}

/// Returns the name of a call: the operation of DynamoDB, or method and path of S3.
///
/// The name of a put includes the kind of its item.
pub(crate) fn name(call: &Request<Bytes>) -> String {
    match operation(call) {
        None => format!("{} {}", call.method(), call.uri().path()),
        Some(PUT) => {
            let put = json(call.body());
            format!("{PUT}({})", put["Item"]["sk"]["S"].as_str().expect("sort key"))
        }
        Some(operation) => operation.to_owned(),
    }
}

/// Returns the kind of a call: its name without the path of S3.
#[must_use]
pub fn kind(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

/// Returns true if calls of this kind go to S3.
#[must_use]
pub fn is_s3(kind: &str) -> bool {
    kind.chars().all(|letter| letter.is_ascii_uppercase())
}

/// Parses a request or response of DynamoDB.
pub(crate) fn json(body: &[u8]) -> Value {
    serde_json::from_slice(body).expect("JSON body")
}

/// Truncates a response to half of its declared length.
pub(crate) fn cut(response: Response<Bytes>) -> Response<Bytes> {
    let (mut parts, body) = response.into_parts();
    parts.headers.insert(CONTENT_LENGTH, body.len().into());
    Response::from_parts(parts, body.slice(..body.len() / 2))
}

fn unprocessed_keys(call: &Request<Bytes>) -> Response<Bytes> {
    let response = json!({"Responses": {}, "UnprocessedKeys": json(call.body())["RequestItems"]});
    Response::new(response.to_string().into())
}

fn cancelled(reason: &str) -> Response<Bytes> {
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{reason}]"
        ),
        "CancellationReasons": [{"Code": reason, "Message": "Please try again."}],
    });
    error(StatusCode::BAD_REQUEST, body.to_string())
}

fn dynamodb_error(status: StatusCode, code: &str) -> Response<Bytes> {
    let code = format!("com.amazonaws.dynamodb.v20120810#{code}");
    error(status, json!({"__type": code, "message": "Please try again."}).to_string())
}

fn s3_error(status: StatusCode, code: &str) -> Response<Bytes> {
    error(status, format!("<Error><Code>{code}</Code><Message>Please try again.</Message></Error>"))
}

fn error(status: StatusCode, body: String) -> Response<Bytes> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}
