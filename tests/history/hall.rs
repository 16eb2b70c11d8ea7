//! What registering, showing, listing and deleting promise, for the events of one title and place.

use std::collections::BTreeMap;

use uuid::Uuid;

use crate::linearizability::Model;

/// How many show dates there are; a set of them is a mask.
pub const SHOWS: usize = 4;

/// The events of one title and place, and the idempotency keys that they were registered with. They
/// are one object, since a registration is of all its shows and its key at the same instant.
pub struct Hall;

/// The live events with their shows, and what each key was first used for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Registered {
    live: BTreeMap<Uuid, u8>,
    keys: BTreeMap<usize, (u8, Uuid)>,
}

/// What a client did, and what it was told.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Registered an event with these shows.
    Create { shows: u8, key: Option<Key>, told: Result<Creation, String> },
    /// Opened an event, with or without its seats: its shows, where it is there.
    Show { id: Uuid, told: Result<Option<u8>, String> },
    /// Listed events: those of the hall with their shows, and the last event on the page, where more
    /// follow it.
    List { told: Result<(BTreeMap<Uuid, u8>, Option<Uuid>), String> },
    /// Deleted an event: whether it was there.
    Delete { id: Uuid, told: Result<bool, String> },
}

/// An idempotency key.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    /// Which of the keys.
    pub name: usize,
    /// Whether another registration with the key ran at the same time.
    pub is_contended: bool,
    /// Whether one with the key and other shows did.
    pub is_contended_by_another: bool,
}

/// How a registration was answered.
#[derive(Clone, Debug)]
pub enum Creation {
    Created(Uuid),
    AlreadyRegistered,
    InProgress,
    KeyReused,
}

impl Model for Hall {
    type State = Registered;
    type Operation = Operation;

    fn step(state: &Registered, operation: &Operation) -> Option<Registered> {
        let is_answered_so = match operation {
            Operation::Create { shows, key, told: Ok(told) } => {
                return state.after_creation(*shows, *key, told);
            }
            Operation::Show { id, told } => *told == Ok(state.live.get(id).copied()),
            Operation::List { told: Ok((listed, last)) } => {
                let on_page = |id: &Uuid| last.is_none_or(|last| *id >= last);
                state.live.iter().filter(|(id, _)| on_page(id)).eq(listed)
            }
            Operation::Delete { id, told: Ok(true) } => {
                let mut next = state.clone();
                return next.live.remove(id).map(|_| next);
            }
            Operation::Delete { id, told: Ok(false) } => !state.live.contains_key(id),
            Operation::Create { told: Err(_), .. }
            | Operation::List { told: Err(_) }
            | Operation::Delete { told: Err(_), .. } => false,
        };
        is_answered_so.then(|| state.clone())
    }
}

