//! Operations of the API, and what each of them declares.

use api::{envelope::Response, error::Error};
use domain::error::Cause;
use http::HeaderValue;
use lambda_http::Request;

use crate::{caller::Caller, environment::Environment};

/// Operation of the API: one method of one path.
///
/// The middleware, the `OpenAPI` document, and the tests of `template.yaml` read what it declares.
pub trait Operation: Sized + Send + Sync + 'static {
    /// Identity of those who may call it, which the middleware establishes before the operation reads the request.
    type Caller: Caller;

    /// Time for which caches may keep a success. Failures are never kept.
    const CACHE: Cache = Cache::Never;

    /// True if responses depend on `Accept-Encoding`, so that all of them name it in `Vary`.
    const NEGOTIATES_ENCODING: bool = false;

    /// Builds the operation with its stores and settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    fn new(environment: &impl Environment) -> impl Future<Output = Result<Self, Cause>> + Send;

    /// Carries out a request.
    ///
    /// # Errors
    ///
    /// Returns the error to send to the client.
    fn handle(&self, caller: Self::Caller, request: Request) -> impl Future<Output = Result<Response, Error>> + Send;
}

/// Time for which caches may keep a response (RFC 9111, section 5.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cache {
    /// Nobody keeps it, since it is personal or an answer to a change.
    Never,
    /// A shared cache keeps it for a second, and browsers revalidate each time.
    ///
    /// So many simultaneous readers cause one request a second, and a deleted event disappears within seconds. The
    /// cache policies in `template.yaml` depend on this second; `docs/data.md` has the calculation.
    OneSecond,
    /// Everybody keeps it for an hour, since only an operator changes it.
    OneHour,
}

impl Cache {
    /// Returns the value of `Cache-Control`.
    #[must_use]
    pub fn directives(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Never => "no-store",
            Self::OneSecond => "public, max-age=0, s-maxage=1",
            Self::OneHour => "public, max-age=3600",
        })
    }
}
