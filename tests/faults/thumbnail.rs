//! Replacement of a poster.

use domain::manager::Authentication;
use events_thumbnail::ReplaceThumbnail;
use serde_json::Value;
use storage::keys;
use tests::{Backends, Response, function, sample};

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{State, Stored},
};

struct Replacement {
    id: String,
    /// File name of the poster of the registration.
    before: String,
    expected: (u16, &'static str),
}

impl Replacement {
    async fn of_live_event(stored: &Stored) -> Self {
        let created = stored.api.create(&sample::event()).await.expect(201, "0").data();
        let text = |name: &str| created[name].as_str().unwrap().to_owned();
        Self { id: text("id"), before: text("thumbnail"), expected: (200, "0") }
    }

    async fn of_deleted_event(stored: &Stored) -> Self {
        let replacement = Self::of_live_event(stored).await;
        assert_eq!(stored.api.delete(&replacement.id).await.status, 204);
        Self { expected: (404, "E_002"), ..replacement }
    }
}

impl Operation for Replacement {
    const STORED_KIND: Option<&'static str> = Some("EVENT");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let (table, posters) = (backends.table.clone(), backends.posters.clone());
        let replace = ReplaceThumbnail::new(table, posters, Authentication::Open);
        function::send(replace, function::thumbnail_request(&self.id)).await
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let id = self.id.parse().unwrap();
        if self.expected.0 == 404 {
            assert_eq!(stored.state(id).await, State::Deleted);
            return self.send(&stored.backends).await.check(404, "E_002");
        }
        // The state also shows that the poster of the event does not expire.
        assert_eq!(stored.state(id).await, State::Live);
        let current = stored.api.event(&self.id).await.expect(200, "0").data()["thumbnail"].take();
        let current = current.as_str().unwrap();
        if let Some(replaced) = outcome.success() {
            assert_eq!(replaced.data()["thumbnail"], Value::from(current), "an acknowledged poster is lost");
        }
        let put = outcome.calls.iter().filter_map(|call| call.strip_prefix("PUT /posters/upload/"));
        for thumbnail in put.chain([self.before.as_str(), current]) {
            let expires = stored.item(&keys::poster(thumbnail)).await.is_some();
            let exists = stored.has_poster(thumbnail).await;
            if thumbnail == current {
                assert!(exists && !expires, "the poster of an event must exist and not expire");
            } else {
                assert!(expires || !exists, "an orphan must expire");
            }
        }
        self.send(&stored.backends).await.check(200, "0");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn replacement_survives_faults() {
    exercise(Replacement::of_live_event, Tally { calls: 5, combinations: 100 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replacement_for_deleted_event_survives_faults() {
    exercise(Replacement::of_deleted_event, Tally { calls: 1, combinations: 20 }).await;
}
