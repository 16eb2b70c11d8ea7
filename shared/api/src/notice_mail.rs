//! Korean texts of the mails that tell buyers of a show what changed, or a manager's message.

use std::fmt::Write as _;

use domain::{
    event::Event,
    instant::Instant,
    notice::{BuyerNotice, Content, ShowTransition},
    show::{Show, ShowStatus},
};

use crate::mail::{Mail, escaped, html_page};

/// Text on the button that leads to the tickets.
const BUTTON: &str = "예매 내역 보기";
const REASON: &str = "이 메일은 해당 회차를 예매하신 분께 보내 드립니다.";

/// Writes the mail of a notice about a show of its event; it leads to the page of a member's tickets.
#[must_use]
pub fn write(notice: &BuyerNotice, event: &Event, show: &Show, page: &str) -> Mail {
    let transition = match &notice.content {
        Content::Change { shows, .. } => shows.iter().find(|transition| transition.show == show.id),
        Content::Message { .. } => None,
    };
    let (kind, sentence) = transition.map_or(("공연 안내", "예매하신 공연에 대해 안내드립니다."), what_changed);
    let title = event.details.title.as_str();
    let mut facts = vec![("공연", title.to_owned())];
    if let Some([before, after]) = transition.and_then(|transition| transition.moved) {
        facts.extend([("변경 전", in_korea(before)), ("변경 후", in_korea(after))]);
    } else {
        let is_postponed = transition.is_some_and(|transition| transition.after == ShowStatus::Postponed);
        facts.push((if is_postponed { "원래 일시" } else { "일시" }, in_korea(show.instant)));
    }
    facts.push(("장소", event.details.place.as_str().to_owned()));
    let is_told = transition.is_some_and(|transition| transition.before != transition.after);
    match transition.map_or(show.status, |transition| transition.after) {
        ShowStatus::Postponed if !is_told => facts.push(("상태", "연기된 공연".to_owned())),
        ShowStatus::Cancelled if !is_told => facts.push(("상태", "취소된 공연".to_owned())),
        _ => {}
    }
    let notice = notice.text(show).unwrap_or_default().replace("\r\n", "\n");
    let lines: Vec<_> = notice.split_terminator(['\r', '\n']).collect();

    // White space in a title may be a line separator.
    let subject = format!("[{kind}] {}", title.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut text = format!("{sentence}\n\n");
    for (name, value) in &facts {
        let _ = writeln!(text, "{name}: {value}");
    }
    if !lines.is_empty() {
        let _ = writeln!(text, "\n{}", lines.join("\n"));
    }
    let _ = write!(text, "\n{BUTTON}:\n{page}\n\n{REASON}\n");
    let facts = facts.iter().map(|(name, value)| format!("<b>{name}</b>: {}", escaped(value)));
    let facts = facts.collect::<Vec<_>>().join("<br>\n");
    let mut paragraphs = vec![sentence.to_owned(), facts];
    if !lines.is_empty() {
        paragraphs.push(lines.iter().map(|line| escaped(line)).collect::<Vec<_>>().join("<br>\n"));
    }
    let html = html_page(&subject, &paragraphs, (BUTTON, page), &[REASON.to_owned()]);
    Mail { subject, text, html }
}

/// Returns the kind of a change, for the subject, and the sentence that tells it.
fn what_changed(transition: &ShowTransition) -> (&'static str, &'static str) {
    use ShowStatus::{Cancelled, Postponed, Scheduled};
    match (transition.before, transition.after, transition.moved.is_some()) {
        (Scheduled | Postponed, Cancelled, _) => ("공연 취소", "예매하신 공연이 취소되었습니다."),
        (Scheduled | Cancelled, Postponed, _) => ("공연 연기", "예매하신 공연이 연기되었습니다."),
        (Postponed, Scheduled, true) => ("공연 일시 확정", "연기되었던 공연의 새 일시가 정해졌습니다."),
        (Postponed, Scheduled, false) => ("공연 진행", "연기되었던 공연이 예정대로 진행됩니다."),
        (Cancelled, Scheduled, true) => ("공연 진행", "취소되었던 공연이 새로운 일시에 진행됩니다."),
        (Cancelled, Scheduled, false) => ("공연 진행", "취소되었던 공연이 예정대로 진행됩니다."),
        (_, _, true) => ("공연 일시 변경", "예매하신 공연의 일시가 변경되었습니다."),
        (_, _, false) => ("공연 안내", "예매하신 공연에 대해 안내드립니다."),
    }
}

fn in_korea(instant: Instant) -> String {
    format!("{}(한국 시간)", instant.in_korea())
}
