//! Floor of the functions without calls to S3: only their calls to DynamoDB.

use std::collections::HashMap;

use aws_sdk_dynamodb::{
    Client,
    operation::update_item::builders::UpdateItemFluentBuilder,
    types::{AttributeValue, Delete, KeysAndAttributes, Put, TransactWriteItem, Update},
};
use lambda_runtime::{Error, LambdaEvent, service_fn};
use peers::{Event, Item, RESPONSE, Response, connect, dynamodb, item, put_new, text, variable};
use serde::Deserialize;

/// Request of a member.
#[derive(Deserialize)]
struct Member {
    #[serde(default)]
    email: String,
    name: Option<String>,
    nickname: Option<String>,
    password: String,
}

/// Password that no member has.
const WRONG_PASSWORD: &str = "비밀번호4321!";

/// Client of all requests.
const CLIENT: &str = "203.0.113.24";

/// Condition expression of optimistic locking.
const UNCHANGED: &str = "#id = :id AND #name = :name AND #nickname = :nickname AND #password = :password";

/// Manager of all events.
const MANAGER: &str = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";

struct Bare {
    dynamodb: Client,
    table: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let bare = Bare { dynamodb: dynamodb(&connect()?)?, table: variable("TABLE_NAME")? };
    let function = variable("AWS_LAMBDA_FUNCTION_NAME")?;
    let (bare, function) = (&bare, function.as_str());
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Event>| async move {
        match function {
            "members-join" => bare.join(&event.payload).await,
            "members-login" => bare.login(&event.payload).await,
            "members-edit" => bare.edit_member(&event.payload).await,
            "members-withdraw" => bare.withdraw(&event.payload).await,
            "events-list" if event.payload.is_search() => bare.search().await,
            "events-list" => bare.list().await,
            "events-get" => bare.get(&event.payload).await,
            "events-detail" | "events-seat-map" => bare.hall(&event.payload).await,
            "events-edit" => bare.edit(&event.payload).await,
            "events-delete" => bare.delete(&event.payload).await,
            "events-restore" => bare.restore(&event.payload).await,
            "managers-events" => bare.own_events().await,
            other => Err(format!("no function {other}").into()),
        }
    }))
    .await
}

impl Bare {
    async fn join(&self, event: &Event) -> Result<Response, Error> {
        let Member { email, name, nickname, .. } = serde_json::from_slice(&event.body()?)?;
        let (name, nickname) = (name.unwrap_or_default(), nickname.unwrap_or_default());
        let id = "6f1dd7b4-6a24-4c53-9f5e-0d1c8a3b2e11";
        let hash = "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
        let member = [
            ("id", text(id)),
            ("email", text(&email)),
            ("name", text(&name)),
            ("nickname", text(&nickname)),
            ("password", text(hash)),
        ];
        let login = item(format!("EMAIL#{email}"), "EMAIL", member);
        let lock = item(format!("NICKNAME#{nickname}"), "NICKNAME", [("member", text(id))]);
        let record = item(format!("MEMBER#{email}"), "MEMBER", [("email", text(&email))]);
        let puts = [login, lock, record].map(|item| put_new(&self.table, item));
        self.transact(puts.into_iter().collect::<Result<_, _>>()?).await
    }

    async fn login(&self, event: &Event) -> Result<Response, Error> {
        let Member { email, password, .. } = serde_json::from_slice(&event.body()?)?;
        self.count_and_read(&email).await?;
        if password != WRONG_PASSWORD {
            self.take_back(&email).await?;
        }
        Ok(RESPONSE)
    }

