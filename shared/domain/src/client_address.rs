//! Addresses that identify clients.

use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
};

/// An IPv4 address, an IPv6 network of 64 bits, all of whose addresses one client can use, or `unknown`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientAddress(String);

impl ClientAddress {
    /// Parses an IP address; all clients with another text are the same, `unknown`.
    ///
    /// An IPv4-mapped IPv6 address becomes the IPv4 address.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        Self(match text.parse::<IpAddr>().map(|address| address.to_canonical()) {
            Ok(IpAddr::V4(address)) => address.to_string(),
            Ok(IpAddr::V6(address)) => format!("{}/64", Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
            Err(_) => "unknown".to_owned(),
        })
    }
}

/// Writes `203.0.113.7`, `2001:db8::/64` or `unknown`.
impl fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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
            ("2001:DB8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:3::", "2001:db8:1:3::/64"),
            ("", "unknown"),
            ("203.0.113.7:443", "unknown"),
            ("203.0.113.7, 203.0.113.8", "unknown"),
        ] {
            assert_eq!(ClientAddress::parse(text).to_string(), expected, "{text}");
        }
    }
}
