//! The command line of the local stack.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[cfg(unix)]
use std::{fs::Permissions, os::unix::fs::PermissionsExt as _};
use std::{
    io::Write as _,
    net::{TcpListener, TcpStream},
    path::Path,
    process::Output,
};

use tempfile::TempDir;

use self::process::{Local, command};

mod changes;
mod kill;
mod notice_kill;
mod process;

/// Returns the error of a start that must fail with an error of one line.
fn start_error(data: &Path, arguments: &[&str]) -> String {
    let mut command = command(&["--port", "0", "--data", data.to_str().unwrap()]);
    let Output { status, stdout, stderr } = command.args(arguments).output().unwrap();
    assert!(!status.success() && stdout.is_empty());
    let message = String::from_utf8(stderr).unwrap();
    assert_eq!(message.trim_end().lines().count(), 1, "{message}");
    message
}

const MEMBER: &str = r#"{"email":"kim@example.com","name":"Kim","nickname":"kim","password":"secret"}"#;

#[test]
fn data_survives_kill_and_restart() {
    let data = TempDir::new().unwrap();
    let mut local = Local::start(data.path(), &["--issuer"]);
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    let keys = local.get("/issuer/keys", "keys");
    assert_eq!(keys[0]["alg"], "ES256");
    local.process.kill().unwrap();
    local.process.wait().unwrap();

    let local = Local::start(data.path(), &["--issuer"]);
    assert!(local.send("POST", "/api/v1/members/login", MEMBER).starts_with("HTTP/1.1 200"));
    assert_eq!(local.get("/issuer/keys", "keys"), keys);
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

#[test]
fn sample_is_loaded_once_and_token_authorizes_manager() {
    let data = TempDir::new().unwrap();
    let first = Local::start(data.path(), &["--sample", "--issuer"]).get("/api/v1/events", "data");
    let show =
        |event: &serde_json::Value| event["eventDatetimes"][0]["status"].as_str().unwrap_or("SCHEDULED").to_owned();
    let title = |event: &serde_json::Value| format!("{}: {}", event["title"].as_str().unwrap(), show(event));
    let titles: Vec<_> = first.as_array().unwrap().iter().map(title).collect();
    let expected = [
        "뮤지컬 〈달빛 우체국〉: CANCELLED",
        "뮤지컬 〈달빛 우체국〉: POSTPONED",
        "뮤지컬 〈달빛 우체국〉: SCHEDULED",
        "윤하늬 콘서트 〈파란 밤〉: SCHEDULED",
        "2027 은하컵 결승: SCHEDULED",
        "백야밴드 25주년 콘서트 〈함성〉: SCHEDULED",
    ];
    assert_eq!(titles, expected);

    let mut local = Local::start(data.path(), &["--sample", "--issuer"]);
    assert_eq!(local.get("/api/v1/events", "data"), first);
    let poster = local.send("GET", &format!("/upload/{}", first[0]["thumbnail"].as_str().unwrap()), "");
    assert!(poster.starts_with("HTTP/1.1 200") && poster.contains("WEBP"));
    let token = local.next_line_after("TOKEN=");
    let delete = |headers: &str| {
        let path = format!("DELETE /api/v1/events/{} HTTP/1.1", first[3]["id"].as_str().unwrap());
        local.send_raw(&format!("{path}\r\nHost: a\r\n{headers}Connection: close\r\n\r\n"))
    };
    assert!(delete("").starts_with("HTTP/1.1 401"));
    assert!(delete(&format!("Authorization: Bearer {token}\r\n")).starts_with("HTTP/1.1 204"));
}

#[test]
fn sample_and_issuer_need_flags() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path(), &[]);
    assert_eq!(local.get("/api/v1/events", "data"), serde_json::json!([]));
    assert_eq!(local.get("/issuer/keys", "code"), "C_008");
}

#[test]
fn unusual_requests_get_envelope() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path(), &[]);
    for headers in ["Host: a b", "Host: [", "Host: a:99999", "Host: a\r\nX-Forwarded-Proto: https, http"] {
        let list = format!("GET /api/v1/events HTTP/1.1\r\n{headers}\r\nConnection: close\r\n\r\n");
        assert!(local.send_raw(&list).starts_with("HTTP/1.1 200"), "{headers}");
    }
    assert_eq!(local.get(&format!("/api/v1/events?x={}", "%7C".repeat(10_000)), "code"), "C_003");
    for path in ["/upload/%FF", &format!("/upload/{}", "a".repeat(1_100))] {
        assert_eq!(local.get(path, "code"), "C_008", "{path}");
    }
}

