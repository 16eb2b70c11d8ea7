//! Sequential model of the events of one title and place.

use std::collections::{BTreeMap, BTreeSet};

use domain::{event::Status, show::ShowStatus};
use uuid::Uuid;

use crate::{client::Outcome, linearizability::Model};

/// Number of shows; a set of them is a bit mask.
pub const SHOWS: usize = 4;

/// Model of events and idempotency keys. They are one object, since a registration
/// takes all its shows and its key at the same instant.
pub struct Events;

/// Events, and the first registration with each key.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct EventsState {
    events: BTreeMap<Uuid, Event>,
    keys: BTreeMap<usize, (Registration, Uuid)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Event {
    is_deleted: bool,
    is_draft: bool,
    content: Content,
    /// Number of changes and deletions, which its entity tag has.
    version: u64,
    /// Ids of all shows that it has or had.
    show_ids: BTreeSet<Uuid>,
}

/// Content of an event that edits change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Content {
    pub place: usize,
    pub artist: usize,
    /// Its shows by their times; none at a time that no show has.
    pub shows: [Option<Show>; SHOWS],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Show {
    pub id: Uuid,
    pub status: ShowStatus,
    /// Position in the list of the event. A moved show keeps it, and an edit sorts the list.
    pub position: usize,
}

/// New event that a client wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Registration {
    pub shows: u8,
    pub is_draft: bool,
}

/// Fields that an edit replaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct Change {
    pub place: Option<usize>,
    pub artist: Option<usize>,
    pub shows: Option<u8>,
    pub is_draft: Option<bool>,
}

/// Fields that a change of a show replaces.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShowChange {
    pub status: Option<ShowStatus>,
    /// Number of the time.
    pub time: Option<usize>,
}

/// Operation of a client and its response.
#[derive(Clone, Debug)]
pub enum Operation {
    /// Registers an event.
    Create {
        registration: Registration,
        key: Option<Key>,
        response: Outcome<(Uuid, Content)>,
    },
    /// Reads an event, with or without its seats.
    Get {
        id: Uuid,
        response: Outcome<Content>,
    },
    /// Reads an event as its manager.
    GetOwn {
        id: Uuid,
        response: Outcome<(Status, Content)>,
    },
    /// Lists events of a status: those of this title, and the last event on the page if more follow.
    List {
        status: Status,
        response: Outcome<(BTreeMap<Uuid, Content>, Option<Uuid>)>,
    },
    /// Edits an event, perhaps only if it has a version that the client saw.
    Edit {
        id: Uuid,
        if_match: Option<u64>,
        change: Change,
        response: Outcome<Content>,
    },
    /// Changes a show, which may be one of another event.
    ChangeShow {
        id: Uuid,
        show: Uuid,
        if_match: Option<u64>,
        change: ShowChange,
        response: Outcome<Content>,
    },
    /// Cancels all shows of an event.
    Cancel {
        id: Uuid,
        response: Outcome<Content>,
    },
    /// Copies an event, with the usual place and performer.
    Copy {
        id: Uuid,
        registration: Registration,
        response: Outcome<(Uuid, Content)>,
    },
    Delete {
        id: Uuid,
        response: Outcome<()>,
    },
    Restore {
        id: Uuid,
        response: Outcome<Content>,
    },
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    pub number: usize,
    /// True if another registration with the key ran at the same time.
    pub is_contended: bool,
    /// True if one with the key for another event did.
    pub is_contended_with_another_event: bool,
}

impl Model for Events {
    type State = EventsState;
    type Operation = Operation;

