//! Items of notices to buyers.
//!
//! A change writes one item, whatever the number of its shows, and in a transaction each kilobyte costs two units. So an
//! item of a change has at most 2 KB: a show takes six bytes, and a text at most three for each character.

use std::time::Duration;

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    error::Error,
    id,
    instant::Instant,
    notice::{BuyerNotice, ChangeText, Content, Message, RETENTION, ShowTransition},
    show::{Notice, ShowStatus},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    keys::{self, PARTITION, SORT},
    stored_time::StoredTime,
    table::{Item, from_item, to_item},
    write::Write,
};

/// Attribute with the text.
const TEXT: &str = "text";
/// Attribute with the shows of a change, as bytes.
const SHOWS: &str = "shows";
/// Bytes of a show: the last 32 bits of its id, and its statuses before and after the change.
const BYTES_OF_SHOW: usize = 6;
/// Bytes of a text of 500 characters, three for each of them.
const MAX_TEXT: usize = 1_500;

/// Attributes of a notice, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct NoticeRecord {
    /// Version of the event that a change made.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    /// Former and new time of a moved show; a change moves at most one.
    #[serde(skip_serializing_if = "Option::is_none")]
    moved: Option<[StoredTime; 2]>,
    /// True if the shows of a change have different texts, which are those of the event.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    texts_of_event: bool,
    /// Last 32 bits of the id of the show of a message.
    #[serde(skip_serializing_if = "Option::is_none")]
    show: Option<u32>,
    expires_at: u64,
}

/// Builds the write that stores a new notice.
pub(crate) fn put_notice(notice: &BuyerNotice) -> Result<Write, Error> {
    let mut record = NoticeRecord {
        version: None,
        moved: None,
        texts_of_event: false,
        show: None,
        expires_at: (notice.created() + RETENTION).as_secs(),
    };
    let mut attributes = Item::new();
    match &notice.content {
        Content::Message { show, text } => {
            record.show = Some(id::part_number(*show));
            attributes.insert(TEXT.to_owned(), AttributeValue::S(text.as_str().to_owned()));
        }
        Content::Change { version, shows, text } => {
            record.version = Some(*version);
            record.moved = shows.iter().find_map(|show| show.moved).map(|times| times.map(StoredTime));
            record.texts_of_event = *text == ChangeText::OfEachShow;
            let bytes: Vec<_> = shows.iter().flat_map(encode_show).collect();
            attributes.insert(SHOWS.to_owned(), AttributeValue::B(Blob::new(bytes)));
            if let ChangeText::Same(Some(text)) = text {
                attributes.insert(TEXT.to_owned(), encode_text(text.as_str()));
            }
        }
    }
    attributes.extend(to_item(&record)?);
    Ok(Write::put_new(keys::notice(notice.event, notice.id), attributes))
}

/// Reads a notice; `None` if it has expired at a time since 1970.
pub(crate) fn read_notice(mut item: Item, now: Duration) -> Result<Option<BuyerNotice>, Error> {
    let unreadable = || Error::unexpected("unreadable notice");
    let key = |name| item.get(name).and_then(|value: &AttributeValue| value.as_s().ok());
    let [event, id] = key(PARTITION)
        .zip(key(SORT))
        .and_then(|(partition, sort)| keys::notice_ids(partition, sort))
        .ok_or_else(unreadable)?;
    let text = item.remove(TEXT).map(|text| decode_text(text).ok_or_else(unreadable)).transpose()?;
    let shows = item.remove(SHOWS);
    let record: NoticeRecord = from_item(item)?;
    let content = if let (Some(version), Some(AttributeValue::B(bytes))) = (record.version, shows) {
        let moved = record.moved.map(|times| times.map(|time| time.0));
        let shows = bytes.as_ref().chunks_exact(BYTES_OF_SHOW);
        let shows: Result<_, Error> =
            shows.map(|bytes| decode_show(event, bytes, moved).ok_or_else(unreadable)).collect();
        let same = text.map(Notice::from_stored);
        let text = if record.texts_of_event { ChangeText::OfEachShow } else { ChangeText::Same(same) };
        Content::Change { version, shows: shows?, text }
    } else {
        let show = id::part(event, record.show.ok_or_else(unreadable)?);
        Content::Message { show, text: Message::from_stored(text.ok_or_else(unreadable)?) }
    };
    let notice = BuyerNotice { id, event, content };
    Ok(Some(notice).filter(|notice| !notice.has_expired(now)))
}

fn encode_show(transition: &ShowTransition) -> [u8; BYTES_OF_SHOW] {
    let [a, b, c, d] = id::part_number(transition.show).to_be_bytes();
    [a, b, c, d, transition.before as u8, transition.after as u8]
}

fn decode_show(event: Uuid, bytes: &[u8], moved: Option<[Instant; 2]>) -> Option<ShowTransition> {
    let (number, statuses) = bytes.split_first_chunk()?;
    let status = |index: usize| ShowStatus::from_name(ShowStatus::NAMES.get(usize::from(*statuses.get(index)?))?);
    let show = id::part(event, u32::from_be_bytes(*number));
    Some(ShowTransition { show, before: status(0)?, after: status(1)?, moved })
}

/// Encodes a text; one that is longer in UTF-8 has three bytes for each character, since Unicode has 21 bits.
fn encode_text(text: &str) -> AttributeValue {
    if text.len() <= MAX_TEXT {
        return AttributeValue::S(text.to_owned());
    }
    let bytes: Vec<_> = text.chars().flat_map(|c| u32::from(c).to_be_bytes().into_iter().skip(1)).collect();
    AttributeValue::B(Blob::new(bytes))
}

fn decode_text(attribute: AttributeValue) -> Option<String> {
    match attribute {
        AttributeValue::S(text) => Some(text),
        AttributeValue::B(bytes) => {
            let character = |bytes: &[u8]| {
                bytes.try_into().ok().and_then(|[a, b, c]: [u8; 3]| char::from_u32(u32::from_be_bytes([0, a, b, c])))
            };
            bytes.as_ref().chunks(3).map(character).collect()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_text_is_read_as_written() {
        for text in ["가".repeat(500), "🎫".repeat(500), "a🎫가\n".repeat(125)] {
            let encoded = encode_text(&text);
            let len = encoded.as_s().map_or_else(|_| encoded.as_b().unwrap().as_ref().len(), String::len);
            assert!(len <= MAX_TEXT, "{len}");
            assert_eq!(decode_text(encoded).as_ref(), Some(&text));
        }
        assert_eq!(decode_text(AttributeValue::B(Blob::new([0x11, 0, 0]))), None, "no character");
    }

    #[test]
    fn transition_is_read_as_written() {
        let (show, moved) = (id::part(Uuid::nil(), 7), None);
        for (before, after) in
            [(ShowStatus::Scheduled, ShowStatus::Cancelled), (ShowStatus::Cancelled, ShowStatus::Postponed)]
        {
            let transition = ShowTransition { show, before, after, moved };
            assert_eq!(decode_show(Uuid::nil(), &encode_show(&transition), moved), Some(transition));
        }
        assert_eq!(decode_show(Uuid::nil(), &[0, 0, 0, 7, 0, 3], moved), None, "unknown status");
    }
}
