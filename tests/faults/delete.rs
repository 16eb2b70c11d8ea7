//! Deletion of an event.

use domain::manager::Authentication;
use tests::{Backends, Response, function, sample};

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{State, Stored},
};

struct Delete {
    id: String,
    managers: Authentication,
    expected: (u16, &'static str),
}

impl Delete {
    async fn live(stored: &Stored) -> Self {
        let created = stored.api.create(&sample::event()).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        Self { id, managers: Authentication::Open, expected: (204, "0") }
    }

    async fn owned(stored: &Stored) -> Self {
        Self { managers: Authentication::Required, ..Self::live(stored).await }
    }

    async fn deleted(stored: &Stored) -> Self {
        Self { id: deleted_id(stored).await, managers: Authentication::Open, expected: (404, "E_002") }
    }
}

/// Registers and deletes an event, and returns its id.
pub async fn deleted_id(stored: &Stored) -> String {
    let Delete { id, .. } = Delete::live(stored).await;
    assert_eq!(stored.api.delete(&id).await.status, 204);
    id
}

impl Operation for Delete {
    const STORED_KIND: Option<&'static str> = Some("EVENT");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let request = function::event_request_by(&sample::MANAGER.into(), &self.id);
        function::send(events_delete::Delete::new(table, self.managers), request).await
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let id = self.id.parse().unwrap();
        let state = stored.state(id).await;
        let repeated = self.send(&stored.backends).await;
        match state {
            State::Live => {
                assert!(self.expected.0 == 204 && outcome.success().is_none(), "an acknowledged deletion is lost");
                assert_eq!(repeated.status, 204);
            }
            State::Deleted => repeated.check(404, "E_002"),
            State::Absent => panic!("the event cannot be restored"),
        }
        assert_eq!(stored.state(id).await, State::Deleted);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn delete_survives_faults() {
    exercise(Delete::live, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn delete_by_owner_survives_faults() {
    exercise(Delete::owned, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_delete_survives_faults() {
    exercise(Delete::deleted, Tally { calls: 1, combinations: 20 }).await;
}