    fn step(state: &EventsState, operation: &Operation) -> Option<EventsState> {
        let is_allowed = match operation {
            Operation::Create { registration, key, response } => {
                return state.after_creation(*registration, *key, response);
            }
            // The original is read before the copy is stored, and may be deleted in between.
            Operation::Copy { id, response: Err(code), .. } if code == "E_002" => state.kept(*id).is_none(),
            Operation::Copy { registration, response, .. } => {
                return state.after_creation(*registration, None, response);
            }
            Operation::Edit { id, if_match, change, response } => {
                return state.after_edit(*id, *if_match, *change, response);
            }
            Operation::ChangeShow { id, show, if_match, change, response } => {
                return state.after_show_change((*id, *show), *if_match, *change, response);
            }
            Operation::Cancel { id, response } => return state.after_cancellation(*id, response),
            Operation::Get { id, response } => {
                let public = state.kept(*id).filter(|event| !event.is_draft);
                *response == public.map(|event| event.content).ok_or_else(|| "E_002".to_owned())
            }
            Operation::GetOwn { id, response } => {
                let own = state.events.get(id).map(|event| (event.status(), event.content));
                *response == own.ok_or_else(|| "E_002".to_owned())
            }
            Operation::List { status, response: Ok((listed, last)) } => {
                let on_page = |id: Uuid| last.is_none_or(|last| id >= last);
                let events = state.events.iter().filter(|(_, event)| event.status() == *status);
                let events = events.map(|(id, event)| (id, &event.content));
                events.filter(|(id, _)| on_page(**id)).eq(listed)
            }
            Operation::List { response: Err(_), .. } => false,
            Operation::Delete { id, response: Ok(()) } => {
                let mut next = state.clone();
                let event = next.kept_mut(*id)?;
                event.is_deleted = true;
                event.version += 1;
                return Some(next);
            }
            Operation::Delete { id, response: Err(code) } => code == "E_002" && state.kept(*id).is_none(),
            Operation::Restore { id, response } => return state.after_restoration(*id, response),
        };
        is_allowed.then(|| state.clone())
    }

    /// A change that changes nothing now may set the same values again after another one, and a restoration of an event
    /// that is not deleted may come after its deletion.
    fn may_change_later(operation: &Operation) -> bool {
        use Operation::{Cancel, ChangeShow, Edit, Restore};
        matches!(
            operation,
            Edit { response: Ok(_), .. }
                | ChangeShow { response: Ok(_), .. }
                | Cancel { response: Ok(_), .. }
                | Restore { response: Ok(_), .. }
        )
    }
}

impl Event {
    fn status(&self) -> Status {
        match self {
            Self { is_deleted: true, .. } => Status::Deleted,
            Self { is_draft: true, .. } => Status::Draft,
            _ => Status::Live,
        }
    }

    fn change(&mut self, content: Content, is_draft: bool) {
        self.version += u64::from((self.content, self.is_draft) != (content, is_draft));
        (self.content, self.is_draft) = (content, is_draft);
    }
}

impl EventsState {
    /// Returns an event that is not deleted.
    fn kept(&self, id: Uuid) -> Option<&Event> {
        self.events.get(&id).filter(|event| !event.is_deleted)
    }

    fn kept_mut(&mut self, id: Uuid) -> Option<&mut Event> {
        self.events.get_mut(&id).filter(|event| !event.is_deleted)
    }

    /// Returns true if another event than the given one has one of the shows at the place, and is not deleted.
    fn is_claimed(&self, place: usize, shows: u8, except: Option<Uuid>) -> bool {
        let others = self.events.iter().filter(|(id, event)| !event.is_deleted && Some(**id) != except);
        others.into_iter().any(|(_, other)| other.content.place == place && other.content.mask() & shows != 0)
    }

    /// Returns the unchanged state if a response is this failure.
    fn unless<T>(&self, response: &Outcome<T>, code: &str) -> Option<Self> {
        response.as_ref().is_err_and(|other| other == code).then(|| self.clone())
    }

    fn after_restoration(&self, id: Uuid, response: &Outcome<Content>) -> Option<Self> {
        // The clients know all ids from responses, so the events exist.
        let Event { is_deleted, content, .. } = self.events.get(&id)?;
        if *is_deleted && self.is_claimed(content.place, content.mask(), Some(id)) {
            return self.unless(response, "E_001");
        }
        let mut next = self.clone();
        next.events.get_mut(&id)?.is_deleted = false;
        (response.as_ref() == Ok(content)).then_some(next)
    }

