//! The running service.

use std::{sync::OnceLock, thread};

use local::{Addresses, Data, Stack, TABLE};
use shared::store::table::Table;

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
                let data = Data::temporary().expect("a temporary folder");
                let stack = Stack::start(Addresses::default(), data).await.expect("a stack that starts");
                sender.send(stack).expect("a test that waits");
                std::future::pending::<()>().await;
            });
        });
        receiver.recv().expect("a stack")
    })
}

/// The table of that service.
#[must_use]
pub fn table() -> Table {
    Table::new(stack().dynamodb().clone(), TABLE.to_owned())
}

/// A client of the DynamoDB of that service which looks for it at another endpoint.
#[must_use]
pub fn dynamodb_at(endpoint: &str) -> aws_sdk_dynamodb::Client {
    let config = stack().dynamodb().config().to_builder().endpoint_url(endpoint).build();
    aws_sdk_dynamodb::Client::from_conf(config)
}
