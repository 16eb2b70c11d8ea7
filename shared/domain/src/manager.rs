//! Role and id of a manager, in the claims of a token.

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{error::Error, event::Event, id};

/// The claims (RFC 7519) of a verified token, by name.
pub type Claims = Map<String, Value>;

/// Events that a caller may use: to change them, to sell their seats, or to read them.
///
/// This is the only rule about the owner of an event. A draft that a caller may not use does not exist for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventScope {
    /// All events: managers are not verified, and the request names none.
    All,
    /// All published events, and the drafts of this manager, for an order service; where managers are not verified, for
    /// everyone.
    PublishedOrOf(Option<Uuid>),
    /// Only the events of the manager with this id.
    OfManager(Uuid),
}

impl EventScope {
    /// Events that everyone can read.
    pub const PUBLIC: Self = Self::PublishedOrOf(None);

    /// Checks that an event exists for the caller.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if it is a draft of another manager.
    pub fn expect_visible(self, event: &Event) -> Result<(), Error> {
        let is_own = match self {
            Self::All => true,
            Self::PublishedOrOf(manager) => manager == Some(event.manager),
            Self::OfManager(manager) => manager == event.manager,
        };
        if event.published || is_own { Ok(()) } else { Err(Error::NoSuchEvent) }
    }

    /// Checks that the caller may use an event.
    ///
    /// # Errors
    ///
    /// Returns `NoSuchEvent` if it is a draft of another manager, `PermissionDenied` if the caller may not use it.
    pub fn expect(self, event: &Event) -> Result<(), Error> {
        self.expect_visible(event)?;
        match self {
            Self::OfManager(manager) if manager != event.manager => Err(Error::PermissionDenied),
            _ => Ok(()),
        }
    }

    /// Checks that the caller may cancel an order, which an order service also may in a draft if its seats are sold.
    ///
    /// # Errors
    ///
    /// Returns those of [`expect`](Self::expect).
    pub fn expect_for_cancellation(self, event: &Event, is_sold: bool) -> Result<(), Error> {
        match self {
            Self::PublishedOrOf(_) if is_sold => Ok(()),
            _ => self.expect(event),
        }
    }
}

/// Manager or order service that sells seats, and learns what is sold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seller {
    /// Events whose seats they may sell.
    pub events: EventScope,
    /// Id by which their idempotency keys are told apart.
    pub id: Uuid,
}

/// A role that tokens of managers or of order services have.
#[derive(Clone, Debug)]
pub struct Role {
    claim: String,
    name: String,
}

impl Role {
    /// Defines the role by the claim that contains it and by its name.
    ///
    /// The claim's name is not a path: `cognito:groups` and `https://tickets.example/roles` are names.
    #[must_use]
    pub fn new(claim: String, name: String) -> Self {
        Self { claim, name }
    }

    /// Returns the manager's id, as [`subject_id`] does.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`subject_id`], `PermissionDenied` if the claims do not have the role.
    pub fn manager(&self, claims: &Claims) -> Result<Uuid, Error> {
        let manager = subject_id(claims)?;
        if self.is_held(claims) { Ok(manager) } else { Err(Error::PermissionDenied) }
    }

    /// Returns true if the claims contain the role.
    #[must_use]
    pub fn is_held(&self, claims: &Claims) -> bool {
        claims.get(&self.claim).is_some_and(|claim| self.is_in(claim))
    }

    /// Returns true if a claim (space-separated text, or array) contains the role.
    fn is_in(&self, claim: &Value) -> bool {
        match claim {
            Value::String(roles) => roles.split(' ').any(|role| role == self.name),
            Value::Array(roles) => roles.iter().any(|role| role.as_str() == Some(&self.name)),
            _ => false,
        }
    }
}

/// Returns the id of the subject of claims: the subject if it is a UUID, or else one that is derived from it.
///
/// # Errors
///
/// Returns `NotAuthenticated` if the subject or the issuer is missing or empty.
pub fn subject_id(claims: &Claims) -> Result<Uuid, Error> {
    let text = |name| claims.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    let (issuer, subject) = text("iss").zip(text("sub")).ok_or(Error::NotAuthenticated)?;
    Ok(id::parse(subject).unwrap_or_else(|| derived_id(issuer, subject)))
}

