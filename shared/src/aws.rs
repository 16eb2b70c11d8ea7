//! The connection to AWS.

use std::time::Duration;

use aws_config::{
    BehaviorVersion, SdkConfig, environment::EnvironmentVariableCredentialsProvider, retry::RetryConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::config::{IdentityCache, SharedCredentialsProvider};
use aws_smithy_async::{rt::sleep::TokioSleep, time::SystemTimeSource};
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use aws_types::{
    sdk_config::Builder as SdkConfigBuilder,
    service_config::{LoadServiceConfig, ServiceConfigKey},
};

use crate::{config::Config, domain::error::Cause};

/// The certificates that AWS endpoints chain to, as Amazon Trust Services
/// publishes them (<https://www.amazontrust.com/repository/>).
const AMAZON_ROOTS: &[u8] = include_bytes!("amazon-roots.pem");

/// Bounds on one call; template.yaml gives each function time for those that it makes.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);
const CALL_TIMEOUT: Duration = Duration::from_secs(7);
const ATTEMPTS: u32 = 3;

/// Connects with the region, the credentials and the endpoints that Lambda, or
/// whoever stands in for it, sets in the environment.
///
/// These are looked for nowhere else: the SDK's own search, through files and
/// over the network, is half of a function's size and most of its start.
///
/// # Errors
///
/// Where there is no region, or the trusted certificates cannot be read.
pub fn connect(config: Config) -> Result<SdkConfig, Cause> {
    let roots = TrustStore::empty().with_pem_certificate(AMAZON_ROOTS);
    let tls = TlsContext::builder().with_trust_store(roots).build()?;
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).tls_context(tls).build_https();
    let credentials = EnvironmentVariableCredentialsProvider::new();
    Ok(defaults()
        .region(config.region()?)
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .service_config(Endpoints(config))
        .http_client(http)
        .build())
}

/// The bounds on time and tries that every client has.
#[must_use]
pub fn defaults() -> SdkConfigBuilder {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .identity_cache(IdentityCache::lazy().build())
        .sleep_impl(TokioSleep::new())
        .time_source(SystemTimeSource::new())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .timeout_config(
            TimeoutConfig::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .operation_attempt_timeout(ATTEMPT_TIMEOUT)
                .operation_timeout(CALL_TIMEOUT)
                .build(),
        )
}

/// The settings of single services, such as `AWS_ENDPOINT_URL_DYNAMODB`.
#[derive(Debug)]
struct Endpoints(Config);

impl LoadServiceConfig for Endpoints {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        self.0.of_service(key.env(), key.service_id())
    }
}
