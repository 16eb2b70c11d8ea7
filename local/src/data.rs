//! Storage of the emulators.
//!
//! Only the developer's account can read it, since it contains keys and password hashes.

#[cfg(unix)]
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::{
    fs::{self, DirBuilder, File, TryLockError},
    io::{self, ErrorKind, Write as _},
    path::{Path, PathBuf},
};

use auth::secret::Secret;
use domain::cursor::CursorKey;
use tempfile::{TempDir, tempfile_in};
use uuid::Uuid;

use crate::{emulators::ACCESS_KEY, issuer::SigningKey, start_error::StartError};

/// Ends of the names of the files that make up a database.
const DATABASE_FILES: [&str; 3] = ["", "-wal", "-shm"];

/// Folder in which the emulators store their data.
#[derive(Debug)]
pub struct Data {
    folder: PathBuf,
    /// Endpoint of an external DynamoDB that stores the records.
    dynamodb: Option<String>,
    /// Lock that prevents a second service from writing to the folder.
    _lock: File,
    /// Guard that deletes a temporary folder.
    temporary: Option<TempDir>,
    /// True if the records are in memory.
    in_memory: bool,
}

impl Data {
    /// Stores data in a folder, and creates the folder if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written, or if a running service uses it.
    pub fn folder(folder: &Path) -> Result<Self, StartError> {
        let folder_error = |error| StartError::Data(folder.to_owned(), error);
        let objects = folder.join("s3");
        create_private_folders(&objects).map_err(folder_error)?;
        for folder in [folder, &objects] {
            tempfile_in(folder).map_err(|error| StartError::Data(folder.to_owned(), error))?;
        }
        let lock = open_private_file(&folder.join("lock")).map_err(folder_error)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StartError::FolderInUse(folder.to_owned()),
            TryLockError::Error(error) => folder_error(error),
        })?;
        Ok(Self { folder: folder.to_owned(), dynamodb: None, _lock: lock, temporary: None, in_memory: false })
    }

    /// Stores data only while the stack runs: records in memory, posters in a temporary folder.
    ///
    /// # Errors
    ///
    /// Returns an error if no temporary folder can be created.
    pub fn temporary() -> Result<Self, StartError> {
        let folder = TempDir::new().map_err(|error| StartError::Data(std::env::temp_dir(), error))?;
        let mut data = Self::folder(folder.path())?;
        data.temporary = Some(folder);
        data.in_memory = true;
        Ok(data)
    }

    /// Stores the records of a temporary stack in a file, too. Then the stack tells its changes.
    #[must_use]
    pub fn with_file(self) -> Self {
        Self { in_memory: false, ..self }
    }

    /// Stores records in an external DynamoDB, such as Amazon's DynamoDB local, if an endpoint is given.
    ///
    /// A stack with temporary data signs with its own access key. DynamoDB local keeps a separate
    /// database for each access key, so each such stack has its own table.
    #[must_use]
    pub fn with_dynamodb_endpoint(self, endpoint: Option<String>) -> Self {
        Self { dynamodb: endpoint, ..self }
    }

    /// Endpoint of the external DynamoDB, or `None` if one must be started.
    pub(crate) fn dynamodb(&self) -> Option<&str> {
        self.dynamodb.as_deref()
    }

    /// Access key for DynamoDB; each stack with temporary data has its own.
    pub(crate) fn access_key(&self) -> String {
        let own = self.temporary.as_ref().map(|_| Uuid::new_v4().simple().to_string());
        own.unwrap_or_else(|| ACCESS_KEY.to_owned())
    }

    /// File of the database, or `None` for a database in memory; only the developer's account can read it.
    pub(crate) fn database(&self) -> Result<Option<PathBuf>, StartError> {
        if self.in_memory {
            return Ok(None);
        }
        let file = self.database_file();
        for end in DATABASE_FILES {
            let mut part = file.clone().into_os_string();
            part.push(end);
            let part = PathBuf::from(part);
            // SQLite creates the other files with the mode of the first.
            if end.is_empty() || part.exists() {
                open_private_file(&part).map_err(|error| StartError::Data(part, error))?;
            }
        }
        Ok(Some(file))
    }

    /// Builds the error for a failure of DynamoDB.
    pub(crate) fn dynamodb_error(&self, reason: String) -> StartError {
        match &self.dynamodb {
            Some(endpoint) => StartError::DynamoDb(endpoint.clone(), reason),
            None => StartError::Database(self.database_file(), reason),
        }
    }

    fn database_file(&self) -> PathBuf {
        self.folder.join("dynamodb.sqlite")
    }

    /// Folder of the S3 objects.
    pub(crate) fn objects(&self) -> PathBuf {
        self.folder.join("s3")
    }

    /// File of the mails.
    pub(crate) fn mails(&self) -> PathBuf {
        self.folder.join("mails.json")
    }

    /// Secrets of cursors, of sessions and of tickets.
    pub(crate) fn secrets(&self) -> Result<(String, String, String), StartError> {
        Ok((self.cursor_key()?, self.session_secret()?, self.ticket_secret()?))
    }

    /// Key that authenticates cursors, generated once and then stored.
    fn cursor_key(&self) -> Result<String, StartError> {
        let file = self.folder.join("cursor-key");
        let key = read_or_create(&file, || Ok(Uuid::new_v4().to_string().into()))?;
        let key = String::from_utf8(key).ok().filter(|key| key.parse::<CursorKey>().is_ok());
        key.ok_or(StartError::Key(file))
    }

    /// Secret of members' sessions, generated once and then stored, so that a restart ends no session.
    pub(crate) fn session_secret(&self) -> Result<String, StartError> {
        Self::secret(&self.session_secret_file())
    }

    /// Secret of the tickets, generated once and then stored, so that a restart invalidates none.
    pub(crate) fn ticket_secret(&self) -> Result<String, StartError> {
        Self::secret(&self.folder.join("ticket-secret"))
    }

    fn secret(file: &Path) -> Result<String, StartError> {
        let secret = read_or_create(file, || Ok(Uuid::new_v4().to_string().into()))?;
        let secret = String::from_utf8(secret).ok().filter(|secret| secret.parse::<Secret>().is_ok());
        secret.ok_or_else(|| StartError::Key(file.to_owned()))
    }

    fn session_secret_file(&self) -> PathBuf {
        self.folder.join("session-secret")
    }

    /// Key that signs tokens, generated once and then stored, so that tokens stay valid after a restart.
    pub(crate) fn issuer_key(&self) -> Result<SigningKey, StartError> {
        let file = self.folder.join("issuer-key");
        let key = read_or_create(&file, || SigningKey::generate().map_err(StartError::Issuer))?;
        SigningKey::from_pkcs8(&key).map_err(|_| StartError::Key(file))
    }
}

/// Reads a private file; creates it if it does not exist.
fn read_or_create(file: &Path, create: impl FnOnce() -> Result<Vec<u8>, StartError>) -> Result<Vec<u8>, StartError> {
    let file_error = |error| StartError::Data(file.to_owned(), error);
    match fs::read(file) {
        Ok(content) => {
            open_private_file(file).map_err(file_error)?;
            Ok(content)
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let content = create()?;
            open_private_file(file).and_then(|mut file| file.write_all(&content)).map_err(file_error)?;
            Ok(content)
        }
        Err(error) => Err(file_error(error)),
    }
}

/// Creates a folder and its parents, which only the developer's account can open; keeps existing folders.
fn create_private_folders(folder: &Path) -> io::Result<()> {
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    builder.mode(0o700);
    builder.create(folder)
}

/// Opens a file for writing, or creates it, and lets only the developer's account read it.
fn open_private_file(file: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    options.mode(0o600);
    let file = options.open(file)?;
    // An existing file keeps its mode when it is opened.
    #[cfg(unix)]
    file.set_permissions(fs::Permissions::from_mode(0o600))?;
    Ok(file)
}
