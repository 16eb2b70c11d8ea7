//! Choice of the best free seats in the areas that a member names.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use domain::{clock::Clock, error::Error};
use seating::choice::{Group, Rows};
use uuid::Uuid;

use crate::{events::hall_cache::ShowOfEvent, seats::seat_states::SeatStates};

/// Time for which the free seats of an area may be used again, since a write decides who gets them.
const KEPT: Duration = Duration::from_secs(1);

/// Wish of a member for the best seats.
#[derive(Clone, Debug)]
pub struct BestSeats {
    /// Ids of the areas, in the order in which they are tried, all different.
    pub areas: Vec<Uuid>,
    /// Number of seats, and if they must be together.
    pub group: Group,
}

/// Free seats of areas. Those of the last area are kept for a second.
#[derive(Clone, Debug)]
pub(crate) struct FreeSeats {
    states: SeatStates,
    clock: Clock,
    last: Arc<Mutex<Option<KeptArea>>>,
}

#[derive(Clone, Debug)]
struct KeptArea {
    show: Uuid,
    area: usize,
    /// Number of its first seat in the hall.
    first: usize,
    read_at: Duration,
    rows: Arc<Rows>,
    free: Arc<Vec<bool>>,
}

impl FreeSeats {
    pub fn new(states: SeatStates, clock: Clock) -> Self {
        Self { states, clock, last: Arc::default() }
    }

    /// Chooses seats of a show in the first of these areas that has them, and returns their numbers in the hall.
    ///
    /// `collisions` counts how often others were faster than this request; after the first, nothing kept is used.
    ///
    /// # Errors
    ///
    /// Returns `NoFreeGroup` if no area has them, `Database` if a read fails.
    pub async fn choose(
        &self,
        show: &ShowOfEvent,
        areas: &[usize],
        group: Group,
        collisions: u32,
    ) -> Result<Vec<u32>, Error> {
        let mut kept_before = None;
        for &area in areas {
            let is_recent = |kept: &KeptArea| self.clock.now() < kept.read_at + KEPT;
            let may_be_kept = collisions == 0 && kept_before.is_none();
            let kept = self.kept(show, area).filter(|kept| may_be_kept && is_recent(kept));
            let free = match kept {
                Some(kept) => {
                    kept_before = Some(area);
                    Some(kept)
                }
                None => self.read(show, area, group.count).await?,
            };
            if let Some(free) = free
                && let Some(seats) = free.choose(group, collisions)?
            {
                return Ok(seats);
            }
        }
        // What was kept may lack seats that became free meanwhile.
        if let Some(area) = kept_before
            && let Some(free) = self.read(show, area, group.count).await?
            && let Some(seats) = free.choose(group, collisions)?
        {
            return Ok(seats);
        }
        Err(Error::NoFreeGroup)
    }

    /// Notes that seats of a show, by their numbers in the hall, are no longer free.
    pub fn take(&self, show: Uuid, seats: &[u32]) {
        let Ok(mut last) = self.last.lock() else { return };
        let Some(kept) = last.as_mut().filter(|kept| kept.show == show) else { return };
        let free = Arc::make_mut(&mut kept.free);
        for seat in seats {
            if let Some(is_free) = (*seat as usize).checked_sub(kept.first).and_then(|seat| free.get_mut(seat)) {
                *is_free = false;
            }
        }
    }

    /// Forgets what is kept, because it has changed.
    pub fn forget(&self) {
        if let Ok(mut last) = self.last.lock() {
            *last = None;
        }
    }

    /// Returns the area of a show if it is the last one that was read, whenever that was.
    fn kept(&self, show: &ShowOfEvent, area: usize) -> Option<KeptArea> {
        let kept = self.last.lock().ok().and_then(|last| last.clone());
        kept.filter(|kept| (kept.show, kept.area) == (show.show.id, area))
    }

    /// Reads the free seats of an area, and keeps them; returns `None` if fewer than `count` seats are free.
    async fn read(&self, show: &ShowOfEvent, area: usize, count: usize) -> Result<Option<KeptArea>, Error> {
        let seats = &show.hall.areas()[area].seats;
        let first = show.hall.first_seat(area);
        let numbers = first..first + seats.len();
        let numbers: Vec<_> = numbers.map(u32::try_from).collect::<Result<_, _>>().map_err(Error::unexpected)?;
        let states = self.states.of_seats(show.show.id, &numbers).await?;
        let now = self.clock.now();
        let is_free = |seat| states.get(seat).is_none_or(|state| !state.is_current(now));
        let free: Arc<Vec<_>> = Arc::new(numbers.iter().map(is_free).collect());
        if free.iter().filter(|is_free| **is_free).count() < count {
            return Ok(None);
        }
        let rows = self.kept(show, area).map_or_else(|| Arc::new(Rows::new(seats)), |kept| kept.rows);
        let read = KeptArea { show: show.show.id, area, first, read_at: now, rows, free };
        if let Ok(mut last) = self.last.lock() {
            *last = Some(read.clone());
        }
        Ok(Some(read))
    }
}

impl KeptArea {
    /// Chooses seats, and returns their numbers in the hall.
    fn choose(&self, group: Group, collisions: u32) -> Result<Option<Vec<u32>>, Error> {
        let choice = self.rows.choose(|seat| self.free[seat], group, collisions, fastrand::u32(..));
        let number = |seat: usize| u32::try_from(self.first + seat).map_err(Error::unexpected);
        choice.map(|choice| choice.seats.into_iter().map(number).collect()).transpose()
    }
}
