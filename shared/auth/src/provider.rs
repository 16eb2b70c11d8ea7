//! HTTP client for the documents of an issuer.

use std::time::Duration;

use aws::https::connector;
use bytes::Bytes;
use http::{Request, StatusCode, Uri, header::ACCEPT};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector as TcpConnector},
    rt::TokioExecutor,
};
use rustls::RootCertStore;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::time::timeout;

use crate::{
    keys::{self, KeysById},
    url::IssuerUrl,
};
use domain::error::Cause;

/// Maximum time for each of the two documents; the timeout in template.yaml allows for both.
const TIMEOUT: Duration = Duration::from_secs(3);

/// Maximum size of a document, in bytes; those of large providers have 20,000.
const MAX_DOCUMENT: usize = 256 * 1024;

/// HTTP client for an issuer.
#[derive(Debug)]
pub struct Provider(Client<HttpsConnector<TcpConnector>, Empty<Bytes>>);

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl Provider {
    /// Builds a client that trusts the public certificate authorities, like browsers.
    ///
    /// Amazon's root certificates are not enough, because an issuer may be anywhere.
    pub fn new() -> Result<Self, Cause> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Ok(Self(Client::builder(TokioExecutor::new()).build(connector(roots)?)))
    }

    /// Fetches the discovery document of the issuer, and then its keys.
    pub async fn keys(&self, issuer: &IssuerUrl) -> Result<KeysById, Cause> {
        let discovery: Discovery = self.document(issuer.discovery()).await?;
        if discovery.issuer != issuer.as_str() {
            return Err(format!("the discovery document names another issuer: {}", discovery.issuer).into());
        }
        let uri = discovery.jwks_uri.parse()?;
        if !issuer.allows_keys_at(&uri) {
            return Err(format!("the URL of the keys is not safe: {uri}").into());
        }
        keys::usable_keys(self.document(&uri).await?)
    }

    /// Fetches a JSON document; redirects are not followed.
    async fn document<T: DeserializeOwned>(&self, uri: &Uri) -> Result<T, Cause> {
        let fetching = async {
            let request = Request::get(uri).header(ACCEPT, "application/json").body(Empty::new())?;
            let response = self.0.request(request).await?;
            if response.status() != StatusCode::OK {
                return Err(format!("{uri} returned {}", response.status()).into());
            }
            Ok::<_, Cause>(Limited::new(response.into_body(), MAX_DOCUMENT).collect().await?.to_bytes())
        };
        let body = timeout(TIMEOUT, fetching).await.map_err(|_| format!("{uri} timed out"))??;
        serde_json::from_slice(&body).map_err(|error| format!("{uri} is invalid: {error}").into())
    }
}