/// Returns the id of a subject that is no UUID, as those of Google, Kakao, Auth0 and Okta.
///
/// It is a UUID of version 5 (RFC 9562, 5.5) of the subject, in the namespace of the issuer's URL.
fn derived_id(issuer: &str, subject: &str) -> Uuid {
    Uuid::new_v5(&Uuid::new_v5(&Uuid::NAMESPACE_URL, issuer.as_bytes()), subject.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{event::tests::details, poster::Format, show::ShowTimes};

    const ISSUER: &str = "https://accounts.google.com";
    const SUBJECT: &str = "6F1DD7B4-6A24-4C53-9F5E-0D1C8A3B2E11";

    fn manager(claims: &Value) -> Result<Uuid, Error> {
        Role::new("cognito:groups".to_owned(), "manager".to_owned()).manager(claims.as_object().unwrap())
    }

    const OWNER: Uuid = Uuid::from_u128(1);
    const OTHER: Uuid = Uuid::from_u128(2);

    fn event(published: bool) -> Event {
        Event::register(OWNER, details("a", "b"), &ShowTimes::default(), published, Format::Png)
    }

    #[test]
    fn scope_decides_who_may_use_an_event() {
        let outcome = |result: Result<(), Error>| match result {
            Ok(()) => "ok",
            Err(Error::NoSuchEvent) => "E_002",
            Err(Error::PermissionDenied) => "AM_002",
            Err(_) => "other",
        };
        // The caller, then the outcomes for a published event, a draft, and sold seats of a draft.
        for (scope, published, draft, sold) in [
            (EventScope::All, "ok", "ok", "ok"),
            (EventScope::PUBLIC, "ok", "E_002", "ok"),
            (EventScope::PublishedOrOf(Some(OTHER)), "ok", "E_002", "ok"),
            (EventScope::PublishedOrOf(Some(OWNER)), "ok", "ok", "ok"),
            (EventScope::OfManager(OTHER), "AM_002", "E_002", "E_002"),
            (EventScope::OfManager(OWNER), "ok", "ok", "ok"),
        ] {
            assert_eq!(outcome(scope.expect(&event(true))), published, "{scope:?}");
            assert_eq!(outcome(scope.expect(&event(false))), draft, "{scope:?}");
            assert_eq!(outcome(scope.expect_visible(&event(false))), draft, "{scope:?}");
            assert!(scope.expect_visible(&event(true)).is_ok(), "{scope:?}");
            assert_eq!(outcome(scope.expect_for_cancellation(&event(false), true)), sold, "{scope:?}");
            assert_eq!(outcome(scope.expect_for_cancellation(&event(false), false)), draft, "{scope:?}");
            assert_eq!(outcome(scope.expect_for_cancellation(&event(true), true)), published, "{scope:?}");
        }
    }

    #[test]
    fn role_claim_is_text_or_array() {
        for claim in [json!("manager"), json!("reader manager"), json!(["reader", "manager"])] {
            let id = manager(&json!({"iss": ISSUER, "sub": SUBJECT, "cognito:groups": claim})).unwrap();
            assert_eq!(id.to_string(), SUBJECT.to_lowercase());
        }
    }

    #[test]
    fn other_roles_are_rejected() {
        let others = [json!("Manager"), json!("co-manager"), json!(true), json!([["manager"]]), json!(["a manager"])];
        for claim in others {
            let result = manager(&json!({"iss": ISSUER, "sub": SUBJECT, "cognito:groups": claim}));
            assert!(matches!(result, Err(Error::PermissionDenied)), "{claim}");
        }
        let elsewhere = json!({"iss": ISSUER, "sub": SUBJECT, "roles": "manager", "cognito": {"groups": "manager"}});
        assert!(matches!(manager(&elsewhere), Err(Error::PermissionDenied)));
    }

    #[test]
    fn id_is_derived_from_any_other_subject() {
        let subject = "110169484474386276334";
        // python3 -c 'from uuid import *; print(uuid5(uuid5(NAMESPACE_URL, "https://accounts.google.com"), "110169…"))'
        let expected = "76376a5d-000f-5c4d-95cb-f1f3f75a5ed3";
        let of = |issuer: &str| manager(&json!({"iss": issuer, "sub": subject, "cognito:groups": "manager"})).unwrap();
        assert_eq!(of(ISSUER).to_string(), expected);
        assert_ne!(of("https://id.example").to_string(), expected);
    }

    #[test]
    fn invalid_subject_is_not_authenticated() {
        for subject in [json!(null), json!(1), json!(""), json!([SUBJECT])] {
            let result = manager(&json!({"iss": ISSUER, "sub": subject, "cognito:groups": "manager"}));
            assert!(matches!(result, Err(Error::NotAuthenticated)), "{subject}");
        }
    }
}
