//! Which function answers which route.

use http::Method;
use managers_authorize::Authorize;
use shared::{
    config::Origins,
    domain::{
        cursor::CursorKey,
        error::Cause,
        manager::Verification,
        password::{Hasher, common::CommonPasswords},
    },
    http::serve,
    issuer::{Issuer, url::IssuerUrl},
    store::{event::Events, member::Members, poster::Posters, table::Table},
};

use crate::{
    authorizer::Authorizer,
    emulators::{BUCKET, Emulators, TABLE},
    gateway::Function,
    issuer::{AUDIENCE, role},
    stack::Settings,
};

/// Every function, with its method and path as API Gateway has them. With an issuer, managers are
/// verified.
///
/// # Errors
///
/// Where a setting is not legal.
pub fn functions(
    emulators: &Emulators,
    cursors: CursorKey,
    settings: &Settings,
    issuer: Option<IssuerUrl>,
) -> Result<Vec<Function>, Cause> {
    let (managers, authorize) = match issuer {
        None => (Verification::Open, Authorize::Open),
        Some(url) => {
            let issuer = Issuer::new(url, AUDIENCE.to_owned())?;
            (Verification::Required, Authorize::Verified { issuer: Box::new(issuer), role: role() })
        }
    };
    let authorizer = Authorizer::new(authorize);
    let table = Table::new(emulators.dynamodb.clone(), TABLE.to_owned());
    let members = Members::new(table.clone());
    let events = Events::new(table);
    let posters = Posters::new(emulators.s3.clone(), BUCKET.to_owned());
    let hasher = || -> Result<_, Cause> { Ok(Hasher::new(settings.argon2_params.parse()?)) };

    let join = members_join::Join {
        members: members.clone(),
        hasher: hasher()?,
        common_passwords: CommonPasswords::Allowed,
    };
    let login = members_login::Login { members, hasher: hasher()?, origin_secret: None };
    let create = events_create::Create { events: events.clone(), posters, managers };
    let list = events_list::List { events: events.clone(), cursors };
    let get = events_get::Get { events: events.clone() };
    let detail = events_detail::Detail { events: events.clone() };
    let seat_map = events_seat_map::SeatMap { events: events.clone() };
    let delete = events_delete::Delete { events, managers };

    let any = Origins::Any;
    Ok(vec![
        Function::new(Method::POST, "/api/v1/members/join", serve::service(join, &any)),
        Function::new(Method::POST, "/api/v1/members/login", serve::service(login, &any)),
        Function::new(Method::POST, "/api/v1/events", serve::service(create, &any)).authorized(&authorizer),
        Function::new(Method::GET, "/api/v1/events", serve::service(list, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}", serve::service(get, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}/detail", serve::service(detail, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}/seat-map.svg", serve::service(seat_map, &any)),
        Function::new(Method::DELETE, "/api/v1/events/{eventId}", serve::service(delete, &any))
            .authorized(&authorizer),
    ])
}
