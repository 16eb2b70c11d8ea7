//! Changes of stored members: new password hash, edit, removal.

use std::collections::HashMap;

use aws_sdk_dynamodb::types::{AttributeValue, Delete, Put, TransactWriteItem};

use crate::{
    keys::{self, PARTITION},
    member::{LoginRecord, Members, StoredMember, item, nickname_key, nickname_lock},
    table::condition_met,
    transaction::{self, Outcome, Transaction},
};
use domain::{error::Error, password::PasswordHash};

/// Meaning of a failed condition in an edit.
#[derive(Debug)]
enum Obstacle {
    /// The member was changed or removed since it was read.
    Changed,
    /// Another member has the new nickname.
    NicknameTaken,
}

impl Members {
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
        let login_key = keys::login(&new.member.email);
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
            .set_key(Some(keys::login(&member.email).attributes()))
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
