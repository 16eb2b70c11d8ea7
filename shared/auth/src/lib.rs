//! Authentication: tokens of managers, whom an OpenID provider verifies, and sessions, passwords and tokens of mails of
//! members; codes of tickets, and tokens of gates.

pub mod access_token;
pub mod credentials;
pub mod gate_token;
pub mod hashing_time;
pub mod issuer;
mod keys;
pub mod mail_token;
mod provider;
pub mod refresh_token;
pub mod secret;
pub mod session;
mod signature;
pub mod signing_key;
pub mod ticket_code;
pub mod tickets;
pub mod url;
