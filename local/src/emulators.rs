//! DynamoDB, S3 and SES emulators in this process, and SDK clients for them.

mod dynamodb;
mod s3;
mod ses;
pub(crate) mod web_pages;

use std::{error::Error, future::pending, net::SocketAddr, sync::Arc};

use aws::{self, http::Http};
use aws_config::Region;
use aws_sdk_dynamodb::{
    config::{Credentials, SharedCredentialsProvider, timeout::TimeoutConfig},
    error::SdkError,
    operation::create_table::CreateTableError,
    types::{
        AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection, ProjectionType,
        ScalarAttributeType, TimeToLiveSpecification,
    },
};
use axum::{Router, middleware::from_fn};
use domain::error::Cause;
use rustls::RootCertStore;
use storage::keys::{EXPIRES, LISTING, LISTING_SORT, MANAGER, PARTITION, SEARCH, SEARCHED, SORT};
use tokio::{net::TcpListener, sync::Notify};

use crate::{
    Data,
    changes::StoredDatabase,
    mailbox::Mailbox,
    server::{self, ClientTimeouts},
    settings::Settings,
    start_error::StartError,
};

/// Name of the table.
pub const TABLE: &str = "tickets";
/// Name of the bucket for posters.
pub const BUCKET: &str = "posters";

/// Access key of the SDK clients, which must sign requests; it protects nothing.
pub(crate) const ACCESS_KEY: &str = "local";
const SECRET_KEY: &str = "local";

/// Listening socket with its address.
pub type BoundListener = (TcpListener, SocketAddr);

/// SDK clients of the running emulators.
#[derive(Clone, Debug)]
pub struct Emulators {
    /// Client of DynamoDB.
    pub dynamodb: aws_sdk_dynamodb::Client,
    /// Client of S3.
    pub s3: aws_sdk_s3::Client,
    /// Client of SES.
    pub ses: aws_sdk_sesv2::Client,
}

impl Emulators {
    /// Starts S3 and SES, and creates the table and the bucket if they do not exist.
    ///
    /// `dynamodb` is the endpoint of a running `DynamoDB`.
    ///
    /// # Errors
    ///
    /// Returns an error if `DynamoDB` cannot be reached, or if the data cannot be read.
    pub async fn start(
        dynamodb: &str,
        (listener, s3): BoundListener,
        (ses_listener, ses): BoundListener,
        mailbox: Mailbox,
        data: &Data,
        settings: &Settings,
    ) -> Result<Self, StartError> {
        let timeouts = settings.timeouts;
        let objects_error = |error: Cause| StartError::Objects(data.objects(), root_cause(&error));
        serve(listener, s3::router(&data.objects()).map_err(objects_error)?, timeouts);
        serve(ses_listener, ses::router(mailbox, settings.mail_failure), timeouts);
        let sdk = aws::default_config()
            .region(Region::new("ap-northeast-2"))
            .credentials_provider(credentials(&data.access_key()))
            .http_client(http());
        let sdk = match settings.call_timeout {
            Some(limit) => sdk.timeout_config(
                TimeoutConfig::builder().operation_attempt_timeout(limit).operation_timeout(limit).build(),
            ),
            None => sdk,
        };
        let sdk = sdk.build();
        let config = aws_sdk_dynamodb::config::Builder::from(&sdk).endpoint_url(dynamodb);
        let dynamodb = aws_sdk_dynamodb::Client::from_conf(config.build());
        let config = aws_sdk_s3::config::Builder::from(&sdk)
            .credentials_provider(credentials(ACCESS_KEY))
            .endpoint_url(format!("http://{s3}"))
            .force_path_style(true);
        let s3 = aws_sdk_s3::Client::from_conf(config.build());
        let config = aws_sdk_sesv2::config::Builder::from(&sdk)
            .credentials_provider(credentials(ACCESS_KEY))
            .endpoint_url(format!("http://{ses}"));
        let ses = aws_sdk_sesv2::Client::from_conf(config.build());
        create_table(&dynamodb).await.map_err(|error| data.dynamodb_error(root_cause(&error)))?;
        create_bucket(&s3).await.map_err(objects_error)?;
        Ok(Self { dynamodb, s3, ses })
    }
}

