//! What is said on the command line, both ways.

use std::{io::IsTerminal as _, net::IpAddr, path::PathBuf, process::ExitCode};

use clap::Parser;
use storage::restoration::Restoration;
#[cfg(unix)]
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::{filter::Targets, layer::SubscriberExt as _, util::SubscriberInitExt as _};
use uuid::Uuid;

use crate::{Addresses, Stack, issuer::ManagerAuthentication, sample::MANAGER};

/// Runs the whole service on this machine, until Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "local")]
pub struct Cli {
    /// The address of the service and of the emulators.
    #[arg(long, default_value = "127.0.0.1", value_name = "ADDRESS")]
    pub host: IpAddr,
    /// The port of the service.
    #[arg(long, default_value_t = 3000)]
    pub port: u16,
    /// The port of DynamoDB; 0 takes any free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub dynamodb_port: u16,
    /// The endpoint of a DynamoDB that runs already and is to have the records, such as
    /// <http://localhost:8000>; without it, one is started.
    #[arg(long, value_name = "URL", conflicts_with = "dynamodb_port")]
    pub dynamodb_endpoint: Option<String>,
    /// The port of S3; 0 takes any free one.
    #[arg(long, default_value_t = 0, value_name = "PORT")]
    pub s3_port: u16,
    /// The folder that keeps what is stored.
    #[arg(long, default_value = ".local", value_name = "DIR")]
    pub data: PathBuf,
    /// Registers three events with seats and posters, unless they are there already.
    #[arg(long)]
    pub sample: bool,
    /// Restores an event that was deleted at most 30 days ago.
    #[arg(long, value_name = "EVENT_ID")]
    pub restore: Option<Uuid>,
    /// Verifies managers by tokens, which an issuer for development signs, and prints one.
    #[arg(long)]
    pub issuer: bool,
}

impl Cli {
    /// Reads the arguments of the process.
    ///
    /// # Errors
    ///
    /// The code to exit with, after the help or one line on what is wrong.
    pub fn read() -> Result<Self, ExitCode> {
        Self::try_parse().map_err(|error| {
            if error.use_stderr() {
                eprintln!("{}", error.to_string().lines().next().unwrap_or_default());
                ExitCode::FAILURE
            } else {
                print!("{error}");
                ExitCode::SUCCESS
            }
        })
    }

    /// Where to listen.
    #[must_use]
    pub fn addresses(&self) -> Addresses {
        Addresses { host: self.host, gateway: self.port, dynamodb: self.dynamodb_port, s3: self.s3_port }
    }

    /// Who says who the managers are.
    #[must_use]
    pub fn managers(&self) -> ManagerAuthentication {
        if self.issuer { ManagerAuthentication::LocalIssuer } else { ManagerAuthentication::Open }
    }

    /// Logs requests, and warnings of everything else.
    pub fn init_logging(&self) {
        let shown =
            Targets::new().with_default(tracing::Level::WARN).with_target("local", tracing::Level::INFO);
        tracing_subscriber::registry()
            .with(
                tracing_subscriber::fmt::layer()
                    .with_writer(std::io::stderr)
                    .with_ansi(std::io::stderr().is_terminal())
                    .with_target(false),
            )
            .with(shown)
            .init();
    }

    /// Tells where the service is and what to try; with a token, as the manager whose it is.
    pub fn print_welcome(&self, stack: &Stack, token: Option<&str>) {
        let url = stack.url();
        println!(
            r#"The service runs at {url} and keeps its data in {data}. Ctrl-C stops it.

  {url}/      what is registered
  {url}/docs  the interface, to read and to try

Try:
  curl -i {url}/api/v1/members/join -H 'Content-Type: application/json' -d '{{"email":"kim@example.com","name":"김철수","nickname":"철수","password":"secret"}}'
  curl -i {url}/api/v1/members/login -H 'Content-Type: application/json' -d '{{"email":"kim@example.com","password":"secret"}}'
  curl -i {url}/api/v1/events
"#,
            data = self.data.display(),
        );
        if let Some(token) = token {
            println!(
                r#"Managers are verified. For a day, this is the token of the manager {MANAGER}:
  TOKEN={token}
  curl -i {url}/api/v1/events -H "Authorization: Bearer $TOKEN" -F 'thumbnail=@tests/corpus/images/accepted/realistic.jpg' -F 'request={{"title":"t","description":"d","place":"p","artist":"a","eventOpenTime":1,"ticketingOpenTime":1,"eventDatetimes":[1],"totalMap":"/map.svg","areas":[{{"label":"l","price":1,"areaMap":"/map.svg","seats":[]}}]}};type=application/json'
"#
            );
        }
    }

    /// Tells what became of the event that was to be restored.
    pub fn print_restoration(event: Uuid, restoration: Restoration) {
        let outcome = match restoration {
            Restoration::Restored => "is restored",
            Restoration::NotDeleted => "is not restored: it is not deleted",
            Restoration::Gone => "is not restored: there is none, or it was deleted over 30 days ago",
            Restoration::Claimed => {
                "is not restored: another event has its title and place at one of its dates"
            }
            Restoration::PartlyExpired => "is not restored: some of it has expired",
        };
        println!("The event {event} {outcome}.\n");
    }
}

/// Listens, from now on, for Ctrl-C and for what else asks a process to stop.
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
        // Where no signal can be waited for, the process is simply ended.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
