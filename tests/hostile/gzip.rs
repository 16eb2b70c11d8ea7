//! Compressed parts: bombs, damaged members and hostile headers of gzip.

use tests::{form::Form, sample};

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

/// Maximum size of a part after inflating, in bytes.
const MAX_INFLATED: usize = 24 * 1024 * 1024;
const FIXED_HEADER: usize = 10;

#[tokio::test(flavor = "multi_thread")]
async fn hostile_gzip_is_rejected() {
    assert_rejected(&rejected(), 28).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_gzip_is_accepted() {
    assert_accepted(&accepted(), 7).await;
}

fn case(name: &str, part: Vec<u8>, code: &'static str) -> Case {
    let form = Form::new().part(sample::GZIP_REQUEST, part).part(sample::THUMBNAIL, sample::POSTER);
    Case::create(format!("gzip {name}"), &form, code)
}

fn rejected() -> Vec<Case> {
    let event = sample::event().to_string();
    let member = sample::gzip(event.as_bytes());
    let bomb = sample::gzip(&vec![b' '; 200_000_000]);
    let header = |flags: u8, more: &[u8]| [&[0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255][..], more].concat();
    let tail = |member: &[u8], declared: u32| {
        let size = member.len() - 4;
        [&member[..size], &declared.to_le_bytes()].concat()
    };
    let blocks = |block: &[u8]| [header(0, &[]), block.repeat(4_000_000 / block.len())].concat();
    let truncated = [1, 4, 8, 9, 100].map(|bytes| {
        case(&format!("without its last {bytes} bytes"), member[..member.len() - bytes].to_vec(), "C_002")
    });
    let declared =
        [0, 1, u32::MAX].map(|size| case(&format!("declared as {size} bytes"), tail(&member, size), "C_002"));
    [
        truncated.to_vec(),
        declared.to_vec(),
        vec![
            case("bomb", bomb.clone(), "C_005"),
            case("bomb declared as two bytes", tail(&bomb, 2), "C_005"),
            case("bomb without an end", bomb[..bomb.len() - 100].to_vec(), "C_005"),
            case("bomb in gzip", sample::gzip(&bomb), "C_002"),
            case("of one byte too many", sample::gzip(&vec![b' '; MAX_INFLATED + 1]), "C_005"),
            case("of spaces up to the limit", sample::gzip(&vec![b' '; MAX_INFLATED]), "C_002"),
            // A stored block of no bytes, and blocks with fixed codes that end at once.
            case("of empty stored blocks", blocks(&[0, 0, 0, 0xFF, 0xFF]), "C_002"),
            case("of empty blocks of fixed codes", blocks(&[0x02, 0x08, 0x20, 0x80, 0x00]), "C_002"),
            case("of a reserved block type", blocks(&[0x07]), "C_002"),
            case("with a distance before its start", header(0, &[0x4B, 0x04, 0x82, 0x00]), "C_002"),
            case("with a name of 4 MB", header(8, &vec![b'a'; 4_000_000]), "C_002"),
            case("with extra fields of no end", header(4, &[0xFF, 0xFF, 0]), "C_002"),
            case("with reserved flags", [&[0x1F, 0x8B, 8, 0xE0][..], &member[4..]].concat(), "C_002"),
            case("of an unknown method", [&[0x1F, 0x8B, 7][..], &member[3..]].concat(), "C_002"),
            case("of only its header", member[..FIXED_HEADER].to_vec(), "C_002"),
            case("as a zlib stream", [&[0x78, 0x9C][..], &member[FIXED_HEADER..]].concat(), "C_002"),
            case("as zstd", b"\x28\xB5\x2F\xFD\x04\0".to_vec(), "C_002"),
            case("a thousand times", member.repeat(1_000), "C_002"),
            case(
                "of UTF-16",
                sample::gzip(&event.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()),
                "C_002",
            ),
            case("of nothing", sample::gzip(b""), "C_002"),
        ],
    ]
    .concat()
}

fn accepted() -> Vec<Case> {
    const TYPES: &[(&str, &str)] = &[
        ("in capitals", "Application/GZIP"),
        ("with a parameter", "application/gzip; charset=utf-16"),
        ("with space around", "\t application/gzip \t;"),
    ];
    let event = sample::event();
    let drawing = event["totalMap"].as_str().unwrap().to_owned();
    let returned = Some((drawing, sample::POSTER.to_vec()));
    let new_member = || sample::gzip(sample::event().to_string().as_bytes());
    let stored = {
        let json = sample::event().to_string();
        let size = u16::try_from(json.len()).unwrap();
        let member = sample::gzip(json.as_bytes());
        let end = &member[member.len() - 8..];
        let block = [&[1][..], &size.to_le_bytes(), &(!size).to_le_bytes(), json.as_bytes()].concat();
        [&member[..FIXED_HEADER], &block, end].concat()
    };
    let with_name = |flags: u8, more: &[u8]| {
        let member = new_member();
        [&[0x1F, 0x8B, 8, flags], &member[4..FIXED_HEADER], more, &member[FIXED_HEADER..]].concat()
    };
    let cases = [
        table(TYPES, "0", |name, media_type, code| {
            let headers = format!("Content-Disposition: form-data; name=\"request\"\nContent-Type: {media_type}");
            let form = Form::new().part(&headers, new_member()).part(sample::THUMBNAIL, sample::POSTER);
            Case::create(format!("gzip type {name}"), &form, code)
        }),
        vec![
            case("in a stored block", stored, "0"),
            case("with a file name", with_name(8, b"../../a.json\0"), "0"),
            case("with an extra field", with_name(4, b"\x02\0ab"), "0"),
            case("with a comment", with_name(16, b"<script>\0"), "0"),
        ],
    ];
    cases.concat().into_iter().map(|case| Case { returned: returned.clone(), ..case }).collect()
}
