//! Forms: boundaries, part headers, encodings and file names.

use tests::{form::Form, sample};

use crate::{
    case::Case,
    service::{assert_accepted, assert_rejected},
};

const MEDIA_TYPE: &str = "multipart/form-data; boundary=B";
const DISPOSITION: &str = "Content-Disposition: form-data; name=\"thumbnail\"; filename=\"a.png\"";

/// Builds a form with these headers of the poster.
fn with_headers(headers: &str) -> Form {
    Form::new().part(sample::REQUEST, sample::event().to_string()).part(headers, sample::POSTER)
}

/// Builds a valid body in its simplest notation.
fn body() -> Vec<u8> {
    let request = "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n";
    let thumbnail = "\r\n--B\r\nContent-Disposition: form-data; name=\"thumbnail\"\r\n\r\n";
    let event = sample::event().to_string();
    [request.as_bytes(), event.as_bytes(), thumbnail.as_bytes(), sample::POSTER, b"\r\n--B--\r\n"].concat()
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_forms_are_rejected() {
    let event = sample::event().to_string();
    let lines = |line: &str, count: usize| with_headers(&(sample::THUMBNAIL.to_owned() + &line.repeat(count)));
    let request =
        |headers: &str, content: Vec<u8>| Form::new().part(headers, content).part(sample::THUMBNAIL, sample::POSTER);
    let encoded = |encoding: &str| {
        format!("Content-Disposition: form-data; name=\"request\"\nContent-Transfer-Encoding: {encoding}")
    };
    let long_lines: String = (0..17).map(|n| format!("\nX-{n}: {}", "a".repeat(1_017))).collect();
    let boundaries =
        BOUNDARIES.map(|boundary| Case::create(&format!("multipart/form-data{boundary}"), body(), "C_006"));
    let broken = BROKEN.iter().map(|[from, to]| {
        let whole = body();
        let at = whole.windows(from.len()).position(|window| window == from.as_bytes()).unwrap();
        Case::create(MEDIA_TYPE, [&whole[..at], to.as_bytes(), &whole[at + from.len()..]].concat(), "C_006")
    });
    let names = NAMES.split('|').map(|name| format!("Content-Disposition: form-data; {name}"));
    let others = ["Content-Type: image/png", "X-Content-Disposition: form-data; name=\"thumbnail\""].map(str::to_owned);
    let names = names.chain(others).map(|headers| with_headers(&headers));
    let headers = HEADERS.iter().map(|line| with_headers(&format!("{}\n{line}", sample::THUMBNAIL)));
    let nested = "Content-Disposition: form-data; name=\"files\"\nContent-Type: multipart/mixed; boundary=B";
    let extra = (0..99)
        .fold(sample::form(&sample::event()), |form, _| form.part("Content-Disposition: form-data; name=\"a\"", ""));
    let others = [
        Form::new().part(nested, body()),
        lines("\nX-A: a", 31),
        with_headers(&(sample::THUMBNAIL.to_owned() + &long_lines)),
        lines(&format!("\nX-A: {}", "a".repeat(4_000_000)), 1),
        extra,
    ];
    let forms = names.chain(headers).chain(others).map(|form| Case::create_with(&form, "C_006"));
    let bodies =
        ["", "--B--\r\n", &event, &"--B--\r\n".repeat(1_000)].map(|body| Case::create(MEDIA_TYPE, body, "C_006"));
    let not_json = [
        request(sample::REQUEST, event.encode_utf16().flat_map(u16::to_le_bytes).collect()),
        request(sample::REQUEST, [b"\xEF\xBB\xBF", event.as_bytes()].concat()),
        request(&encoded("base64"), b"eyJ0aXRsZSI6ImEifQ==".to_vec()),
        request(&encoded("quoted-printable"), b"{=22title=22:1}".to_vec()),
    ];
    let not_json = not_json.iter().map(|form| Case::create_with(form, "C_002"));
    assert_rejected(
        &boundaries.into_iter().chain(broken).chain(forms).chain(bodies).chain(not_json).collect::<Vec<_>>(),
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_forms_are_accepted() {
    let names = FILE_NAMES.map(|name| format!("Content-Disposition: form-data; name=\"thumbnail\"; {name}"));
    let headers = POSTER_HEADERS.map(|line| format!("{DISPOSITION}\n{line}"));
    let cases = names.iter().chain(&headers).map(|headers| Case::create_with(&with_headers(headers), "0"));
    assert_accepted(&cases.collect::<Vec<_>>()).await;
}

/// Parameters of the media type.
const BOUNDARIES: [&str; 6] = ["", "; boundary=", "; boundary=b", "; boundary=BB", "; boundary=\"B", "; boundaries=B"];

/// Changes of a valid form: the second text replaces the first occurrence of the first one.
const BROKEN: [[&str; 2]; 12] = [
    ["\r\n--B--\r\n", ""],
    ["\r\n--B--\r\n", "\r\n--C--\r\n"],
    ["\r\n--B--\r\n", "--B--\r\n"],
    ["\r\n--B\r\n", "\r\n--B--\r\n"],
    ["--B\r\nContent", "Content"],
    ["\"request\"\r\n\r\n", "\"request\"\r\n"],
    ["\"request\"\r\n\r\n", "\"request\"\r\r"],
    ["Content-Disposition:", "Content-Disposition"],
    ["Content-Disposition:", "Content-Disposition :"],
    ["Content-Disposition:", "Content\0Disposition:"],
    ["--B\r\n", "--B\r\nContent-Disposition: form-data; name=\"request\"\r\n\r\n{}\r\n--B\r\n"],
    ["\"thumbnail\"", "\"request\""],
];

/// Headers that do not name the part `thumbnail`, after `Content-Disposition: form-data; `.
const NAMES: &str = "filename=\"thumbnail\"|name=\"Thumbnail\"|name=\"thumbnail[]\"|name=\"%74humbnail\"\
    |name*=utf-8''thumbnail|name=\"thumbnail";

/// Invalid header lines of a part.
const HEADERS: [&str; 5] = ["X-A: a\0b", "X-A: \u{1b}[2J", "no header", "X-A: a\n b", "X-A: a\rX-B: b"];

const FILE_NAMES: [&str; 14] = [
    "filename=\"../../../../etc/passwd\"",
    "filename=\"..\\..\\windows\\win.ini\"",
    "filename=\"..%2f..%2fetc%2fpasswd\"",
    "filename=\"/etc/cron.d/a\"",
    "filename=\"C:\\inetpub\\wwwroot\\a.aspx\"",
    "filename=\"a.php%00.png\"",
    "filename=\"a\nX-Injected: b\"",
    "filename=\"a.php.png\"",
    "filename=\"<img src=x onerror=alert(1)>.png\"",
    "filename=\"$(touch a);`b`|c.png\"",
    "filename=\"a\u{202e}gnp.exe\"",
    "filename=\"\"",
    "filename*=UTF-8''..%2F..%2Fa.html",
    "filename=\"a.png\"; filename=\"../../a.html\"",
];

/// Headers that do not match the poster.
const POSTER_HEADERS: [&str; 5] = [
    "Content-Type: text/html",
    "Content-Type: image/svg+xml",
    "Content-Length: 0",
    "Content-Encoding: gzip",
    "Content-Transfer-Encoding: 8bit",
];