    fn after_creation(
        &self,
        registration: Registration,
        key: Option<Key>,
        response: &Outcome<(Uuid, Content)>,
    ) -> Option<Self> {
        let Registration { shows, is_draft } = registration;
        let is_claimed = self.is_claimed(Content::PLACE, shows, None);
        let used = key.and_then(|key| self.keys.get(&key.number)).copied();
        let is_allowed = match (response.as_ref().map_err(String::as_str), used) {
            (Ok((id, content)), None) if !is_claimed && !self.events.contains_key(id) => {
                let scheduled = content.shows.iter().flatten().all(|show| show.status == ShowStatus::Scheduled);
                let expected = (Content::PLACE, Content::ARTIST, shows);
                if !scheduled || (content.place, content.artist, content.mask()) != expected {
                    return None;
                }
                let mut next = self.clone();
                let show_ids = content.shows.iter().flatten().map(|show| show.id).collect();
                let event = Event { is_deleted: false, is_draft, content: *content, version: 0, show_ids };
                next.events.insert(*id, event);
                next.keys.extend(key.map(|key| (key.number, (registration, *id))));
                return Some(next);
            }
            // The event as it is now, or as it was when it was deleted.
            (Ok((id, content)), Some(first)) => first == (registration, *id) && self.events[id].content == *content,
            (Err("E_001"), None) => is_claimed,
            (Err("C_011"), Some((first, _))) => first != registration,
            // The request that holds the key may not have registered anything yet.
            (Err("C_010"), None) => key.is_some_and(|key| key.is_contended),
            (Err("C_011"), None) => key.is_some_and(|key| key.is_contended_with_another_event),
            _ => false,
        };
        is_allowed.then(|| self.clone())
    }

    fn after_edit(&self, id: Uuid, if_match: Option<u64>, change: Change, response: &Outcome<Content>) -> Option<Self> {
        let Some(Event { content: before, version, is_draft, .. }) = self.kept(id) else {
            return self.unless(response, "E_002");
        };
        if if_match.is_some_and(|seen| seen != *version) {
            return self.unless(response, "E_003");
        }
        let place = change.place.unwrap_or(before.place);
        let artist = change.artist.unwrap_or(before.artist);
        let shows = change.shows.unwrap_or_else(|| before.mask());
        if self.is_claimed(place, shows, Some(id)) {
            return self.unless(response, "E_001");
        }
        let content = response.as_ref().ok()?;
        if (content.place, content.artist, content.mask()) != (place, artist, shows) {
            return None;
        }
        let mut next = self.clone();
        let event = next.kept_mut(id)?;
        let shows = before.shows.into_iter().zip(content.shows).filter_map(|(before, after)| Some((before, after?)));
        for (sorted, (before, show)) in shows.enumerate() {
            // A kept show stays as it is, and no other show of the event ever had the id of a new one.
            let is_right = match before {
                Some(before) if change.shows.is_none() => before == show,
                Some(before) => show == Show { position: sorted, ..before },
                None => {
                    let new = Show { id: show.id, status: ShowStatus::Scheduled, position: sorted };
                    show == new && event.show_ids.insert(show.id)
                }
            };
            if !is_right {
                return None;
            }
        }
        event.change(*content, change.is_draft.unwrap_or(*is_draft));
        Some(next)
    }

    fn after_show_change(
        &self,
        (id, show): (Uuid, Uuid),
        if_match: Option<u64>,
        change: ShowChange,
        response: &Outcome<Content>,
    ) -> Option<Self> {
        let mut next = self.clone();
        let is_show = |known: &Option<Show>| known.is_some_and(|known| known.id == show);
        let known = next.kept_mut(id).and_then(|event| Some((event.content.shows.iter().position(is_show)?, event)));
        let Some((before, event)) = known else { return self.unless(response, "E_002") };
        if if_match.is_some_and(|seen| seen != event.version) {
            return self.unless(response, "E_003");
        }
        let mut content = event.content;
        let mut changed = content.shows[before].take()?;
        changed.status = change.status.unwrap_or(changed.status);
        let free = &mut content.shows[change.time.unwrap_or(before)];
        if free.is_some() {
            return self.unless(response, "C_001");
        }
        *free = Some(changed);
        if self.is_claimed(content.place, content.mask(), Some(id)) {
            return self.unless(response, "E_001");
        }
        event.change(content, event.is_draft);
        (*response == Ok(content)).then_some(next)
    }

