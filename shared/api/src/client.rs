//! Address of the client that made a request.
//!
//! The gateway reports the address that called it. If `CloudFront` called it, only `CloudFront` knows the
//! client's address. `CloudFront` sends this address in one header, and authenticates itself with a secret
//! in another. Without the secret the address is ignored, since anyone can send such a header.

use std::{fmt, str::FromStr};

use lambda_http::Request;
use subtle::ConstantTimeEq as _;

use crate::proxy::RequestContext;
use domain::client_address::ClientAddress;

/// Header with the client's address from `CloudFront`; must match template.yaml.
pub const VIEWER_ADDRESS: &str = "x-viewer-address";

/// Header with `CloudFront`'s secret; must match template.yaml.
pub const ORIGIN_SECRET: &str = "x-origin-secret";

/// Minimum length of a secret, in bytes.
const MIN_SECRET_LENGTH: usize = 16;

/// Secret that `CloudFront` sends; never printed.
#[derive(Clone)]
pub struct OriginSecret(String);

impl OriginSecret {
    /// Returns true if a value equals the secret.
    ///
    /// Takes constant time for values of the secret's length.
    fn matches(&self, sent: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(sent).into()
    }
}

impl FromStr for OriginSecret {
    type Err = &'static str;

    /// Parses a secret of at least 16 bytes.
    fn from_str(secret: &str) -> Result<Self, &'static str> {
        if secret.len() < MIN_SECRET_LENGTH {
            Err("a secret of at least 16 bytes")
        } else {
            Ok(Self(secret.to_owned()))
        }
    }
}

impl fmt::Debug for OriginSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OriginSecret(…)")
    }
}

/// Returns the address of the client that made a request.
///
/// Uses the address from `CloudFront` if the request has the secret, otherwise the one that the gateway
/// saw. If no secret is configured, only the gateway's address counts.
#[must_use]
pub fn address(request: &Request, secret: Option<&OriginSecret>) -> ClientAddress {
    let viewer = secret.and_then(|secret| viewer_address(request, secret)).map(str::to_owned);
    let address = viewer.or_else(|| source_address(request));
    address.map_or(ClientAddress::Unknown, |address| ClientAddress::parse(&address))
}

fn viewer_address<'a>(request: &'a Request, secret: &OriginSecret) -> Option<&'a str> {
    let sent = request.headers().get(ORIGIN_SECRET)?;
    let address = request.headers().get(VIEWER_ADDRESS)?;
    if secret.matches(sent.as_bytes()) { address.to_str().ok() } else { None }
}

/// Returns the address that called the gateway.
fn source_address(request: &Request) -> Option<String> {
    request.extensions().get().and_then(RequestContext::source_address)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::proxy::ProxyRequest;

    const SECRET: &str = "sixteen bytes!!!";
    const CLOUDFRONT: &str = "198.51.100.1";
    const VIEWER: &str = "203.0.113.7";

    fn request(source: Option<&str>, headers: &[(&'static str, &str)]) -> Request {
        let event = json!({"httpMethod": "POST", "requestContext": {"identity": {"sourceIp": source}}});
        let ProxyRequest(mut request) = serde_json::from_value(event).unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        request
    }

    fn client_address(request: &Request) -> String {
        address(request, Some(&SECRET.parse().unwrap())).to_string()
    }

    #[test]
    fn secret_authenticates_viewer_address() {
        let request = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, SECRET), (VIEWER_ADDRESS, VIEWER)]);
        assert_eq!(client_address(&request), VIEWER);
    }

    #[test]
    fn wrong_secret_is_ignored() {
        let [longer, shorter] = [&*format!("{SECRET}!"), &SECRET[1..]];
        for sent in ["", "sixteen bytes??!", "Sixteen bytes!!!", longer, shorter] {
            let forged = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, sent), (VIEWER_ADDRESS, VIEWER)]);
            assert_eq!(client_address(&forged), CLOUDFRONT, "{sent:?}");
        }
        let forwarded = [(VIEWER_ADDRESS, VIEWER), ("x-forwarded-for", VIEWER), ("forwarded", VIEWER)];
        assert_eq!(client_address(&request(Some(CLOUDFRONT), &forwarded)), CLOUDFRONT);
    }

    #[test]
    fn unset_secret_ignores_viewer_address() {
        let request = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, ""), (VIEWER_ADDRESS, VIEWER)]);
        assert_eq!(address(&request, None).to_string(), CLOUDFRONT);
    }

    #[test]
    fn missing_address_falls_back() {
        assert_eq!(client_address(&request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, SECRET)])), CLOUDFRONT);
        assert_eq!(client_address(&request(None, &[(ORIGIN_SECRET, SECRET), (VIEWER_ADDRESS, VIEWER)])), VIEWER);
        assert_eq!(client_address(&request(None, &[])), "unknown");
    }

    #[test]
    fn secret_is_never_printed() {
        assert_eq!(format!("{:?}", SECRET.parse::<OriginSecret>()), "Ok(OriginSecret(…))");
    }
}
