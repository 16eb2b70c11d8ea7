//! The HTTP client of the SDK: hyper with HTTP/1.1 and rustls.
//!
//! The SDK's own client adds HTTP/2, which AWS does not speak, and proxies, which Lambda does not need: a tenth of
//! a function's size, and a fifth of its start.

use crate::https::connector;
use aws_smithy_runtime_api::client::{
    connection::{CaptureSmithyConnection, ConnectionMetadata},
    http::{HttpClient, HttpConnector, HttpConnectorFuture, HttpConnectorSettings, SharedHttpConnector},
    orchestrator::{HttpRequest, HttpResponse},
    result::ConnectorError,
    runtime_components::RuntimeComponents,
};
use aws_smithy_types::body::SdkBody;
use http_body_util::BodyExt as _;
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{
        Client,
        connect::{CaptureConnection, HttpConnector as TcpConnector, capture_connection},
    },
    rt::TokioExecutor,
};
use rustls::RootCertStore;

use crate::BoxError;

/// An HTTP client; its clones share the open connections.
#[derive(Clone, Debug)]
pub struct Http(Client<HttpsConnector<TcpConnector>, SdkBody>);

impl Http {
    /// Builds a client that trusts these root certificates.
    ///
    /// # Errors
    ///
    /// Returns an error if TLS cannot be configured.
    pub fn new(roots: RootCertStore) -> Result<Self, rustls::Error> {
        Ok(Self(Client::builder(TokioExecutor::new()).build(connector(roots)?)))
    }

    /// Opens a connection for later requests with a request whose response is ignored.
    ///
    /// # Errors
    ///
    /// Returns an error if the connection cannot be opened.
    pub(super) async fn open(&self, url: http::Uri) -> Result<(), BoxError> {
        let request = http::Request::get(url).body(SdkBody::empty())?;
        self.0.request(request).await?.into_body().collect().await?;
        Ok(())
    }
}

impl HttpClient for Http {
    fn http_connector(&self, _: &HttpConnectorSettings, _: &RuntimeComponents) -> SharedHttpConnector {
        SharedHttpConnector::new(self.clone())
    }
}

impl HttpConnector for Http {
    fn call(&self, request: HttpRequest) -> HttpConnectorFuture {
        let mut request = match request.try_into_http1x() {
            Ok(request) => request,
            Err(error) => return HttpConnectorFuture::ready(Err(ConnectorError::user(error.into()))),
        };
        let connection = capture_connection(&mut request);
        if let Some(capture) = request.extensions().get::<CaptureSmithyConnection>() {
            capture.set_connection_retriever(move || metadata(&connection));
        }
        let sending = self.0.request(request);
        HttpConnectorFuture::new(async move {
            // The SDK retries after all errors of the connection, including timeouts and truncated responses.
            let response = sending.await.map_err(|error| ConnectorError::io(error.into()))?;
            let response = response.map(SdkBody::from_body_1_x);
            HttpResponse::try_from(response).map_err(|error| ConnectorError::other(error.into(), None))
        })
    }
}

/// Builds the metadata by which the SDK closes a connection that failed.
fn metadata(connection: &CaptureConnection) -> Option<ConnectionMetadata> {
    connection.connection_metadata().as_ref()?;
    let connection = connection.clone();
    let poison = move || {
        if let Some(connected) = connection.connection_metadata().as_ref() {
            connected.poison();
        }
    };
    Some(ConnectionMetadata::builder().proxied(false).poison_fn(poison).build())
}
