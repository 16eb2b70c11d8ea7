//! Search: the words of a query, the times and the order, compared with a simple model.
#![no_main]

use arbitrary::Arbitrary;
use domain::{
    cursor::CursorKey,
    instant::Instant,
    search::{Candidate, MAX_QUERY, Rank, Search, SearchPosition, Sort, Ticketing, parse_query},
    text::{fold, is_blank, is_invisible},
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
    events: [Event<'a>; 2],
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

/// Returns the initial consonant of a syllable, by the order of the dictionary, and other characters unchanged.
fn initial(c: char) -> char {
    const FIRST_OF_EACH: &str = "가까나다따라마바빠사싸아자짜차카타파하";
    let number =
        (0_u32..).zip(FIRST_OF_EACH.chars()).take_while(|(_, first)| ('가'..='힣').contains(&c) && *first <= c);
    number.last().and_then(|(number, _)| char::from_u32(0x1100 + number)).unwrap_or(c)
}

fn folded(text: &str) -> String {
    fold(&text.replace(|c: char| is_invisible(c) && !c.is_whitespace(), ""))
}

/// Compares character by character.
fn occurs(word: &str, field: &str) -> bool {
    let field: Vec<char> = folded(field).chars().filter(|c| !c.is_whitespace()).collect();
    let word: Vec<char> = word.chars().collect();
    let is_initials = word.iter().all(|c| ('\u{1100}'..='\u{1112}').contains(c));
    let equals = |(c, wanted): (&char, &char)| if is_initials { initial(*c) } else { *c } == *wanted;
    field.windows(word.len()).any(|window| window.iter().zip(&word).all(equals))
}

/// Returns the numbers by which an event is sorted, if it matches.
fn expected(input: &Input, event: &Event) -> Option<(u128, u128)> {
    let words_occur =
        folded(input.query).split_whitespace().all(|word| event.fields.iter().any(|field| occurs(word, field)));
    let in_period = |show: u8| input.from.is_none_or(|from| show >= from) && input.to.is_none_or(|to| show < to);
    let has_show = (input.from, input.to) == (None, None) || event.shows.iter().any(|show| in_period(*show));
    let is_in_state = input.ticketing.is_none_or(|is_upcoming| {
        let has_opened = event.opening <= input.now;
        if is_upcoming { !has_opened } else { has_opened && event.shows.iter().any(|show| *show > input.now) }
    });
    let is_listed = |show: &&u8| input.from.map_or(**show > input.now, |from| **show >= from);
    let key = match input.sort % 3 {
        0 => Some(u128::MAX - event.id),
        1 => event.shows.iter().filter(is_listed).min().map(|show| u128::from(*show)),
        _ => Some(u128::from(event.opening)),
    };
    key.filter(|_| words_occur && has_show && is_in_state).map(|key| (key, event.id))
}

/// Returns the place of an event in the order, as expected.
fn place(search: &Search, input: &Input, event: &Event) -> Option<Rank> {
    let candidate = Candidate {
        id: Uuid::from_u128(event.id),
        texts: event.fields.to_vec(),
        ticketing_open_time: at(event.opening),
        shows: event.shows.iter().map(|show| at(*show)).collect(),
        scheduled: event.shows.iter().map(|show| at(*show)).collect(),
        close_before_show: std::time::Duration::ZERO,
    };
    let place = search.rank(&candidate, at(input.now));
    let expected = expected(input, event).map(|(_, id)| id);
    // The last syllable of a Korean word also matches what it can still become.
    let may_find_more = folded(input.query).chars().any(|c| matches!(c, '\u{1100}'..='\u{11ff}' | '가'..='힣'));
    if !may_find_more || expected.is_some() {
        assert_eq!(place.map(|place| place.id().as_u128()), expected);
    }
    place
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
    let [first, second] = input.events.each_ref().map(|event| place(&search, &input, event));
    let Some(first) = first else { return };
    if let Some(second) = second
        && let [Some(a), Some(b)] = input.events.each_ref().map(|event| expected(&input, event))
    {
        assert_eq!(first.cmp(&second), a.cmp(&b));
    }
    let key: CursorKey = SECRET.parse().expect("the secret is invalid");
    let position = SearchPosition { last: first, started: at(input.now) };
    let cursor = search.cursor(&key, position);
    assert_eq!(search.position(&key, &cursor), Some(position));
    assert_eq!(key.verify(&cursor), None, "a cursor of the list without criteria");
});
