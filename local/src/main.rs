//! `cargo run -p local`: runs the service until Ctrl-C.

use std::process::ExitCode;

use local::{
    Data, Stack,
    cli::{self, Cli},
};

#[tokio::main]
async fn main() -> ExitCode {
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(code) => return code,
    };
    cli.log();
    let stack = match Data::folder(&cli.data) {
        Ok(data) => Stack::start(cli.addresses(), data).await,
        Err(error) => Err(error),
    };
    match stack {
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
