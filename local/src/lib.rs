//! The whole service on one machine: no account, no Docker.
//!
//! [`Stack::start`] starts DynamoDB and S3 in this process, makes the table and
//! the bucket, and opens the gateway before the functions.

mod authorizer;
pub mod cli;
mod data;
mod emulators;
mod expiry;
mod gateway;
pub mod issuer;
pub mod layouts;
mod openapi;
mod pages;
mod routes;
pub mod sample;
mod settings;
mod stack;
mod upload;

pub use data::Data;
pub use emulators::{BUCKET, TABLE};
pub use settings::Settings;
pub use stack::{Addresses, Stack, StartError};
