//! A proxy in front of a backend, which sees every call that is made over the wire.

use std::{convert::Infallible, io, sync::Arc};

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
use tokio::{net::TcpListener, task::JoinSet};

/// What a proxy does with the calls to its backend.
pub trait Proxy: Send + Sync + 'static {
    /// Answers a call, by handing it on to the backend or without it; with none, the connection
    /// is closed instead.
    fn answer(
        &self,
        backend: &Backend,
        call: Request<Bytes>,
    ) -> impl Future<Output = Option<Response<Bytes>>> + Send;
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

/// A proxy that runs until it is dropped.
#[derive(Debug)]
pub struct Running {
    /// Where it is called.
    pub endpoint: String,
    server: JoinSet<()>,
}

/// Starts a proxy before the server at this endpoint.
pub async fn run(endpoint: String, proxy: impl Proxy) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("its address");
    let state = Arc::new((Backend { endpoint, client: reqwest::Client::new() }, proxy));
    let mut server = JoinSet::new();
    server.spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            let state = Arc::clone(&state);
            let service = service_fn(move |call| answer(Arc::clone(&state), call));
            let connection = http1::Builder::new().serve_connection(TokioIo::new(connection), service);
            tokio::spawn(connection);
        }
    });
    Running { endpoint: format!("http://{address}"), server }
}

/// Starts a proxy before the server at this endpoint, and gives its own endpoint.
///
/// It runs as long as the runtime of the test.
pub async fn start(endpoint: String, proxy: impl Proxy) -> String {
    let mut running = run(endpoint, proxy).await;
    running.server.detach_all();
    running.endpoint
}

/// The operation of DynamoDB that a call asks for; none for a call to S3.
pub fn operation(call: &Request<Bytes>) -> Option<&str> {
    call.headers().get("x-amz-target")?.to_str().ok()?.rsplit('.').next()
}

/// A call in one word or two: for DynamoDB the operation, for S3 method and path.
pub fn name(call: &Request<Bytes>) -> String {
    let of_s3 = || format!("{} {}", call.method(), call.uri().path());
    operation(call).map_or_else(of_s3, ToOwned::to_owned)
}

async fn answer<P: Proxy>(
    state: Arc<(Backend, P)>,
    call: Request<Incoming>,
) -> Result<Response<impl Body<Data = Bytes, Error = Infallible>>, io::Error> {
    let (backend, proxy) = &*state;
    let (parts, body) = call.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    let answer = proxy.answer(backend, Request::from_parts(parts, body)).await;
    // The server closes a connection whose service fails.
    let answer = answer.ok_or(io::ErrorKind::ConnectionAborted)?;
    // Mapped, a body has no length but that in the header, which a proxy may have made another.
    Ok(answer.map(|body| Full::new(body).map_frame(|frame| frame)))
}
