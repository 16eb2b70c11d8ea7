//! Routes of the functions.

use api::{cors::Origins, serve};
use auth::{Issuer, url::IssuerUrl};
use domain::{
    cursor::CursorKey,
    error::Cause,
    manager::Authentication,
    password::{Hasher, Password},
};
use events_create::Create;
use events_delete::Delete;
use events_detail::Detail;
use events_edit::Edit;
use events_get::Get;
use events_list::List;
use events_restore::Restore;
use events_seat_map::SeatMap;
use events_thumbnail::ReplaceThumbnail;
use http::Method;
use managers_authorize::Authorize;
use managers_events::OwnEvents;
use members_edit::Edit as EditMember;
use members_join::Join;
use members_login::Login;
use members_withdraw::Withdraw;
use storage::{poster::Posters, table::Table};

use crate::{
    authorizer::Authorizer,
    emulators::{BUCKET, Emulators, TABLE},
    gateway::Function,
    issuer::{AUDIENCE, manager_role},
    settings::Settings,
};

/// Builds all functions with their routes, as in template.yaml.
///
/// If there is an issuer, managers are verified.
///
/// # Errors
///
/// Returns an error if a setting is invalid.
pub fn functions(
    emulators: &Emulators,
    cursors: CursorKey,
    settings: &Settings,
    issuer: Option<IssuerUrl>,
) -> Result<Vec<Function>, Cause> {
    let (managers, authorize) = match issuer {
        None => (Authentication::Open, Authorize::Open),
        Some(url) => {
            let issuer = Issuer::new(url, AUDIENCE.to_owned())?;
            (Authentication::Required, Authorize::Verified { issuer: Box::new(issuer), role: manager_role() })
        }
    };
    let authorizer = Authorizer::new(authorize);
    let table = Table::new(emulators.dynamodb.clone(), TABLE.to_owned());
    let posters = Posters::new(emulators.s3.clone(), BUCKET.to_owned());
    let hasher = || settings.argon2_params.parse::<Hasher>();

    let join = Join::new(table.clone(), hasher()?, Password::parse);
    let login = Login::new(table.clone(), hasher()?);
    let edit_member = EditMember::new(table.clone(), hasher()?, Password::parse);
    let withdraw = Withdraw::new(table.clone(), hasher()?);
    let create = Create::new(table.clone(), posters.clone(), managers);
    let list = List::new(table.clone(), cursors.clone());
    let get = Get::new(table.clone());
    let detail = Detail::new(table.clone());
    let seat_map = SeatMap::new(table.clone());
    let edit = Edit::new(table.clone(), managers);
    let thumbnail = ReplaceThumbnail::new(table.clone(), posters, managers);
    let delete = Delete::new(table.clone(), managers);
    let restore = Restore::new(table.clone(), managers);
    let own_events = OwnEvents::new(table, managers, cursors);

    let any = Origins::Any;
    Ok(vec![
        Function::new(Method::POST, "/api/v1/members/join", serve::service(join, &any)),
        Function::new(Method::POST, "/api/v1/members/login", serve::service(login, &any)),
        Function::new(Method::PATCH, "/api/v1/members/{memberId}", serve::service(edit_member, &any)),
        Function::new(Method::POST, "/api/v1/members/{memberId}/withdrawal", serve::service(withdraw, &any)),
        Function::new(Method::POST, "/api/v1/events", serve::service(create, &any)).authorized(&authorizer),
        Function::new(Method::GET, "/api/v1/events", serve::service(list, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}", serve::service(get, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}/detail", serve::service(detail, &any)),
        Function::new(Method::GET, "/api/v1/events/{eventId}/seat-map.svg", serve::service(seat_map, &any)),
        Function::new(Method::PATCH, "/api/v1/events/{eventId}", serve::service(edit, &any)).authorized(&authorizer),
        Function::new(Method::PUT, "/api/v1/events/{eventId}/thumbnail", serve::service(thumbnail, &any))
            .authorized(&authorizer),
        Function::new(Method::DELETE, "/api/v1/events/{eventId}", serve::service(delete, &any)).authorized(&authorizer),
        Function::new(Method::POST, "/api/v1/events/{eventId}/restore", serve::service(restore, &any))
            .authorized(&authorizer),
        Function::new(Method::GET, "/api/v1/managers/me/events", serve::service(own_events, &any))
            .authorized(&authorizer),
    ])
}
