//! Rules of a proxy: the calls that fail, and their faults.

use std::sync::{Arc, Mutex};

use axum::{
    body::Bytes,
    http::{HeaderValue, Request, Response, StatusCode, header::CONTENT_LENGTH},
};
use serde_json::{Value, json};
use tokio::sync::oneshot::{Receiver, Sender};

/// Calls that the store itself retries; a request makes at most one of each.
pub(crate) const RETRIED_BY_STORE: [&str; 2] = [TRANSACTION, BATCH];
/// Name of a transaction.
pub const TRANSACTION: &str = "TransactWriteItems";
const BATCH: &str = "BatchGetItem";

/// Fault of some calls.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Name of the calls, or their operation.
    pub call: String,
    /// Number of such calls before the first one that fails. All tries of a call count as one,
    /// whether the SDK or the store retries.
    pub nth: usize,
    /// Tries and calls that fail, beginning with that call.
    pub extent: Extent,
    /// Fault that the rule injects.
    pub fault: Fault,
}

/// Tries and calls that a rule applies to.
#[derive(Clone, Debug)]
pub enum Extent {
    /// First tries of the call; the next one succeeds.
    Tries(usize),
    /// All tries of the call; the next calls succeed.
    Call,
    /// All tries of the call and of all such calls after it.
    Kind,
    /// All calls except those with these names, so that calls which an operation makes earlier succeed.
    AllBut(Vec<String>),
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
    /// The backend carries the call out, and its response is truncated.
    CutResponse,
    /// The backend throttles the call, and does nothing.
    Throttled,
    /// `DynamoDB` throttles one of several items: it cancels the transaction, or omits items of a batch
    /// from its response.
    ThrottledItem,
    /// Another transaction holds the item, of a transaction that of the write with this index.
    Conflict(usize),
    /// The call is neither carried out nor responded to.
    NoResponse,
    /// The call waits before the backend receives it.
    Gated(Gate),
    /// The backend receives a changed request.
    Rewritten(fn(&mut Value)),
}

/// Gate at which a call says that it has come, and waits until it may pass.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Mutex<Option<Ends>>>);

/// Sender that the call has come, and receiver that it may pass.
type Ends = (Sender<()>, Receiver<()>);

impl Rule {
    /// Creates a rule that begins with the first call of its name or operation.
    #[must_use]
    pub fn new(call: &str, extent: Extent, fault: Fault) -> Self {
        Self { call: call.to_owned(), nth: 0, extent, fault }
    }

    /// Returns true if the rule applies to the last try of a call, given the names of all calls before it.
    pub(crate) fn applies_to(&self, name: &str, try_number: usize, before: &[&str]) -> bool {
        let is_such = |name: &&&str| **name == self.call || operation_of(name) == self.call;
        let ordinal = before.iter().filter(is_such).count();
        match &self.extent {
            Extent::AllBut(others) => {
                let count = |names: &mut dyn Iterator<Item = &str>| names.filter(|other| *other == name).count();
                count(&mut before.iter().copied()) >= count(&mut others.iter().map(String::as_str))
            }
            _ if !is_such(&&name) => false,
            Extent::Tries(tries) => ordinal == self.nth && try_number <= *tries,
            Extent::Call => ordinal == self.nth,
            Extent::Kind => ordinal >= self.nth,
        }
    }
}

impl Fault {
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
            (Self::Throttled, None) if is_mail(call) => ses_throttling(),
            (Self::Throttled, None) => s3_error(StatusCode::SERVICE_UNAVAILABLE, "SlowDown"),
            (Self::ThrottledItem, Some(BATCH)) => {
                let unread = json!({"Responses": {}, "UnprocessedKeys": json(call.body())["RequestItems"]});
                Response::new(unread.to_string().into())
            }
            (Self::ThrottledItem, _) => cancelled(&[0], "ThrottlingError"),
            (Self::Conflict(write), operation) => conflict(operation == Some(TRANSACTION), &[*write]),
            _ => return None,
        })
    }
}

impl Gate {
    pub(crate) fn new(reached: Sender<()>, opened: Receiver<()>) -> Self {
        Self(Arc::new(Mutex::new(Some((reached, opened)))))
    }

    /// Waits until the gate is open; only the first call does.
    pub(crate) async fn pass(&self) {
        let ends = self.0.lock().expect("lock of the gate").take();
        if let Some((reached, opened)) = ends {
            let _ = reached.send(());
            let _ = opened.await;
        }
    }
}

/// Returns the operation of a call to DynamoDB, or `None` for a call to S3 or SES.
pub(crate) fn operation(call: &Request<Bytes>) -> Option<&str> {
    call.headers().get("x-amz-target")?.to_str().ok()?.rsplit('.').next()
}

/// Returns true for a call to SES.
pub(crate) fn is_mail(call: &Request<Bytes>) -> bool {
    call.uri().path() == "/v2/email/outbound-emails"
}

/// Returns the operation in the name of a call.
fn operation_of(name: &str) -> &str {
    name.split(' ').next().unwrap_or(name)
}

/// Returns the name of a call, for example `GetItem EVENT`, `Query listing`, `TransactWriteItems`, `SendEmail` or `PUT
/// poster`.
pub(crate) fn name(call: &Request<Bytes>) -> String {
    if is_mail(call) {
        return "SendEmail".to_owned();
    }
    let Some(operation) = operation(call) else { return format!("{} poster", call.method()) };
    let body = json(call.body());
    let kind = ["/Key/sk/S", "/Item/sk/S", "/IndexName"]
        .iter()
        .find_map(|pointer| body.pointer(pointer)?.as_str()?.split('#').next());
    kind.map_or_else(|| operation.to_owned(), |kind| format!("{operation} {kind}"))
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

/// Builds the response to a call while another transaction has its items; for a transaction those of these writes.
pub(crate) fn conflict(is_transaction: bool, writes: &[usize]) -> Response<Bytes> {
    if is_transaction {
        cancelled(writes, "TransactionConflict")
    } else {
        dynamodb_error(StatusCode::BAD_REQUEST, "TransactionConflictException")
    }
}

/// Builds the response to a transaction that is cancelled because of some writes.
fn cancelled(writes: &[usize], reason: &str) -> Response<Bytes> {
    let mut reasons = vec![json!({"Code": "None"}); writes.iter().max().map_or(0, |last| last + 1)];
    for write in writes {
        reasons[*write] = json!({"Code": reason, "Message": "Please try again."});
    }
    let body = json!({
        "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
        "Message": format!(
            "Transaction cancelled, please refer cancellation reasons for specific reasons [{reason}]"
        ),
        "CancellationReasons": reasons,
    });
    error(StatusCode::BAD_REQUEST, body.to_string())
}

fn dynamodb_error(status: StatusCode, code: &str) -> Response<Bytes> {
    let code = format!("com.amazonaws.dynamodb.v20120810#{code}");
    error(status, json!({"__type": code, "message": "Please try again."}).to_string())
}

/// Builds the response of SES beyond the rate of the account.
fn ses_throttling() -> Response<Bytes> {
    let mut response =
        error(StatusCode::TOO_MANY_REQUESTS, json!({"message": "Maximum sending rate exceeded."}).to_string());
    response.headers_mut().insert("x-amzn-ErrorType", HeaderValue::from_static("TooManyRequestsException"));
    response
}

fn s3_error(status: StatusCode, code: &str) -> Response<Bytes> {
    error(status, format!("<Error><Code>{code}</Code><Message>Please try again.</Message></Error>"))
}

fn error(status: StatusCode, body: String) -> Response<Bytes> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    response
}
