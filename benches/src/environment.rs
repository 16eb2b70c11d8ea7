//! DynamoDB and S3 in this process, with the items that requests need.

use api::{error::Error, registration::Draft};
use flate2::{Compression, write::ZlibEncoder};
use std::{env, io::Write as _, iter, ops::Range};
use storage::poster_expiry::PosterExpiry;

use api::{json, registration::CreateRequest};
use aws_sdk_dynamodb::{
    primitives::Blob,
    types::{AttributeValue, PutRequest, WriteRequest},
};
use domain::{error::Cause, event::Event, member::Member, password::Hasher, poster::Format};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use local::{
    Addresses, BUCKET, Data, Stack, TABLE,
    issuer::{AUDIENCE, ROLE, ROLE_CLAIM},
};
use serde_json::{Value, json};
use storage::{
    event::Events,
    keys::{self, LISTING_SORT, PARTITION, SORT},
    member::Members,
    table::{Item, Table},
};
use tests::{
    issuer::{Issuer, Key},
    sample::MANAGER,
};
use uuid::{NoContext, Timestamp, Uuid};

use crate::{instance::Variables, sample, template};

/// Region in the variables of the processes.
const REGION: &str = "ap-northeast-2";
/// Maximum number of items of `BatchWriteItem`.
const BATCH_SIZE: usize = 25;
/// Maximum bytes of a chunk of a peer's hall.
const PEERS_CHUNK: usize = 390_000;
/// Number of batches that are written at once.
const PARALLEL_BATCHES: usize = 4;

/// Table and bucket for one measurement, deleted when dropped.
#[derive(Debug)]
pub struct Environment {
    stack: Stack,
    issuer: Issuer,
    key: Key,
    hashing: &'static str,
}

impl Environment {
    /// Starts with an empty table. `hashing` holds the Argon2id parameters in PHC notation.
    ///
    /// # Errors
    ///
    /// Returns an error if the local stack does not start.
    pub async fn start(hashing: &'static str) -> Result<Self, Cause> {
        let stack = Stack::start(Addresses::default(), Data::temporary()?).await?;
        let key = Key::es256();
        let issuer = Issuer::start(&[&key]).await;
        Ok(Self { stack, issuer, key, hashing })
    }

    /// Builds the variables that Lambda and template.yaml set for the function, with the endpoints of this
    /// environment.
    ///
    /// # Errors
    ///
    /// Returns an error if template.yaml has no such function.
    pub fn variables(&self, slug: &str) -> Result<Variables, Cause> {
        let mut variables: Variables = [
            ("AWS_LAMBDA_FUNCTION_NAME", slug),
            ("AWS_LAMBDA_FUNCTION_MEMORY_SIZE", &template::memory(slug)?.to_string()),
            ("AWS_LAMBDA_FUNCTION_VERSION", "1"),
            ("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand"),
            ("AWS_LAMBDA_LOG_FORMAT", "JSON"),
            ("AWS_REGION", REGION),
            ("AWS_DEFAULT_REGION", REGION),
            ("AWS_ACCESS_KEY_ID", "local"),
            ("AWS_SECRET_ACCESS_KEY", "local"),
            ("AWS_ENDPOINT_URL_DYNAMODB", &self.stack.dynamodb_url()),
            ("AWS_ENDPOINT_URL_S3", &self.stack.s3_url()),
            ("LAMBDA_TASK_ROOT", "/var/task"),
            ("_HANDLER", "bootstrap"),
            ("TZ", ":UTC"),
            ("GLIBC_TUNABLES", &template::tunables()?),
            ("NODE_NO_WARNINGS", "1"),
            ("LANG", "en_US.UTF-8"),
            ("TABLE_NAME", TABLE),
            ("BUCKET_NAME", BUCKET),
            ("ALLOWED_ORIGINS", "*"),
            ("METRICS_NAMESPACE", "tickets"),
            ("ARGON2_PARAMS", self.hashing),
            ("COMMON_PASSWORDS", "allowed"),
            ("CURSOR_KEY", "no-secret-on-this-machine"),
            ("MANAGER_VERIFICATION", "open"),
            ("MANAGER_ISSUER", self.issuer.url()),
            ("MANAGER_AUDIENCE", AUDIENCE),
            ("MANAGER_ROLE_CLAIM", ROLE_CLAIM),
            ("MANAGER_ROLE", ROLE),
        ]
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
        variables.extend(env::var_os("PATH").map(|path| ("PATH".to_owned(), path)));
        Ok(variables)
    }

