//! Which client a request comes from.
//!
//! The gateway tells who called it. Where that is `CloudFront`, it is `CloudFront` that knows the
//! client: it says so in a header, and proves by a secret in another that it is `CloudFront` who says
//! it. Without the proof the header tells nothing, since anybody can send one to the gateway.

use std::{fmt, str::FromStr};

use lambda_http::Request;
use subtle::ConstantTimeEq as _;

use crate::proxy::RequestContext;
use domain::client_address::ClientAddress;

/// The header in which `CloudFront` tells the client's address, as template.yaml has it.
pub const VIEWER_ADDRESS: &str = "x-viewer-address";

/// The header in which `CloudFront` proves itself, as template.yaml has it.
pub const ORIGIN_SECRET: &str = "x-origin-secret";

/// The fewest bytes of a secret.
const MIN_SECRET: usize = 16;

/// The secret by which `CloudFront` makes itself known; never printed.
#[derive(Clone)]
pub struct OriginSecret(String);

impl OriginSecret {
    /// Whether a text is the secret; for texts of its length, the time does not tell how much is.
    fn is(&self, sent: &[u8]) -> bool {
        self.0.as_bytes().ct_eq(sent).into()
    }
}

impl FromStr for OriginSecret {
    type Err = &'static str;

    /// Takes a secret of at least 16 bytes.
    fn from_str(secret: &str) -> Result<Self, &'static str> {
        if secret.len() < MIN_SECRET {
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

/// The address of the client who makes a request.
///
/// It is `CloudFront`'s word where the request has `CloudFront`'s secret, and else the address that
/// the gateway saw. Without a secret, nothing but the latter counts.
#[must_use]
pub fn address(request: &Request, secret: Option<&OriginSecret>) -> ClientAddress {
    let told = secret.and_then(|secret| told_by_cloudfront(request, secret)).map(str::to_owned);
    told.or_else(|| source(request)).map_or(ClientAddress::Unknown, |address| ClientAddress::parse(&address))
}

fn told_by_cloudfront<'a>(request: &'a Request, secret: &OriginSecret) -> Option<&'a str> {
    let sent = request.headers().get(ORIGIN_SECRET)?;
    let address = request.headers().get(VIEWER_ADDRESS)?;
    if secret.is(sent.as_bytes()) { address.to_str().ok() } else { None }
}

/// The address that called the gateway.
fn source(request: &Request) -> Option<String> {
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

    fn told(request: &Request) -> String {
        address(request, Some(&SECRET.parse().unwrap())).to_string()
    }

    #[test]
    fn cloudfront_is_believed() {
        let request = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, SECRET), (VIEWER_ADDRESS, VIEWER)]);
        assert_eq!(told(&request), VIEWER);
    }

    #[test]
    fn whoever_has_no_secret_or_another_is_not_believed() {
        let [longer, shorter] = [&*format!("{SECRET}!"), &SECRET[1..]];
        for sent in ["", "sixteen bytes??!", "Sixteen bytes!!!", longer, shorter] {
            let forged = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, sent), (VIEWER_ADDRESS, VIEWER)]);
            assert_eq!(told(&forged), CLOUDFRONT, "{sent:?}");
        }
        let forwarded = [(VIEWER_ADDRESS, VIEWER), ("x-forwarded-for", VIEWER), ("forwarded", VIEWER)];
        assert_eq!(told(&request(Some(CLOUDFRONT), &forwarded)), CLOUDFRONT);
    }

    #[test]
    fn nobody_is_believed_where_there_is_no_cloudfront() {
        let request = request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, ""), (VIEWER_ADDRESS, VIEWER)]);
        assert_eq!(address(&request, None).to_string(), CLOUDFRONT);
    }

    #[test]
    fn without_a_word_of_cloudfront_or_of_the_gateway_the_other_counts_and_without_both_none_does() {
        assert_eq!(told(&request(Some(CLOUDFRONT), &[(ORIGIN_SECRET, SECRET)])), CLOUDFRONT);
        assert_eq!(told(&request(None, &[(ORIGIN_SECRET, SECRET), (VIEWER_ADDRESS, VIEWER)])), VIEWER);
        assert_eq!(told(&request(None, &[])), "unknown");
    }

    #[test]
    fn the_secret_is_never_printed() {
        assert_eq!(format!("{:?}", SECRET.parse::<OriginSecret>()), "Ok(OriginSecret(…))");
    }
}
