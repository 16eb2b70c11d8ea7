//! HTTP server of the gateway and of the emulators.

use std::{net::SocketAddr, pin::pin, time::Duration};

use axum::{Router, body::Body, extract::ConnectInfo, serve::Listener};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use lambda_http::Service as _;
use tokio_io_timeout::TimeoutStream;
use tower_http::timeout::DeadlineBody;

/// Time limits for clients, so that a slow client cannot keep a connection.
#[derive(Clone, Copy, Debug)]
pub struct ClientTimeouts {
    /// Maximum time to send the head of a request, also counted while a connection waits for its next request.
    pub head: Duration,
    /// Maximum time to send the body of a request.
    pub body: Duration,
    /// Maximum time for which a client reads nothing of a response that is being sent.
    pub response: Duration,
}

impl Default for ClientTimeouts {
    /// Returns thirty seconds for each.
    fn default() -> Self {
        let limit = Duration::from_secs(30);
        Self { head: limit, body: limit, response: limit }
    }
}

/// Serves HTTP/1.1 until `stop` completes and all requests that are running then are done.
pub async fn serve(
    mut listener: impl Listener<Addr = SocketAddr>,
    router: Router,
    timeouts: ClientTimeouts,
    stop: impl Future<Output = ()>,
) {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(timeouts.head);
    let connections = GracefulShutdown::new();
    let mut stop = pin!(stop);
    loop {
        let (connection, client) = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let router = router.clone();
        let service = service_fn(move |request: Request<Incoming>| {
            router.clone().call(with_connection(request, client, timeouts))
        });
        let mut connection = Box::pin(TimeoutStream::new(connection));
        connection.as_mut().set_write_timeout_pinned(Some(timeouts.response));
        let connection = connections.watch(server.serve_connection(TokioIo::new(connection), service));
        tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::debug!(%error, "connection failed");
            }
        });
    }
    drop(listener);
    connections.shutdown().await;
}

/// Adds the address of the client and the time limit of the body to a request.
fn with_connection(request: Request<Incoming>, client: SocketAddr, timeouts: ClientTimeouts) -> Request<Body> {
    let mut request = request.map(|body| Body::new(DeadlineBody::new(timeouts.body, body)));
    request.extensions_mut().insert(ConnectInfo(client));
    request
}
