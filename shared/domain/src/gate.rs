//! Gates: entrances of a show, each with a token that can admit people and nothing else.

use std::time::Duration;

use uuid::Uuid;

use crate::{
    clock::milliseconds,
    error::Error,
    id,
    show::{Show, ShowStatus},
    text::Line,
};

/// Maximum number of gates of a show at a time.
pub const MAX_GATES: usize = 50;

/// Maximum number of gates of a show that ever were: the names of removed ones stay, since they have admitted people.
pub const MAX_GATES_EVER: usize = 1_000;

/// Time after a show for which its gates can still admit people.
const OPEN_AFTER_SHOW: Duration = Duration::from_hours(72);

/// Name of a gate, such as `남문`.
pub type GateName = Line<50>;

/// Hash of the secret in the token of a gate (SHA-256).
pub type SecretHash = [u8; 32];

/// Gate of a show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gate {
    /// Id, which follows from its show and its number.
    pub id: Uuid,
    /// The name.
    pub name: GateName,
    /// Time since 1970 at which it was made, in milliseconds.
    pub created: u64,
    /// Hash of its secret; `None` once the gate is removed.
    pub secret: Option<SecretHash>,
}

/// Gates of a show, as they were read. A gate's number is its index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Gates(pub Vec<Gate>);

impl Gates {
    /// Returns the gates of a show with a new one at the end, made at a time since 1970.
    ///
    /// # Errors
    ///
    /// Returns `TooManyGates` if there are 50 already, or were 1,000.
    pub fn with_new(&self, show: Uuid, name: GateName, secret: SecretHash, now: Duration) -> Result<Self, Error> {
        if self.open().count() >= MAX_GATES || self.0.len() >= MAX_GATES_EVER {
            return Err(Error::TooManyGates);
        }
        let number = u16::try_from(self.0.len()).map_err(|_| Error::TooManyGates)?;
        let gate = Gate { id: id::gate(show, number), name, created: milliseconds(now), secret: Some(secret) };
        Ok(Self(self.0.iter().cloned().chain([gate]).collect()))
    }

    /// Returns the gates without the token of this one.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchGate` if there is none, or if it is removed.
    pub fn without(&self, id: Uuid) -> Result<Self, Error> {
        let (number, _) = self.open().find(|(_, gate)| gate.id == id).ok_or(Error::NoSuchGate)?;
        let mut gates = self.clone();
        gates.0[usize::from(number)].secret = None;
        Ok(gates)
    }

    /// Iterates over the gates that are not removed, with their numbers, in the order of creation.
    pub fn open(&self) -> impl Iterator<Item = (u16, &Gate)> {
        (0..).zip(&self.0).filter(|(_, gate)| gate.secret.is_some())
    }

    /// Returns the gate with this id and secret, and its number, if it may admit people to a show at a time since 1970.
    ///
    /// # Errors
    ///
    /// Returns `InvalidGateToken` if there is none, or if the show was over 72 hours ago.
    pub fn authorize(&self, id: Uuid, secret: &SecretHash, show: &Show, now: Duration) -> Result<(u16, &Gate), Error> {
        let is_over = show.status != ShowStatus::Postponed && show.instant.since_epoch() + OPEN_AFTER_SHOW < now;
        let gate = self.open().find(|(_, gate)| gate.id == id && gate.secret.as_ref() == Some(secret));
        gate.filter(|_| !is_over).ok_or(Error::InvalidGateToken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instant::Instant;

    const SHOW: Uuid = Uuid::from_u128(1);

    fn gates(count: usize) -> Gates {
        let add = |gates: Gates, _| {
            let name = GateName::parse("남문").unwrap();
            gates.with_new(SHOW, name, [7; 32], Duration::from_millis(1_500)).unwrap()
        };
        (0..count).fold(Gates::default(), add)
    }

    fn one_more(gates: &Gates) -> Result<Gates, Error> {
        gates.with_new(SHOW, GateName::parse("북문").unwrap(), [8; 32], Duration::ZERO)
    }

    #[test]
    fn show_has_at_most_50_gates() {
        assert!(one_more(&gates(49)).is_ok());
        let full = gates(50);
        assert!(matches!(one_more(&full), Err(Error::TooManyGates)));
        let removed = full.without(id::gate(SHOW, 3)).unwrap();
        let (number, gate) = one_more(&removed).map(|gates| (gates.0.len(), gates.0[50].clone())).unwrap();
        assert_eq!((number, gate.id, gate.created), (51, id::gate(SHOW, 50), 0));
        assert!(matches!(removed.without(id::gate(SHOW, 3)), Err(Error::NoSuchGate)));
        let mut many = gates(1);
        many.0 = vec![Gate { secret: None, ..many.0[0].clone() }; MAX_GATES_EVER];
        assert!(matches!(one_more(&many), Err(Error::TooManyGates)));
    }

    #[test]
    fn only_token_of_open_gate_is_valid() {
        let gates = gates(2).without(id::gate(SHOW, 0)).unwrap();
        let show = |status| Show { status, ..Show::new(Uuid::nil(), Instant::from_number("1000").unwrap()) };
        let number = |gate, secret, status, second| {
            let authorized = gates.authorize(id::gate(SHOW, gate), &secret, &show(status), Duration::from_secs(second));
            authorized.ok().map(|(number, _)| number)
        };
        let end = 1_000 + 72 * 3_600;
        assert_eq!(number(1, [7; 32], ShowStatus::Scheduled, end), Some(1));
        assert_eq!(number(1, [7; 32], ShowStatus::Scheduled, end + 1), None);
        assert_eq!(number(1, [7; 32], ShowStatus::Cancelled, end + 1), None);
        assert_eq!(number(1, [7; 32], ShowStatus::Postponed, end + 1), Some(1));
        assert_eq!(number(1, [8; 32], ShowStatus::Scheduled, 0), None);
        assert_eq!(number(0, [7; 32], ShowStatus::Scheduled, 0), None);
        assert_eq!(number(2, [7; 32], ShowStatus::Scheduled, 0), None);
    }
}
