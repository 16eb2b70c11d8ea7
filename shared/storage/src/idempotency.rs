//! Idempotency keys in the table.
//!
//! A request first claims its key. A claim lasts longer than a function may run and expires by itself, also
//! after a crash. The transaction that stores the event also stores its id in the claim: both or neither.

use std::time::Duration;

use aws_sdk_dynamodb::{
    error::SdkError,
    operation::put_item::PutItemError,
    primitives::Blob,
    types::{AttributeValue, Put, ReturnValuesOnConditionCheckFailure, TransactWriteItem},
};
use uuid::Uuid;

use crate::{
    expiry::{epoch_seconds, since_epoch},
    keys::{self, EXPIRES, Key, PARTITION},
    table::{Item, Table, condition_met, failure},
};
use domain::{
    error::Error,
    idempotency::{Fingerprint, IdempotencyKey},
};

/// Time for which a key repeats the first successful response.
const KEY_LIFETIME: Duration = Duration::from_hours(24);

/// Lifetime of a claim; the function timeout in template.yaml is shorter.
const CLAIM_LIFETIME: Duration = Duration::from_mins(1);

const FINGERPRINT: &str = "fingerprint";
const CLAIM: &str = "claim";
const EVENT: &str = "event";

/// Outcome of claiming a key.
#[derive(Debug)]
pub enum ClaimOutcome {
    /// The request is the first with this key and may be carried out.
    Acquired(Claim),
    /// The request was carried out and registered this event.
    Completed(Uuid),
}

/// Claim of a request on its key.
#[derive(Debug)]
pub struct Claim {
    key: Key,
    token: Uuid,
    fingerprint: Fingerprint,
}

/// Store of the managers' idempotency keys.
#[derive(Clone, Debug)]
pub struct IdempotencyKeys {
    table: Table,
}

impl IdempotencyKeys {
    /// Opens the keys in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Claims a manager's key for a request.
    ///
    /// # Errors
    ///
    /// Returns `KeyReused` if the key belongs to a different request, `InProgress` if another request holds it,
    /// `Database` if the outcome is unknown.
    pub async fn claim(
        &self,
        manager: Uuid,
        key: &IdempotencyKey,
        fingerprint: Fingerprint,
    ) -> Result<ClaimOutcome, Error> {
        let claim = Claim { key: keys::idempotency(manager, key), token: Uuid::new_v4(), fingerprint };
        let now = since_epoch()?;
        let put = self
            .table
            .client
            .put_item()
            .table_name(&self.table.name)
            .set_item(Some(claim.item(None, now + CLAIM_LIFETIME)))
            .condition_expression("attribute_not_exists(#pk) OR #expires <= :now")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#expires", EXPIRES)
            .expression_attribute_values(":now", epoch_seconds(now))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else { return Ok(ClaimOutcome::Acquired(claim)) };
        match existing_claim(&error) {
            // The SDK lost the response to its first attempt and retried.
            Some(item) if item.get(CLAIM) == Some(&AttributeValue::S(claim.token.to_string())) => {
                Ok(ClaimOutcome::Acquired(claim))
            }
            Some(item) if !has_fingerprint(item, fingerprint) => Err(Error::KeyReused),
            Some(item) => match item.get(EVENT) {
                Some(AttributeValue::S(event)) => event.parse().map(ClaimOutcome::Completed).map_err(Error::unexpected),
                _ => Err(Error::InProgress),
            },
            None if error.as_service_error().is_some_and(PutItemError::is_transaction_conflict_exception) => {
                // A transaction is completing the claim.
                Err(Error::InProgress)
            }
            None => Err(failure(error)),
        }
    }

    /// Deletes the claim of a rejected request, so that a client can retry at once.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown; the claim then expires by itself.
    pub async fn release(&self, claim: &Claim) -> Result<(), Error> {
        let deleted = self
            .table
            .client
            .delete_item()
            .table_name(&self.table.name)
            .set_key(Some(claim.key.attributes()))
            .condition_expression("#claim = :token AND attribute_not_exists(#event)")
            .expression_attribute_names("#claim", CLAIM)
            .expression_attribute_names("#event", EVENT)
            .expression_attribute_values(":token", AttributeValue::S(claim.token.to_string()))
            .send()
            .await;
        condition_met(deleted).map(drop)
    }
}

impl Claim {
    /// Builds the write that stores the event, on condition that the claim still exists.
    pub(super) fn complete(&self, table: &Table, event: Uuid) -> Result<TransactWriteItem, Error> {
        let put = Put::builder()
            .table_name(&table.name)
            .set_item(Some(self.item(Some(event), since_epoch()? + KEY_LIFETIME)))
            .condition_expression("#claim = :token")
            .expression_attribute_names("#claim", CLAIM)
            .expression_attribute_values(":token", AttributeValue::S(self.token.to_string()))
            .build()
            .map_err(Error::unexpected)?;
        Ok(TransactWriteItem::builder().put(put).build())
    }

    fn item(&self, event: Option<Uuid>, expires: Duration) -> Item {
        let mut item = self.key.attributes();
        item.extend([
            (CLAIM.to_owned(), AttributeValue::S(self.token.to_string())),
            (FINGERPRINT.to_owned(), AttributeValue::B(Blob::new(self.fingerprint.as_bytes()))),
            (EXPIRES.to_owned(), epoch_seconds(expires)),
        ]);
        if let Some(event) = event {
            item.insert(EVENT.to_owned(), AttributeValue::S(event.to_string()));
        }
        item
    }
}

/// Returns the existing item of the key from a failed condition.
fn existing_claim(error: &SdkError<PutItemError>) -> Option<&Item> {
    match error.as_service_error()? {
        PutItemError::ConditionalCheckFailedException(failed) => failed.item(),
        _ => None,
    }
}

fn has_fingerprint(item: &Item, fingerprint: Fingerprint) -> bool {
    matches!(item.get(FINGERPRINT), Some(AttributeValue::B(bytes)) if bytes.as_ref() == fingerprint.as_bytes())
}
