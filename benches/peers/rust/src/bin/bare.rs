//! Floor of every function: a function that only makes the same calls to AWS.
//!
//! Its event is the list of calls that the measured function made. It hands each input to the SDK, waits for the
//! response, which the SDK parses, and drops it. The SDK has its default settings and its own HTTP client.

use std::{collections::HashMap, env};

use aws_config::{BehaviorVersion, Region, SdkConfig, environment::EnvironmentVariableCredentialsProvider};
use aws_sdk_dynamodb::{
    config::SharedCredentialsProvider,
    types::{AttributeValue, ConditionCheck, Delete, KeysAndAttributes, Put, TransactWriteItem, Update},
};
use aws_sdk_s3::primitives::ByteStream;
use aws_sdk_sesv2::types::{Body, Content, Destination, EmailContent, Message};
use aws_smithy_http_client::{Builder, tls, tls::rustls_provider::CryptoMode};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use serde::{Deserialize, de::IgnoredAny};
use serde_json::{Value, json};

type Item = HashMap<String, AttributeValue>;

/// Recorded call.
#[derive(Deserialize)]
struct Call {
    operation: String,
    input: Input,
    /// True if AWS rejected the call, for example because of its condition.
    is_rejected: bool,
}

/// Inputs of all operations, with the names of their JSON.
#[derive(Default, Deserialize)]
#[serde(rename_all = "PascalCase", default, deny_unknown_fields)]
struct Input {
    table_name: Option<String>,
    index_name: Option<String>,
    key: Option<serde_dynamo::Item>,
    keys: Vec<serde_dynamo::Item>,
    item: Option<serde_dynamo::Item>,
    exclusive_start_key: Option<serde_dynamo::Item>,
    limit: Option<i32>,
    consistent_read: Option<bool>,
    scan_index_forward: Option<bool>,
    key_condition_expression: Option<String>,
    filter_expression: Option<String>,
    update_expression: Option<String>,
    condition_expression: Option<String>,
    expression_attribute_names: Option<HashMap<String, String>>,
    expression_attribute_values: Option<serde_dynamo::Item>,
    return_values_on_condition_check_failure: Option<String>,
    client_request_token: IgnoredAny,
    transact_items: Vec<HashMap<String, Input>>,
    request_items: HashMap<String, Input>,
    bucket: Option<String>,
    object: Option<String>,
    content_type: Option<String>,
    cache_control: Option<String>,
    length: usize,
    from_email_address: Option<String>,
    destination: Value,
    content: Value,
}

/// Sets the fields that all writes have.
macro_rules! conditional {
    ($input:ident, $builder:expr) => {{
        let on_failure = $input.return_values_on_condition_check_failure.as_deref().map(Into::into);
        $builder
            .set_table_name($input.table_name)
            .set_condition_expression($input.condition_expression)
            .set_expression_attribute_names($input.expression_attribute_names)
            .set_expression_attribute_values($input.expression_attribute_values.map(Into::into))
            .set_return_values_on_condition_check_failure(on_failure)
    }};
}

struct Bare {
    dynamodb: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    ses: aws_sdk_sesv2::Client,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let bare = &Bare::new()?;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Vec<Call>>| async move {
        for Call { operation, input, is_rejected } in event.payload {
            let result = bare.call(&operation, input).await;
            if result.is_err() != is_rejected {
                return Err(format!("{operation}: {result:?}").into());
            }
        }
        Ok::<Value, Error>(json!({"statusCode": 200}))
    }))
    .await
}

impl Bare {
    /// Builds the clients from Lambda's variables. They trust no certificates, because the benchmarks use plain HTTP.
    fn new() -> Result<Self, Error> {
        let context = tls::TlsContext::builder().with_trust_store(tls::TrustStore::empty()).build()?;
        let http =
            Builder::new().tls_provider(tls::Provider::Rustls(CryptoMode::Ring)).tls_context(context).build_https();
        let sdk = SdkConfig::builder()
            .behavior_version(BehaviorVersion::latest())
            .region(Region::new(env::var("AWS_REGION")?))
            .credentials_provider(SharedCredentialsProvider::new(EnvironmentVariableCredentialsProvider::new()))
            .http_client(http)
            .endpoint_url(env::var("AWS_ENDPOINT_URL")?)
            .build();
        Ok(Self {
            dynamodb: aws_sdk_dynamodb::Client::new(&sdk),
            s3: aws_sdk_s3::Client::new(&sdk),
            ses: aws_sdk_sesv2::Client::new(&sdk),
        })
    }

