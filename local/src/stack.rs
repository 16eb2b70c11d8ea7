//! Start and stop of the local stack.

mod second;

use std::{
    net::SocketAddr,
    pin::pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use auth::url::IssuerUrl;
use axum::{Router, extract::Request, response::Response};
use domain::error::Cause;
use functions::posters::cleanup::Cleanup;
use lambda_http::Service as _;
use storage::{events::event_store::Events, table::Table};
use tokio::{
    sync::{Mutex, oneshot},
    task::{JoinHandle, JoinSet},
    time::interval,
};
use tower_http::compression::CompressionLayer;

use crate::{
    Addresses, Data, Settings,
    addresses::{bind, url_of},
    changes::{self, ChangeLog, StoredDatabase},
    emulators::{self, Emulators, TABLE},
    environment::{self, LocalEnvironment},
    expiry::{ExpirySweeper, SWEEP_INTERVAL},
    gateway,
    issuer::{Issuer, ManagerAuthentication},
    mailbox::{Mailbox, StoredMail},
    notices::NoticeSender,
    openapi, pages, practice, server,
    server::ClientTimeouts,
    start_error::StartError,
    upload,
};

/// Time in which running requests may finish after the service is stopped.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The running service.
#[derive(Debug)]
pub struct Stack {
    address: SocketAddr,
    base_url: String,
    dynamodb: String,
    s3: SocketAddr,
    ses: SocketAddr,
    mailbox: Mailbox,
    emulators: Emulators,
    issuer: Option<Arc<Issuer>>,
    issuer_url: Option<IssuerUrl>,
    settings: Settings,
    router: Router,
    server: JoinHandle<()>,
    stop: oneshot::Sender<()>,
    /// Reading and delivery of changes, which end with the stack.
    changes: JoinSet<()>,
    expiry: Mutex<ExpirySweeper>,
    data: Data,
}

impl Stack {
    /// Starts the service with default settings, so without manager authentication.
    ///
    /// # Errors
    ///
    /// Returns an error if a port or the data cannot be used.
    pub async fn start(at: Addresses, data: Data) -> Result<Self, StartError> {
        Self::start_with(at, data, Settings::default()).await
    }

    /// Starts the service with the given settings.
    ///
    /// # Errors
    ///
    /// Returns an error if a port or the data cannot be used, or if a setting is invalid.
    pub async fn start_with(at: Addresses, data: Data, settings: Settings) -> Result<Self, StartError> {
        let (listener, address) = bind(at.host, "--port", at.gateway).await?;
        let (dynamodb, stored) = dynamodb(at, &data, settings.timeouts).await?;
        let (s3_listener, s3) = bind(at.host, "--s3-port", at.s3).await?;

        let (ses_listener, ses) = bind(at.host, "--ses-port", at.ses).await?;
        let mailbox = Mailbox::open(data.mails()).map_err(|error| StartError::Data(data.mails(), error))?;

        let emulators =
            Emulators::start(&dynamodb, (s3_listener, s3), (ses_listener, ses), mailbox.clone(), &data, &settings)
                .await?;
        let (issuer, issuer_url) = issuer(&settings.managers, address, &data)?;
        let base_url = settings.base_url.clone().unwrap_or_else(|| url_of(address));
        let environment = LocalEnvironment::new(emulators.clone(), data.secrets()?, &settings, &base_url);
        let functions = environment::functions(&environment, issuer_url.clone(), &base_url);
        let functions = functions.await.map_err(StartError::Settings)?;
        let site = pages::Service {
            address: base_url.clone(),
            events: Events::new(Table::new(emulators.dynamodb.clone(), TABLE.to_owned()), settings.clock.clone()),
            max_seats: settings.holds.max_seats,
        };
        let notices = NoticeSender::start(&environment, &emulators.dynamodb).await.map_err(StartError::Settings)?;
        let mut other_routes = upload::router(emulators.s3.clone())
            .merge(openapi::router())
            .merge(pages::router(&site))
            .merge(mailbox.router())
            .merge(practice::router(gateway::router(functions.clone(), Router::new()), issuer.clone()));
        if let Some(issuer) = &issuer {
            other_routes = other_routes.merge(issuer.router());
        }
        let mut changes = JoinSet::new();
        if let Some(stored) = stored {
            let log = tell_changes(stored, &settings, &mut changes);
            let log = log.map_err(|error| data.dynamodb_error(emulators::root_cause(&error)))?;
            other_routes = other_routes.merge(changes::router(log));
        }
        let router = notices.layer(pages::with_unknown_page(gateway::router(functions, other_routes), &site));
        let (stop, stopped) = oneshot::channel();
        let stopped = async { drop(stopped.await) };
        let compressed = router.clone().layer(CompressionLayer::new());
        let outer = if settings.compression { compressed } else { router.clone() };
        let server = tokio::spawn(server::serve(listener, outer, settings.timeouts, stopped));
        let expiry = Mutex::default();
        Ok(Self {
            address,
            base_url,
            dynamodb,
            s3,
            ses,
            mailbox,
            emulators,
            issuer,
            issuer_url,
            settings,
            router,
            server,
            stop,
            changes,
            expiry,
            data,
        })
    }

    /// Address of the service in access tokens, `iss`.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Secret from which the keys of members' tokens are derived.
    ///
    /// # Errors
    ///
    /// Returns an error if the data cannot be read.
    pub fn session_secret(&self) -> Result<String, StartError> {
        self.data.session_secret()
    }

    /// Secret from which the key of tickets is derived.
    ///
    /// # Errors
    ///
    /// Returns an error if the data cannot be read.
    pub fn ticket_secret(&self) -> Result<String, StartError> {
        self.data.ticket_secret()
    }

    /// Base URL of the service.
    #[must_use]
    pub fn url(&self) -> String {
        url_of(self.address)
    }

    /// Issuer that started with the service, if any.
    #[must_use]
    pub fn issuer(&self) -> Option<&Issuer> {
        self.issuer.as_deref()
    }

    /// Sends a request to the service without a network connection.
    pub async fn call(&self, request: Request) -> Response {
        let Ok(response) = self.router.clone().call(request).await;
        response
    }

    /// Creates a client of the service's DynamoDB.
    ///
    /// It has its own connections, since connections end with the runtime that opened them.
    #[must_use]
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        let config = self.emulators.dynamodb.config().to_builder().http_client(emulators::http());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// Endpoint of the service's DynamoDB.
    #[must_use]
    pub fn dynamodb_url(&self) -> String {
        self.dynamodb.clone()
    }

    /// Creates a client of the service's S3, with its own connections.
    #[must_use]
    pub fn s3(&self) -> aws_sdk_s3::Client {
        let config = self.emulators.s3.config().to_builder().http_client(emulators::http());
        aws_sdk_s3::Client::from_conf(config.build())
    }

    /// Creates a client of the service's SES, with its own connections.
    #[must_use]
    pub fn ses(&self) -> aws_sdk_sesv2::Client {
        let config = self.emulators.ses.config().to_builder().http_client(emulators::http());
        aws_sdk_sesv2::Client::from_conf(config.build())
    }

    /// Endpoint of the service's SES.
    #[must_use]
    pub fn ses_url(&self) -> String {
        format!("http://{}", self.ses)
    }

    /// Returns the mails that the service sent, newest first.
    #[must_use]
    pub fn mails(&self) -> Vec<StoredMail> {
        self.mailbox.mails()
    }

    /// Endpoint of the service's S3.
    #[must_use]
    pub fn s3_url(&self) -> String {
        format!("http://{}", self.s3)
    }

    /// Returns the environment of the functions, with connections of its own.
    ///
    /// # Errors
    ///
    /// Returns an error if the data cannot be read.
    pub fn environment(&self) -> Result<LocalEnvironment, StartError> {
        let emulators = Emulators { dynamodb: self.dynamodb(), s3: self.s3(), ses: self.ses() };
        Ok(LocalEnvironment::new(emulators, self.data.secrets()?, &self.settings, &self.base_url))
    }

    /// Removes items that are expired at `now`, and returns their number; AWS does it some time later.
    ///
    /// The function `posters-cleanup` removes the expired posters.
    ///
    /// # Errors
    ///
    /// Returns an error if the database fails.
    pub async fn sweep(&self, now: SystemTime) -> Result<usize, Cause> {
        let cleanup = Cleanup::new(&self.environment()?).await?;
        self.expiry.lock().await.sweep(&self.dynamodb(), &cleanup, now).await
    }

    /// Runs until `stop` completes, and then gives running requests five seconds to finish.
    ///
    /// Every minute it removes expired items.
    pub async fn run_until(self, stop: impl Future<Output = ()>) {
        let mut stop = pin!(stop);
        let mut sweep_interval = interval(SWEEP_INTERVAL);
        loop {
            let next_sweep = async {
                sweep_interval.tick().await;
                self.sweep(SystemTime::now()).await
            };
            let swept = tokio::select! {
                () = &mut stop => break,
                swept = next_sweep => swept,
            };
            if let Err(error) = swept {
                tracing::warn!(error, "expiry sweep failed");
            }
        }
        drop((self.stop, self.changes));
        match tokio::time::timeout(GRACE_PERIOD, self.server).await {
            Ok(Err(error)) => tracing::error!(%error, "gateway stopped"),
            Ok(Ok(())) => {}
            Err(_) => tracing::warn!("unfinished requests were aborted"),
        }
    }
}

/// Returns the issuer to start with the service, and the URL of the issuer that the service trusts.
fn issuer(
    managers: &ManagerAuthentication,
    service: SocketAddr,
    data: &Data,
) -> Result<(Option<Arc<Issuer>>, Option<IssuerUrl>), StartError> {
    match managers {
        ManagerAuthentication::Open => Ok((None, None)),
        ManagerAuthentication::ExternalIssuer(url) => Ok((None, Some(url.clone()))),
        ManagerAuthentication::LocalIssuer => {
            let issuer = Issuer::new(service, data.issuer_key()?);
            let url = issuer.url().parse().map_err(|()| {
                let url = issuer.url();
                StartError::Issuer(
                    format!("{url} is not a valid issuer URL; choose a loopback or private address with --host").into(),
                )
            })?;
            Ok((Some(Arc::new(issuer)), Some(url)))
        }
    }
}

/// Starts to read the changes of a table, and to deliver them if there is a receiver.
fn tell_changes(stored: StoredDatabase, settings: &Settings, tasks: &mut JoinSet<()>) -> Result<ChangeLog, Cause> {
    let log = ChangeLog::open(stored, settings.changes_to.is_some())?;
    tasks.spawn(log.clone().follow());
    if let Some(receiver) = settings.changes_to.clone() {
        tasks.spawn(changes::deliver(log.clone(), receiver)?);
    }
    Ok(log)
}

/// Returns the endpoint of DynamoDB, and starts one if no external DynamoDB is given.
///
/// Also returns the one that it started, if it keeps its tables.
async fn dynamodb(
    at: Addresses,
    data: &Data,
    timeouts: ClientTimeouts,
) -> Result<(String, Option<StoredDatabase>), StartError> {
    if let Some(endpoint) = data.dynamodb() {
        return Ok((endpoint.to_owned(), None));
    }
    let (listener, address) = bind(at.host, "--dynamodb-port", at.dynamodb).await?;
    let stored = emulators::start_dynamodb(listener, data, timeouts)?;
    Ok((format!("http://{address}"), stored))
}
