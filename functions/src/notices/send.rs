//! Sends a notice to buyers, a batch at a time; a state machine invokes it again and again until all have it.

use std::{num::NonZeroU32, str::FromStr, sync::OnceLock, time::Duration};

use api::notice_mail;
use aws::{
    BoxError,
    ses::{SendError, Ses},
};
use domain::{
    error::{Cause, Error},
    notice::NoticeStatus,
};
use futures_util::{StreamExt as _, stream};
use serde::{Deserialize, Serialize};
use storage::notices::sending::{Next, Sending, Sendings, Work};
use tokio::{
    sync::Mutex,
    time::{Interval, MissedTickBehavior, interval},
};
use uuid::Uuid;

use crate::{
    auth::mailer::LinkPage,
    environment::{Environment, MAIL_FROM, NOTICE_RATE, TICKETS_URL},
};

/// Text that tells the state machine of a failed step; the log has the cause.
pub const FAILED: &str = "the step failed";

/// Maximum number of buyers of a step.
const MAX_BUYERS: usize = 100;

/// Time of a step, after which managers see new numbers.
const STEP: Duration = Duration::from_secs(5);

/// Longest wait after SES throttled, in seconds; its guide says ten minutes.
const MAX_WAIT: u64 = 600;

/// Maximum mails a second for a notice, from 1 to 100.
#[derive(Clone, Copy, Debug)]
pub struct NoticeRate(NonZeroU32);

/// Function with its stores, and its sender of mails.
#[derive(Debug)]
pub struct SendNotices {
    sendings: Sendings,
    /// `None` where the deployment sends no mail.
    sender: Option<(Ses, LinkPage)>,
    rate: NoticeRate,
}

/// Step of a sending: the input of the function, and what the state machine passes on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Step {
    /// Event of the notice.
    pub event_id: Uuid,
    /// The notice.
    pub notice_id: Uuid,
    /// Name of the first execution; another one sends nothing.
    pub owner: String,
    /// Number of steps so far.
    #[serde(default)]
    pub steps: u32,
    /// Seconds before the next step.
    #[serde(default)]
    pub wait: u64,
    /// True if there is no next step.
    #[serde(default)]
    pub done: bool,
}

/// Reason why the rest of a batch gets no mail in this step.
enum End {
    /// SES takes no mails at the moment.
    Throttled,
    /// Nobody gets the notice any more.
    Stop(NoticeStatus),
    /// A call failed.
    Failed(Error),
}

impl FromStr for NoticeRate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let rate = text.parse().ok().filter(|rate: &NonZeroU32| rate.get() <= 100);
        rate.map(Self).ok_or("a number from 1 to 100")
    }
}

impl NoticeRate {
    /// Returns the number of buyers of a step.
    fn batch(self) -> usize {
        let in_step = STEP.as_secs() * u64::from(self.0.get());
        usize::try_from(in_step).unwrap_or(MAX_BUYERS).min(MAX_BUYERS)
    }

    /// Returns the maximum number of simultaneous mails, of which each may take a quarter of a second.
    ///
    /// If the function ends unexpectedly, the outcome of so many mails is unknown.
    fn simultaneous(self) -> usize {
        usize::try_from(self.0.get().div_ceil(4)).unwrap_or(1).max(2)
    }

    /// Returns a clock that ticks before each mail.
    fn ticks(self) -> Interval {
        let mut ticks = interval(Duration::from_secs(1) / self.0.get());
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        // The first tick comes at once, but the last mail of the step before was just now.
        ticks.reset();
        ticks
    }
}

impl Step {
    /// Returns the first step of a sending.
    #[must_use]
    pub fn first(event_id: Uuid, notice_id: Uuid, owner: &str) -> Self {
        Self { event_id, notice_id, owner: owner.to_owned(), steps: 0, wait: 0, done: false }
    }

    fn next(self) -> Self {
        Self { steps: self.steps + 1, wait: 0, ..self }
    }
}

