//! Requests that the measured functions receive.

use bytes::Bytes;
use domain::error::Cause;
use serde_json::{Value, json};

use crate::{
    environment::Environment,
    sample::{
        self, accept_gzip, proxy_event, set_event_id, set_form, set_gzip_form, set_json, set_limit, set_manager,
        set_member_id, set_poster, set_query, set_token,
    },
};

/// Password that no member has.
pub const WRONG_PASSWORD: &str = "비밀번호4321!";
/// Number of events in the list.
const LISTED_EVENTS: usize = 100;
/// Number of events that a search examines.
const SEARCHED_EVENTS: usize = 10_000;
/// Number of events on a page.
const PAGE_SIZE: usize = 20;

pub fn join_requests(count: usize) -> Result<Vec<Bytes>, Cause> {
    let event = || proxy_event("members-join", |event| set_json(event, &::tests::sample::member()));
    (0..count).map(|_| event()).collect()
}

/// Makes logins of different members, because a second one within 15 minutes takes one call more.
pub async fn login_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let credentials = environment.add_member().await?;
        events.push(proxy_event("members-login", |event| set_json(event, &credentials))?);
    }
    Ok(events)
}

/// Makes logins of different members, as [`login_requests`] does.
pub async fn wrong_login_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let mut credentials = environment.add_member().await?;
        credentials["password"] = json!(WRONG_PASSWORD);
        events.push(proxy_event("members-login", |event| set_json(event, &credentials))?);
    }
    Ok(events)
}

pub async fn edit_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.register().await?.id.to_string();
        events.push(proxy_event("members-edit", |event| {
            set_member_id(event, &id);
            set_json(event, &json!({"password": ::tests::sample::PASSWORD, "name": "김영희"}));
        })?);
    }
    Ok(events)
}

pub async fn withdraw_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.register().await?.id.to_string();
        events.push(proxy_event("members-withdraw", |event| {
            set_member_id(event, &id);
            set_json(event, &json!({"password": ::tests::sample::PASSWORD}));
        })?);
    }
    Ok(events)
}

/// Makes requests that register events.
///
/// # Errors
///
/// Returns an error if the sample event cannot be read.
pub fn create_requests(
    count: usize,
    fields: impl Fn() -> Value,
    poster: impl Fn() -> Vec<u8>,
) -> Result<Vec<Bytes>, Cause> {
    let event = || proxy_event("events-create", |event| set_form(event, &fields(), poster()));
    (0..count).map(|_| event()).collect()
}

/// Builds requests like [`create_requests`], in gzip and from a client that accepts gzip.
///
/// # Errors
///
/// Returns an error if the sample event cannot be read.
pub fn gzip_create_requests(count: usize, fields: impl Fn() -> Value) -> Result<Vec<Bytes>, Cause> {
    let event = || proxy_event("events-create", |event| set_gzip_form(event, &fields(), sample::small_poster()));
    (0..count).map(|_| event()).collect()
}

pub async fn list_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    environment.add_listed_events(1..LISTED_EVENTS).await?;
    page_requests(count, PAGE_SIZE)
}

pub async fn search_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    environment.add_listed_events(1..SEARCHED_EVENTS).await?;
    let limit = PAGE_SIZE.to_string();
    let criteria = [("q", "올림픽 ㅋㅅㅌ"), ("from", "1"), ("sort", "show"), ("limit", &limit)];
    let event = proxy_event("events-list", |event| set_query(event, &criteria))?;
    Ok(vec![event; count])
}

/// Makes requests for the first page of the list.
///
/// # Errors
///
/// Returns an error if the sample event cannot be read.
pub fn page_requests(count: usize, page: usize) -> Result<Vec<Bytes>, Cause> {
    let event = proxy_event("events-list", |event| set_limit(event, page))?;
    Ok(vec![event; count])
}

pub async fn own_list_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    environment.add_listed_events(1..LISTED_EVENTS).await?;
    let event = proxy_event("managers-events", |event| {
        set_limit(event, PAGE_SIZE);
        set_manager(event, ::tests::sample::MANAGER);
    })?;
    Ok(vec![event; count])
}

pub async fn get_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let id = environment.add_event(&sample::event()).await?.to_string();
    let event = proxy_event("events-get", |event| set_event_id(event, &id))?;
    Ok(vec![event; count])
}

/// Makes requests to `slug` for an event with its seats.
pub async fn hall_requests(
    environment: &Environment,
    slug: &str,
    event: fn() -> Value,
    accepts_gzip: bool,
    count: usize,
) -> Result<Vec<Bytes>, Cause> {
    let event = event();
    let id = environment.add_event(&event).await?.to_string();
    environment.add_peers_hall(&id, &event).await?;
    Ok(vec![hall_request(slug, &id, accepts_gzip)?; count])
}

/// Builds a request to `slug` for an event with its seats.
///
/// # Errors
///
/// Returns an error if the sample event cannot be read.
pub fn hall_request(slug: &str, id: &str, accepts_gzip: bool) -> Result<Bytes, Cause> {
    proxy_event(slug, |event| {
        set_event_id(event, id);
        if accepts_gzip {
            accept_gzip(event);
        }
    })
}

pub async fn event_edit_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.add_event(&sample::event()).await?.to_string();
        events.push(proxy_event("events-edit", |event| {
            set_event_id(event, &id);
            set_json(event, &json!({"artist": "악동뮤지션"}));
        })?);
    }
    Ok(events)
}

pub async fn thumbnail_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.add_event(&sample::event()).await?.to_string();
        events.push(proxy_event("events-thumbnail", |event| {
            set_event_id(event, &id);
            set_poster(event, sample::small_poster());
        })?);
    }
    Ok(events)
}

pub async fn delete_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.add_event(&sample::event()).await?.to_string();
        events.push(proxy_event("events-delete", |event| set_event_id(event, &id))?);
    }
    Ok(events)
}

pub async fn restore_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let mut events = Vec::with_capacity(count);
    for _ in 0..count {
        let id = environment.add_deleted_event(&sample::event()).await?.to_string();
        events.push(proxy_event("events-restore", |event| set_event_id(event, &id))?);
    }
    Ok(events)
}

pub fn cleanup_requests(count: usize) -> Result<Vec<Bytes>, Cause> {
    Ok(vec![proxy_event("posters-cleanup", |_| ())?; count])
}

pub fn authorize_requests(environment: &Environment, count: usize) -> Result<Vec<Bytes>, Cause> {
    let token = environment.token();
    let event = proxy_event("managers-authorize", |event| set_token(event, &token))?;
    Ok(vec![event; count])
}
