//! Who is measured: a function, the floors beneath it, and its peers in other languages.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
};

use domain::error::Cause;
use serde::{Deserialize, Serialize};

use crate::functions::Function;

/// Where bootstraps and peers are.
#[derive(Clone, Debug)]
pub struct BuildFolders {
    /// The folder of the bootstraps.
    pub bootstraps: PathBuf,
    /// The folder of the peers in other languages.
    pub peers: PathBuf,
}

/// What a implementation is to the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    /// The function itself.
    Function,
    /// The same calls to AWS and nothing more, in Rust.
    Bare,
    /// A function that does nothing, in Rust.
    Hello,
    /// The same requests, in JavaScript.
    Node,
    /// The same requests, in Python.
    Python,
}

/// One that is measured.
#[derive(Clone, Debug)]
pub struct Implementation {
    /// What it is to the function.
    pub kind: Kind,
    /// How it is started.
    pub command: Vec<OsString>,
    /// The file or the folder that would be deployed.
    pub artefact: PathBuf,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Function, Self::Bare, Self::Hello, Self::Node, Self::Python];

    /// What a reader knows it by.
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

    /// Whether callgrind can count it.
    #[must_use]
    pub fn is_counted(self) -> bool {
        matches!(self, Self::Function | Self::Bare | Self::Hello)
    }
}

impl Implementation {
    /// The implementation of this kind beside a function.
    #[must_use]
    pub fn new(kind: Kind, function: &Function, folders: &BuildFolders) -> Self {
        let bootstrap = |name: &str| {
            let artefact = folders.bootstraps.join(name).join("bootstrap");
            Self { kind, command: vec![artefact.clone().into()], artefact }
        };
        let script = |program: &str, folder: &str, file: &str| {
            let artefact = folders.peers.join(folder);
            Self { kind, command: vec![program.into(), artefact.join(file).into()], artefact }
        };
        match kind {
            Kind::Function => bootstrap(function.slug),
            Kind::Bare => bootstrap(function.floor),
            Kind::Hello => bootstrap("hello"),
            Kind::Node => script("node", "node/dist", "index.mjs"),
            Kind::Python => script("python3", "python/dist", "function.py"),
        }
    }

    /// The bytes that would be deployed, caches left out.
    ///
    /// # Errors
    ///
    /// Where it has not been built.
    pub fn size(&self) -> Result<u64, Cause> {
        size(&self.artefact).map_err(|error| format!("{}: {error}", self.artefact.display()).into())
    }
}

fn size(path: &Path) -> Result<u64, std::io::Error> {
    let found = fs::metadata(path)?;
    if !found.is_dir() {
        return Ok(found.len());
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
