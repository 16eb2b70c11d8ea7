//! Reasons why the service does not start.

use std::{fmt, io, net::IpAddr, path::PathBuf};

use domain::error::Cause;

/// Reason why the service does not start, displayed in one line with the flag or the file to change.
#[derive(Debug)]
pub enum StartError {
    /// The host is no address of this machine.
    Host(IpAddr, io::Error),
    /// The port that a flag selects cannot be used.
    Port(&'static str, u16, io::Error),
    /// A file or folder of the data cannot be read or written.
    Data(PathBuf, io::Error),
    /// A running service uses the data folder.
    FolderInUse(PathBuf),
    /// The file of a key contains no key.
    Key(PathBuf),
    /// The file of the database is damaged.
    Database(PathBuf, String),
    /// The `DynamoDB` at an endpoint cannot be used.
    DynamoDb(String, String),
    /// The folder of the posters cannot be used.
    Objects(PathBuf, String),
    /// A setting is invalid.
    Settings(Cause),
    /// The token issuer does not start.
    Issuer(Cause),
    /// The sample events cannot be registered.
    Sample(Cause),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host(host, error) => {
                write!(f, "cannot listen on {host} ({error}); choose an address of this machine with --host")
            }
            Self::Port(flag, port, error) => {
                write!(f, "cannot use port {port} ({error}); choose another one with {flag}")
            }
            Self::Data(path, error) => {
                write!(f, "cannot use {} ({error}); choose another data folder with --data", path.display())
            }
            Self::FolderInUse(folder) => {
                let folder = folder.display();
                write!(f, "another running service uses the data folder {folder}; choose another one with --data")
            }
            Self::Key(file) => {
                write!(f, "{} contains no key; delete this file, and the next start creates a key", file.display())
            }
            Self::Database(file, reason) => {
                let file = file.display();
                write!(f, "cannot read the database {file} ({reason}); choose another data folder with --data, ")?;
                write!(f, "or delete the file, which removes all members and events")
            }
            Self::DynamoDb(endpoint, reason) => {
                write!(f, "cannot use the DynamoDB at {endpoint} ({reason}); check --dynamodb-endpoint")
            }
            Self::Objects(folder, reason) => {
                let folder = folder.display();
                write!(f, "cannot store posters in {folder} ({reason}); choose another data folder with --data")
            }
            Self::Settings(error) => write!(f, "the service failed to start: {error}"),
            Self::Issuer(error) => write!(f, "the issuer failed to start: {error}"),
            Self::Sample(error) => write!(f, "cannot register the sample events: {error}"),
        }
    }
}

impl std::error::Error for StartError {}
