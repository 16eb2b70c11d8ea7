//! Clients of AWS services.

use std::{path::Path, time::Duration};

use crate::config::Config;
use ::http::Uri;
use aws_config::{
    BehaviorVersion, Region, SdkConfig, environment::EnvironmentVariableCredentialsProvider, retry::RetryConfig,
    timeout::TimeoutConfig,
};
use aws_sdk_dynamodb::config::{IdentityCache, SharedCredentialsProvider};
use aws_smithy_async::{rt::sleep::TokioSleep, time::SystemTimeSource};
use aws_types::{
    sdk_config::Builder as SdkConfigBuilder,
    service_config::{LoadServiceConfig, ServiceConfigKey},
};
use futures_util::future::BoxFuture;
use tokio::time::timeout;

pub mod config;
pub mod failure;
pub mod http;
pub mod https;
pub mod ses;
mod trust;

/// Any error, with its internal cause.
pub type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Maximum time of one attempt; the timeouts in template.yaml allow for it.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(3);
/// Maximum time of one call with its retries.
pub const CALL_TIMEOUT: Duration = Duration::from_secs(7);
const ATTEMPTS: u32 = 3;

/// Maximum time to open a connection at start; otherwise the first request opens it.
const OPENING_TIMEOUT: Duration = Duration::from_secs(2);

/// Variable of the SDK that overrides the endpoint of a service.
const ENDPOINT_URL: &str = "AWS_ENDPOINT_URL";

/// Builder of clients of AWS services.
#[derive(Debug)]
pub struct Aws {
    config: Config,
    http: http::Http,
    sdk: SdkConfig,
}

/// Configures clients with the region, credentials and endpoints that Lambda, or a substitute for it, sets in
/// the environment.
///
/// Other sources are ignored: the SDK's default search in files and over the network is half of a function's
/// size and most of its start.
///
/// # Errors
///
/// Returns an error if there is no region, or the root certificates cannot be read.
pub fn connect(config: Config) -> Result<Aws, BoxError> {
    let http = http::Http::new(trust::roots(config.optional("AWS_CA_BUNDLE").as_deref().map(Path::new))?)?;
    let credentials = EnvironmentVariableCredentialsProvider::new();
    let sdk = default_config()
        .region(Region::new(config.text("AWS_REGION")?))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .service_config(Endpoints(config))
        .http_client(http.clone())
        .build();
    Ok(Aws { config, http, sdk })
}

impl Aws {
    /// Builds a client of DynamoDB, and opens its connection.
    pub async fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.open_connection("DynamoDB", "dynamodb").await;
        aws_sdk_dynamodb::Client::new(&self.sdk)
    }

    /// Builds a client of S3, and opens its connection to the bucket.
    pub async fn s3(&self, bucket: &str) -> aws_sdk_s3::Client {
        self.open_connection("S3", &format!("{bucket}.s3")).await;
        aws_sdk_s3::Client::new(&self.sdk)
    }

    /// Builds a client of SES, and opens its connection.
    pub async fn ses(&self) -> aws_sdk_sesv2::Client {
        self.open_connection("SESv2", "email").await;
        aws_sdk_sesv2::Client::new(&self.sdk)
    }

    /// Opens a connection while Lambda starts the function, so that no request waits for it.
    async fn open_connection(&self, service: &str, host: &str) {
        let url = self.config.service_setting(ENDPOINT_URL, service).unwrap_or_else(|| {
            let region = self.sdk.region().map(AsRef::as_ref).unwrap_or_default();
            format!("https://{host}.{region}.amazonaws.com")
        });
        let opening: BoxFuture<Result<(), BoxError>> = Box::pin(async { self.http.open(Uri::try_from(url)?).await });
        match timeout(OPENING_TIMEOUT, opening).await.map_err(BoxError::from).flatten() {
            Ok(()) => {}
            Err(cause) => tracing::warn!(service, cause, "connection not opened"),
        }
    }
}

/// Builds the configuration that all clients share: timeouts and retries.
#[must_use]
pub fn default_config() -> SdkConfigBuilder {
    SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .identity_cache(IdentityCache::lazy().build())
        .sleep_impl(TokioSleep::new())
        .time_source(SystemTimeSource::new())
        .retry_config(RetryConfig::standard().with_max_attempts(ATTEMPTS))
        .timeout_config(
            TimeoutConfig::builder().operation_attempt_timeout(ATTEMPT_TIMEOUT).operation_timeout(CALL_TIMEOUT).build(),
        )
}

/// Settings for a single service, such as `AWS_ENDPOINT_URL_DYNAMODB`.
#[derive(Debug)]
struct Endpoints(Config);

impl LoadServiceConfig for Endpoints {
    fn load_config(&self, key: ServiceConfigKey<'_>) -> Option<String> {
        self.0.service_setting(key.env(), key.service_id())
    }
}
