//! Managers: whether they have to prove who they are, and what makes somebody one.

use std::str::FromStr;

use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{error::Error, id};

/// Whether managers have to prove who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Authentication {
    /// By a token; each deletes their own events alone.
    Required,
    /// Whoever registers an event is taken at their word, and anyone deletes any.
    Open,
}

/// What a genuine token says of its bearer: the claims of RFC 7519, by their names.
pub type Claims = Map<String, Value>;

/// The role that makes somebody a manager.
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
    /// The role of this name among those in the claim, whose name is taken as it is: `cognito:groups`
    /// and `https://tickets.example/roles` are names of claims, and none leads into another.
    #[must_use]
    pub fn new(claim: String, name: String) -> Self {
        Self { claim, name }
    }

    /// The manager whom the claims tell of, who is their subject.
    ///
    /// # Errors
    ///
    /// `NotAuthenticated` where the subject is missing or no id, `PermissionDenied` where it does not have
    /// the role.
    pub fn manager(&self, claims: &Claims) -> Result<Uuid, Error> {
        let subject = claims.get("sub").and_then(Value::as_str);
        let manager = subject.and_then(id::parse).ok_or(Error::NotAuthenticated)?;
        if claims.get(&self.claim).is_some_and(|held| self.is_among(held)) {
            Ok(manager)
        } else {
            Err(Error::PermissionDenied)
        }
    }

    /// Whether the role is in a claim: a text of roles between spaces, or an array of roles.
    fn is_among(&self, held: &Value) -> bool {
        match held {
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
        for neither in ["", "Open", "https://id.example"] {
            assert_eq!(neither.parse::<Authentication>(), Err("`required` or `open`"), "{neither}");
        }
    }

    #[test]
    fn role_claim_is_text_or_array() {
        for held in [json!("manager"), json!("reader manager"), json!(["reader", "manager"])] {
            let found = manager(&json!({"sub": SUBJECT, "cognito:groups": held})).unwrap();
            assert_eq!(found.to_string(), SUBJECT.to_lowercase());
        }
    }

    #[test]
    fn other_roles_are_rejected() {
        let other = [
            json!("Manager"),
            json!("managers"),
            json!("co-manager"),
            json!(""),
            json!(null),
            json!(true),
            json!({"manager": true}),
            json!([["manager"]]),
            json!(["reader manager"]),
            json!([]),
        ];
        for held in other {
            let refused = manager(&json!({"sub": SUBJECT, "cognito:groups": held}));
            assert!(matches!(refused, Err(Error::PermissionDenied)), "{held}");
        }
        let elsewhere = json!({"sub": SUBJECT, "roles": "manager", "cognito": {"groups": "manager"}});
        assert!(matches!(manager(&elsewhere), Err(Error::PermissionDenied)));
    }

    #[test]
    fn invalid_subject_is_not_authenticated() {
        for subject in [json!(null), json!(1), json!(""), json!("kim"), json!([SUBJECT])] {
            let refused = manager(&json!({"sub": subject, "cognito:groups": "manager"}));
            assert!(matches!(refused, Err(Error::NotAuthenticated)), "{subject}");
        }
        assert!(matches!(manager(&json!({"cognito:groups": "manager"})), Err(Error::NotAuthenticated)));
    }
}
