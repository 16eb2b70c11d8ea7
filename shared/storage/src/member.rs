//! Members in the table.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    expiry::since_epoch,
    keys::{self, PARTITION},
    login_failures::current_failures,
    table::{Item, Table, condition_met},
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
    table: Table,
}

/// Data that decides on a login.
#[derive(Debug)]
pub struct LoginData {
    /// Member with the address, and the hash of their password.
    pub member: Option<(Member, PasswordHash)>,
    /// Failed logins with the address, also if no member has it.
    pub failures: LoginFailures,
}

/// Attributes of both the member item and the login item.
#[derive(Serialize, Deserialize)]
struct MemberRecord {
    id: Uuid,
    email: String,
    name: String,
    nickname: String,
}

/// Item that a login reads; its key has the canonical address.
#[derive(Serialize, Deserialize)]
struct LoginRecord {
    #[serde(flatten)]
    member: MemberRecord,
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
        let record = MemberRecord::from(member);
        let email = keys::email(&member.email.canonical());
        let nickname = keys::nickname(&member.nickname.canonical());
        let id = keys::member(member.id);

        let lock = Item::from([("member".to_owned(), AttributeValue::S(member.id.to_string()))]);
        let member_item = item(&record)?;
        let login_item = item(&LoginRecord { member: record, password: password.as_str().to_owned() })?;
        let mut transaction = Transaction::new(&self.table);
        transaction.put_new(&email, login_item, Error::EmailTaken)?;
        transaction.put_new(&nickname, lock, Error::NicknameTaken)?;
        transaction.put_new(&id, member_item, Error::unexpected("new member id already exists"))?;
        match transaction.commit().await? {
            Outcome::Written => Ok(()),
            Outcome::ConditionFailed(error) => Err(error),
        }
    }

    /// Returns the data for a client's login with an address, with one call.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn login_data(&self, email: &Email, client: ClientAddress) -> Result<LoginData, Error> {
        let email = email.canonical();
        let keys = [keys::email(&email), keys::client_login_failures(&email, client), keys::login_failures(&email)];
        let [login, from_client, from_all_clients] = self.table.get_all(keys).await?;
        let now = since_epoch()?;
        let failures = LoginFailures {
            from_client: current_failures(from_client, now)?,
            from_all_clients: current_failures(from_all_clients, now)?,
        };
        let login: Option<LoginRecord> = login.map(serde_dynamo::from_item).transpose().map_err(Error::unexpected)?;
        let member = login.map(|login| (login.member.into(), PasswordHash::from_stored(login.password)));
        Ok(LoginData { member, failures })
    }

    /// Replaces a member's password hash, unless it was changed meanwhile.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn rehash(&self, email: &Email, old: &PasswordHash, new: &PasswordHash) -> Result<(), Error> {
        let updated = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(keys::email(&email.canonical()).attributes()))
            .update_expression("SET #password = :new")
            .condition_expression("attribute_exists(#pk) AND #password = :old")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#password", "password")
            .expression_attribute_values(":old", AttributeValue::S(old.as_str().to_owned()))
            .expression_attribute_values(":new", AttributeValue::S(new.as_str().to_owned()))
            .send()
            .await;
        condition_met(updated).map(drop)
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
            email: Email::from_stored(record.email),
            name: Name::from_stored(record.name),
            nickname: Nickname::from_stored(record.nickname),
        }
    }
}

fn item(record: &impl Serialize) -> Result<Item, Error> {
    serde_dynamo::to_item(record).map_err(Error::unexpected)
}
