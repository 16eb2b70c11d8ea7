//! Restoring a deleted event.

use events_restore::Request;
use serde_json::Value;
use tests::{Answer, Api, fault::Backends, function, sample};
use uuid::Uuid;

use crate::{
    exercise::{End, Operation},
    stored::{self, State},
};

pub struct Restore {
    event: Value,
    id: Uuid,
    result: &'static str,
}

impl Restore {
    pub async fn deleted() -> Self {
        let event = sample::event();
        let created = Api::new().create(&event).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        assert_eq!(Api::new().delete(&id).await.status, 204);
        Self { event, id: id.parse().unwrap(), result: "RESTORED" }
    }

    pub async fn claimed() -> Self {
        let deleted = Self::deleted().await;
        Api::new().create(&deleted.event).await.check(201, "0");
        Self { result: "CLAIMED", ..deleted }
    }
}

impl Operation for Restore {
    fn answer(&self) -> (u16, &'static str) {
        (200, "0")
    }

    async fn send(&self, backends: &Backends) -> Answer {
        let restore = events_restore::Restore::new(backends.table.clone());
        function::answer_without_route(restore.handle(Request { event_id: self.id.to_string() }).await)
    }

    async fn check(&self, end: &End, backends: &Backends) {
        let state = stored::state(self.id).await;
        if let Some(answer) = end.success() {
            assert_eq!(answer.data()["result"], self.result);
        }
        let is_restored = self.result == "RESTORED";
        assert!(is_restored || state == State::Deleted);
        assert!(end.success().is_none() || !is_restored || state == State::Live, "a restoration is lost");

        let again = self.send(backends).await.data()["result"].take();
        assert_eq!(again, if state == State::Live { "NOT_DELETED" } else { self.result });
        let owner = stored::registered(&stored::details(&self.event)).await;
        assert_eq!(owner == Some(self.id), is_restored);
    }
}
