//! The folder that keeps what is stored.

use std::{
    fs::{self, File, TryLockError},
    io::ErrorKind,
    path::{Path, PathBuf},
};

use tempfile::TempDir;
use uuid::Uuid;

use crate::{StartError, emulators::ACCESS_KEY, issuer::SigningKey};

/// Where the emulators keep what is stored.
#[derive(Debug)]
pub struct Data {
    folder: PathBuf,
    /// Set where records go to a DynamoDB that runs already.
    dynamodb: Option<String>,
    /// Held, so that no second service writes to the folder.
    _lock: File,
    /// Set where the folder goes with the stack.
    temporary: Option<TempDir>,
}

impl Data {
    /// Keeps it in a folder, which is made if it is not there.
    ///
    /// # Errors
    ///
    /// Where the folder cannot be written, or a running service has it.
    pub fn folder(folder: &Path) -> Result<Self, StartError> {
        let folder_error = |error| StartError::Folder(folder.to_owned(), error);
        fs::create_dir_all(folder.join("s3")).map_err(folder_error)?;
        let lock = File::create(folder.join("lock")).map_err(folder_error)?;
        lock.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => StartError::FolderInUse(folder.to_owned()),
            TryLockError::Error(error) => folder_error(error),
        })?;
        Ok(Self { folder: folder.to_owned(), dynamodb: None, _lock: lock, temporary: None })
    }

    /// Keeps it as long as the stack runs: records in memory, posters in a folder of its own.
    ///
    /// # Errors
    ///
    /// Where the system has no room for temporary files.
    pub fn temporary() -> Result<Self, StartError> {
        let folder = TempDir::new().map_err(|error| StartError::Folder(std::env::temp_dir(), error))?;
        let mut data = Self::folder(folder.path())?;
        data.temporary = Some(folder);
        Ok(data)
    }

    /// Keeps records in the DynamoDB that runs at this endpoint instead, such as Amazon's DynamoDB
    /// local; with none, where they are kept anyway.
    ///
    /// A stack with temporary data signs with an access key of its own. By that key DynamoDB local
    /// tells databases apart, so each such stack has a table of its own there.
    #[must_use]
    pub fn with_dynamodb_endpoint(self, endpoint: Option<String>) -> Self {
        Self { dynamodb: endpoint, ..self }
    }

    /// The endpoint of the DynamoDB that has the records; none where one is to be started.
    pub(crate) fn dynamodb(&self) -> Option<&str> {
        self.dynamodb.as_deref()
    }

    /// The access key of the DynamoDB that has the records.
    pub(crate) fn access_key(&self) -> String {
        let own = self.temporary.as_ref().map(|_| Uuid::new_v4().simple().to_string());
        own.unwrap_or_else(|| ACCESS_KEY.to_owned())
    }

    /// The file of the database; in memory where there is none.
    pub(crate) fn database(&self) -> Option<PathBuf> {
        self.temporary.is_none().then(|| self.folder.join("dynamodb.sqlite"))
    }

    /// The folder of the objects.
    pub(crate) fn objects(&self) -> PathBuf {
        self.folder.join("s3")
    }

    /// The secret that cursors are sealed with: made once, then kept.
    pub(crate) fn cursor_key(&self) -> Result<String, StartError> {
        let key = self.read_or_create("cursor-key", || Ok(Uuid::new_v4().to_string().into()))?;
        String::from_utf8(key).map_err(|error| StartError::Emulators(error.into()))
    }

    /// The key that tokens are signed with: made once, then kept, so that they outlive the service.
    pub(crate) fn issuer_key(&self) -> Result<SigningKey, StartError> {
        let key = self.read_or_create("issuer-key", || SigningKey::generate().map_err(StartError::Issuer))?;
        SigningKey::from_pkcs8(&key).map_err(|_| {
            StartError::Issuer("the file issuer-key in the data folder is no key; delete it".into())
        })
    }

    /// What a file of the folder holds, or what is made for it where there is none yet.
    fn read_or_create(
        &self,
        name: &str,
        make: impl FnOnce() -> Result<Vec<u8>, StartError>,
    ) -> Result<Vec<u8>, StartError> {
        let file = self.folder.join(name);
        let folder_error = |error| StartError::Folder(self.folder.clone(), error);
        match fs::read(&file) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let content = make()?;
                fs::write(&file, &content).map_err(folder_error)?;
                Ok(content)
            }
            read => read.map_err(folder_error),
        }
    }
}
