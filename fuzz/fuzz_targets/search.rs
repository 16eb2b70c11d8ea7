//! Search: the words of a query, the times and the cursor.
#![no_main]

use arbitrary::Arbitrary;
use domain::{
    cursor::CursorKey,
    instant::Instant,
    search::{Candidate, MAX_QUERY, Rank, Search, SearchPosition, Sort, Ticketing, parse_query},
    text::is_blank,
};
use libfuzzer_sys::fuzz_target;
use uuid::Uuid;

const SECRET: &str = "0123456789abcdef";
const SECOND: u128 = 1_000_000_000;

#[derive(Arbitrary, Debug)]
struct Input<'a> {
    query: &'a str,
    from: Option<u8>,
    to: Option<u8>,
    ticketing: Option<bool>,
    sort: u8,
    now: u8,
    event: Event<'a>,
}

#[derive(Arbitrary, Debug)]
struct Event<'a> {
    id: u128,
    fields: [&'a str; 4],
    opening: u8,
    shows: Vec<u8>,
}

fn at(second: u8) -> Instant {
    Instant::from_nanos(u128::from(second) * SECOND).expect("the time is out of range")
}

fn rank(search: &Search, input: &Input, event: &Event) -> Option<Rank> {
    let shows: Vec<_> = event.shows.iter().map(|show| at(*show)).collect();
    let candidate = Candidate {
        id: Uuid::from_u128(event.id),
        texts: event.fields.to_vec(),
        ticketing_open_time: at(event.opening),
        scheduled: shows.clone(),
        shows,
        close_before_show: std::time::Duration::ZERO,
    };
    search.rank(&candidate, at(input.now))
}

fuzz_target!(|input: Input| {
    let words = parse_query(input.query);
    let is_usable = !is_blank(input.query) && input.query.chars().count() <= MAX_QUERY;
    assert_eq!(words.is_ok(), is_usable, "{:?}", input.query);
    let Ok(words) = words else { return };
    let search = Search {
        words,
        from: input.from.map(at),
        to: input.to.map(at),
        ticketing: input.ticketing.map(|is_upcoming| if is_upcoming { Ticketing::Upcoming } else { Ticketing::Open }),
        sort: [Sort::Newest, Sort::Show, Sort::Ticketing][usize::from(input.sort % 3)],
    };
    // A text finds itself, if no other criterion excludes it.
    let words = Search { words: search.words.clone(), ..Search::default() };
    let same = Event { id: 0, fields: [input.query, "", "", ""], opening: 0, shows: Vec::new() };
    assert!(rank(&words, &input, &same).is_some(), "{:?}", input.query);
    let Some(last) = rank(&search, &input, &input.event) else { return };
    assert!(rank(&words, &input, &input.event).is_some(), "more criteria find more");
    assert_eq!(last.id().as_u128(), input.event.id);
    let key: CursorKey = SECRET.parse().expect("the secret is invalid");
    let position = SearchPosition { last, started: at(input.now) };
    let cursor = search.cursor(&key, position);
    assert_eq!(search.position(&key, &cursor), Some(position));
    assert_eq!(key.verify(&cursor), None, "a cursor of the list without criteria");
});
