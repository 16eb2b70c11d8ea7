//! Delivery of changes to a receiver.

use std::time::Duration;

use aws::https::connector;
use bytes::Bytes;
use domain::error::Cause;
use http::{Request, header::CONTENT_TYPE};
use http_body_util::Full;
use hyper_rustls::HttpsConnector;
use hyper_util::{
    client::legacy::{Client, connect::HttpConnector},
    rt::TokioExecutor,
};
use rustls::RootCertStore;
use tokio::time::{sleep, timeout};

use crate::changes::{ChangeLog, LoggedChange, Receiver};

/// Maximum time until a receiver responds.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(10);

/// Delays before the first and before the last retries; each one doubles.
const DELAYS: [Duration; 2] = [Duration::from_secs(1), Duration::from_mins(1)];

const MEDIA_TYPE: &str = "application/cloudevents+json";
const KEY: &str = "x-api-key";

type HttpClient = Client<HttpsConnector<HttpConnector>, Full<Bytes>>;

/// Posts each change to a receiver, one after the other, for ever.
///
/// A change is delivered once the receiver responds with a status of 2xx. Redirects are not followed.
///
/// # Errors
///
/// Returns an error if TLS cannot be configured.
pub fn deliver(log: ChangeLog, receiver: Receiver) -> Result<impl Future<Output = ()>, Cause> {
    let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let client = Client::builder(TokioExecutor::new()).build(connector(roots)?);
    Ok(async move {
        let mut delay = DELAYS[0];
        loop {
            match next(&log, &client, &receiver).await {
                Ok(()) => delay = DELAYS[0],
                Err(error) => {
                    tracing::warn!(error, retry_seconds = delay.as_secs(), "a change was not delivered");
                    sleep(delay).await;
                    delay = DELAYS[1].min(2 * delay);
                }
            }
        }
    })
}

/// Posts the next change, or waits for one.
async fn next(log: &ChangeLog, client: &HttpClient, receiver: &Receiver) -> Result<(), Cause> {
    let Some(change) = log.first_pending()? else {
        log.0.arrived.notified().await;
        return Ok(());
    };
    post(client, receiver, &change).await?;
    log.delivered(&change)
}

async fn post(client: &HttpClient, receiver: &Receiver, change: &LoggedChange) -> Result<(), Cause> {
    let mut request = Request::post(&receiver.url).header(CONTENT_TYPE, MEDIA_TYPE);
    if let Some(key) = &receiver.key {
        request = request.header(KEY, key);
    }
    let response = client.request(request.body(change.event.clone().into())?);
    let status = timeout(RESPONSE_TIMEOUT, response).await.map_err(|_| "no response in time")??.status();
    if status.is_success() { Ok(()) } else { Err(format!("the receiver responded with {status}").into()) }
}