    async fn edit_member(&self, event: &Event) -> Result<Response, Error> {
        let Member { name, .. } = serde_json::from_slice(&event.body()?)?;
        let mut login = self.login_of_member(event).await?;
        let (names, values) = unchanged(&login);
        login.insert("name".to_owned(), text(name.unwrap_or_default()));
        let put = Put::builder()
            .table_name(&self.table)
            .set_item(Some(login))
            .condition_expression(UNCHANGED)
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(values))
            .build()?;
        self.transact(vec![TransactWriteItem::builder().put(put).build()]).await
    }

    async fn withdraw(&self, event: &Event) -> Result<Response, Error> {
        let mut login = self.login_of_member(event).await?;
        let (names, values) = unchanged(&login);
        let nickname = login.get("nickname").and_then(|nickname| nickname.as_s().ok()).ok_or("no nickname")?;
        let nickname = item(format!("NICKNAME#{nickname}"), "NICKNAME", []);
        let member = item(format!("MEMBER#{}", event.member_id()?), "MEMBER", []);
        login.retain(|name, _| matches!(name.as_str(), "pk" | "sk"));
        let delete = |key| Delete::builder().table_name(&self.table).set_key(Some(key));
        let login = delete(login)
            .condition_expression(UNCHANGED)
            .set_expression_attribute_names(Some(names))
            .set_expression_attribute_values(Some(values));
        let deletes = [login, delete(nickname), delete(member)];
        let deletes = deletes.map(|delete| Ok(TransactWriteItem::builder().delete(delete.build()?).build()));
        self.transact(deletes.into_iter().collect::<Result<_, Error>>()?).await
    }

    /// Reads the login item of the member in the path.
    async fn login_of_member(&self, event: &Event) -> Result<Item, Error> {
        let member = self.read(item(format!("MEMBER#{}", event.member_id()?), "MEMBER", [])).await?;
        let email = member.as_ref().and_then(|member| member.get("email")?.as_s().ok()).ok_or("no member")?;
        let login = self.count_and_read(email).await?;
        self.take_back(email).await?;
        Ok(login)
    }

    /// Counts an attempt to log in, the first in 15 minutes, and reads the login item of the address.
    async fn count_and_read(&self, email: &str) -> Result<Item, Error> {
        let clients = AttributeValue::M(HashMap::from([(CLIENT.to_owned(), AttributeValue::N("1".to_owned()))]));
        let count = self
            .update_failures(email)
            .update_expression("SET #expires = :end, #failures = :one, #clients = :clients")
            .condition_expression("attribute_not_exists(#clients) OR #expires <= :now")
            .expression_attribute_values(":end", AttributeValue::N("1796084100".to_owned()))
            .expression_attribute_values(":clients", clients);
        let (counted, login) = tokio::join!(count.send(), self.read(item(format!("EMAIL#{email}"), "EMAIL", [])));
        counted?;
        Ok(login?.ok_or("no login item")?)
    }

    async fn take_back(&self, email: &str) -> Result<(), Error> {
        self.update_failures(email)
            .update_expression("SET #failures = #failures - :one REMOVE #clients.#client")
            .condition_expression("#expires > :now")
            .expression_attribute_names("#client", CLIENT)
            .send()
            .await?;
        Ok(())
    }

    fn update_failures(&self, email: &str) -> UpdateItemFluentBuilder {
        self.dynamodb
            .update_item()
            .table_name(&self.table)
            .set_key(Some(item(format!("EMAIL#{email}"), "FAILURES", [])))
            .expression_attribute_names("#expires", "expiresAt")
            .expression_attribute_names("#failures", "failures")
            .expression_attribute_names("#clients", "clients")
            .expression_attribute_values(":now", AttributeValue::N("1796083200".to_owned()))
            .expression_attribute_values(":one", AttributeValue::N("1".to_owned()))
    }

    async fn list(&self) -> Result<Response, Error> {
        self.dynamodb
            .query()
            .table_name(&self.table)
            .index_name("listing")
            .key_condition_expression("#listing = :live")
            .expression_attribute_names("#listing", "listing")
            .expression_attribute_values(":live", text("LIVE"))
            .scan_index_forward(false)
            .limit(21)
            .send()
            .await?;
        Ok(RESPONSE)
    }

    async fn search(&self) -> Result<Response, Error> {
        let mut pages = self
            .dynamodb
            .query()
            .table_name(&self.table)
            .index_name("search")
            .key_condition_expression("#listing = :live")
            .expression_attribute_names("#listing", "listing")
            .expression_attribute_values(":live", text("LIVE"))
            .into_paginator()
            .send();
        let mut found = Vec::new();
        while let Some(page) = pages.next().await {
            found.extend(page?.items.unwrap_or_default());
        }
        let key = |event: &Item| Some(item(event.get("pk")?.as_s().ok()?, "EVENT", []));
        let keys = found.iter().take(20).filter_map(key).collect();
        let keys = KeysAndAttributes::builder().set_keys(Some(keys)).build()?;
        self.dynamodb.batch_get_item().request_items(&self.table, keys).send().await?;
        Ok(RESPONSE)
    }

    async fn own_events(&self) -> Result<Response, Error> {
        self.dynamodb
            .query()
            .table_name(&self.table)
            .index_name("manager")
            .key_condition_expression("#manager = :manager")
            .filter_expression("attribute_not_exists(#expires)")
            .expression_attribute_names("#manager", "manager")
            .expression_attribute_names("#expires", "expiresAt")
            .expression_attribute_values(":manager", text(MANAGER))
            .scan_index_forward(false)
            .send()
            .await?;
        Ok(RESPONSE)
    }

    async fn get(&self, event: &Event) -> Result<Response, Error> {
        self.read(item(format!("EVENT#{}", event.event_id()?), "EVENT", [])).await?.ok_or("no event")?;
        Ok(RESPONSE)
    }

    async fn hall(&self, event: &Event) -> Result<Response, Error> {
        self.dynamodb
            .query()
            .table_name(&self.table)
            .consistent_read(true)
            .key_condition_expression("#pk = :event")
            .expression_attribute_names("#pk", "pk")
            .expression_attribute_values(":event", text(format!("EVENT#{}", event.event_id()?)))
            .send()
            .await?;
        Ok(RESPONSE)
    }

    async fn edit(&self, event: &Event) -> Result<Response, Error> {
        let key = || Ok::<_, Error>(item(format!("EVENT#{}", event.event_id()?), "EVENT", []));
        let mut found = self.read(key()?).await?.ok_or("no event")?;
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key()?))
            .update_expression("SET #title = :title, #version = :new")
            .condition_expression("attribute_exists(#listing) AND #version = :version")
            .expression_attribute_names("#title", "title")
            .expression_attribute_names("#version", "version")
            .expression_attribute_names("#listing", "listing")
            .expression_attribute_values(":title", found.remove("title").ok_or("no title")?)
            .expression_attribute_values(":version", found.remove("version").ok_or("no version")?)
            .expression_attribute_values(":new", AttributeValue::N("1".to_owned()));
        self.transact(vec![TransactWriteItem::builder().update(update.build()?).build()]).await
    }

    async fn delete(&self, event: &Event) -> Result<Response, Error> {
        let id = event.event_id()?;
        let mut found = self.read(item(format!("EVENT#{id}"), "EVENT", [])).await?.ok_or("no event")?;
        let version = found.remove("version").ok_or("no version")?;
        let expire = |sk: &str, unlist: bool| {
            let update = Update::builder()
                .table_name(&self.table)
                .set_key(Some(item(format!("EVENT#{id}"), sk, [])))
                .expression_attribute_names("#expires", "expiresAt")
                .expression_attribute_values(":at", AttributeValue::N("1796083200".to_owned()));
            let update = if unlist {
                update
                    .update_expression("SET #expires = :at REMOVE #listing")
                    .condition_expression("#version = :version AND attribute_exists(#listing)")
                    .expression_attribute_names("#listing", "listing")
                    .expression_attribute_names("#version", "version")
                    .expression_attribute_values(":version", version.clone())
            } else {
                update.update_expression("SET #expires = :at")
            };
            Ok::<_, Error>(TransactWriteItem::builder().update(update.build()?).build())
        };
        // As long as a digest.
        let lock = Update::builder()
            .table_name(&self.table)
            .set_key(Some(item(format!("SHOW#{id}-------"), "SHOW#00", [])))
            .update_expression("REMOVE #0, #1")
            .expression_attribute_names("#0", "2027-01-15T08:00:00Z")
            .expression_attribute_names("#1", "2027-01-16T08:00:00Z")
            .build()?;
        let free = TransactWriteItem::builder().update(lock).build();
        let poster = [("expiresAt", AttributeValue::N("1796083200".to_owned()))];
        let poster = item(format!("POSTER#{id}.jpg"), "POSTER", poster);
        let poster = Put::builder().table_name(&self.table).set_item(Some(poster)).build()?;
        let poster = TransactWriteItem::builder().put(poster).build();
        self.transact(vec![expire("EVENT", true)?, expire("MAP#000", false)?, free, poster]).await
    }

    async fn restore(&self, event: &Event) -> Result<Response, Error> {
        let id = event.event_id()?;
        let mut found = self.read(item(format!("EVENT#{id}"), "EVENT", [])).await?.ok_or("no event")?;
        let key = |sk: &str| Some(item(format!("EVENT#{id}"), sk, []));
        let update = || Update::builder().table_name(&self.table).expression_attribute_names("#expires", "expiresAt");
        let list = update()
            .set_key(key("EVENT"))
            .update_expression("SET #listing = :live REMOVE #expires")
            .condition_expression("#version = :version AND attribute_not_exists(#listing) AND #expires > :now")
            .expression_attribute_names("#listing", "listing")
            .expression_attribute_names("#version", "version")
            .expression_attribute_values(":version", found.remove("version").ok_or("no version")?)
            .expression_attribute_values(":live", text("LIVE"))
            .expression_attribute_values(":now", AttributeValue::N("1796083200".to_owned()));
        let keep = update()
            .set_key(key("MAP#000"))
            .update_expression("REMOVE #expires")
            .condition_expression("attribute_exists(#pk)")
            .expression_attribute_names("#pk", "pk");
        let keep_poster = Delete::builder()
            .table_name(&self.table)
            .set_key(Some(item(format!("POSTER#{id}.jpg"), "POSTER", [])))
            .condition_expression("attribute_exists(#pk)")
            .expression_attribute_names("#pk", "pk");
        // As long as a digest.
        let locks = Update::builder()
            .table_name(&self.table)
            .set_key(Some(item(format!("SHOW#{id}-------"), "SHOW#00", [])))
            .update_expression("SET #0 = :event, #1 = :event")
            .condition_expression("attribute_not_exists(#0) AND attribute_not_exists(#1)")
            .expression_attribute_names("#0", "2027-01-15T08:00:00Z")
            .expression_attribute_names("#1", "2027-01-16T08:00:00Z")
            .expression_attribute_values(":event", text(id));
        let writes = vec![
            TransactWriteItem::builder().update(list.build()?).build(),
            TransactWriteItem::builder().update(keep.build()?).build(),
            TransactWriteItem::builder().delete(keep_poster.build()?).build(),
            TransactWriteItem::builder().update(locks.build()?).build(),
        ];
        self.transact(writes).await
    }

    async fn read(&self, key: Item) -> Result<Option<Item>, Error> {
        let read = self.dynamodb.get_item().table_name(&self.table).set_key(Some(key)).consistent_read(true);
        Ok(read.send().await?.item)
    }

    async fn transact(&self, writes: Vec<TransactWriteItem>) -> Result<Response, Error> {
        self.dynamodb.transact_write_items().set_transact_items(Some(writes)).send().await?;
        Ok(RESPONSE)
    }
}

/// Builds the names and the values of [`UNCHANGED`].
fn unchanged(login: &Item) -> (HashMap<String, String>, Item) {
    let attributes = ["id", "name", "nickname", "password"];
    let names = attributes.map(|name| (format!("#{name}"), name.to_owned()));
    let values = attributes.into_iter().filter_map(|name| Some((format!(":{name}"), login.get(name)?.clone())));
    (names.into(), values.collect())
}
