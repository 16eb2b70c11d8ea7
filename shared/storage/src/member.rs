//! Members in the table.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, Delete, Put, TransactWriteItem};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    expiry::since_epoch,
    keys::{self, Account, Key, PARTITION},
    login_failures::current_failures,
    table::{Item, Table, condition_met},
    transaction::{self, Outcome, Transaction},
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
struct LoginRecord {
    id: Uuid,
    email: String,
    name: String,
    nickname: String,
    password: String,
}

/// Meaning of a failed condition in an edit.
#[derive(Debug)]
enum Obstacle {
    /// The member was changed or removed since it was read.
    Changed,
    /// Another member has the new nickname.
    NicknameTaken,
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

    /// Replaces a member's password hash, unless it was changed meanwhile.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn rehash(&self, stored: &StoredMember, new: &PasswordHash) -> Result<(), Error> {
        let updated = self
            .table
            .client
            .update_item()
            .table_name(&self.table.name)
            .set_key(Some(keys::login(&Account::from(&stored.member.email)).attributes()))
            .update_expression("SET #password = :new")
            .condition_expression("attribute_exists(#pk) AND #password = :old")
            .expression_attribute_names("#pk", PARTITION)
            .expression_attribute_names("#password", "password")
            .expression_attribute_values(":old", AttributeValue::S(stored.password.as_str().to_owned()))
            .expression_attribute_values(":new", AttributeValue::S(new.as_str().to_owned()))
            .send()
            .await;
        condition_met(updated).map(drop)
    }

    /// Replaces a member's name, nickname and password hash, with one transaction.
    ///
    /// Returns false and stores nothing if the member was changed or removed since it was read.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `NicknameTaken` if another member has the new nickname. Returns `Database` if
    /// the outcome is unknown.
    pub async fn replace(&self, old: &StoredMember, new: &StoredMember) -> Result<bool, Error> {
        let login_key = keys::login(&Account::from(&new.member.email));
        let mut login_item = item(&LoginRecord::new(&new.member, &new.password))?;
        login_item.extend(login_key.attributes());
        let put = Put::builder()
            .table_name(&self.table.name)
            .set_item(Some(login_item))
            .condition_expression(UNCHANGED)
            .set_expression_attribute_names(Some(unchanged_names()))
            .set_expression_attribute_values(Some(unchanged_values(old)))
            .build()
            .map_err(Error::unexpected)?;
        let mut transaction = Transaction::new(&self.table);
        transaction.add_conditional(TransactWriteItem::builder().put(put).build(), Obstacle::Changed);
        let (old_lock, new_lock) = (nickname_key(&old.member), nickname_key(&new.member));
        if new_lock != old_lock {
            transaction.put_new(&new_lock, nickname_lock(&new.member), Obstacle::NicknameTaken)?;
            transaction.add_unconditional(transaction::delete(&self.table, &old_lock)?);
        }
        match transaction.commit().await? {
            Outcome::Written => Ok(true),
            Outcome::ConditionFailed(Obstacle::Changed) => Ok(false),
            Outcome::ConditionFailed(Obstacle::NicknameTaken) => Err(Error::NicknameTaken),
        }
    }

    /// Removes a member, with one transaction.
    ///
    /// Returns false and removes nothing if the member was changed or removed since it was read.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn remove(&self, stored: &StoredMember) -> Result<bool, Error> {
        let member = &stored.member;
        let delete = Delete::builder()
            .table_name(&self.table.name)
            .set_key(Some(keys::login(&Account::from(&member.email)).attributes()))
            .condition_expression(UNCHANGED)
            .set_expression_attribute_names(Some(unchanged_names()))
            .set_expression_attribute_values(Some(unchanged_values(stored)))
            .build()
            .map_err(Error::unexpected)?;
        let mut transaction = Transaction::new(&self.table);
        transaction.add_conditional(TransactWriteItem::builder().delete(delete).build(), ());
        transaction.add_unconditional(transaction::delete(&self.table, &nickname_key(member))?);
        transaction.add_unconditional(transaction::delete(&self.table, &keys::member(member.id))?);
        Ok(transaction.commit().await? == Outcome::Written)
    }
}

/// Condition expression of optimistic locking: the login item is as it was read.
///
/// Every transaction that changes an item of a member also checks the login item. So this item alone needs a
/// condition, and the nickname that is deleted is the member's own.
const UNCHANGED: &str = "#id = :id AND #name = :name AND #nickname = :nickname AND #password = :password";

fn unchanged_names() -> HashMap<String, String> {
    ["id", "name", "nickname", "password"].map(|name| (format!("#{name}"), name.to_owned())).into()
}

fn unchanged_values(StoredMember { member, password }: &StoredMember) -> HashMap<String, AttributeValue> {
    HashMap::from([
        (":id".to_owned(), AttributeValue::S(member.id.to_string())),
        (":name".to_owned(), AttributeValue::S(member.name.as_str().to_owned())),
        (":nickname".to_owned(), AttributeValue::S(member.nickname.as_str().to_owned())),
        (":password".to_owned(), AttributeValue::S(password.as_str().to_owned())),
    ])
}

fn nickname_key(member: &Member) -> Key {
    keys::nickname(&member.nickname.canonical())
}

fn nickname_lock(member: &Member) -> Item {
    Item::from([("member".to_owned(), AttributeValue::S(member.id.to_string()))])
}

impl LoginRecord {
    fn new(member: &Member, password: &PasswordHash) -> Self {
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

fn item(record: &impl Serialize) -> Result<Item, Error> {
    serde_dynamo::to_item(record).map_err(Error::unexpected)
}