#[test]
fn mail_failure_pauses_sending() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path(), &["--mail-failure"]);
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    let reset = local.send("POST", "/api/v1/auth/password-reset", r#"{"email":"kim@example.com"}"#);
    assert!(reset.starts_with("HTTP/1.1 503") && reset.contains("S_004"), "{reset}");
    assert!(local.send("GET", "/mail.json", "").ends_with("[]"));
}

#[test]
fn no_mail_has_no_routes_of_mails() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path(), &["--no-mail"]);
    let reset = local.send("POST", "/api/v1/auth/password-reset", r#"{"email":"kim@example.com"}"#);
    assert!(reset.starts_with("HTTP/1.1 404") && reset.contains("AP_003"), "{reset}");
}

#[test]
fn required_verification_sends_mail_at_registration() {
    let data = TempDir::new().unwrap();
    let local = Local::start(data.path(), &["--email-verification", "required"]);
    assert!(local.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    // The link leads to the URL that is printed.
    let link = format!("http://{}/verify-email#token=", local.address);
    assert!(link.starts_with("http://localhost:"), "{link}");
    let mails = local.send("GET", "/mail.json", "");
    assert!(mails.contains(r#""to":"kim@example.com""#) && mails.contains(&link), "{mails}");
}

#[cfg(unix)]
#[test]
fn signals_stop_it_despite_stalled_client() {
    let data = TempDir::new().unwrap();
    Local::start(data.path(), &[]).stop("TERM");
    let local = Local::start(data.path(), &[]);
    let mut stalled = TcpStream::connect(&local.address).unwrap();
    stalled.write_all(b"POST /api/v1/members/join HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{").unwrap();
    local.stop("INT");
}

#[test]
fn unusable_address_names_its_flag() {
    let data = TempDir::new().unwrap();
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    for (flag, value) in [
        ("--dynamodb-port", port.as_str()),
        ("--s3-port", &port),
        // An address for documentation (RFC 5737), which no machine has.
        ("--host", "192.0.2.1"),
        ("--dynamodb-endpoint", "http://127.0.0.1:1"),
        ("--dynamodb-endpoint", "localhost:8000"),
    ] {
        let message = start_error(data.path(), &[flag, value]);
        assert!(message.contains(value) && message.contains(flag), "{message}");
    }
    assert!(start_error(data.path(), &["--prot", "1"]).contains("--prot"));
}

#[test]
fn unusable_folder_is_reported() {
    let data = TempDir::new().unwrap();
    let running = Local::start(data.path(), &[]);
    assert!(start_error(data.path(), &[]).contains("another running service uses"));
    drop(running);
    let file = data.path().join("file");
    std::fs::write(&file, "").unwrap();
    let message = start_error(&file, &[]);
    assert!(message.contains(file.to_str().unwrap()) && message.contains("--data"), "{message}");
}

#[test]
fn damaged_file_is_named() {
    let data = TempDir::new().unwrap();
    drop(Local::start(data.path(), &["--issuer"]));
    let mut database = std::fs::read(data.path().join("dynamodb.sqlite")).unwrap();
    // The first page, except the header of the file.
    database[100..4096].fill(0xFF);
    for (name, content, advice) in [
        ("dynamodb.sqlite", database, "--data"),
        ("dynamodb.sqlite", b"no database".repeat(1_000), "--data"),
        ("cursor-key", b"x".to_vec(), "delete"),
        ("issuer-key", b"\xFF".to_vec(), "delete"),
    ] {
        let data = TempDir::new().unwrap();
        let file = data.path().join(name);
        std::fs::write(&file, content).unwrap();
        let message = start_error(data.path(), &["--issuer"]);
        assert!(message.contains(file.to_str().unwrap()) && message.contains(advice), "{message}");
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
        let local = Local::start(&data, &["--issuer"]);
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
    let mut local = Local::start(first_data.path(), &[]);
    let dynamodb = loop {
        if let Some(address) = local.next_line_after("http://").strip_suffix("  DynamoDB") {
            break format!("http://{address}");
        }
    };
    let second = Local::start(second_data.path(), &["--dynamodb-endpoint", &dynamodb]);
    assert!(second.send("POST", "/api/v1/members/join", MEMBER).starts_with("HTTP/1.1 201"));
    assert!(local.send("POST", "/api/v1/members/login", MEMBER).starts_with("HTTP/1.1 200"));
    assert!(!second_data.path().join("dynamodb.sqlite").exists());
}
