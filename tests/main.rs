//! Tests of the routes, of functions without a route, and of all routes together.
//!
//! The file of a route has the contract first: requests and whole responses, which also hold for a deployed service at
//! `BASE_URL`. The module `in_process` needs the service in this process: which items a request changes, which calls it
//! takes, what happens if a call fails or another request comes first. `--skip in_process::` leaves it out.

#![expect(clippy::unwrap_used, clippy::large_futures, reason = "a test fails by panicking, and may hold many requests")]

mod auth_forgot;
mod auth_keys;
mod auth_login;
mod auth_logout;
mod auth_refresh;
mod auth_reset;
mod auth_verification;
mod auth_verify;
mod events_cancel;
mod events_copy;
mod events_create;
mod events_delete;
mod events_detail;
mod events_edit;
mod events_get;
mod events_list;
mod events_restore;
mod events_seat_map;
mod events_thumbnail;
mod holds_best;
mod holds_cancel;
mod holds_confirm;
mod holds_create;
mod holds_get;
mod holds_release;
mod managers_event;
mod managers_events;
mod members_edit;
mod members_get;
mod members_holds;
mod members_join;
mod members_login;
mod members_nickname;
mod members_withdraw;
mod sales_create;
mod sales_list;
mod sales_summary;
mod seats_availability;
mod seats_block;
mod seats_list;
mod shows_edit;

mod conditional;
mod drafts;
mod envelope;
mod gzip;
mod openapi;
mod optional_fields;
mod posters;

#[path = "."]
mod in_process {
    mod connections;
    mod log;
    mod managers_authorize;
    mod posters_cleanup;
}
