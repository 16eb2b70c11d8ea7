//! Items of notices to buyers.
//!
//! A change writes one item, whatever the number of its shows, and in a transaction each kilobyte costs two units. So
//! an item of a change has at most 2 KB: a show takes six bytes, and texts at most three for each character.

use std::{collections::BTreeSet, time::Duration};

use aws_sdk_dynamodb::{primitives::Blob, types::AttributeValue};
use domain::{
    error::Error,
    id,
    instant::Instant,
    notice::{BuyerNotice, ChangeTexts, Content, Message, RETENTION, ShowTransition},
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

/// Attribute with the text of a message.
const TEXT: &str = "text";
/// Attribute with the different texts of the shows of a change.
const TEXTS: &str = "texts";
/// Attribute with the shows of a change, as bytes.
const SHOWS: &str = "shows";
/// Bytes of a show: the last 32 bits of its id, its statuses before and after the change in one byte, and the number of
/// its text, from 1.
const BYTES_OF_SHOW: usize = 6;
/// Maximum number of bytes of a character.
const BYTES_OF_CHARACTER: usize = 3;

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
    /// True if the texts of a change are those of the event.
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
        Content::Change { version, shows, texts } => {
            record.version = Some(*version);
            record.moved = shows.iter().find_map(|show| show.moved).map(|times| times.map(StoredTime));
            record.texts_of_event = *texts == ChangeTexts::OfEvent;
            let of_shows = if let ChangeTexts::Copied(texts) = texts { &**texts } else { &[] };
            let different: BTreeSet<_> = of_shows.iter().flatten().map(Notice::as_str).collect();
            let different: Vec<_> = different.into_iter().collect();
            let number = |show: usize| {
                let text = of_shows.get(show)?.as_ref()?.as_str();
                u8::try_from(different.binary_search(&text).ok()? + 1).ok()
            };
            let shows = shows.iter().enumerate();
            let bytes: Vec<_> = shows.flat_map(|(index, show)| encode_show(show, number(index).unwrap_or(0))).collect();
            attributes.insert(SHOWS.to_owned(), AttributeValue::B(Blob::new(bytes)));
            if !different.is_empty() {
                let texts = different.into_iter().map(encode_text).collect();
                attributes.insert(TEXTS.to_owned(), AttributeValue::L(texts));
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
    let [text, texts, shows] = [TEXT, TEXTS, SHOWS].map(|name| item.remove(name));
    let record: NoticeRecord = from_item(item)?;
    let content = if let (Some(version), Some(AttributeValue::B(bytes))) = (record.version, shows) {
        let moved = record.moved.map(|times| times.map(|time| time.0));
        let texts = decode_texts(texts).ok_or_else(unreadable)?;
        let shows = bytes.as_ref().chunks_exact(BYTES_OF_SHOW);
        let shows: Option<Vec<_>> = shows.map(|bytes| decode_show(event, bytes, moved, &texts)).collect();
        let (shows, texts) = shows.ok_or_else(unreadable)?.into_iter().unzip();
        let texts = if record.texts_of_event { ChangeTexts::OfEvent } else { ChangeTexts::Copied(texts) };
        Content::Change { version, shows, texts }
    } else {
        let show = id::part(event, record.show.ok_or_else(unreadable)?);
        let Some(AttributeValue::S(text)) = text else { return Err(unreadable()) };
        Content::Message { show, text: Message::from_stored(text) }
    };
    let notice = BuyerNotice { id, event, content };
    Ok(Some(notice).filter(|notice| !notice.has_expired(now)))
}

fn encode_show(transition: &ShowTransition, text: u8) -> [u8; BYTES_OF_SHOW] {
    let [a, b, c, d] = id::part_number(transition.show).to_be_bytes();
    [a, b, c, d, (transition.before as u8) << 4 | transition.after as u8, text]
}

fn decode_show(
    event: Uuid,
    bytes: &[u8],
    moved: Option<[Instant; 2]>,
    texts: &[Notice],
) -> Option<(ShowTransition, Option<Notice>)> {
    let (number, rest) = bytes.split_first_chunk()?;
    let &[statuses, text] = rest else { return None };
    let status = |number: u8| ShowStatus::from_name(ShowStatus::NAMES.get(usize::from(number))?);
    let show = id::part(event, u32::from_be_bytes(*number));
    let transition = ShowTransition { show, before: status(statuses >> 4)?, after: status(statuses & 0xf)?, moved };
    let text = match usize::from(text).checked_sub(1) {
        None => None,
        Some(index) => Some(texts.get(index)?.clone()),
    };
    Some((transition, text))
}

/// Encodes a text; one that is longer in UTF-8 has three bytes for each character, since Unicode has 21 bits.
fn encode_text(text: &str) -> AttributeValue {
    let bytes: Vec<_> = text.chars().flat_map(|c| u32::from(c).to_be_bytes().into_iter().skip(1)).collect();
    if text.len() <= bytes.len() { AttributeValue::S(text.to_owned()) } else { AttributeValue::B(Blob::new(bytes)) }
}

fn decode_texts(attribute: Option<AttributeValue>) -> Option<Vec<Notice>> {
    match attribute {
        None => Some(Vec::new()),
        Some(AttributeValue::L(texts)) => {
            texts.into_iter().map(|text| decode_text(text).map(Notice::from_stored)).collect()
        }
        Some(_) => None,
    }
}

fn decode_text(attribute: AttributeValue) -> Option<String> {
    match attribute {
        AttributeValue::S(text) => Some(text),
        AttributeValue::B(bytes) => {
            let character = |bytes: &[u8]| {
                bytes.try_into().ok().and_then(|[a, b, c]: [u8; 3]| char::from_u32(u32::from_be_bytes([0, a, b, c])))
            };
            bytes.as_ref().chunks(BYTES_OF_CHARACTER).map(character).collect()
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
            assert!(len <= BYTES_OF_CHARACTER * 500, "{len}");
            assert_eq!(decode_text(encoded).as_ref(), Some(&text));
        }
        assert_eq!(decode_text(AttributeValue::B(Blob::new([0x11, 0, 0]))), None, "no character");
    }

    #[test]
    fn transition_is_read_as_written() {
        let (show, moved) = (id::part(Uuid::nil(), 7), None);
        let texts = ["a", "b"].map(|text| Notice::from_stored(text.to_owned()));
        for (before, after, number, text) in [
            (ShowStatus::Scheduled, ShowStatus::Cancelled, 0, None),
            (ShowStatus::Cancelled, ShowStatus::Postponed, 2, Some(texts[1].clone())),
        ] {
            let transition = ShowTransition { show, before, after, moved };
            let read = decode_show(Uuid::nil(), &encode_show(&transition, number), moved, &texts);
            assert_eq!(read, Some((transition, text)));
        }
        assert_eq!(decode_show(Uuid::nil(), &[0, 0, 0, 7, 3, 0], moved, &texts), None, "unknown status");
        assert_eq!(decode_show(Uuid::nil(), &[0, 0, 0, 7, 0, 3], moved, &texts), None, "unknown text");
    }
}
