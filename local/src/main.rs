//! `cargo run -p local`: runs the service until Ctrl-C.

use std::process::ExitCode;

use local::{
    Data, Stack, StartError,
    cli::{self, Cli},
    sample,
};
use shared::store::restoration::Restoration;
use uuid::Uuid;

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    cli.log();
    match start(&cli).await {
        Ok((stack, restored)) => {
            let stop = cli::stop_signal();
            cli.welcome(&stack);
            if let Some((event, restoration)) = restored {
                Cli::tell(event, restoration);
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

/// Starts the service, with what became of the event that was to be restored.
async fn start(cli: &Cli) -> Result<(Stack, Option<(Uuid, Restoration)>), StartError> {
    let data = Data::folder(&cli.data)?.with_dynamodb_at(cli.dynamodb_endpoint.clone());
    let stack = Stack::start(cli.addresses(), data).await?;
    if cli.sample {
        sample::load(&stack).await.map_err(StartError::Sample)?;
    }
    let restored = match cli.restore {
        Some(event) => Some((event, stack.restore(event).await.map_err(StartError::Restoration)?)),
        None => None,
    };
    Ok((stack, restored))
}
