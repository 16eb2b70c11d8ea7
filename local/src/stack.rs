//! The running stack.

use std::{
    fmt, io,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    pin::pin,
    time::{Duration, SystemTime},
};

use auth::url::IssuerUrl;
use axum::{Router, extract::Request, response::Response};
use domain::error::Cause;
use lambda_http::Service as _;
use posters_cleanup::Cleanup;
use storage::{poster::Posters, restoration::Restoration, table::Table};
use tokio::{
    net::TcpListener,
    sync::{Mutex, oneshot},
    task::JoinHandle,
    time::interval,
};
use uuid::Uuid;

use crate::{
    Data, Settings,
    emulators::{self, BUCKET, Emulators, TABLE},
    expiry::{ExpirySweeper, SWEEP_INTERVAL},
    gateway,
    issuer::{Issuer, ManagerAuthentication},
    openapi, pages, routes, upload,
};

/// How long running requests may take once the service is told to stop.
const GRACE_PERIOD: Duration = Duration::from_secs(5);

/// The service, running until it is stopped.
#[derive(Debug)]
pub struct Stack {
    address: SocketAddr,
    dynamodb: String,
    s3: SocketAddr,
    emulators: Emulators,
    issuer: Option<Issuer>,
    router: Router,
    server: JoinHandle<io::Result<()>>,
    stop: oneshot::Sender<()>,
    expiry: Mutex<ExpirySweeper>,
    _data: Data,
}

/// Where the service and its emulators listen; port 0 takes any free one.
#[derive(Clone, Copy, Debug)]
pub struct Addresses {
    /// The address of all of them.
    pub host: IpAddr,
    /// The port of the service.
    pub gateway: u16,
    /// The port of DynamoDB.
    pub dynamodb: u16,
    /// The port of S3.
    pub s3: u16,
}

impl Default for Addresses {
    fn default() -> Self {
        Self { host: Ipv4Addr::LOCALHOST.into(), gateway: 0, dynamodb: 0, s3: 0 }
    }
}

/// Why the service does not start, in one line.
#[derive(Debug)]
pub enum StartError {
    /// The port cannot be had.
    Port(u16, io::Error),
    /// The data folder cannot be written.
    Folder(PathBuf, io::Error),
    /// A running service has the data folder.
    FolderInUse(PathBuf),
    /// The emulators do not start.
    Emulators(Cause),
    /// The issuer of tokens does not start.
    Issuer(Cause),
    /// The sample events are not taken.
    Sample(Cause),
    /// It cannot be told whether the deleted event is restored.
    Restoration(Cause),
}

impl Stack {
    /// Starts the service, whose managers are not verified.
    ///
    /// # Errors
    ///
    /// Where a port or the data cannot be had.
    pub async fn start(at: Addresses, data: Data) -> Result<Self, StartError> {
        Self::start_with(at, data, Settings::default()).await
    }

    /// Starts the service with other settings.
    ///
    /// # Errors
    ///
    /// Where a port or the data cannot be had, or a setting is not legal.
    pub async fn start_with(at: Addresses, data: Data, settings: Settings) -> Result<Self, StartError> {
        let (listener, address) = bind(at.host, at.gateway).await?;
        let dynamodb = dynamodb(at, &data).await?;
        let (s3_listener, s3) = bind(at.host, at.s3).await?;

        let emulators =
            Emulators::start(&dynamodb, (s3_listener, s3), &data).await.map_err(StartError::Emulators)?;
        let cursors = data.cursor_key()?.parse().map_err(|_| {
            StartError::Emulators("the file cursor-key in the data folder is too short; delete it".into())
        })?;
        let (issuer, issuer_url) = issuer(&settings.managers, address, &data)?;
        let functions =
            routes::functions(&emulators, cursors, &settings, issuer_url).map_err(StartError::Emulators)?;
        let mut other_routes =
            upload::router(emulators.s3.clone()).merge(openapi::router()).merge(pages::router());
        if let Some(issuer) = &issuer {
            other_routes = other_routes.merge(issuer.router());
        }
        let router = gateway::router(functions, other_routes);
        let service = router.clone().into_make_service_with_connect_info::<SocketAddr>();
        let (stop, stopped) = oneshot::channel();
        let server = tokio::spawn(async move {
            let stopped = async { drop(stopped.await) };
            axum::serve(listener, service).with_graceful_shutdown(stopped).await
        });
        let expiry = Mutex::default();
        Ok(Self { address, dynamodb, s3, emulators, issuer, router, server, stop, expiry, _data: data })
    }

    /// The base URL of the service.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// The issuer that started with the service, where one did.
    #[must_use]
    pub fn issuer(&self) -> Option<&Issuer> {
        self.issuer.as_ref()
    }

    /// Sends a request to the service, without a connection.
    pub async fn call(&self, request: Request) -> Response {
        let Ok(response) = self.router.clone().call(request).await;
        response
    }