    async fn call(&self, operation: &str, input: Input) -> Result<(), Error> {
        let Self { dynamodb, s3, ses } = self;
        match operation {
            "GetItem" => {
                let get = dynamodb.get_item().set_table_name(input.table_name).set_key(input.key.map(Into::into));
                get.set_consistent_read(input.consistent_read).send().await?;
            }
            "BatchGetItem" => {
                let tables = input.request_items.into_iter().map(|(table, input)| {
                    let keys = input.keys.into_iter().map(Item::from).collect();
                    Ok((table, KeysAndAttributes::builder().set_keys(Some(keys)).build()?))
                });
                let tables = tables.collect::<Result<_, Error>>()?;
                dynamodb.batch_get_item().set_request_items(Some(tables)).send().await?;
            }
            "Query" => {
                let query = dynamodb.query().set_table_name(input.table_name).set_index_name(input.index_name);
                query
                    .set_key_condition_expression(input.key_condition_expression)
                    .set_filter_expression(input.filter_expression)
                    .set_expression_attribute_names(input.expression_attribute_names)
                    .set_expression_attribute_values(input.expression_attribute_values.map(Into::into))
                    .set_exclusive_start_key(input.exclusive_start_key.map(Into::into))
                    .set_consistent_read(input.consistent_read)
                    .set_scan_index_forward(input.scan_index_forward)
                    .set_limit(input.limit)
                    .send()
                    .await?;
            }
            "PutItem" => {
                drop(conditional!(input, dynamodb.put_item().set_item(input.item.map(Into::into))).send().await?);
            }
            "UpdateItem" => {
                let update = dynamodb.update_item().set_update_expression(input.update_expression);
                conditional!(input, update.set_key(input.key.map(Into::into))).send().await?;
            }
            "DeleteItem" => {
                let delete = dynamodb.delete_item().set_key(input.key.map(Into::into));
                drop(conditional!(input, delete).send().await?);
            }
            "TransactWriteItems" => {
                let writes = input.transact_items.into_iter().flatten().map(|(kind, input)| write(&kind, input));
                let writes = writes.collect::<Result<_, Error>>()?;
                dynamodb.transact_write_items().set_transact_items(Some(writes)).send().await?;
            }
            "PUT" => {
                let put = s3.put_object().set_bucket(input.bucket).set_key(input.object);
                let put = put.set_content_type(input.content_type).set_cache_control(input.cache_control);
                put.body(ByteStream::from(vec![b'.'; input.length])).send().await?;
            }
            "DELETE" => drop(s3.delete_object().set_bucket(input.bucket).set_key(input.object).send().await?),
            "SendEmail" => {
                let send = ses.send_email().set_from_email_address(input.from_email_address);
                let to = Destination::builder().to_addresses(text(&input.destination["ToAddresses"][0])).build();
                send.destination(to).content(mail(&input.content["Simple"])?).send().await?;
            }
            other => return Err(format!("the floor cannot make the call {other}").into()),
        }
        Ok(())
    }
}

/// Builds the content of a mail.
fn mail(simple: &Value) -> Result<EmailContent, Error> {
    let part = |part: &Value| Content::builder().data(text(&part["Data"])).charset(text(&part["Charset"])).build();
    let body = Body::builder().text(part(&simple["Body"]["Text"])?).html(part(&simple["Body"]["Html"])?).build();
    Ok(EmailContent::builder().simple(Message::builder().subject(part(&simple["Subject"])?).body(body).build()).build())
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Builds a write of a transaction.
fn write(kind: &str, input: Input) -> Result<TransactWriteItem, Error> {
    let (item, key, write) = (input.item.map(Into::into), input.key.map(Into::into), TransactWriteItem::builder());
    let write = match kind {
        "Put" => write.put(conditional!(input, Put::builder().set_item(item)).build()?),
        "Delete" => write.delete(conditional!(input, Delete::builder().set_key(key)).build()?),
        "ConditionCheck" => {
            let check = ConditionCheck::builder().set_key(key);
            write.condition_check(conditional!(input, check).build()?)
        }
        "Update" => {
            let update = Update::builder().set_key(key).set_update_expression(input.update_expression);
            write.update(conditional!(input, update).build()?)
        }
        other => return Err(format!("the floor cannot make the write {other}").into()),
    };
    Ok(write.build())
}
