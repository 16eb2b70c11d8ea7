//! Settings of the local stack.

use std::time::Duration;

use auth::refresh_token::AccessLifetime;
use domain::{clock::Clock, hold_limits::HoldLimits, mail::EmailVerification};
use storage::members::public_keys::Rotation;

use crate::{changes::Receiver, issuer::ManagerAuthentication, server::ClientTimeouts};

/// Options of a deployment.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Manager authentication mode.
    pub managers: ManagerAuthentication,
    /// Argon2id parameters of new hashes, in PHC notation.
    pub argon2_params: &'static str,
    /// Lifetime of members' access tokens.
    pub access_lifetime: AccessLifetime,
    /// Audience of members' access tokens.
    pub audience: String,
    /// Number of the key that signs access tokens.
    pub signing_key_rotation: Rotation,
    /// Limits of holds.
    pub holds: HoldLimits,
    /// Clock that decides which holds have expired.
    pub clock: Clock,
    /// Policy for members whose address is not verified.
    pub email_verification: EmailVerification,
    /// Sender of mails; empty for none.
    pub mail_from: String,
    /// True if SES rejects all mails, as it does when sending is paused.
    pub mail_failure: bool,
    /// Receiver of changes, if there is one.
    pub changes_to: Option<Receiver>,
    /// Maximum mails a second for each notice to buyers, from 1 to 100.
    pub notice_rate: u32,
    /// Address of the service in access tokens, or `None` for the one on which it listens.
    pub base_url: Option<String>,
    /// True if responses are compressed, as `CloudFront` does. Tests see what the functions send.
    pub compression: bool,
    /// Time limits for clients of the service and of the emulators.
    pub timeouts: ClientTimeouts,
    /// Time limit of a call of the emulators, or `None` for those of AWS, which a busy machine may exceed.
    pub call_timeout: Option<Duration>,
}

impl Default for Settings {
    /// Returns settings without manager authentication, and with the hashes of template.yaml's default.
    fn default() -> Self {
        Self {
            managers: ManagerAuthentication::Open,
            argon2_params: "m=19456,t=2,p=1",
            access_lifetime: AccessLifetime::DEFAULT,
            audience: "members".to_owned(),
            signing_key_rotation: Rotation(1),
            holds: HoldLimits::default(),
            clock: Clock::default(),
            email_verification: EmailVerification::Optional,
            mail_from: "예매 <tickets@localhost>".to_owned(),
            mail_failure: false,
            changes_to: None,
            notice_rate: 10,
            base_url: None,
            compression: false,
            timeouts: ClientTimeouts::default(),
            call_timeout: None,
        }
    }
}
