//! Search among the live events.

use std::{collections::HashSet, time::Duration};

use serde::Serialize;
use serde_json::json;
use uuid::Uuid;

use crate::{
    cursor::CursorKey,
    instant::Instant,
    keyboard::{TypedText, TypedWord},
    text::{folded_words, is_blank},
    violation::Violation,
};

/// Maximum number of characters of a query, as sent.
pub const MAX_QUERY: usize = 50;

/// Criteria and order of a search; the default one lists all events, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Search {
    /// Words that the texts of an event contain.
    pub words: Vec<Word>,
    /// Start of the period that has a show.
    pub from: Option<Instant>,
    /// End of the period that has a show; the period excludes it.
    pub to: Option<Instant>,
    /// State of the ticketing.
    pub ticketing: Option<Ticketing>,
    /// Order of the events.
    pub sort: Sort,
}

/// State of the ticketing of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Ticketing {
    /// Ticketing opens in the future.
    Upcoming,
    /// Ticketing has opened, and not yet closed for a scheduled show.
    Open,
}

/// Order of the events; ids break ties.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub enum Sort {
    /// Newest registration first.
    #[default]
    Newest,
    /// Earliest scheduled show in the period first, or earliest future one without a start of the period.
    Show,
    /// Earliest opening of the ticketing first.
    Ticketing,
}

/// Word of a query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Word {
    /// The word, folded.
    text: String,
    /// None if the word has no letters of the Korean keyboard.
    #[serde(skip)]
    typed: Option<TypedWord>,
}

/// Event among which a search selects.
#[derive(Clone, Debug)]
pub struct Candidate<'a> {
    /// Id of the event.
    pub id: Uuid,
    /// Title, artist, place and genre, as far as the event has them.
    pub texts: Vec<&'a str>,
    /// Time when ticketing opens.
    pub ticketing_open_time: Instant,
    /// Times of the shows, in any order.
    pub shows: Vec<Instant>,
    /// Times of those that are scheduled.
    pub scheduled: Vec<Instant>,
    /// Time before each show at which its ticketing closes.
    pub close_before_show: Duration,
}

/// Rank of an event in the order of a search: the number by which it is sorted, and its id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Rank {
    key: u128,
    id: Uuid,
}

impl Rank {
    /// Returns the event with this rank.
    #[must_use]
    pub fn id(self) -> Uuid {
        self.id
    }
}

/// Position in a paged search: the last event of a page, and the time of the first page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchPosition {
    /// Rank of the last event.
    pub last: Rank,
    /// Time of the first page, which counts for all pages.
    pub started: Instant,
}

impl Ticketing {
    /// Names of the states in requests, in the order of the variants.
    pub const NAMES: &[&str] = &["upcoming", "open"];

    /// Returns the state with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Upcoming, Self::Open].into_iter().find(|state| state.name() == name)
    }

    /// Returns the name of the state.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

impl Sort {
    /// Names of the orders in requests, in the order of the variants.
    pub const NAMES: &[&str] = &["newest", "show", "ticketing"];

    /// Returns the order with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Newest, Self::Show, Self::Ticketing].into_iter().find(|order| order.name() == name)
    }

    /// Returns the name of the order.
    #[must_use]
    pub fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }
}

/// Splits a query into different words at white space; invisible characters mean nothing.
///
/// # Errors
///
/// Returns `Required` if the query is blank, and `TooLong` if it has more than 50 characters.
pub fn parse_query(query: &str) -> Result<Vec<Word>, Violation> {
    if is_blank(query) {
        return Err(Violation::Required);
    }
    if query.chars().count() > MAX_QUERY {
        return Err(Violation::TooLong(MAX_QUERY));
    }
    let mut words = folded_words(query);
    let mut seen = HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    Ok(words.into_iter().map(|text| Word { typed: TypedWord::new(&text), text }).collect())
}

impl Search {
    /// Returns the rank of an event, if it matches.
    #[must_use]
    pub fn rank(&self, event: &Candidate, now: Instant) -> Option<Rank> {
        let key = self.key(event, now)?;
        let matches = self.times_match(event, now) && self.words_match(&event.texts);
        matches.then_some(Rank { key, id: event.id })
    }