    /// Registers a member and returns their login request.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn add_member(&self) -> Result<Value, Cause> {
        let member = self.register().await?;
        Ok(serde_json::json!({"email": member.email.as_str(), "password": tests::sample::PASSWORD}))
    }

    /// Registers a member whose password is that of the sample.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn register(&self) -> Result<Member, Cause> {
        let registration = tests::sample::registration();
        let hasher: Hasher = self.hashing.parse()?;
        let hash = hasher.hash(&registration.password)?;
        let member = Member::new(Uuid::new_v4(), registration);
        let members = Members::new(self.table());
        members.add(&member, &hash).await.map_err(cause)?;
        Ok(member)
    }

    /// Registers an event.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn add_event(&self, event: &Value) -> Result<Uuid, Cause> {
        let event = event.to_string();
        let request: CreateRequest = json::object(event.as_bytes()).map_err(cause)?;
        let Draft { details, shows, seat_map } = request.try_into().map_err(cause)?;
        let event = Event::register(MANAGER.parse()?, details, &shows, Format::Jpeg);
        let scheduled = PosterExpiry::new(self.table()).schedule(&event.thumbnail).await;
        scheduled.map_err(cause)?;
        let added = Events::new(self.table()).add(&event, &seat_map, None).await;
        added.map_err(cause)?;
        Ok(event.id)
    }

    /// Registers an event and deletes it.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn add_deleted_event(&self, event: &Value) -> Result<Uuid, Cause> {
        let id = self.add_event(event).await?;
        Events::new(self.table()).delete(id, None).await.map_err(cause)?;
        Ok(id)
    }

    /// Stores the hall of an event again, as the peers store it: as compressed JSON.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn add_peers_hall(&self, id: &str, event: &Value) -> Result<(), Cause> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
        let hall = json!({"totalMap": event["totalMap"], "areas": event["areas"]});
        encoder.write_all(hall.to_string().as_bytes())?;
        let hall = encoder.finish()?;
        let event = self.stored_event(id.parse()?).await?;
        let chunks = hall.chunks(PEERS_CHUNK).enumerate().map(|(index, chunk)| {
            let sort = AttributeValue::S(format!("MAP#{index:03}"));
            Item::from([(SORT.to_owned(), sort), ("data".to_owned(), AttributeValue::B(Blob::new(chunk)))])
        });
        for mut item in iter::once(event).chain(chunks) {
            item.insert(PARTITION.to_owned(), AttributeValue::S(format!("PEER#{id}")));
            self.stack.dynamodb().put_item().table_name(TABLE).set_item(Some(item)).send().await?;
        }
        Ok(())
    }

    /// Creates a valid token of a manager.
    #[must_use]
    pub fn token(&self) -> String {
        self.key.token(&self.issuer.claims(MANAGER))
    }

    async fn stored_event(&self, id: Uuid) -> Result<Item, Cause> {
        let key = keys::event(id).attributes();
        let read = self.stack.dynamodb().get_item().table_name(TABLE).set_key(Some(key)).send().await?;
        Ok(read.item.ok_or("the event is missing")?)
    }

    /// Fills the list with copies of one event that are older than all registered events.
    ///
    /// Their numbers start at 1. A number used before replaces its copy.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn add_listed_events(&self, numbers: Range<usize>) -> Result<(), Cause> {
        let original = self.add_event(&sample::event()).await?;
        let item = self.stored_event(original).await?;
        let copies: Vec<_> = numbers.map(|number| copy(&item, number)).collect::<Result<_, _>>()?;
        let batches: Vec<_> = copies.chunks(BATCH_SIZE).map(<[_]>::to_vec).collect();
        stream::iter(batches)
            .map(|batch| async move {
                let written = self.stack.dynamodb().batch_write_item().request_items(TABLE, batch);
                match written.send().await?.unprocessed_items {
                    Some(left) if !left.is_empty() => Err(Cause::from("some copies were not written")),
                    _ => Ok(()),
                }
            })
            .buffer_unordered(PARALLEL_BATCHES)
            .try_collect()
            .await
    }

    fn table(&self) -> Table {
        Table::new(self.stack.dynamodb(), TABLE.to_owned())
    }
}

/// Builds the write of a copy, with an old id.
fn copy(item: &Item, number: usize) -> Result<WriteRequest, Cause> {
    let id = Uuid::new_v7(Timestamp::from_unix(NoContext, u64::try_from(number)?, 0));
    let mut item = item.clone();
    item.extend(keys::event(id).attributes());
    item.insert(LISTING_SORT.to_owned(), AttributeValue::S(id.to_string()));
    let put = PutRequest::builder().set_item(Some(item)).build()?;
    Ok(WriteRequest::builder().put_request(put).build())
}

/// Converts an error of the service to a cause.
pub fn cause(error: impl Into<Error>) -> Cause {
    let error: Error = error.into();
    format!("{error:?}").into()
}
