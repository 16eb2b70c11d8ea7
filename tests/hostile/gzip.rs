//! Compressed parts: bombs, damaged members and hostile headers of gzip.

use tests::{form::Form, sample};

use crate::{
    case::Case,
    service::{assert_accepted, assert_rejected},
};

/// Length of a gzip header without optional fields.
const HEADER: usize = 10;

fn case(part: impl Into<Vec<u8>>, code: &'static str) -> Case {
    Case::create_with(&Form::new().part(sample::GZIP_REQUEST, part).part(sample::THUMBNAIL, sample::POSTER), code)
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_gzip_is_rejected() {
    let event = sample::event().to_string();
    let member = sample::gzip(event.as_bytes());
    let bomb = sample::gzip(&vec![b' '; 200_000_000]);
    let header = |flags: u8, more: &[u8]| [&[0x1F, 0x8B, 8, flags, 0, 0, 0, 0, 0, 255][..], more].concat();
    let declared_as_two_bytes = [&bomb[..bomb.len() - 4], &2_u32.to_le_bytes()].concat();
    // A stored block of no bytes, and blocks with fixed codes that end at once.
    let empty_blocks = [&[0, 0, 0, 0xFF, 0xFF], &[0x02, 0x08, 0x20, 0x80, 0x00]].map(|block| block.repeat(800_000));
    assert_rejected(&[
        case(bomb.clone(), "C_005"),
        case(declared_as_two_bytes, "C_005"),
        case(&bomb[..bomb.len() - 100], "C_005"),
        case(sample::gzip(&bomb), "C_002"),
        case(header(0, &empty_blocks[0]), "C_002"),
        case(header(0, &empty_blocks[1]), "C_002"),
        // A reserved type of a block, and a distance before the start.
        case(header(0, &[0x07; 100]), "C_002"),
        case(header(0, &[0x4B, 0x04, 0x82, 0x00]), "C_002"),
        // A name of 4 MB, and extra fields that do not end.
        case(header(8, &vec![b'a'; 4_000_000]), "C_002"),
        case(header(4, &[0xFF, 0xFF, 0]), "C_002"),
        // Reserved flags, and an unknown method.
        case([&[0x1F, 0x8B, 8, 0xE0][..], &member[4..]].concat(), "C_002"),
        case([&[0x1F, 0x8B, 7][..], &member[3..]].concat(), "C_002"),
        case([&[0x78, 0x9C][..], &member[HEADER..]].concat(), "C_002"),
        case(member.repeat(1_000), "C_002"),
        case(sample::gzip(&event.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>()), "C_002"),
        case(sample::gzip(b""), "C_002"),
    ])
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_gzip_is_accepted() {
    let with = |flags: u8, more: &[u8]| {
        let member = sample::gzip(sample::event().to_string().as_bytes());
        case([&[0x1F, 0x8B, 8, flags], &member[4..HEADER], more, &member[HEADER..]].concat(), "0")
    };
    // A file name, an extra field and a comment.
    assert_accepted(&[with(8, b"../../a.json\0"), with(4, b"\x02\0ab"), with(16, b"<script>\0")]).await;
}
