//! Environment in which operations run: their settings, clients of AWS, and clock.

use std::str::FromStr;

use auth::{session::TokenIssuer, tickets::TicketIssuer};
use aws::config::{self, ConfigError};
use domain::{clock::Clock, error::Cause, password::Hasher};
use storage::{events::poster_store::Posters, table::Table};

/// Variable with the sender of mails; unset where a deployment sends none.
pub const MAIL_FROM: &str = "MAIL_FROM";

/// Variable with the policy for members whose address is not verified.
pub const EMAIL_VERIFICATION: &str = "EMAIL_VERIFICATION";

/// Variable with the page of a member's tickets, to which notices lead.
pub const TICKETS_URL: &str = "TICKETS_URL";

/// Variable with the maximum number of mails a second for each notice.
pub const NOTICE_RATE: &str = "NOTICE_RATE";

/// Environment of a function: that of Lambda, or the local stack.
pub trait Environment: Sync {
    /// Returns the value of a variable; an empty one counts as unset.
    fn variable(&self, name: &'static str) -> Option<String>;

    /// Returns the client of `DynamoDB`.
    fn dynamodb(&self) -> impl Future<Output = aws_sdk_dynamodb::Client> + Send;

    /// Returns a client of S3 for a bucket.
    fn s3(&self, bucket: &str) -> impl Future<Output = aws_sdk_s3::Client> + Send;

    /// Returns the client of SES.
    fn ses(&self) -> impl Future<Output = aws_sdk_sesv2::Client> + Send;

    /// Returns the clock that decides what has expired.
    fn clock(&self) -> Clock;

    /// Returns true if the deployment sends mails.
    fn sends_mail(&self) -> bool {
        self.variable(MAIL_FROM).is_some()
    }

    /// Returns a required text.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is unset.
    fn text(&self, variable: &'static str) -> Result<String, ConfigError> {
        config::required(variable, self.variable(variable))
    }

    /// Returns a required setting, parsed by its type.
    ///
    /// # Errors
    ///
    /// Returns an error if the variable is unset, or rejected by the type.
    fn parse<T: FromStr<Err = &'static str>>(&self, variable: &'static str) -> Result<T, ConfigError> {
        config::parse(variable, self.variable(variable))
    }

    /// Opens the table.
    ///
    /// # Errors
    ///
    /// Returns an error if its name is not set.
    fn table(&self) -> impl Future<Output = Result<Table, ConfigError>> + Send {
        async { Ok(Table::new(self.dynamodb().await, self.text("TABLE_NAME")?)) }
    }

    /// Opens the bucket of the posters.
    ///
    /// # Errors
    ///
    /// Returns an error if its name is not set.
    fn posters(&self) -> impl Future<Output = Result<Posters, ConfigError>> + Send {
        async {
            let bucket = self.text("BUCKET_NAME")?;
            Ok(Posters::new(self.s3(&bucket).await, bucket))
        }
    }

    /// Builds the hasher of passwords.
    ///
    /// # Errors
    ///
    /// Returns an error if its parameters are missing or invalid.
    fn hasher(&self) -> Result<Hasher, ConfigError> {
        self.parse("ARGON2_PARAMS")
    }

    /// Builds the issuer of members' tokens.
    ///
    /// # Errors
    ///
    /// Returns an error if one of its settings is missing or invalid.
    fn token_issuer(&self) -> impl Future<Output = Result<TokenIssuer, Cause>> + Send {
        async {
            let (secret, rotation) = (self.parse("SESSION_SECRET")?, self.parse("SIGNING_KEY_ROTATION")?);
            let (audience, lifetime) = (self.text("MEMBER_AUDIENCE")?, self.parse("ACCESS_TOKEN_SECONDS")?);
            Ok(TokenIssuer::start(self.table().await?, &secret, rotation, audience, lifetime).await)
        }
    }

    /// Builds the issuer of tickets.
    ///
    /// # Errors
    ///
    /// Returns an error if one of its settings is missing or invalid.
    fn ticket_issuer(&self) -> impl Future<Output = Result<TicketIssuer, ConfigError>> + Send {
        async { Ok(TicketIssuer::new(self.table().await?, &self.parse("TICKET_SECRET")?)) }
    }
}
