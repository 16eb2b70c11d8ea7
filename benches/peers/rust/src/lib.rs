//! What the floors have in common: the event they read, the answer they give, and their clients.
//!
//! A floor makes the same calls to AWS as the function it stands for, with the SDK's own HTTP client
//! and settings, and nothing more: it checks nothing, computes nothing, logs nothing, and always
//! answers the same.

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

/// What is read of a REST proxy event.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Event {
    /// The parameters of the path.
    pub path_parameters: Option<HashMap<String, String>>,
    /// The body, in base64.
    pub body: Option<String>,
}

/// The proxy response.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    status_code: u16,
    body: &'static str,
}

/// What every request is answered with.
pub const RESPONSE: Response = Response { status_code: 200, body: r#"{"code":"0"}"# };

/// An item, or a key.
pub type Item = HashMap<String, AttributeValue>;

impl Event {
    /// The id of the event in the path.
    ///
    /// # Errors
    ///
    /// Where there is none.
    pub fn event_id(&self) -> Result<&str, Error> {
        let id = self.path_parameters.as_ref().and_then(|parameters| parameters.get("eventId"));
        Ok(id.ok_or("no eventId")?)
    }

    /// The bytes of the body.
    ///
    /// # Errors
    ///
    /// Where there is none in base64.
    pub fn body(&self) -> Result<Vec<u8>, Error> {
        Ok(STANDARD.decode_to_vec(self.body.as_deref().ok_or("no body")?)?)
    }
}

/// The SDK's settings, without its search for what Lambda sets in the environment.
///
/// It trusts no certificate, since what is measured is plain HTTP.
///
/// # Errors
///
/// Where a variable is missing.
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

/// A client of DynamoDB.
///
/// # Errors
///
/// Where a variable is missing.
pub fn dynamodb(sdk: &SdkConfig) -> Result<aws_sdk_dynamodb::Client, Error> {
    let endpoint = variable("AWS_ENDPOINT_URL_DYNAMODB")?;
    let config = aws_sdk_dynamodb::config::Builder::from(sdk).endpoint_url(endpoint).build();
    Ok(aws_sdk_dynamodb::Client::from_conf(config))
}

/// A client of S3.
///
/// # Errors
///
/// Where a variable is missing.
pub fn s3(sdk: &SdkConfig) -> Result<aws_sdk_s3::Client, Error> {
    let endpoint = variable("AWS_ENDPOINT_URL_S3")?;
    let config = aws_sdk_s3::config::Builder::from(sdk).endpoint_url(endpoint).build();
    Ok(aws_sdk_s3::Client::from_conf(config))
}

/// A variable of the environment.
///
/// # Errors
///
/// Where it is missing.
pub fn variable(name: &str) -> Result<String, Error> {
    env::var(name).map_err(|_| format!("no {name}").into())
}

/// An attribute that is a text.
pub fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

/// An item, or a key, with more attributes than those of its key.
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

/// The write of an item whose key nothing has yet.
///
/// # Errors
///
/// Where something is missing of it.
pub fn put_new(table: &str, item: Item) -> Result<TransactWriteItem, Error> {
    let put = Put::builder()
        .table_name(table)
        .set_item(Some(item))
        .condition_expression("attribute_not_exists(#pk)")
        .expression_attribute_names("#pk", "pk")
        .build()?;
    Ok(TransactWriteItem::builder().put(put).build())
}
