//! Posters: structures with a wrong length, decompression bombs, and files of two formats at once.

use img_parts::png::PngChunk;
use tests::corpus;

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

const MAX: usize = 4 * 1024 * 1024;
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

#[tokio::test(flavor = "multi_thread")]
async fn hostile_posters_are_rejected() {
    assert_rejected(&rejected(), 159).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hostile_replacements_are_rejected() {
    assert_rejected(&rejected().into_iter().map(Case::into_replacement).collect::<Vec<_>>(), 159).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_posters_are_accepted() {
    assert_accepted(&accepted(), 63).await;
}

fn rejected() -> Vec<Case> {
    let of = |format: &'static str, images: Vec<(&'static str, Vec<u8>)>| {
        images.into_iter().map(move |(name, image)| Case::poster(format!("{format} {name}"), image, "C_007"))
    };
    let mut cases: Vec<Case> = of("PNG", pngs()).chain(of("GIF", gifs())).chain(of("JPEG", jpegs())).collect();
    cases.extend(of("WebP", webps()));
    cases
        .extend(table(OTHERS, "C_007", |name, file, code| Case::poster(format!("poster {name}"), file.to_vec(), code)));
    cases.extend(
        corpus("images/refused")
            .into_iter()
            .map(|(file, image)| Case::poster(format!("poster {file}"), image, "C_007")),
    );
    cases.extend([
        Case::poster("poster of 4 MiB of zeros", vec![0; MAX], "C_007"),
        Case::poster("poster one byte too large", vec![0; MAX + 1], "C_005"),
    ]);
    cases
}

fn accepted() -> Vec<Case> {
    let files = corpus("images/polyglots").into_iter().chain(corpus("images/accepted"));
    let mut cases: Vec<_> = files.map(|(file, image)| Case::poster(format!("poster {file}"), image, "0")).collect();
    cases.extend(bombs().into_iter().map(|(name, image)| Case::poster(name, image, "0")));
    cases
}

/// Returns images that decompress to huge sizes or have very many parts. The service never decompresses them.
fn bombs() -> Vec<(&'static str, Vec<u8>)> {
    let frames = [&gif_screen(1, 1)[..], &gif_frame(1, 1).repeat(200_000), b";"].concat();
    let chunks = png(&[header(1, 1), chunk(*b"tEXt", b"").repeat(200_000), data(), end()]);
    let scans = jpeg(&[frame(1, 1), [scan(), segment(0xFE, b"")].concat().repeat(100_000)]);
    let exif = webp(&[vp8(1, 1), riff(*b"EXIF", b"").repeat(200_000)]);
    vec![
        ("PNG of a hundred million pixels in nine bytes", png(&[header(10_000, 10_000), data(), end()])),
        ("PNG of 200,000 empty chunks", chunks),
        ("PNG with a decompression bomb as text", png(&[header(1, 1), chunk(*b"zTXt", &bomb()), data(), end()])),
        ("PNG with a decompression bomb as profile", png(&[header(1, 1), chunk(*b"iCCP", &bomb()), data(), end()])),
        ("GIF of 200,000 frames", frames),
        ("GIF of a hundred million pixels", [&gif_screen(10_000, 10_000)[..], &gif_frame(1, 1), b";"].concat()),
        ("JPEG of 100,000 scans", scans),
        ("JPEG of 4 MB of fill bytes", jpeg(&[frame(1, 1), scan(), vec![0xFF; 4_000_000]])),
        ("WebP of 200,000 empty chunks", exif),
    ]
}

/// Returns a name, and compressed data that claims to be a gigabyte of the same byte.
fn bomb() -> Vec<u8> {
    [b"a\0\0\x78\xDA\xEC\xC1\x01\x01".as_slice(), &vec![0; 60_000]].concat()
}

fn chunk(kind: [u8; 4], contents: &[u8]) -> Vec<u8> {
    PngChunk::new(kind, contents.to_vec().into()).encoder().bytes().to_vec()
}

/// Builds a chunk with a wrong length or checksum.
fn bad_chunk(kind: [u8; 4], contents: &[u8], length: u32, checksum_off_by: u8) -> Vec<u8> {
    let mut chunk = chunk(kind, contents);
    chunk[..4].copy_from_slice(&length.to_be_bytes());
    *chunk.last_mut().unwrap() ^= checksum_off_by;
    chunk
}

fn header(width: u32, height: u32) -> Vec<u8> {
    header_of(width, height, [8, 0, 0, 0, 0])
}

fn header_of(width: u32, height: u32, rest: [u8; 5]) -> Vec<u8> {
    chunk(*b"IHDR", &[&width.to_be_bytes()[..], &height.to_be_bytes(), &rest].concat())
}

fn data() -> Vec<u8> {
    chunk(*b"IDAT", &[0; 9])
}

fn end() -> Vec<u8> {
    chunk(*b"IEND", b"")
}

fn png(chunks: &[Vec<u8>]) -> Vec<u8> {
    [SIGNATURE, &chunks.concat()].concat()
}

fn pngs() -> Vec<(&'static str, Vec<u8>)> {
    let one = || header(1, 1);
    let of_header = |rest| png(&[header_of(1, 1, rest), data(), end()]);
    vec![
        ("of the largest width", png(&[header(i32::MAX.cast_unsigned(), 1), data(), end()])),
        ("of the largest height", png(&[header(1, u32::MAX), data(), end()])),
        ("one pixel too wide", png(&[header(10_001, 10_000), data(), end()])),
        ("of zero width", png(&[header(0, 1), data(), end()])),
        ("of three bits", of_header([3, 0, 0, 0, 0])),
        ("of 16 bits in a palette", of_header([16, 3, 0, 0, 0])),
        ("of an unknown color type", of_header([8, 5, 0, 0, 0])),
        ("of an unknown compression", of_header([8, 0, 1, 0, 0])),
        ("of an unknown filter", of_header([8, 0, 0, 1, 0])),
        ("of an unknown interlacing", of_header([8, 0, 0, 0, 2])),
        ("with a short header", png(&[chunk(*b"IHDR", &[1; 12]), data(), end()])),
        ("with a long header", png(&[chunk(*b"IHDR", &[1; 14]), data(), end()])),
        ("with a chunk before its header", png(&[chunk(*b"CgBI", b"a"), one(), data(), end()])),
        ("with data that claims four gigabytes", png(&[one(), bad_chunk(*b"IDAT", b"a", u32::MAX, 0), end()])),
        ("with data that claims two gigabytes", png(&[one(), bad_chunk(*b"IDAT", b"a", 0x7FFF_FFFF, 0), end()])),
        ("with data that claims a byte more", png(&[one(), bad_chunk(*b"IDAT", b"a", 2, 0), end()])),
        ("with data that claims a byte less", png(&[one(), bad_chunk(*b"IDAT", b"ab", 1, 0), end()])),
        ("with a wrong checksum of its header", png(&[bad_chunk(*b"IHDR", &[1; 13], 13, 1), data(), end()])),
        ("with a wrong checksum of its data", png(&[one(), bad_chunk(*b"IDAT", b"a", 1, 1), end()])),
        ("with a wrong checksum of its end", png(&[one(), data(), bad_chunk(*b"IEND", b"", 0, 1)])),
        (
            "with a wrong checksum of a page in it",
            png(&[one(), bad_chunk(*b"tEXt", b"a\0<script>", 10, 1), data(), end()]),
        ),
        ("with empty data", png(&[one(), chunk(*b"IDAT", b""), end()])),
        ("with its end first", png(&[end(), one(), data()])),
        ("with its end before its data", png(&[one(), end(), data(), end()])),
        ("without end", png(&[one(), data()])),
        ("with a page instead of data", png(&[one(), b"<script>alert(1)</script>".to_vec()])),
        ("without carriage returns", png(&[one(), data(), end()]).replace_first(b"\r\n", b"\n")),
        ("with a truncated PNG in its data", png(&[one(), bad_chunk(*b"IDAT", &png(&[one(), data(), end()]), 999, 0)])),
    ]
}

/// Replacement of the first occurrence of some bytes.
trait ReplaceFirst {
    fn replace_first(self, from: &[u8], to: &[u8]) -> Self;
}

impl ReplaceFirst for Vec<u8> {
    fn replace_first(self, from: &[u8], to: &[u8]) -> Self {
        let at = self.windows(from.len()).position(|window| window == from).unwrap();
        [&self[..at], to, &self[at + from.len()..]].concat()
    }
}

fn gif_screen(width: u16, height: u16) -> Vec<u8> {
    [b"GIF89a".as_slice(), &width.to_le_bytes(), &height.to_le_bytes(), b"\x80\0\0", &[0; 6]].concat()
}

fn gif_frame(width: u16, height: u16) -> Vec<u8> {
    [b",\0\0\0\0".as_slice(), &width.to_le_bytes(), &height.to_le_bytes(), b"\0\x02\x02\x4C\x01\0"].concat()
}

fn gifs() -> Vec<(&'static str, Vec<u8>)> {
    let gif = |blocks: &[&[u8]]| [gif_screen(1, 1), blocks.concat()].concat();
    let frame = gif_frame(1, 1);
    vec![
        ("of a script and no image", b"GIF89a/*\0\0\0\0\0*/=1;alert(1)//;".to_vec()),
        ("of a script instead of a screen", b"GIF89a=1;alert(document.domain)".to_vec()),
        ("of a page after its name", b"GIF89a<!DOCTYPE html><script>alert(1)</script>".to_vec()),
        ("of an unknown version", [b"GIF88a".as_slice(), &gif(&[&frame, b";"])[6..]].concat()),
        ("of the largest screen", [&gif_screen(u16::MAX, u16::MAX)[..], &frame, b";"].concat()),
        ("of an empty screen", [&gif_screen(0, 0)[..], &frame, b";"].concat()),
        ("of a frame beyond its screen", gif(&[&gif_frame(2, 2), b";"])),
        ("of the largest frame", gif(&[&gif_frame(u16::MAX, u16::MAX), b";"])),
        ("of frames without end", gif(&[&frame.repeat(200_000)])),
        ("of no frame", gif(&[b";"])),
        ("of a comment without end", gif(&[b"!\xFE\xFFa"])),
        ("of a comment of a page", gif(&[b"!\xFE\x19<script>alert(1)</script>\0;"])),
        ("with an unknown block", gif(&[&frame, b"?;"])),
        ("with a frame truncated in its data", gif(&[&frame[..12]])),
        ("with a frame truncated before its end", gif(&[&frame[..frame.len() - 1]])),
        ("of an application without data", gif(&[b"!\xFF\x0BNETSCAPE2.0"])),
        ("with a truncated palette", b"GIF89a\x01\0\x01\0\xF7\0\0aaa".to_vec()),
    ]
}

fn segment(marker: u8, contents: &[u8]) -> Vec<u8> {
    let length = u16::try_from(contents.len() + 2).unwrap();
    [&[0xFF, marker], &length.to_be_bytes()[..], contents].concat()
}

fn frame(width: u16, height: u16) -> Vec<u8> {
    let ([w0, w1], [h0, h1]) = (width.to_be_bytes(), height.to_be_bytes());
    segment(0xC0, &[8, h0, h1, w0, w1, 1, 1, 0x11, 0])
}

fn scan() -> Vec<u8> {
    [segment(0xDA, &[1, 1, 0, 0, 63, 0]), vec![0x2A]].concat()
}

fn jpeg(parts: &[Vec<u8>]) -> Vec<u8> {
    [b"\xFF\xD8".as_slice(), &parts.concat(), b"\xFF\xD9"].concat()
}

fn jpegs() -> Vec<(&'static str, Vec<u8>)> {
    let page = b"<script>alert(1)</script>";
    let inner = jpeg(&[frame(1, 1), scan()]);
    vec![
        ("of only its start and end", jpeg(&[])),
        ("of a page after its start", [b"\xFF\xD8\xFF".as_slice(), page].concat()),
        ("of a page in a comment", jpeg(&[segment(0xFE, page)])),
        ("of another JPEG in a segment", jpeg(&[segment(0xE1, &inner)])),
        ("of the largest sides", jpeg(&[frame(u16::MAX, u16::MAX), scan()])),
        ("with its height after the scan", jpeg(&[frame(1, 0), scan(), segment(0xDC, &[0, 1])])),
        ("of zero width", jpeg(&[frame(0, 1), scan()])),
        ("of a second frame too wide", jpeg(&[frame(1, 1), frame(10_001, 1), scan()])),
        ("of a scan before its frame", jpeg(&[scan(), frame(1, 1)])),
        ("without scan", jpeg(&[frame(1, 1)])),
        ("of a segment without length", jpeg(&[b"\xFF\xE0\0\0".to_vec(), frame(1, 1), scan()])),
        ("of a segment of length one", jpeg(&[b"\xFF\xE0\0\x01".to_vec(), frame(1, 1), scan()])),
        ("of a segment beyond its end", jpeg(&[frame(1, 1), b"\xFF\xE0\xFF\xFF".to_vec()])),
        ("of two starts", jpeg(&[b"\xFF\xD8".to_vec(), frame(1, 1), scan()])),
        ("of a scan without end", [b"\xFF\xD8".as_slice(), &frame(1, 1), &scan(), &[0; 9]].concat()),
        ("of 4 MB of fill bytes", [b"\xFF\xD8".as_slice(), &vec![0xFF; 4_000_000]].concat()),
        (
            "of 4 MB of stuffed bytes",
            [b"\xFF\xD8".as_slice(), &frame(1, 1), &scan(), &b"\xFF\0".repeat(2_000_000)].concat(),
        ),
        (
            "of 4 MB of restarts",
            [b"\xFF\xD8".as_slice(), &frame(1, 1), &scan(), &b"\xFF\xD0".repeat(2_000_000)].concat(),
        ),
    ]
}

fn riff(kind: [u8; 4], contents: &[u8]) -> Vec<u8> {
    let size = u32::try_from(contents.len()).unwrap();
    [&kind, &size.to_le_bytes()[..], contents, &[0][..contents.len() % 2]].concat()
}

fn vp8(width: u16, height: u16) -> Vec<u8> {
    let ([w0, w1], [h0, h1]) = (width.to_le_bytes(), height.to_le_bytes());
    riff(*b"VP8 ", &[0, 0, 0, 0x9D, 0x01, 0x2A, w0, w1, h0, h1])
}

fn webp(chunks: &[Vec<u8>]) -> Vec<u8> {
    riff(*b"RIFF", &[b"WEBP".as_slice(), &chunks.concat()].concat())
}

/// Builds a WebP image whose header states this size.
fn webp_sized(size: u32) -> Vec<u8> {
    let mut webp = webp(&[vp8(1, 1)]);
    webp[4..8].copy_from_slice(&size.to_le_bytes());
    webp
}

fn webps() -> Vec<(&'static str, Vec<u8>)> {
    let animation = |contents: &[u8]| riff(*b"ANMF", &[&[0; 16], contents].concat());
    let in_animation = |times: usize| (0..times).fold(vp8(1, 1), |inner, _| animation(&inner));
    let canvas = |size: [u8; 6]| riff(*b"VP8X", &[&[0; 4], &size[..]].concat());
    vec![
        ("of size zero", webp_sized(0)),
        ("of size three", webp_sized(3)),
        ("of only its name", webp_sized(4)),
        ("of size four gigabytes", webp_sized(u32::MAX)),
        ("of a size one byte too large", webp_sized(23)),
        ("of the largest canvas", webp(&[canvas([0xFF; 6]), vp8(1, 1)])),
        ("of the largest image", webp(&[vp8(0x3FFF, 0x3FFF)])),
        ("of zero width", webp(&[vp8(0, 1)])),
        ("with an invalid start code", webp(&[riff(*b"VP8 ", b"\0\0\0\x9D\x01\x2B\x01\0\x01\0")])),
        ("of a truncated lossless image", webp(&[riff(*b"VP8L", b"\x2F\0")])),
        ("of only a canvas", webp(&[canvas([0; 6])])),
        ("of a truncated animation", webp(&[canvas([0; 6]), riff(*b"ANMF", &[0; 15])])),
        ("of animations in animations", webp(&[canvas([0; 6]), in_animation(1_000)])),
        ("of a chunk beyond its end", webp(&[b"EXIF\xFF\xFF\xFF\xFF".to_vec(), vp8(1, 1)])),
        ("with a page as its chunk", webp(&[b"VP8<script>alert(1)</script>".to_vec()])),
        ("of sound", riff(*b"RIFF", &[b"WAVE".as_slice(), &vp8(1, 1)].concat())),
        ("in big-endian", [b"RIFX".as_slice(), &webp(&[vp8(1, 1)])[4..]].concat()),
    ]
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
