//! A function in a process of its own, as Lambda runs it.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    ops::Range,
    process::Stdio,
    time::{Duration, Instant},
};

use bytes::Bytes;
use domain::error::Cause;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use tokio::process::{Child, Command};

use crate::{
    process::{self, Usage},
    runtime_api::{Call, RuntimeApi},
};

/// The variables that a process has.
pub type Variables = BTreeMap<String, OsString>;

/// How long a process may keep silent: one that hangs fails the run.
const TIMEOUT: Duration = Duration::from_mins(5);

/// The statuses of requests that are carried out.
pub const SUCCESS: Range<u64> = 200..300;

/// A process that waits for its next request.
#[derive(Debug)]
pub struct Instance {
    process: Child,
    api: RuntimeApi,
    /// From its start to the first time that it asked for a request.
    pub start_duration: Duration,
}

impl Instance {
    /// Starts a process and waits until it asks for a request.
    ///
    /// # Errors
    ///
    /// Where it cannot be started, or ends, or says that it cannot start.
    pub async fn start(command: &[OsString], variables: &Variables) -> Result<Self, Cause> {
        let api = RuntimeApi::start().await?;
        let (program, arguments) = command.split_first().ok_or("no command")?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .env_clear()
            .envs(variables)
            .env("AWS_LAMBDA_RUNTIME_API", api.address().to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true);
        let started = Instant::now();
        let process = command.spawn().map_err(|error| format!("{}: {error}", program.display()))?;
        let mut instance = Self { process, api, start_duration: Duration::ZERO };
        instance.start_duration = match instance.next_call().await? {
            (at, Call::Next) => at - started,
            (_, call) => return Err(format!("{}: {call}", program.display()).into()),
        };
        Ok(instance)
    }

    /// Has it carry out a request, until it asks for the next, and tells the time to its answer.
    ///
    /// # Errors
    ///
    /// Where it fails, or answers with anything but a success.
    pub async fn invoke(&mut self, event: Bytes) -> Result<Duration, Cause> {
        self.invoke_expecting(&SUCCESS, event).await
    }

    /// The same where another status is expected.
    ///
    /// # Errors
    ///
    /// Where it fails, or answers with another.
    pub async fn invoke_expecting(&mut self, expected: &Range<u64>, event: Bytes) -> Result<Duration, Cause> {
        let sent = Instant::now();
        self.api.send(event);
        let (took, body) = match self.next_call().await? {
            (at, Call::Response(body)) => (at - sent, body),
            (_, call) => return Err(format!("no answer, but {call}").into()),
        };
        match self.next_call().await? {
            (_, Call::Next) => {}
            (_, call) => return Err(format!("no call for the next request, but {call}").into()),
        }
        let answer: Value = serde_json::from_slice(&body)?;
        match answer["statusCode"].as_u64() {
            Some(status) if expected.contains(&status) => Ok(took),
            _ => Err(format!("not what was expected: {answer}").into()),
        }
    }

    /// What the process has used until now.
    ///
    /// # Errors
    ///
    /// Where the system does not tell.
    pub fn usage(&self) -> Result<Usage, Cause> {
        process::usage(self.process.id().ok_or("the process has ended")?)
    }

    /// Asks the process to stop and waits until it has.
    ///
    /// # Errors
    ///
    /// Where it cannot be asked.
    pub async fn stop(mut self) -> Result<(), Cause> {
        let id = self.process.id().ok_or("the process has ended")?;
        process::wait_until_idle(id).await?;
        let pid = Pid::from_raw(i32::try_from(id)?).ok_or("no process has this id")?;
        kill_process(pid, Signal::TERM)?;
        self.process.wait().await?;
        Ok(())
    }

    async fn next_call(&mut self) -> Result<(Instant, Call), Cause> {
        tokio::select! {
            call = self.api.next_call() => call.ok_or_else(|| "the Runtime API is gone".into()),
            status = self.process.wait() => Err(format!("the process ended: {}", status?).into()),
            () = tokio::time::sleep(TIMEOUT) => Err("the process keeps silent".into()),
        }
    }
}
