//! Registering an event.

use serde_json::Value;
use shared::store::event::Events;
use tests::{
    Answer, Api,
    fault::{Backends, Injection, Strength},
    form::Form,
    function, sample,
};
use uuid::Uuid;

use crate::{
    exercise::{End, Operation, kind},
    stored::{self, State},
};

pub struct Create {
    event: Value,
    key: Option<String>,
    /// The event that is registered already.
    before: Option<Uuid>,
    answer: (u16, &'static str),
}

impl Create {
    pub async fn new() -> Self {
        Self { event: sample::event(), key: None, before: None, answer: (201, "0") }
    }

    pub async fn registered() -> Self {
        let mut create = Self::new().await;
        create.before = Some(id(&Api::new().create(&create.event).await));
        Self { answer: (409, "E_001"), ..create }
    }

    pub async fn by_key() -> Self {
        Self { key: Some(sample::unique()), ..Self::new().await }
    }

    pub async fn registered_by_key() -> Self {
        Self { key: Some(sample::unique()), ..Self::registered().await }
    }

    pub async fn repeated() -> Self {
        let mut create = Self::by_key().await;
        let first = Api::new().create_by_key(create.key.as_ref().unwrap(), &create.form()).await;
        create.before = Some(id(&first));
        create
    }

    pub async fn by_used_key() -> Self {
        let used = Self::repeated().await;
        Self { event: sample::event(), before: None, answer: (422, "C_011"), ..used }
    }

    fn form(&self) -> Form {
        sample::form(&self.event)
    }

    async fn registered_now(&self) -> Option<Uuid> {
        stored::registered(&stored::details(&self.event)).await
    }

    /// Whether the broken request leaves a poster that no event has.
    ///
    /// Nothing removes such a poster yet. It is stored, and then either the process ends or the storage
    /// fails before the records are there or the poster is removed again. Where only the answer of the
    /// database is lost, the records may be there, so the poster has to stay.
    fn leaves_a_poster(&self, end: &End) -> bool {
        let Some((Injection { fault, strength, .. }, call)) = &end.broken else { return false };
        let is_lasting = fault.kills() || *strength != Strength::Once;
        let is_refused = self.answer.0 == 409;
        match kind(call) {
            "PUT" => is_lasting && fault.takes_effect(),
            "TransactWriteItems" => is_lasting && (is_refused || !fault.takes_effect()),
            "DELETE" => is_lasting && !fault.takes_effect(),
            _ => false,
        }
    }

    /// Checks the posters of a request, and that of the event that it became.
    async fn check_posters(&self, end: &End, registered: Option<Uuid>) {
        let put = end.calls.iter().filter_map(|call| call.strip_prefix("PUT /posters/upload/"));
        let mut left = false;
        for thumbnail in put {
            let event: Uuid = thumbnail.split('.').next().unwrap().parse().unwrap();
            let is_there = stored::has_poster(thumbnail).await;
            if registered == Some(event) {
                assert!(is_there, "an event has its poster");
            } else {
                assert_eq!(stored::state(event).await, State::Absent);
                left |= is_there;
            }
        }
        assert_eq!(left, self.leaves_a_poster(end), "whether a poster is left behind");
    }

    /// Whether the broken request leaves its key claimed, until the claim lapses.
    ///
    /// It does where nobody knows whether the event was stored, and where nobody is left to give the
    /// key up or the database does not take it.
    fn holds_its_key(&self, end: &End) -> bool {
        let Some((Injection { fault, strength, .. }, call)) = &end.broken else { return false };
        let is_lasting = fault.kills() || *strength != Strength::Once;
        let is_given_up =
            *strength == Strength::Call || (*strength == Strength::Outage && fault.takes_effect());
        let is_refused = self.answer.0 == 409;
        match kind(call) {
            "PutItem" => is_lasting && fault.takes_effect(),
            "PUT" | "DELETE" => is_lasting && !is_given_up,
            "TransactWriteItems" => is_lasting && (is_refused || !fault.takes_effect()),
            "DeleteItem" => is_lasting && !fault.takes_effect(),
            _ => false,
        }
    }

    /// Checks whether the key is held by a request of which nothing came.
    async fn check_key(&self, end: &End) {
        let Some(key) = &self.key else { return };
        let claim = stored::item(&stored::claim(key)).await;
        let is_held = claim.is_some_and(|claim| !claim.contains_key("event"));
        let is_used = matches!((self.answer.0, self.before), (422, _) | (201, Some(_)));
        assert_eq!(is_held, !is_used && self.holds_its_key(end), "whether the key is held");
    }
}

fn id(created: &Answer) -> Uuid {
    created.check(201, "0");
    created.data()["id"].as_str().unwrap().parse().unwrap()
}

impl Operation for Create {
    fn answer(&self) -> (u16, &'static str) {
        self.answer
    }

    async fn send(&self, backends: &Backends) -> Answer {
        let events = Events::new(backends.table.clone());
        let create = events_create::Create { events, posters: backends.posters.clone() };
        let mut request = function::post_form(&self.form());
        if let Some(key) = &self.key {
            request.headers_mut().insert("Idempotency-Key", key.parse().unwrap());
        }
        function::answer(create, request).await
    }

    async fn check(&self, end: &End, backends: &Backends) {
        let registered = self.registered_now().await;
        if self.before.is_some() {
            assert_eq!(registered, self.before);
        }
        if let Some(created) = end.success() {
            assert_eq!(registered, Some(id(created)), "an acknowledged event is there");
        }
        self.check_posters(end, registered).await;
        self.check_key(end).await;

        if let Some(key) = &self.key {
            stored::lapse(key).await;
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
                assert_eq!(self.registered_now().await, Some(event));
                if self.key.is_some() {
                    assert_eq!(id(&self.send(backends).await), event);
                }
            }
            (status, code) => {
                repeated.check(status, code);
                assert_eq!(self.registered_now().await, self.before);
            }
        }
    }
}
