//! The command line of the local stack.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::{Shutdown, TcpListener, TcpStream},
    path::Path,
    process::{Child, ChildStdout, Command, Output, Stdio},
};

use serde_json::Value;
use tempfile::TempDir;

/// Running service that is killed when dropped.
struct Local {
    process: Child,
    address: String,
    stdout: BufReader<ChildStdout>,
}

impl Local {
    fn start(data: &Path) -> Self {
        Self::start_with(data, &[])
    }

    fn start_with(data: &Path, arguments: &[&str]) -> Self {
        Self::start_with_log(data, arguments, Stdio::null())
    }

    fn start_with_log(data: &Path, arguments: &[&str], log: Stdio) -> Self {
        let mut process = command(&["--port", "0", "--data", data.to_str().unwrap()])
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(process.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let address = line.split_once("http://").unwrap().1.split(' ').next().unwrap().to_owned();
        Self { process, address, stdout }
    }

    /// Returns the rest of the next line that begins with `prefix`.
    fn next_line_after(&mut self, prefix: &str) -> String {
        let mut lines = self.stdout.by_ref().lines().map(Result::unwrap);
        lines.find_map(|line| line.trim().strip_prefix(prefix).map(str::to_owned)).unwrap()
    }

    /// Sends a request and returns the response with its headers.
    fn send(&self, method: &str, path: &str, json: &str) -> String {
        let length = json.len();
        self.send_raw(&format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\nConnection: close\r\n\r\n{json}"
        ))
    }

    /// Sends any text, and then closes the sending side unless the text contains `Connection: close`.
    fn send_raw(&self, request: &str) -> String {
        String::from_utf8(self.send_for_bytes(request)).unwrap()
    }

