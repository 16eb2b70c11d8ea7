//! Process of a function, run as Lambda runs it.

use std::{
    collections::BTreeMap,
    ffi::OsString,
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

/// Environment variables of a process.
pub type Variables = BTreeMap<String, OsString>;

/// Function that returns true if a response is the expected one.
pub type Accepts = fn(&Value) -> bool;

/// Returns true if the status of a response is a success.
#[must_use]
pub fn is_success(response: &Value) -> bool {
    response["statusCode"].as_u64().is_some_and(|status| (200..300).contains(&status))
}

/// Returns true if a login is rejected because of its credentials.
#[must_use]
pub fn is_unauthorized(response: &Value) -> bool {
    response["statusCode"] == 401
}

/// Time after which a process that makes no call fails the run.
const TIMEOUT: Duration = Duration::from_mins(5);

/// Process that waits for its next request.
#[derive(Debug)]
pub struct Instance {
    process: Child,
    api: RuntimeApi,
    /// Time from its start to its first call for a request.
    pub start_duration: Duration,
}

impl Instance {
    /// Starts a process and waits until it asks for a request.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be started, ends or reports a failure.
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

    /// Sends a request, waits until the process asks for the next one, and returns the time to its response.
    ///
    /// # Errors
    ///
    /// Returns an error if the process fails or its response is not accepted.
    pub async fn invoke(&mut self, event: Bytes, accepts: Accepts) -> Result<Duration, Cause> {
        let sent = Instant::now();
        self.api.send(event);
        let (took, body) = match self.next_call().await? {
            (at, Call::Response(body)) => (at - sent, body),
            (_, call) => return Err(format!("expected a response, got {call}").into()),
        };
        match self.next_call().await? {
            (_, Call::Next) => {}
            (_, call) => return Err(format!("expected a call for the next request, got {call}").into()),
        }
        let response: Value = serde_json::from_slice(&body)?;
        if accepts(&response) { Ok(took) } else { Err(format!("unexpected response: {response}").into()) }
    }

    /// Returns the resources that the process has used until now.
    ///
    /// # Errors
    ///
    /// Returns an error if the process has ended or `/proc` cannot be read.
    pub fn usage(&self) -> Result<Usage, Cause> {
        process::usage(self.process.id().ok_or("the process has ended")?)
    }

    /// Stops the process and waits until it has ended.
    ///
    /// # Errors
    ///
    /// Returns an error if the process cannot be stopped.
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
            call = self.api.next_call() => call.ok_or_else(|| "the Runtime API has stopped".into()),
            status = self.process.wait() => Err(format!("the process ended: {}", status?).into()),
            () = tokio::time::sleep(TIMEOUT) => Err("the process made no call in time".into()),
        }
    }
}
