//! Restoration of a deleted event.

use domain::manager::Authentication;
use events_restore::Restore as RestoreFunction;
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
    managers: Authentication,
    expected: (u16, &'static str),
}

impl Restore {
    async fn deleted(stored: &Stored) -> Self {
        let event = sample::event();
        let created = stored.api.create(&event).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        assert_eq!(stored.api.delete(&id).await.status, 204);
        Self { event, id: id.parse().unwrap(), managers: Authentication::Open, expected: (200, "0") }
    }

    async fn owned(stored: &Stored) -> Self {
        Self { managers: Authentication::Required, ..Self::deleted(stored).await }
    }

    async fn taken(stored: &Stored) -> Self {
        let deleted = Self::deleted(stored).await;
        stored.api.create(&deleted.event).await.check(201, "0");
        Self { expected: (409, "E_001"), ..deleted }
    }
}

impl Operation for Restore {
    const STORED_KIND: Option<&'static str> = Some("SHOW");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let request = function::event_request_by(&sample::MANAGER.into(), &self.id.to_string());
        function::send(RestoreFunction::new(backends.table.clone(), self.managers), request).await
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let is_restored = self.expected.0 == 200;
        let state = stored.state(self.id).await;
        assert!(is_restored || state == State::Deleted);
        if let Some(response) = outcome.success() {
            assert_eq!(state, State::Live, "an acknowledged restoration is lost");
            assert_eq!(response.data()["id"], self.id.to_string());
        }
        self.send(&stored.backends).await.check(self.expected.0, self.expected.1);
        let owner = stored.registered(&stored::event(&self.event)).await;
        assert_eq!(owner == Some(self.id), is_restored);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_survives_faults() {
    exercise(Restore::deleted, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn restore_by_owner_survives_faults() {
    exercise(Restore::owned, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rejected_restore_survives_faults() {
    exercise(Restore::taken, Tally { calls: 2, combinations: 43 }).await;
}
