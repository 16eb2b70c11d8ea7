//! Runs the service until Ctrl-C: `cargo run -p local`.

use std::process::ExitCode;

use local::{
    Data, Settings, Stack, StartError,
    cli::{self, Cli},
    sample,
};
use storage::restoration::Restoration;
use uuid::Uuid;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    cli.init_logging();
    match start(&cli).await {
        Ok(Started { stack, token, restored }) => {
            let stop = cli::stop_signal();
            cli.print_welcome(&stack, token.as_deref());
            if let Some((event, restoration)) = restored {
                Cli::print_restoration(event, restoration);
            }
            stack.run_until(stop).await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The running service and the results of its start.
struct Started {
    stack: Stack,
    /// Token of a manager, if managers are verified.
    token: Option<String>,
    /// Result for the event of `--restore`.
    restored: Option<(Uuid, Restoration)>,
}

async fn start(cli: &Cli) -> Result<Started, StartError> {
    let data = Data::folder(&cli.data)?.with_dynamodb_endpoint(cli.dynamodb_endpoint.clone());
    let settings = Settings { managers: cli.managers(), ..Settings::default() };
    let stack = Stack::start_with(cli.addresses(), data, settings).await?;
    if cli.sample {
        sample::load(&stack).await.map_err(StartError::Sample)?;
    }
    let restored = match cli.restore {
        Some(event) => Some((event, stack.restore(event).await.map_err(StartError::Restoration)?)),
        None => None,
    };
    let token = stack.issuer().map(|issuer| issuer.token(sample::MANAGER)).transpose();
    Ok(Started { stack, token: token.map_err(StartError::Issuer)?, restored })
}
