//! Changes as `CloudEvents` (<https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/formats/json-format.md>).

use std::time::Duration;

use domain::{
    change::{ChangeKind, CommittedChange, Subject},
    clock::milliseconds,
    error::Error,
    instant::Instant,
    price::Price,
    show::{Notice, Show},
    ticket::Ticket,
};
use serde::Serialize;
use uuid::Uuid;

use crate::changes::record::Record;

/// Number of digits of every sequence number, the maximum of `DynamoDB`.
const SEQUENCE_DIGITS: usize = 40;

/// Change as it is posted.
#[derive(Clone, Debug, Serialize)]
pub struct CloudEvent {
    specversion: &'static str,
    id: String,
    source: String,
    r#type: &'static str,
    subject: String,
    time: Instant,
    datacontenttype: &'static str,
    sequence: String,
    data: Data,
}

/// Data of a change; all ids are those of the API.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged, rename_all_fields = "camelCase")]
enum Data {
    Event {
        event_id: Uuid,
        manager_id: Uuid,
    },
    Show {
        event_id: Uuid,
        show_id: Uuid,
        datetime: Instant,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
        #[serde(skip_serializing_if = "Option::is_none")]
        notice: Option<Notice>,
    },
    Sale {
        event_id: Uuid,
        show_id: Uuid,
        hold_id: Uuid,
        order_id: String,
        amount: Price,
        seats: usize,
        member_id: Option<Uuid>,
    },
    Member {
        member_id: Uuid,
    },
    Ticket {
        event_id: Uuid,
        show_id: Uuid,
        hold_id: Uuid,
        seat_id: Uuid,
        gate: Uuid,
    },
}

impl CloudEvent {
    /// Builds the event of the `index`-th change of a record.
    ///
    /// The record is delivered again after a failure; its changes then have the ids that they had before.
    ///
    /// # Errors
    ///
    /// Returns `Unexpected` if the record has no valid time.
    pub(crate) fn new(source: &str, record: &Record, index: usize, change: CommittedChange) -> Result<Self, Error> {
        let CommittedChange { kind, subject } = change;
        let id = &record.event_id;
        let since_epoch = Duration::try_from_secs_f64(record.change.approximate_creation_date_time);
        // Half a millisecond rounds the binary fraction of a number such as 0.001.
        let time = since_epoch.map_err(Error::unexpected)? + Duration::from_micros(500);
        let time = Instant::from_milliseconds(milliseconds(time));
        Ok(Self {
            specversion: "1.0",
            id: if index == 0 { id.clone() } else { format!("{id}-{index}") },
            source: source.to_owned(),
            r#type: kind.name(),
            subject: path(&subject),
            time: time.ok_or_else(|| Error::unexpected("time after the year 9999"))?,
            datacontenttype: "application/json",
            sequence: format!("{:0>SEQUENCE_DIGITS$}", record.change.sequence_number),
            data: Data::new(kind, subject),
        })
    }
}

/// Returns the path of what a change is about, relative to `/api/v1`.
fn path(subject: &Subject) -> String {
    match subject {
        Subject::Event { event, .. } => format!("events/{event}"),
        Subject::Show { event, show } => format!("events/{event}/dates/{}", show.id),
        Subject::Sale { hold, .. } => format!("events/{}/dates/{}/holds/{}", hold.event, hold.show, hold.id),
        Subject::Member(member) => format!("members/{member}"),
        Subject::Ticket { ticket: Ticket { event, show, seat, .. }, .. } => {
            format!("events/{event}/dates/{show}/seats/{seat}")
        }
    }
}

impl Data {
    fn new(kind: ChangeKind, subject: Subject) -> Self {
        match subject {
            Subject::Event { event, manager } => Self::Event { event_id: event, manager_id: manager },
            Subject::Show { event, show: Show { id, instant, status, notice, moved_from: _ } } => {
                let is_changed = kind == ChangeKind::ShowChanged;
                Self::Show {
                    event_id: event,
                    show_id: id,
                    datetime: instant,
                    status: is_changed.then(|| status.name()),
                    notice: notice.filter(|_| is_changed),
                }
            }
            Subject::Sale { hold, order } => Self::Sale {
                event_id: hold.event,
                show_id: hold.show,
                hold_id: hold.id,
                order_id: order.as_str().to_owned(),
                amount: hold.amount,
                seats: hold.seats.len(),
                member_id: hold.member,
            },
            Subject::Member(member) => Self::Member { member_id: member },
            Subject::Ticket { ticket: Ticket { event, show, hold, seat }, gate } => {
                Self::Ticket { event_id: event, show_id: show, hold_id: hold, seat_id: seat, gate }
            }
        }
    }
}
