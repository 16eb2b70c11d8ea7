//! Idempotency keys in the table.
//!
//! A request first claims its key. A claim lasts longer than a function may run and expires by itself, also
//! after a crash. The transaction that stores the event also stores its id in the claim: both or neither.

use std::time::Duration;

use aws_sdk_dynamodb::{
    operation::put_item::PutItemError::{ConditionalCheckFailedException, TransactionConflictException},
    types::ReturnValuesOnConditionCheckFailure,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, Key},
    table::{Table, condition_met, epoch_seconds, failure, from_item, text, to_item},
    write::Write,
};
use domain::{
    clock::Clock,
    error::Error,
    idempotency::{Fingerprint, IdempotencyKey},
};

/// Time for which a key repeats the first successful response.
const KEY_LIFETIME: Duration = Duration::from_hours(24);

/// Lifetime of a claim; the function timeout in template.yaml is shorter.
const CLAIM_LIFETIME: Duration = Duration::from_mins(1);

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

/// Item of a key, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClaimRecord {
    claim: Uuid,
    fingerprint: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<Uuid>,
    expires_at: u64,
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

    /// Claims a manager's key for a registration, or for a copy of an event.
    ///
    /// # Errors
    ///
    /// Returns `KeyReused` if the key belongs to a different request, `InProgress` if another request holds it,
    /// `Database` if the outcome is unknown.
    pub async fn claim(
        &self,
        manager: Uuid,
        original: Option<Uuid>,
        key: &IdempotencyKey,
        fingerprint: Fingerprint,
    ) -> Result<ClaimOutcome, Error> {
        let key = match original {
            Some(original) => keys::copy_idempotency(manager, original, key),
            None => keys::idempotency(manager, key),
        };
        let claim = Claim { key, token: Uuid::new_v4(), fingerprint };
        let now = Clock::default().now();
        let mut item = to_item(&claim.record(None, now + CLAIM_LIFETIME))?;
        item.extend(claim.key.attributes());
        let put = self
            .table
            .client
            .put_item()
            .table_name(&self.table.name)
            .set_item(Some(item))
            .condition_expression("attribute_not_exists(pk) OR expiresAt <= :now")
            .expression_attribute_values(":now", epoch_seconds(now))
            .return_values_on_condition_check_failure(ReturnValuesOnConditionCheckFailure::AllOld);
        let Err(error) = put.send().await else { return Ok(ClaimOutcome::Acquired(claim)) };
        let item = match error.as_service_error() {
            Some(ConditionalCheckFailedException(failed)) => failed.item().cloned().unwrap_or_default(),
            // A transaction is completing the claim.
            Some(TransactionConflictException(_)) => return Err(Error::InProgress),
            _ => return Err(failure(error)),
        };
        match from_item::<ClaimRecord>(item)? {
            // The SDK lost the response to its first attempt and retried.
            existing if existing.claim == claim.token => Ok(ClaimOutcome::Acquired(claim)),
            existing if existing.fingerprint != claim.fingerprint.as_str() => Err(Error::KeyReused),
            existing => existing.event.map(ClaimOutcome::Completed).ok_or(Error::InProgress),
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
            .condition_expression("claim = :token AND attribute_not_exists(event)")
            .expression_attribute_values(":token", text(claim.token))
            .send()
            .await;
        condition_met(deleted).map(drop)
    }
}

impl Claim {
    /// Builds the write that stores the event, only if the claim still exists.
    pub(super) fn complete(&self, event: Uuid) -> Result<Write, Error> {
        let record = self.record(Some(event), Clock::default().now() + KEY_LIFETIME);
        Ok(Write::put(self.key.clone(), to_item(&record)?).only_if("claim", "=", text(self.token)))
    }

    fn record(&self, event: Option<Uuid>, expires: Duration) -> ClaimRecord {
        let fingerprint = self.fingerprint.as_str().to_owned();
        ClaimRecord { claim: self.token, fingerprint, event, expires_at: expires.as_secs() }
    }
}
