//! Sequential model of the events of one title and place.

use std::collections::{BTreeMap, BTreeSet};

use uuid::Uuid;

use crate::linearizability::Model;

/// Number of shows; a set of them is a bit mask.
pub const SHOWS: usize = 4;

/// Model of events and idempotency keys. They are one object, since a registration
/// takes all its shows and its key at the same instant.
pub struct Events;

/// Events, and the first registration with each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventsState {
    events: BTreeMap<Uuid, Event>,
    keys: BTreeMap<usize, (u8, Uuid)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Event {
    is_live: bool,
    content: Content,
    /// Number of edits that changed it, which its entity tag has.
    version: u64,
    /// Ids of all shows that it has or had.
    show_ids: BTreeSet<Uuid>,
}

/// Content of an event that edits change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Content {
    pub place: usize,
    pub artist: usize,
    /// Ids of its shows; none for a show that it does not have.
    pub shows: [Option<Uuid>; SHOWS],
}

/// Fields that an edit replaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    pub place: Option<usize>,
    pub artist: Option<usize>,
    pub shows: Option<u8>,
}

/// Operation of a client and its response; an `Err` is an unexpected response.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Registers an event with these shows.
    Create { shows: u8, key: Option<Key>, response: Result<CreateResponse, String> },
    /// Reads an event, with or without its seats; none if it is not found.
    Get { id: Uuid, response: Result<Option<Content>, String> },
    /// Lists live or deleted events: those of this title, and the last event on the page if more follow.
    List { is_deleted: bool, response: Result<(BTreeMap<Uuid, Content>, Option<Uuid>), String> },
    /// Edits an event, perhaps only if it has a version that the client saw.
    Edit { id: Uuid, if_match: Option<u64>, change: Change, response: Result<EditResponse, String> },
    /// Deletes an event: true if it was found.
    Delete { id: Uuid, response: Result<bool, String> },
    /// Restores an event.
    Restore { id: Uuid, response: Result<RestoreResponse, String> },
}

#[derive(Clone, Copy, Debug)]
pub enum RestoreResponse {
    /// The event is live, with this content.
    Live(Content),
    AlreadyRegistered,
    NotFound,
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
    Created(Uuid, Content),
    AlreadyRegistered,
    InProgress,
    KeyReused,
}

#[derive(Clone, Debug)]
pub enum EditResponse {
    Edited(Content),
    NotFound,
    PreconditionFailed,
    AlreadyRegistered,
}

impl Model for Events {
    type State = EventsState;
    type Operation = Operation;

    fn step(state: &EventsState, operation: &Operation) -> Option<EventsState> {
        let is_allowed = match operation {
            Operation::Create { shows, key, response: Ok(response) } => {
                return state.after_creation(*shows, *key, response);
            }
            Operation::Edit { id, if_match, change, response: Ok(response) } => {
                return state.after_edit(*id, *if_match, *change, response);
            }
            Operation::Get { id, response } => *response == Ok(state.live(*id).map(|event| event.content)),
            Operation::List { is_deleted, response: Ok((listed, last)) } => {
                let on_page = |id: Uuid| last.is_none_or(|last| id >= last);
                let events = state.events.iter().filter(|(_, event)| event.is_live != *is_deleted);
                let events = events.map(|(id, event)| (id, &event.content));
                events.filter(|(id, _)| on_page(**id)).eq(listed)
            }
            Operation::Delete { id, response: Ok(true) } => {
                let mut next = state.clone();
                next.live_mut(*id)?.is_live = false;
                return Some(next);
            }
            Operation::Restore { id, response: Ok(response) } => return state.after_restoration(*id, response),
            Operation::Delete { id, response: Ok(false) } => state.live(*id).is_none(),
            Operation::Create { response: Err(_), .. }
            | Operation::Edit { response: Err(_), .. }
            | Operation::List { response: Err(_), .. }
            | Operation::Delete { response: Err(_), .. }
            | Operation::Restore { response: Err(_), .. } => false,
        };
        is_allowed.then(|| state.clone())
    }

