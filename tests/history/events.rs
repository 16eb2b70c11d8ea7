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
///
/// `if_match` is a version of the event that the client saw. A list has the events of this title, and the last event on
/// the page if more follow. A changed show may be one of another event. A copy has the usual place and performer.
#[derive(Clone, Debug)]
pub enum Operation {
    Create { registration: Registration, key: Option<Key>, response: Outcome<(Uuid, Content)> },
    Get { id: Uuid, response: Outcome<Content> },
    GetOwn { id: Uuid, response: Outcome<(Status, Content)> },
    List { status: Status, response: Outcome<(BTreeMap<Uuid, Content>, Option<Uuid>)> },
    Edit { id: Uuid, if_match: Option<u64>, change: Change, response: Outcome<Content> },
    ChangeShow { id: Uuid, show: Uuid, if_match: Option<u64>, change: ShowChange, response: Outcome<Content> },
    Cancel { id: Uuid, response: Outcome<Content> },
    Copy { id: Uuid, registration: Registration, response: Outcome<(Uuid, Content)> },
    Delete { id: Uuid, response: Outcome<()> },
    Restore { id: Uuid, response: Outcome<Content> },
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
    use crate::linearizability::in_sequence;

    /// The model of a history must reject what no sequence of operations explains.
    #[test]
    fn impossible_responses_are_found() {
        const ONE: Uuid = Uuid::from_u128(1);
        const TWO: Uuid = Uuid::from_u128(2);
        let show = Show { id: Uuid::from_u128(3), status: ShowStatus::Scheduled, position: 0 };
        let content = Content { place: Content::PLACE, artist: Content::ARTIST, shows: [Some(show), None, None, None] };
        let registration = Registration { shows: 1, is_draft: false };
        let created = |id| Operation::Create { registration, key: None, response: Ok((id, content)) };
        let edit = |if_match, artist, content| {
            let change = Change { artist: Some(artist), ..Change::default() };
            Operation::Edit { id: ONE, if_match, change, response: Ok(content) }
        };
        let delete = Operation::Delete { id: ONE, response: Ok(()) };
        let get = |content| Operation::Get { id: ONE, response: Ok(content) };
        let artist = |number: usize| {
            let mut other = content;
            other.artist = number;
            other
        };
        for (calls, is_possible) in [
            (vec![created(ONE), created(TWO)], false),
            (vec![created(ONE), delete.clone(), created(TWO)], true),
            (vec![created(ONE), delete.clone(), get(content)], false),
            (vec![created(ONE), delete.clone(), delete], false),
            (vec![created(ONE), edit(None, 1, artist(1)), get(content)], false),
            (vec![created(ONE), edit(Some(0), 1, artist(1)), edit(Some(0), 2, artist(2))], false),
            (vec![created(ONE), edit(Some(0), 1, artist(1)), edit(Some(1), 2, artist(2))], true),
        ] {
            assert_eq!(in_sequence::<Events>(&calls).is_ok(), is_possible, "{calls:?}");
        }
    }
}
