//! Operations as Lambda functions.

use std::convert::Infallible;

use api::{
    access_log::{self, AccessLogEntry},
    authorizer,
    envelope::Response,
    log,
    proxy::Route,
};
use aws::Aws;
use aws::config::Config;
use domain::{clock::Clock, error::Cause};
use futures_util::{FutureExt as _, future::BoxFuture};
use lambda_http::{Request, Service, aws_lambda_events::apigw::ApiGatewayProxyResponse, service_fn};
use lambda_runtime::{Error, LambdaEvent};
use tokio::{runtime::Builder, sync::OnceCell};

use crate::{
    changes::{record::Record, tell},
    environment::Environment,
    managers::authorize::Authorize,
    notices::send::{self, SendNotices, Step},
    operation::Operation,
    posters::{cleanup::Cleanup, stream::StreamEvent},
    service,
};

/// Variables that a function with operations reads, besides those of the operations.
pub const VARIABLES: [&str; 2] = [ALLOWED_ORIGINS, METRICS_NAMESPACE];

const ALLOWED_ORIGINS: &str = "ALLOWED_ORIGINS";
const METRICS_NAMESPACE: &str = "METRICS_NAMESPACE";

/// Environment variables and AWS clients of a Lambda function.
#[derive(Debug)]
struct LambdaEnvironment {
    config: Config,
    aws: Aws,
    dynamodb: OnceCell<aws_sdk_dynamodb::Client>,
}

impl LambdaEnvironment {
    fn start() -> Result<Self, Error> {
        log::init();
        let config = Config::from_env();
        Ok(Self { config, aws: aws::connect(config)?, dynamodb: OnceCell::new() })
    }
}

impl Environment for LambdaEnvironment {
    fn variable(&self, name: &'static str) -> Option<String> {
        self.config.optional(name)
    }

    async fn dynamodb(&self) -> aws_sdk_dynamodb::Client {
        self.dynamodb.get_or_init(|| self.aws.dynamodb()).await.clone()
    }

    async fn s3(&self, bucket: &str) -> aws_sdk_s3::Client {
        self.aws.s3(bucket).await
    }

    async fn ses(&self) -> aws_sdk_sesv2::Client {
        self.aws.ses().await
    }

    fn clock(&self) -> Clock {
        Clock::default()
    }
}

/// Serves an operation as a Lambda function until the process ends.
///
/// # Errors
///
/// Returns an error if a setting is missing, or if the Lambda runtime cannot be reached.
pub fn serve<O: Operation>() -> Result<(), Error> {
    block_on(async {
        let environment = LambdaEnvironment::start()?;
        let service = service::service::<O>(&environment, &environment.parse(ALLOWED_ORIGINS)?).await?;
        run(service, &environment).await
    })
}

/// Serves two operations as one Lambda function: the second one at its path, the first one at any other.
///
/// # Errors
///
/// Returns the errors of [`serve`].
pub fn serve_both<First: Operation, Second: Operation>(path_of_second: &'static str) -> Result<(), Error> {
    block_on(async {
        let environment = LambdaEnvironment::start()?;
        let origins = environment.parse(ALLOWED_ORIGINS)?;
        let first = service::service::<First>(&environment, &origins).await?;
        let second = service::service::<Second>(&environment, &origins).await?;
        let service = service_fn(move |request: Request| {
            let is_second = request.extensions().get::<Route>().is_some_and(|Route(path)| path == path_of_second);
            let (mut first, mut second) = (first.clone(), second.clone());
            async move { if is_second { second.call(request).await } else { first.call(request).await } }
        });
        run(service, &environment).await
    })
}

/// Serves the authorizer of the gateway until the process ends.
///
/// # Errors
///
/// Returns the errors of [`serve`].
pub fn authorize() -> Result<(), Error> {
    block_on(async { authorizer::run(Authorize::new(&LambdaEnvironment::start()?).await?).await })
}

/// Serves the removal of expired posters until the process ends.
///
/// # Errors
///
/// Returns the errors of [`serve`].
pub fn clean_up() -> Result<(), Error> {
    block_on(async {
        let cleanup = &Cleanup::new(&LambdaEnvironment::start()?).await?;
        let handle = async |event: LambdaEvent<StreamEvent>| Ok::<_, Infallible>(cleanup.handle(event.payload).await);
        lambda_runtime::run(lambda_runtime::service_fn(handle)).await
    })
}

/// Serves the enrichment that turns records of the table's stream into changes, until the process ends.
///
/// # Errors
///
/// Returns the errors of [`serve`].
pub fn tell_changes() -> Result<(), Error> {
    block_on(async {
        let source = &LambdaEnvironment::start()?.text(tell::SOURCE)?;
        let handle = async |event: LambdaEvent<Vec<Record>>| {
            tell::of_records(source, event.payload).map_err(|_| "a record of the stream cannot be read")
        };
        lambda_runtime::run(lambda_runtime::service_fn(handle)).await
    })
}

/// Serves the sending of notices until the process ends.
///
/// # Errors
///
/// Returns the errors of [`serve`].
pub fn send_notices() -> Result<(), Error> {
    block_on(async {
        let send = &SendNotices::new(&LambdaEnvironment::start()?).await?;
        let handle = async |event: LambdaEvent<Step>| {
            send.step(event.payload).await.inspect_err(send::report).map_err(|_| send::FAILED)
        };
        lambda_runtime::run(lambda_runtime::service_fn(handle)).await
    })
}

async fn run(
    service: impl Service<Request, Response = Response, Error = Infallible, Future: Send> + Clone + Send + Sync + 'static,
    environment: &LambdaEnvironment,
) -> Result<(), Error> {
    let namespace = environment.text(METRICS_NAMESPACE)?;
    let log = move |entry: &AccessLogEntry<'_>| access_log::write(entry, &namespace);
    let service = access_log::with_access_log(service, log);
    let invoked = service_fn(move |LambdaEvent { payload, context }| {
        let response = service::invoke(service.clone(), payload, context).map(Ok);
        // Boxed, because the type of the whole future exceeds the compiler's recursion limit.
        Box::pin(response) as BoxFuture<Result<ApiGatewayProxyResponse, Infallible>>
    });
    lambda_runtime::Runtime::new(invoked).run().await
}

fn block_on(future: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    Builder::new_current_thread().enable_all().build().map_err(Cause::from)?.block_on(future)
}
