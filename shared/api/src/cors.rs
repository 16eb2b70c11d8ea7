//! Cross-origin resource sharing: pages that may call the API, and headers that they may read.

use std::{str::FromStr, time::Duration};

use http::{
    HeaderName, Method,
    header::{
        AUTHORIZATION, CONTENT_TYPE, ETAG, HeaderValue, IF_MATCH, IF_NONE_MATCH, LINK, LOCATION, RETRY_AFTER,
        WWW_AUTHENTICATE,
    },
};
use tower_http::cors::{AllowOrigin, CorsLayer};

use crate::{
    manager::MANAGER_ID,
    request::{IDEMPOTENCY_KEY, REQUEST_ID},
};

/// Maximum age of a preflight response; browsers allow no more.
const PREFLIGHT_AGE: Duration = Duration::from_hours(2);

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
/// It allows all methods that pages use, so that they can read the error for an unsupported one.
pub fn layer(origins: &Origins) -> CorsLayer {
    let allowed = match origins {
        Origins::Any => AllowOrigin::any(),
        Origins::Listed(origins) => AllowOrigin::list(origins.iter().cloned()),
    };
    CorsLayer::new()
        .allow_origin(allowed)
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE])
        .allow_headers([
            CONTENT_TYPE,
            AUTHORIZATION,
            HeaderName::from_static(MANAGER_ID),
            HeaderName::from_static(IDEMPOTENCY_KEY),
            IF_NONE_MATCH,
            IF_MATCH,
        ])
        .expose_headers([LOCATION, LINK, ETAG, RETRY_AFTER, REQUEST_ID, WWW_AUTHENTICATE])
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