    /// An edit that changes nothing now may set the same values again after another edit, and a restoration of a live
    /// event may come after its deletion.
    fn may_change_later(operation: &Operation) -> bool {
        matches!(
            operation,
            Operation::Edit { response: Ok(EditResponse::Edited(_)), .. }
                | Operation::Restore { response: Ok(RestoreResponse::Live(_)), .. }
        )
    }
}

impl EventsState {
    fn live(&self, id: Uuid) -> Option<&Event> {
        self.events.get(&id).filter(|event| event.is_live)
    }

    fn live_mut(&mut self, id: Uuid) -> Option<&mut Event> {
        self.events.get_mut(&id).filter(|event| event.is_live)
    }

    /// Returns true if a live event, other than the given one, has one of the shows at the place.
    fn is_claimed(&self, place: usize, shows: u8, except: Option<Uuid>) -> bool {
        let others = self.events.iter().filter(|(id, event)| event.is_live && Some(**id) != except);
        others.into_iter().any(|(_, other)| other.content.place == place && other.content.mask() & shows != 0)
    }

    fn after_restoration(&self, id: Uuid, response: &RestoreResponse) -> Option<Self> {
        let Some(Event { is_live, content, .. }) = self.events.get(&id) else {
            return matches!(response, RestoreResponse::NotFound).then(|| self.clone());
        };
        let is_claimed = !is_live && self.is_claimed(content.place, content.mask(), Some(id));
        match response {
            RestoreResponse::Live(restored) if !is_claimed && restored == content => {
                let mut next = self.clone();
                next.events.get_mut(&id)?.is_live = true;
                Some(next)
            }
            RestoreResponse::AlreadyRegistered => is_claimed.then(|| self.clone()),
            RestoreResponse::Live(_) | RestoreResponse::NotFound => None,
        }
    }

    fn after_creation(&self, shows: u8, key: Option<Key>, response: &CreateResponse) -> Option<Self> {
        let is_claimed = self.is_claimed(Content::PLACE, shows, None);
        let used = key.and_then(|key| self.keys.get(&key.number)).copied();
        let is_allowed = match (response, used) {
            (CreateResponse::Created(id, content), None) if !is_claimed && !self.events.contains_key(id) => {
                if (content.place, content.artist, content.mask()) != (Content::PLACE, Content::ARTIST, shows) {
                    return None;
                }
                let mut next = self.clone();
                let show_ids = content.shows.into_iter().flatten().collect();
                next.events.insert(*id, Event { is_live: true, content: *content, version: 0, show_ids });
                next.keys.extend(key.map(|key| (key.number, (shows, *id))));
                return Some(next);
            }
            // The event as it is now, or as it was when it was deleted.
            (CreateResponse::Created(id, content), Some(first)) => {
                first == (shows, *id) && self.events[id].content == *content
            }
            (CreateResponse::AlreadyRegistered, None) => is_claimed,
            (CreateResponse::KeyReused, Some((first, _))) => first != shows,
            // The request that holds the key may not have registered anything yet.
            (CreateResponse::InProgress, None) => key.is_some_and(|key| key.is_contended),
            (CreateResponse::KeyReused, None) => key.is_some_and(|key| key.is_contended_with_other_shows),
            _ => false,
        };
        is_allowed.then(|| self.clone())
    }

    fn after_edit(&self, id: Uuid, if_match: Option<u64>, change: Change, response: &EditResponse) -> Option<Self> {
        let Some(Event { content: before, version, .. }) = self.live(id) else {
            return matches!(response, EditResponse::NotFound).then(|| self.clone());
        };
        if if_match.is_some_and(|seen| seen != *version) {
            return matches!(response, EditResponse::PreconditionFailed).then(|| self.clone());
        }
        let place = change.place.unwrap_or(before.place);
        let artist = change.artist.unwrap_or(before.artist);
        let shows = change.shows.unwrap_or_else(|| before.mask());
        if self.is_claimed(place, shows, Some(id)) {
            return matches!(response, EditResponse::AlreadyRegistered).then(|| self.clone());
        }
        let EditResponse::Edited(content) = response else { return None };
        if (content.place, content.artist, content.mask()) != (place, artist, shows) {
            return None;
        }
        let mut next = self.clone();
        let event = next.live_mut(id)?;
        for (before, after) in before.shows.into_iter().zip(content.shows) {
            let Some(show) = after else { continue };
            // A kept show keeps its id, and no other show of the event ever had the id of a new one.
            let is_right = before.map_or_else(|| event.show_ids.insert(show), |before| before == show);
            if !is_right {
                return None;
            }
        }
        event.version += u64::from(event.content != *content);
        event.content = *content;
        Some(next)
    }
}

