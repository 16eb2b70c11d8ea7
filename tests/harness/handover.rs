//! Events that pass to another manager while somebody deletes them.

use aws_sdk_dynamodb::types::AttributeValue;
use axum::{
    body::Bytes,
    http::{Request, Response},
};
use local::TABLE;
use storage::keys;
use uuid::Uuid;

use crate::{
    dynamodb_at,
    proxy::{self, Backend, Proxy},
    stack,
};

/// Hands an event over before each transaction.
struct Handover {
    event: Uuid,
    to: Uuid,
}

/// A client of the running DynamoDB which has an event pass to another manager between the read of it
/// and the transaction.
pub async fn handing_over(event: Uuid, to: Uuid) -> aws_sdk_dynamodb::Client {
    dynamodb_at(&proxy::start(stack().dynamodb_url(), Handover { event, to }).await)
}

impl Proxy for Handover {
    async fn answer(&self, backend: &Backend, call: Request<Bytes>) -> Option<Response<Bytes>> {
        if proxy::operation(&call) == Some("TransactWriteItems") {
            stack()
                .dynamodb()
                .update_item()
                .table_name(TABLE)
                .set_key(Some(keys::event(self.event).attributes()))
                .update_expression("SET manager = :to")
                .expression_attribute_values(":to", AttributeValue::S(self.to.to_string()))
                .send()
                .await
                .expect("an update");
        }
        Some(backend.forward(call).await)
    }
}
