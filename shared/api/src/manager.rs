//! Manager of a request.

use domain::{error::Error as DomainError, id, manager::Authentication};
use http::header::HeaderValue;
use lambda_http::Request;
use uuid::Uuid;

use crate::{authorizer::ORDER_SERVICE, error::Error, proxy::RequestContext};

/// Header with the id of the manager who registers an event.
pub const MANAGER_ID: &str = "x-api-managerid";

/// Returns the id of the manager who makes a request.
///
/// If managers are verified, this is the one that the gateway's authorizer found in the token;
/// otherwise the one in the header.
///
/// # Errors
///
/// If managers are not verified, returns `NoManager` if the header is missing or not an id. If they are,
/// returns `NotAuthenticated` if the authorizer names no manager, and `PermissionDenied` if the header names
/// another one.
pub fn identify(request: &Request, verification: Authentication) -> Result<Uuid, Error> {
    match verification {
        Authentication::Required => verified(request),
        Authentication::Open => request.headers().get(MANAGER_ID).and_then(named_manager).ok_or(Error::NoManager),
    }
}

/// Returns the id of the only manager who may carry out the request; `None` if anyone may.
///
/// # Errors
///
/// Returns the errors of [`identify`] if managers are verified.
pub fn owner(request: &Request, verification: Authentication) -> Result<Option<Uuid>, Error> {
    match verification {
        Authentication::Required => verified(request).map(Some),
        Authentication::Open => Ok(None),
    }
}

/// Returns the id of the only manager whose events a request for orders may be about; `None` if it may be any event.
///
/// # Errors
///
/// Returns the errors of [`identify`].
pub fn order_service(request: &Request, verification: Authentication) -> Result<Option<Uuid>, Error> {
    match verification {
        Authentication::Required if context(request).is_some_and(RequestContext::is_order_service) => Ok(None),
        Authentication::Required => verified(request).map(Some),
        Authentication::Open => identify(request, verification).map(|_| None),
    }
}

fn context(request: &Request) -> Option<&RequestContext> {
    request.extensions().get()
}

fn verified(request: &Request) -> Result<Uuid, Error> {
    let principal = context(request).and_then(RequestContext::principal);
    if principal == Some(ORDER_SERVICE) {
        return Err(DomainError::PermissionDenied.into());
    }
    let manager = principal.and_then(id::parse).ok_or(DomainError::NotAuthenticated)?;
    let mut named = request.headers().get_all(MANAGER_ID).iter();
    if named.all(|value| named_manager(value) == Some(manager)) {
        Ok(manager)
    } else {
        Err(DomainError::PermissionDenied.into())
    }
}

fn named_manager(header: &HeaderValue) -> Option<Uuid> {
    id::parse(header.to_str().ok()?.trim())
}
