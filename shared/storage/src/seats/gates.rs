//! Gates of a show, for its manager.

use domain::{
    error::Error,
    gate::{Gate, GateName, Gates, SecretHash},
    manager::EventScope,
    seats::admission::SoldSeats,
    show::ShowId,
};
use uuid::Uuid;

use crate::{
    keys,
    seats::{door::Door, gates_record::StoredGates},
    transaction::{Transaction, TransactionError, until_decided},
};

impl Door {
    /// Adds a gate with a secret to a show, with a read and a transaction.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, `TooManyGates`, or `Database` if the outcome is unknown.
    pub async fn add_gate(
        &self,
        show_id: ShowId,
        scope: EventScope,
        name: &GateName,
        secret: SecretHash,
    ) -> Result<Gate, Error> {
        let add = |gates: &Gates| gates.with_new(show_id.show, name.clone(), secret, self.clock.now());
        let gates = until_decided(&self.table, || self.change_gates(show_id, scope, add)).await?;
        gates.0.last().cloned().ok_or_else(|| Error::unexpected("no new gate"))
    }

    /// Removes a gate of a show, with a read and a transaction. Its admissions stay.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, `NoSuchGate`, or `Database` if the outcome is unknown.
    pub async fn remove_gate(&self, show_id: ShowId, scope: EventScope, gate: Uuid) -> Result<(), Error> {
        let remove = |gates: &Gates| gates.without(gate);
        until_decided(&self.table, || self.change_gates(show_id, scope, remove)).await.map(drop)
    }

    async fn change_gates(
        &self,
        show_id: ShowId,
        scope: EventScope,
        change: impl Fn(&Gates) -> Result<Gates, Error>,
    ) -> Result<Gates, TransactionError> {
        let before = self.stored_gates(show_id, scope).await?;
        let gates = change(&before.gates)?;
        // A transaction, since its repetition after a lost response changes nothing.
        let mut transaction = Transaction::new(&self.table);
        transaction.add(before.replace(show_id, &gates)?, TransactionError::Lost);
        transaction.commit().await?;
        Ok(gates)
    }

    async fn stored_gates(&self, show_id: ShowId, scope: EventScope) -> Result<StoredGates, Error> {
        let mut read = self.halls.read(show_id.event, [keys::gates(show_id)]).await?;
        read.show_in_scope(show_id.show, scope)?;
        StoredGates::take(&mut read.items, show_id)
    }

    /// Returns the gates of a show and its sold seats, with one read and a query for each 2,048 seats.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if no event with the show exists for the scope, `PermissionDenied` if it excludes the
    /// event, or `Database` if a read fails.
    pub async fn gates(&self, show_id: ShowId, scope: EventScope) -> Result<(Gates, SoldSeats), Error> {
        let mut read = self.halls.read(show_id.event, [keys::gates(show_id)]).await?;
        let show = read.show_in_scope(show_id.show, scope)?;
        let StoredGates { gates, .. } = StoredGates::take(&mut read.items, show_id)?;
        Ok((gates, self.sold_seats(&show).await?))
    }
}
