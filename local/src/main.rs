//! Runs the service until Ctrl-C: `cargo run -p local`.

use std::process::ExitCode;

use local::{
    Data, Stack, StartError,
    cli::{self, Cli},
    sample,
};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    cli.init_logging();
    match start(&cli).await {
        Ok((stack, tokens)) => {
            let stop = cli::stop_signal();
            cli.print_welcome(&stack, tokens.as_ref());
            stack.run_until(stop).await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Starts the service, and returns it with the tokens of a manager and of an order service if they are verified.
async fn start(cli: &Cli) -> Result<(Stack, Option<[String; 2]>), StartError> {
    let data = Data::folder(&cli.data)?.with_dynamodb_endpoint(cli.dynamodb_endpoint.clone());
    let stack = Stack::start_with(cli.addresses(), data, cli.settings()).await?;
    if cli.sample {
        sample::load(&stack).await.map_err(StartError::Sample)?;
    }
    let tokens = stack.issuer().map(|issuer| Ok([issuer.token(sample::MANAGER)?, issuer.order_token()?])).transpose();
    Ok((stack, tokens.map_err(StartError::Issuer)?))
}
