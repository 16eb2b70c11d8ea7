//! Posters: structures with a wrong length, huge sides, and files of two formats at once.

use tests::corpus;

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

const MAX: usize = 4 * 1024 * 1024;
const PNG_END: &[u8] = b"\0\0\0\0IEND\xAE\x42\x60\x82";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_posters_are_rejected() {
    assert_rejected(&rejected(), 110).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_replacements_are_rejected() {
    assert_rejected(&rejected().into_iter().map(Case::into_replacement).collect::<Vec<_>>(), 110).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_posters_are_accepted() {
    let files = corpus("images/polyglots").into_iter().chain(corpus("images/accepted"));
    let cases: Vec<_> = files.map(|(file, image)| Case::poster(format!("poster {file}"), image, "0")).collect();
    assert_accepted(&cases, 50).await;
}

fn rejected() -> Vec<Case> {
    let mut cases =
        table(OTHERS, "C_007", |name, file, code| Case::poster(format!("poster {name}"), file.to_vec(), code));
    let files = images().into_iter().chain(corpus("images/refused"));
    cases.extend(files.map(|(name, image)| Case::poster(format!("poster {name}"), image, "C_007")));
    cases.extend([
        Case::poster("poster of 4 MiB of zeros", vec![0; MAX], "C_007"),
        Case::poster("poster one byte too large", vec![0; MAX + 1], "C_005"),
    ]);
    cases
}

/// Returns images with an impossible size, a wrong length, or without their end.
fn images() -> Vec<(String, Vec<u8>)> {
    let segment = |marker: u8, contents: &[u8]| {
        let length = u16::try_from(contents.len() + 2).unwrap();
        [&[0xFF, marker], &length.to_be_bytes()[..], contents].concat()
    };
    let frame = segment(0xC0, &[8, 0, 1, 0, 1, 1, 1, 0x11, 0]);
    let scan = segment(0xDA, &[1, 1, 0, 0, 63, 0]);
    let jpeg = |parts: &[&[u8]]| [b"\xFF\xD8".as_slice(), &parts.concat(), b"\xFF\xD9"].concat();
    let whole = jpeg(&[&frame, &scan]);
    let page = b"<script>alert(1)</script>";

    let cases = [
        ("PNG of the largest width", png(i32::MAX.cast_unsigned(), 1, PNG_END)),
        ("PNG of the largest sides", png(u32::MAX, u32::MAX, PNG_END)),
        ("PNG of too many pixels", png(10_000, 4_001, PNG_END)),
        ("PNG of zero width", png(0, 1, PNG_END)),
        ("PNG without end", png(1, 1, b"\0\0\0\x01IDATa\0\0\0\0")),
        ("PNG with a page instead of data", png(1, 1, page)),
        ("GIF of a script and no image", b"GIF89a/*\0\0\0\0\0*/=1;alert(1)//;".to_vec()),
        ("GIF of a page after its name", b"GIF89a<!DOCTYPE html><script>alert(1)</script>".to_vec()),
        ("GIF of the largest screen", gif(u16::MAX, u16::MAX, b"\0;")),
        ("GIF of an empty screen", gif(0, 0, b"\0;")),
        ("GIF without trailer", gif(1, 1, b"\0")),
        ("GIF before a page", gif(1, 1, b"\0;<script>alert(1)</script>")),
        ("JPEG of only its start and end", jpeg(&[])),
        ("JPEG of a page after its start", [b"\xFF\xD8\xFF".as_slice(), page].concat()),
        ("JPEG of a page in a comment", jpeg(&[&segment(0xFE, page)])),
        ("JPEG of another JPEG in a segment", jpeg(&[&segment(0xE1, &whole)])),
        ("JPEG with its height after the scan", jpeg(&[&segment(0xC0, &[8, 0, 0, 0, 1]), &scan])),
        ("JPEG without scan", jpeg(&[&frame])),
        ("JPEG without end", whole[..whole.len() - 2].to_vec()),
        ("JPEG of a segment without length", jpeg(&[b"\xFF\xE0\0\0", &frame, &scan])),
        ("JPEG of a segment of length one", jpeg(&[b"\xFF\xE0\0\x01", &frame, &scan])),
        ("JPEG of many starts", b"\xFF\xD8".repeat(MAX / 2)),
        ("JPEG of many empty segments", [b"\xFF\xD8".as_slice(), &b"\xFF\xE0\0\x02".repeat(1_000_000)].concat()),
        ("JPEG of 4 MB of fill bytes", [b"\xFF\xD8".as_slice(), &vec![0xFF; 4_000_000]].concat()),
        ("WebP of size four gigabytes", webp(u32::MAX, b"VP8 \x0A\0\0\0\0\0\0\x9D\x01\x2A\x01\0\x01\0")),
        ("WebP of a size one byte too large", webp(23, b"VP8 \x0A\0\0\0\0\0\0\x9D\x01\x2A\x01\0\x01\0")),
        ("WebP of the largest canvas", webp(22, b"VP8X\x0A\0\0\0\0\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF")),
        ("WebP of zero width", webp(22, b"VP8 \x0A\0\0\0\0\0\0\x9D\x01\x2A\0\0\x01\0")),
        ("WebP of only its name", webp(4, b"")),
        ("WebP with a page as its chunk", webp(29, b"VP8<script>alert(1)</script>")),
        ("WebP in big-endian", [b"RIFX".as_slice(), &webp(14, b"VP8L\x05\0\0\0\x2F\0\0\0\0\0")[4..]].concat()),
    ];
    cases.map(|(name, image)| (name.to_owned(), image)).into()
}

fn png(width: u32, height: u32, rest: &[u8]) -> Vec<u8> {
    let header = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR";
    [header, &width.to_be_bytes()[..], &height.to_be_bytes(), b"\x08\0\0\0\0\0\0\0\0", rest].concat()
}

fn gif(width: u16, height: u16, rest: &[u8]) -> Vec<u8> {
    [b"GIF89a", &width.to_le_bytes()[..], &height.to_le_bytes(), b"\0\0\0", rest].concat()
}

fn webp(size: u32, chunks: &[u8]) -> Vec<u8> {
    [b"RIFF", &size.to_le_bytes()[..], b"WEBP", chunks].concat()
}

/// Files that are not images of an accepted format.
const OTHERS: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("of one byte", b"\x89"),
    ("of a drawing", b"<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>"),
    ("of a drawing after an XML declaration", b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\"/>"),
    ("of entities", b"<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><svg>&b;</svg>"),
    ("of a page", b"<!DOCTYPE html><script>alert(1)</script>"),
    ("of a page before an image", b"<html>\x89PNG\r\n\x1A\n"),
    ("of a script", b"alert(1)"),
    ("of PHP", b"<?php system($_GET['a']); ?>"),
    ("of a shell", b"#!/bin/sh\nls\n"),
    ("of a program", b"\x7FELF\x02\x01\x01\0"),
    ("of a program for Windows", b"MZ\x90\0\x03\0\0\0"),
    ("of Java", b"\xCA\xFE\xBA\xBE\0\0\0\x34"),
    ("of a module", b"\0asm\x01\0\0\0"),
    ("of Flash", b"FWS\x09\x20\0\0\0"),
    ("of an archive", b"PK\x03\x04\x14\0\0\0"),
    ("of an empty archive", b"PK\x05\x06\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"),
    ("of a tar archive", b"a\0\0\0ustar\x0000"),
    ("that is compressed", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
    ("that is compressed by zstd", b"\x28\xB5\x2F\xFD\x04\0"),
    ("of PDF", b"%PDF-1.7\n1 0 obj<</OpenAction<</S/JavaScript/JS(app.alert(1))>>>>"),
    ("of PostScript", b"%!PS\n(%pipe%ls) (r) file"),
    ("of ImageMagick", b"push graphic-context\nfill 'url(https://evil.example/\"|ls\")'\npop graphic-context"),
    ("of a bitmap", b"BM\x3A\0\0\0\0\0\0\0"),
    ("of an icon", b"\0\0\x01\0\x01\0\x01\x01"),
    ("of TIFF", b"II*\0\x08\0\0\0"),
    ("of AVIF", b"\0\0\0\x1Cftypavif\0\0\0\0"),
    ("of HEIF", b"\0\0\0\x18ftypheic\0\0\0\0"),
    ("of JPEG XL", b"\xFF\x0A\0\0"),
    ("of JPEG 2000", b"\0\0\0\x0CjP  \r\n\x87\n"),
    ("of Photoshop", b"8BPS\0\x01\0\0"),
    ("of a video", b"\0\0\0\x18ftypmp42\0\0\0\0"),
    ("of MNG", b"\x8AMNG\r\n\x1A\n"),
    ("of PNG after a byte order mark", b"\xEF\xBB\xBF\x89PNG\r\n\x1A\n"),
    ("of PNG after a space", b" \x89PNG\r\n\x1A\n"),
    ("of PNG in UTF-8", "\u{89}PNG\r\n\u{1A}\n".as_bytes()),
    ("of GIF in another case", b"gif89a\x01\0\x01\0\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02\x4C\x01\0;"),
    ("of only a signature", b"\x89PNG\r\n\x1A\n"),
    ("of a data URL", b"data:image/png;base64,iVBORw0KGgo="),
    ("of base64", b"iVBORw0KGgoAAAANSUhEUgAAAAEAAAAB"),
];