/// Creates an HTTP client for endpoints without TLS.
///
/// # Panics
///
/// Never: TLS without root certificates is a valid configuration.
pub fn http() -> Http {
    Http::new(RootCertStore::empty()).expect("TLS without root certificates is valid")
}

fn credentials(access_key: &str) -> SharedCredentialsProvider {
    SharedCredentialsProvider::new(Credentials::new(access_key, SECRET_KEY, None, None, "local"))
}

/// Starts a `DynamoDB` that stores its tables in the data folder, and returns it unless they are in memory.
///
/// # Errors
///
/// Returns an error if the file of the database cannot be read.
pub fn start_dynamodb(
    listener: TcpListener,
    data: &Data,
    timeouts: ClientTimeouts,
) -> Result<Option<StoredDatabase>, StartError> {
    let (file, written) = (data.database()?, Arc::<Notify>::default());
    let database = dynamodb::open(file.as_deref()).map_err(|error| data.dynamodb_error(error))?;
    serve(listener, dynamodb::router(database.clone(), Arc::clone(&written)), timeouts);
    Ok(file.map(|file| StoredDatabase { database, file, written }))
}

/// Serves an emulator, but not to web pages, until the runtime ends.
fn serve(listener: TcpListener, emulator: Router, timeouts: ClientTimeouts) {
    let emulator = emulator.layer(from_fn(web_pages::reject));
    tokio::spawn(server::serve(listener, emulator, timeouts, pending()));
}

/// Returns the innermost cause of an error, such as a refused connection.
pub(crate) fn root_cause(error: &Cause) -> String {
    let mut cause: &dyn Error = &**error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

async fn create_table(dynamodb: &aws_sdk_dynamodb::Client) -> Result<(), Cause> {
    if dynamodb.list_tables().send().await?.table_names().iter().any(|name| name == TABLE) {
        return Ok(());
    }
    // An index whose partition key has the name of the index.
    let index = |name: &str| {
        GlobalSecondaryIndex::builder()
            .index_name(name)
            .key_schema(key(name, KeyType::Hash)?)
            .key_schema(key(LISTING_SORT, KeyType::Range)?)
            .projection(Projection::builder().projection_type(ProjectionType::All).build())
            .build()
    };
    let searched = Projection::builder()
        .projection_type(ProjectionType::Include)
        .set_non_key_attributes(Some(SEARCHED.map(str::to_owned).to_vec()));
    let search = GlobalSecondaryIndex::builder()
        .index_name(SEARCH)
        .key_schema(key(LISTING, KeyType::Hash)?)
        .projection(searched.build())
        .build()?;
    let mut table = dynamodb
        .create_table()
        .table_name(TABLE)
        .billing_mode(BillingMode::PayPerRequest)
        .key_schema(key(PARTITION, KeyType::Hash)?)
        .key_schema(key(SORT, KeyType::Range)?)
        .global_secondary_indexes(index(LISTING)?)
        .global_secondary_indexes(index(MANAGER)?)
        .global_secondary_indexes(search);
    for name in [PARTITION, SORT, LISTING, MANAGER, LISTING_SORT] {
        let attribute =
            AttributeDefinition::builder().attribute_name(name).attribute_type(ScalarAttributeType::S).build()?;
        table = table.attribute_definitions(attribute);
    }
    match table.send().await.map_err(SdkError::into_service_error) {
        // A repeated call finds the table that the first one made without an answer in time.
        Err(CreateTableError::ResourceInUseException(_)) => {}
        result => drop(result?),
    }
    let expiry = TimeToLiveSpecification::builder().attribute_name(EXPIRES).enabled(true).build()?;
    dynamodb.update_time_to_live().table_name(TABLE).time_to_live_specification(expiry).send().await?;
    Ok(())
}

fn key(attribute: &str, kind: KeyType) -> Result<KeySchemaElement, aws_sdk_dynamodb::error::BuildError> {
    KeySchemaElement::builder().attribute_name(attribute).key_type(kind).build()
}

async fn create_bucket(s3: &aws_sdk_s3::Client) -> Result<(), Cause> {
    let existing = s3.list_buckets().send().await?;
    if !existing.buckets().iter().any(|bucket| bucket.name() == Some(BUCKET)) {
        s3.create_bucket().bucket(BUCKET).send().await?;
    }
    Ok(())
}
