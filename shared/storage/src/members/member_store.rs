//! Members in the table.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, PARTITION},
    table::{Item, Table, condition_met, from_item, number, text, to_item},
    transaction::{Attempts, Transaction, TransactionError, until_decided},
    write::Write,
};
use domain::{
    change::MemberState,
    email::Email,
    error::Error,
    member::{Member, Name, Nickname},
    password::PasswordHash,
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
    /// Number of new passwords since the registration; each one ends the member's sessions, and the tokens of mails.
    pub epoch: u64,
    /// True if the member followed a link in a mail to their address.
    pub email_verified: bool,
}

/// Attribute with the epoch of a member's sessions; 0 if it is missing.
const EPOCH: &str = "epoch";

/// Attribute of a login item with the id of the member.
const ID: &str = "id";

/// Attribute of a login item with the hash of the password.
const PASSWORD: &str = "password";

/// Attribute of a member whose address is verified; missing for others.
const EMAIL_VERIFIED: &str = "emailVerified";

/// Member item, which leads from an id to the login item.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct MemberRecord {
    email: String,
    /// Copy of the epoch in the login item, for sessions, which know only the id.
    #[serde(default, skip_serializing_if = "is_zero")]
    epoch: u64,
    /// Copy of the marker in the login item, for holds, which know only the id.
    #[serde(default, skip_serializing_if = "is_false")]
    email_verified: bool,
}

/// Login item, which has all data of a member; its key has the canonical address.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct LoginRecord {
    id: Uuid,
    email: String,
    name: String,
    nickname: String,
    password: String,
    #[serde(default, skip_serializing_if = "is_zero")]
    epoch: u64,
    #[serde(default, skip_serializing_if = "is_false")]
    email_verified: bool,
}

impl StoredMember {
    /// Returns a member as a registration stores them.
    #[must_use]
    pub fn new(member: Member, password: PasswordHash) -> Self {
        Self { member, password, epoch: 0, email_verified: false }
    }
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
        let record = MemberRecord { email: member.email.as_str().to_owned(), epoch: 0, email_verified: false };
        let mut transaction = Transaction::new(&self.table);
        let login = to_item(&LoginRecord::from(&StoredMember::new(member.clone(), password.clone())))?;
        transaction.add(Write::put_new(keys::login(&member.email), login), Error::EmailTaken);
        transaction.add(lock_nickname(member), Error::NicknameTaken);
        let id_exists = Error::Unexpected("new member id already exists".into());
        transaction.add(Write::put_new(keys::member(member.id), to_item(&record)?), id_exists);
        Ok(transaction.commit().await?)
    }

    /// Returns the e-mail address of the member with an id.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn email(&self, id: Uuid) -> Result<Option<Email>, Error> {
        let Some(item) = self.table.get(&keys::member(id)).await? else { return Ok(None) };
        email_of(item).map(Some)
    }

    /// Returns true if the address of the member with an id is verified; `None` if there is no such member.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn is_email_verified(&self, id: Uuid) -> Result<Option<bool>, Error> {
        let Some(item) = self.table.get(&keys::member(id)).await? else { return Ok(None) };
        Ok(Some(from_item::<MemberRecord>(item)?.email_verified))
    }

    /// Returns the member with an id.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a read fails.
    pub async fn by_id(&self, id: Uuid) -> Result<Option<StoredMember>, Error> {
        let Some(email) = self.email(id).await? else { return Ok(None) };
        // Since the id led to the address, another member may have registered it.
        Ok(self.by_email(&email).await?.filter(|stored| stored.member.id == id))
    }

    /// Returns the member who asks with an access token.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken` if the member has withdrawn, `Database` if a read fails.
    pub async fn authenticated(&self, asking: Uuid) -> Result<StoredMember, Error> {
        self.by_id(asking).await?.ok_or(Error::InvalidAccessToken)
    }

    /// Returns the member with an id, if it is the one who asks with an access token.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken` if the one who asks has withdrawn, `NotTheMember` if the id is another one,
    /// `Database` if a read fails.
    pub async fn own(&self, asking: Uuid, id: Uuid) -> Result<StoredMember, Error> {
        let stored = self.authenticated(asking).await?;
        if stored.member.id == id { Ok(stored) } else { Err(Error::NotTheMember) }
    }

    /// Returns the member with an e-mail address.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the read fails.
    pub async fn by_email(&self, email: &Email) -> Result<Option<StoredMember>, Error> {
        let Some(item) = self.table.get(&keys::login(email)).await? else { return Ok(None) };
        Ok(Some(from_item::<LoginRecord>(item)?.into()))
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
            .set_key(Some(keys::login(&stored.member.email).attributes()))
            .update_expression("SET password = :new")
            .condition_expression("password = :old")
            .expression_attribute_values(":old", text(stored.password.as_str()))
            .expression_attribute_values(":new", text(new.as_str()))
            .send()
            .await;
        condition_met(updated).map(drop)
    }

    /// Repeats an attempt to change a member, a read and a transaction, until no simultaneous change comes in between.
    ///
    /// The attempt learns if it is the first one.
    ///
    /// # Errors
    ///
    /// Returns the error of an attempt, or `Database` after the time limit of two calls.
    pub async fn until_decided<T, F>(&self, attempt: impl Fn(bool) -> F) -> Result<T, Error>
    where
        F: Future<Output = Result<T, TransactionError>>,
    {
        let attempts = Attempts::default();
        until_decided(&self.table, || attempt(attempts.is_first())).await
    }

    /// Replaces a member's name, nickname, password hash and epoch, with one transaction.
    ///
    /// # Errors
    ///
    /// Stores nothing and returns `Lost` if the member was changed or removed since it was read, or `NicknameTaken` if
    /// another member has the new nickname. Returns `Database` if the outcome is unknown.
    pub async fn replace(&self, old: &StoredMember, new: &StoredMember) -> Result<(), TransactionError> {
        let login = to_item(&LoginRecord::from(new))?;
        let mut transaction = Transaction::new(&self.table);
        transaction.add(if_unchanged(old, Write::put(keys::login(&new.member.email), login))?, TransactionError::Lost);
        let (old_lock, new_lock) = (keys::nickname(&old.member.nickname), keys::nickname(&new.member.nickname));
        if new_lock != old_lock {
            transaction.add(lock_nickname(&new.member), Error::NicknameTaken);
            transaction.add_unconditional(Write::delete(old_lock));
        }
        if new.epoch != old.epoch {
            transaction.add_unconditional(Write::update(keys::member(new.member.id)).set(EPOCH, number(new.epoch)));
        }
        transaction.commit().await
    }

    /// Marks the address of a member as verified, and sets a new password if there is one, with one transaction.
    ///
    /// Returns false and stores nothing if the member has another password or was removed since it was read. It changes
    /// only these attributes, so other changes of the member, however many, cannot keep it waiting.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the outcome is unknown.
    pub async fn verify_email(&self, old: &StoredMember, new_password: Option<&PasswordHash>) -> Result<bool, Error> {
        let verified = || AttributeValue::Bool(true);
        let mut login = Write::update(keys::login(&old.member.email)).set(EMAIL_VERIFIED, verified());
        let mut copies = Write::update(keys::member(old.member.id)).set(EMAIL_VERIFIED, verified());
        if let Some(password) = new_password {
            let epoch = number(old.epoch + 1);
            login = login.set(PASSWORD, text(password.as_str())).set(EPOCH, epoch.clone());
            copies = copies.set(EPOCH, epoch);
        }
        let login = with_epoch(login.only_if(ID, "=", text(old.member.id)), old.epoch);
        let mut transaction = Transaction::new(&self.table);
        transaction.add(login, TransactionError::Lost);
        transaction.add_unconditional(copies);
        transaction.commit_unless_lost().await
    }

    /// Removes a member, with one transaction.
    ///
    /// # Errors
    ///
    /// Removes nothing and returns `Lost` if the member was changed or removed since it was read. Returns `Database` if
    /// the outcome is unknown.
    pub async fn remove(&self, stored: &StoredMember) -> Result<(), TransactionError> {
        let member = &stored.member;
        let mut transaction = Transaction::new(&self.table);
        transaction.add(if_unchanged(stored, Write::delete(keys::login(&member.email)))?, TransactionError::Lost);
        transaction.add_unconditional(Write::delete(keys::nickname(&member.nickname)));
        transaction.add_unconditional(Write::delete(keys::member(member.id)));
        transaction.commit().await
    }
}

