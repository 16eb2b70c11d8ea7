//! Calendar file of a show (RFC 5545), which visitors add to their calendars.

use std::time::Duration;

use axum::{
    extract::{Path, rejection::PathRejection},
    response::Response,
};
use domain::{
    clock::Clock,
    error::Error,
    event::Event,
    instant::Instant,
    show::{Show, ShowStatus},
};
use http::{Uri, header::CONTENT_TYPE};
use uuid::Uuid;

use super::{POLICY, Service, page};
use crate::gateway;

/// Maximum length of a line in octets, without its end (RFC 5545, section 3.1).
const MAX_OCTETS: usize = 75;

/// Responds with the file of a show of a live event.
pub async fn respond(service: &Service, ids: Result<Path<[Uuid; 2]>, PathRejection>) -> Response {
    match file(service, ids).await {
        Ok(file) => page(POLICY, ([(CONTENT_TYPE, "text/calendar; charset=utf-8")], file)),
        Err(error) => gateway::error_response(&error.into()),
    }
}

async fn file(service: &Service, ids: Result<Path<[Uuid; 2]>, PathRejection>) -> Result<String, Error> {
    let Path([event, show]) = ids.map_err(|_| Error::NoSuchEvent)?;
    let event = service.events.get(event).await?;
    let show = event.show(show)?;
    let lines = lines(&event, show, &service.address, Instant::now(&Clock::default()));
    Ok(lines.iter().map(|line| folded(line)).collect())
}

/// Describes a show. Calendars replace the entry of the same id if its sequence number has increased.
fn lines(event: &Event, show: &Show, site: &str, now: Instant) -> Vec<String> {
    let details = &event.details;
    let site_uri: Uri = site.parse().unwrap_or_default();
    let address = details.address.as_ref().map(|address| format!(", {}", address.as_str())).unwrap_or_default();
    let status = match show.status {
        ShowStatus::Scheduled => "CONFIRMED",
        ShowStatus::Postponed => "TENTATIVE",
        ShowStatus::Cancelled => "CANCELLED",
    };
    let length = details.running_minutes.map(|minutes| Duration::from_mins(minutes.get().into()));
    let end = length.and_then(|length| Instant::from_epoch(show.instant.since_epoch() + length));
    let notice = show.notice.as_ref().map(|notice| format!("DESCRIPTION:{}", escaped(notice.as_str())));
    let mut lines = vec![
        "BEGIN:VCALENDAR".to_owned(),
        "VERSION:2.0".to_owned(),
        "PRODID:-//봄날티켓//KO".to_owned(),
        "BEGIN:VEVENT".to_owned(),
        format!("UID:{}@{}", show.id, site_uri.host().unwrap_or("localhost")),
        format!("SEQUENCE:{}", event.version),
        format!("DTSTAMP:{}", utc(now)),
        format!("DTSTART:{}", utc(show.instant)),
        format!("SUMMARY:{}", escaped(details.title.as_str())),
        format!("LOCATION:{}", escaped(&format!("{}{address}", details.place.as_str()))),
        format!("URL:{site}/events/{}", event.id),
        format!("STATUS:{status}"),
    ];
    lines.extend(end.map(|end| format!("DTEND:{}", utc(end))));
    lines.extend(notice);
    lines.extend(["END:VEVENT".to_owned(), "END:VCALENDAR".to_owned()]);
    lines
}

/// Formats an instant in whole seconds, such as `20250426T050000Z`.
fn utc(instant: Instant) -> String {
    let text = instant.to_string().replace(['-', ':'], "");
    let (seconds, _) = text.split_at("20250426T050000".len());
    format!("{seconds}Z")
}

/// Escapes the characters that have a meaning in texts (section 3.3.11).
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(';', "\\;").replace(',', "\\,").replace('\n', "\\n")
}

/// Ends a line. A long one continues on the next line after a space, and no character is cut.
fn folded(line: &str) -> String {
    let (mut folded, mut octets) = (String::new(), 0);
    for character in line.chars() {
        if octets + character.len_utf8() > MAX_OCTETS {
            folded.push_str("\r\n ");
            octets = 1;
        }
        octets += character.len_utf8();
        folded.push(character);
    }
    folded + "\r\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_at_most_75_octets() {
        let longest = "a".repeat(MAX_OCTETS);
        assert_eq!(folded(&longest), format!("{longest}\r\n"));
        assert_eq!(folded(&format!("{longest}b")), format!("{longest}\r\n b\r\n"));
        // A syllable has three octets, so 24 of them fit beside the space that begins a line.
        let syllables = folded(&"가".repeat(50));
        let lengths: Vec<_> = syllables.lines().map(str::len).collect();
        assert_eq!(lengths, [75, 73, 4]);
    }
}
