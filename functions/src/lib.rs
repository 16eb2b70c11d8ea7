//! Operations of the API, one file each, and the functions that serve them.
//!
//! [`Operations`] lists every operation once. Everything else takes its list from it: the local stack, the `OpenAPI`
//! document, and the tests.

// The types of the nested futures of a request exceed the default of 128.
#![recursion_limit = "256"]

pub mod caller;
pub mod environment;
pub mod lambda;
pub mod operation;
pub mod registry;
pub mod service;

/// Sessions of members.
pub mod auth {
    pub mod configuration;
    pub mod keys;
    pub mod login;
    pub mod logout;
    pub mod refresh;
    pub mod tokens;
}

/// Events.
pub mod events {
    pub mod change;
    pub mod create;
    pub mod delete;
    pub mod detail;
    pub mod edit;
    pub mod event;
    pub mod get;
    pub mod hall;
    pub mod list;
    pub mod registration;
    pub mod restore;
    pub mod search;
    pub mod seat_map;
    pub mod thumbnail;
}

/// Holds of seats.
pub mod holds {
    pub mod cancel;
    pub mod confirm;
    pub mod create;
    pub mod get;
    pub mod hold;
    pub mod release;
}

/// Managers.
pub mod managers {
    pub mod authorize;
    pub mod events;
    pub mod managed;
}

/// Members.
pub mod members {
    pub mod account;
    pub mod attempts;
    pub mod edit;
    pub mod get;
    pub mod join;
    pub mod login;
    pub mod nickname;
    pub mod withdraw;
}

/// Posters.
pub mod posters {
    pub mod cleanup;
    pub mod stream;
}

/// Seats of shows.
pub mod seats {
    pub mod availability;
    pub mod block;
    pub mod list;
    pub mod seat_state;
    pub mod unblock;
}
