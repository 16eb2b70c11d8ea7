//! `cargo run -p local`: runs the service until Ctrl-C.

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
    cli.log();
    match start(&cli).await {
        Ok(stack) => {
            let stop = cli::stop_signal();
            cli.welcome(&stack);
            stack.run_until(stop).await;
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn start(cli: &Cli) -> Result<Stack, StartError> {
    let stack = Stack::start(cli.addresses(), Data::folder(&cli.data)?).await?;
    if cli.sample {
        sample::load(&stack).await.map_err(StartError::Sample)?;
    }
    Ok(stack)
}
