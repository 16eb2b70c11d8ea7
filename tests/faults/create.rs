//! Registering an event.

use domain::{event::id_from_thumbnail, manager::Authentication};
use serde_json::Value;
use storage::keys;
use tests::{
    Backends, Response,
    fault::{Extent, Rule},
    form::Form,
    function, sample,
};
use uuid::Uuid;

use crate::{
    exercise::{End, Operation, Tally, exercise},
    stored::{self, State, Stored},
};

/// The two calls that begin a creation, at the same time.
const CLAIM: &str = "PutItem(IDEMPOTENCY)";
const EXPECTATION: &str = "PutItem(POSTER)";

struct Create {
    event: Value,
    key: Option<String>,
    /// The event that is registered already.
    before: Option<Uuid>,
    answer: (u16, &'static str),
}

impl Create {
    async fn new(_: &Stored) -> Self {
        Self { event: sample::event(), key: None, before: None, answer: (201, "0") }
    }

    async fn registered(stored: &Stored) -> Self {
        let mut create = Self::new(stored).await;
        create.before = Some(id(&stored.api.create(&create.event).await));
        Self { answer: (409, "E_001"), ..create }
    }

    async fn by_key(stored: &Stored) -> Self {
        Self { key: Some(sample::unique()), ..Self::new(stored).await }
    }

    async fn registered_by_key(stored: &Stored) -> Self {
        Self { key: Some(sample::unique()), ..Self::registered(stored).await }
    }

    async fn repeated(stored: &Stored) -> Self {
        let mut create = Self::by_key(stored).await;
        let first = stored.api.create_with_key(create.key.as_ref().unwrap(), &create.form()).await;
        create.before = Some(id(&first));
        create
    }

    async fn by_used_key(stored: &Stored) -> Self {
        let used = Self::repeated(stored).await;
        Self { event: sample::event(), before: None, answer: (422, "C_011"), ..used }
    }

    fn form(&self) -> Form {
        sample::form(&self.event)
    }

    /// Whether its key was used before it.
    fn has_used_key(&self) -> bool {
        matches!((self.answer.0, self.before, &self.key), (422, ..) | (201, Some(_), Some(_)))
    }

    async fn registered_now(&self, stored: &Stored) -> Option<Uuid> {
        stored.registered(&stored::details(&self.event)).await
    }

    /// Checks the posters of a request, and that of the event that it became.
    async fn check_posters(&self, end: &End, registered: Option<Uuid>, stored: &Stored) {
        let put = end.calls.iter().filter_map(|call| call.strip_prefix("PUT /posters/upload/"));
        for thumbnail in put {
            let event = id_from_thumbnail(thumbnail).unwrap();
            let is_there = stored.has_poster(thumbnail).await;
            let expires = stored.item(&keys::poster(thumbnail)).await.is_some();
            if registered == Some(event) {
                assert!(is_there && !expires, "an event has its poster, for good");
            } else {
                assert_eq!(stored.state(event).await, State::Absent);
                assert!(expires || !is_there, "a poster that no event has expires");
            }
        }
    }

    /// Whether the broken request leaves its key claimed, until the claim lapses; none where it may
    /// or may not.
    ///
    /// It does where nobody knows whether the event was stored, and where nobody is left to give the
    /// key up or the database does not take it.
    fn holds_its_key(&self, end: &End) -> Option<bool> {
        let Some(Rule { kind, fault, extent, .. }) = &end.broken else { return Some(false) };
        let is_lasting = fault.kills() || *extent != Extent::ONCE;
        let is_given_up = *extent == Extent::Call || (*extent == Extent::Outage && fault.takes_effect());
        let is_refused = self.answer.0 == 409;
        Some(match kind.as_str() {
            CLAIM => is_lasting && fault.takes_effect(),
            // The claim is made at the same time, and may be made by then or not.
            EXPECTATION if fault.kills() || *extent == Extent::Outage => return None,
            "PUT" | "DELETE" => is_lasting && !is_given_up,
            "TransactWriteItems" => is_lasting && (is_refused || !fault.takes_effect()),
            "DeleteItem" => is_lasting && !fault.takes_effect(),
            _ => false,
        })
    }

    /// Checks whether the key is held by a request of which nothing came.
    async fn check_key(&self, end: &End, stored: &Stored) {
        let Some(key) = &self.key else { return };
        let claim = stored.item(&stored::claim(key)).await;
        let is_held = claim.is_some_and(|claim| !claim.contains_key("event"));
        match self.holds_its_key(end) {
            _ if self.has_used_key() => assert!(!is_held, "what became an event holds no key"),
            Some(holds) => assert_eq!(is_held, holds, "whether the key is held"),
            None => {}
        }
    }
}

fn id(created: &Response) -> Uuid {
    created.check(201, "0");
    created.data()["id"].as_str().unwrap().parse().unwrap()
}

impl Operation for Create {
    const LEAVES: Option<&'static str> = Some("SHOW");

    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    /// Where the key was used before, no poster is stored, so none has to be expected.
    fn is_best_effort(&self, kind: &str) -> bool {
        ["DELETE", "DeleteItem"].contains(&kind) || (kind == EXPECTATION && self.has_used_key())
    }

    fn is_made_beside_another(&self, kind: &str) -> bool {
        kind == EXPECTATION && self.key.is_some()
    }

    async fn send(&self, backends: &Backends) -> Response {
        let table = backends.table.clone();
        let create = events_create::Create::new(table, backends.posters.clone(), Authentication::Open);
        let mut request = function::post_form(&self.form());
        if let Some(key) = &self.key {
            request.headers_mut().insert("Idempotency-Key", key.parse().unwrap());
        }
        function::send(create, request).await
    }

    async fn check(&self, end: &End, stored: &Stored) {
        let backends = &stored.backends;
        let registered = self.registered_now(stored).await;
        if self.before.is_some() {
            assert_eq!(registered, self.before);
        }
        if let Some(created) = end.success() {
            assert_eq!(registered, Some(id(created)), "an acknowledged event is there");
        }
        self.check_posters(end, registered, stored).await;
        self.check_key(end, stored).await;

        if let Some(key) = &self.key {
            stored.lapse(key).await;
        }
        let repeated = self.send(backends).await;
        match self.answer {
            (201, _) if self.key.is_none() && registered.is_some() => repeated.check(409, "E_001"),
            (201, _) => {
                let event = id(&repeated);
                assert!(
                    registered.is_none_or(|registered| registered == event),
                    "it is not registered twice"
                );
                assert_eq!(self.registered_now(stored).await, Some(event));
                if self.key.is_some() {
                    assert_eq!(id(&self.send(backends).await), event);
                }
            }
            (status, code) => {
                repeated.check(status, code);
                assert_eq!(self.registered_now(stored).await, self.before);
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn create_survives_faults() {
    exercise(Create::new, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn create_of_registered_event_survives_faults() {
    exercise(Create::registered, Tally { calls: 4, combinations: 77 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn create_by_key_survives_faults() {
    exercise(Create::by_key, Tally { calls: 4, combinations: 80 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn create_of_registered_event_by_key_survives_faults() {
    exercise(Create::registered_by_key, Tally { calls: 6, combinations: 117 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_create_survives_faults() {
    exercise(Create::repeated, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn create_by_used_key_survives_faults() {
    exercise(Create::by_used_key, Tally { calls: 2, combinations: 40 }).await;
}