impl Content {
    /// Place of a new event.
    pub const PLACE: usize = 0;
    /// Performer of a new event.
    pub const ARTIST: usize = 0;

    /// Returns the shows as a bit mask.
    pub fn mask(&self) -> u8 {
        self.shows.iter().zip(0..).filter(|(show, _)| show.is_some()).map(|(_, bit)| 1 << bit).sum()
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

    /// Content of a new event, whose shows have ids of the registration.
    fn content(id: Uuid, shows: u8) -> Content {
        let show = |bit: usize| (shows & 1 << bit != 0).then(|| Uuid::from_u128(id.as_u128() << 64 | bit as u128));
        Content { place: Content::PLACE, artist: Content::ARTIST, shows: std::array::from_fn(show) }
    }

    fn registered(shows: u8, id: Uuid) -> CreateResponse {
        CreateResponse::Created(id, content(id, shows))
    }

    fn created(shows: u8, id: Uuid) -> Operation {
        create(shows, registered(shows, id))
    }

    fn get(id: Uuid, shows: Option<u8>) -> Operation {
        Operation::Get { id, response: Ok(shows.map(|shows| content(id, shows))) }
    }

    fn list(listed: &[(Uuid, u8)], last: Option<Uuid>) -> Operation {
        let listed = listed.iter().map(|(id, shows)| (*id, content(*id, *shows)));
        Operation::List { is_deleted: false, response: Ok((listed.collect(), last)) }
    }

    fn list_deleted(listed: &[(Uuid, u8)]) -> Operation {
        let listed = listed.iter().map(|(id, shows)| (*id, content(*id, *shows)));
        Operation::List { is_deleted: true, response: Ok((listed.collect(), None)) }
    }

    fn restored(shows: u8, id: Uuid) -> RestoreResponse {
        RestoreResponse::Live(content(id, shows))
    }

    fn restore(id: Uuid, response: RestoreResponse) -> Operation {
        Operation::Restore { id, response: Ok(response) }
    }

    fn edit(change: Change, response: EditResponse) -> Operation {
        Operation::Edit { id: ONE, if_match: None, change, response: Ok(response) }
    }

    fn edit_if(version: u64, change: Change, response: EditResponse) -> Operation {
        Operation::Edit { id: ONE, if_match: Some(version), change, response: Ok(response) }
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
    fn restoration_may_follow_deletion() {
        let restored = restore(ONE, restored(0b01, ONE));
        assert!(concurrently(&[created(0b01, ONE), restored, delete(ONE, true), delete(ONE, true)]));
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
    fn deleted_event_is_restored_once() {
        let live = restore(ONE, restored(0b01, ONE));
        let deleted = [created(0b01, ONE), delete(ONE, true)];
        let then = |operations: &[Operation]| in_sequence(&[&deleted[..], operations].concat());
        assert_eq!(then(&[live.clone(), live.clone(), get(ONE, Some(0b01)), list_deleted(&[])]), Ok(()));
        assert_eq!(then(&[list_deleted(&[(ONE, 0b01)]), live.clone(), get(ONE, None)]), Err(4));
        assert_eq!(then(&[list_deleted(&[])]), Err(2));
        assert_eq!(then(&[restore(ONE, restored(0b10, ONE))]), Err(2));
        assert_eq!(then(&[created(0b11, TWO), live.clone()]), Err(3));
    }

    #[test]
    fn restoration_is_rejected_with_reason() {
        let (taken, unknown) = (RestoreResponse::AlreadyRegistered, RestoreResponse::NotFound);
        let deleted = [created(0b01, ONE), delete(ONE, true)];
        let then = |operations: &[Operation]| in_sequence(&[&deleted[..], operations].concat());
        assert_eq!(then(&[restore(ONE, taken)]), Err(2));
        assert_eq!(then(&[restore(ONE, unknown)]), Err(2));
        assert_eq!(then(&[restore(TWO, unknown)]), Ok(()));
        assert_eq!(then(&[created(0b11, TWO), restore(ONE, taken)]), Ok(()));
        assert_eq!(in_sequence(&[created(0b01, ONE), restore(ONE, taken)]), Err(1));
        assert_eq!(in_sequence(&[created(0b01, ONE), restore(ONE, unknown)]), Err(1));
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
        let first = with_key(0b01, registered(0b01, ONE));
        assert_eq!(in_sequence(&[first.clone(), first.clone()]), Ok(()));
        assert_eq!(in_sequence(&[first.clone(), delete(ONE, true), first.clone()]), Ok(()));
        let again = [first.clone(), delete(ONE, true), first.clone(), get(ONE, Some(0b01))];
        assert_eq!(in_sequence(&again), Err(3));
        let other = with_key(0b01, registered(0b01, TWO));
        assert_eq!(in_sequence(&[first.clone(), delete(ONE, true), other.clone()]), Err(2));
        assert!(!concurrently(&[first.clone(), delete(ONE, true), other]));
        assert_eq!(in_sequence(&[first, with_key(0b01, CreateResponse::AlreadyRegistered)]), Err(1));
    }

    #[test]
    fn rejection_leaves_key_free() {
        let rejected = with_key(0b01, CreateResponse::AlreadyRegistered);
        let later = with_key(0b10, registered(0b10, TWO));
        assert_eq!(in_sequence(&[created(0b01, ONE), rejected, later]), Ok(()));
    }

    #[test]
    fn in_progress_requires_contention() {
        assert_eq!(in_sequence(&[with_key(0b01, CreateResponse::InProgress)]), Err(0));
        assert_eq!(in_sequence(&[contended(0b01, false, CreateResponse::InProgress)]), Ok(()));
        let first = with_key(0b01, registered(0b01, ONE));
        let late = contended(0b01, false, CreateResponse::InProgress);
        assert_eq!(in_sequence(&[first, late]), Err(1));
    }

    #[test]
    fn key_is_for_one_set_of_shows() {
        let reused = with_key(0b10, CreateResponse::KeyReused);
        let first = with_key(0b01, registered(0b01, ONE));
        assert_eq!(in_sequence(&[first.clone(), reused.clone()]), Ok(()));
        assert_eq!(in_sequence(&[first, with_key(0b01, CreateResponse::KeyReused)]), Err(1));
        assert_eq!(in_sequence(&[reused]), Err(0));
        assert_eq!(in_sequence(&[contended(0b10, true, CreateResponse::KeyReused)]), Ok(()));
    }

    const ARTIST: Change = Change { place: None, artist: Some(1), shows: None };
    const PLACE: Change = Change { place: Some(1), artist: None, shows: None };

    fn with_artist(shows: u8) -> Content {
        Content { artist: 1, ..content(ONE, shows) }
    }

    #[test]
    fn no_edit_is_lost() {
        let edits = [
            created(0b01, ONE),
            edit(ARTIST, EditResponse::Edited(with_artist(0b01))),
            edit(PLACE, EditResponse::Edited(Content { place: 1, ..with_artist(0b01) })),
        ];
        assert_eq!(in_sequence(&edits), Ok(()));
        let lost = edit(PLACE, EditResponse::Edited(Content { place: 1, ..content(ONE, 0b01) }));
        assert_eq!(in_sequence(&[edits[0].clone(), edits[1].clone(), lost.clone()]), Err(2));
        assert_eq!(in_sequence(&[edits[0].clone(), edits[1].clone(), get(ONE, Some(0b01))]), Err(2));
        assert!(!concurrently(&[edits[0].clone(), edits[1].clone(), lost]));
    }

    #[test]
    fn edit_without_change_may_wait() {
        let back = Change { artist: Some(Content::ARTIST), ..Change::default() };
        let edits = [
            edit(ARTIST, EditResponse::Edited(with_artist(0b01))),
            get(ONE, Some(0b01)),
            edit(back, EditResponse::Edited(content(ONE, 0b01))),
        ];
        let calls = [(0, 10), (11, 12), (1, 20)].into_iter().zip(edits);
        let calls = calls.map(|((invoked, completed), operation)| Call {
            operation,
            invoked: invoked + 2,
            completed: completed + 2,
        });
        let created = Call { operation: created(0b01, ONE), invoked: 0, completed: 1 };
        assert_eq!(linearize::<Events>(&[created].into_iter().chain(calls).collect::<Vec<_>>()), Ok(()));
    }

    #[test]
    fn only_current_version_matches() {
        let first = edit_if(0, ARTIST, EditResponse::Edited(with_artist(0b01)));
        let failed = edit_if(0, PLACE, EditResponse::PreconditionFailed);
        assert_eq!(in_sequence(&[created(0b01, ONE), first.clone(), failed.clone()]), Ok(()));
        assert_eq!(in_sequence(&[created(0b01, ONE), failed]), Err(1));
        let both = [created(0b01, ONE), first.clone(), first];
        assert!(!concurrently(&both));
    }

    #[test]
    fn deleted_event_is_not_edited() {
        let edited = edit(ARTIST, EditResponse::Edited(with_artist(0b01)));
        let deleted = [created(0b01, ONE), delete(ONE, true), edited];
        assert_eq!(in_sequence(&deleted), Err(2));
        let absent = edit(ARTIST, EditResponse::NotFound);
        assert_eq!(in_sequence(&[created(0b01, ONE), absent.clone()]), Err(1));
        assert_eq!(in_sequence(&[created(0b01, ONE), delete(ONE, true), absent]), Ok(()));
    }

    #[test]
    fn edit_claims_and_frees_shows() {
        let moved = edit(PLACE, EditResponse::Edited(Content { place: 1, ..content(ONE, 0b01) }));
        assert_eq!(in_sequence(&[created(0b01, ONE), moved.clone(), created(0b01, TWO)]), Ok(()));
        let back = Change { place: Some(0), ..Change::default() };
        let taken = edit(back, EditResponse::AlreadyRegistered);
        assert_eq!(in_sequence(&[created(0b01, ONE), moved.clone(), created(0b01, TWO), taken.clone()]), Ok(()));
        assert_eq!(in_sequence(&[created(0b01, ONE), moved, taken]), Err(2));
    }

    #[test]
    fn show_id_never_returns() {
        let shows = |shows| Change { shows: Some(shows), ..Change::default() };
        let edited = |content| EditResponse::Edited(content);
        let removed = edit(shows(0b01), edited(content(ONE, 0b01)));
        let mut new = content(ONE, 0b11);
        let again = edit(shows(0b11), edited(new));
        assert_eq!(in_sequence(&[created(0b11, ONE), removed.clone(), again]), Err(2));
        new.shows[1] = Some(Uuid::from_u128(99));
        let again = edit(shows(0b11), edited(new));
        assert_eq!(in_sequence(&[created(0b11, ONE), removed, again.clone()]), Ok(()));
        assert_eq!(in_sequence(&[created(0b11, ONE), again]), Err(1), "a kept show keeps its id");
    }

    #[test]
    fn key_repeats_current_content() {
        let first = with_key(0b01, registered(0b01, ONE));
        let edited = edit(ARTIST, EditResponse::Edited(with_artist(0b01)));
        let now = with_key(0b01, CreateResponse::Created(ONE, with_artist(0b01)));
        assert_eq!(in_sequence(&[first.clone(), edited.clone(), now.clone()]), Ok(()));
        assert_eq!(in_sequence(&[first.clone(), edited.clone(), delete(ONE, true), now]), Ok(()));
        assert_eq!(in_sequence(&[first.clone(), edited, first]), Err(2));
    }

    #[test]
    fn unexpected_response_is_wrong() {
        let response = || "503 S_003".to_owned();
        for operation in [
            Operation::Create { shows: 0b01, key: None, response: Err(response()) },
            Operation::Get { id: ONE, response: Err(response()) },
            Operation::Edit { id: ONE, if_match: None, change: ARTIST, response: Err(response()) },
            Operation::List { is_deleted: false, response: Err(response()) },
            Operation::Delete { id: ONE, response: Err(response()) },
            Operation::Restore { id: ONE, response: Err(response()) },
        ] {
            assert_eq!(in_sequence(&[operation]), Err(0));
        }
    }
}
