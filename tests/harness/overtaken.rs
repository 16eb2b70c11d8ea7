//! Transactions that are overtaken by something else.

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use local::{Stack, TABLE};
use storage::table::Table;

use crate::proxy::{self, Backend, Proxy};

/// Lets something happen before any transaction.
struct Overtaken<F>(F);

/// The table of a service, where something happens before any transaction reaches it.
pub async fn overtaken<F, Fut>(stack: &Stack, happens: F) -> Table
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send,
{
    let endpoint = proxy::start(stack.dynamodb_url(), Overtaken(happens)).await;
    let config = stack.dynamodb().config().to_builder().endpoint_url(endpoint).build();
    Table::new(aws_sdk_dynamodb::Client::from_conf(config), TABLE.to_owned())
}

impl<F, Fut> Proxy for Overtaken<F>
where
    F: Fn() -> Fut + Send + Sync + 'static,
    Fut: Future<Output = ()> + Send,
{
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        if proxy::operation(&call) == Some("TransactWriteItems") {
            (self.0)().await;
        }
        Some(backend.forward(call).await)
    }
}
