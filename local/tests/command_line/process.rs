//! Process of the local stack.

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
};

use serde_json::Value;

/// Running service that is killed when dropped.
pub struct Local {
    pub process: Child,
    pub address: String,
    stdout: BufReader<ChildStdout>,
}

impl Local {
    pub fn start(data: &Path, arguments: &[&str]) -> Self {
        Self::start_with_log(data, arguments, Stdio::null())
    }

    pub fn start_with_log(data: &Path, arguments: &[&str], log: Stdio) -> Self {
        let mut process = command(&["--port", "0", "--data", data.to_str().unwrap()]);
        let mut process = process.args(arguments).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.split_once("http://").unwrap().1.split(' ').next().unwrap().to_owned();
        Self { process, address, stdout }
    }

    /// Returns the rest of the next line that begins with `prefix`.
    pub fn next_line_after(&mut self, prefix: &str) -> String {
        let mut lines = self.stdout.by_ref().lines().map(Result::unwrap);
        lines.find_map(|line| line.trim().strip_prefix(prefix).map(str::to_owned)).unwrap()
    }

    /// Sends a request and returns the response with its headers.
    pub fn send(&self, method: &str, path: &str, json: &str) -> String {
        let length = json.len();
        self.send_raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{json}"
        ))
    }

    /// Sends any text that contains `Connection: close`.
    pub fn send_raw(&self, request: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        let mut response = Vec::new();
        connection.read_to_end(&mut response).unwrap();
        String::from_utf8_lossy(&response).into_owned()
    }

    /// Returns a field of the JSON in a response.
    pub fn get(&self, path: &str, field: &str) -> Value {
        let response = self.send("GET", path, "");
        serde_json::from_str::<Value>(response.split_once("\r\n\r\n").unwrap().1).unwrap()[field].take()
    }

    /// Sends a signal, and waits until the process ends without an error.
    #[cfg(unix)]
    pub fn stop(mut self, signal: &str) {
        let kill = Command::new("kill").args(["-s", signal, &self.process.id().to_string()]).status().unwrap();
        assert!(kill.success() && self.process.wait().unwrap().success(), "{signal}");
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.args(arguments).stdin(Stdio::null());
    command
}
