//! Local stacks for tests.

use std::{sync::OnceLock, thread};

use domain::{member::Member, password::Hasher};
use local::{Addresses, Data, LocalEnvironment, Settings, Stack, TABLE};
use storage::{members::member_store::Members, table::Table};
use uuid::Uuid;

use crate::{log, sample};

/// Variable with the endpoint of a running DynamoDB.
const DYNAMODB_ENDPOINT: &str = "DYNAMODB_ENDPOINT";

/// Returns the stack of this process, which the first call starts.
///
/// It has its own thread and runtime, because those of a test end with the test.
///
/// # Panics
///
/// Panics if `BASE_URL` names another service, whose storage a test cannot see.
pub fn stack() -> &'static Stack {
    static STACK: OnceLock<Stack> = OnceLock::new();
    STACK.get_or_init(|| {
        assert!(std::env::var_os("BASE_URL").is_none(), "leave out tests of this process with `--skip in_process::`");
        let (sender, receiver) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let runtime = tokio::runtime::Runtime::new().expect("runtime");
            runtime.block_on(async {
                sender.send(new_stack().await).expect("waiting test");
                std::future::pending::<()>().await;
            });
        });
        receiver.recv().expect("started stack")
    })
}

/// Starts an empty stack for one test, which ends with the test.
///
/// Its table is in the DynamoDB at `DYNAMODB_ENDPOINT`, or else in its own DynamoDB.
pub async fn new_stack() -> Stack {
    start_stack(Settings::default()).await
}

/// Starts an empty stack for one test, with these settings.
pub async fn new_stack_with(settings: Settings) -> Stack {
    start_stack(settings).await
}

/// Starts a stack with its own table in the DynamoDB at this endpoint, with these settings.
pub async fn stack_at(dynamodb: String, settings: Settings) -> Stack {
    start(Some(dynamodb), settings).await
}

/// Starts an empty stack with these settings.
pub(crate) async fn start_stack(settings: Settings) -> Stack {
    start(std::env::var(DYNAMODB_ENDPOINT).ok(), settings).await
}

/// Starts a stack that hashes passwords in microseconds, and sends notices fast.
async fn start(dynamodb: Option<String>, settings: Settings) -> Stack {
    start_in(Data::temporary().expect("temporary folder").with_dynamodb_endpoint(dynamodb), settings).await
}

async fn start_in(data: Data, settings: Settings) -> Stack {
    log::init();
    let settings = Settings { argon2_params: "m=64,t=1,p=1", notice_rate: 100, ..settings };
    Stack::start_with(Addresses::default(), data, settings).await.expect("started stack")
}

/// Starts an empty stack for one test that tells its changes, with these settings.
pub async fn stack_with_changes(settings: Settings) -> Stack {
    start_in(Data::temporary().expect("temporary folder").with_file(), settings).await
}

/// Returns the table of the stack of this process.
#[must_use]
pub fn table() -> Table {
    Table::new(stack().dynamodb(), TABLE.to_owned())
}

/// Creates a client like that of the stack of this process, with another endpoint of DynamoDB.
#[must_use]
pub fn dynamodb_at(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = stack().dynamodb().config().to_builder().endpoint_url(endpoint).build();
    aws_sdk_dynamodb::Client::from_conf(config)
}

/// Adds a member with the password [`sample::PASSWORD`] to the stack of this process.
pub async fn add_member(hasher: &Hasher) -> Member {
    let registration = sample::registration();
    let hash = hasher.hash(&registration.password).expect("password hash");
    let member = Member::new(Uuid::new_v4(), registration);
    Members::new(table()).add(&member, &hash).await.expect("new member");
    member
}

/// Returns the environment of the functions of the process's stack.
///
/// # Panics
///
/// Panics if the data of the stack cannot be read.
#[must_use]
pub fn environment() -> LocalEnvironment {
    stack().environment().expect("environment")
}
