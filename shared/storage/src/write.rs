//! Writes of single items in a transaction, with their conditions.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    error::BuildError,
    types::{AttributeValue, ConditionCheck, Delete, Put, TransactWriteItem, Update},
};

use crate::{
    keys::{Key, PARTITION, VERSION},
    table::Item,
};

/// Put, update, deletion or only check of an item, which is carried out only if all its conditions are met.
///
/// Names of attributes become placeholders, so they may be reserved words of DynamoDB.
#[derive(Debug)]
pub struct Write {
    kind: Kind,
    key: Key,
    set: Vec<String>,
    added: Vec<String>,
    removed: Vec<String>,
    conditions: Vec<String>,
    names: HashMap<String, String>,
    values: HashMap<String, AttributeValue>,
}

#[derive(Debug)]
enum Kind {
    Put(Item),
    Update,
    Delete,
    Check,
}

impl Write {
    /// Stores an item with these attributes, in place of an existing one.
    pub fn put(key: Key, attributes: Item) -> Self {
        Self::new(Kind::Put(attributes), key)
    }

    /// Stores an item with these attributes, only if the key is new.
    pub fn put_new(key: Key, attributes: Item) -> Self {
        Self::put(key, attributes).if_absent(PARTITION)
    }

    /// Changes the attributes that are set and removed; makes the item if there is none.
    pub fn update(key: Key) -> Self {
        Self::new(Kind::Update, key)
    }

    /// Deletes the item, if there is one.
    pub fn delete(key: Key) -> Self {
        Self::new(Kind::Delete, key)
    }

    /// Changes nothing, but the item must meet the conditions.
    pub fn check(key: Key) -> Self {
        Self::new(Kind::Check, key)
    }

    fn new(kind: Kind, key: Key) -> Self {
        let (set, added, removed, conditions) = Default::default();
        Self { kind, key, set, added, removed, conditions, names: HashMap::new(), values: HashMap::new() }
    }

    /// Sets an attribute in an update.
    pub fn set(mut self, name: &str, value: AttributeValue) -> Self {
        let assignment = format!("{} = {}", self.name(name), self.value(value));
        self.set.push(assignment);
        self
    }

    /// Adds to a number in an update; a missing one is 0.
    pub fn increase(mut self, name: &str, by: i64) -> Self {
        let addition = format!("{} {}", self.name(name), self.value(AttributeValue::N(by.to_string())));
        self.added.push(addition);
        self
    }

    /// Removes an attribute in an update.
    pub fn remove(mut self, name: &str) -> Self {
        let name = self.name(name);
        self.removed.push(name);
        self
    }

    /// Adds the condition that the item has an attribute.
    pub fn if_present(mut self, name: &str) -> Self {
        let condition = format!("attribute_exists({})", self.name(name));
        self.conditions.push(condition);
        self
    }

    /// Adds the condition that the item lacks an attribute.
    pub fn if_absent(mut self, name: &str) -> Self {
        let condition = format!("attribute_not_exists({})", self.name(name));
        self.conditions.push(condition);
        self
    }

    /// Adds the condition that an attribute compares to a value by this operator.
    pub fn only_if(mut self, name: &str, operator: &str, value: AttributeValue) -> Self {
        let condition = format!("{} {operator} {}", self.name(name), self.value(value));
        self.conditions.push(condition);
        self
    }

    /// Adds the condition that the item has the version that was read; 0 if there was no item.
    pub fn if_version(self, version: u64) -> Self {
        match version {
            0 => self.if_absent(VERSION),
            version => self.only_if(VERSION, "=", AttributeValue::N(version.to_string())),
        }
    }

    /// Adds the condition that the bytes of an attribute begin with these.
    pub fn if_begins_with(mut self, name: &str, start: AttributeValue) -> Self {
        let condition = format!("begins_with({}, {})", self.name(name), self.value(start));
        self.conditions.push(condition);
        self
    }

    /// Adds the condition that the item lacks an attribute, or has a smaller one.
    pub fn if_absent_or_less(mut self, name: &str, value: AttributeValue) -> Self {
        let (name, value) = (self.name(name), self.value(value));
        self.conditions.push(format!("(attribute_not_exists({name}) OR {name} < {value})"));
        self
    }

    /// Adds the condition that the item lacks an attribute, or has a smaller one, or this other one.
    pub fn if_absent_less_or_equal(mut self, name: &str, value: AttributeValue, other: AttributeValue) -> Self {
        let (name, value, other) = (self.name(name), self.value(value), self.value(other));
        self.conditions.push(format!("(attribute_not_exists({name}) OR {name} < {value} OR {name} = {other})"));
        self
    }

    fn name(&mut self, name: &str) -> String {
        let placeholder = format!("#{}", self.names.len());
        self.names.insert(placeholder.clone(), name.to_owned());
        placeholder
    }

    fn value(&mut self, value: AttributeValue) -> String {
        let placeholder = format!(":{}", self.values.len());
        self.values.insert(placeholder.clone(), value);
        placeholder
    }

    /// Builds the write for the table with this name.
    pub(super) fn build(self, table: &str) -> Result<TransactWriteItem, BuildError> {
        let key = self.key.attributes();
        let condition = (!self.conditions.is_empty()).then(|| self.conditions.join(" AND "));
        // DynamoDB rejects empty maps.
        let names = Some(self.names).filter(|names| !names.is_empty());
        let values = Some(self.values).filter(|values| !values.is_empty());
        let write = TransactWriteItem::builder();
        Ok(match self.kind {
            Kind::Put(attributes) => {
                let put = Put::builder().table_name(table).set_item(Some(key.into_iter().chain(attributes).collect()));
                let put = put.set_condition_expression(condition).set_expression_attribute_names(names);
                write.put(put.set_expression_attribute_values(values).build()?)
            }
            Kind::Update => {
                let clauses =
                    [("SET", self.set), ("ADD", self.added), ("REMOVE", self.removed)].map(|(clause, parts)| {
                        if parts.is_empty() { String::new() } else { format!("{clause} {} ", parts.join(", ")) }
                    });
                let update = Update::builder().table_name(table).set_key(Some(key)).update_expression(clauses.concat());
                let update = update.set_condition_expression(condition).set_expression_attribute_names(names);
                write.update(update.set_expression_attribute_values(values).build()?)
            }
            Kind::Delete => {
                let delete = Delete::builder().table_name(table).set_key(Some(key));
                let delete = delete.set_condition_expression(condition).set_expression_attribute_names(names);
                write.delete(delete.set_expression_attribute_values(values).build()?)
            }
            Kind::Check => {
                let check = ConditionCheck::builder().table_name(table).set_key(Some(key));
                let check = check.set_condition_expression(condition).set_expression_attribute_names(names);
                write.condition_check(check.set_expression_attribute_values(values).build()?)
            }
        }
        .build())
    }
}
