//! Address of the client that made a request.
//!
//! The gateway reports the address that called it, which is a server of `CloudFront`. `CloudFront` sends the
//! address of its client in a header. Nothing else can send this header: the gateway accepts requests only
//! from `CloudFront`, which sets the header or removes it. The local gateway removes it.

use lambda_http::Request;

use crate::proxy::RequestContext;
use domain::client_address::ClientAddress;

/// Header with the client's address from `CloudFront`; must match template.yaml.
pub const VIEWER_ADDRESS: &str = "x-viewer-address";

/// Returns the address of the client that made a request.
///
/// Uses the address from `CloudFront` if the request has one, otherwise the one that the gateway saw.
#[must_use]
pub fn address(request: &Request) -> ClientAddress {
    let viewer = request.headers().get(VIEWER_ADDRESS).and_then(|address| address.to_str().ok());
    let source = || request.extensions().get().and_then(RequestContext::source_address);
    ClientAddress::parse(viewer.or_else(source).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::proxy::ProxyRequest;

    const CLOUDFRONT: &str = "198.51.100.1";
    const VIEWER: &str = "203.0.113.7";

    fn client_address(source: Option<&str>, headers: &[(&'static str, &str)]) -> String {
        let event = json!({"httpMethod": "POST", "requestContext": {"identity": {"sourceIp": source}}});
        let ProxyRequest(mut request) = serde_json::from_value(event).unwrap();
        for (name, value) in headers {
            request.headers_mut().append(*name, value.parse().unwrap());
        }
        address(&request).to_string()
    }

    #[test]
    fn address_falls_back_to_gateway() {
        assert_eq!(client_address(Some(CLOUDFRONT), &[(VIEWER_ADDRESS, VIEWER)]), VIEWER);
        assert_eq!(client_address(Some(CLOUDFRONT), &[]), CLOUDFRONT);
        assert_eq!(client_address(None, &[]), "unknown");
    }

    #[test]
    fn other_headers_are_ignored() {
        let forged =
            [("x-forwarded-for", VIEWER), ("forwarded", VIEWER), ("cloudfront-viewer-address", "203.0.113.7:443")];
        assert_eq!(client_address(Some(CLOUDFRONT), &forged), CLOUDFRONT);
    }
}