impl SendNotices {
    /// Builds the function.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    pub async fn new(environment: &impl Environment) -> Result<Self, Cause> {
        let sender = if environment.sends_mail() {
            let configuration_set = environment.variable("MAIL_CONFIGURATION_SET");
            let ses = Ses::new(environment.ses().await, environment.parse(MAIL_FROM)?, configuration_set);
            Some((ses, environment.parse(TICKETS_URL)?))
        } else {
            None
        };
        let sendings = Sendings::new(environment.table().await?, environment.clock());
        Ok(Self { sendings, sender, rate: environment.parse(NOTICE_RATE)? })
    }

    /// Returns the notices of an event that may still be sent.
    ///
    /// # Errors
    ///
    /// Returns `Database` if a read fails.
    pub async fn unfinished(&self, event: Uuid) -> Result<Vec<Uuid>, Error> {
        self.sendings.unfinished(event).await
    }

    /// Sends the notice to the next buyers, and returns the next step.
    ///
    /// # Errors
    ///
    /// Returns an error if a call of the database fails. The step can then be repeated: nobody gets a second mail.
    pub async fn step(&self, step: Step) -> Result<Step, Error> {
        let Some((ses, page)) = &self.sender else { return Ok(Step { done: true, ..step }) };
        let sending = match self.sendings.next(step.event_id, step.notice_id, &step.owner, self.rate.batch()).await? {
            Work::None => return Ok(Step { done: true, ..step.next() }),
            Work::Again => return Ok(step.next()),
            Work::Batch(sending) => *sending,
        };
        let (ticks, end, failure) = (Mutex::new(self.rate.ticks()), OnceLock::new(), OnceLock::new());
        let mail = async |member: Uuid| {
            let mut ticks = ticks.lock().await;
            if end.get().is_some() {
                return;
            }
            ticks.tick().await;
            drop(ticks);
            if let Err(reason) = self.mail(ses, page, &sending, member, &failure).await {
                let _ = end.set(reason);
            }
        };
        let mails = stream::iter(sending.members().to_vec()).map(mail);
        // All mails that were begun are completed, also if another one ended the batch.
        mails.buffer_unordered(self.rate.simultaneous()).collect::<()>().await;
        if let Some(cause) = failure.into_inner() {
            tracing::warn!(notice = %step.notice_id, cause, "mails of a notice failed");
        }
        match end.into_inner() {
            Some(End::Failed(error)) => return Err(error),
            Some(End::Throttled) => {
                let wait = (2 * step.wait).clamp(1, MAX_WAIT);
                return Ok(Step { wait, ..step.next() });
            }
            Some(End::Stop(status)) => self.sendings.complete(sending, Some(status)).await?,
            None => self.sendings.complete(sending, None).await?,
        }
        Ok(step.next())
    }

    /// Sends a member their mail, if they are still a buyer.
    async fn mail(
        &self,
        ses: &Ses,
        LinkPage(page): &LinkPage,
        sending: &Sending,
        member: Uuid,
        failure: &OnceLock<BoxError>,
    ) -> Result<(), End> {
        let to = match self.sendings.turn(sending, member).await.map_err(End::Failed)? {
            Next::Skip => return Ok(()),
            Next::Stop(status) => return Err(End::Stop(status)),
            Next::Send(to) => to,
        };
        let mail = notice_mail::write(&sending.notice, &sending.event, &sending.show, page);
        match ses.send_once(&to, &mail.subject, &mail.text, &mail.html).await {
            Ok(()) => self.sendings.sent(sending, member).await.map_err(End::Failed),
            Err(SendError::Failed(cause)) => {
                let _ = failure.set(cause);
                Ok(())
            }
            Err(SendError::NotSent(cause)) => {
                let _ = failure.set(cause);
                self.sendings.take_back(sending, member).await.map_err(End::Failed)?;
                Err(End::Throttled)
            }
        }
    }
}

/// Logs why a step failed.
pub fn report(error: &Error) {
    tracing::error!(cause = error.causes(), "step of a notice failed");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rate_is_1_to_100() {
        for (text, batch, simultaneous) in [("1", 5, 2), ("10", 50, 3), ("20", 100, 5), ("100", 100, 25)] {
            let rate: NoticeRate = text.parse().unwrap();
            assert_eq!((rate.batch(), rate.simultaneous()), (batch, simultaneous));
        }
        for text in ["", "0", "101", "-1", "1.5"] {
            assert!(text.parse::<NoticeRate>().is_err(), "{text}");
        }
    }

    #[test]
    fn state_machine_starts_with_ids_and_owner() {
        let input = r#"{"eventId": "0196a1b2-0000-7123-8456-789aabcdef01", "noticeId": "0196a1b2-0000-7123-8456-789aabcdef02", "owner": "a"}"#;
        let [event, notice] = [1, 2].map(|n| format!("0196a1b2-0000-7123-8456-789aabcdef0{n}").parse().unwrap());
        assert_eq!(serde_json::from_str::<Step>(input).unwrap(), Step::first(event, notice, "a"));
    }
}
