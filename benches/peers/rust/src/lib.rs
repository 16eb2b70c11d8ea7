//! Event, response and AWS clients of the floors.
//!
//! A floor makes the same calls to AWS as its function, with the SDK's own HTTP client and settings.
//! It does nothing more: no checks, no computation, no logs, and always the same response.

use std::{collections::HashMap, env};

use aws_config::{BehaviorVersion, Region, SdkConfig, environment::EnvironmentVariableCredentialsProvider};
use aws_sdk_dynamodb::{
    config::SharedCredentialsProvider,
    types::{AttributeValue, Put, TransactWriteItem},
};
use aws_smithy_http_client::{
    Builder,
    tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode},
};
use base64_simd::STANDARD;
use lambda_runtime::Error;
use serde::{Deserialize, Serialize};

/// Fields of a REST proxy event that floors read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// Path parameters.
    pub path_parameters: Option<HashMap<String, String>>,
    /// Query parameters.
    pub query_string_parameters: Option<HashMap<String, String>>,
    /// Body, in base64.
    pub body: Option<String>,
}

/// Proxy response.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    status_code: u16,
    body: &'static str,
}

/// Response to every request.
pub const RESPONSE: Response = Response { status_code: 200, body: r#"{"code":"0"}"# };

/// Item or key.
pub type Item = HashMap<String, AttributeValue>;

impl Event {
    /// Returns the event id in the path.
    ///
    /// # Errors
    ///
    /// Returns an error if it is missing.
    pub fn event_id(&self) -> Result<&str, Error> {
        let id = self.path_parameters.as_ref().and_then(|parameters| parameters.get("eventId"));
        Ok(id.ok_or("no eventId")?)
    }

    /// Returns the member id in the path.
    ///
    /// # Errors
    ///
    /// Returns an error if it is missing.
    pub fn member_id(&self) -> Result<&str, Error> {
        let id = self.path_parameters.as_ref().and_then(|parameters| parameters.get("memberId"));
        Ok(id.ok_or("no memberId")?)
    }

    /// Returns true if the query has words to search for.
    #[must_use]
    pub fn is_search(&self) -> bool {
        self.query_string_parameters.as_ref().is_some_and(|parameters| parameters.contains_key("q"))
    }

    /// Decodes the body.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is missing or is not base64.
    pub fn body(&self) -> Result<Vec<u8>, Error> {
        Ok(STANDARD.decode_to_vec(self.body.as_deref().ok_or("no body")?)?)
    }
}

/// Builds the SDK's settings from Lambda's variables, without the SDK's search for settings.
///
/// The trust store is empty, because the benchmarks use plain HTTP.
///
/// # Errors
///
/// Returns an error if a variable is missing.
pub fn connect() -> Result<SdkConfig, Error> {
    let tls = TlsContext::builder().with_trust_store(TrustStore::empty()).build()?;
    let http = Builder::new().tls_provider(Provider::Rustls(CryptoMode::Ring)).tls_context(tls).build_https();
    let credentials = EnvironmentVariableCredentialsProvider::new();
    Ok(SdkConfig::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new(variable("AWS_REGION")?))
        .credentials_provider(SharedCredentialsProvider::new(credentials))
        .http_client(http)
        .build())
}

/// Builds a client of DynamoDB.
///
/// # Errors
///
/// Returns an error if a variable is missing.
pub fn dynamodb(sdk: &SdkConfig) -> Result<aws_sdk_dynamodb::Client, Error> {
    let endpoint = variable("AWS_ENDPOINT_URL_DYNAMODB")?;
    let config = aws_sdk_dynamodb::config::Builder::from(sdk).endpoint_url(endpoint).build();
    Ok(aws_sdk_dynamodb::Client::from_conf(config))
}

/// Builds a client of S3.
///
/// # Errors
///
/// Returns an error if a variable is missing.
pub fn s3(sdk: &SdkConfig) -> Result<aws_sdk_s3::Client, Error> {
    let endpoint = variable("AWS_ENDPOINT_URL_S3")?;
    let config = aws_sdk_s3::config::Builder::from(sdk).endpoint_url(endpoint).build();
    Ok(aws_sdk_s3::Client::from_conf(config))
}

/// Reads an environment variable.
///
/// # Errors
///
/// Returns an error if it is missing.
pub fn variable(name: &str) -> Result<String, Error> {
    env::var(name).map_err(|_| format!("no {name}").into())
}

/// Builds a string attribute.
pub fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// Builds an item, or a key, with these attributes in addition to its key.
pub fn item<const N: usize>(
    pk: impl Into<String>,
    sk: impl Into<String>,
    attributes: [(&str, AttributeValue); N],
) -> Item {
    [("pk", text(pk)), ("sk", text(sk))]
        .into_iter()
        .chain(attributes)
        .map(|(name, value)| (name.to_owned(), value))
        .collect()
}

/// Builds the write of an item under the condition that its key does not exist.
///
/// # Errors
///
/// Returns an error if a required field is missing.
pub fn put_new(table: &str, item: Item) -> Result<TransactWriteItem, Error> {
    let put = Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .condition_expression("attribute_not_exists(#pk)")
        .expression_attribute_names("#pk", "pk")
        .build()?;
    Ok(TransactWriteItem::builder().put(put).build())
}