    fn send_for_bytes(&self, request: &str) -> Vec<u8> {
        let mut connection = TcpStream::connect(&self.address).unwrap();
        connection.write_all(request.as_bytes()).unwrap();
        if !request.contains("Connection: close") {
            connection.shutdown(Shutdown::Write).unwrap();
        }
        let mut response = Vec::new();
        connection.read_to_end(&mut response).unwrap();
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

/// Returns the error of a start that must fail with an error of one line.
fn start_error(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = command(arguments).output().unwrap();
    assert!(!status.success() && stdout.is_empty());
    let message = String::from_utf8(stderr).unwrap();
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    message
}

const MEMBER: &str = r#"{"email":"kim@example.com","name":"Kim","nickname":"kim","password":"secret"}"#;

#[test]
fn data_survives_kill_and_restart() {
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
fn conflict_logs_no_warning() {
    let data = TempDir::new().unwrap();
    let log = data.path().join("log");
    let local = Local::start_with_log(data.path(), &[], std::fs::File::create(&log).unwrap().into());
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 409"));
    drop(local);
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("AJ_001") && !log.contains("WARN") && !log.contains("ERROR"), "{log}");
}

/// Lists the events of a service.
fn list_events(local: &Local) -> Vec<Value> {
    let response = local.send("GET", "/api/v1/events", "");
    let envelope: Value = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
    envelope["data"].as_array().unwrap().clone()
}

#[test]
fn sample_is_loaded_once() {
    let data = TempDir::new().unwrap();
    let first = list_events(&Local::start_with(data.path(), &["--sample"]));
    let titles: Vec<_> = first.iter().map(|event| event["title"].as_str().unwrap()).collect();
    let expected =
        ["뮤지컬 〈달빛 우체국〉", "윤하늬 콘서트 〈파란 밤〉", "2027 은하컵 결승", "백야밴드 25주년 콘서트 〈함성〉"];
    assert_eq!(titles, expected);

    let local = Local::start_with(data.path(), &["--sample"]);
    assert_eq!(list_events(&local), first);
    for event in &first {
        let poster = format!("/upload/{}", event["thumbnail"].as_str().unwrap());
        let head = format!("GET {poster} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
        let image = local.send_for_bytes(&head);
        assert!(image.starts_with(b"HTTP/1.1 200") && image.windows(4).any(|bytes| bytes == b"WEBP"));
    }
}

#[test]
fn no_sample_without_flag() {
    let data = TempDir::new().unwrap();
    assert!(list_events(&Local::start(data.path())).is_empty());
}

#[test]
fn printed_token_authorizes_manager() {
    let data = TempDir::new().unwrap();
    let mut local = Local::start_with(data.path(), &["--issuer", "--sample"]);
    let token = local.next_line_after("TOKEN=");
    let event = list_events(&local)[0]["id"].as_str().unwrap().to_owned();
    let delete = |headers: &str| {
        let path = format!("DELETE /api/v1/events/{event} HTTP/1.1");
        local.send_raw(&format!("{path}\r\nHost: a\r\n{headers}Connection: close\r\n\r\n"))
    };
    let response = delete("");
    assert!(response.starts_with("HTTP/1.1 401") && response.contains("AM_001"), "{response}");
    assert!(delete(&format!("Authorization: Bearer {token}\r\n")).starts_with("HTTP/1.1 204"));
}

#[test]
fn issuer_key_survives_restart() {
    let data = TempDir::new().unwrap();
    let keys = || {
        let response = Local::start_with(data.path(), &["--issuer"]).send("GET", "/issuer/keys", "");
        let keys: Value = serde_json::from_str(response.split_once("\r\n\r\n").unwrap().1).unwrap();
        keys["keys"].clone()
    };
    let first = keys();
    assert_eq!(first[0]["alg"], "ES256");
    assert_eq!(keys(), first);
}

#[test]
fn no_issuer_without_flag() {
    let data = TempDir::new().unwrap();
    assert!(Local::start(data.path()).send("GET", "/issuer/keys", "").contains("C_008"));
}

#[test]
fn unusual_requests_get_envelope() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path());
    let list = |headers: &str| {
        local.send_raw(&format!("GET /api/v1/events HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n"))
    };
    for headers in ["Host: a b", "Host: [", "Host: a:99999", "Host: a\r\nX-Forwarded-Proto: https, http"] {
        assert!(list(headers).starts_with("HTTP/1.1 200"), "{headers}");
    }
    let incomplete = "Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{}";
    let response = local.send_raw(&format!("POST /api/v1/members/join HTTP/1.1\r\nHost: a\r\n{incomplete}"));
    assert!(response.starts_with("HTTP/1.1 400") && response.contains("C_002"), "{response}");
    let long = local.send("GET", &format!("/api/v1/events?x={}", "%7C".repeat(10_000)), "");
    assert!(long.starts_with("HTTP/1.1 400") && long.contains("C_003"), "{long}");
    for (method, path) in
        [("POST", "/upload/x"), ("GET", "/upload/%FF"), ("GET", &format!("/upload/{}", "a".repeat(1_100)))]
    {
        let response = local.send(method, path, "");
        assert!(response.starts_with("HTTP/1.1 404") && response.contains("C_008"), "{response}");
    }
}

#[cfg(unix)]
#[test]
fn stalled_client_does_not_block_stop() {
    let data = TempDir::new().unwrap();
    let mut local = Local::start(data.path());
    let mut stalled = TcpStream::connect(&local.address).unwrap();
    stalled.write_all(b"POST /api/v1/members/join HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{").unwrap();
    let kill = Command::new("kill").args(["-s", "INT", &local.process.id().to_string()]).status().unwrap();
    assert!(kill.success());
    assert!(local.process.wait().unwrap().success());
}

#[test]
fn data_folder_in_use_is_rejected() {
    let data = TempDir::new().unwrap();
    let _running = Local::start(data.path());
    let message = start_error(&["--port", "0", "--data", data.path().to_str().unwrap()]);
    assert!(message.contains("another running service uses"), "{message}");
}

#[test]
fn port_in_use_names_its_flag() {
    let data = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let flags = ["--port", "--dynamodb-port", "--s3-port"];
    for flag in flags {
        let free = if flag == "--port" { [].as_slice() } else { &["--port", "0"] };
        let message = start_error(&[free, &[flag, &port, "--data", data.path().to_str().unwrap()]].concat());
        assert!(message.contains(&format!("port {port}")), "{message}");
        let named: Vec<_> = flags.into_iter().filter(|flag| message.contains(&format!(" {flag}\n"))).collect();
        assert_eq!(named, [flag], "{message}");
    }
}

#[test]
fn foreign_address_names_host_flag() {
    let data = TempDir::new().unwrap();
    // An address for documentation (RFC 5737), which no machine has.
    let message = start_error(&["--host", "192.0.2.1", "--port", "0", "--data", data.path().to_str().unwrap()]);
    assert!(message.contains("192.0.2.1") && message.contains("--host"), "{message}");
}

#[test]
fn unusable_folder_is_reported() {
    let data = TempDir::new().unwrap();
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let s3 = data.path().join("s3");
    std::fs::write(&s3, "").unwrap();
    for folder in [file.as_path(), data.path()] {
        let folder = folder.to_str().unwrap();
        let message = start_error(&["--port", "0", "--data", folder]);
        assert!(message.contains(folder) && message.contains("--data"), "{message}");
    }
}

#[cfg(unix)]
#[test]
fn read_only_folder_is_reported() {
    let data = TempDir::new().unwrap();
    drop(Local::start(data.path()));
    for folder in [data.path().to_owned(), data.path().join("s3")] {
        let writable = std::fs::metadata(&folder).unwrap().permissions();
        std::fs::set_permissions(&folder, Permissions::from_mode(0o500)).unwrap();
        // The superuser may write to every folder.
        if std::fs::write(folder.join("probe"), "").is_err() {
            let message = start_error(&["--port", "0", "--data", data.path().to_str().unwrap()]);
            assert!(message.contains(folder.to_str().unwrap()) && !message.contains("delete"), "{message}");
        }
        std::fs::set_permissions(&folder, writable).unwrap();
    }
}

#[test]
fn unreachable_dynamodb_names_its_flag() {
    let data = TempDir::new().unwrap();
    let data = data.path().to_str().unwrap();
    for endpoint in ["http://127.0.0.1:1", "localhost:8000", "x"] {
        let message = start_error(&["--port", "0", "--data", data, "--dynamodb-endpoint", endpoint]);
        assert!(message.contains(endpoint) && message.contains("--dynamodb-endpoint"), "{message}");
    }
}

#[test]
fn damaged_database_is_named() {
    let data = TempDir::new().unwrap();
    drop(Local::start(data.path()));
    let file = data.path().join("dynamodb.sqlite");
    let mut damaged = std::fs::read(&file).unwrap();
    // The first page, except the header of the file.
    damaged[100..4096].fill(0xFF);
    for content in [damaged, b"no database".repeat(1_000)] {
        for end in ["-wal", "-shm"] {
            let _ = std::fs::remove_file(data.path().join(format!("dynamodb.sqlite{end}")));
        }
        std::fs::write(&file, content).unwrap();
        let message = start_error(&["--port", "0", "--data", data.path().to_str().unwrap()]);
        assert!(message.contains(file.to_str().unwrap()) && message.contains("--data"), "{message}");
        assert!(!message.contains("encrypt") && !message.contains("--port"), "{message}");
    }
}

#[test]
fn damaged_key_is_named() {
    for name in ["cursor-key", "issuer-key"] {
        let data = TempDir::new().unwrap();
        let file = data.path().join(name);
        for content in [b"".as_slice(), b"x", b"\xFF"] {
            std::fs::write(&file, content).unwrap();
            let message = start_error(&["--port", "0", "--issuer", "--data", data.path().to_str().unwrap()]);
            assert!(message.contains(file.to_str().unwrap()) && message.contains("delete"), "{message}");
        }
    }
}

#[cfg(unix)]
#[test]
fn stored_data_is_private() {
    let parent = TempDir::new().unwrap();
    let data = parent.path().join("data");
    let mode = |name: &str| data.join(name).metadata().unwrap().permissions().mode() & 0o777;
    let files = ["dynamodb.sqlite", "dynamodb.sqlite-wal", "dynamodb.sqlite-shm", "cursor-key", "issuer-key", "lock"];
    for _ in 0..2 {
        let local = Local::start_with(&data, &["--issuer"]);
        local.send("POST", "/api/v1/members/join", MEMBER);
        for file in files {
            assert_eq!(mode(file), 0o600, "{file}");
        }
        assert_eq!([mode(""), mode("s3")], [0o700, 0o700]);
        drop(local);
        // An earlier version stored files that everybody could read.
        for file in files {
            std::fs::set_permissions(data.join(file), Permissions::from_mode(0o644)).unwrap();
        }
    }
}

#[test]
fn external_dynamodb_keeps_records() {
    let [first_data, second_data] = [TempDir::new().unwrap(), TempDir::new().unwrap()];
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port().to_string();
    let local = Local::start_with(first_data.path(), &["--dynamodb-port", &free]);
    let endpoint = format!("http://127.0.0.1:{free}");
    let second = Local::start_with(second_data.path(), &["--dynamodb-endpoint", &endpoint]);
    assert!(second.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    assert!(local.send("POST", "/api/v1/members/login", MEMBER).starts_with("HTTP/1.1 200"));
    assert!(!second_data.path().join("dynamodb.sqlite").exists());
}

#[test]
fn bad_flag_is_reported() {
    assert!(start_error(&["--prot", "1"]).contains("--prot"));
    assert!(start_error(&["--port", "70000"]).contains("70000"));
}

#[cfg(unix)]
#[test]
fn signals_stop_it_cleanly() {
    for signal in ["INT", "TERM"] {
        let data = TempDir::new().unwrap();
        let mut local = Local::start(data.path());
        let kill = Command::new("kill").args(["-s", signal, &local.process.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert!(local.process.wait().unwrap().success());
    }
}
