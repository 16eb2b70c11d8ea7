//! What every function of the service shares: the rules, the envelope and the stores.
//!
//! A request runs one way through it: [`http`] parses it into [`domain`]
//! values, [`store`] keeps them, and [`http`] answers with an envelope. Before it, [`issuer`] tells
//! which manager a token is for.

pub mod aws;
pub mod blocking;
pub mod config;
pub mod domain;
pub mod http;
pub mod issuer;
pub mod store;
pub mod usage;
