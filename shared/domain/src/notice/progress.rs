//! Progress of the sending of a notice to the buyers of a show.
//!
//! The sold seats are read in their order, in batches. Of each member of a batch a claim says if they had their turn,
//! so a batch can be repeated after a failure. A second pass finds those who meanwhile got a seat that the first pass
//! had left behind.

use uuid::Uuid;

/// Status of the sending to the buyers of a show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NoticeStatus {
    /// Buyers still get it.
    #[default]
    Sending,
    /// All got it, or the event was deleted.
    Done,
    /// A later change replaced it, of which buyers are told instead.
    Replaced,
}

/// Numbers of members.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Members with a sold seat who had their turn.
    pub buyers: u32,
    /// Those whose mail was taken.
    pub sent: u32,
    /// Those without one: it was rejected, its outcome is unknown, or the member has withdrawn.
    pub failed: u32,
}

/// Members who get their turn together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// Ids of the members, without those who had their turn.
    pub members: Vec<Uuid>,
    /// Number of the seat after those that were read for it.
    pub end: u32,
}

/// Progress of a sending.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Status.
    pub status: NoticeStatus,
    /// Pass over the seats: 0 is the first one.
    pub pass: u32,
    /// Number of the seat at which the next batch begins.
    pub position: u32,
    /// Members so far, in all completed batches.
    pub counts: Counts,
    /// Batch that is not completed.
    pub batch: Option<Batch>,
}

/// Number of passes over the seats.
const PASSES: u32 = 2;

impl NoticeStatus {
    /// Names of the statuses in responses and the table, in the order of the variants.
    pub const NAMES: &[&str] = &["SENDING", "DONE", "REPLACED"];

    /// Returns the name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// Returns the status with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Sending, Self::Done, Self::Replaced].into_iter().find(|status| status.name() == name)
    }
}

impl Progress {
    /// Returns true if nobody gets the notice any more.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.status != NoticeStatus::Sending
    }

    /// Returns the progress with the next batch.
    #[must_use]
    pub fn with_batch(&self, batch: Batch) -> Self {
        Self { batch: Some(batch), ..self.clone() }
    }

    /// Returns the progress after a batch, by the claims of its members: true if the mail was taken. Members without a
    /// claim are no buyers any more. The hall has this number of seats.
    #[must_use]
    pub fn after_batch(&self, claims: &[bool], seats: u32) -> Self {
        let position = self.batch.as_ref().map_or(self.position, |batch| batch.end);
        let counted = Self { counts: self.counts.with(claims), position, batch: None, ..self.clone() };
        match (position < seats, self.pass + 1 < PASSES) {
            (true, _) => counted,
            (false, true) => Self { pass: self.pass + 1, position: 0, ..counted },
            (false, false) => Self { status: NoticeStatus::Done, ..counted },
        }
    }

    /// Returns the progress after a sending that ends before its end, with this status.
    #[must_use]
    pub fn stopped(&self, status: NoticeStatus, claims: &[bool]) -> Self {
        Self { status, counts: self.counts.with(claims), batch: None, ..self.clone() }
    }
}

impl Counts {
    fn with(self, claims: &[bool]) -> Self {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let sent = claims.iter().filter(|is_sent| **is_sent).count();
        Self {
            buyers: self.buyers + number(claims.len()),
            sent: self.sent + number(sent),
            failed: self.failed + number(claims.len() - sent),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn batch(end: u32) -> Batch {
        Batch { members: vec![Uuid::nil(); 2], end }
    }

    #[test]
    fn sending_ends_after_second_pass() {
        let first = Progress::default().with_batch(batch(64)).after_batch(&[true, false], 100);
        assert_eq!((first.pass, first.position, first.is_over()), (0, 64, false));
        assert_eq!(first.counts, Counts { buyers: 2, sent: 1, failed: 1 });
        let second = first.with_batch(batch(100)).after_batch(&[true], 100);
        assert_eq!((second.pass, second.position, second.is_over()), (1, 0, false));
        let done = second.with_batch(batch(100)).after_batch(&[], 100);
        assert_eq!((done.status, done.counts), (NoticeStatus::Done, Counts { buyers: 3, sent: 2, failed: 1 }));
        assert_eq!(done.batch, None);
    }

    #[test]
    fn stopped_sending_counts_who_had_their_turn() {
        let stopped = Progress::default().with_batch(batch(64)).stopped(NoticeStatus::Replaced, &[true]);
        assert_eq!((stopped.status, stopped.counts.sent, stopped.batch), (NoticeStatus::Replaced, 1, None));
    }

    #[test]
    fn status_has_its_name() {
        for status in [NoticeStatus::Sending, NoticeStatus::Done, NoticeStatus::Replaced] {
            assert_eq!(NoticeStatus::from_name(status.name()), Some(status));
        }
        assert_eq!(NoticeStatus::from_name(""), None);
    }
}
