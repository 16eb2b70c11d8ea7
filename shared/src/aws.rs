//! The connection to AWS.

use std::time::Duration;

use aws_config::{BehaviorVersion, SdkConfig, retry::RetryConfig, timeout::TimeoutConfig};
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};

use crate::domain::error::Cause;

/// The certificates that AWS endpoints chain to, as Amazon Trust Services
/// publishes them (<https://www.amazontrust.com/repository/>).
const AMAZON_ROOTS: &[u8] = include_bytes!("amazon-roots.pem");

/// Bounds on one call; template.yaml gives each function time for those that it makes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);
const CALL_TIMEOUT: Duration = Duration::from_secs(7);
const ATTEMPTS: u32 = 3;

/// Reads region, credentials and endpoints from the environment, as every AWS SDK does.
///
/// # Errors
///
/// Where the trusted certificates cannot be read.
pub async fn load() -> Result<SdkConfig, Cause> {
    let roots = TrustStore::empty().with_pem_certificate(AMAZON_ROOTS);
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).tls_context(tls).build_https();
    Ok(defaults().http_client(http).load().await)
}

/// The bounds on time and tries that every client has.
#[must_use]
pub fn defaults() -> aws_config::ConfigLoader {
    aws_config::defaults(BehaviorVersion::latest())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .operation_attempt_timeout(ATTEMPT_TIMEOUT)
                .operation_timeout(CALL_TIMEOUT)
                .build(),
        )
}
