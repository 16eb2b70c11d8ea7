//! Creations that are overtaken by the expiry of their posters.

use std::{sync::Arc, time::SystemTime};

use axum::{
    body::Bytes,
    http::{Request, Response},
};
use local::{Stack, TABLE};
use shared::store::table::Table;

use crate::proxy::{self, Backend, Proxy};

/// Removes what has expired by an instant before any transaction.
struct Overtaken {
    stack: Arc<Stack>,
    instant: SystemTime,
}

/// The table of this service, where all that expires by an instant is removed before a transaction.
pub async fn overtaken(stack: &Arc<Stack>, instant: SystemTime) -> Table {
    let proxy = Overtaken { stack: Arc::clone(stack), instant };
    let endpoint = proxy::start(stack.dynamodb_url(), proxy).await;
    let config = stack.dynamodb().config().to_builder().endpoint_url(endpoint).build();
    Table::new(aws_sdk_dynamodb::Client::from_conf(config), TABLE.to_owned())
}

impl Proxy for Overtaken {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        if proxy::operation(&call) == Some("TransactWriteItems") {
            self.stack.sweep(self.instant).await.expect("a sweep");
        }
        Some(backend.forward(call).await)
    }
}
