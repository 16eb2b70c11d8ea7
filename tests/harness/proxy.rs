//! A proxy in front of a backend, which sees every call that is made over the wire.

use std::sync::Arc;

use axum::{
    Router,
    body::Bytes,
    extract::{DefaultBodyLimit, State},
    http::{
        Request, Response,
        header::{CONTENT_LENGTH, TRANSFER_ENCODING},
        request::Parts,
    },
};

/// What a proxy does with the calls to its backend.
pub trait Proxy: Send + Sync + 'static {
    /// Answers a call, by handing it on to the backend or without it.
    fn answer(&self, backend: &Backend, call: Request<Bytes>)
    -> impl Future<Output = Response<Bytes>> + Send;
}

/// The server behind a proxy.
#[derive(Debug)]
pub struct Backend {
    endpoint: String,
    client: reqwest::Client,
}

impl Backend {
    /// Hands a call on, with the headers that it came with, `Host` included since it is signed.
    pub async fn forward(&self, call: Request<Bytes>) -> Response<Bytes> {
        let (mut call, body) = call.into_parts();
        // The body may be another by now.
        call.headers.remove(CONTENT_LENGTH);
        let url = format!("{}{}", self.endpoint, call.uri);
        let request = self.client.request(call.method, url).headers(call.headers).body(body);
        let mut received = request.send().await.expect("an answer of the backend");
        let mut answer = Response::new(Bytes::new());
        *answer.status_mut() = received.status();
        *answer.headers_mut() = std::mem::take(received.headers_mut());
        // The body goes on in one piece.
        answer.headers_mut().remove(TRANSFER_ENCODING);
        *answer.body_mut() = received.bytes().await.expect("a whole answer");
        answer
    }
}

/// Starts a proxy before the server at this endpoint, and gives its own endpoint.
///
/// It runs as long as the runtime of the test.
pub async fn start(endpoint: String, proxy: impl Proxy) -> String {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    let state = Arc::new((Backend { endpoint, client: reqwest::Client::new() }, proxy));
    let router = Router::new().fallback(answer).layer(DefaultBodyLimit::disable()).with_state(state);
    tokio::spawn(async move { axum::serve(listener, router).await });
    format!("http://{address}")
}

/// The operation of DynamoDB that a call asks for; none for a call to S3.
pub fn operation(call: &Request<Bytes>) -> Option<&str> {
    call.headers().get("x-amz-target")?.to_str().ok()?.rsplit('.').next()
}

async fn answer<P: Proxy>(
    State(state): State<Arc<(Backend, P)>>,
    parts: Parts,
    body: Bytes,
) -> Response<axum::body::Body> {
    let (backend, proxy) = &*state;
    proxy.answer(backend, Request::from_parts(parts, body)).await.map(Into::into)
}
