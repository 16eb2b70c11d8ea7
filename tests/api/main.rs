//! Tests of the HTTP interface, one file for each route.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod conditional;
mod envelope;
mod events_create;
mod events_create_fields;
mod events_create_forms;
mod events_create_idempotency_key;
mod events_create_posters;
mod events_delete;
mod events_detail;
mod events_edit;
mod events_get;
mod events_list;
mod events_restore;
mod events_search;
mod events_seat_map;
mod events_thumbnail;
mod gzip;
mod managers_authorize;
mod managers_authorize_issuer;
mod managers_authorize_owner;
mod managers_events;
mod members_edit;
mod members_join;
mod members_login;
mod members_login_throttling;
mod members_withdraw;
mod openapi;
mod routes;
