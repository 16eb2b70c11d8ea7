//! Manager of a request.

use domain::{
    error::Error as DomainError,
    id,
    manager::{EventScope, Seller},
};
use http::header::HeaderValue;
use lambda_http::Request;
use uuid::Uuid;

use crate::{authorizer::Principal, error::Error};

/// Header with the id of the manager who registers an event.
pub const MANAGER_ID: &str = "x-api-managerid";

/// Returns the id of the manager who makes a request.
///
/// If managers are verified, this is the one that the gateway's authorizer found in the token;
/// otherwise the one in the header.
///
/// # Errors
///
/// Returns `NotAuthenticated` if the authorizer was not called. If managers are not verified, returns `NoManager` if
/// the header is missing or not an id. If they are, returns `PermissionDenied` if the token is not one of a manager, or
/// if the header names another manager.
pub fn identify(request: &Request) -> Result<Uuid, Error> {
    match principal(request)? {
        Principal::Anyone => request.headers().get(MANAGER_ID).and_then(named_manager).ok_or(Error::NoManager),
        Principal::OrderService { .. } => Err(DomainError::PermissionDenied.into()),
        Principal::Manager { id, .. } => expect_named(request, id).map(|()| id),
    }
}

/// Returns the events that the manager who makes a request may change.
///
/// If managers are not verified, these are all events, but not the drafts of others than the manager in the header, if
/// there is one.
///
/// # Errors
///
/// Returns the errors of [`identify`], but needs no header if managers are not verified.
pub fn events(request: &Request) -> Result<EventScope, Error> {
    match principal(request)? {
        Principal::Anyone => Ok(identify(request).map_or(EventScope::All, published_or_of)),
        _ => identify(request).map(EventScope::OfManager),
    }
}

/// Returns the order service, or the manager, who makes a request as a seller.
///
/// # Errors
///
/// Returns the errors of [`identify`], but also accepts order services.
pub fn seller(request: &Request) -> Result<Seller, Error> {
    let (id, events) = match principal(request)? {
        Principal::OrderService { id } => (expect_named(request, id).map(|()| id)?, EventScope::PUBLIC),
        Principal::Anyone | Principal::Manager { is_order_service: true, .. } => {
            let id = identify(request)?;
            (id, published_or_of(id))
        }
        Principal::Manager { .. } => {
            let id = identify(request)?;
            (id, EventScope::OfManager(id))
        }
    };
    Ok(Seller { events, id })
}

/// Returns all published events, and the drafts of a manager.
fn published_or_of(manager: Uuid) -> EventScope {
    EventScope::PublishedOrOf(Some(manager))
}

/// Checks that the header names nobody else than the subject of the token.
fn expect_named(request: &Request, subject: Uuid) -> Result<(), Error> {
    let mut named = request.headers().get_all(MANAGER_ID).iter();
    let is_same = named.all(|value| named_manager(value) == Some(subject));
    if is_same { Ok(()) } else { Err(DomainError::PermissionDenied.into()) }
}

fn principal(request: &Request) -> Result<Principal, DomainError> {
    Principal::of(request).ok_or(DomainError::NotAuthenticated)
}

fn named_manager(header: &HeaderValue) -> Option<Uuid> {
    id::parse(header.to_str().ok()?.trim())
}
