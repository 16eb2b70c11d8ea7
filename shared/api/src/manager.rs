//! The manager who makes a request.

use domain::{error::Error as DomainError, id, manager::Verification};
use http::header::HeaderValue;
use lambda_http::Request;
use uuid::Uuid;

use crate::{error::Error, proxy::RequestContext};

/// The header that names the manager who registers an event.
pub const MANAGER_ID: &str = "x-api-managerid";

/// The id of the manager who makes a request: where managers are verified, the one of the token that
/// the gateway's authorizer read, and else the one that the request names.
///
/// # Errors
///
/// `NoManager` where the header is missing or no id; where managers are verified, `NotAuthenticated`
/// where the authorizer names nobody, and `NotPermitted` where the header names somebody else.
pub fn identify(request: &Request, verification: Verification) -> Result<Uuid, Error> {
    match verification {
        Verification::Required => verified(request),
        Verification::Open => {
            request.headers().get(MANAGER_ID).and_then(named_manager).ok_or(Error::NoManager)
        }
    }
}

/// The id of the manager who alone may do what is asked, where managers are verified; none where
/// anyone may.
///
/// # Errors
///
/// As for [`identify`] where managers are verified.
pub fn owner(request: &Request, verification: Verification) -> Result<Option<Uuid>, Error> {
    match verification {
        Verification::Required => verified(request).map(Some),
        Verification::Open => Ok(None),
    }
}

fn verified(request: &Request) -> Result<Uuid, Error> {
    let principal = request.extensions().get().and_then(RequestContext::principal);
    let manager = principal.and_then(|id| id::parse(&id)).ok_or(DomainError::NotAuthenticated)?;
    let mut named = request.headers().get_all(MANAGER_ID).iter();
    if named.all(|value| named_manager(value) == Some(manager)) {
        Ok(manager)
    } else {
        Err(DomainError::NotPermitted.into())
    }
}

fn named_manager(header: &HeaderValue) -> Option<Uuid> {
    id::parse(header.to_str().ok()?.trim())
}
