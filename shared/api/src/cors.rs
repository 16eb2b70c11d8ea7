//! Cross-origin resource sharing: pages that may call the API, and headers that they may read.

use std::{str::FromStr, time::Duration};

use http::{HeaderName, Method, header::HeaderValue};
use tower_http::cors::{AllowHeaders, AllowOrigin, CorsLayer};

/// Maximum age of a preflight response; browsers allow no more.
const PREFLIGHT_AGE: Duration = Duration::from_hours(2);

/// Headers that pages may read, besides those that browsers always show.
///
/// API Gateway gives another name to the `WWW-Authenticate` of a function, so both are exposed.
pub const EXPOSED_HEADERS: &str =
    "location,link,etag,retry-after,x-request-id,www-authenticate,x-amzn-remapped-www-authenticate,content-disposition";

/// Origins whose pages may read responses.
#[derive(Clone, Debug)]
pub enum Origins {
    /// Every origin.
    Any,
    /// Only the listed origins.
    Listed(Vec<HeaderValue>),
}

impl FromStr for Origins {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "`*`, or origins separated by commas";
        if text.trim() == "*" {
            return Ok(Self::Any);
        }
        text.split(',')
            .map(|origin| match origin.trim() {
                "" | "*" => Err(EXPECTED),
                origin => HeaderValue::from_str(origin).map_err(|_| EXPECTED),
            })
            .collect::<Result<_, _>>()
            .map(Self::Listed)
    }
}

/// Builds the layer that responds to preflights and adds the CORS headers to responses.
///
/// It allows all methods that pages use, so that they can read the error for an unsupported one. It allows every header
/// that a preflight asks for: browsers send requests without credentials, and tracing libraries add headers of their
/// own, such as `traceparent`.
pub fn layer(origins: &Origins) -> CorsLayer {
    let allowed = match origins {
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(origins) => AllowOrigin::list(origins.iter().cloned()),
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers(AllowHeaders::mirror_request())
        .expose_headers(EXPOSED_HEADERS.split(',').map(HeaderName::from_static).collect::<Vec<_>>())
        .max_age(PREFLIGHT_AGE)
        .vary([])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_any_or_listed() {
        assert!(matches!("*".parse(), Ok(Origins::Any)));
        let Ok(Origins::Listed(origins)) = "https://a.example, https://b.example".parse() else {
            panic!("expected a list of origins");
        };
        assert_eq!(origins, ["https://a.example", "https://b.example"]);
        for invalid in ["", "https://a.example,", "*,https://a.example", "a\nb"] {
            assert!(invalid.parse::<Origins>().is_err(), "{invalid:?}");
        }
    }
}
