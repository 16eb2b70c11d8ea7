//! URLs of issuers.

use std::{net::IpAddr, str::FromStr};

use http::{Uri, uri::Scheme};

/// The URL of an issuer, exactly as in the `iss` claim of its tokens.
///
/// It must be `https`. For development, with an issuer next to the service, plain `http` is accepted for
/// `localhost`, loopback and private addresses, which other networks cannot reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IssuerUrl {
    text: String,
    discovery: Uri,
}

impl IssuerUrl {
    /// Returns the unchanged URL.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the URL of the discovery document.
    pub(super) fn discovery(&self) -> &Uri {
        &self.discovery
    }

    /// Returns true if the keys may be at this URL: it must be as safe as that of the issuer.
    pub(super) fn allows_keys_at(&self, uri: &Uri) -> bool {
        let is_plain = self.discovery.scheme() == Some(&Scheme::HTTP);
        uri.scheme() == Some(&Scheme::HTTPS) || is_plain && is_local_http(uri)
    }
}

impl FromStr for IssuerUrl {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        // No query or fragment (OpenID Connect Discovery 1.0, 3), and no user name and password.
        if text.contains(['?', '#', '@']) {
            return Err(());
        }
        let discovery = format!("{}/.well-known/openid-configuration", text.trim_end_matches('/'));
        let discovery: Uri = discovery.parse().map_err(drop)?;
        let is_https = discovery.scheme() == Some(&Scheme::HTTPS) && discovery.host().is_some();
        if is_https || is_local_http(&discovery) { Ok(Self { text: text.to_owned(), discovery }) } else { Err(()) }
    }
}

/// Returns true if a URL is plain `http` on this machine or a private network.
fn is_local_http(uri: &Uri) -> bool {
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
        for local in ["http://localhost:3000/issuer", "http://127.0.0.1:1", "http://172.18.0.1:1", "http://[::1]:1"] {
            assert!(url(local).is_ok(), "{local}");
        }
        for remote in ["http://id.example", "http://203.0.113.7", "http://localhost.example", "http://[2001:db8::1]"] {
            assert!(url(remote).is_err(), "{remote}");
        }
    }

    #[test]
    fn invalid_issuer_urls_are_rejected() {
        let texts = "|open|/pool|ftp://id.example|https://|https://id.example?a|https://id.example#a|https://a:b@id.example|https://id example";
        for text in texts.split('|') {
            assert!(url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn keys_url_must_be_as_safe_as_issuer() {
        let [https, http] = ["https://id.example", "http://127.0.0.1:1"].map(|text| url(text).unwrap());
        for (keys, from_https, from_http) in [
            ("https://keys.example/a", true, true),
            ("http://127.0.0.1:2/a", false, true),
            ("http://keys.example/a", false, false),
            ("/a", false, false),
        ] {
            let keys = keys.parse().unwrap();
            assert_eq!((https.allows_keys_at(&keys), http.allows_keys_at(&keys)), (from_https, from_http), "{keys}");
        }
    }
}