    /// Returns the number by which an event is sorted; none if the order leaves it out.
    fn key(&self, event: &Candidate, now: Instant) -> Option<u128> {
        match self.sort {
            Sort::Newest => Some(u128::MAX - event.id.as_u128()),
            Sort::Show => {
                let is_listed = |show: &&Instant| self.from.map_or(**show > now, |from| **show >= from);
                event.scheduled.iter().filter(is_listed).min().map(|show| show.nanos())
            }
            Sort::Ticketing => Some(event.ticketing_open_time.nanos()),
        }
    }

    fn times_match(&self, event: &Candidate, now: Instant) -> bool {
        let in_period =
            |show: &Instant| self.from.is_none_or(|from| *show >= from) && self.to.is_none_or(|to| *show < to);
        let ticketing_matches = match self.ticketing {
            None => true,
            Some(Ticketing::Upcoming) => event.ticketing_open_time > now,
            Some(Ticketing::Open) => {
                let closes_later = |show: &Instant| show.since_epoch() > now.since_epoch() + event.close_before_show;
                event.ticketing_open_time <= now && event.scheduled.iter().any(closes_later)
            }
        };
        ticketing_matches && ((self.from, self.to) == (None, None) || event.shows.iter().any(in_period))
    }

    /// Returns true if each word occurs in a text without its white space.
    fn words_match(&self, texts: &[&str]) -> bool {
        if self.words.is_empty() {
            return true;
        }
        let plain = texts.iter().map(|text| folded_words(text).concat()).collect::<Vec<_>>().join("\n");
        // Most words occur as they are, and letters of a keyboard take longer to compare.
        let letters = TypedText::new(&plain);
        self.words
            .iter()
            .all(|word| plain.contains(&word.text) || word.typed.as_ref().is_some_and(|typed| letters.has(typed)))
    }

    /// Builds a cursor that continues this search, and no other one, after a position.
    #[must_use]
    pub fn cursor(&self, key: &CursorKey, position: SearchPosition) -> String {
        let SearchPosition { last: Rank { key: rank, id }, started } = position;
        let numbers = [rank, id.as_u128(), started.nanos()];
        key.sign_position(&json!(self).to_string(), &numbers.map(u128::to_be_bytes).concat())
    }

