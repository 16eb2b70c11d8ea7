//! Addresses that identify clients.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

/// An IPv4 address, or an IPv6 network of 64 bits, all of whose addresses one client can use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClientAddress {
    /// An IPv4 address.
    V4(Ipv4Addr),
    /// The first address of an IPv6 network of 64 bits.
    V6(Ipv6Addr),
    /// All clients with unknown addresses.
    Unknown,
}

impl ClientAddress {
    /// Parses an IP address; any other text is `Unknown`.
    ///
    /// An IPv4-mapped IPv6 address becomes the IPv4 address.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        match text.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(IpAddr::V4(address)) => Self::V4(address),
            Ok(IpAddr::V6(address)) => Self::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            Err(_) => Self::Unknown,
        }
    }
}

impl fmt::Display for ClientAddress {
    /// Writes `203.0.113.7`, `2001:db8::/64` or `unknown`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::V4(address) => address.fmt(f),
            Self::V6(network) => write!(f, "{network}/64"),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_grouped_by_client() {
        for (text, expected) in [
            ("203.0.113.7", "203.0.113.7"),
            ("::ffff:203.0.113.7", "203.0.113.7"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:DB8:1:2::", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::", "2001:db8:1:3::/64"),
            ("::1", "::/64"),
            ("", "unknown"),
            ("203.0.113.7:443", "unknown"),
            ("[2001:db8::1]", "unknown"),
            ("203.0.113.7, 203.0.113.8", "unknown"),
            ("somewhere", "unknown"),
        ] {
            assert_eq!(ClientAddress::parse(text).to_string(), expected, "{text}");
        }
    }
}
