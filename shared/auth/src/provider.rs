//! What an issuer tells of itself over HTTP.

use std::time::Duration;

use bytes::Bytes;
use http::{Request, StatusCode, Uri, header::ACCEPT};
use http_body_util::{BodyExt as _, Empty, Limited};
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector as TcpConnector},
    rt::TokioExecutor,
};
use runtime::https::connector;
use rustls::RootCertStore;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::time::timeout;

use crate::{
    keys::{self, KeysById},
    url::IssuerUrl,
};
use domain::error::Cause;

/// How long each of the two documents may take; template.yaml gives the function time for both.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The most bytes of a document; those of large providers have twenty thousand.
const MAX_DOCUMENT: usize = 256 * 1024;

/// The server of an issuer.
#[derive(Debug)]
pub struct Provider(Client<HttpsConnector<TcpConnector>, Empty<Bytes>>);

#[derive(Deserialize)]
struct Discovery {
    issuer: String,
    jwks_uri: String,
}

impl Provider {
    /// A client of servers whose certificates the public authorities vouch for, as browsers have them:
    /// an issuer may be anywhere, and Amazon's own certificates are those of AWS.
    pub fn new() -> Result<Self, Cause> {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        Ok(Self(Client::builder(TokioExecutor::new()).build(connector(roots)?)))
    }

    /// The keys of the issuer, as its discovery document leads to them.
    pub async fn keys(&self, issuer: &IssuerUrl) -> Result<KeysById, Cause> {
        let found: Discovery = self.document(issuer.discovery()).await?;
        if found.issuer != issuer.as_str() {
            return Err(format!("the issuer calls itself {}", found.issuer).into());
        }
        let uri = found.jwks_uri.parse()?;
        if !issuer.may_lead_to(&uri) {
            return Err(format!("the issuer's keys are at {uri}, which is not safe").into());
        }
        keys::usable(self.document(&uri).await?)
    }

    /// A document in JSON. Redirections are not followed.
    async fn document<T: DeserializeOwned>(&self, uri: &Uri) -> Result<T, Cause> {
        let fetching = async {
            let request = Request::get(uri).header(ACCEPT, "application/json").body(Empty::new())?;
            let answer = self.0.request(request).await?;
            if answer.status() != StatusCode::OK {
                return Err(format!("{uri} answers {}", answer.status()).into());
            }
            Ok::<_, Cause>(Limited::new(answer.into_body(), MAX_DOCUMENT).collect().await?.to_bytes())
        };
        let body = timeout(TIMEOUT, fetching).await.map_err(|_| format!("{uri} does not answer"))??;
        serde_json::from_slice(&body).map_err(|error| format!("{uri} is unreadable: {error}").into())
    }
}
