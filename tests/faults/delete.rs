//! Deleting an event.

use domain::manager::Verification;
use tests::{Answer, Api, fault::Backends, function, sample};

use crate::{
    exercise::{End, Operation},
    stored::{self, State},
};

pub struct Delete {
    id: String,
    managers: Verification,
    answer: (u16, &'static str),
}

impl Delete {
    pub async fn live() -> Self {
        let created = Api::new().create(&sample::event()).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        Self { id, managers: Verification::Open, answer: (204, "0") }
    }

    pub async fn owned() -> Self {
        Self { managers: Verification::Required, ..Self::live().await }
    }

    pub async fn deleted() -> Self {
        Self { id: deleted().await, managers: Verification::Open, answer: (404, "E_002") }
    }
}

/// The id of an event that was deleted.
pub async fn deleted() -> String {
    let Delete { id, .. } = Delete::live().await;
    assert_eq!(Api::new().delete(&id).await.status, 204);
    id
}

impl Operation for Delete {
    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Answer {
        let table = backends.table.clone();
        let request = function::of_event_by(&sample::MANAGER.into(), &self.id);
        function::answer(events_delete::Delete::new(table, self.managers), request).await
    }

    async fn check(&self, end: &End, backends: &Backends) {
        let id = self.id.parse().unwrap();
        let state = stored::state(id).await;
        let repeated = self.send(backends).await;
        match state {
            State::Live => {
                assert!(self.answer.0 == 204 && end.success().is_none(), "an acknowledged deletion is lost");
                assert_eq!(repeated.status, 204);
            }
            State::Deleted => repeated.check(404, "E_002"),
            State::Absent => panic!("a deleted event can be restored"),
        }
        assert_eq!(stored::state(id).await, State::Deleted);
    }
}
