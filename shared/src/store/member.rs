//! Members in the table.

use aws_sdk_dynamodb::{operation::update_item::UpdateItemError, types::AttributeValue};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{
    keys::{self, PARTITION},
    table::{Item, Outcome, Table, failure},
};
use crate::domain::{
    email::Email,
    error::Error,
    member::{Member, Name},
    nickname::Nickname,
    password::PasswordHash,
};

/// The members of the service.
#[derive(Clone, Debug)]
pub struct Members {
    table: Table,
}

/// What the record of a member and the item of a login have in common.
#[derive(Serialize, Deserialize)]
struct MemberRecord {
    id: Uuid,
    email: String,
    name: String,
    nickname: String,
}

/// The item that a login reads, under the folded address.
#[derive(Serialize, Deserialize)]
struct LoginRecord {
    #[serde(flatten)]
    member: MemberRecord,
    password: String,
}

impl Members {
    /// The members in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Adds a member, with one transaction.
    ///
    /// # Errors
    ///
    /// `EmailTaken` or `NicknameTaken`, the former where both are; nothing is
    /// left behind then. `Database` where it cannot be told.
    pub async fn add(&self, member: &Member, password: &PasswordHash) -> Result<(), Error> {
        let record = MemberRecord::from(member);
        let email = keys::email(&member.email.folded());
        let nickname = keys::nickname(&member.nickname.folded());
        let id = keys::member(member.id);

        let lock = Item::from([("member".to_owned(), AttributeValue::S(member.id.to_string()))]);
        let kept = item(&record)?;
        let login = item(&LoginRecord { member: record, password: password.as_str().to_owned() })?;
        let writes = vec![
            self.table.put_new(&email, login)?,
            self.table.put_new(&nickname, lock)?,
            self.table.put_new(&id, kept)?,
        ];
        match self.table.transact(writes).await? {
            Outcome::Written => Ok(()),
            Outcome::Refused(items) if items.contains(&0) => Err(Error::EmailTaken),
            Outcome::Refused(_) => Err(Error::NicknameTaken),
        }
    }

    /// Finds who logs in with an address, and the hash of their password, in one read.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told.
    pub async fn find(&self, email: &Email) -> Result<Option<(Member, PasswordHash)>, Error> {
        let Some(item) = self.table.get(&keys::email(&email.folded())).await? else {
            return Ok(None);
        };
        let login: LoginRecord = serde_dynamo::from_item(item).map_err(Error::unexpected)?;
        Ok(Some((login.member.into(), PasswordHash::stored(login.password))))
    }

    /// Replaces the hash of a member's password, unless it has changed meanwhile.
    ///
    /// # Errors
    ///
    /// `Database` where it cannot be told.
    pub async fn rehash(&self, email: &Email, old: &PasswordHash, new: &PasswordHash) -> Result<(), Error> {
        let updated = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(keys::email(&email.folded()).attributes()))
            .update_expression("SET #password = :new")
            .condition_expression("attribute_exists(#pk) AND #password = :old")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#password", "password")
            .expression_attribute_values(":old", AttributeValue::S(old.as_str().to_owned()))
            .expression_attribute_values(":new", AttributeValue::S(new.as_str().to_owned()))
            .send()
            .await;
        match updated {
            Err(error)
                if error
                    .as_service_error()
                    .is_some_and(UpdateItemError::is_conditional_check_failed_exception) =>
            {
                Ok(())
            }
            other => other.map(drop).map_err(failure),
        }
    }
}

impl From<&Member> for MemberRecord {
    fn from(member: &Member) -> Self {
        Self {
            id: member.id,
            email: member.email.as_str().to_owned(),
            name: member.name.as_str().to_owned(),
            nickname: member.nickname.as_str().to_owned(),
        }
    }
}

impl From<MemberRecord> for Member {
    fn from(record: MemberRecord) -> Self {
        Self {
            id: record.id,
            email: Email::stored(record.email),
            name: Name::stored(record.name),
            nickname: Nickname::stored(record.nickname),
        }
    }
}

fn item(record: &impl Serialize) -> Result<Item, Error> {
    serde_dynamo::to_item(record).map_err(Error::unexpected)
}
