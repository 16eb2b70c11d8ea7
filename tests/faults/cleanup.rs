//! Removing posters that expired.

use aws_lambda_events::dynamodb::Event;
use aws_sdk_s3::{Client, primitives::ByteStream};
use domain::error::Error;
use local::BUCKET;
use posters_cleanup::Cleanup;
use serde_json::json;
use storage::{keys, poster::PREFIX};
use tests::{Backends, Response, fault::Extent, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{End, Operation, Tally, exercise},
    stored::{Stored, has_poster},
};

/// Two posters that expired, told of together.
struct Posters {
    thumbnails: [String; 2],
    s3: Client,
}

impl Posters {
    async fn expired(stored: &Stored) -> Self {
        let thumbnails = [(); 2].map(|()| format!("{}.png", Uuid::now_v7()));
        for thumbnail in &thumbnails {
            let put = stored.s3.put_object().bucket(BUCKET).key(format!("{PREFIX}{thumbnail}"));
            put.body(ByteStream::from_static(sample::POSTER)).send().await.unwrap();
        }
        Self { thumbnails, s3: stored.s3.clone() }
    }

    /// What the stream tells; the number of a record is that of its poster.
    fn event(&self) -> Event {
        let record = |(number, thumbnail): (usize, &String)| {
            let pk = keys::poster(thumbnail).attributes()["pk"].as_s().unwrap().clone();
            json!({
                "eventID": number.to_string(),
                "eventName": "REMOVE",
                "awsRegion": "ap-northeast-2",
                "userIdentity": {"type": "Service", "principalId": "dynamodb.amazonaws.com"},
                "dynamodb": {
                    "Keys": {"pk": {"S": pk}, "sk": {"S": "POSTER"}},
                    "SequenceNumber": number.to_string(),
                    "SizeBytes": 100,
                },
            })
        };
        let records: Vec<_> = self.thumbnails.iter().enumerate().map(record).collect();
        serde_json::from_value(json!({"Records": records})).unwrap()
    }

    /// The numbers of the posters that are not removed.
    async fn failures(&self, backends: &Backends) -> Vec<usize> {
        let table = backends.table.clone();
        let cleanup = Cleanup::new(table, backends.posters.clone());
        let failures = cleanup.handle(self.event()).await.batch_item_failures;
        failures.iter().map(|failure| failure.item_identifier.as_ref().unwrap().parse().unwrap()).collect()
    }
}

impl Operation for Posters {
    const LEAVES: Option<&'static str> = None;

    fn answer(&self) -> (u16, &'static str) {
        (200, "0")
    }

    /// Each call has to succeed, or its poster is to be told of again.
    fn is_best_effort(&self, _: &str) -> bool {
        false
    }

    fn failure(&self, _: &str) -> &'static str {
        "S_002"
    }

    async fn send(&self, backends: &Backends) -> Response {
        let failures = self.failures(backends).await;
        for (number, thumbnail) in self.thumbnails.iter().enumerate() {
            assert!(
                failures.contains(&number) || !has_poster(&self.s3, thumbnail).await,
                "it is not told of"
            );
        }
        function::response_without_route(match failures.len() {
            0 => Ok(()),
            left => Err(Error::PosterStorage(left.to_string().into())),
        })
    }

    async fn check(&self, end: &End, stored: &Stored) {
        let mut left = 0;
        for thumbnail in &self.thumbnails {
            left += usize::from(stored.has_poster(thumbnail).await);
        }
        if end.broken.as_ref().is_some_and(|rule| rule.extent == Extent::Call) {
            assert!(left <= 1, "one that fails does not keep the other");
        }
        assert_eq!(self.failures(&stored.backends).await, Vec::<usize>::new());
        for thumbnail in &self.thumbnails {
            assert!(!stored.has_poster(thumbnail).await);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn cleanup_survives_faults() {
    exercise(Posters::expired, Tally { calls: 4, combinations: 74 }).await;
}
