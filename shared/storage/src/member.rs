//! Members in the table.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    expiry::since_epoch,
    keys::{self, Account, Key},
    login_failures::current_failures,
    table::{Item, Table},
    transaction::{Outcome, Transaction},
};
use domain::{
    client_address::ClientAddress,
    email::Email,
    error::Error,
    member::{Member, Name, Nickname},
    password::PasswordHash,
    throttling::LoginFailures,
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

/// Data that decides on a password check.
#[derive(Debug)]
pub struct LoginData {
    /// Member of the account, if there is one.
    pub stored: Option<StoredMember>,
    /// Failures of the account, also if no member has it.
    pub failures: LoginFailures,
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
        let login_key = keys::login(&Account::from(&member.email));
        transaction.put_new(&login_key, item(&LoginRecord::new(member, password))?, Error::EmailTaken)?;
        transaction.put_new(&nickname_key(member), nickname_lock(member), Error::NicknameTaken)?;
        let id_exists = Error::Unexpected("new member id already exists".into());
        transaction.put_new(&keys::member(member.id), item(&record)?, id_exists)?;
        match transaction.commit().await? {
            Outcome::Written => Ok(()),
            Outcome::ConditionFailed(error) => Err(error),
        }
    }

    /// Returns the account of a member, with one read; that of an unknown member if no member has the id.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn account(&self, id: Uuid) -> Result<Account, Error> {
        let Some(item) = self.table.get(&keys::member(id)).await? else { return Ok(Account::unknown(id)) };
        let MemberRecord { email } = serde_dynamo::from_item(item).map_err(Error::unexpected)?;
        Ok(Account::from(&Email::from_stored(email)))
    }

    /// Returns the data for a client's password check, with one call.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn login_data(&self, account: &Account, client: ClientAddress) -> Result<LoginData, Error> {
        let keys = [keys::login(account), keys::client_login_failures(account, client), keys::login_failures(account)];
        let [login, from_client, from_all_clients] = self.table.get_all(keys).await?;
        let now = since_epoch()?;
        let failures = LoginFailures {
            from_client: current_failures(from_client, now)?,
            from_all_clients: current_failures(from_all_clients, now)?,
        };
        let login: Option<LoginRecord> = login.map(serde_dynamo::from_item).transpose().map_err(Error::unexpected)?;
        Ok(LoginData { stored: login.map(StoredMember::from), failures })
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
