//! Members in the table.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, Key},
    table::{Item, Table},
    transaction::{Outcome, Transaction},
};
use domain::{
    email::Email,
    error::Error,
    member::{Member, Name, Nickname},
    password::PasswordHash,
};

/// Store of the members.
#[derive(Clone, Debug)]
pub struct Members {
    pub(super) table: Table,
}

/// Member with the hash of their password, as it was read.
#[derive(Clone, Debug)]
pub struct StoredMember {
    /// The member.
    pub member: Member,
    /// Hash of the password.
    pub password: PasswordHash,
}

/// Member item, which leads from an id to the login item.
#[derive(Serialize, Deserialize)]
struct MemberRecord {
    email: String,
}

/// Login item, which has all data of a member; its key has the canonical address.
#[derive(Serialize, Deserialize)]
pub(super) struct LoginRecord {
    id: Uuid,
    email: String,
    name: String,
    nickname: String,
    password: String,
}

impl Members {
    /// Opens the members in this table.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { table }
    }

    /// Adds a member, with one transaction.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `EmailTaken`, otherwise `NicknameTaken`, if another member has it. Returns
    /// `Database` if the outcome is unknown.
    pub async fn add(&self, member: &Member, password: &PasswordHash) -> Result<(), Error> {
        let record = MemberRecord { email: member.email.as_str().to_owned() };
        let mut transaction = Transaction::new(&self.table);
        let login_key = keys::login(&member.email);
        transaction.put_new(&login_key, item(&LoginRecord::new(member, password))?, Error::EmailTaken)?;
        transaction.put_new(&nickname_key(member), nickname_lock(member), Error::NicknameTaken)?;
        let id_exists = Error::Unexpected("new member id already exists".into());
        transaction.put_new(&keys::member(member.id), item(&record)?, id_exists)?;
        match transaction.commit().await? {
            Outcome::Written => Ok(()),
            Outcome::ConditionFailed(error) => Err(error),
        }
    }

    /// Returns the e-mail address of the member with an id.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn email(&self, id: Uuid) -> Result<Option<Email>, Error> {
        let Some(item) = self.table.get(&keys::member(id)).await? else { return Ok(None) };
        let MemberRecord { email } = serde_dynamo::from_item(item).map_err(Error::unexpected)?;
        Ok(Some(Email::from_stored(email)))
    }

    /// Returns the member with an e-mail address.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn by_email(&self, email: &Email) -> Result<Option<StoredMember>, Error> {
        let Some(item) = self.table.get(&keys::login(email)).await? else { return Ok(None) };
        let record: LoginRecord = serde_dynamo::from_item(item).map_err(Error::unexpected)?;
        Ok(Some(record.into()))
    }
}

pub(super) fn nickname_key(member: &Member) -> Key {
    keys::nickname(&member.nickname.canonical())
}

pub(super) fn nickname_lock(member: &Member) -> Item {
    Item::from([("member".to_owned(), AttributeValue::S(member.id.to_string()))])
}

impl LoginRecord {
    pub(super) fn new(member: &Member, password: &PasswordHash) -> Self {
        Self {
            id: member.id,
            email: member.email.as_str().to_owned(),
            name: member.name.as_str().to_owned(),
            nickname: member.nickname.as_str().to_owned(),
            password: password.as_str().to_owned(),
        }
    }
}

impl From<LoginRecord> for StoredMember {
    fn from(record: LoginRecord) -> Self {
        let member = Member {
            id: record.id,
            email: Email::from_stored(record.email),
            name: Name::from_stored(record.name),
            nickname: Nickname::from_stored(record.nickname),
        };
        Self { member, password: PasswordHash::from_stored(record.password) }
    }
}

pub(super) fn item(record: &impl Serialize) -> Result<Item, Error> {
    serde_dynamo::to_item(record).map_err(Error::unexpected)
}
