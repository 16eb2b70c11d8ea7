//! Edit of an event.

use domain::manager::Authentication;
use serde_json::{Value, json};
use tests::{Backends, Response, function, sample};

use crate::{
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{self, State, Stored},
};

struct Edit {
    id: String,
    /// Registration of the event, and the same with the change.
    before: Value,
    after: Value,
    change: Value,
    expected: (u16, &'static str),
}

impl Edit {
    /// Moves the event to another title and, with one of its shows, to other dates.
    async fn all_shows(stored: &Stored) -> Self {
        let before = sample::event();
        let created = stored.api.create(&before).await.expect(201, "0");
        let id = created.data()["id"].as_str().unwrap().to_owned();
        let change = json!({
            "title": sample::event()["title"],
            "eventDatetimes": ["2027-01-31T10:00:00Z", before["eventDatetimes"][1], "2027-02-01T10:00:00Z"],
        });
        let mut after = before.clone();
        after.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        Self { id, before, after, change, expected: (200, "0") }
    }

    async fn nothing(stored: &Stored) -> Self {
        let edit = Self::all_shows(stored).await;
        Self { after: edit.before.clone(), change: json!({}), ..edit }
    }

    async fn to_taken_show(stored: &Stored) -> Self {
        let edit = Self::all_shows(stored).await;
        let mut taken = edit.after.clone();
        taken["eventDatetimes"].as_array_mut().unwrap().drain(..2);
        stored.api.create(&taken).await.check(201, "0");
        Self { expected: (409, "E_001"), ..edit }
    }

    async fn deleted(stored: &Stored) -> Self {
        let edit = Self::all_shows(stored).await;
        assert_eq!(stored.api.delete(&edit.id).await.status, 204);
        Self { expected: (404, "E_002"), ..edit }
    }
}

impl Operation for Edit {
    const STORED_KIND: Option<&'static str> = Some("EVENT");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    async fn send(&self, backends: &Backends) -> Response {
        let edit = events_edit::Edit::new(backends.table.clone(), Authentication::Open);
        function::send(edit, function::edit_request(&self.id, &self.change)).await
    }

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let id = self.id.parse().unwrap();
        if self.expected.0 == 404 {
            assert_eq!(stored.state(id).await, State::Deleted);
            return self.send(&stored.backends).await.check(404, "E_002");
        }
        // The state also shows that the event has the locks of its shows.
        assert_eq!(stored.state(id).await, State::Live);
        let title = stored.api.event(&self.id).await.expect(200, "0").data()["title"].take();
        let is_edited = title == self.after["title"];
        assert!(is_edited || title == self.before["title"]);
        assert!(is_edited || outcome.success().is_none(), "an acknowledged edit is lost");
        let [before, after] = [&self.before, &self.after].map(stored::event);
        let (held, given_up) = if is_edited { (&after, &before) } else { (&before, &after) };
        assert_eq!(stored.registered(held).await, Some(id));
        if self.expected.0 == 200 && self.before != self.after {
            assert_eq!(stored.registered(given_up).await, None, "a stale lock");
        }

        let repeated = self.send(&stored.backends).await;
        repeated.check(self.expected.0, self.expected.1);
        assert_eq!(stored.registered(if self.expected.0 == 200 { &after } else { &before }).await, Some(id));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn edit_survives_faults() {
    exercise(Edit::all_shows, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_edit_survives_faults() {
    exercise(Edit::nothing, Tally { calls: 1, combinations: 20 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn duplicate_edit_survives_faults() {
    exercise(Edit::to_taken_show, Tally { calls: 2, combinations: 43 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn edit_of_deleted_event_survives_faults() {
    exercise(Edit::deleted, Tally { calls: 1, combinations: 20 }).await;
}
