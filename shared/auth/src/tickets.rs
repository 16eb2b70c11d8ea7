//! Tickets of a deployment: who issues them, and who only verifies them.

use domain::{
    error::Error,
    ticket::{self, Ticket},
};
use storage::{seats::tickets::TicketKeys, table::Table};

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

/// Reader of the codes of tickets, which cannot issue any.
#[derive(Debug)]
pub struct TicketReader {
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

impl TicketReader {
    /// Builds the reader on a table with the public key.
    #[must_use]
    pub fn new(table: Table) -> Self {
        Self { keys: TicketKeys::new(table) }
    }

    /// Returns the tickets in scanned texts; `None` for those that are none of this service.
    ///
    /// # Errors
    ///
    /// Returns `Database` if the key cannot be read.
    pub async fn read<'a>(&self, texts: impl Iterator<Item = &'a str>) -> Result<Vec<Option<Ticket>>, Error> {
        let verifier = self.keys.read().await?.and_then(TicketVerifier::new);
        Ok(texts.map(|text| verifier.as_ref()?.verify(ticket::code_in(text))).collect())
    }
}
