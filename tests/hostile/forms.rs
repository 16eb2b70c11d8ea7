//! Forms: boundaries, part headers, encodings and the names of files.

use tests::{form::Form, sample};

use crate::{
    case::{Case, table},
    service::{assert_kept, assert_rejected},
};

const BOUNDARY: &str = "B";
const MEDIA_TYPE: &str = "multipart/form-data; boundary=B";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_forms_are_rejected() {
    assert_rejected(&rejected(), 73).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_forms_are_kept() {
    assert_kept(&accepted(), 40).await;
}

fn rejected() -> Vec<Case> {
    let thumbnail = |headers: &str| {
        Form::new().part(sample::REQUEST, sample::event().to_string()).part(headers, sample::POSTER)
    };
    let request = |headers: &str, content: Vec<u8>| {
        Form::new().part(headers, content).part(sample::THUMBNAIL, sample::POSTER)
    };
    let event = sample::event().to_string();
    let utf_16: Vec<u8> = event.encode_utf16().flat_map(u16::to_le_bytes).collect();
    [
        table(MEDIA_TYPES, "C_004", |name, media_type, code| {
            Case::form(format!("form as {name}"), media_type, sample::form(&sample::event()).body(), code)
        }),
        table(NO_BOUNDARIES, "C_006", |name, media_type, code| {
            Case::form(format!("form with {name}"), media_type, body(&event), code)
        }),
        table(BROKEN, "C_006", |name, [from, to], code| {
            let whole = body(&event);
            let at = whole.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
            let broken = [&whole[..at], to.as_bytes(), &whole[at + from.len()..]].concat();
            Case::form(format!("form {name}"), MEDIA_TYPE, broken, code)
        }),
        table(NAMES, "C_006", |name, headers, code| {
            Case::create(format!("part {name}"), &thumbnail(headers), code)
        }),
        table(HEADERS, "C_006", |name, line, code| {
            let headers = format!("{}\n{line}", sample::THUMBNAIL);
            Case::create(format!("part with {name}"), &thumbnail(&headers), code)
        }),
        vec![
            Case::form("form of nothing", MEDIA_TYPE, "", "C_006"),
            Case::form("form of its end", MEDIA_TYPE, "--B--\r\n", "C_006"),
            Case::form("form of a thousand ends", MEDIA_TYPE, "--B--\r\n".repeat(1_000), "C_006"),
            Case::form("form of JSON", MEDIA_TYPE, event.clone(), "C_006"),
            Case::form("form in lines without return", MEDIA_TYPE, lines(&event), "C_006"),
            Case::create("form in another form", &nested(), "C_006"),
            Case::create("part with 33 lines of headers", &thumbnail(&padded("\nX-A: a", 31)), "C_006"),
            Case::create("part with 17 KiB of headers", &thumbnail(&lines_of_a_kibibyte(17)), "C_006"),
            Case::create("part with a line of 4 MB", &thumbnail(&padded(&line_of(4_000_000), 1)), "C_006"),
            Case::create("form of 101 parts", &parts(101), "C_006"),
            Case::create("form of ten thousand parts", &parts(10_000), "C_006"),
            Case::create("request part in UTF-16", &request(sample::REQUEST, utf_16), "C_002"),
            Case::create("request part with a mark", &request(sample::REQUEST, marked(&event)), "C_002"),
            Case::create(
                "request part in base64",
                &request(BASE64, b"eyJ0aXRsZSI6ImEifQ==".to_vec()),
                "C_002",
            ),
            Case::create(
                "request part in printable quotes",
                &request(QUOTED, b"{=22title=22:1}".to_vec()),
                "C_002",
            ),
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
        Case { kept: Some((drawing, sample::POSTER.to_vec())), ..Case::create(name, &form, "0") }
    };
    [
        table(FILES, "0", |name, file, _| {
            let headers = format!("Content-Disposition: form-data; name=\"thumbnail\"; {file}");
            with(format!("file name {name}"), &headers)
        }),
        table(TYPES, "0", |name, line, _| with(format!("poster {name}"), &format!("{DISPOSITION}\n{line}"))),
    ]
    .concat()
}

const DISPOSITION: &str = "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"a.png\"";
const BASE64: &str = "Content-Disposition: form-data; name=\"request\"\nContent-Transfer-Encoding: base64";
const QUOTED: &str =
    "Content-Disposition: form-data; name=\"request\"\nContent-Transfer-Encoding: quoted-printable";

/// A form that is right, in the plainest spelling.
fn body(event: &str) -> Vec<u8> {
    let request = "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n";
    let thumbnail = "\r\n--B\r\nContent-Disposition: form-data; name=\"thumbnail\"\r\n\r\n";
    [request.as_bytes(), event.as_bytes(), thumbnail.as_bytes(), sample::POSTER, b"\r\n--B--\r\n"].concat()
}

fn lines(event: &str) -> String {
    let part = |name: &str, content: &str| {
        format!("--{BOUNDARY}\nContent-Disposition: form-data; name=\"{name}\"\n\n{content}\n")
    };
    format!("{}{}--{BOUNDARY}--\n", part("request", event), part("thumbnail", "GIF89a"))
}

/// A form whose only part is a form with the two parts.
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

fn marked(event: &str) -> Vec<u8> {
    [b"\xEF\xBB\xBF", event.as_bytes()].concat()
}

fn base64_poster() -> Form {
    let headers = format!("{DISPOSITION}\nContent-Transfer-Encoding: base64");
    Form::new()
        .part(sample::REQUEST, sample::event().to_string())
        .part(&headers, "iVBORw0KGgoAAAANSUhEUgAAAAE=")
}

const MEDIA_TYPES: &[(&str, &str)] = &[
    ("JSON", "application/json"),
    ("a form of a page", "application/x-www-form-urlencoded"),
    ("mixed parts", "multipart/mixed; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
    ("related parts", "multipart/related; boundary=----WebKitFormBoundary7MA4YWxkTrZu0gW"),
    ("nothing", ""),
    ("parts of any kind", "multipart/*; boundary=a"),
    ("a form after another type", "text/plain, multipart/form-data; boundary=a"),
    ("a form and more in its name", "multipart/form-data-x; boundary=a"),
    ("an image", "image/png"),
    ("what is not ASCII", "multipart/form-data; boundary=\"Ｂ\""),
];

const NO_BOUNDARIES: &[(&str, &str)] = &[
    ("no boundary", "multipart/form-data"),
    ("a boundary without value", "multipart/form-data; boundary"),
    ("an empty boundary", "multipart/form-data; boundary="),
    ("a boundary of another case", "multipart/form-data; boundary=b"),
    ("a longer boundary", "multipart/form-data; boundary=BB"),
    ("a boundary that is not closed", "multipart/form-data; boundary=\"B"),
    ("a boundary under another name", "multipart/form-data; boundaries=B"),
    ("a boundary of dashes alone", "multipart/form-data; boundary=\"--\""),
];

/// What the first place with the one text has instead.
const BROKEN: &[(&str, [&str; 2])] = &[
    ("without its end", ["\r\n--B--\r\n", ""]),
    ("with half of its end", ["\r\n--B--\r\n", "\r\n--B-\r\n"]),
    ("with the end of another", ["\r\n--B--\r\n", "\r\n--C--\r\n"]),
    ("with its end in the middle of a line", ["\r\n--B--\r\n", "--B--\r\n"]),
    ("that ends before the poster", ["\r\n--B\r\n", "\r\n--B--\r\n"]),
    ("that never begins", ["--B\r\nContent", "Content"]),
    ("without an empty line", ["\"request\"\r\n\r\n", "\"request\"\r\n"]),
    ("with an empty line of returns", ["\"request\"\r\n\r\n", "\"request\"\r\r"]),
    ("with an empty line too early", ["--B\r\nContent", "--B\r\n\r\nContent"]),
    ("with a header that is no header", ["--B\r\nContent-Disposition:", "--B\r\nContent-Disposition"]),
    ("with a space in a header's name", ["--B\r\nContent-Disposition:", "--B\r\nContent Disposition:"]),
    ("with a space before a colon", ["--B\r\nContent-Disposition:", "--B\r\nContent-Disposition :"]),
    ("with a NUL in a header's name", ["--B\r\nContent-Disposition:", "--B\r\nContent\0Disposition:"]),
    ("with a header in full width", ["--B\r\nContent-Disposition:", "--B\r\nＣontent-Disposition:"]),
    ("with a header of no name", ["--B\r\nContent-Disposition:", "--B\r\n:"]),
    (
        "with a part twice",
        ["--B\r\n", "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--B\r\n"],
    ),
    (
        "with a poster twice",
        ["--B\r\n", "--B\r\nContent-Disposition: form-data; name=\"thumbnail\"\r\n\r\n\r\n--B\r\n"],
    ),
    ("with the name of the other part", ["\"thumbnail\"", "\"request\""]),
];

/// Headers by which a part is not the poster.
const NAMES: &[(&str, &str)] = &[
    ("without disposition", "Content-Type: image/png"),
    ("without name", "Content-Disposition: form-data; filename=\"thumbnail\""),
    ("with an empty name", "Content-Disposition: form-data; name=\"\""),
    ("with a name in another case", "Content-Disposition: form-data; name=\"Thumbnail\""),
    ("with a name of an array", "Content-Disposition: form-data; name=\"thumbnail[]\""),
    ("with a name and a space", "Content-Disposition: form-data; name=\"thumbnail \""),
    ("with a name in percents", "Content-Disposition: form-data; name=\"%74humbnail\""),
    ("with a name in an encoded word", "Content-Disposition: form-data; name=\"=?utf-8?B?dGh1bWJuYWls?=\""),
    ("with an extended name", "Content-Disposition: form-data; name*=utf-8''thumbnail"),
    ("with a continued name", "Content-Disposition: form-data; name*0=\"thumb\"; name*1=\"nail\""),
    ("with a name of a path", "Content-Disposition: form-data; name=\"../thumbnail\""),
    ("with a name in full width", "Content-Disposition: form-data; name=\"ｔhumbnail\""),
    ("with a name that is not closed", "Content-Disposition: form-data; name=\"thumbnail"),
    ("named by another header", "X-Content-Disposition: form-data; name=\"thumbnail\""),
];

/// Lines that are no headers, or hold what no header may.
const HEADERS: &[(&str, &str)] = &[
    ("a NUL in a header", "X-A: a\0b"),
    ("a deletion in a header", "X-A: a\u{7f}b"),
    ("an escape in a header", "X-A: \u{1b}[2J"),
    ("a line that is no header", "no header"),
    ("a header in brackets", "<X>: a"),
    ("a header that is folded", "X-A: a\n b"),
    ("a return in a header", "X-A: a\rX-B: b"),
];

const FILES: &[(&str, &str)] = &[
    ("of a path upwards", "filename=\"../../../../etc/passwd\""),
    ("of a path upwards on Windows", "filename=\"..\\..\\windows\\win.ini\""),
    ("of a path in percents", "filename=\"..%2f..%2fetc%2fpasswd\""),
    ("of a path in percents twice", "filename=\"..%252f..%252fetc\""),
    ("of a path in overlong percents", "filename=\"..%c0%af..%c0%afetc\""),
    ("of a path from the root", "filename=\"/etc/cron.d/a\""),
    ("of a path from a drive", "filename=\"C:\\inetpub\\wwwroot\\a.aspx\""),
    ("of a path on a server", "filename=\"\\\\evil.example\\share\\a\""),
    ("of a path with other slashes", "filename=\"..\u{2215}..\u{2044}..\u{ff0f}a\""),
    ("of dots that are one character", "filename=\"\u{2025}/\u{2024}\u{2024}/a\""),
    ("of two dots", "filename=\"..\""),
    ("with a NUL in percents", "filename=\"a.php%00.png\""),
    ("with a line in percents", "filename=\"a%0d%0aSet-Cookie: b=c\""),
    ("with a line in the header", "filename=\"a\nX-Injected: b\""),
    ("of a page", "filename=\"a.html\""),
    ("of two extensions", "filename=\"a.php.png\""),
    ("of a stream", "filename=\"a.png::$DATA\""),
    ("of a setting", "filename=\".htaccess\""),
    ("of a device", "filename=\"CON\""),
    ("of markup", "filename=\"<img src=x onerror=alert(1)>.png\""),
    ("of an attribute", "filename=\"a\\\" onload=\\\"alert(1).png\""),
    ("of a command", "filename=\"$(touch a);`b`|c.png\""),
    ("the other way round", "filename=\"a\u{202e}gnp.exe\""),
    ("of nothing", "filename=\"\""),
    ("of nothing to be seen", "filename=\"\u{200b}\u{feff}\""),
    ("that is extended", "filename*=UTF-8''..%2F..%2Fa.html"),
    ("that is extended in UTF-7", "filename*=UTF-7''+AC4ALgAv-a"),
    ("that is there twice", "filename=\"a.png\"; filename=\"../../a.html\""),
    ("that is continued", "filename*0=\"../\"; filename*1=\"a.html\""),
    ("in an encoded word", "filename=\"=?utf-8?B?Li4vLi4vYQ==?=\""),
    ("of a poster of another", "filename=\"00000000-0000-7000-8000-000000000000.png\""),
];

/// Headers of a poster that say what it is not.
const TYPES: &[(&str, &str)] = &[
    ("as a page", "Content-Type: text/html"),
    ("as a drawing", "Content-Type: image/svg+xml"),
    ("as a script", "Content-Type: text/javascript; charset=utf-7"),
    ("as a form", "Content-Type: multipart/mixed; boundary=B"),
    ("of a length that is not so", "Content-Length: 0"),
    ("that is said to be compressed", "Content-Encoding: gzip"),
    ("of another place", "Content-Location: https://evil.example/"),
    ("in 8 bits", "Content-Transfer-Encoding: 8bit"),
    ("with characters beyond ASCII", "X-A: 가"),
];
