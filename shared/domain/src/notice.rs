//! Notices to the buyers of shows: what they say, how often a manager sends one, and how far the sending is.
//!
//! Each member with a sold seat gets a mail. A notice is about a change that a manager made, or has a text of its own.

mod progress;

use std::{collections::BTreeSet, time::Duration};

use uuid::{NoContext, Timestamp, Uuid};

use crate::{
    clock::milliseconds,
    email::Email,
    error::Error,
    event::Event,
    instant::Instant,
    seats::holder::Holder,
    show::{Notice, Show, ShowStatus},
    text::Paragraph,
};

pub use progress::{Batch, Counts, NoticeStatus, Progress};

/// Time for which notices count for the limits.
pub const WINDOW: Duration = Duration::from_hours(24);

/// Maximum number of messages of a show in a window, and of its changes that buyers are told.
pub const MAX_IN_WINDOW: usize = 10;

/// Time for which notices are kept.
pub const RETENTION: Duration = Duration::from_hours(30 * 24);

/// Maximum number of characters of all texts that a notice of a change copies, if they differ.
///
/// A single one has at most 500. The rest of an item of 2 KB is for what tells apart up to 60 shows and their texts.
pub const MAX_COPIED: usize = 450;

/// Maximum number of notices of a show that are listed.
pub const MAX_LISTED: usize = 100;

/// Text of a manager for the buyers of a show.
pub type Message = Paragraph<2_000>;

/// Wish of a request to tell the buyers about its change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Telling {
    /// Nobody is told.
    Nobody,
    /// The buyers get a mail.
    Buyers,
    /// The buyers should get a mail, but the deployment sends none.
    WithoutMail,
}

/// Notice to the buyers of one show or of several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuyerNotice {
    /// Id, a version 7 UUID with the time of the notice.
    pub id: Uuid,
    /// Event of the shows.
    pub event: Uuid,
    /// Content.
    pub content: Content,
}

/// Content of a notice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A change of shows.
    Change {
        /// Version of the event that the change made.
        version: u64,
        /// The shows that it changed.
        shows: Vec<ShowTransition>,
        /// Texts for visitors that the shows had after it.
        texts: ChangeTexts,
    },
    /// A message about one show.
    Message {
        /// Id of the show.
        show: Uuid,
        /// Text.
        text: Message,
    },
}

/// Change of a show, of which a notice tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShowTransition {
    /// Id of the show.
    pub show: Uuid,
    /// Status before the change.
    pub before: ShowStatus,
    /// Status after the change.
    pub after: ShowStatus,
    /// Former and new time, if the show was moved.
    pub moved: Option<[Instant; 2]>,
}

/// Texts for visitors after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeTexts {
    /// Copies: that of each changed show, in the order of the shows.
    Copied(Vec<Option<Notice>>),
    /// The texts that the event has when they are read, since copies would be too long.
    OfEvent,
}

/// Decision about a member whose turn it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// The member has no sold seat any more, or had their turn before.
    Skip,
    /// No mail can reach the member.
    Unreachable,
    /// The member gets a mail to this address.
    Mail(String),
}

impl Telling {
    /// Combines the field of a request with the setting of a deployment.
    #[must_use]
    pub fn new(notify_buyers: bool, sends_mail: bool) -> Self {
        match (notify_buyers, sends_mail) {
            (false, _) => Self::Nobody,
            (true, true) => Self::Buyers,
            (true, false) => Self::WithoutMail,
        }
    }

    /// Checks that the buyers can be told, if they should.
    ///
    /// # Errors
    ///
    /// Returns `NoMail` if the deployment sends no mail.
    pub fn expect_possible(self) -> Result<(), Error> {
        if self == Self::WithoutMail { Err(Error::NoMail) } else { Ok(()) }
    }
}

impl BuyerNotice {
    /// Builds the notice of a change of shows at a time since 1970.
    ///
    /// `recent` are the notices of the event in the window before. The new one has a later id, also if the clock of an
    /// earlier change was ahead. So the newest change has the last id.
    ///
    /// # Errors
    ///
    /// Returns `TooManyNotices` if buyers of a changed show were told of 10 changes in the window.
    pub fn of_change(before: &Event, after: &Event, recent: &[Self], now: Duration) -> Result<Self, Error> {
        let pairs = before.shows.iter().zip(&after.shows).filter(|(old, new)| old != new);
        let shows: Vec<_> = pairs.clone().map(|(old, new)| ShowTransition::new(old, new)).collect();
        let is_told = |notice: &&Self, show| matches!(notice.content, Content::Change { .. }) && notice.concerns(show);
        let mut wait = None;
        for transition in &shows {
            let told = recent.iter().filter(|notice| is_told(notice, transition.show));
            wait = wait.max(wait_for(told.map(Self::created), now));
        }
        if let Some(wait) = wait {
            return Err(Error::TooManyNotices(wait));
        }
        let texts = ChangeTexts::new(pairs.map(|(_, new)| new.notice.clone()).collect());
        let last = recent.iter().map(Self::created).max();
        let time = last.map_or(now, |last| now.max(last + Duration::from_millis(1)));
        let content = Content::Change { version: after.version, shows, texts };
        Ok(Self { id: id_at(time), event: after.id, content })
    }

