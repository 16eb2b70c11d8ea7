use super::*;
use crate::{
    patch::Patch,
    seats::{holder::HeldSeats, tests::event},
    show::ShowPatch,
};

const NOW: Duration = Duration::from_hours(500_000);

fn changed(before: &Event, show: usize, change: &ShowPatch) -> Event {
    before.with_show(before.shows[show].id, change).unwrap().unwrap()
}

fn postponed(before: &Event) -> Event {
    changed(before, 0, &ShowPatch { status: Some(ShowStatus::Postponed), ..ShowPatch::default() })
}

fn two_shows() -> Event {
    let mut event = event();
    event.shows.push(Show::new(Uuid::max(), Instant::from_number("2000").unwrap()));
    event
}

/// Returns notices of the first show, this many minutes before now.
fn told(before: &Event, minutes: &[u64]) -> Vec<BuyerNotice> {
    let notice = |minutes: &u64| {
        BuyerNotice::of_change(before, &postponed(before), &[], NOW.saturating_sub(Duration::from_mins(*minutes)))
            .unwrap()
    };
    minutes.iter().map(notice).collect()
}

#[test]
fn change_tells_what_became_of_its_shows() {
    let before = two_shows();
    let [old, new] = [before.shows[1].instant, Instant::from_number("3000").unwrap()];
    let text = Notice::parse("새 일시를 확인해 주세요.").unwrap();
    let change = ShowPatch { instant: Some(new), notice: Patch::Replace(text.clone()), ..ShowPatch::default() };
    let after = changed(&before, 1, &change);
    let notice = BuyerNotice::of_change(&before, &after, &[], NOW).unwrap();
    let (before, after) = (ShowStatus::Scheduled, ShowStatus::Scheduled);
    let shows = vec![ShowTransition { show: Uuid::max(), before, after, moved: Some([old, new]) }];
    assert_eq!(notice.content, Content::Change { version: 1, shows, texts: ChangeTexts::Copied(vec![Some(text)]) });
    assert_eq!((notice.created(), notice.shows()), (NOW, vec![Uuid::max()]));
}

#[test]
fn later_edit_of_a_text_does_not_change_a_notice() {
    let text = |text: &str| ShowPatch { notice: Patch::Replace(Notice::parse(text).unwrap()), ..ShowPatch::default() };
    let told = |first: &str, second: &str| {
        let before = changed(&changed(&two_shows(), 0, &text(first)), 1, &text(second));
        let after = before.cancelled(&Patch::Keep, Duration::ZERO).unwrap().unwrap();
        let notice = BuyerNotice::of_change(&before, &after, &[], NOW).unwrap();
        let later = changed(&after, 1, &text("later"));
        [0, 1].map(|show| notice.text(&later.shows[show]).unwrap().to_owned())
    };
    let long = "가".repeat(MAX_COPIED - 1);
    assert_eq!(told("a", "b"), ["a", "b"]);
    assert_eq!(told("a", &long), ["a", &long]);
    assert_eq!(told("ab", &long), ["ab", "later"], "too long to be copied");
    let longest = "가".repeat(500);
    assert_eq!(told(&longest, &longest), [&*longest, &longest]);
}

#[test]
fn eleventh_change_of_a_show_waits_for_the_first() {
    let before = two_shows();
    let decide = |minutes: &[u64], show: usize| {
        let change = ShowPatch { status: Some(ShowStatus::Cancelled), ..ShowPatch::default() };
        BuyerNotice::of_change(&before, &changed(&before, show, &change), &told(&before, minutes), NOW)
    };
    let day: Vec<_> = (0..10).map(|hour| 1_439 - 60 * hour).collect();
    let Err(Error::TooManyNotices(wait)) = decide(&day, 0) else { panic!("the 11th is told") };
    assert_eq!(wait, Duration::from_mins(1));
    assert!(decide(&day[1..], 0).is_ok(), "10th");
    assert!(decide(&day, 1).is_ok(), "another show");
    let older: Vec<_> = day.iter().map(|minutes| minutes + 1).collect();
    assert!(decide(&older, 0).is_ok(), "the first was a day ago");
}

#[test]
fn messages_and_changes_have_limits_of_their_own() {
    let text = || Message::parse("문은 6시에 열립니다.").unwrap();
    let message = |times: Vec<Duration>| BuyerNotice::of_message(Uuid::nil(), Uuid::max(), text(), times, NOW);
    let times: Vec<_> = (0..10).map(|second| NOW.saturating_sub(Duration::from_millis(10_000 - second))).collect();
    let Err(Error::TooManyNotices(wait)) = message(times.clone()) else { panic!("the 11th is sent") };
    assert_eq!(wait, Duration::from_secs(24 * 3_600 - 10), "rounded up");
    let ninth = message(times[1..].to_vec()).unwrap();
    let messages = vec![ninth; 10];
    let before = two_shows();
    assert!(BuyerNotice::of_change(&before, &postponed(&before), &messages, NOW).is_ok());
}

#[test]
fn later_change_replaces_earlier_one_of_the_show() {
    let before = two_shows();
    let first = postponed(&before);
    let second = changed(&first, 0, &ShowPatch { status: Some(ShowStatus::Cancelled), ..ShowPatch::default() });
    // The clock of the first function was ahead.
    let older = BuyerNotice::of_change(&before, &first, &[], NOW + Duration::from_secs(9)).unwrap();
    let newer = BuyerNotice::of_change(&first, &second, std::slice::from_ref(&older), NOW).unwrap();
    assert!(newer.id > older.id);
    let show = before.shows[0].id;
    assert!(newer.replaces(&older, show) && !older.replaces(&newer, show));
    assert!(!newer.replaces(&older, Uuid::max()), "another show");
    assert!(older.may_be_replaced(2) && !newer.may_be_replaced(2));
    let text = Message::parse("a").unwrap();
    let message = BuyerNotice::of_message(before.id, show, text, [], NOW + Duration::from_secs(99)).unwrap();
    assert!(!message.replaces(&older, show) && !newer.replaces(&message, show) && !message.may_be_replaced(9));
}

#[test]
fn buyer_has_a_sold_seat_at_their_turn() {
    let seats = |until| Holder { holds: vec![(Uuid::nil(), HeldSeats { seats: 1, until })], ..Holder::default() };
    let email = Email::parse("kim@공연.kr").unwrap();
    let mail = Turn::Mail("kim@xn--ob0bt78b.kr".to_owned());
    assert_eq!(turn(false, &seats(None), Some(&email)), mail);
    assert_eq!(turn(true, &seats(None), Some(&email)), Turn::Skip, "had their turn");
    assert_eq!(turn(false, &seats(Some(u32::MAX)), Some(&email)), Turn::Skip, "only held");
    assert_eq!(turn(false, &Holder::default(), Some(&email)), Turn::Skip, "cancelled");
    assert_eq!(turn(false, &seats(None), None), Turn::Unreachable, "withdrawn");
}

#[test]
fn telling_without_mail_is_rejected() {
    assert!(matches!(Telling::new(true, false).expect_possible(), Err(Error::NoMail)));
    for (notify, sends_mail) in [(false, false), (false, true), (true, true)] {
        assert!(Telling::new(notify, sends_mail).expect_possible().is_ok());
    }
}

#[test]
fn ids_since_a_time_begin_with_the_first() {
    let [earlier, later] = [NOW.saturating_sub(Duration::from_millis(1)), NOW].map(id_at);
    assert!(earlier < first_id_since(NOW) && first_id_since(NOW) <= later);
}
