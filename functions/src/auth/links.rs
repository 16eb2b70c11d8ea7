//! Requests of mails, and uses of their links, on the wire.

use api::{
    declared,
    error::Error,
    fields::{Errors, Field, Parse},
};
use auth::mail_token::{MAX_CHARS, MailKey, MailToken};
use domain::{
    clock::Clock,
    described,
    email::Email,
    error::Error as DomainError,
    mail::MailKind,
    password::{NewPassword, Password},
};
use schemars::JsonSchema;
use serde::Deserialize;

/// Body of a request of a mail that resets the password.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ForgotRequest<'a> {
    #[serde(borrow)]
    email: Field<'a, Email>,
}

/// Body of a request to set a new password.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, rename_all = "camelCase")]
pub struct ResetRequest<'a> {
    #[serde(borrow)]
    token: Field<'a, LinkToken>,
    new_password: Field<'a, NewPassword>,
}

/// Body of a request to verify the address.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct VerifyRequest<'a> {
    #[serde(borrow)]
    token: Field<'a, LinkToken>,
}

/// Token of a link, of any form.
struct LinkToken;

described!(LinkToken as "MailToken", {
    "description": "Token of a link in a mail: what follows `#token=`.",
    "type": "string",
    "minLength": 1,
    "maxLength": MAX_CHARS,
    "pattern": "[A-Za-z0-9_.-]",
});

declared!(LinkToken => String);

impl ForgotRequest<'_> {
    /// Validates the address.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn email(self) -> Result<Email, Error> {
        let mut errors = Errors::default();
        let email = errors.text("email", self.email, Email::parse_at_login);
        email.ok_or_else(|| errors.into_error())
    }
}

impl ResetRequest<'_> {
    /// Returns the token, of any form, and the new password.
    ///
    /// # Errors
    ///
    /// Returns `Fields` with every violation.
    pub fn fields(self, parse_new_password: Parse<Password>) -> Result<(String, Password), Error> {
        let mut errors = Errors::default();
        let token = errors.text("token", self.token, |text| Ok(text.to_owned()));
        let password = errors.text("newPassword", self.new_password, parse_new_password);
        token.zip(password).ok_or_else(|| errors.into_error())
    }
}

impl VerifyRequest<'_> {
    /// Returns the token, of any form.
    ///
    /// # Errors
    ///
    /// Returns `Fields` if it is missing or not a text.
    pub fn token(self) -> Result<String, Error> {
        let mut errors = Errors::default();
        let token = errors.text("token", self.token, |text| Ok(text.to_owned()));
        token.ok_or_else(|| errors.into_error())
    }
}

/// Reader of the tokens of a kind of mails.
#[derive(Debug)]
pub struct LinkTokens {
    /// Key that authenticates the tokens.
    pub key: MailKey,
    /// Clock that decides which tokens have ended.
    pub clock: Clock,
}

impl LinkTokens {
    /// Reads a token.
    ///
    /// # Errors
    ///
    /// Returns `InvalidMailToken` if it is not a token of this kind that is still valid.
    pub fn read(&self, text: &str, kind: MailKind) -> Result<MailToken, DomainError> {
        let token = Some(text).filter(|text| text.len() <= MAX_CHARS);
        token.and_then(|text| self.key.verify(text, kind, self.clock.now())).ok_or(DomainError::InvalidMailToken)
    }
}