impl Registered {
    fn after_creation(&self, shows: u8, key: Option<Key>, told: &Creation) -> Option<Self> {
        let is_claimed = self.live.values().any(|claimed| claimed & shows != 0);
        let used = key.and_then(|key| self.keys.get(&key.name)).copied();
        let is_answered_so = match (told, used) {
            (Creation::Created(id), None) if !is_claimed && !self.live.contains_key(id) => {
                let mut next = self.clone();
                next.live.insert(*id, shows);
                next.keys.extend(key.map(|key| (key.name, (shows, *id))));
                return Some(next);
            }
            (Creation::Created(id), Some(first)) => first == (shows, *id),
            (Creation::AlreadyRegistered, None) => is_claimed,
            (Creation::KeyReused, Some((first, _))) => first != shows,
            // Who has the key may not have registered anything yet.
            (Creation::InProgress, None) => key.is_some_and(|key| key.is_contended),
            (Creation::KeyReused, None) => key.is_some_and(|key| key.is_contended_by_another),
            _ => false,
        };
        is_answered_so.then(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linearizability::{Call, linearize};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);

    fn create(shows: u8, told: Creation) -> Operation {
        Operation::Create { shows, key: None, told: Ok(told) }
    }

    fn by_key(shows: u8, told: Creation) -> Operation {
        Operation::Create { shows, key: Some(Key::default()), told: Ok(told) }
    }

    fn contended(shows: u8, is_contended_by_another: bool, told: Creation) -> Operation {
        let key = Key { name: 0, is_contended: true, is_contended_by_another };
        Operation::Create { shows, key: Some(key), told: Ok(told) }
    }

    fn created(shows: u8, id: Uuid) -> Operation {
        create(shows, Creation::Created(id))
    }

    fn show(id: Uuid, shows: Option<u8>) -> Operation {
        Operation::Show { id, told: Ok(shows) }
    }

    fn list(listed: &[(Uuid, u8)], last: Option<Uuid>) -> Operation {
        Operation::List { told: Ok((listed.iter().copied().collect(), last)) }
    }

    fn delete(id: Uuid, was_there: bool) -> Operation {
        Operation::Delete { id, told: Ok(was_there) }
    }

    fn one_after_another(operations: &[Operation]) -> Result<(), usize> {
        let call = |(operation, time): (&Operation, u64)| Call {
            operation: operation.clone(),
            invoked: time,
            answered: time + 1,
        };
        linearize::<Hall>(&operations.iter().zip((0..).step_by(2)).map(call).collect::<Vec<_>>())
    }

    fn at_once(operations: &[Operation]) -> bool {
        let call = |(operation, time): (&Operation, u64)| Call {
            operation: operation.clone(),
            invoked: time,
            answered: time + 100,
        };
        linearize::<Hall>(&operations.iter().zip(0..).map(call).collect::<Vec<_>>()).is_ok()
    }

    #[test]
    fn show_has_one_live_event() {
        assert_eq!(one_after_another(&[created(0b01, ONE), created(0b11, TWO)]), Err(1));
        assert!(!at_once(&[created(0b01, ONE), created(0b11, TWO)]));
        assert_eq!(one_after_another(&[created(0b01, ONE), created(0b10, TWO)]), Ok(()));
        let freed = [created(0b01, ONE), delete(ONE, true), created(0b01, TWO)];
        assert_eq!(one_after_another(&freed), Ok(()));
        assert!(at_once(&freed));
    }

    #[test]
    fn free_show_is_not_rejected() {
        let refused = create(0b01, Creation::AlreadyRegistered);
        assert_eq!(one_after_another(std::slice::from_ref(&refused)), Err(0));
        assert_eq!(one_after_another(&[created(0b11, ONE), refused.clone()]), Ok(()));
        assert_eq!(one_after_another(&[created(0b10, ONE), refused.clone()]), Err(1));
        assert_eq!(one_after_another(&[created(0b01, ONE), delete(ONE, true), refused]), Err(2));
    }

    #[test]
    fn event_exists_until_deletion() {
        let gone = [show(ONE, None), list(&[], None), delete(ONE, false)];
        let there = [show(ONE, Some(0b01)), list(&[(ONE, 0b01)], None)];
        for early in &there {
            assert_eq!(one_after_another(&[early.clone(), created(0b01, ONE)]), Err(0));
            assert!(at_once(&[early.clone(), created(0b01, ONE)]));
        }
        for operation in &gone {
            assert_eq!(one_after_another(&[created(0b01, ONE), operation.clone()]), Err(1));
            let deleted = [created(0b01, ONE), delete(ONE, true), operation.clone()];
            assert_eq!(one_after_another(&deleted), Ok(()));
        }
        for operation in there {
            assert_eq!(one_after_another(&[created(0b01, ONE), operation.clone()]), Ok(()));
            let deleted = [created(0b01, ONE), delete(ONE, true), operation];
            assert_eq!(one_after_another(&deleted), Err(2));
        }
    }

    #[test]
    fn event_is_deleted_once() {
        let both = [created(0b01, ONE), delete(ONE, true), delete(ONE, true)];
        assert_eq!(one_after_another(&both), Err(2));
        assert!(!at_once(&both));
    }

    #[test]
    fn event_keeps_its_shows() {
        assert_eq!(one_after_another(&[created(0b11, ONE), show(ONE, Some(0b01))]), Err(1));
        assert_eq!(one_after_another(&[created(0b11, ONE), list(&[(ONE, 0b01)], None)]), Err(1));
    }

    #[test]
    fn page_has_all_newer_events() {
        let two = |page| [created(0b01, ONE), created(0b10, TWO), page];
        assert_eq!(one_after_another(&two(list(&[(ONE, 0b01), (TWO, 0b10)], None))), Ok(()));
        assert_eq!(one_after_another(&two(list(&[(TWO, 0b10)], Some(TWO)))), Ok(()));
        assert_eq!(one_after_another(&two(list(&[(TWO, 0b10)], None))), Err(2));
        assert_eq!(one_after_another(&two(list(&[(ONE, 0b01)], Some(ONE)))), Err(2));
    }

    #[test]
    fn list_is_a_snapshot() {
        // One is gone before two is there.
        let running = Call { operation: list(&[(ONE, 0b01), (TWO, 0b10)], None), invoked: 0, answered: 9 };
        let rest = [created(0b01, ONE), delete(ONE, true), created(0b10, TWO)];
        let rest = rest.into_iter().zip([1, 3, 5]);
        let rest = rest.map(|(operation, invoked)| Call { operation, invoked, answered: invoked + 1 });
        let history: Vec<_> = [running].into_iter().chain(rest).collect();
        assert_eq!(linearize::<Hall>(&history), Err(0));
    }

    #[test]
    fn key_repeats_its_first_response() {
        let first = by_key(0b01, Creation::Created(ONE));
        assert_eq!(one_after_another(&[first.clone(), first.clone()]), Ok(()));
        assert_eq!(one_after_another(&[first.clone(), delete(ONE, true), first.clone()]), Ok(()));
        let again = [first.clone(), delete(ONE, true), first.clone(), show(ONE, Some(0b01))];
        assert_eq!(one_after_another(&again), Err(3));
        let other = by_key(0b01, Creation::Created(TWO));
        assert_eq!(one_after_another(&[first.clone(), delete(ONE, true), other.clone()]), Err(2));
        assert!(!at_once(&[first.clone(), delete(ONE, true), other]));
        assert_eq!(one_after_another(&[first, by_key(0b01, Creation::AlreadyRegistered)]), Err(1));
    }

    #[test]
    fn rejection_leaves_key_free() {
        let refused = by_key(0b01, Creation::AlreadyRegistered);
        let later = by_key(0b10, Creation::Created(TWO));
        assert_eq!(one_after_another(&[created(0b01, ONE), refused, later]), Ok(()));
    }

    #[test]
    fn in_progress_requires_contention() {
        assert_eq!(one_after_another(&[by_key(0b01, Creation::InProgress)]), Err(0));
        assert_eq!(one_after_another(&[contended(0b01, false, Creation::InProgress)]), Ok(()));
        let first = by_key(0b01, Creation::Created(ONE));
        let late = contended(0b01, false, Creation::InProgress);
        assert_eq!(one_after_another(&[first, late]), Err(1));
    }

    #[test]
    fn key_is_for_one_set_of_shows() {
        let reused = by_key(0b10, Creation::KeyReused);
        let first = by_key(0b01, Creation::Created(ONE));
        assert_eq!(one_after_another(&[first.clone(), reused.clone()]), Ok(()));
        assert_eq!(one_after_another(&[first, by_key(0b01, Creation::KeyReused)]), Err(1));
        assert_eq!(one_after_another(&[reused]), Err(0));
        assert_eq!(one_after_another(&[contended(0b10, true, Creation::KeyReused)]), Ok(()));
    }

    #[test]
    fn unexpected_response_is_a_violation() {
        let answer = || "503 S_003".to_owned();
        for operation in [
            Operation::Create { shows: 0b01, key: None, told: Err(answer()) },
            Operation::Show { id: ONE, told: Err(answer()) },
            Operation::List { told: Err(answer()) },
            Operation::Delete { id: ONE, told: Err(answer()) },
        ] {
            assert_eq!(one_after_another(&[operation]), Err(0));
        }
    }
}
