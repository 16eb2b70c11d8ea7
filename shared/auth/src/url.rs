//! Where an issuer is.

use std::{net::IpAddr, str::FromStr};

use http::{Uri, uri::Scheme};

/// The URL of an issuer, written as its tokens have it in `iss`.
///
/// It is `https`. Plain `http` is taken on an address that no network beyond this machine's leads to:
/// `localhost`, a loopback address or a private one, for an issuer beside the service in development.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerUrl {
    text: String,
    discovery: Uri,
}

impl IssuerUrl {
    /// The URL as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Where its discovery document is.
    pub(super) fn discovery(&self) -> &Uri {
        &self.discovery
    }

    /// Whether the issuer may have its keys at this URL: one that is as safe as its own.
    pub(super) fn may_lead_to(&self, uri: &Uri) -> bool {
        let is_plain = self.discovery.scheme() == Some(&Scheme::HTTP);
        uri.scheme() == Some(&Scheme::HTTPS) || is_plain && is_nearby(uri)
    }
}

impl FromStr for IssuerUrl {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // Neither query nor fragment (OpenID Connect Discovery 1.0, 3), and nobody's name and password.
        if text.contains(['?', '#', '@']) {
            return Err(());
        }
        let discovery = format!("{}/.well-known/openid-configuration", text.trim_end_matches('/'));
        let discovery: Uri = discovery.parse().map_err(drop)?;
        let is_https = discovery.scheme() == Some(&Scheme::HTTPS) && discovery.host().is_some();
        if is_https || is_nearby(&discovery) {
            Ok(Self { text: text.to_owned(), discovery })
        } else {
            Err(())
        }
    }
}

/// Whether a URL is plain `http` on this machine or a private network.
fn is_nearby(uri: &Uri) -> bool {
    let Some(host) = uri.host().filter(|_| uri.scheme() == Some(&Scheme::HTTP)) else { return false };
    match host.trim_matches(['[', ']']).parse() {
        Ok(IpAddr::V4(address)) => address.is_loopback() || address.is_private(),
        Ok(IpAddr::V6(address)) => address.is_loopback(),
        Err(_) => host.eq_ignore_ascii_case("localhost"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Result<IssuerUrl, ()> {
        text.parse()
    }

    #[test]
    fn trailing_slash_is_optional() {
        let expected = "https://id.example/pool/.well-known/openid-configuration";
        for text in ["https://id.example/pool", "https://id.example/pool/"] {
            let url = url(text).unwrap();
            assert_eq!((url.as_str(), url.discovery().to_string().as_str()), (text, expected));
        }
    }

    #[test]
    fn plain_http_is_local_only() {
        for near in
            ["http://localhost:3000/issuer", "http://127.0.0.1:1", "http://172.18.0.1:1", "http://[::1]:1"]
        {
            assert!(url(near).is_ok(), "{near}");
        }
        for far in
            ["http://id.example", "http://203.0.113.7", "http://localhost.example", "http://[2001:db8::1]"]
        {
            assert!(url(far).is_err(), "{far}");
        }
    }

    #[test]
    fn invalid_issuer_urls_are_rejected() {
        for text in [
            "",
            "open",
            "id.example",
            "/pool",
            "ftp://id.example",
            "https://",
            "https://id.example?a",
            "https://id.example#a",
            "https://a:b@id.example",
            "https://id example",
        ] {
            assert!(url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_url_must_be_as_safe_as_issuer() {
        let [safe, near] = ["https://id.example", "http://127.0.0.1:1"].map(|text| url(text).unwrap());
        for (keys, of_safe, of_near) in [
            ("https://keys.example/a", true, true),
            ("http://127.0.0.1:2/a", false, true),
            ("http://keys.example/a", false, false),
            ("/a", false, false),
        ] {
            let keys = keys.parse().unwrap();
            assert_eq!((safe.may_lead_to(&keys), near.may_lead_to(&keys)), (of_safe, of_near), "{keys}");
        }
    }
}
