//! Tickets of a deployment: who issues them, and who only verifies them.

use domain::{
    error::Error,
    ticket::{self, Ticket},
};
use storage::{members::public_keys::PublicKey, seats::tickets::TicketKeys, table::Table};

use crate::{
    secret::Secret,
    ticket_code::{TicketKey, TicketVerifier},
};

/// Issuer of tickets.
#[derive(Debug)]
pub struct TicketIssuer {
    key: TicketKey,
    keys: TicketKeys,
}

impl TicketIssuer {
    /// Derives the key from the secret of the tickets.
    #[must_use]
    pub fn new(table: Table, secret: &Secret) -> Self {
        Self { key: TicketKey::derive(secret), keys: TicketKeys::new(table) }
    }

    /// Stores the public key before the first ticket is issued, unless this process has stored it.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the key cannot be stored.
    pub async fn publish(&self) -> Result<(), Error> {
        self.keys.publish(self.key.public()).await
    }

    /// Returns the code of a ticket.
    #[must_use]
    pub fn code(&self, ticket: Ticket) -> String {
        self.key.code(ticket)
    }
}

/// Returns the tickets in scanned texts; `None` for those that are none of this service.
///
/// `key` is the public key of tickets; without it, no ticket was ever issued.
pub fn read<'a>(key: Option<&PublicKey>, texts: impl Iterator<Item = &'a str>) -> Vec<Option<Ticket>> {
    let verifier = key.and_then(TicketVerifier::new);
    texts.map(|text| verifier.as_ref()?.verify(ticket::code_in(text))).collect()
}
