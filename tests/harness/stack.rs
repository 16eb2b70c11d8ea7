//! The running service.

use std::{sync::OnceLock, thread};

use domain::{member::Member, password::Hasher};
use local::{Addresses, Data, Settings, Stack, TABLE};
use storage::{member::Members, table::Table};
use uuid::Uuid;

use crate::{Proxy, fault::Rule, sample};

/// The variable that leads the tests to a `DynamoDB` that runs already.
const DYNAMODB_ENDPOINT: &str = "DYNAMODB_ENDPOINT";

/// The service of this process, started when it is first asked for.
///
/// It has a thread and a runtime of its own, since those of a test end with it.
pub fn stack() -> &'static Stack {
    static STACK: OnceLock<Stack> = OnceLock::new();
    STACK.get_or_init(|| {
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(async {
                sender.send(new_stack().await).expect("a test that waits");
                std::future::pending::<()>().await;
            });
        });
        receiver.recv().expect("a stack")
    })
}

/// A service of its own, for a test in which nothing else may be stored; it ends with the test.
///
/// Its table is in the `DynamoDB` at `DYNAMODB_ENDPOINT`, or else in one of its own.
pub async fn new_stack() -> Stack {
    let data = data(std::env::var(DYNAMODB_ENDPOINT).ok());
    Stack::start(Addresses::default(), data).await.expect("a stack that starts")
}

/// The same, which hashes passwords in microseconds.
pub async fn new_stack_with_cheap_hash() -> Stack {
    stack_with_cheap_hash(std::env::var(DYNAMODB_ENDPOINT).ok()).await
}

/// A service that hashes passwords in microseconds, with a table of its own at this endpoint.
pub async fn stack_with_cheap_hash_at(dynamodb: String) -> Stack {
    stack_with_cheap_hash(Some(dynamodb)).await
}

async fn stack_with_cheap_hash(dynamodb: Option<String>) -> Stack {
    let settings = Settings { argon2_params: "m=64,t=1,p=1", ..Settings::default() };
    let started = Stack::start_with(Addresses::default(), data(dynamodb), settings).await;
    started.expect("a stack that starts")
}

fn data(dynamodb: Option<String>) -> Data {
    Data::temporary().expect("a temporary folder").with_dynamodb_endpoint(dynamodb)
}

/// The table of the service of this process.
#[must_use]
pub fn table() -> Table {
    Table::new(stack().dynamodb(), TABLE.to_owned())
}

/// A client of the DynamoDB of that service which looks for it at another endpoint.
#[must_use]
pub fn dynamodb_at(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = stack().dynamodb().config().to_builder().endpoint_url(endpoint).build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

/// Returns the table of that service behind a proxy with a rule, which runs as long as the runtime of the
/// test.
pub async fn table_with_rule(rule: Rule) -> Table {
    Proxy::start(stack(), [rule]).await.detach().table
}

/// Adds a member to that service, whose password is [`sample::PASSWORD`].
pub async fn add_member(hasher: &Hasher) -> Member {
    add_member_to(table(), hasher).await
}

/// Adds a member to a table, whose password is [`sample::PASSWORD`].
pub async fn add_member_to(table: Table, hasher: &Hasher) -> Member {
    let registration = sample::registration();
    let hash = hasher.hash(&registration.password).expect("a hash");
    let member = Member::new(Uuid::new_v4(), registration);
    Members::new(table).add(&member, &hash).await.expect("a new member");
    member
}
