//! The calls to S3 and DynamoDB of `events-create`, and nothing more: what is sent is stored as it is.

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use aws_sdk_s3::primitives::ByteStream;
use lambda_runtime::{Error, LambdaEvent, service_fn};
use peers::{ANSWER, Answer, Event, item, put_new, text, variable};
use shared::{aws, config::Config};

struct Bare {
    dynamodb: aws_sdk_dynamodb::Client,
    s3: aws_sdk_s3::Client,
    table: String,
    bucket: String,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Error> {
    let aws = aws::connect(Config::from_env())?;
    let bare = Bare {
        dynamodb: aws_sdk_dynamodb::Client::new(&aws),
        s3: aws_sdk_s3::Client::new(&aws),
        table: variable("TABLE_NAME")?,
        bucket: variable("BUCKET_NAME")?,
    };
    let bare = &bare;
    lambda_runtime::run(service_fn(move |event: LambdaEvent<Event>| async move {
        bare.create(&event.payload, &event.context.request_id).await
    }))
    .await
}

impl Bare {
    async fn create(&self, event: &Event, id: &str) -> Result<Answer, Error> {
        let body = event.body()?;
        // What is not the poster: as long as an event's record and its seat map are together.
        let fields = String::from_utf8_lossy(&body[..body.len().min(1_600)]).into_owned();
        self.s3
            .put_object()
            .bucket(&self.bucket)
            .key(format!("upload/{id}.jpg"))
            .content_type("image/jpeg")
            .cache_control("public, max-age=31536000, immutable")
            .body(ByteStream::from(body))
            .send()
            .await?;
        let shows = ["2025-04-26T05:00:00Z", "2025-04-27T05:00:00Z"];
        let record = item(
            format!("EVENT#{id}"),
            "EVENT",
            [
                ("id", text(id)),
                ("manager", text(id)),
                ("thumbnail", text(format!("{id}.jpg"))),
                ("title", text("봄 콘서트")),
                ("description", text(fields)),
                ("place", text("올림픽공원 올림픽홀")),
                ("artist", text("아이유")),
                ("eventOpenTime", text(shows[0])),
                ("ticketingOpenTime", text(shows[1])),
                ("shows", AttributeValue::L(shows.map(text).into())),
                ("chunks", AttributeValue::N("1".to_owned())),
                ("listing", text("LIVE")),
            ],
        );
        let chunk =
            item(format!("EVENT#{id}"), "MAP#000", [("data", AttributeValue::B(Blob::new([0; 400])))]);
        // As long as the digests are.
        let lock = |show: usize| item(format!("SHOW#{id}------{show}"), "SHOW", [("event", text(id))]);
        let puts = [record, chunk, lock(0), lock(1)].map(|item| put_new(&self.table, item));
        self.dynamodb
            .transact_write_items()
            .set_transact_items(Some(puts.into_iter().collect::<Result<_, _>>()?))
            .send()
            .await?;
        Ok(ANSWER)
    }
}
