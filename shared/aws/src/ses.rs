//! Amazon SES: the sender of mails.

use std::str::FromStr;

use aws_sdk_sesv2::{
    Client,
    config::{Config, retry::RetryConfig},
    error::{BuildError, ProvideErrorMetadata as _, SdkError},
    operation::send_email::{SendEmailError, builders::SendEmailFluentBuilder},
    types::{Body, Content, Destination, EmailContent, Message},
};
use base64_simd::STANDARD;
use hyper_util::client::legacy;

use crate::BoxError;

/// Sender of a deployment: `address` or `Name <address>` of a verified identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender(String);

impl FromStr for Sender {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        const EXPECTED: &str = "an address, or `Name <address>`";
        let address = match text.split_once('<') {
            None => text,
            Some((_, rest)) => rest.strip_suffix('>').ok_or(EXPECTED)?,
        };
        let is_address = address.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty());
        let is_safe = !text.chars().any(char::is_control) && !address.contains([' ', '<', '>', ',']);
        if is_address && is_safe && address.is_ascii() { Ok(Self(text.to_owned())) } else { Err(EXPECTED) }
    }
}

impl Sender {
    /// Returns the sender as SES takes it: a name in other characters than ASCII becomes encoded words (RFC 2047).
    fn header(&self) -> String {
        match self.0.split_once('<') {
            Some((name, address)) if !name.is_ascii() => format!("{} <{address}", encoded_words(name.trim())),
            _ => self.0.clone(),
        }
    }
}

/// Writes a text as encoded words, each of at most 75 characters with whole characters of the text.
fn encoded_words(text: &str) -> String {
    /// Bytes of which the base64 and the rest of a word have at most 75 characters.
    const MAX_BYTES: usize = 45;
    let mut words = vec![String::new()];
    for c in text.chars() {
        match words.last_mut() {
            Some(word) if word.len() + c.len_utf8() <= MAX_BYTES => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words.iter().map(|word| format!("=?UTF-8?B?{}?=", STANDARD.encode_to_string(word))).collect::<Vec<_>>().join(" ")
}

/// Reason why a mail is not known to be sent.
#[derive(Debug)]
pub enum SendError {
    /// It was certainly not sent, and can be tried again later.
    NotSent(BoxError),
    /// It was rejected, or its outcome is unknown.
    Failed(BoxError),
}

/// Client of SES with the sender and the configuration set of a deployment.
#[derive(Clone, Debug)]
pub struct Ses {
    client: Client,
    sender: Sender,
    configuration_set: Option<String>,
}

impl Ses {
    /// Builds the client.
    #[must_use]
    pub fn new(client: Client, sender: Sender, configuration_set: Option<String>) -> Self {
        Self { client, sender, configuration_set }
    }

    /// Sends a mail in UTF-8 to one address.
    ///
    /// # Errors
    ///
    /// Returns an error if SES rejects the mail or does not respond. It never contains the mail or the address.
    pub async fn send(&self, to: &str, subject: &str, text: &str, html: &str) -> Result<(), BoxError> {
        let sending = self.request(to, subject, text, html)?;
        sending.send().await.map(drop).map_err(|error| reason(&error).into())
    }

    /// Sends a mail in UTF-8 to one address, with a single attempt, so that it never arrives twice.
    ///
    /// # Errors
    ///
    /// Returns `NotSent` if SES throttles or cannot be reached, so that the mail can be tried again. Returns `Failed`
    /// if SES rejects the mail, or if the outcome is unknown. It never contains the mail or the address.
    pub async fn send_once(&self, to: &str, subject: &str, text: &str, html: &str) -> Result<(), SendError> {
        let sending = self.request(to, subject, text, html).map_err(|error| SendError::Failed(error.into()))?;
        let once = Config::builder().retry_config(RetryConfig::disabled());
        match sending.customize().config_override(once).send().await {
            Ok(_) => Ok(()),
            Err(error) if is_not_sent(&error) => Err(SendError::NotSent(reason(&error).into())),
            Err(error) => Err(SendError::Failed(reason(&error).into())),
        }
    }

    fn request(&self, to: &str, subject: &str, text: &str, html: &str) -> Result<SendEmailFluentBuilder, BuildError> {
        let body = Body::builder().text(utf8(text)?).html(utf8(html)?).build();
        let message = Message::builder().subject(utf8(subject)?).body(body).build();
        let sending = self
            .client
            .send_email()
            .from_email_address(self.sender.header())
            .destination(Destination::builder().to_addresses(to).build())
            .content(EmailContent::builder().simple(message).build());
        Ok(sending.set_configuration_set_name(self.configuration_set.clone()))
    }
}

/// Returns true if SES certainly did not take a mail, but may take it later.
///
/// Beyond a rate or a daily quota it drops the mail
/// (<https://docs.aws.amazon.com/ses/latest/dg/manage-sending-quotas-errors.html>).
fn is_not_sent(error: &SdkError<SendEmailError>) -> bool {
    const THROTTLING: [&str; 4] =
        ["TooManyRequestsException", "LimitExceededException", "ThrottlingException", "Throttling"];
    match error {
        SdkError::ServiceError(service) => service.err().code().is_some_and(|code| THROTTLING.contains(&code)),
        SdkError::DispatchFailure(failure) => {
            let cause = failure.as_connector_error().and_then(std::error::Error::source);
            cause.and_then(|cause| cause.downcast_ref::<legacy::Error>()).is_some_and(legacy::Error::is_connect)
        }
        _ => false,
    }
}

fn utf8(data: &str) -> Result<Content, BuildError> {
    Content::builder().data(data).charset("UTF-8").build()
}

/// Describes an error. The text of SES may repeat the address, so only its code is kept.
fn reason(error: &SdkError<SendEmailError>) -> String {
    match error {
        SdkError::ServiceError(service) => {
            format!("SES rejected a mail: {}", service.err().code().unwrap_or("unknown code"))
        }
        SdkError::TimeoutError(_) => "SES did not respond in time".to_owned(),
        _ => "SES could not be reached".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sender_is_an_address_with_or_without_name() {
        for text in ["tickets@example.com", "Tickets <tickets@example.com>"] {
            assert_eq!(text.parse::<Sender>().unwrap().header(), text);
        }
        for text in ["", "tickets", "@a", "a@", "Tickets <a@b.kr", "a@b.kr,c@d.kr", "A <a b@c>", "A\n<a@b>", "a@한국"]
        {
            assert!(text.parse::<Sender>().is_err(), "{text:?}");
        }
    }

    #[test]
    fn korean_name_is_encoded() {
        let header = |text: &str| text.parse::<Sender>().unwrap().header();
        // python3 -c 'from email.header import Header; print(Header("공연 예매", "utf-8").encode())'
        assert_eq!(header("공연 예매 <a@b.kr>"), "=?UTF-8?B?6rO17JewIOyYiOunpA==?= <a@b.kr>");
        let long = header(&format!("{} <a@b.kr>", "가".repeat(40)));
        let (words, address) = long.rsplit_once(' ').unwrap();
        assert!(words.split(' ').count() == 3 && words.split(' ').all(|word| word.len() <= 75), "{words}");
        assert_eq!(address, "<a@b.kr>");
    }
}
