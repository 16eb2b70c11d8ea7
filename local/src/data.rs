//! Storage of the emulators.

use std::{
    fs::{self, File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use domain::cursor::CursorKey;
use tempfile::TempDir;
use uuid::Uuid;

use crate::{emulators::ACCESS_KEY, issuer::SigningKey, start_error::StartError};

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
}

impl Data {
    /// Stores data in a folder, and creates the folder if it does not exist.
    ///
    /// # Errors
    ///
    /// Returns an error if the folder cannot be written, or if a running service uses it.
    pub fn folder(folder: &Path) -> Result<Self, StartError> {
        let folder_error = |error| StartError::Data(folder.to_owned(), error);
        fs::create_dir_all(folder.join("s3")).map_err(folder_error)?;
        let lock = File::create(folder.join("lock")).map_err(folder_error)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StartError::FolderInUse(folder.to_owned()),
            TryLockError::Error(error) => folder_error(error),
        })?;
        Ok(Self { folder: folder.to_owned(), dynamodb: None, _lock: lock, temporary: None })
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
        Ok(data)
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

    /// File of the database, or `None` for a database in memory.
    pub(crate) fn database(&self) -> Option<PathBuf> {
        self.temporary.is_none().then(|| self.database_file())
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

    /// Key that authenticates cursors, generated once and then stored.
    pub(crate) fn cursor_key(&self) -> Result<CursorKey, StartError> {
        let file = self.folder.join("cursor-key");
        let key = read_or_create(&file, || Ok(Uuid::new_v4().to_string().into()))?;
        let key = std::str::from_utf8(&key).ok().and_then(|key| key.parse().ok());
        key.ok_or(StartError::Key(file))
    }

    /// Key that signs tokens, generated once and then stored, so that tokens stay valid after a restart.
    pub(crate) fn issuer_key(&self) -> Result<SigningKey, StartError> {
        let file = self.folder.join("issuer-key");
        let key = read_or_create(&file, || SigningKey::generate().map_err(StartError::Issuer))?;
        SigningKey::from_pkcs8(&key).map_err(|_| StartError::Key(file))
    }
}

/// Reads a file; creates it if it does not exist.
fn read_or_create(file: &Path, create: impl FnOnce() -> Result<Vec<u8>, StartError>) -> Result<Vec<u8>, StartError> {
    let file_error = |error| StartError::Data(file.to_owned(), error);
    match fs::read(file) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let content = create()?;
            fs::write(file, &content).map_err(file_error)?;
            Ok(content)
        }
        result => result.map_err(file_error),
    }
}
