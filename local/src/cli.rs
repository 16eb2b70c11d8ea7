//! Command line: arguments and output.

use std::{io::IsTerminal as _, net::IpAddr, path::PathBuf, process::ExitCode};

use auth::refresh_token::AccessLifetime;
use clap::Parser;
use domain::{
    hold_limits::{HoldLifetime, HoldLimits, SeatLimit},
    mail::EmailVerification,
};
use http::{HeaderValue, Uri};
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::{filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _};

use crate::{Addresses, Receiver, Settings, Stack, issuer::ManagerAuthentication, sample::MANAGER};

/// Runs the complete service on this machine until Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "local")]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag by itself")]
pub struct Cli {
    /// IP address on which the service and the emulators listen.
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: IpAddr,
    /// Port of the service.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// Port of DynamoDB; 0 selects a free port.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub dynamodb_port: u16,
    /// Endpoint of a running DynamoDB to use, such as <http://localhost:8000>; by default, one is started.
    #[arg(long, value_name = "URL", conflicts_with = "dynamodb_port")]
    pub dynamodb_endpoint: Option<String>,
    /// Port of S3; 0 selects a free port.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub s3_port: u16,
    /// Port of SES; 0 selects a free port.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub ses_port: u16,
    /// Folder for all stored data.
    #[arg(long, default_value = ".local", value_name = "DIR")]
    pub data: PathBuf,
    /// Registers sample events with seats and posters, unless they are already registered.
    #[arg(long)]
    pub sample: bool,
    /// Verifies managers by a development issuer, and prints tokens of a manager and of an order service.
    #[arg(long)]
    pub issuer: bool,
    /// Seconds for which members' access tokens are valid.
    #[arg(long, default_value_t = 3_600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub access_token_seconds: u64,
    /// Audience of members' access tokens.
    #[arg(long, default_value = "members")]
    pub audience: String,
    /// Seconds for which seats are held.
    #[arg(long, default_value_t = 600, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..=3_600))]
    pub hold_seconds: u64,
    /// Maximum number of seats of a show that a member has.
    #[arg(long, default_value = "4", value_name = "SEATS", value_parser = clap::value_parser!(u64).range(1..=10))]
    pub max_seats: u64,
    /// Verification of members' e-mail addresses: `optional`, or `required` to hold seats.
    #[arg(long, default_value = "optional", value_name = "POLICY", value_parser = parse_email_verification)]
    pub email_verification: EmailVerification,
    /// Rejects all mails, as SES does when sending is paused.
    #[arg(long)]
    pub mail_failure: bool,
    /// Address to which each change is posted as a `CloudEvent`; by default, nobody is told.
    #[arg(long, value_name = "URL", value_parser = Receiver::parse_url, conflicts_with = "dynamodb_endpoint")]
    pub changes_to: Option<Uri>,
    /// Value of the header `x-api-key` of these requests.
    #[arg(long, value_name = "KEY", value_parser = Receiver::parse_key, requires = "changes_to")]
    pub changes_key: Option<HeaderValue>,
    /// Sends no mail, as a deployment without `MailFrom`.
    #[arg(long, conflicts_with_all = ["mail_failure", "email_verification"])]
    pub no_mail: bool,
    /// Maximum mails a second for each notice to buyers of a show.
    #[arg(long, default_value_t = 10, value_name = "MAILS", value_parser = clap::value_parser!(u32).range(1..=100))]
    pub notice_rate: u32,
    /// Address of the service in members' access tokens; by default, the one on which it listens.
    #[arg(long, value_name = "URL", value_parser = parse_base_url)]
    pub base_url: Option<String>,
}

