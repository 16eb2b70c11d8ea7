//! Sequential model of the events of one title and place.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::linearizability::Model;

/// Number of shows; a set of them is a bit mask.
pub const SHOWS: usize = 4;

/// Model of events and idempotency keys. They are one object, since a registration
/// takes all its shows and its key at the same instant.
pub struct Events;

/// Live events with their shows, and the first registration with each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventsState {
    live: BTreeMap<Uuid, u8>,
    keys: BTreeMap<usize, (u8, Uuid)>,
}

/// Operation of a client and its response; an `Err` is an unexpected response.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Registers an event with these shows.
    Create { shows: u8, key: Option<Key>, response: Result<CreateResponse, String> },
    /// Reads an event, with or without its seats: its shows, or none if it is not found.
    Get { id: Uuid, response: Result<Option<u8>, String> },
    /// Lists events: those of this title and place with their shows, and the last event on the page if more follow.
    List { response: Result<(BTreeMap<Uuid, u8>, Option<Uuid>), String> },
    /// Deletes an event: true if it was found.
    Delete { id: Uuid, response: Result<bool, String> },
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    pub number: usize,
    /// True if another registration with the key ran at the same time.
    pub is_contended: bool,
    /// True if one with the key and other shows did.
    pub is_contended_with_other_shows: bool,
}

#[derive(Clone, Debug)]
pub enum CreateResponse {
    Created(Uuid),
    AlreadyRegistered,
    InProgress,
    KeyReused,
}

impl Model for Events {
    type State = EventsState;
    type Operation = Operation;

    fn step(state: &EventsState, operation: &Operation) -> Option<EventsState> {
        let is_allowed = match operation {
            Operation::Create { shows, key, response: Ok(response) } => {
                return state.after_creation(*shows, *key, response);
            }
            Operation::Get { id, response } => *response == Ok(state.live.get(id).copied()),
            Operation::List { response: Ok((listed, last)) } => {
                let on_page = |id: &Uuid| last.is_none_or(|last| *id >= last);
                state.live.iter().filter(|(id, _)| on_page(id)).eq(listed)
            }
            Operation::Delete { id, response: Ok(true) } => {
                let mut next = state.clone();
                return next.live.remove(id).map(|_| next);
            }
            Operation::Delete { id, response: Ok(false) } => !state.live.contains_key(id),
            Operation::Create { response: Err(_), .. }
            | Operation::List { response: Err(_) }
            | Operation::Delete { response: Err(_), .. } => false,
        };
        is_allowed.then(|| state.clone())
    }
}

