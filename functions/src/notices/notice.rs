//! Notices to buyers on the wire.

use api::{
    error::Error,
    fields::{Errors, Field},
};
use domain::{
    described,
    idempotency::{Fingerprint, IdempotencyKey},
    instant::Instant,
    notice::{BuyerNotice, Content, Message, NoticeStatus, Progress},
    show::Show,
};
use schemars::JsonSchema;
use seating::seat_map::MAX_HALL_SEATS;
use serde::{Deserialize, Serialize};
use storage::notices::notice_store::NewMessage;
use uuid::Uuid;

/// Message to the buyers of a show.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct MessageRequest<'a> {
    /// Text of the mail.
    #[serde(borrow)]
    text: Field<'a, Message>,
}

impl MessageRequest<'_> {
    /// Validates the text.
    ///
    /// # Errors
    ///
    /// Returns `Fields` if it is invalid.
    pub fn message(self, manager: Uuid, key: Option<(IdempotencyKey, Fingerprint)>) -> Result<NewMessage, Error> {
        let mut errors = Errors::default();
        let text = errors.text("text", self.text, Message::parse);
        text.map(|text| NewMessage { manager, text, key }).ok_or_else(|| errors.into_error())
    }
}

/// Notice that is sent later.
#[derive(Debug, Serialize, JsonSchema)]
pub struct AcceptedNotice {
    /// Id of the notice, as in the list.
    pub id: Uuid,
}

/// Kind of a notice.
struct Kind;

described!(Kind as "NoticeKind", { "type": "string", "enum": ["CHANGE", "MESSAGE"] });

/// Status of the sending of a notice.
struct Status;

described!(Status as "NoticeStatus", {
    "description": "`SENDING`: buyers still get it. `DONE`: all got it. `REPLACED`: buyers get a later change instead.",
    "type": "string",
    "enum": NoticeStatus::NAMES,
});

/// Notice to the buyers of a show.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Notice")]
pub struct NoticeResponse<'a> {
    id: Uuid,
    #[schemars(with = "Kind")]
    kind: &'static str,
    /// Message, or the notice that the show had after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Message>")]
    text: Option<&'a str>,
    #[schemars(with = "Instant")]
    created_at: Option<Instant>,
    #[schemars(with = "Status")]
    status: &'static str,
    /// Number of members found so far.
    #[schemars(range(max = MAX_HALL_SEATS))]
    buyers: u32,
    /// Number of those whose mail was taken.
    #[schemars(range(max = MAX_HALL_SEATS))]
    sent: u32,
    /// Number of the others: the mail was rejected, its outcome is unknown, or the member has withdrawn.
    #[schemars(range(max = MAX_HALL_SEATS))]
    failed: u32,
}

impl<'a> NoticeResponse<'a> {
    /// Combines a notice about a show with the progress of its sending.
    #[must_use]
    pub fn new(notice: &'a BuyerNotice, show: &'a Show, progress: &Progress) -> Self {
        let kind = match notice.content {
            Content::Change { .. } => "CHANGE",
            Content::Message { .. } => "MESSAGE",
        };
        Self {
            id: notice.id,
            kind,
            text: notice.text(show),
            created_at: Instant::from_epoch(notice.created()),
            status: progress.status.name(),
            buyers: progress.counts.buyers,
            sent: progress.counts.sent,
            failed: progress.counts.failed,
        }
    }
}
