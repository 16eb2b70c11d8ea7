//! Search among events on the wire.

use domain::{
    clock::Clock,
    cursor::CursorKey,
    instant::Instant,
    search::{Rank, Search, SearchPosition, Sort, Ticketing, parse_query},
    violation::Violation,
};
use lambda_http::Request;
use serde_json::value::RawValue;

use api::{
    error::Error,
    fields::Errors,
    page::{self, parameter},
};

/// Requested page of a search.
#[derive(Debug, PartialEq, Eq)]
pub struct SearchRequest {
    /// Maximum number of events, from 1 to 100.
    pub limit: usize,
    /// Criteria and order.
    pub search: Search,
    /// Time of the first page.
    pub started: Instant,
    /// Rank after which the page begins; the first page if `None`.
    pub after: Option<Rank>,
    /// Query as sent, if any.
    query: Option<String>,
}

/// Reads a page of a search from the query parameters of a request; none if they only ask for a page of the list.
///
/// # Errors
///
/// Returns `Parameters` if a parameter is invalid, or if the cursor belongs to another search.
pub fn from_request(request: &Request, key: &CursorKey, clock: &Clock) -> Result<Option<SearchRequest>, Error> {
    let mut errors = Errors::default();
    let query = parameter(request, "q");
    let mut search = Search::default();
    if let Some(text) = query {
        search.words = valid(&mut errors, "q", text, parse_query(text)).unwrap_or_default();
    }
    search.from = parameter(request, "from").and_then(|text| instant(&mut errors, "from", text));
    search.to = parameter(request, "to").and_then(|text| instant(&mut errors, "to", text));
    if let (Some(text), Some(from), Some(to)) = (parameter(request, "from"), search.from, search.to)
        && from >= to
    {
        errors.add_value("from", text, Violation::NotBefore("to"));
    }
    if let Some(text) = parameter(request, "ticketing") {
        let state = Ticketing::from_name(text).ok_or(Violation::NotOneOf(Ticketing::NAMES));
        search.ticketing = valid(&mut errors, "ticketing", text, state);
    }
    if let Some(text) = parameter(request, "sort") {
        let order = Sort::from_name(text).ok_or(Violation::NotOneOf(Sort::NAMES));
        search.sort = valid(&mut errors, "sort", text, order).unwrap_or_default();
    }
    let are_criteria_valid = errors.is_empty();
    // The default order alone is not a search.
    if are_criteria_valid && search == Search::default() {
        return Ok(None);
    }
    let limit = page::limit(&mut errors, request);
    // If a criterion is invalid, it is unknown to which search the cursor belongs.
    let verify = |text: &str| search.position(key, text);
    let position = if are_criteria_valid { page::cursor(&mut errors, request, verify) } else { None };
    errors.into_parameters()?;
    let (after, started) = match position {
        Some(SearchPosition { last, started }) => (Some(last), started),
        None => (None, Instant::now(clock)),
    };
    Ok(Some(SearchRequest { limit, search, started, after, query: query.map(str::to_owned) }))
}

impl SearchRequest {
    /// Returns the path and query of the page after this place.
    #[must_use]
    pub fn next(&self, key: &CursorKey, last: Rank) -> String {
        let Search { from, to, ticketing, sort, .. } = &self.search;
        let sort = Some(*sort).filter(|sort| *sort != Sort::default());
        let cursor = self.search.cursor(key, SearchPosition { last, started: self.started });
        let parameters = [
            ("limit", Some(self.limit.to_string())),
            ("q", self.query.clone()),
            ("from", from.map(|from| from.to_string())),
            ("to", to.map(|to| to.to_string())),
            ("ticketing", ticketing.map(|state| state.name().to_owned())),
            ("sort", sort.map(|order| order.name().to_owned())),
            ("cursor", Some(cursor)),
        ];
        page::next("/api/v1/events", &parameters)
    }
}

fn valid<T>(errors: &mut Errors, name: &str, text: &str, parsed: Result<T, Violation>) -> Option<T> {
    parsed.map_err(|violation| errors.add_value(name, text, violation)).ok()
}

/// Reads a time: epoch seconds in the notation of a JSON number, or ISO 8601.
fn instant(errors: &mut Errors, name: &str, text: &str) -> Option<Instant> {
    let is_number = text.starts_with(|c: char| c == '-' || c.is_ascii_digit())
        && serde_json::from_str::<&RawValue>(text).is_ok_and(|json| json.get() == text);
    let parsed = if is_number { Instant::from_number(text) } else { Instant::from_text(text) };
    parsed.map_err(|violations| violations.into_iter().for_each(|each| errors.add_value(name, text, each))).ok()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use lambda_http::{Body, RequestExt as _};
    use uuid::Uuid;

    use super::*;
    use domain::search::Candidate;

    fn key() -> CursorKey {
        "0123456789abcdef".parse().unwrap()
    }

    fn read(parameters: &[(&str, &str)]) -> SearchRequest {
        let parameters: HashMap<_, _> =
            parameters.iter().map(|(name, value)| ((*name).to_owned(), vec![(*value).to_owned()])).collect();
        let request = Request::new(Body::Empty).with_query_string_parameters(parameters);
        from_request(&request, &key(), &Clock::default()).unwrap().unwrap()
    }

    /// Returns the place of any event.
    fn place(search: &Search) -> Rank {
        let time = Instant::from_text("2099-01-01T00:00Z").unwrap();
        let (id, texts) = (Uuid::from_u128(7), vec!["봄 콘서트"]);
        search
            .rank(
                &Candidate {
                    id,
                    texts,
                    ticketing_open_time: time,
                    shows: vec![time],
                    scheduled: vec![time],
                    close_before_show: std::time::Duration::ZERO,
                },
                Instant::now(&Clock::default()),
            )
            .unwrap()
    }

    #[test]
    fn next_page_keeps_criteria_and_start() {
        let criteria = [("q", "봄  ㅋㅅㅌ"), ("from", "5.5"), ("to", "2100-01-01T00:00+09:00"), ("sort", "show")];
        let first = read(&[&criteria[..], &[("ticketing", "upcoming"), ("limit", "3")]].concat());
        let last = place(&first.search);
        let next = first.next(&key(), last);
        let (start, cursor) = next.split_once("&cursor=").unwrap();
        assert_eq!(
            start,
            "/api/v1/events?limit=3&q=%EB%B4%84%20%20%E3%85%8B%E3%85%85%E3%85%8C\
             &from=1970-01-01T00%3A00%3A05.500Z&to=2099-12-31T15%3A00%3A00Z&ticketing=upcoming&sort=show"
        );
        let criteria =
            [("q", "봄  ㅋㅅㅌ"), ("from", "1970-01-01T00:00:05.500Z"), ("to", "4102412400"), ("sort", "show")];
        let second = read(&[&criteria[..], &[("ticketing", "upcoming"), ("cursor", cursor)]].concat());
        assert_eq!(second.search, first.search);
        assert_eq!((second.after, second.started), (Some(last), first.started));
    }
}
