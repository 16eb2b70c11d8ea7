//! Holds of a member in all shows.

use std::{
    cmp::Reverse,
    collections::{HashMap, HashSet},
    sync::Arc,
    time::Duration,
};

use domain::{
    error::Error,
    event::{Event, Status},
    hold::{Hold, HoldStatus, MAX_OWN_HOLDS},
    show::Show,
};
use seating::seat_map::SeatMap;
use uuid::Uuid;

use crate::{
    events::event_record::EventRecord,
    items::Items,
    keys,
    seats::{hold_record::read_hold, holder_record, holds::Holds},
    table::{failure, from_item},
};

/// Hold of a member with its show and hall.
#[derive(Clone, Debug)]
pub struct OwnHold {
    /// The hold.
    pub hold: Hold,
    /// The status: held, confirmed, or released if the order was cancelled.
    pub status: HoldStatus,
    /// The event.
    pub event: Event,
    /// The show.
    pub show: Show,
    /// Areas and seats of the event.
    pub hall: Arc<SeatMap>,
}

impl Holds {
    /// Lists the holds of a member that are held or confirmed, or whose order was cancelled within 30 days: newest
    /// first, at most 100.
    ///
    /// Makes a query, then reads the holds with the member, the events, and the hall of each event.
    ///
    /// # Errors
    ///
    /// Returns `InvalidAccessToken` if there is no such member, `Database` if a read fails.
    pub async fn list(&self, member: Uuid) -> Result<Vec<OwnHold>, Error> {
        // A hold that expires during the reads is shown as it was before them.
        let now = self.clock.now();
        let ids = self.ids_of(member, now).await?;
        let holds = ids.iter().map(|id| keys::hold(*id));
        let mut items = Items::read(&self.table, [keys::member(member)].into_iter().chain(holds)).await?;
        items.take(&keys::member(member)).ok_or(Error::InvalidAccessToken)?;
        let mut holds = Vec::new();
        for id in ids {
            let hold = items.take(&keys::hold(id)).map(|item| read_hold(id, item, now)).transpose()?.flatten();
            let is_listed = |hold: &Hold| hold.status(now) == HoldStatus::Held || hold.order().is_some();
            holds.extend(hold.filter(is_listed));
        }
        holds.sort_by_key(|hold| (Reverse(hold.expires), hold.id));
        self.with_shows(holds, now).await
    }

    /// Returns the ids of the holds of a member that have not expired, and of the cancelled orders.
    async fn ids_of(&self, member: Uuid, now: Duration) -> Result<Vec<Uuid>, Error> {
        let mut items = self.table.query(keys::holder_partition(member)).into_paginator().items().send();
        let mut ids = Vec::new();
        while let Some(item) = items.next().await {
            ids.extend(holder_record::read(Some(&item.map_err(failure)?)).current(now));
        }
        Ok(ids)
    }

    /// Adds their shows to holds, and leaves out those of deleted events and of drafts.
    async fn with_shows(&self, holds: Vec<Hold>, now: Duration) -> Result<Vec<OwnHold>, Error> {
        let events: HashSet<_> = holds.iter().map(|hold| hold.event).collect();
        let mut items = Items::read(&self.table, events.iter().map(|id| keys::event(*id))).await?;
        let mut live = HashMap::new();
        for id in events {
            let Some(item) = items.take(&keys::event(id)) else { continue };
            let record: EventRecord = from_item(item)?;
            let (chunks, event) = (record.chunks, record.into_event());
            if event.status() == Status::Live {
                live.insert(id, (event, chunks));
            }
        }
        let (mut own, mut halls) = (Vec::new(), HashMap::<_, Arc<SeatMap>>::new());
        for hold in holds {
            let Some((event, chunks)) = live.get(&hold.event).cloned() else { continue };
            let Some(show) = event.shows.iter().find(|show| show.id == hold.show).cloned() else { continue };
            let hall = match halls.get(&event.id) {
                Some(hall) => hall.clone(),
                None => self.halls.of_event(event.id, chunks).await?,
            };
            halls.insert(event.id, hall.clone());
            own.push(OwnHold { status: hold.status(now), hold, event, show, hall });
            if own.len() == MAX_OWN_HOLDS {
                break;
            }
        }
        Ok(own)
    }
}
