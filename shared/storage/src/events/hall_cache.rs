//! Events with their halls, read together with other items.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use domain::{
    error::Error,
    event::Event,
    manager::EventScope,
    show::{Show, ShowId},
};
use seating::{codec, seat_map::SeatMap};
use uuid::Uuid;

use crate::{
    events::{event_record::EventRecord, event_store::append_chunk},
    items::Items,
    keys::{self, Key},
    table::{Table, from_item},
};

/// Number of chunks that the first call reads. Few seat maps have more.
const FIRST_CHUNKS: usize = 4;

/// Events with their halls.
///
/// The hall of an event never changes, so that of the last event is kept.
#[derive(Clone, Debug)]
pub(crate) struct Halls {
    table: Table,
    last: Arc<Mutex<Option<KeptHall>>>,
}

/// Hall with the id of its event.
type KeptHall = (Uuid, Arc<SeatMap>);

/// Event with its hall, and other items.
#[derive(Debug)]
pub(crate) struct EventRead {
    /// The other items.
    pub items: Items,
    event: Option<EventInHall>,
}

/// Event with its hall, and the end of a pause of its sales.
#[derive(Clone, Debug)]
struct EventInHall {
    event: Event,
    hall: Arc<SeatMap>,
    paused_until: Option<Duration>,
}

/// Show of an event.
#[derive(Clone, Debug)]
pub struct ShowOfEvent {
    /// The event.
    pub event: Event,
    /// The show.
    pub show: Show,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
    /// End of a pause of the event's sales, since 1970.
    pub(crate) paused_until: Option<Duration>,
}

impl Halls {
    pub fn new(table: Table) -> Self {
        Self { table, last: Arc::default() }
    }

    /// Reads an event with its hall, and other items, with one call; with two, if the hall is large and not kept.
    pub async fn read(&self, event: Uuid, others: impl IntoIterator<Item = Key>) -> Result<EventRead, Error> {
        let kept = self.kept(event);
        let key = keys::event(event);
        let chunks = if kept.is_some() { 0 } else { FIRST_CHUNKS };
        let chunks = (0..chunks).map(|index| keys::chunk(event, index));
        let mut items = Items::read(&self.table, others.into_iter().chain([key.clone()]).chain(chunks)).await?;
        let record: Option<EventRecord> = items.take(&key).map(from_item).transpose()?;
        let Some(record) = record else { return Ok(EventRead { items, event: None }) };
        let (chunks, paused_until, found) = (record.chunks, record.paused_until(), record.into_event());
        if found.is_deleted() {
            return Ok(EventRead { items, event: None });
        }
        let hall = match kept {
            Some(hall) => hall,
            None => self.decode(event, chunks, &mut items).await?,
        };
        Ok(EventRead { items, event: Some(EventInHall { event: found, hall, paused_until }) })
    }

    /// Returns the hall of an event with this number of chunks, with one call unless it is kept.
    pub async fn of_event(&self, event: Uuid, chunks: usize) -> Result<Arc<SeatMap>, Error> {
        if let Some(hall) = self.kept(event) {
            return Ok(hall);
        }
        self.decode(event, chunks, &mut Items::default()).await
    }

    async fn decode(&self, event: Uuid, chunks: usize, items: &mut Items) -> Result<Arc<SeatMap>, Error> {
        let keys: Vec<_> = (0..chunks).map(|index| keys::chunk(event, index)).collect();
        let missing = keys.iter().filter(|key| !items.contains(key)).cloned();
        let mut rest = Items::read(&self.table, missing).await?;
        let mut encoded = Vec::new();
        for key in &keys {
            append_chunk(&mut encoded, items.take(key).or_else(|| rest.take(key)).as_ref())?;
        }
        let hall = Arc::new(codec::decode(&encoded).map_err(Error::unexpected)?);
        if let Ok(mut last) = self.last.lock() {
            *last = Some((event, hall.clone()));
        }
        Ok(hall)
    }

    fn kept(&self, event: Uuid) -> Option<Arc<SeatMap>> {
        let last = self.last.lock().ok()?;
        last.as_ref().filter(|(id, _)| *id == event).map(|(_, hall)| hall.clone())
    }
}

impl EventRead {
    /// Returns a show of the event, if the event is visible to the caller with this scope.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event has the id, if it is deleted or a draft of others, or if it has no such show.
    pub fn show(&self, show: Uuid, scope: EventScope) -> Result<ShowOfEvent, Error> {
        let EventInHall { event, hall, paused_until } = self.event.clone().ok_or(Error::NoSuchEvent)?;
        scope.expect_visible(&event)?;
        let show = event.show(show)?.clone();
        Ok(ShowOfEvent { event, show, hall, paused_until })
    }

    /// Returns a show of the event, if the caller with this scope may use the event.
    ///
    /// # Errors
    ///
    /// Returns those of [`show`](Self::show), or `PermissionDenied` if the caller may not use it.
    pub fn show_in_scope(&self, show: Uuid, scope: EventScope) -> Result<ShowOfEvent, Error> {
        let show = self.show(show, scope)?;
        scope.expect(&show.event)?;
        Ok(show)
    }
}

impl ShowOfEvent {
    /// Returns the ids of the event and of the show.
    pub(crate) fn id(&self) -> ShowId {
        ShowId { event: self.event.id, show: self.show.id }
    }

    /// Returns the numbers of the areas with these ids.
    ///
    /// # Errors
    ///
    /// Returns `UnknownAreas` with the indexes of the others.
    pub(crate) fn areas(&self, ids: &[Uuid]) -> Result<Vec<usize>, Error> {
        let count = self.hall.areas().len();
        let number = |id| domain::id::area_number(self.event.id, id).filter(|number| *number < count);
        all_numbers(ids, number).map_err(Error::UnknownAreas)
    }

    /// Returns the numbers of the seats with these ids.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchSeats` with the indexes of the others.
    pub(crate) fn numbers(&self, ids: &[Uuid]) -> Result<Vec<u32>, Error> {
        let count = self.hall.seat_count();
        let number = |id| domain::id::seat_number(self.event.id, id).filter(|number| *number < count);
        all_numbers(ids, |id| u32::try_from(number(id)?).ok()).map_err(Error::NoSuchSeats)
    }
}

/// Returns the numbers of all ids, or else the indexes of those that have none.
fn all_numbers<T>(ids: &[Uuid], number: impl Fn(Uuid) -> Option<T>) -> Result<Vec<T>, Vec<usize>> {
    let numbers: Vec<_> = ids.iter().map(|id| number(*id)).collect();
    let unknown: Vec<_> = (0..).zip(&numbers).filter(|(_, number)| number.is_none()).map(|(index, _)| index).collect();
    if unknown.is_empty() { Ok(numbers.into_iter().flatten().collect()) } else { Err(unknown) }
}
