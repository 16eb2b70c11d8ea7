//! Measured implementations: a function, its floors, and its peers in other languages.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use domain::error::Cause;
use serde::{Deserialize, Serialize};

/// Folders of the built programs.
#[derive(Clone, Debug)]
pub struct BuildFolders {
    /// Folder of the bootstraps.
    pub bootstraps: PathBuf,
    /// Folder of the peers in other languages.
    pub peers: PathBuf,
}

/// Kind of an implementation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// Deployed function.
    Function,
    /// Only the function's calls to AWS, in Rust.
    Bare,
    /// Function that does nothing, in Rust.
    Hello,
    /// Peer in JavaScript.
    Node,
    /// Peer in Python.
    Python,
}

/// Measured implementation.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// Its kind.
    pub kind: Kind,
    /// Command that starts it.
    pub command: Vec<OsString>,
    /// File or folder to deploy.
    pub artefact: PathBuf,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Function, Self::Bare, Self::Hello, Self::Node, Self::Python];

    /// Kinds in Rust.
    pub const RUST: [Self; 3] = [Self::Function, Self::Bare, Self::Hello];

    /// Returns the name in the report.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Bare => "bare calls",
            Self::Hello => "hello",
            Self::Node => "Node.js",
            Self::Python => "Python",
        }
    }

    /// Returns true if callgrind can count its instructions.
    #[must_use]
    pub fn is_counted(self) -> bool {
        Self::RUST.contains(&self)
    }
}

impl Implementation {
    /// Returns the implementation of this kind for the function with a slug and the name of its floor.
    #[must_use]
    pub fn new(kind: Kind, slug: &str, floor: &str, folders: &BuildFolders) -> Self {
        let bootstrap = |name: &str| {
            let artefact = folders.bootstraps.join(name).join("bootstrap");
            Self { kind, command: vec![artefact.clone().into()], artefact }
        };
        let script = |program: &str, folder: &str, file: &str| {
            let artefact = folders.peers.join(folder);
            Self { kind, command: vec![program.into(), artefact.join(file).into()], artefact }
        };
        match kind {
            Kind::Function => bootstrap(slug),
            Kind::Bare => bootstrap(floor),
            Kind::Hello => bootstrap("hello"),
            Kind::Node => script("node", "node/dist", "index.mjs"),
            Kind::Python => script("python3", "python/dist", "function.py"),
        }
    }

    /// Returns the number of bytes to deploy, without caches.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not built.
    pub fn size(&self) -> Result<u64, Cause> {
        size(&self.artefact).map_err(|error| format!("{}: {error}", self.artefact.display()).into())
    }
}

fn size(path: &Path) -> Result<u64, std::io::Error> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_dir() {
        return Ok(metadata.len());
    }
    let mut sum = 0;
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_name() != "__pycache__" {
            sum += size(&entry.path())?;
        }
    }
    Ok(sum)
}