    /// A client of the DynamoDB that the service writes to, with connections of its own: they end
    /// with the runtime that they are opened in.
    #[must_use]
    pub fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        let config = self.emulators.dynamodb.config().to_builder().http_client(emulators::http());
        aws_sdk_dynamodb::Client::from_conf(config.build())
    }

    /// The endpoint of that DynamoDB.
    #[must_use]
    pub fn dynamodb_url(&self) -> String {
        self.dynamodb.clone()
    }

    /// A client of the S3 that the service writes to, with connections of its own.
    #[must_use]
    pub fn s3(&self) -> aws_sdk_s3::Client {
        let config = self.emulators.s3.config().to_builder().http_client(emulators::http());
        aws_sdk_s3::Client::from_conf(config.build())
    }

    /// The endpoint of that S3.
    #[must_use]
    pub fn s3_url(&self) -> String {
        format!("http://{}", self.s3)
    }

    /// Removes what has expired by an instant, as AWS does by itself some time after, and has
    /// `posters-cleanup` remove the posters of which that is so.
    ///
    /// Gives how many items of the table are removed.
    ///
    /// # Errors
    ///
    /// Where the database does not answer.
    pub async fn sweep(&self, now: SystemTime) -> Result<usize, Cause> {
        let posters = Posters::new(self.s3(), BUCKET.to_owned());
        let cleanup = Cleanup::new(self.table(), posters);
        self.expiry.lock().await.sweep(&self.dynamodb(), &cleanup, now).await
    }

    /// Restores a deleted event, by `events-restore`.
    ///
    /// # Errors
    ///
    /// Where the database does not answer.
    pub async fn restore(&self, event_id: Uuid) -> Result<Restoration, Cause> {
        let restore = events_restore::Restore::new(self.table());
        let answer = restore.handle(events_restore::Request { event_id: event_id.to_string() }).await;
        answer.map(|answer| answer.result).map_err(|error| error.causes().unwrap_or_default().into())
    }

    fn table(&self) -> Table {
        Table::new(self.dynamodb(), TABLE.to_owned())
    }

    /// Runs until it is told to stop, and gives running requests five seconds to finish. Every
    /// minute it removes what has expired.
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
                tracing::warn!(error, "what has expired is not removed");
            }
        }
        drop(self.stop);
        match tokio::time::timeout(GRACE_PERIOD, self.server).await {
            Ok(Ok(Err(error))) => tracing::error!(%error, "the gateway stopped"),
            Ok(_) => {}
            Err(_) => tracing::warn!("requests that did not finish are cut off"),
        }
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Port(port, error) => {
                write!(f, "port {port} cannot be used ({error}); take another with --port")
            }
            Self::Folder(folder, error) => {
                write!(
                    f,
                    "the data folder {} cannot be used ({error}); take another with --data",
                    folder.display()
                )
            }
            Self::FolderInUse(folder) => {
                write!(
                    f,
                    "the data folder {} belongs to a service that runs; take another with --data",
                    folder.display()
                )
            }
            Self::Emulators(error) => write!(f, "the service does not start: {error}"),
            Self::Issuer(error) => write!(f, "the issuer does not start: {error}"),
            Self::Sample(error) => write!(f, "the sample events are not taken: {error}"),
            Self::Restoration(error) => write!(f, "the deleted event is not restored: {error}"),
        }
    }
}

impl std::error::Error for StartError {}

/// The issuer that starts with the service, and where the issuer of the tokens is that count.
fn issuer(
    managers: &ManagerAuthentication,
    service: SocketAddr,
    data: &Data,
) -> Result<(Option<Issuer>, Option<IssuerUrl>), StartError> {
    match managers {
        ManagerAuthentication::Open => Ok((None, None)),
        ManagerAuthentication::ExternalIssuer(url) => Ok((None, Some(url.clone()))),
        ManagerAuthentication::LocalIssuer => {
            let issuer = Issuer::new(service, data.issuer_key()?);
            let url = issuer.url().parse().map_err(|()| {
                let url = issuer.url();
                StartError::Issuer(
                    format!("no issuer may be at {url}; take a loopback or private address with --host")
                        .into(),
                )
            })?;
            Ok((Some(issuer), Some(url)))
        }
    }
}

/// The endpoint of the DynamoDB that has the records, which is started where none runs yet.
async fn dynamodb(at: Addresses, data: &Data) -> Result<String, StartError> {
    if let Some(endpoint) = data.dynamodb() {
        return Ok(endpoint.to_owned());
    }
    let (listener, address) = bind(at.host, at.dynamodb).await?;
    emulators::start_dynamodb(listener, data.database().as_deref()).map_err(StartError::Emulators)?;
    Ok(format!("http://{address}"))
}

async fn bind(host: IpAddr, port: u16) -> Result<(TcpListener, SocketAddr), StartError> {
    let port_error = |error| StartError::Port(port, error);
    let listener = TcpListener::bind((host, port)).await.map_err(port_error)?;
    let address = listener.local_addr().map_err(port_error)?;
    Ok((listener, address))
}
