//! `cargo run -p local`, as it is typed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use tempfile::TempDir;

/// A running service, killed when dropped.
struct Local {
    process: Child,
    address: String,
    _said: BufReader<ChildStdout>,
}

impl Local {
    fn start(data: &Path) -> Self {
        let mut process = command(&["--port", "0", "--data", data.to_str().unwrap()])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut said = BufReader::new(process.stdout.take().unwrap());
        said.read_line(&mut line).unwrap();
        let address = line.split_once("http://").unwrap().1.split(' ').next().unwrap().to_owned();
        Self { process, address, _said: said }
    }

    /// Sends a request and gives the response, headers and all.
    fn send(&self, method: &str, path: &str, json: &str) -> String {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        write!(
            connection,
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
             Content-Length: {}\r\nConnection: close\r\n\r\n{json}",
            self.address,
            json.len(),
        )
        .unwrap();
        let mut response = String::new();
        connection.read_to_string(&mut response).unwrap();
        response
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_local"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Runs a start that is to fail, and checks that it says why in one line.
fn refused(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    assert!(!status.success() && stdout.is_empty());
    let said = String::from_utf8(stderr).unwrap();
    assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    said
}

const MEMBER: &str = r#"{"email":"kim@example.com","name":"Kim","nickname":"kim","password":"secret"}"#;

#[test]
fn what_was_stored_survives_a_kill_and_a_restart() {
    let data = TempDir::new().unwrap();
    let mut local = Local::start(data.path());
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    local.process.kill().unwrap();
    local.process.wait().unwrap();

    let local = Local::start(data.path());
    assert!(local.send("POST", "/api/v1/members/login", MEMBER).starts_with("HTTP/1.1 200"));
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).contains("AJ_001"));
}

#[test]
fn two_services_do_not_share_a_folder() {
    let data = TempDir::new().unwrap();
    let _running = Local::start(data.path());
    let said = refused(&["--port", "0", "--data", data.path().to_str().unwrap()]);
    assert!(said.contains("belongs to a service that runs"), "{said}");
}

#[test]
fn a_port_in_use_is_told() {
    let data = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let said = refused(&["--port", &port, "--data", data.path().to_str().unwrap()]);
    assert!(said.contains(&format!("port {port}")), "{said}");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let data = TempDir::new().unwrap();
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let said = refused(&["--port", "0", "--data", file.to_str().unwrap()]);
    assert!(said.contains(file.to_str().unwrap()), "{said}");
}

#[test]
fn a_bad_flag_is_told() {
    assert!(refused(&["--prot", "1"]).contains("--prot"));
    assert!(refused(&["--port", "70000"]).contains("70000"));
}

#[cfg(unix)]
#[test]
fn an_interrupt_stops_it_cleanly() {
    for signal in ["INT", "TERM"] {
        let data = TempDir::new().unwrap();
        let mut local = Local::start(data.path());
        let sent =
            Command::new("kill").args(["-s", signal, &local.process.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert!(local.process.wait().unwrap().success());
    }
}
