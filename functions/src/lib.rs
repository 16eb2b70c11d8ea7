//! Operations of the API, one file each, and the functions that serve them.
//!
//! The end of this file lists every operation once. Everything else takes its list from it: the local stack, the
//! `OpenAPI` document, and the tests.

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
    pub mod forgot;
    pub mod keys;
    pub mod links;
    pub mod login;
    pub mod logout;
    pub mod mailer;
    pub mod refresh;
    pub mod reset;
    pub mod tokens;
    pub mod verification;
    pub mod verify;
}

/// Changes that other systems are told.
pub mod changes {
    pub mod cloud_event;
    pub mod record;
    pub mod tell;
}

/// Events.
pub mod events {
    pub mod areas;
    pub mod cancel;
    pub mod copy;
    pub mod copy_request;
    pub mod create;
    pub mod delete;
    pub mod detail;
    pub mod edit;
    pub mod edit_request;
    pub mod event_page;
    pub mod event_response;
    pub mod get;
    pub mod hall;
    pub mod list;
    pub mod registrar;
    pub mod registration;
    pub mod restore;
    pub mod search_request;
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
    pub mod hold_request;
    pub mod release;
}

/// Admissions of people to shows.
pub mod admissions {
    pub mod count;
    pub mod counts;
    pub mod create;
    pub mod remove;
    pub mod scan_request;
    pub mod scan_result;
}

/// Gates of shows.
pub mod gates {
    pub mod create;
    pub mod gate;
    pub mod get;
    pub mod list;
    pub mod remove;
}

/// Managers.
pub mod managers {
    pub mod authorize;
    pub mod event;
    pub mod events;
    pub mod managed_page_request;
}

/// Members.
pub mod members {
    pub mod account;
    pub mod edit;
    pub mod get;
    pub mod holds;
    pub mod join;
    pub mod login;
    pub mod nickname;
    pub mod withdraw;
}

/// Notices to buyers.
pub mod notices {
    pub mod create;
    pub mod list;
    pub mod notice;
    pub mod send;
}

/// Posters.
pub mod posters {
    pub mod cleanup;
    pub mod stream;
}

/// Sales of shows.
pub mod sales {
    pub mod count;
    pub mod create;
    pub mod csv;
    pub mod list;
    pub mod sale;
    pub mod summary;
}

/// Seats of shows.
pub mod seats {
    pub mod availability;
    pub mod block;
    pub mod block_request;
    pub mod blocks;
    pub mod list;
    pub mod seat_ids;
    pub mod seat_state;
    pub mod unblock;
}

/// Shows.
pub mod shows {
    pub mod edit;
}

/// Tickets of holds and of sales.
pub mod tickets {
    pub mod list;
    pub mod of_sale;
    pub mod qr;
    pub mod ticket;
}

registry::operations! {
    "members-join" members::join::operation => members::join::Join,
    "members-login" members::login::operation => members::login::Login,
    "members-edit" members::edit::operation => members::edit::Edit,
    "members-withdraw" members::withdraw::operation => members::withdraw::Withdraw,
    "members-get" members::get::operation => members::get::Get,
    "members-nickname" members::nickname::operation => members::nickname::ChangeNickname,
    "members-holds" members::holds::operation => members::holds::OwnHolds,
    "holds-create" holds::create::operation => holds::create::Create,
    "holds-get" holds::get::operation => holds::get::Get,
    "holds-release" holds::release::operation => holds::release::Release,
    "holds-confirm" holds::confirm::operation => holds::confirm::Confirm,
    "holds-cancel" holds::cancel::operation => holds::cancel::Cancel,
    "auth-join" members::join::operation_at_auth => members::join::Join,
    "auth-login" auth::login::operation => auth::login::Login,
    "auth-refresh" auth::refresh::operation => auth::refresh::Refresh,
    "auth-logout" auth::logout::operation => auth::logout::Logout,
    "auth-forgot" auth::forgot::operation => auth::forgot::Forgot,
    "auth-reset" auth::reset::operation => auth::reset::Reset,
    "auth-verification" auth::verification::operation => auth::verification::RequestVerification,
    "auth-verify" auth::verify::operation => auth::verify::Verify,
    "auth-keys" auth::keys::operation => auth::keys::Keys,
    "auth-configuration" auth::configuration::operation => auth::configuration::Configuration,
    "events-create" events::create::operation => events::create::Create,
    "events-list" events::list::operation => events::list::List,
    "events-get" events::get::operation => events::get::Get,
    "events-detail" events::detail::operation => events::detail::Detail,
    "seats-availability" seats::availability::operation => seats::availability::Availability,
    "seats-list" seats::list::operation => seats::list::List,
    "seats-block" seats::block::operation => seats::block::Block,
    "seats-blocks" seats::blocks::operation => seats::blocks::Blocks,
    "seats-unblock" seats::unblock::operation => seats::unblock::Unblock,
    "events-seat-map" events::seat_map::operation => events::seat_map::SeatMap,
    "sales-summary" sales::summary::operation => sales::summary::Summary,
    "sales-list" sales::list::operation => sales::list::List,
    "sales-create" sales::create::operation => sales::create::Create,
    "events-edit" events::edit::operation => events::edit::Edit,
    "events-thumbnail" events::thumbnail::operation => events::thumbnail::ReplaceThumbnail,
    "events-areas" events::areas::operation => events::areas::Areas,
    "events-cancel" events::cancel::operation => events::cancel::Cancel,
    "events-copy" events::copy::operation => events::copy::Copy,
    "events-delete" events::delete::operation => events::delete::Delete,
    "events-restore" events::restore::operation => events::restore::Restore,
    "shows-edit" shows::edit::operation => shows::edit::Edit,
    "notices-create" notices::create::operation => notices::create::Create,
    "notices-list" notices::list::operation => notices::list::List,
    "tickets-list" tickets::list::operation => tickets::list::List,
    "tickets-of-sale" tickets::of_sale::operation => tickets::of_sale::OfSale,
    "gates-create" gates::create::operation => gates::create::Create,
    "gates-list" gates::list::operation => gates::list::List,
    "gates-get" gates::get::operation => gates::get::Get,
    "gates-remove" gates::remove::operation => gates::remove::Remove,
    "admissions-create" admissions::create::operation => admissions::create::Create,
    "admissions-remove" admissions::remove::operation => admissions::remove::Remove,
    "admissions-count" admissions::count::operation => admissions::count::Count,
    "managers-event" managers::event::operation => managers::event::OwnEvent,
    "managers-events" managers::events::operation => managers::events::OwnEvents,
}
