//! Managers: their authentication and their role.

use std::str::FromStr;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{error::Error, id};

/// Authentication mode of managers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// Managers authenticate with a token, and edit, delete and restore only their own events.
    Required,
    /// No authentication: anyone may name any manager, and edit, delete and restore any event.
    Open,
}

/// The claims (RFC 7519) of a verified token, by name.
pub type Claims = Map<String, Value>;

/// A role that tokens of managers or of order services have.
#[derive(Clone, Debug)]
pub struct Role {
    claim: String,
    name: String,
}

impl FromStr for Authentication {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        match text {
            "required" => Ok(Self::Required),
            "open" => Ok(Self::Open),
            _ => Err("`required` or `open`"),
        }
    }
}

impl Role {
    /// Defines the role by the claim that contains it and by its name.
    ///
    /// The claim's name is not a path: `cognito:groups` and `https://tickets.example/roles` are names.
    #[must_use]
    pub fn new(claim: String, name: String) -> Self {
        Self { claim, name }
    }

    /// Returns the manager's id: the subject of the claims.
    ///
    /// # Errors
    ///
    /// Returns `NotAuthenticated` if the subject is missing or not an id, `PermissionDenied` if it does not
    /// have the role.
    pub fn manager(&self, claims: &Claims) -> Result<Uuid, Error> {
        let subject = claims.get("sub").and_then(Value::as_str);
        let manager = subject.and_then(id::parse).ok_or(Error::NotAuthenticated)?;
        if self.is_held(claims) { Ok(manager) } else { Err(Error::PermissionDenied) }
    }

    /// Returns whether the claims contain the role.
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const SUBJECT: &str = "6F1DD7B4-6A24-4C53-9F5E-0D1C8A3B2E11";

    fn manager(claims: &Value) -> Result<Uuid, Error> {
        Role::new("cognito:groups".to_owned(), "manager".to_owned()).manager(claims.as_object().unwrap())
    }

    #[test]
    fn other_modes_are_rejected() {
        assert_eq!("required".parse(), Ok(Authentication::Required));
        assert_eq!("open".parse(), Ok(Authentication::Open));
        assert_eq!("Open".parse::<Authentication>(), Err("`required` or `open`"));
    }

    #[test]
    fn role_claim_is_text_or_array() {
        for claim in [json!("manager"), json!("reader manager"), json!(["reader", "manager"])] {
            let id = manager(&json!({"sub": SUBJECT, "cognito:groups": claim})).unwrap();
            assert_eq!(id.to_string(), SUBJECT.to_lowercase());
        }
    }

    #[test]
    fn other_roles_are_rejected() {
        let others = [json!("Manager"), json!("co-manager"), json!(true), json!([["manager"]]), json!(["a manager"])];
        for claim in others {
            let result = manager(&json!({"sub": SUBJECT, "cognito:groups": claim}));
            assert!(matches!(result, Err(Error::PermissionDenied)), "{claim}");
        }
        let elsewhere = json!({"sub": SUBJECT, "roles": "manager", "cognito": {"groups": "manager"}});
        assert!(matches!(manager(&elsewhere), Err(Error::PermissionDenied)));
    }

    #[test]
    fn invalid_subject_is_not_authenticated() {
        for subject in [json!(null), json!(1), json!("kim"), json!([SUBJECT])] {
            let result = manager(&json!({"sub": subject, "cognito:groups": "manager"}));
            assert!(matches!(result, Err(Error::NotAuthenticated)), "{subject}");
        }
    }
}
