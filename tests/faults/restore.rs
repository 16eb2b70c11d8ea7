//! Restoration of a deleted event.

use events_restore::Request;
use serde_json::Value;
use tests::{Backends, Response, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{self, State, Stored},
};

struct Restore {
    event: Value,
    id: Uuid,
    result: &'static str,
}

impl Restore {
    async fn deleted(stored: &Stored) -> Self {
        let event = sample::event();
        let created = stored.api.create(&event).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        assert_eq!(stored.api.delete(&id).await.status, 204);
        Self { event, id: id.parse().unwrap(), result: "RESTORED" }
    }

    async fn claimed(stored: &Stored) -> Self {
        let deleted = Self::deleted(stored).await;
        stored.api.create(&deleted.event).await.check(201, "0");
        Self { result: "CLAIMED", ..deleted }
    }
}

impl Operation for Restore {
    const STORED_KIND: Option<&'static str> = Some("SHOW");

    fn expected_response(&self) -> (u16, &'static str) {
        (200, "0")
    }

    async fn send(&self, backends: &Backends) -> Response {
        let restore = events_restore::Restore::new(backends.table.clone());
        function::response_without_route(restore.handle(Request { event_id: self.id.to_string() }).await)
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let state = stored.state(self.id).await;
        if let Some(response) = outcome.success() {
            assert_eq!(response.data()["result"], self.result);
        }
        let is_restored = self.result == "RESTORED";
        assert!(is_restored || state == State::Deleted);
        assert!(outcome.success().is_none() || !is_restored || state == State::Live, "a restoration is lost");

        let repeated = self.send(&stored.backends).await.data()["result"].take();
        assert_eq!(repeated, if state == State::Live { "NOT_DELETED" } else { self.result });
        let owner = stored.registered(&stored::details(&self.event)).await;
        assert_eq!(owner == Some(self.id), is_restored);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_survives_faults() {
    exercise(Restore::deleted, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn claimed_restore_survives_faults() {
    exercise(Restore::claimed, Tally { calls: 2, combinations: 43 }).await;
}