impl EventsState {
    fn after_creation(&self, shows: u8, key: Option<Key>, response: &CreateResponse) -> Option<Self> {
        let is_claimed = self.live.values().any(|claimed| claimed & shows != 0);
        let used = key.and_then(|key| self.keys.get(&key.number)).copied();
        let is_allowed = match (response, used) {
            (CreateResponse::Created(id), None) if !is_claimed && !self.live.contains_key(id) => {
                let mut next = self.clone();
                next.live.insert(*id, shows);
                next.keys.extend(key.map(|key| (key.number, (shows, *id))));
                return Some(next);
            }
            (CreateResponse::Created(id), Some(first)) => first == (shows, *id),
            (CreateResponse::AlreadyRegistered, None) => is_claimed,
            (CreateResponse::KeyReused, Some((first, _))) => first != shows,
            // The request that holds the key may not have registered anything yet.
            (CreateResponse::InProgress, None) => key.is_some_and(|key| key.is_contended),
            (CreateResponse::KeyReused, None) => key.is_some_and(|key| key.is_contended_with_other_shows),
            _ => false,
        };
        is_allowed.then(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::{Call, linearize};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn create(shows: u8, response: CreateResponse) -> Operation {
        Operation::Create { shows, key: None, response: Ok(response) }
    }

    fn with_key(shows: u8, response: CreateResponse) -> Operation {
        Operation::Create { shows, key: Some(Key::default()), response: Ok(response) }
    }

    fn contended(shows: u8, is_contended_with_other_shows: bool, response: CreateResponse) -> Operation {
        let key = Key { number: 0, is_contended: true, is_contended_with_other_shows };
        Operation::Create { shows, key: Some(key), response: Ok(response) }
    }

    fn created(shows: u8, id: Uuid) -> Operation {
        create(shows, CreateResponse::Created(id))
    }

    fn get(id: Uuid, shows: Option<u8>) -> Operation {
        Operation::Get { id, response: Ok(shows) }
    }

    fn list(listed: &[(Uuid, u8)], last: Option<Uuid>) -> Operation {
        Operation::List { response: Ok((listed.iter().copied().collect(), last)) }
    }

    fn delete(id: Uuid, was_found: bool) -> Operation {
        Operation::Delete { id, response: Ok(was_found) }
    }

    fn in_sequence(operations: &[Operation]) -> Result<(), usize> {
        let call = |(operation, time): (&Operation, u64)| Call {
            operation: operation.clone(),
            invoked: time,
            completed: time + 1,
        };
        linearize::<Events>(&operations.iter().zip((0..).step_by(2)).map(call).collect::<Vec<_>>())
    }

    fn concurrently(operations: &[Operation]) -> bool {
        let call = |(operation, time): (&Operation, u64)| Call {
            operation: operation.clone(),
            invoked: time,
            completed: time + 100,
        };
        linearize::<Events>(&operations.iter().zip(0..).map(call).collect::<Vec<_>>()).is_ok()
    }

    #[test]
    fn show_has_one_live_event() {
        assert_eq!(in_sequence(&[created(0b01, ONE), created(0b11, TWO)]), Err(1));
        assert!(!concurrently(&[created(0b01, ONE), created(0b11, TWO)]));
        assert_eq!(in_sequence(&[created(0b01, ONE), created(0b10, TWO)]), Ok(()));
        let reused = [created(0b01, ONE), delete(ONE, true), created(0b01, TWO)];
        assert_eq!(in_sequence(&reused), Ok(()));
        assert!(concurrently(&reused));
    }

    #[test]
    fn free_show_is_not_rejected() {
        let rejected = create(0b01, CreateResponse::AlreadyRegistered);
        assert_eq!(in_sequence(std::slice::from_ref(&rejected)), Err(0));
        assert_eq!(in_sequence(&[created(0b11, ONE), rejected.clone()]), Ok(()));
        assert_eq!(in_sequence(&[created(0b10, ONE), rejected.clone()]), Err(1));
        assert_eq!(in_sequence(&[created(0b01, ONE), delete(ONE, true), rejected]), Err(2));
    }

    #[test]
    fn event_exists_until_deletion() {
        let absent = [get(ONE, None), list(&[], None), delete(ONE, false)];
        let present = [get(ONE, Some(0b01)), list(&[(ONE, 0b01)], None)];
        for early in &present {
            assert_eq!(in_sequence(&[early.clone(), created(0b01, ONE)]), Err(0));
            assert!(concurrently(&[early.clone(), created(0b01, ONE)]));
        }
        for operation in &absent {
            assert_eq!(in_sequence(&[created(0b01, ONE), operation.clone()]), Err(1));
            let deleted = [created(0b01, ONE), delete(ONE, true), operation.clone()];
            assert_eq!(in_sequence(&deleted), Ok(()));
        }
        for operation in present {
            assert_eq!(in_sequence(&[created(0b01, ONE), operation.clone()]), Ok(()));
            let deleted = [created(0b01, ONE), delete(ONE, true), operation];
            assert_eq!(in_sequence(&deleted), Err(2));
        }
    }

    #[test]
    fn event_is_deleted_once() {
        let both = [created(0b01, ONE), delete(ONE, true), delete(ONE, true)];
        assert_eq!(in_sequence(&both), Err(2));
        assert!(!concurrently(&both));
    }

    #[test]
    fn event_keeps_its_shows() {
        assert_eq!(in_sequence(&[created(0b11, ONE), get(ONE, Some(0b01))]), Err(1));
        assert_eq!(in_sequence(&[created(0b11, ONE), list(&[(ONE, 0b01)], None)]), Err(1));
    }

    #[test]
    fn page_has_all_newer_events() {
        let two = |page| [created(0b01, ONE), created(0b10, TWO), page];
        assert_eq!(in_sequence(&two(list(&[(ONE, 0b01), (TWO, 0b10)], None))), Ok(()));
        assert_eq!(in_sequence(&two(list(&[(TWO, 0b10)], Some(TWO)))), Ok(()));
        assert_eq!(in_sequence(&two(list(&[(TWO, 0b10)], None))), Err(2));
        assert_eq!(in_sequence(&two(list(&[(ONE, 0b01)], Some(ONE)))), Err(2));
    }

    #[test]
    fn list_is_a_snapshot() {
        // The first event is deleted before the second one exists.
        let running = Call { operation: list(&[(ONE, 0b01), (TWO, 0b10)], None), invoked: 0, completed: 9 };
        let rest = [created(0b01, ONE), delete(ONE, true), created(0b10, TWO)];
        let rest = rest.into_iter().zip([1, 3, 5]);
        let rest = rest.map(|(operation, invoked)| Call { operation, invoked, completed: invoked + 1 });
        let history: Vec<_> = [running].into_iter().chain(rest).collect();
        assert_eq!(linearize::<Events>(&history), Err(0));
    }

    #[test]
    fn key_repeats_its_first_response() {
        let first = with_key(0b01, CreateResponse::Created(ONE));
        assert_eq!(in_sequence(&[first.clone(), first.clone()]), Ok(()));
        assert_eq!(in_sequence(&[first.clone(), delete(ONE, true), first.clone()]), Ok(()));
        let again = [first.clone(), delete(ONE, true), first.clone(), get(ONE, Some(0b01))];
        assert_eq!(in_sequence(&again), Err(3));
        let other = with_key(0b01, CreateResponse::Created(TWO));
        assert_eq!(in_sequence(&[first.clone(), delete(ONE, true), other.clone()]), Err(2));
        assert!(!concurrently(&[first.clone(), delete(ONE, true), other]));
        assert_eq!(in_sequence(&[first, with_key(0b01, CreateResponse::AlreadyRegistered)]), Err(1));
    }

    #[test]
    fn rejection_leaves_key_free() {
        let rejected = with_key(0b01, CreateResponse::AlreadyRegistered);
        let later = with_key(0b10, CreateResponse::Created(TWO));
        assert_eq!(in_sequence(&[created(0b01, ONE), rejected, later]), Ok(()));
    }

    #[test]
    fn in_progress_requires_contention() {
        assert_eq!(in_sequence(&[with_key(0b01, CreateResponse::InProgress)]), Err(0));
        assert_eq!(in_sequence(&[contended(0b01, false, CreateResponse::InProgress)]), Ok(()));
        let first = with_key(0b01, CreateResponse::Created(ONE));
        let late = contended(0b01, false, CreateResponse::InProgress);
        assert_eq!(in_sequence(&[first, late]), Err(1));
    }

    #[test]
    fn key_is_for_one_set_of_shows() {
        let reused = with_key(0b10, CreateResponse::KeyReused);
        let first = with_key(0b01, CreateResponse::Created(ONE));
        assert_eq!(in_sequence(&[first.clone(), reused.clone()]), Ok(()));
        assert_eq!(in_sequence(&[first, with_key(0b01, CreateResponse::KeyReused)]), Err(1));
        assert_eq!(in_sequence(&[reused]), Err(0));
        assert_eq!(in_sequence(&[contended(0b10, true, CreateResponse::KeyReused)]), Ok(()));
    }

    #[test]
    fn unexpected_response_is_wrong() {
        let response = || "503 S_003".to_owned();
        for operation in [
            Operation::Create { shows: 0b01, key: None, response: Err(response()) },
            Operation::Get { id: ONE, response: Err(response()) },
            Operation::List { response: Err(response()) },
            Operation::Delete { id: ONE, response: Err(response()) },
        ] {
            assert_eq!(in_sequence(&[operation]), Err(0));
        }
    }
}
