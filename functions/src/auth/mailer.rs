//! Mails with links to members: counted, signed, written and sent.

use std::{str::FromStr, time::Duration};

use api::mail::Mail;
use auth::mail_token::{MailKey, MailToken};
use aws::ses::Ses;
use domain::{
    client_address::ClientAddress,
    clock::Clock,
    email::Email,
    error::{Cause, Error},
    instant::Instant,
    mail::MailKind,
};
use storage::members::{mail_counts::MailCounts, member_store::StoredMember};

use crate::environment::{Environment, MAIL_FROM};

/// Address of a page to which a mail leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkPage(pub(crate) String);

impl FromStr for LinkPage {
    type Err = &'static str;

    /// Takes the address of a page without a fragment. The parameters of a deployment require https; the local stack
    /// has http.
    fn from_str(text: &str) -> Result<Self, &'static str> {
        let is_page =
            ["https://", "http://"].iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
        let is_safe = text.bytes().all(|byte| byte.is_ascii_graphic() && !b"#\"'<>`\\".contains(&byte));
        if is_page && is_safe { Ok(Self(text.to_owned())) } else { Err("the address of a page, without a fragment") }
    }
}

/// Sender of one kind of mails.
#[derive(Debug)]
pub struct Mailer {
    kind: MailKind,
    counts: MailCounts,
    key: MailKey,
    clock: Clock,
    /// `None` where the deployment sends no mail.
    sender: Option<(Ses, LinkPage)>,
}

impl Mailer {
    /// Builds the sender of a kind of mails.
    ///
    /// # Errors
    ///
    /// Returns an error if a setting is missing or invalid.
    pub async fn new(kind: MailKind, environment: &impl Environment) -> Result<Self, Cause> {
        let page = match kind {
            MailKind::PasswordReset => "PASSWORD_RESET_URL",
            MailKind::EmailVerification => "EMAIL_VERIFICATION_URL",
        };
        let configuration_set = environment.variable("MAIL_CONFIGURATION_SET");
        let sends_mail = environment.sends_mail();
        let sender = if sends_mail {
            let (from, page) = (environment.parse(MAIL_FROM)?, environment.parse(page)?);
            Some((Ses::new(environment.ses().await, from, configuration_set), page))
        } else {
            None
        };
        let (counts, key) = (MailCounts::new(environment.table().await?), key(environment)?);
        Ok(Self { kind, counts, key, clock: environment.clock(), sender })
    }

    /// Counts a mail that a client asks for, or causes by a registration.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`MailCounts::count`].
    pub async fn count(&self, email: &Email, client: &ClientAddress) -> Result<(), Error> {
        self.counts.count(email, self.kind, client).await
    }

    /// Sends a member the mail, which must have been counted; none if no mail server takes the address.
    ///
    /// # Errors
    ///
    /// Returns `NoMail` if the deployment sends no mail, and `Mail` if SES rejects it or does not respond.
    pub async fn send(&self, stored: &StoredMember) -> Result<(), Error> {
        let (ses, LinkPage(page)) = self.sender.as_ref().ok_or(Error::NoMail)?;
        let Some(to) = stored.member.email.deliverable() else { return Ok(()) };
        let end = Duration::from_secs((self.clock.now() + self.kind.lifetime()).as_secs());
        let (kind, member, epoch) = (self.kind, stored.member.id, stored.epoch);
        let token = self.key.sign(&MailToken { kind, member, epoch, end: end.as_secs() });
        let end = Instant::from_epoch(end).ok_or_else(|| Error::unexpected("the clock is wrong"))?;
        // A fragment reaches no server, no log and no `Referer`.
        let mail = Mail::write(kind, &format!("{page}#token={token}"), end);
        ses.send(&to, &mail.subject, &mail.text, &mail.html).await.map_err(Error::Mail)
    }
}

/// Derives the key of the tokens of mails.
///
/// # Errors
///
/// Returns an error if the secret is missing or invalid.
pub fn key(environment: &impl Environment) -> Result<MailKey, Cause> {
    Ok(MailKey::derive(&environment.parse("SESSION_SECRET")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_is_an_address_without_fragment() {
        for text in ["https://a.example/reset", "http://localhost:3000/reset-password", "https://a.example/?a=b&c=d"] {
            assert!(text.parse::<LinkPage>().is_ok(), "{text}");
        }
        for text in
            ["", "https://", "/reset", "javascript:a", "https://a#b", "https://a\"b", "https://a b", "https://a<"]
        {
            assert!(text.parse::<LinkPage>().is_err(), "{text}");
        }
    }
}
