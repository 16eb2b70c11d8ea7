//! Tests of the routes, of functions without a route, and of all routes together.
//!
//! The tests of a route are in `<subject>/<operation>.rs`, those of one aspect of it in `<operation>_<aspect>.rs`. A
//! file has the contract first: requests and whole responses, which also hold for a deployed service at `BASE_URL`. The
//! module `in_process` needs the service in this process: which items a request changes, which calls it takes, what
//! happens if a call fails or another request comes first. `--skip in_process::` leaves it out.

#![expect(clippy::unwrap_used, clippy::large_futures, reason = "a test fails by panicking, and may hold many requests")]

mod admissions {
    mod count;
    mod create;
    mod create_requests;
    mod remove;

    #[path = "."]
    mod in_process {
        mod create_races;
    }
}

mod auth {
    mod forgot;
    mod keys;
    mod login;
    mod logout;
    mod refresh;
    mod reset;
    mod verification;
    mod verify;
}

mod changes {
    #[path = "."]
    mod in_process {
        mod delivery;
        mod events;
        mod members;
        mod sales;
        mod tickets;
    }
}

mod events {
    mod areas;
    mod cancel;
    mod cancel_rush;
    mod copy;
    mod create;
    mod create_fields;
    mod create_form;
    mod create_hall;
    mod create_key;
    mod create_shows;
    mod delete;
    mod detail;
    mod drafts;
    mod edit;
    mod edit_races;
    mod edit_shows;
    pub mod get;
    mod list;
    mod list_search;
    mod restore;
    mod seat_map;
    mod thumbnail;
}

mod gates {
    mod create;
    mod get;
}

mod holds {
    mod best;
    mod cancel;
    mod confirm;
    mod create;
    mod create_limits;
    mod get;
    mod release;
}

mod managers {
    mod event;
    mod events;

    #[path = "."]
    mod in_process {
        mod authorize;
        mod authorize_keys;
        mod ownership;
    }
}

mod members {
    mod edit;
    mod get;
    mod get_tokens;
    mod holds;
    mod join;
    mod login;
    mod login_failures;
    mod nickname;
    mod withdraw;
}

mod notices {
    mod changes;
    mod create;

    #[path = "."]
    mod in_process {
        mod mails;
        mod sending;
    }
}

mod posters {
    mod get;

    #[path = "."]
    mod in_process {
        mod cleanup;
    }
}

mod sales {
    mod create;
    mod list;
    mod summary;
}

mod seats {
    mod availability;
    mod block;
    mod blocks;
    mod kinds;
    mod list;
}

mod shows {
    mod edit;
}

mod tickets {
    mod list;
}

/// All routes.
mod common {
    mod conditional;
    mod envelope;
    mod examples;
    mod gzip;
    mod openapi;
    mod optional_fields;
    mod order;

    #[path = "."]
    mod in_process {
        mod connections;
        mod log;
        mod strangers;
    }
}
