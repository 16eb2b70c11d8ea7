//! Imitation of the Lambda Runtime API for one function.
//!
//! <https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html>

use std::{
    fmt, io,
    net::{Ipv4Addr, SocketAddr},
    sync::Arc,
    time::Instant,
};

use axum::{
    Router,
    body::Body,
    extract::{DefaultBodyLimit, State},
    response::Response,
    routing::{get, post},
};
use bytes::Bytes;
use tokio::{
    net::TcpListener,
    sync::{Mutex, mpsc},
    task::JoinHandle,
};
use uuid::Uuid;

/// Deadline of a request, in milliseconds. It is long enough for a process that callgrind slows down.
const TIMEOUT_MS: u64 = 600_000;

/// Runtime API of one function, for one request at a time.
#[derive(Debug)]
pub struct RuntimeApi {
    address: SocketAddr,
    events: mpsc::UnboundedSender<Bytes>,
    calls: mpsc::UnboundedReceiver<(Instant, Call)>,
    server: JoinHandle<io::Result<()>>,
}

/// Call of a function to the API.
#[derive(Debug)]
pub enum Call {
    /// Asks for the next request.
    Next,
    /// Sends a response.
    Response(Bytes),
    /// Reports a failure at its start or of a request.
    Error(Bytes),
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Next => f.write_str("a call for a request"),
            Self::Response(body) => write!(f, "the response {}", String::from_utf8_lossy(body)),
            Self::Error(body) => write!(f, "the failure {}", String::from_utf8_lossy(body)),
        }
    }
}

struct Shared {
    events: Mutex<mpsc::UnboundedReceiver<Bytes>>,
    calls: mpsc::UnboundedSender<(Instant, Call)>,
}

impl RuntimeApi {
    /// Listens at a free local port.
    ///
    /// # Errors
    ///
    /// Returns an error if no port is free.
    pub async fn start() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let (events, waiting) = mpsc::unbounded_channel();
        let (called, calls) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared { events: Mutex::new(waiting), calls: called });
        let router = Router::new()
            .route("/2018-06-01/runtime/invocation/next", get(next))
            .route("/2018-06-01/runtime/invocation/{id}/response", post(response))
            .route("/2018-06-01/runtime/invocation/{id}/error", post(error))
            .route("/2018-06-01/runtime/init/error", post(error))
            .layer(DefaultBodyLimit::disable())
            .with_state(shared);
        let server = tokio::spawn(async move { axum::serve(listener, router).await });
        Ok(Self { address, events, calls, server })
    }

    /// Returns the value of `AWS_LAMBDA_RUNTIME_API`.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Queues a request for the next call.
    pub fn send(&self, event: Bytes) {
        // Sending fails only after the server has stopped. No call comes then.
        drop(self.events.send(event));
    }

    /// Waits for the next call and returns its time, or `None` if the server has stopped.
    pub async fn next_call(&mut self) -> Option<(Instant, Call)> {
        self.calls.recv().await
    }
}

impl Drop for RuntimeApi {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn next(State(shared): State<Arc<Shared>>) -> Response {
    shared.record(Call::Next);
    let Some(event) = shared.events.lock().await.recv().await else {
        return accepted();
    };
    let mut response = Response::new(Body::from(event));
    let deadline = chrono::Utc::now().timestamp_millis().unsigned_abs() + TIMEOUT_MS;
    let headers = [
        ("content-type", "application/json".to_owned()),
        ("lambda-runtime-aws-request-id", Uuid::new_v4().to_string()),
        ("lambda-runtime-deadline-ms", deadline.to_string()),
        (
            "lambda-runtime-invoked-function-arn",
            "arn:aws:lambda:ap-northeast-2:123456789012:function:measured:live".to_owned(),
        ),
        ("lambda-runtime-trace-id", "Root=1-692cdb00-0a1b2c3d4e5f60718293a4b5;Sampled=0".to_owned()),
    ];
    for (name, value) in headers {
        if let Ok(value) = value.parse() {
            response.headers_mut().insert(name, value);
        }
    }
    response
}

async fn response(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    shared.record(Call::Response(body));
    accepted()
}

async fn error(State(shared): State<Arc<Shared>>, body: Bytes) -> Response {
    shared.record(Call::Error(body));
    accepted()
}

fn accepted() -> Response {
    let mut response = Response::new(Body::from(r#"{"status":"OK"}"#));
    *response.status_mut() = axum::http::StatusCode::ACCEPTED;
    response
}

impl Shared {
    fn record(&self, call: Call) {
        drop(self.calls.send((Instant::now(), call)));
    }
}
