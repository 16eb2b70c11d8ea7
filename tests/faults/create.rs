//! Registration of an event.

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
    exercise::{Operation, Outcome, Tally, exercise},
    stored::{self, State, Stored},
};

/// First two calls of a creation, which run concurrently.
const CLAIM: &str = "PutItem(IDEMPOTENCY)";
const EXPIRY_RECORD: &str = "PutItem(POSTER)";

struct Create {
    event: Value,
    key: Option<String>,
    /// Event that is already registered.
    before: Option<Uuid>,
    expected: (u16, &'static str),
}

impl Create {
    async fn new(_: &Stored) -> Self {
        Self { event: sample::event(), key: None, before: None, expected: (201, "0") }
    }

    async fn registered(stored: &Stored) -> Self {
        let mut create = Self::new(stored).await;
        create.before = Some(id(&stored.api.create(&create.event).await));
        Self { expected: (409, "E_001"), ..create }
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
        Self { event: sample::event(), before: None, expected: (422, "C_011"), ..used }
    }

    fn form(&self) -> Form {
        sample::form(&self.event)
    }

    /// Returns true if an earlier request used the key.
    fn has_used_key(&self) -> bool {
        matches!((self.expected.0, self.before, &self.key), (422, ..) | (201, Some(_), Some(_)))
    }

    async fn registered_now(&self, stored: &Stored) -> Option<Uuid> {
        stored.registered(&stored::event(&self.event)).await
    }

    /// Checks the posters that a request stored, including that of its event.
    async fn check_posters(&self, outcome: &Outcome, registered: Option<Uuid>, stored: &Stored) {
        let put = outcome.calls.iter().filter_map(|call| call.strip_prefix("PUT /posters/upload/"));
        for thumbnail in put {
            let event = id_from_thumbnail(thumbnail).unwrap();
            let exists = stored.has_poster(thumbnail).await;
            let expires = stored.item(&keys::poster(thumbnail)).await.is_some();
            if registered == Some(event) {
                assert!(exists && !expires, "the poster of an event must exist and not expire");
            } else {
                assert_eq!(stored.state(event).await, State::Absent);
                assert!(expires || !exists, "an orphan must expire");
            }
        }
    }

    /// Returns true if the broken request keeps its claim until that expires, or `None` if both are possible.
    ///
    /// It keeps the claim if it is unknown whether the event was stored. It also keeps the claim if the
    /// process was killed or the deletion of the claim failed.
    fn keeps_claim(&self, outcome: &Outcome) -> Option<bool> {
        let Some(Rule { kind, fault, extent, .. }) = &outcome.broken else { return Some(false) };
        let is_lasting = fault.kills() || *extent != Extent::ONCE;
        let is_released = *extent == Extent::Call || (*extent == Extent::Outage && fault.takes_effect());
        let is_rejected = self.expected.0 == 409;
        Some(match kind.as_str() {
            CLAIM => is_lasting && fault.takes_effect(),
            // The claim is written concurrently, so it may exist or not.
            EXPIRY_RECORD if fault.kills() || *extent == Extent::Outage => return None,
            "PUT" | "DELETE" => is_lasting && !is_released,
            "TransactWriteItems" => is_lasting && (is_rejected || !fault.takes_effect()),
            "DeleteItem" => is_lasting && !fault.takes_effect(),
            _ => false,
        })
    }

    /// Checks that a claim without an event exists only if it should.
    async fn check_key(&self, outcome: &Outcome, stored: &Stored) {
        let Some(key) = &self.key else { return };
        let claim = stored.item(&stored::claim(key)).await;
        let is_claimed = claim.is_some_and(|claim| !claim.contains_key("event"));
        match self.keeps_claim(outcome) {
            _ if self.has_used_key() => assert!(!is_claimed, "a used key has a claim without an event"),
            Some(expected) => assert_eq!(is_claimed, expected, "claim without an event"),
            None => {}
        }
    }
}

fn id(created: &Response) -> Uuid {
    created.check(201, "0");
    created.data()["id"].as_str().unwrap().parse().unwrap()
}

impl Operation for Create {
    const STORED_KIND: Option<&'static str> = Some("SHOW");

    fn expected_response(&self) -> (u16, &'static str) {
        self.expected
    }

    /// If the key was used before, no poster is stored, so the expiry record is not needed.
    fn is_best_effort(&self, kind: &str, _nth: usize) -> bool {
        ["DELETE", "DeleteItem"].contains(&kind) || (kind == EXPIRY_RECORD && self.has_used_key())
    }

    fn is_concurrent(&self, kind: &str) -> bool {
        kind == EXPIRY_RECORD && self.key.is_some()
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

    async fn check(&self, outcome: &Outcome, stored: &Stored) {
        let backends = &stored.backends;
        let registered = self.registered_now(stored).await;
        if self.before.is_some() {
            assert_eq!(registered, self.before);
        }
        if let Some(created) = outcome.success() {
            assert_eq!(registered, Some(id(created)), "an acknowledged event is lost");
        }
        self.check_posters(outcome, registered, stored).await;
        self.check_key(outcome, stored).await;

        if let Some(key) = &self.key {
            stored.expire_claim(key).await;
        }
        let repeated = self.send(backends).await;
        match self.expected {
            (201, _) if self.key.is_none() && registered.is_some() => repeated.check(409, "E_001"),
            (201, _) => {
                let event = id(&repeated);
                assert!(registered.is_none_or(|registered| registered == event), "registered twice");
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
async fn duplicate_create_survives_faults() {
    exercise(Create::registered, Tally { calls: 4, combinations: 77 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keyed_create_survives_faults() {
    exercise(Create::by_key, Tally { calls: 4, combinations: 80 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keyed_duplicate_survives_faults() {
    exercise(Create::registered_by_key, Tally { calls: 6, combinations: 117 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_create_survives_faults() {
    exercise(Create::repeated, Tally { calls: 3, combinations: 60 }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn reused_key_survives_faults() {
    exercise(Create::by_used_key, Tally { calls: 2, combinations: 40 }).await;
}
