//! Floor of `events-create`, `events-thumbnail` and `posters-cleanup`: only their calls to S3 and DynamoDB. A body is stored as it is sent.

use aws_sdk_dynamodb::{
    primitives::Blob,
    types::{AttributeValue, Delete, Put, TransactWriteItem, Update},
};
use aws_sdk_s3::primitives::ByteStream;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use peers::{Event, Item, RESPONSE, Response, connect, dynamodb, item, put_new, s3, text, variable};

struct Bare {
    dynamodb: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    table: String,
    bucket: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let aws = connect()?;
    let bare = Bare {
        dynamodb: dynamodb(&aws)?,
        s3: s3(&aws)?,
        table: variable("TABLE_NAME")?,
        bucket: variable("BUCKET_NAME")?,
    };
    let function = variable("AWS_LAMBDA_FUNCTION_NAME")?;
    let (bare, function) = (&bare, function.as_str());
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Event>| async move {
        match function {
            "events-create" => bare.create(&event.payload, &event.context.request_id).await,
            "events-thumbnail" => bare.replace(&event.payload, &event.context.request_id).await,
            "posters-cleanup" => bare.remove().await,
            other => Err(format!("no function {other}").into()),
        }
    }))
    .await
}

impl Bare {
    async fn remove(&self) -> Result<Response, Error> {
        let id = "019b0a7c-3c80-7d3e-9f51-6a2b8c4d0e17";
        let key = item(format!("EVENT#{id}"), "EVENT", []);
        self.dynamodb.get_item().table_name(&self.table).set_key(Some(key)).consistent_read(true).send().await?;
        self.s3.delete_object().bucket(&self.bucket).key(format!("upload/{id}.jpg")).send().await?;
        Ok(RESPONSE)
    }

    async fn create(&self, event: &Event, id: &str) -> Result<Response, Error> {
        let body = event.body()?;
        // As long as the record of an event and its seat map together.
        let fields = String::from_utf8_lossy(&body[..body.len().min(1_600)]).into_owned();
        let thumbnail = format!("{id}.jpg");
        self.store_poster(&thumbnail, body).await?;
        // As long as a digest.
        let lock_partition = format!("SHOW#{id}-------");
        let record = item(
            format!("EVENT#{id}"),
            "EVENT",
            [
                ("id", text(id)),
                ("manager", text(id)),
                ("description", text(fields)),
                ("version", AttributeValue::N("0".to_owned())),
                ("chunks", AttributeValue::N("1".to_owned())),
                ("listing", text("LIVE")),
            ],
        );
        let chunk = item(format!("EVENT#{id}"), "MAP#000", [("data", AttributeValue::B(Blob::new([0; 400])))]);
        let puts = [record, chunk].map(|item| put_new(&self.table, item));
        let mut writes: Vec<_> = puts.into_iter().collect::<Result<_, _>>()?;
        let locks = Update::builder()
            .table_name(&self.table)
            .set_key(Some(item(lock_partition, "SHOW#00", [])))
            .update_expression("SET #0 = :event, #1 = :event")
            .condition_expression("attribute_not_exists(#0) AND attribute_not_exists(#1)")
            .expression_attribute_names("#0", "2027-01-15T08:00:00Z")
            .expression_attribute_names("#1", "2027-01-16T08:00:00Z")
            .expression_attribute_values(":event", text(id))
            .build()?;
        writes.push(TransactWriteItem::builder().update(locks).build());
        writes.push(self.keep_poster(&thumbnail)?);
        self.dynamodb.transact_write_items().set_transact_items(Some(writes)).send().await?;
        Ok(RESPONSE)
    }

    async fn replace(&self, event: &Event, id: &str) -> Result<Response, Error> {
        let key = item(format!("EVENT#{}", event.event_id()?), "EVENT", []);
        let read = || self.dynamodb.get_item().table_name(&self.table).set_key(Some(key.clone())).consistent_read(true);
        read().send().await?.item.ok_or("no event")?;
        let thumbnail = format!("{id}-{id}.jpg");
        self.store_poster(&thumbnail, event.body()?).await?;
        let mut found = read().send().await?.item.ok_or("no event")?;
        let update = Update::builder()
            .table_name(&self.table)
            .set_key(Some(key.clone()))
            .update_expression("SET #thumbnail = :thumbnail, #version = :new")
            .condition_expression("attribute_exists(#listing) AND #version = :version")
            .expression_attribute_names("#thumbnail", "thumbnail")
            .expression_attribute_names("#version", "version")
            .expression_attribute_names("#listing", "listing")
            .expression_attribute_values(":thumbnail", text(thumbnail.as_str()))
            .expression_attribute_values(":version", found.remove("version").ok_or("no version")?)
            .expression_attribute_values(":new", AttributeValue::N("1".to_owned()))
            .build()?;
        let old = Put::builder().table_name(&self.table).set_item(Some(expiry_record(&format!("{id}.jpg")))).build()?;
        let writes = vec![
            TransactWriteItem::builder().update(update).build(),
            self.keep_poster(&thumbnail)?,
            TransactWriteItem::builder().put(old).build(),
        ];
        self.dynamodb.transact_write_items().set_transact_items(Some(writes)).send().await?;
        Ok(RESPONSE)
    }

    /// Stores an expiry record, then the poster.
    async fn store_poster(&self, thumbnail: &str, poster: Vec<u8>) -> Result<(), Error> {
        self.dynamodb
            .put_item()
            .table_name(&self.table)
            .set_item(Some(expiry_record(thumbnail)))
            .condition_expression("attribute_not_exists(#pk)")
            .expression_attribute_names("#pk", "pk")
            .send()
            .await?;
        self.s3
            .put_object()
            .bucket(&self.bucket)
            .key(format!("upload/{thumbnail}"))
            .content_type("image/jpeg")
            .cache_control("public, max-age=31536000, immutable")
            .body(ByteStream::from(poster))
            .send()
            .await?;
        Ok(())
    }

    /// Builds the write that deletes an expiry record.
    fn keep_poster(&self, thumbnail: &str) -> Result<TransactWriteItem, Error> {
        let delete = Delete::builder()
            .table_name(&self.table)
            .set_key(Some(item(format!("POSTER#{thumbnail}"), "POSTER", [])))
            .condition_expression("attribute_exists(#pk)")
            .expression_attribute_names("#pk", "pk")
            .build()?;
        Ok(TransactWriteItem::builder().delete(delete).build())
    }
}

fn expiry_record(thumbnail: &str) -> Item {
    let expires = AttributeValue::N("1796083200".to_owned());
    item(format!("POSTER#{thumbnail}"), "POSTER", [("expiresAt", expires)])
}