    fn after_cancellation(&self, id: Uuid, response: &Outcome<Content>) -> Option<Self> {
        let mut next = self.clone();
        let Some(event) = next.kept_mut(id) else { return self.unless(response, "E_002") };
        let mut content = event.content;
        content.shows.iter_mut().flatten().for_each(|show| show.status = ShowStatus::Cancelled);
        event.change(content, event.is_draft);
        (*response == Ok(content)).then_some(next)
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
    use crate::linearizability::{Call, concurrently, in_sequence, linearize};

    const ONE: Uuid = Uuid::from_u128(1);
    const TWO: Uuid = Uuid::from_u128(2);
    const ARTIST: Change = Change { place: None, artist: Some(1), shows: None, is_draft: None };
    const PLACE: Change = Change { place: Some(1), artist: None, shows: None, is_draft: None };

    /// Content of a new event, whose shows have ids of the registration.
    fn content(id: Uuid, shows: u8) -> Content {
        let show = |bit: usize| {
            let id = Uuid::from_u128(id.as_u128() << 64 | bit as u128);
            let position = (0..bit).filter(|earlier| shows & 1 << earlier != 0).count();
            (shows & 1 << bit != 0).then_some(Show { id, status: ShowStatus::Scheduled, position })
        };
        Content { place: Content::PLACE, artist: Content::ARTIST, shows: std::array::from_fn(show) }
    }

    fn with_artist(shows: u8) -> Content {
        Content { artist: 1, ..content(ONE, shows) }
    }

    fn create(shows: u8, key: Option<Key>, response: Result<(Uuid, Content), &str>) -> Operation {
        let registration = Registration { shows, is_draft: false };
        Operation::Create { registration, key, response: response.map_err(str::to_owned) }
    }

    fn created(shows: u8, id: Uuid) -> Operation {
        create(shows, None, Ok((id, content(id, shows))))
    }

    fn with_key(shows: u8, response: Result<Uuid, &str>) -> Operation {
        create(shows, Some(Key::default()), response.map(|id| (id, content(id, shows))))
    }

    fn contended(shows: u8, is_contended_with_another_event: bool, code: &str) -> Operation {
        let key = Key { number: 0, is_contended: true, is_contended_with_another_event };
        create(shows, Some(key), Err(code))
    }

    fn get(response: Result<u8, &str>) -> Operation {
        Operation::Get { id: ONE, response: response.map(|shows| content(ONE, shows)).map_err(str::to_owned) }
    }

    fn list(is_deleted: bool, listed: &[(Uuid, u8)], last: Option<Uuid>) -> Operation {
        let listed = listed.iter().map(|(id, shows)| (*id, content(*id, *shows)));
        let status = if is_deleted { Status::Deleted } else { Status::Live };
        Operation::List { status, response: Ok((listed.collect(), last)) }
    }

    fn restore(response: Result<u8, &str>) -> Operation {
        Operation::Restore { id: ONE, response: response.map(|shows| content(ONE, shows)).map_err(str::to_owned) }
    }

    fn edit(if_match: Option<u64>, change: Change, response: Result<Content, &str>) -> Operation {
        Operation::Edit { id: ONE, if_match, change, response: response.map_err(str::to_owned) }
    }

    fn deleted(response: Result<(), &str>) -> Operation {
        Operation::Delete { id: ONE, response: response.map_err(str::to_owned) }
    }

    /// Asserts which operation is the first impossible one, if any.
    fn check(operations: &[Operation], wrong: Option<usize>) {
        assert_eq!(in_sequence::<Events>(operations), wrong.map_or(Ok(()), Err), "{operations:?}");
    }

    #[test]
    fn show_has_one_live_event() {
        check(&[created(0b01, ONE), created(0b11, TWO)], Some(1));
        check(&[created(0b01, ONE), created(0b10, TWO)], None);
        check(&[created(0b01, ONE), deleted(Ok(())), created(0b01, TWO)], None);
        assert!(!concurrently::<Events>(&[created(0b01, ONE), created(0b11, TWO)]));
        assert!(concurrently::<Events>(&[created(0b01, ONE), deleted(Ok(())), created(0b01, TWO)]));
        let rejected = || create(0b01, None, Err("E_001"));
        check(&[rejected()], Some(0));
        check(&[created(0b11, ONE), rejected()], None);
        check(&[created(0b01, ONE), deleted(Ok(())), rejected()], Some(2));
    }

    #[test]
    fn event_exists_until_deletion() {
        let absent = [get(Err("E_002")), list(false, &[], None), deleted(Err("E_002"))];
        let present = [get(Ok(0b01)), list(false, &[(ONE, 0b01)], None), deleted(Ok(()))];
        for (absent, present) in absent.into_iter().zip(present) {
            check(&[created(0b01, ONE), absent.clone()], Some(1));
            check(&[created(0b01, ONE), present.clone()], None);
            check(&[created(0b01, ONE), deleted(Ok(())), absent], None);
            check(&[created(0b01, ONE), deleted(Ok(())), present.clone()], Some(2));
            assert!(concurrently::<Events>(&[present, created(0b01, ONE)]));
        }
        assert!(!concurrently::<Events>(&[created(0b01, ONE), deleted(Ok(())), deleted(Ok(()))]));
        check(&[created(0b11, ONE), get(Ok(0b01))], Some(1));
    }

    #[test]
    fn deleted_event_is_restored() {
        let after = |then: Operation, wrong| check(&[created(0b01, ONE), deleted(Ok(())), then], wrong);
        after(restore(Ok(0b01)), None);
        after(restore(Ok(0b10)), Some(2));
        after(list(true, &[], None), Some(2));
        after(list(true, &[(ONE, 0b01)], None), None);
        after(restore(Err("E_001")), Some(2));
        let after_second =
            |then: Operation, wrong| check(&[created(0b01, ONE), deleted(Ok(())), created(0b11, TWO), then], wrong);
        after_second(restore(Ok(0b01)), Some(3));
        after_second(restore(Err("E_001")), None);
        let all = [created(0b01, ONE), restore(Ok(0b01)), deleted(Ok(())), deleted(Ok(()))];
        assert!(concurrently::<Events>(&all), "a restoration that changes nothing now may follow a deletion");
    }

    #[test]
    fn page_has_all_newer_events() {
        let after_two = |page, wrong| check(&[created(0b01, ONE), created(0b10, TWO), page], wrong);
        after_two(list(false, &[(ONE, 0b01), (TWO, 0b10)], None), None);
        after_two(list(false, &[(TWO, 0b10)], Some(TWO)), None);
        after_two(list(false, &[(TWO, 0b10)], None), Some(2));
        after_two(list(false, &[(ONE, 0b01)], Some(ONE)), Some(2));
        // The first event is deleted before the second one exists, so no list has both.
        let running = Call { operation: list(false, &[(ONE, 0b01), (TWO, 0b10)], None), invoked: 0, completed: 9 };
        let rest = [created(0b01, ONE), deleted(Ok(())), created(0b10, TWO)].into_iter().zip([1, 3, 5]);
        let rest = rest.map(|(operation, invoked)| Call { operation, invoked, completed: invoked + 1 });
        assert_eq!(linearize::<Events>(&[running].into_iter().chain(rest).collect::<Vec<_>>()), Err(0));
    }

    #[test]
    fn key_repeats_its_first_response() {
        let first = || with_key(0b01, Ok(ONE));
        check(&[first(), deleted(Ok(())), first()], None);
        check(&[first(), deleted(Ok(())), first(), get(Ok(0b01))], Some(3));
        check(&[first(), deleted(Ok(())), with_key(0b01, Ok(TWO))], Some(2));
        check(&[first(), with_key(0b01, Err("E_001"))], Some(1));
        check(&[first(), with_key(0b10, Err("C_011"))], None);
        check(&[first(), with_key(0b01, Err("C_011"))], Some(1));
        let rejected = with_key(0b01, Err("E_001"));
        check(&[created(0b01, ONE), rejected, with_key(0b10, Ok(TWO))], None);
        let edited = || edit(None, ARTIST, Ok(with_artist(0b01)));
        check(&[first(), edited(), create(0b01, Some(Key::default()), Ok((ONE, with_artist(0b01))))], None);
        check(&[first(), edited(), first()], Some(2));
    }

    #[test]
    fn in_progress_requires_contention() {
        check(&[with_key(0b01, Err("C_010"))], Some(0));
        check(&[contended(0b01, false, "C_010")], None);
        check(&[with_key(0b01, Ok(ONE)), contended(0b01, false, "C_010")], Some(1));
        check(&[with_key(0b10, Err("C_011"))], Some(0));
        check(&[contended(0b10, true, "C_011")], None);
    }

    #[test]
    fn no_edit_is_lost() {
        let first = || [created(0b01, ONE), edit(None, ARTIST, Ok(with_artist(0b01)))];
        let second = edit(None, PLACE, Ok(Content { place: 1, ..with_artist(0b01) }));
        let lost = edit(None, PLACE, Ok(Content { place: 1, ..content(ONE, 0b01) }));
        let [one, two] = first();
        check(&[one, two, second], None);
        let [one, two] = first();
        check(&[one.clone(), two.clone(), lost.clone()], Some(2));
        assert!(!concurrently::<Events>(&[one, two, lost]));
        let [one, two] = [ARTIST, PLACE].map(|change| edit(Some(0), change, Err("E_003")));
        check(&[created(0b01, ONE), one], Some(1));
        check(&[created(0b01, ONE), edit(Some(0), ARTIST, Ok(with_artist(0b01))), two], None);
        check(&[created(0b01, ONE), edit(None, ARTIST, Err("E_002"))], Some(1));
        check(&[created(0b01, ONE), deleted(Ok(())), edit(None, ARTIST, Err("E_002"))], None);
    }

    #[test]
    fn edit_claims_and_frees_shows() {
        let moved = || edit(None, PLACE, Ok(Content { place: 1, ..content(ONE, 0b01) }));
        let back = Change { place: Some(0), ..Change::default() };
        let taken = || edit(None, back, Err("E_001"));
        check(&[created(0b01, ONE), moved(), created(0b01, TWO), taken()], None);
        check(&[created(0b01, ONE), moved(), taken()], Some(2));
    }

    #[test]
    fn show_id_never_returns() {
        let edited = |content: Content| {
            let change = Change { shows: Some(content.mask()), ..Change::default() };
            edit(None, change, Ok(content))
        };
        let (old, mut new) = (content(ONE, 0b11), content(ONE, 0b11));
        new.shows[1] = Some(Show { id: Uuid::from_u128(99), ..content(ONE, 0b11).shows[1].unwrap() });
        check(&[created(0b11, ONE), edited(content(ONE, 0b01)), edited(old)], Some(2));
        check(&[created(0b11, ONE), edited(content(ONE, 0b01)), edited(new)], None);
        check(&[created(0b11, ONE), edited(new)], Some(1));
    }

    #[test]
    fn draft_is_hidden_until_published() {
        let draft = Registration { shows: 0b01, is_draft: true };
        let draft = || Operation::Create { registration: draft, key: None, response: Ok((ONE, content(ONE, 0b01))) };
        let own = |status| Operation::GetOwn { id: ONE, response: Ok((status, content(ONE, 0b01))) };
        let drafts =
            || Operation::List { status: Status::Draft, response: Ok(([(ONE, content(ONE, 0b01))].into(), None)) };
        check(&[draft(), get(Err("E_002")), list(false, &[], None), drafts(), own(Status::Draft)], None);
        check(&[draft(), get(Ok(0b01))], Some(1));
        check(&[draft(), list(false, &[(ONE, 0b01)], None)], Some(1));
        check(&[draft(), create(0b01, None, Err("E_001"))], None);
        check(&[draft(), deleted(Ok(())), restore(Ok(0b01)), own(Status::Draft)], None);
        let published = Change { is_draft: Some(false), ..Change::default() };
        let publish = || edit(Some(0), published, Ok(content(ONE, 0b01)));
        check(&[draft(), publish(), get(Ok(0b01)), own(Status::Live)], None);
        check(&[draft(), publish(), publish()], Some(2));
    }

    #[test]
    fn moved_show_keeps_its_id() {
        let show = |id, show, time, response: Result<Content, &str>| Operation::ChangeShow {
            id,
            show,
            if_match: None,
            change: ShowChange { status: Some(ShowStatus::Postponed), time: Some(time) },
            response: response.map_err(str::to_owned),
        };
        let [first, second] = [content(ONE, 0b11).shows[0].unwrap(), content(ONE, 0b11).shows[1].unwrap()];
        let postponed = Some(Show { status: ShowStatus::Postponed, ..first });
        let moved = Content { shows: [None, Some(second), postponed, None], ..content(ONE, 0b11) };
        let move_to = |time, response| show(ONE, first.id, time, response);
        check(&[created(0b11, ONE), move_to(2, Ok(moved)), created(0b01, TWO)], None);
        // An edit to the same times sorts them, so the event has another version.
        let mut sorted = moved;
        sorted.shows[1].as_mut().unwrap().position = 0;
        sorted.shows[2].as_mut().unwrap().position = 1;
        let sort = Change { shows: Some(0b110), ..Change::default() };
        let edited = |if_match, response| edit(Some(if_match), sort, response);
        let history = |last| [created(0b11, ONE), move_to(2, Ok(moved)), edited(1, Ok(sorted)), last];
        check(&history(edited(2, Ok(sorted))), None);
        check(&history(edited(1, Err("E_003"))), None);
        check(&history(edited(1, Ok(sorted))), Some(3));
        check(&[created(0b11, ONE), move_to(2, Ok(content(ONE, 0b110)))], Some(1));
        check(&[created(0b11, ONE), move_to(1, Err("C_001"))], None);
        check(&[created(0b11, ONE), created(0b100, TWO), move_to(2, Err("E_001"))], None);
        check(&[created(0b11, ONE), created(0b100, TWO), show(TWO, first.id, 3, Err("E_002"))], None);
    }

    #[test]
    fn cancellation_cancels_all_shows() {
        let mut cancelled = content(ONE, 0b11);
        cancelled.shows.iter_mut().flatten().for_each(|show| show.status = ShowStatus::Cancelled);
        let cancel = |content| Operation::Cancel { id: ONE, response: Ok(content) };
        check(&[created(0b11, ONE), cancel(cancelled), cancel(cancelled)], None);
        check(&[created(0b11, ONE), cancel(content(ONE, 0b11))], Some(1));
    }

    #[test]
    fn copy_is_new_event() {
        let copy = |response: Result<Uuid, &str>| Operation::Copy {
            id: ONE,
            registration: Registration { shows: 0b10, is_draft: false },
            response: response.map(|id| (id, content(id, 0b10))).map_err(str::to_owned),
        };
        check(&[created(0b01, ONE), copy(Ok(TWO)), copy(Err("E_001"))], None);
        check(&[created(0b01, ONE), copy(Err("E_002"))], Some(1));
        check(&[created(0b01, ONE), deleted(Ok(())), copy(Err("E_002"))], None);
    }

    #[test]
    fn other_responses_are_impossible() {
        let other_show = Content { shows: content(TWO, 0b01).shows, place: 1, ..content(ONE, 0b01) };
        let mut cancelled = content(ONE, 0b01);
        cancelled.shows[0].as_mut().unwrap().status = ShowStatus::Cancelled;
        let change_show = |show: Uuid, if_match| Operation::ChangeShow {
            id: ONE,
            show,
            if_match,
            change: ShowChange::default(),
            response: Ok(content(ONE, 0b01)),
        };
        let show = content(ONE, 0b01).shows[0].unwrap().id;
        let own = Operation::GetOwn { id: ONE, response: Ok((Status::Draft, content(ONE, 0b01))) };
        let cancel = Operation::Cancel { id: ONE, response: Ok(cancelled) };
        for last in [
            create(0b10, None, Ok((ONE, content(ONE, 0b10)))),
            create(0b10, None, Ok((TWO, content(TWO, 0b110)))),
            create(0b10, None, Ok((TWO, Content { place: 1, ..content(TWO, 0b10) }))),
            create(0b01, None, Ok((TWO, cancelled))),
            edit(None, PLACE, Ok(other_show)),
            change_show(show, Some(1)),
            change_show(TWO, None),
            own,
        ] {
            check(&[created(0b01, ONE), last], Some(1));
        }
        for last in [cancel, change_show(show, None), edit(None, PLACE, Ok(Content { place: 1, ..content(ONE, 0b01) }))]
        {
            check(&[created(0b01, ONE), deleted(Ok(())), last], Some(2));
        }
    }
}
