//! Authentication: tokens of managers, whom an OpenID provider verifies, and sessions, passwords and tokens of mails of members.

pub mod access_token;
pub mod credentials;
pub mod hashing_time;
pub mod issuer;
mod keys;
pub mod mail_token;
mod provider;
pub mod refresh_token;
pub mod session;
mod signature;
pub mod url;
