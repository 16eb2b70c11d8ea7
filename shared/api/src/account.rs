//! Login, edit and withdrawal of a member on the wire; all need the member's password.

use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

use crate::{
    error::Error,
    fields::{Errors, Field, Parse},
};
use domain::{
    email::Email,
    member::{Credentials, Member, MemberEdit, Name, Nickname},
    password::Password,
};

/// Body of a request to log in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoginRequest<'a> {
    #[serde(borrow)]
    email: Field<'a>,
    password: Field<'a>,
}

/// Body of a request to change a member. A field that is not sent is `None`, unlike one that is null.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct EditRequest<'a> {
    #[serde(borrow)]
    password: Field<'a>,
    #[serde(deserialize_with = "sent")]
    name: Option<Field<'a>>,
    #[serde(deserialize_with = "sent")]
    nickname: Option<Field<'a>>,
    #[serde(deserialize_with = "sent")]
    new_password: Option<Field<'a>>,
}

/// Body of a request to withdraw.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct WithdrawRequest<'a> {
    #[serde(borrow)]
    password: Field<'a>,
}

/// Reads a field that was sent, also one that is null.
fn sent<'de: 'a, 'a, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Field<'a>>, D::Error> {
    Field::deserialize(deserializer).map(Some)
}

impl EditRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn edit(self, parse_new_password: Parse<Password>) -> Result<MemberEdit, Error> {
        let mut errors = Errors::default();
        let password = errors.text("password", self.password, Password::parse_at_login);
        let name = self.name.and_then(|name| errors.text("name", name, Name::parse));
        let nickname = self.nickname.and_then(|nickname| errors.text("nickname", nickname, Nickname::parse));
        let new_password =
            self.new_password.and_then(|password| errors.text("newPassword", password, parse_new_password));
        match password {
            Some(password) if errors.is_empty() => Ok(MemberEdit { password, name, nickname, new_password }),
            _ => Err(errors.into_error()),
        }
    }
}

impl TryFrom<WithdrawRequest<'_>> for Password {
    type Error = Error;

    fn try_from(request: WithdrawRequest) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let password = errors.text("password", request.password, Self::parse_at_login);
        password.ok_or_else(|| errors.into_error())
    }
}

impl TryFrom<LoginRequest<'_>> for Credentials {
    type Error = Error;

    fn try_from(request: LoginRequest) -> Result<Self, Error> {
        let mut errors = Errors::default();
        let email = errors.text("email", request.email, Email::parse_at_login);
        let password = errors.text("password", request.password, Password::parse_at_login);
        match (email, password) {
            (Some(email), Some(password)) => Ok(Self { email, password }),
            _ => Err(errors.into_error()),
        }
    }
}

/// Member, as a login and an edit return it.
#[derive(Debug, Serialize)]
pub struct LoggedIn<'a> {
    id: Uuid,
    email: &'a str,
    name: &'a str,
    nickname: &'a str,
}

impl<'a> From<&'a Member> for LoggedIn<'a> {
    fn from(member: &'a Member) -> Self {
        Self {
            id: member.id,
            email: member.email.as_str(),
            name: member.name.as_str(),
            nickname: member.nickname.as_str(),
        }
    }
}
