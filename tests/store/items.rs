//! Items of an event and their sizes.

use aws_sdk_dynamodb::types::AttributeValue;
use local::TABLE;
use storage::{keys::SEARCHED, table::Item};
use tests::stack;
use uuid::Uuid;

/// Returns all items whose key or attributes name the event.
pub async fn items_of(event: Uuid) -> Vec<Item> {
    let items = stack().dynamodb().scan().table_name(TABLE).into_paginator().items().send();
    let items = items.collect::<Result<Vec<_>, _>>().await.unwrap();
    let text = event.to_string();
    let names = |value: &AttributeValue| value.as_s().is_ok_and(|value| value.contains(&text));
    items.into_iter().filter(|item| item.values().any(names)).collect()
}

/// Computes the size of an item by DynamoDB's rules: names and values in UTF-8 or bytes,
/// one byte for each element of a list, and three for the list.
pub fn size(item: &Item) -> usize {
    fn value(attribute: &AttributeValue) -> usize {
        match attribute {
            AttributeValue::S(text) => text.len(),
            AttributeValue::B(bytes) => bytes.as_ref().len(),
            AttributeValue::N(number) => number.len().div_ceil(2) + 1,
            AttributeValue::L(list) => 3 + list.iter().map(|entry| 1 + value(entry)).sum::<usize>(),
            other => panic!("unexpected type of attribute: {other:?}"),
        }
    }
    item.iter().map(|(name, attribute)| name.len() + value(attribute)).sum()
}

/// Computes the write units of putting items in one transaction, including the copies in the indexes.
pub fn write_units(items: &[Item]) -> usize {
    let units = |item: &Item| size(item).div_ceil(1024);
    let copies = |partition: &'static str| items.iter().filter(move |item| item.contains_key(partition));
    let indexed = copies("listing").chain(copies("manager")).map(units).sum::<usize>();
    let searched = |item: &Item| {
        let names = [&["pk", "sk", "listing"], &SEARCHED[..]].concat();
        units(&names.iter().filter_map(|&name| Some((name.to_owned(), item.get(name)?.clone()))).collect())
    };
    2 * items.iter().map(units).sum::<usize>() + indexed + copies("listing").map(searched).sum::<usize>()
}
