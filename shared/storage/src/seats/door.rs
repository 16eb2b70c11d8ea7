//! Door of a show: its gates, and those who may admit people.

use std::sync::Arc;

use domain::{
    clock::Clock,
    error::Error,
    gate::{Gate, Gates, SecretHash},
    manager::EventScope,
    show::ShowId,
};
use tokio::sync::OnceCell;
use uuid::Uuid;

use crate::{
    events::hall_cache::{Halls, ShowOfEvent},
    keys,
    members::public_keys::{PublicKey, key_of},
    seats::{gates_record::StoredGates, seat_states::SeatStates},
    table::Table,
};

/// Store of the gates of all shows, and of their admissions.
#[derive(Clone, Debug)]
pub struct Door {
    pub(super) table: Table,
    pub(super) halls: Halls,
    pub(super) states: SeatStates,
    pub(super) clock: Clock,
    /// Public key of tickets, once it was read.
    ticket_key: Arc<OnceCell<PublicKey>>,
}

/// Gate whose token was presented, with its show.
#[derive(Clone, Debug)]
pub struct OpenGate {
    /// Show at whose door it stands.
    pub show: ShowOfEvent,
    /// All gates of the show.
    pub gates: Gates,
    /// Number of the gate among these.
    pub number: u16,
    /// Public key of tickets; `None` if no ticket was ever issued.
    pub ticket_key: Option<PublicKey>,
}

impl OpenGate {
    /// Returns the gate.
    #[must_use]
    pub fn gate(&self) -> &Gate {
        &self.gates.0[usize::from(self.number)]
    }
}

impl Door {
    /// Opens the door of all shows in this table.
    #[must_use]
    pub fn new(table: Table, clock: Clock) -> Self {
        let (halls, states) = (Halls::new(table.clone()), SeatStates::new(table.clone()));
        Self { halls, states, table, clock, ticket_key: Arc::default() }
    }

    /// Returns the gate of a show with this id and secret, and the public key of tickets, with one read.
    ///
    /// # Errors
    ///
    /// Returns `InvalidGateToken` if there is no such event, show or gate, or if the show was over 72 hours ago.
    /// Returns `Database` if the read fails.
    pub async fn open(&self, show_id: ShowId, gate: Uuid, secret: &SecretHash) -> Result<OpenGate, Error> {
        let ticket_key = (!self.ticket_key.initialized()).then(keys::ticket_key);
        let others = [keys::gates(show_id)].into_iter().chain(ticket_key);
        let mut read = self.halls.read(show_id.event, others).await?;
        if let Some(key) = read.items.take(&keys::ticket_key()) {
            let key = key_of(key)?;
            self.ticket_key.get_or_init(async || key).await;
        }
        // The gates of a draft admit, too.
        let show = read.show(show_id.show, EventScope::All).map_err(|_| Error::InvalidGateToken)?;
        let StoredGates { gates, .. } = StoredGates::take(&mut read.items, show_id)?;
        let (number, _) = gates.authorize(gate, secret, &show.show, self.clock.now())?;
        Ok(OpenGate { show, gates, number, ticket_key: self.ticket_key.get().cloned() })
    }
}
