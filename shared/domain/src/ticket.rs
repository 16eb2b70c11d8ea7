//! Tickets: each admits one person to a seat of a show that an order has.
//!
//! A ticket is stored nowhere. Its code contains the four ids below and a signature, so a gate without a network can
//! verify it. A seat that is sold anew has another hold, and so another ticket.

use uuid::Uuid;

/// Version of the format of tickets, their first byte.
const VERSION: u8 = 1;

/// Ticket for a seat of a show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ticket {
    /// The event.
    pub event: Uuid,
    /// The show.
    pub show: Uuid,
    /// The confirmed hold.
    pub hold: Uuid,
    /// The seat.
    pub seat: Uuid,
}

impl Ticket {
    /// Number of bytes: the version and the ids.
    pub const BYTES: usize = 1 + 4 * size_of::<Uuid>();

    /// Returns the bytes that are signed.
    #[must_use]
    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let mut bytes = [VERSION; Self::BYTES];
        let ids = bytes[1..].chunks_exact_mut(size_of::<Uuid>());
        for (bytes, id) in ids.zip([self.event, self.show, self.hold, self.seat]) {
            bytes.copy_from_slice(id.as_bytes());
        }
        bytes
    }

    /// Reads a ticket from its bytes; `None` if they are of another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; Self::BYTES]) -> Option<Self> {
        let ids = bytes[1..].chunks_exact(size_of::<Uuid>()).filter_map(|id| Uuid::from_slice(id).ok());
        let [event, show, hold, seat] = ids.collect::<Vec<_>>().try_into().ok()?;
        (bytes[0] == VERSION).then_some(Self { event, show, hold, seat })
    }
}

/// Returns the code in a scanned text: what follows the last `/`, `#` or `=`, as in an address, without white space.
#[must_use]
pub fn code_in(text: &str) -> &str {
    text.rsplit(['/', '#', '=']).next().unwrap_or(text).trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticket_is_read_as_written() {
        let [event, show, hold, seat] = [1, 2, 3, 4].map(Uuid::from_u128);
        let ticket = Ticket { event, show, hold, seat };
        let mut bytes = ticket.to_bytes();
        assert_eq!(bytes[..17], [&[1], event.as_bytes().as_slice()].concat());
        assert_eq!(Ticket::from_bytes(&bytes), Some(ticket));
        bytes[0] = 2;
        assert_eq!(Ticket::from_bytes(&bytes), None);
    }

    #[test]
    fn code_is_found_in_address() {
        for text in ["abc", " abc\n", "https://a.example/t/abc", "https://a.example/t#code=abc\r\n", "x=y/abc "] {
            assert_eq!(code_in(text), "abc", "{text}");
        }
        assert_eq!(code_in("abc="), "");
    }
}