    /// Builds a message at a time since 1970; `earlier` are the times of those of the show.
    ///
    /// # Errors
    ///
    /// Returns `TooManyNotices` if the show had 10 messages in the window.
    pub fn of_message(
        event: Uuid,
        show: Uuid,
        text: Message,
        earlier: impl IntoIterator<Item = Duration>,
        now: Duration,
    ) -> Result<Self, Error> {
        match wait_for(earlier, now) {
            Some(wait) => Err(Error::TooManyNotices(wait)),
            None => Ok(Self { id: id_at(now), event, content: Content::Message { show, text } }),
        }
    }

    /// Returns the time of the notice since 1970, in whole milliseconds.
    #[must_use]
    pub fn created(&self) -> Duration {
        let (seconds, nanos) = self.id.get_timestamp().map_or((0, 0), |time| time.to_unix());
        Duration::new(seconds, nanos)
    }

    /// Returns true if it has expired at a time since 1970.
    #[must_use]
    pub fn has_expired(&self, now: Duration) -> bool {
        self.created() + RETENTION <= now
    }

    /// Returns the ids of its shows, in the order in which their buyers get it.
    #[must_use]
    pub fn shows(&self) -> Vec<Uuid> {
        match &self.content {
            Content::Change { shows, .. } => shows.iter().map(|transition| transition.show).collect(),
            Content::Message { show, .. } => vec![*show],
        }
    }

    /// Returns true if it is about a show.
    #[must_use]
    pub fn concerns(&self, show: Uuid) -> bool {
        match &self.content {
            Content::Change { shows, .. } => shows.iter().any(|transition| transition.show == show),
            Content::Message { show: of_message, .. } => *of_message == show,
        }
    }

    /// Returns the text of the notice for a show of its event; `None` if it has none.
    #[must_use]
    pub fn text<'a>(&'a self, show: &'a Show) -> Option<&'a str> {
        match &self.content {
            Content::Message { text, .. } => Some(text.as_str()),
            Content::Change { shows, texts: ChangeTexts::Copied(texts), .. } => {
                let mut of_shows = shows.iter().zip(texts);
                let (_, text) = of_shows.find(|(transition, _)| transition.show == show.id)?;
                text.as_ref().map(Notice::as_str)
            }
            Content::Change { texts: ChangeTexts::OfEvent, .. } => show.notice.as_ref().map(Notice::as_str),
        }
    }

    /// Returns true if buyers of a show get this notice instead of an older one.
    #[must_use]
    pub fn replaces(&self, older: &Self, show: Uuid) -> bool {
        match (&self.content, &older.content) {
            (Content::Change { version, .. }, Content::Change { version: older, .. }) => {
                version > older && self.concerns(show)
            }
            _ => false,
        }
    }

    /// Returns true if a change of the event to this version may have made a notice that replaces this one.
    #[must_use]
    pub fn may_be_replaced(&self, event_version: u64) -> bool {
        matches!(self.content, Content::Change { version, .. } if event_version > version)
    }
}

impl ShowTransition {
    fn new(before: &Show, after: &Show) -> Self {
        let moved = (before.instant != after.instant).then_some([before.instant, after.instant]);
        Self { show: after.id, before: before.status, after: after.status, moved }
    }
}

impl ChangeTexts {
    /// Copies the texts of shows, unless they are too long.
    fn new(texts: Vec<Option<Notice>>) -> Self {
        let different: BTreeSet<_> = texts.iter().flatten().map(Notice::as_str).collect();
        let len: usize = different.iter().map(|text| text.chars().count()).sum();
        if different.len() > 1 && len > MAX_COPIED { Self::OfEvent } else { Self::Copied(texts) }
    }
}

/// Decides what happens to a member whose turn it is, by what was read at this moment.
#[must_use]
pub fn turn(had_turn: bool, holder: &Holder, email: Option<&Email>) -> Turn {
    if had_turn || !holder.has_sold(None) {
        return Turn::Skip;
    }
    email.and_then(Email::deliverable).map_or(Turn::Unreachable, Turn::Mail)
}

/// Returns the smallest id of a notice at a time since 1970 or later.
#[must_use]
pub fn first_id_since(time: Duration) -> Uuid {
    uuid::Builder::from_unix_timestamp_millis(milliseconds(time), &[0; 10]).into_uuid()
}

fn id_at(time: Duration) -> Uuid {
    Uuid::new_v7(Timestamp::from_unix(NoContext, time.as_secs(), time.subsec_nanos()))
}

/// Returns the time until another notice is allowed after some at these times; `None` if it is allowed at once.
fn wait_for(times: impl IntoIterator<Item = Duration>, now: Duration) -> Option<Duration> {
    let mut counted: Vec<_> = times.into_iter().filter(|time| *time + WINDOW > now).collect();
    counted.sort_unstable();
    let oldest = counted.iter().rev().nth(MAX_IN_WINDOW - 1)?;
    let left = (*oldest + WINDOW).saturating_sub(now);
    // A client that waits whole seconds must not come too early.
    Some(Duration::from_secs(left.as_secs() + u64::from(left.subsec_nanos() > 0)))
}

#[cfg(test)]
mod tests;
