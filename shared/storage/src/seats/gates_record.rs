//! Item with all gates of a show.
//!
//! A change replaces the gates if they are as they were read, so two gates never get the same number.

use base64_simd::URL_SAFE_NO_PAD;
use domain::{
    error::Error,
    gate::{Gate, GateName, Gates, SecretHash},
    id,
    show::ShowId,
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    items::Items,
    keys,
    table::{from_item, to_item},
    write::Write,
};

/// Gates of a show with the number of their changes, as they were read.
#[derive(Debug, Default)]
pub(crate) struct StoredGates {
    version: u64,
    pub gates: Gates,
}

/// Item of the gates, which docs/data.md describes.
#[derive(Serialize, Deserialize)]
struct GatesRecord {
    /// Number of changes.
    version: u64,
    gates: Vec<GateRecord>,
}

#[derive(Serialize, Deserialize)]
struct GateRecord {
    name: String,
    created: u64,
    /// Hash of the secret, in base64url; missing once the gate is removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
}

impl StoredGates {
    /// Returns the gates of a show among these items; none, if it never had one.
    pub fn take(items: &mut Items, show: ShowId) -> Result<Self, Error> {
        let Some(item) = items.take(&keys::gates(show)) else { return Ok(Self::default()) };
        let GatesRecord { version, gates } = from_item(item)?;
        let gates: Result<_, Error> = (0..).zip(gates).map(|(number, gate)| gate.of_show(show.show, number)).collect();
        Ok(Self { version, gates: Gates(gates?) })
    }

    /// Builds the write that replaces the gates, if they are as they were read.
    pub fn replace(&self, show: ShowId, gates: &Gates) -> Result<Write, Error> {
        let write = Write::update(keys::gates(show)).if_version(self.version);
        let gates = gates.0.iter().map(GateRecord::from).collect();
        let item = to_item(&GatesRecord { version: self.version + 1, gates })?;
        Ok(item.into_iter().fold(write, |write, (name, value)| write.set(&name, value)))
    }
}

impl From<&Gate> for GateRecord {
    fn from(Gate { name, created, secret, .. }: &Gate) -> Self {
        let secret = secret.map(|secret| URL_SAFE_NO_PAD.encode_to_string(secret));
        Self { name: name.as_str().to_owned(), created: *created, secret }
    }
}

impl GateRecord {
    fn of_show(self, show: Uuid, number: u16) -> Result<Gate, Error> {
        let Self { name, created, secret } = self;
        let hash = |secret: String| -> Result<SecretHash, Error> {
            let bytes = URL_SAFE_NO_PAD.decode_to_vec(secret).map_err(Error::unexpected)?;
            bytes.try_into().map_err(|_| Error::unexpected("hash of another length"))
        };
        let (id, name) = (id::gate(show, number), GateName::from_stored(name));
        Ok(Gate { id, name, created, secret: secret.map(hash).transpose()? })
    }
}
