//! Members on the wire.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    error::Error,
    fields::{Errors, Field},
};
use domain::{
    email::Email,
    member::{Credentials, Member, Name, Nickname, Registration},
    password::{Password, common::CommonPasswords},
};

/// Body of a request to register a member.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct JoinRequest<'a> {
    #[serde(borrow)]
    email: Field<'a>,
    name: Field<'a>,
    nickname: Field<'a>,
    password: Field<'a>,
}

/// Body of a request to log in.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct LoginRequest<'a> {
    #[serde(borrow)]
    email: Field<'a>,
    password: Field<'a>,
}

impl JoinRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn registration(self, common_passwords: CommonPasswords) -> Result<Registration, Error> {
        let mut errors = Errors::default();
        let email = errors.text("email", self.email, Email::parse);
        let name = errors.text("name", self.name, Name::parse);
        let nickname = errors.text("nickname", self.nickname, Nickname::parse);
        let password = errors.text("password", self.password, common_passwords.parser());
        match (email, name, nickname, password) {
            (Some(email), Some(name), Some(nickname), Some(password)) => {
                Ok(Registration { email, name, nickname, password })
            }
            _ => Err(errors.into_error()),
        }
    }
}

impl TryFrom<JoinRequest<'_>> for Registration {
    type Error = Error;

    fn try_from(request: JoinRequest) -> Result<Self, Error> {
        request.registration(CommonPasswords::Allowed)
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

/// Member, as a registration returns it.
#[derive(Debug, Serialize)]
pub struct Joined<'a> {
    id: Uuid,
    name: &'a str,
    nickname: &'a str,
    email: &'a str,
}

impl<'a> From<&'a Member> for Joined<'a> {
    fn from(member: &'a Member) -> Self {
        Self {
            id: member.id,
            name: member.name.as_str(),
            nickname: member.nickname.as_str(),
            email: member.email.as_str(),
        }
    }
}

/// Member, as a login returns it.
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
