//! Registration, login, edit and withdrawal of a member on the wire.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use api::{
    error::Error,
    fields::{Errors, Field, Optional, Parse},
};
use domain::{
    email::Email,
    member::{Credentials, Member, MemberEdit, Name, Nickname, Registration},
    password::{NewPassword, Password},
};
use storage::members::member_store::StoredMember;

/// Body of a request to register a member.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct JoinRequest<'a> {
    #[serde(borrow)]
    email: Field<'a, Email>,
    name: Field<'a, Name>,
    nickname: Field<'a, Nickname>,
    password: Field<'a, NewPassword>,
}

/// Body of a request to log in.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LoginRequest<'a> {
    #[serde(borrow)]
    email: Field<'a, Email>,
    password: Field<'a, Password>,
}

/// Body of a request to change a member; a missing field keeps its value, unlike one that is null.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct EditMemberRequest<'a> {
    #[serde(borrow)]
    password: Field<'a, Password>,
    name: Field<'a, Optional<Name>>,
    nickname: Field<'a, Optional<Nickname>>,
    new_password: Field<'a, Optional<NewPassword>>,
}

/// Body of a request to withdraw.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct WithdrawRequest<'a> {
    #[serde(borrow)]
    password: Field<'a, Password>,
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

impl EditMemberRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn edit(self, parse_new_password: Parse<Password>) -> Result<MemberEdit, Error> {
        let mut errors = Errors::default();
        let password = errors.text("password", self.password, Password::parse_at_login);
        let name = self.name.present().and_then(|name| errors.text("name", name, Name::parse));
        let nickname = self.nickname.present().and_then(|nickname| errors.text("nickname", nickname, Nickname::parse));
        let new_password =
            self.new_password.present().and_then(|password| errors.text("newPassword", password, parse_new_password));
        match password {
            Some(password) if errors.is_empty() => Ok(MemberEdit { password, name, nickname, new_password }),
            _ => Err(errors.into_error()),
        }
    }
}

impl WithdrawRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn password(self) -> Result<Password, Error> {
        let mut errors = Errors::default();
        let password = errors.text("password", self.password, Password::parse_at_login);
        password.ok_or_else(|| errors.into_error())
    }
}

impl LoginRequest<'_> {
    /// Validates the fields.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn credentials(self) -> Result<Credentials, Error> {
        let mut errors = Errors::default();
        let email = errors.text("email", self.email, Email::parse_at_login);
        let password = errors.text("password", self.password, Password::parse_at_login);
        match (email, password) {
            (Some(email), Some(password)) => Ok(Credentials { email, password }),
            _ => Err(errors.into_error()),
        }
    }
}

/// Member, as a response contains it.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Member")]
pub struct MemberResponse<'a> {
    id: Uuid,
    email: &'a Email,
    name: &'a Name,
    nickname: &'a Nickname,
}

/// Member, as only the member sees it.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Profile")]
pub struct ProfileResponse<'a> {
    id: Uuid,
    email: &'a Email,
    /// True if the member followed a link in a mail to this address.
    email_verified: bool,
    name: &'a Name,
    nickname: &'a Nickname,
}

impl<'a> From<&'a StoredMember> for ProfileResponse<'a> {
    fn from(StoredMember { member, email_verified, .. }: &'a StoredMember) -> Self {
        let MemberResponse { id, email, name, nickname } = member.into();
        Self { id, email, email_verified: *email_verified, name, nickname }
    }
}

impl<'a> From<&'a Member> for MemberResponse<'a> {
    fn from(member: &'a Member) -> Self {
        Self { id: member.id, email: &member.email, name: &member.name, nickname: &member.nickname }
    }
}
