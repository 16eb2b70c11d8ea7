//! Forms: boundaries, part headers, encodings and file names.

use tests::{form::Form, sample};

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

const BOUNDARY: &str = "B";
const MEDIA_TYPE: &str = "multipart/form-data; boundary=B";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_forms_are_rejected() {
    assert_rejected(&rejected(), 73).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_forms_are_accepted() {
    assert_accepted(&accepted(), 40).await;
}

fn rejected() -> Vec<Case> {
    let thumbnail =
        |headers: &str| Form::new().part(sample::REQUEST, sample::event().to_string()).part(headers, sample::POSTER);
    let request =
        |headers: &str, content: Vec<u8>| Form::new().part(headers, content).part(sample::THUMBNAIL, sample::POSTER);
    let event = sample::event().to_string();
    let utf_16: Vec<u8> = event.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [
        table(MEDIA_TYPES, "C_004", |name, media_type, code| {
            Case::form(format!("form as {name}"), media_type, sample::form(&sample::event()).body(), code)
        }),
        table(INVALID_BOUNDARIES, "C_006", |name, media_type, code| {
            Case::form(format!("form with {name}"), media_type, body(&event), code)
        }),
        table(BROKEN, "C_006", |name, [from, to], code| {
            let whole = body(&event);
            let at = whole.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
            let broken = [&whole[..at], to.as_bytes(), &whole[at + from.len()..]].concat();
            Case::form(format!("form {name}"), MEDIA_TYPE, broken, code)
        }),
        table(INVALID_NAMES, "C_006", |name, headers, code| {
            Case::create(format!("part {name}"), &thumbnail(headers), code)
        }),
        table(INVALID_HEADERS, "C_006", |name, line, code| {
            let headers = format!("{}\n{line}", sample::THUMBNAIL);
            Case::create(format!("part with {name}"), &thumbnail(&headers), code)
        }),
        vec![
            Case::form("empty form", MEDIA_TYPE, "", "C_006"),
            Case::form("form of only its end", MEDIA_TYPE, "--B--\r\n", "C_006"),
            Case::form("form of a thousand ends", MEDIA_TYPE, "--B--\r\n".repeat(1_000), "C_006"),
            Case::form("form of JSON", MEDIA_TYPE, event.clone(), "C_006"),
            Case::form("form in line feeds", MEDIA_TYPE, with_line_feeds(&event), "C_006"),
            Case::create("form in another form", &nested(), "C_006"),
            Case::create("part with 33 lines of headers", &thumbnail(&padded("\nX-A: a", 31)), "C_006"),
            Case::create("part with 17 KiB of headers", &thumbnail(&lines_of_a_kibibyte(17)), "C_006"),
            Case::create("part with a line of 4 MB", &thumbnail(&padded(&line_of(4_000_000), 1)), "C_006"),
            Case::create("form of 101 parts", &parts(101), "C_006"),
            Case::create("form of ten thousand parts", &parts(10_000), "C_006"),
            Case::create("request part in UTF-16", &request(sample::REQUEST, utf_16), "C_002"),
            Case::create("request part with a byte order mark", &request(sample::REQUEST, with_mark(&event)), "C_002"),
            Case::create("request part in base64", &request(BASE64, b"eyJ0aXRsZSI6ImEifQ==".to_vec()), "C_002"),
            Case::create("request part in quoted-printable", &request(QUOTED, b"{=22title=22:1}".to_vec()), "C_002"),
            Case::create("poster in base64", &base64_poster(), "C_007"),
        ],
    ]
    .concat()
}

fn accepted() -> Vec<Case> {
    let with = |name: String, headers: &str| {
        let event = sample::event();
        let form = Form::new().part(sample::REQUEST, event.to_string()).part(headers, sample::POSTER);
        let drawing = event["totalMap"].as_str().unwrap().to_owned();
        Case { returned: Some((drawing, sample::POSTER.to_vec())), ..Case::create(name, &form, "0") }
    };
    [
        table(FILE_NAMES, "0", |name, file, _| {
            let headers = format!("Content-Disposition: form-data; name=\"thumbnail\"; {file}");
            with(format!("file name {name}"), &headers)
        }),
        table(POSTER_HEADERS, "0", |name, line, _| with(format!("poster {name}"), &format!("{DISPOSITION}\n{line}"))),
    ]
    .concat()
}

const DISPOSITION: &str = "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"a.png\"";
const BASE64: &str = "Content-Disposition: form-data; name=\"request\"\nContent-Transfer-Encoding: base64";
const QUOTED: &str = "Content-Disposition: form-data; name=\"request\"\nContent-Transfer-Encoding: quoted-printable";

/// Builds a valid form in its simplest notation.
fn body(event: &str) -> Vec<u8> {
    let request = "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n";
    let thumbnail = "\r\n--B\r\nContent-Disposition: form-data; name=\"thumbnail\"\r\n\r\n";
    [request.as_bytes(), event.as_bytes(), thumbnail.as_bytes(), sample::POSTER, b"\r\n--B--\r\n"].concat()
}

fn with_line_feeds(event: &str) -> String {
    let part = |name: &str, content: &str| {
        format!("--{BOUNDARY}\nContent-Disposition: form-data; name=\"{name}\"\n\n{content}\n")
    };
    format!("{}{}--{BOUNDARY}--\n", part("request", event), part("thumbnail", "GIF89a"))
}

/// Builds a form whose only part is a form with the two parts.
fn nested() -> Form {
    let headers = "Content-Disposition: form-data; name=\"files\"\nContent-Type: multipart/mixed; boundary=B";
    Form::new().part(headers, body(&sample::event().to_string()))
}

fn parts(count: usize) -> Form {
    let extra = "Content-Disposition: form-data; name=\"a\"";
    (2..count).fold(sample::form(&sample::event()), |form, _| form.part(extra, ""))
}

fn padded(line: &str, times: usize) -> String {
    sample::THUMBNAIL.to_owned() + &line.repeat(times)
}

fn lines_of_a_kibibyte(count: usize) -> String {
    let line = |n| format!("\nX-{n}: {}", "a".repeat(1024 - "\r\nX-00: ".len()));
    sample::THUMBNAIL.to_owned() + &(10..10 + count).map(line).collect::<String>()
}

fn line_of(bytes: usize) -> String {
    format!("\nX-A: {}", "a".repeat(bytes))
}

fn with_mark(event: &str) -> Vec<u8> {
    [b"\xEF\xBB\xBF", event.as_bytes()].concat()
}

fn base64_poster() -> Form {
    let headers = format!("{DISPOSITION}\nContent-Transfer-Encoding: base64");
    Form::new().part(sample::REQUEST, sample::event().to_string()).part(&headers, "iVBORw0KGgoAAAANSUhEUgAAAAE=")
}

const MEDIA_TYPES: &[(&str, &str)] = &[
    ("JSON", "application/json"),
    ("a URL-encoded form", "application/x-www-form-urlencoded"),
    ("mixed parts", "multipart/mixed; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
    ("related parts", "multipart/related; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
    ("nothing", ""),
    ("parts of any kind", "multipart/*; boundary=a"),
    ("a form after another type", "text/plain, multipart/form-data; boundary=a"),
    ("a longer subtype", "multipart/form-data-x; boundary=a"),
    ("an image", "image/png"),
    ("a boundary beyond ASCII", "multipart/form-data; boundary=\"Ｂ\""),
];

const INVALID_BOUNDARIES: &[(&str, &str)] = &[
    ("no boundary", "multipart/form-data"),
    ("a boundary without value", "multipart/form-data; boundary"),
    ("an empty boundary", "multipart/form-data; boundary="),
    ("a boundary in another case", "multipart/form-data; boundary=b"),
    ("a longer boundary", "multipart/form-data; boundary=BB"),
    ("an unclosed boundary", "multipart/form-data; boundary=\"B"),
    ("a boundary under another name", "multipart/form-data; boundaries=B"),
    ("a boundary of only dashes", "multipart/form-data; boundary=\"--\""),
];

/// Changes of a valid form: the second text replaces the first occurrence of the first one.
const BROKEN: &[(&str, [&str; 2])] = &[
    ("without its end", ["\r\n--B--\r\n", ""]),
    ("with half of its end", ["\r\n--B--\r\n", "\r\n--B-\r\n"]),
    ("with the end of another", ["\r\n--B--\r\n", "\r\n--C--\r\n"]),
    ("with its end in the middle of a line", ["\r\n--B--\r\n", "--B--\r\n"]),
    ("that ends before the poster", ["\r\n--B\r\n", "\r\n--B--\r\n"]),
    ("that never begins", ["--B\r\nContent", "Content"]),
    ("without an empty line", ["\"request\"\r\n\r\n", "\"request\"\r\n"]),
    ("with an empty line of carriage returns", ["\"request\"\r\n\r\n", "\"request\"\r\r"]),
    ("with an empty line too early", ["--B\r\nContent", "--B\r\n\r\nContent"]),
    ("with a header without colon", ["--B\r\nContent-Disposition:", "--B\r\nContent-Disposition"]),
    ("with a space in a header's name", ["--B\r\nContent-Disposition:", "--B\r\nContent Disposition:"]),
    ("with a space before a colon", ["--B\r\nContent-Disposition:", "--B\r\nContent-Disposition :"]),
    ("with a NUL in a header's name", ["--B\r\nContent-Disposition:", "--B\r\nContent\0Disposition:"]),
    ("with a full-width header", ["--B\r\nContent-Disposition:", "--B\r\nＣontent-Disposition:"]),
    ("with an unnamed header", ["--B\r\nContent-Disposition:", "--B\r\n:"]),
    ("with a part twice", ["--B\r\n", "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--B\r\n"]),
    (
        "with a poster twice",
        ["--B\r\n", "--B\r\nContent-Disposition: form-data; name=\"thumbnail\"\r\n\r\n\r\n--B\r\n"],
    ),
    ("with the name of the other part", ["\"thumbnail\"", "\"request\""]),
];

/// Headers that do not name the part `thumbnail`.
const INVALID_NAMES: &[(&str, &str)] = &[
    ("without disposition", "Content-Type: image/png"),
    ("without name", "Content-Disposition: form-data; filename=\"thumbnail\""),
    ("with an empty name", "Content-Disposition: form-data; name=\"\""),
    ("with a name in another case", "Content-Disposition: form-data; name=\"Thumbnail\""),
    ("with a name of an array", "Content-Disposition: form-data; name=\"thumbnail[]\""),
    ("with a name and a space", "Content-Disposition: form-data; name=\"thumbnail \""),
    ("with a percent-encoded name", "Content-Disposition: form-data; name=\"%74humbnail\""),
    ("with a name in an encoded word", "Content-Disposition: form-data; name=\"=?utf-8?B?dGh1bWJuYWls?=\""),
    ("with an extended name", "Content-Disposition: form-data; name*=utf-8''thumbnail"),
    ("with a continued name", "Content-Disposition: form-data; name*0=\"thumb\"; name*1=\"nail\""),
    ("with a name of a path", "Content-Disposition: form-data; name=\"../thumbnail\""),
    ("with a full-width name", "Content-Disposition: form-data; name=\"ｔhumbnail\""),
    ("with an unclosed name", "Content-Disposition: form-data; name=\"thumbnail"),
    ("named by another header", "X-Content-Disposition: form-data; name=\"thumbnail\""),
];

/// Invalid header lines.
const INVALID_HEADERS: &[(&str, &str)] = &[
    ("a NUL in a header", "X-A: a\0b"),
    ("a delete character in a header", "X-A: a\u{7f}b"),
    ("an escape character in a header", "X-A: \u{1b}[2J"),
    ("a line without colon", "no header"),
    ("a header in brackets", "<X>: a"),
    ("a folded header", "X-A: a\n b"),
    ("a carriage return in a header", "X-A: a\rX-B: b"),
];

const FILE_NAMES: &[(&str, &str)] = &[
    ("of a path upwards", "filename=\"../../../../etc/passwd\""),
    ("of a path upwards on Windows", "filename=\"..\\..\\windows\\win.ini\""),
    ("of a percent-encoded path", "filename=\"..%2f..%2fetc%2fpasswd\""),
    ("of a doubly percent-encoded path", "filename=\"..%252f..%252fetc\""),
    ("of an overlong percent-encoded path", "filename=\"..%c0%af..%c0%afetc\""),
    ("of a path from the root", "filename=\"/etc/cron.d/a\""),
    ("of a path from a drive", "filename=\"C:\\inetpub\\wwwroot\\a.aspx\""),
    ("of a path on a server", "filename=\"\\\\evil.example\\share\\a\""),
    ("of a path with other slashes", "filename=\"..\u{2215}..\u{2044}..\u{ff0f}a\""),
    ("of two dots in one character", "filename=\"\u{2025}/\u{2024}\u{2024}/a\""),
    ("of two dots", "filename=\"..\""),
    ("with a percent-encoded NUL", "filename=\"a.php%00.png\""),
    ("with a percent-encoded line break", "filename=\"a%0d%0aSet-Cookie: b=c\""),
    ("with a line break in the header", "filename=\"a\nX-Injected: b\""),
    ("of a page", "filename=\"a.html\""),
    ("of two extensions", "filename=\"a.php.png\""),
    ("of an alternate data stream", "filename=\"a.png::$DATA\""),
    ("of a configuration file", "filename=\".htaccess\""),
    ("of a device", "filename=\"CON\""),
    ("of markup", "filename=\"<img src=x onerror=alert(1)>.png\""),
    ("of an attribute", "filename=\"a\\\" onload=\\\"alert(1).png\""),
    ("of a command", "filename=\"$(touch a);`b`|c.png\""),
    ("with a right-to-left override", "filename=\"a\u{202e}gnp.exe\""),
    ("that is empty", "filename=\"\""),
    ("of invisible characters", "filename=\"\u{200b}\u{feff}\""),
    ("in extended notation", "filename*=UTF-8''..%2F..%2Fa.html"),
    ("in extended notation with UTF-7", "filename*=UTF-7''+AC4ALgAv-a"),
    ("that is given twice", "filename=\"a.png\"; filename=\"../../a.html\""),
    ("in continued notation", "filename*0=\"../\"; filename*1=\"a.html\""),
    ("in an encoded word", "filename=\"=?utf-8?B?Li4vLi4vYQ==?=\""),
    ("of a poster of another event", "filename=\"00000000-0000-7000-8000-000000000000.png\""),
];

/// Headers that do not match the poster.
const POSTER_HEADERS: &[(&str, &str)] = &[
    ("as a page", "Content-Type: text/html"),
    ("as a drawing", "Content-Type: image/svg+xml"),
    ("as a script", "Content-Type: text/javascript; charset=utf-7"),
    ("as a form", "Content-Type: multipart/mixed; boundary=B"),
    ("with a wrong length", "Content-Length: 0"),
    ("declared as compressed", "Content-Encoding: gzip"),
    ("with another location", "Content-Location: https://evil.example/"),
    ("declared as 8-bit", "Content-Transfer-Encoding: 8bit"),
    ("with characters beyond ASCII", "X-A: 가"),
];