impl Cli {
    /// Reads the arguments of the process.
    ///
    /// # Errors
    ///
    /// Returns the exit code after printing the help, or one line with the error.
    pub fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            if error.use_stderr() {
                // Missing arguments are in lines of their own.
                let message = error.to_string();
                let lines = message.lines().take_while(|line| !line.is_empty()).map(str::trim);
                eprintln!("{}", lines.collect::<Vec<_>>().join(" "));
                ExitCode::FAILURE
            } else {
                print!("{error}");
                ExitCode::SUCCESS
            }
        })
    }

    /// Returns the addresses to listen on.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        Addresses {
            host: self.host,
            gateway: self.port,
            dynamodb: self.dynamodb_port,
            s3: self.s3_port,
            ses: self.ses_port,
        }
    }

    /// Returns the settings of the service.
    #[must_use]
    pub fn settings(&self) -> Settings {
        let managers = if self.issuer { ManagerAuthentication::LocalIssuer } else { ManagerAuthentication::Open };
        let access_lifetime =
            AccessLifetime::from_seconds(self.access_token_seconds).unwrap_or(AccessLifetime::DEFAULT);
        let (audience, base_url) = (self.audience.clone(), self.base_url.clone());
        let default = HoldLimits::default();
        let holds = HoldLimits {
            lifetime: HoldLifetime::from_seconds(self.hold_seconds).unwrap_or(default.lifetime),
            max_seats: usize::try_from(self.max_seats)
                .ok()
                .and_then(|seats| SeatLimit::new(seats).ok())
                .unwrap_or(default.max_seats),
        };
        let (email_verification, mail_failure) = (self.email_verification, self.mail_failure);
        let changes_to = self.changes_to.clone().map(|url| Receiver { url, key: self.changes_key.clone() });
        Settings {
            managers,
            access_lifetime,
            audience,
            holds,
            email_verification,
            mail_from: if self.no_mail { String::new() } else { Settings::default().mail_from },
            mail_failure,
            changes_to,
            notice_rate: self.notice_rate,
            base_url,
            compression: true,
            ..Settings::default()
        }
    }

    /// Starts logging: requests, and the warnings of all other parts.
    pub fn init_logging(&self) {
        let levels = Targets::new().with_default(tracing::Level::WARN).with_target("local", tracing::Level::INFO);
        tracing_subscriber::registry()
            .with(
                tracing_subscriber::fmt::layer()
                    .with_writer(std::io::stderr)
                    .with_ansi(std::io::stderr().is_terminal())
                    .with_target(false),
            )
            .with(levels)
            .init();
    }

    /// Prints the URL of the service and example commands, also for the manager and the order service of the tokens.
    pub fn print_welcome(&self, stack: &Stack, tokens: Option<&[String; 2]>) {
        let url = stack.url();
        println!(
            r#"The service runs at {url} and keeps its data in {data}. Ctrl-C stops it.

  {url}/      ticketing site
  {url}/docs  interactive API reference
  {url}/mail  mails that the service sent
  {url}/changes  changes that other systems are told
  {dynamodb}  DynamoDB
  {s3}  S3
  {ses}  SES

Try:
  curl -i {url}/api/v1/members/join -H 'Content-Type: application/json' -d '{{"email":"kim@example.com","name":"김철수","nickname":"철수","password":"secret"}}'
  curl -i {url}/api/v1/members/login -H 'Content-Type: application/json' -d '{{"email":"kim@example.com","password":"secret"}}'
  curl -i {url}/api/v1/events
"#,
            data = self.data.display(),
            dynamodb = stack.dynamodb_url(),
            s3 = stack.s3_url(),
            ses = stack.ses_url(),
        );
        if self.sample {
            println!("The sample events belong to manager {MANAGER}.\n");
        }
        if let Some([token, order_token]) = tokens {
            println!(
                r#"Managers are verified. This token of manager {MANAGER} is valid for one day:
  TOKEN={token}
  curl -i {url}/api/v1/events -H "Authorization: Bearer $TOKEN" -F 'thumbnail=@tests/corpus/images/accepted/realistic.jpg' -F 'request={{"title":"t","description":"d","place":"p","artist":"a","eventOpenTime":1,"ticketingOpenTime":1,"eventDatetimes":[1],"totalMap":"/map.svg","areas":[{{"label":"l","price":1,"areaMap":"/map.svg","seats":[]}}]}};type=application/json'

This token of an order service is valid for one day, to confirm holds and to cancel orders:
  ORDER_TOKEN={order_token}
"#
            );
        }
    }
}

/// Starts to listen for Ctrl-C and the signal `SIGTERM`, and waits for one of them.
pub fn stop_signal() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let mut signals = [SignalKind::interrupt(), SignalKind::terminate()].map(|kind| signal(kind).ok());
    async move {
        #[cfg(unix)]
        if let [Some(interrupt), Some(terminate)] = &mut signals {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            return;
        }
        // If the system offers no signals, only ending the process stops the service.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Returns an address of the service without slashes at its end.
fn parse_base_url(text: &str) -> Result<String, &'static str> {
    let url = text.trim_end_matches('/');
    let uri = url.parse::<Uri>().ok().filter(|uri| matches!(uri.scheme_str(), Some("http" | "https")));
    let is_whole = uri.is_some_and(|uri| uri.query().is_none() && !url.contains(['#', '@']));
    if is_whole { Ok(url.to_owned()) } else { Err("expected an address such as https://tickets.example") }
}

fn parse_email_verification(text: &str) -> Result<EmailVerification, &'static str> {
    text.parse()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_url_is_an_address() {
        for (text, url) in
            [("https://tickets.example/", "https://tickets.example"), ("http://a:3000/b", "http://a:3000/b")]
        {
            assert_eq!(parse_base_url(text).as_deref(), Ok(url));
        }
        for text in ["", "tickets.example", "/api", "ftp://a", "https://", "https://a?b", "https://a#b", "https://a@b"]
        {
            assert!(parse_base_url(text).is_err(), "{text}");
        }
    }
}
