//! The complete service on one machine, without an AWS account or Docker.
//!
//! [`Stack::start`] starts DynamoDB, S3 and SES in this process, creates the table and the bucket, and
//! serves the functions behind a gateway.

mod addresses;
mod authorizer;
mod changes;
pub mod cli;
mod data;
mod emulators;
mod environment;
mod expiry;
mod gateway;
pub mod issuer;
pub mod layouts;
mod mailbox;
mod notices;
mod openapi;
mod pages;
mod practice;
pub mod sample;
mod server;
mod settings;
mod stack;
mod start_error;
mod upload;

pub use addresses::Addresses;
pub use changes::Receiver;
pub use data::Data;
pub use emulators::{BUCKET, TABLE};
pub use environment::LocalEnvironment;
pub use mailbox::StoredMail;
pub use server::ClientTimeouts;
pub use settings::Settings;
pub use stack::Stack;
pub use start_error::StartError;