/// Adds the condition of optimistic locking to the write of a login item: the item is as it was read.
///
/// Every transaction that changes an item of a member also checks the login item. So this item alone needs a
/// condition, and the nickname that is deleted is the member's own.
fn if_unchanged(stored: &StoredMember, write: Write) -> Result<Write, Error> {
    let attributes = to_item(&LoginRecord::from(stored))?;
    let write = if stored.email_verified { write } else { write.if_absent(EMAIL_VERIFIED) };
    Ok(attributes.into_iter().fold(write, |write, (name, value)| write.only_if(&name, "=", value)))
}

/// Returns the address in a member item.
pub(crate) fn email_of(item: Item) -> Result<Email, Error> {
    from_item::<MemberRecord>(item).map(|record| Email::from_stored(record.email))
}

/// Builds the condition that a member exists, with this epoch.
pub(super) fn epoch_is(member: Uuid, epoch: u64) -> Write {
    with_epoch(Write::check(keys::member(member)).if_present(PARTITION), epoch)
}

/// Adds the condition that an item has this epoch.
fn with_epoch(write: Write, epoch: u64) -> Write {
    if epoch == 0 { write.if_absent(EPOCH) } else { write.only_if(EPOCH, "=", number(epoch)) }
}

/// Returns the epoch of a member item.
pub(super) fn epoch_of(item: Item) -> Result<u64, Error> {
    from_item::<MemberRecord>(item).map(|record| record.epoch)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_zero(epoch: &u64) -> bool {
    *epoch == 0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde requires a reference")]
fn is_false(flag: &bool) -> bool {
    !flag
}

/// Reads a login item, as far as changes of the member are told.
pub(crate) fn read_member(item: Item) -> Result<MemberState, Error> {
    let StoredMember { member, epoch, email_verified, .. } = from_item::<LoginRecord>(item)?.into();
    Ok(MemberState { member, new_passwords: epoch, is_email_verified: email_verified })
}

/// Builds the write that locks the nickname of a member, only if it is free.
fn lock_nickname(member: &Member) -> Write {
    Write::put_new(keys::nickname(&member.nickname), Item::from([("member".to_owned(), text(member.id))]))
}

impl From<&StoredMember> for LoginRecord {
    fn from(StoredMember { member, password, epoch, email_verified }: &StoredMember) -> Self {
        Self {
            id: member.id,
            email: member.email.as_str().to_owned(),
            name: member.name.as_str().to_owned(),
            nickname: member.nickname.as_str().to_owned(),
            password: password.as_str().to_owned(),
            epoch: *epoch,
            email_verified: *email_verified,
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
        Self {
            member,
            password: PasswordHash::from_stored(record.password),
            epoch: record.epoch,
            email_verified: record.email_verified,
        }
    }
}
