//! HTTPS connections: hyper with HTTP/1.1 and rustls.

use std::{sync::Arc, time::Duration};

use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use rustls::{ClientConfig, RootCertStore, crypto::ring};

/// Maximum time to establish a TCP connection over all addresses of a host: enough for one lost
/// packet, which Linux sends again after one second.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);

/// Builds a connector to servers that have one of these root certificates, or no TLS.
///
/// # Errors
///
/// Returns an error if TLS cannot be configured.
pub fn connector(roots: RootCertStore) -> Result<HttpsConnector<HttpConnector>, rustls::Error> {
    let tls = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_root_certificates(roots)
        .with_no_client_auth();
    let mut tcp = HttpConnector::new();
    tcp.enforce_http(false);
    tcp.set_nodelay(true);
    tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
    Ok(HttpsConnectorBuilder::new().with_tls_config(tls).https_or_http().enable_http1().wrap_connector(tcp))
}