    /// Returns the position of a cursor of this search.
    #[must_use]
    pub fn position(&self, key: &CursorKey, cursor: &str) -> Option<SearchPosition> {
        let bytes = key.verify_position(&json!(self).to_string(), cursor)?;
        let (numbers, []) = bytes.as_chunks() else { return None };
        let [key, id, started] = *numbers else { return None };
        let last = Rank { key: u128::from_be_bytes(key), id: Uuid::from_bytes(id) };
        Some(SearchPosition { last, started: Instant::from_nanos(u128::from_be_bytes(started))? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u128 = 1_000_000_000;

    fn at(second: u128) -> Instant {
        Instant::from_nanos(second * SECOND).unwrap()
    }

    fn rank(search: &Search, id: u128, opening: u128, shows: &[u128], now: u128) -> Option<Rank> {
        let event = Candidate {
            id: Uuid::from_u128(id),
            texts: Vec::new(),
            ticketing_open_time: at(opening),
            shows: shows.iter().map(|show| at(*show)).collect(),
            scheduled: shows.iter().map(|show| at(*show)).collect(),
            close_before_show: Duration::ZERO,
        };
        search.rank(&event, at(now))
    }

    fn query(query: &str) -> Search {
        Search { words: parse_query(query).unwrap(), ..Search::default() }
    }

    fn finds(q: &str, texts: &[&str]) -> bool {
        query(q).words_match(texts)
    }

    #[test]
    fn every_word_occurs_in_any_field() {
        let event = ["봄 Concert", "아이유", "올림픽공원", "팝"];
        for found in ["봄", "이유", "픽공 봄", "CONCERT 아이유", "ｃｏｎｃｅｒｔ", "  봄\u{3000}아이유\n", "팝"]
        {
            assert!(finds(found, &event), "{found}");
        }
        for missing in ["봄 여름", "유올", "아이 유x"] {
            assert!(!finds(missing, &event), "{missing}");
        }
    }

    #[test]
    fn spaces_and_invisible_characters_mean_nothing() {
        for (q, title) in [
            ("달빛우체국", "뮤지컬 달빛 우체국"),
            ("달빛 우체국", "달빛우체국"),
            ("빛우", "달빛\u{3000}\t우체국"),
            ("\u{feff} 우체\u{200b}국\u{3164} \u{200b}", "달빛 우체국"),
            ("우체국", "우\u{200b}체\u{ad}국"),
            ("resume\u{200d}\u{301}", "Resumé"),
        ] {
            assert!(finds(q, &[title]), "{q:?} in {title:?}");
        }
        assert!(!finds("달빛x", &["달빛", "x"]), "fields are separate");
    }

    #[test]
    fn initials_match_consecutive_syllables() {
        for (q, title) in [
            ("ㅇㅇ", "아이유"),
            ("ㅇㅋㅅ", "2026 아 이유 콘서트"),
            ("ㅇㅇㅇ ㅋㅅㅌ", "(콘서트) 아이유"),
            ("ㅇ\u{200b}ㅇㅇ", "아이유"),
            ("ㅋㅋㅋ", "ㅋㅋ ㅋ"),
            ("\u{ffb7}\u{ffb7}", "아이"),
            ("ㅇㅇ", "\u{110b}\u{1161}\u{110b}\u{1175}"),
        ] {
            assert!(finds(q, &[title]), "{q} in {title}");
        }
        for (q, title) in [
            ("ㅇㅇㅇ", "아-이유"),
            ("ㄱ", "까치"),
            ("ㅇㅇㅇㅇ", "아이유"),
            ("ㅇㅣ", "ㅇㅇ"),
            ("ㅇ이", "아이"),
            ("ㅏ", "아"),
        ] {
            assert!(!finds(q, &[title]), "{q} in {title}");
        }
        assert!(!finds("ㅇㅇ", &["아", "이", "유"]), "fields are separate");
    }

    #[test]
    fn last_syllable_may_be_unfinished() {
        for (q, title) in [
            ("앙", "아이유"),
            ("아ㅇ", "아이유"),
            ("아잉", "아이유"),
            ("고", "과"),
            ("닭", "달걀"),
            ("값", "갑사"),
            ("강ㄴ", "강남 콘서트"),
            ("달빛우첵", "달빛 우체국"),
            ("고 2", "과2"),
            ("\u{3133}", "가수"),
            ("ㄳ", "ㄱㅅ"),
        ] {
            assert!(finds(q, &[title]), "{q} in {title}");
        }
        for (q, title) in [
            ("앙유", "아이유"),
            ("과", "고"),
            ("고2", "과2"),
            ("외", "와이"),
            ("가까", "각가"),
            ("이", "아"),
            ("ㅏ이", "아이유"),
            ("달걀", "닭알"),
            ("앙", "아"),
        ] {
            assert!(!finds(q, &[title]), "{q} in {title}");
        }
        assert!(!finds("앙", &["아", "이유"]), "fields are separate");
    }

    #[test]
    fn equal_words_are_compared_once() {
        assert_eq!(parse_query("a b A ａ b").unwrap(), parse_query("a b").unwrap());
    }

    #[test]
    fn query_has_1_to_50_characters() {
        assert_eq!(parse_query(&"가".repeat(50)).unwrap().len(), 1);
        assert_eq!(parse_query(&"가".repeat(51)), Err(Violation::TooLong(50)));
        for blank in ["", "\u{3000}\t", "\u{200b}\u{3164}"] {
            assert_eq!(parse_query(blank), Err(Violation::Required), "{blank:?}");
        }
    }

    #[test]
    fn period_includes_start_only() {
        let found = |from: Option<u128>, to: Option<u128>| {
            let search = Search { from: from.map(at), to: to.map(at), ..Search::default() };
            rank(&search, 1, 0, &[30, 10], 0).is_some()
        };
        for (from, to) in [(Some(30), None), (None, Some(11)), (Some(10), Some(11)), (Some(11), Some(31))] {
            assert!(found(from, to), "{from:?} {to:?}");
        }
        for (from, to) in [(Some(31), None), (None, Some(10)), (Some(11), Some(30))] {
            assert!(!found(from, to), "{from:?} {to:?}");
        }
    }

    #[test]
    fn ticketing_state_depends_on_now() {
        let states = |now: u128| {
            [Ticketing::Upcoming, Ticketing::Open].map(|state| {
                let search = Search { ticketing: Some(state), ..Search::default() };
                rank(&search, 1, 10, &[20, 30], now).is_some()
            })
        };
        assert_eq!([9, 10, 29, 30].map(states), [[true, false], [false, true], [false, true], [false, false]]);
    }

    #[test]
    fn postponed_and_cancelled_shows_are_not_open() {
        let event = Candidate {
            id: Uuid::from_u128(1),
            texts: Vec::new(),
            ticketing_open_time: at(0),
            shows: vec![at(10), at(20)],
            scheduled: vec![at(20)],
            close_before_show: Duration::from_secs(3),
        };
        let rank = |search: Search, now| search.rank(&event, at(now));
        let open = Search { ticketing: Some(Ticketing::Open), ..Search::default() };
        assert!(rank(open.clone(), 16).is_some() && rank(open.clone(), 17).is_none(), "it closes before the show");
        let off = Candidate { scheduled: Vec::new(), ..event.clone() };
        assert_eq!(open.rank(&off, at(5)), None);
        let by_show = Search { sort: Sort::Show, ..Search::default() };
        assert_eq!(rank(by_show.clone(), 5).map(|rank| rank.key), Some(20 * SECOND));
        assert_eq!(by_show.rank(&off, at(5)), None);
        let period = Search { from: Some(at(10)), to: Some(at(11)), ..Search::default() };
        assert!(period.rank(&off, at(5)).is_some(), "a period sees every show");
    }

    #[test]
    fn order_follows_sort() {
        let order = |sort, from: Option<u128>| {
            let search = Search { sort, from: from.map(at), ..Search::default() };
            let events = [(1, 10, &[90, 20][..]), (2, 9, &[30]), (3, 9, &[30])];
            let mut ranks: Vec<_> =
                events.into_iter().filter_map(|(id, opening, shows)| rank(&search, id, opening, shows, 20)).collect();
            ranks.sort_unstable();
            ranks.into_iter().map(|rank| rank.id().as_u128()).collect::<Vec<_>>()
        };
        assert_eq!(order(Sort::Newest, None), [3, 2, 1]);
        assert_eq!(order(Sort::Ticketing, None), [2, 3, 1]);
        assert_eq!(order(Sort::Show, None), [2, 3, 1], "the show that begins now is not in the future");
        assert_eq!(order(Sort::Show, Some(20)), [1, 2, 3]);
        assert_eq!(order(Sort::Show, Some(31)), [1]);
        assert_eq!(order(Sort::Show, Some(91)), []);
    }

    #[test]
    fn cursor_continues_only_its_search() {
        let key: CursorKey = "0123456789abcdef".parse().unwrap();
        let base = Search { from: Some(at(1)), ..query("a b") };
        let position = SearchPosition { last: Rank { key: u128::MAX, id: Uuid::from_u128(7) }, started: at(5) };
        let cursor = base.cursor(&key, position);
        assert_eq!(Search { from: Some(at(1)), ..query(" Ａ  b ") }.position(&key, &cursor), Some(position));
        for other in [
            Search { from: Some(at(2)), ..base.clone() },
            Search { to: Some(at(1)), from: None, ..base.clone() },
            Search { to: Some(at(2)), ..base.clone() },
            Search { ticketing: Some(Ticketing::Open), ..base.clone() },
            Search { sort: Sort::Show, ..base.clone() },
            Search { from: Some(at(1)), ..query("b a") },
            Search::default(),
        ] {
            assert_eq!(other.position(&key, &cursor), None, "{other:?}");
        }
        assert_eq!(key.verify(&cursor), None, "the list without a search");
        assert_eq!(base.position(&key, &key.sign(Uuid::from_u128(7))), None);
    }
}
