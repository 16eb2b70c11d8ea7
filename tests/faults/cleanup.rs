//! Cleanup of expired posters.

use aws_sdk_s3::{Client, primitives::ByteStream};
use domain::error::Error;
use local::BUCKET;
use posters_cleanup::{Cleanup, stream::StreamEvent};
use serde_json::json;
use storage::{keys, poster::PREFIX};
use tests::{Backends, Response, fault::Extent, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{Stored, has_poster},
};

/// Two expired posters in one event of the stream.
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

    /// Builds the event of the stream; each record has the number of its poster.
    fn event(&self) -> StreamEvent {
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

    /// Runs the cleanup and returns the numbers of the failed posters.
    async fn failures(&self, backends: &Backends) -> Vec<usize> {
        let table = backends.table.clone();
        let cleanup = Cleanup::new(table, backends.posters.clone());
        let failures = cleanup.handle(self.event()).await.batch_item_failures;
        failures.iter().map(|failure| failure.item_identifier.parse().unwrap()).collect()
    }
}

impl Operation for Posters {
    const STORED_KIND: Option<&'static str> = None;

    fn expected_response(&self) -> (u16, &'static str) {
        (200, "0")
    }

    /// Each failed call fails its poster, so that the stream retries it.
    fn is_best_effort(&self, _: &str, _: usize) -> bool {
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
                "the failure is not reported"
            );
        }
        function::response_without_route(match failures.len() {
            0 => Ok(()),
            failed => Err(Error::PosterStorage(failed.to_string().into())),
        })
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let mut remaining = 0;
        for thumbnail in &self.thumbnails {
            remaining += usize::from(stored.has_poster(thumbnail).await);
        }
        if outcome.broken.as_ref().is_some_and(|rule| rule.extent == Extent::Call) {
            assert!(remaining <= 1, "one failure keeps both posters");
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
