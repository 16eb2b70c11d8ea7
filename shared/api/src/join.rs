//! Registration of a member on the wire.

use serde::Deserialize;

use crate::{
    error::Error,
    fields::{Errors, Field, Parse},
};
use domain::{
    email::Email,
    member::{Name, Nickname, Registration},
    password::Password,
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

impl JoinRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn registration(self, parse_new_password: Parse<Password>) -> Result<Registration, Error> {
        let mut errors = Errors::default();
        let email = errors.text("email", self.email, Email::parse);
        let name = errors.text("name", self.name, Name::parse);
        let nickname = errors.text("nickname", self.nickname, Nickname::parse);
        let password = errors.text("password", self.password, parse_new_password);
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
        request.registration(Password::parse)
    }
}
