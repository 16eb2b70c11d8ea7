//! JSON bodies: depth, names, numbers, encodings and invalid JSON.

use tests::sample;

use crate::{
    case::{Case, table},
    service::{assert_accepted, assert_rejected},
};

#[tokio::test(flavor = "multi_thread")]
async fn hostile_bodies_are_rejected() {
    assert_rejected(&rejected(), 156).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_bodies_are_accepted() {
    assert_accepted(&accepted(), 14).await;
}

fn rejected() -> Vec<Case> {
    let member = sample::member().to_string();
    let deep = |open: &str, close: &str, depth| format!("{{\"a\":{}{}}}", open.repeat(depth), close.repeat(depth));
    [
        table(NOT_JSON, "C_002", |name, body, code| Case::join(format!("body {name}"), body, code)),
        table(NOT_JSON_IN_EDIT, "C_002", |name, body, code| Case::edit(format!("edit {name}"), body, code)),
        table(BAD_VALUES, "C_002", |name, json, code| {
            Case::edit(format!("edit with {name}"), format!("{{\"unknown\":{json}}}"), code)
        }),
        table(NOT_UTF_8, "C_002", |name, text, code| {
            let body = [br#"{"name":""#, text, br#""}"#].concat();
            Case::join(format!("body in {name}"), body, code)
        }),
        table(SURROUNDED, "C_002", |name, [before, after], code| {
            Case::join(format!("body {name}"), format!("{before}{member}{after}"), code)
        }),
        table(BAD_VALUES, "C_002", |name, json, code| {
            Case::join(format!("body with {name}"), format!("{{\"unknown\":{json}}}"), code)
        }),
        table(BAD_FIELDS, "C_001", |name, body, code| Case::join(format!("member {name}"), body, code)),
        vec![
            Case::join("body in UTF-16, little-endian", utf_16(&member, u16::to_le_bytes), "C_002"),
            Case::join("body in UTF-16, big-endian", utf_16(&member, u16::to_be_bytes), "C_002"),
            Case::join("body in UTF-32", utf_32(&member), "C_002"),
            // Unknown fields are skipped, so only the known ones are missing.
            Case::join("body of a million levels of arrays", deep("[", "]", 1_000_000), "C_001"),
            Case::join(
                "body of 500,000 levels of objects",
                deep("{\"a\":", "}", 500_000).replace(":}", ":1}"),
                "C_001",
            ),
            Case::edit(
                "edit of a title of a million levels",
                deep("[", "]", 1_000_000).replace("\"a\"", "\"title\""),
                "C_001",
            ),
            Case::join("body of 4.7 MB of opening brackets", "[".repeat(4_700_000), "C_002"),
            Case::join("body of 4.7 MB of opening objects", "{\"a\":".repeat(940_000), "C_002"),
            Case::join("body of brackets in an unknown field", deep("[", "", 4_699_000), "C_002"),
            Case::join("body of 4.7 MB of white space", " ".repeat(4_700_000), "C_002"),
            Case::join("body of 4.7 MB of backslashes", format!("{{\"a\":\"{}", "\\".repeat(4_690_000)), "C_002"),
            Case::join("body of 700,000 lone surrogates", lone_surrogates(), "C_002"),
            Case::join("body one byte too large", vec![b' '; 4_700_001], "C_005"),
            Case::edit("edit one byte too large", vec![b' '; 4_700_001], "C_005"),
            Case::join("body over the limit of the gateway", vec![b'['; 11_000_000], "C_005"),
        ],
    ]
    .concat()
}

fn accepted() -> Vec<Case> {
    let with = |json: &str| sample::member().to_string().replacen('{', &format!("{{{json},"), 1);
    table(IGNORED, "0", |name, json, code| Case::join(format!("member with unknown field of {name}"), with(json), code))
}

fn utf_16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    std::iter::once(0xFEFF).chain(text.encode_utf16()).flat_map(bytes).collect()
}

fn utf_32(text: &str) -> Vec<u8> {
    text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect()
}

fn lone_surrogates() -> String {
    format!("{{\"name\":\"{}\"}}", "\\ud83c".repeat(700_000))
}

const NOT_JSON_IN_EDIT: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("that is null", b"null"),
    ("that is a list of operations", br#"[{"op":"replace","path":"/title","value":"a"}]"#),
    ("that is not closed", b"{"),
    ("with a field twice", br#"{"title":"a","title":"b"}"#),
    ("with a field twice, once escaped", br#"{"title":"a","\u0074itle":"b"}"#),
    ("with a field twice, once null", br#"{"title":null,"title":"b"}"#),
    ("of a form", b"title=a"),
];

pub const NOT_JSON: &[(&str, &[u8])] = &[
    ("that is empty", b""),
    ("of only a byte order mark", b"\xEF\xBB\xBF"),
    ("of a NUL", b"\0"),
    ("that is null", b"null"),
    ("that is true", b"true"),
    ("that is a number", b"1"),
    ("that is a string", b"\"{}\""),
    ("that is an array", b"[{}]"),
    ("that is not closed", b"{"),
    ("that is only closed", b"}"),
    ("closed by a bracket", b"{\"a\":[1}"),
    ("with a comma at its end", b"{\"name\":\"a\",}"),
    ("with a comma at its start", b"{,\"name\":\"a\"}"),
    ("without a colon", b"{\"name\" \"a\"}"),
    ("with a name that is not a string", b"{1:\"a\"}"),
    ("with an unquoted name", b"{name:\"a\"}"),
    ("in single quotes", b"{'name':'a'}"),
    ("with a line comment", b"{\"name\":\"a\" // b\n}"),
    ("with a block comment", b"{/* a */\"name\":\"a\"}"),
    ("with a hash comment", b"# a\n{\"name\":\"a\"}"),
    ("with a line break in a string", b"{\"name\":\"a\nb\"}"),
    ("with a NUL in a string", b"{\"name\":\"a\0b\"}"),
    ("with an unclosed string", b"{\"name\":\"a"),
    ("that ends in an escape", b"{\"name\":\"a\\"),
    ("with a hexadecimal escape", b"{\"name\":\"\\x41\"}"),
    ("with a truncated escape", b"{\"name\":\"\\u12\"}"),
    ("with an escape of invalid digits", b"{\"name\":\"\\u12g4\"}"),
    ("with an escaped single quote", b"{\"name\":\"\\'\"}"),
    ("with a lone high surrogate", b"{\"password\":\"\\ud83c\"}"),
    ("with a lone low surrogate", b"{\"password\":\"\\udfab\"}"),
    ("with a reversed surrogate pair", b"{\"password\":\"\\udfab\\ud83c\"}"),
    ("with a lone surrogate in a name", b"{\"\\ud83c\":\"a\"}"),
    ("with a field twice", b"{\"name\":\"a\",\"name\":\"b\"}"),
    ("with a field twice, once escaped", b"{\"name\":\"a\",\"\\u006eame\":\"b\"}"),
    ("with a field twice, once null", b"{\"name\":null,\"name\":\"b\"}"),
    ("of two objects", b"{}{}"),
    ("with an object on each line", b"{}\n{}"),
    ("of a function call", b"callback({})"),
    ("of XML", b"<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><a>&b;</a>"),
    ("of a form", b"email=a%40example.com&name=a"),
    ("of YAML", b"--- !!python/object/apply:os.system [ls]"),
    ("of a serialized Java object", b"\xAC\xED\0\x05sr\0\x04"),
    ("that is compressed", b"\x1F\x8B\x08\0\0\0\0\0\0\x03"),
    ("of MessagePack", b"\x81\xA4name\xA1a"),
];

const NOT_UTF_8: &[(&str, &[u8])] = &[
    ("an overlong slash", b"\xC0\xAF"),
    ("an overlong quote", b"\xC0\xA2"),
    ("an overlong NUL", b"\xC0\x80"),
    ("an overlong slash of three bytes", b"\xE0\x80\xAF"),
    ("a surrogate of three bytes", b"\xED\xA0\x80"),
    ("a pair of surrogates of three bytes", b"\xED\xA0\xBC\xED\xBE\xAB"),
    ("a character beyond the last", b"\xF4\x90\x80\x80"),
    ("a sequence of five bytes", b"\xF8\x88\x80\x80\x80"),
    ("a lone continuation byte", b"\x80"),
    ("a truncated character", b"\xED\x95"),
    ("EUC-KR", b"\xC7\xD1\xB1\xB9"),
    ("Latin-1", b"caf\xE9"),
    ("bytes that UTF-8 never uses", b"\xFE\xFF"),
];

/// Texts before and after a valid member.
const SURROUNDED: &[(&str, [&str; 2])] = &[
    ("after a byte order mark", ["\u{feff}", ""]),
    ("after a prefix against script inclusion", [")]}',\n", ""]),
    ("after a no-break space", ["\u{a0}", ""]),
    ("after a form feed", ["\u{c}", ""]),
    ("before a text", ["", "a"]),
    ("before a NUL", ["", "\0"]),
    ("before a bracket", ["", "]"]),
    ("before markup", ["", "<script>alert(1)</script>"]),
    ("in an array", ["[", "]"]),
    ("before another", ["", ",{}"]),
];

/// Invalid values of an unknown field.
const BAD_VALUES: &[(&str, &str)] = &[
    ("NaN", "NaN"),
    ("infinity", "Infinity"),
    ("negative infinity", "-Infinity"),
    ("a hexadecimal number", "0x1F"),
    ("an octal number", "017"),
    ("a number with a plus", "+1"),
    ("a number without integer digits", ".5"),
    ("a number without fraction digits", "1."),
    ("a number without exponent digits", "1e"),
    ("only a minus", "-"),
    ("two minuses", "--1"),
    ("a number with separators", "1_000"),
    ("a full-width digit", "１"),
    ("a big integer", "1n"),
    ("undefined", "undefined"),
    ("true in another case", "True"),
    ("no value", ""),
    ("a regular expression", "/a/"),
    ("a template", "`a`"),
    ("a function", "function(){}"),
];

/// Valid JSON with invalid fields of a member.
const BAD_FIELDS: &[(&str, &str)] = &[
    ("without fields", "{}"),
    ("of a prototype", r#"{"__proto__":{"email":"a@example.com","name":"a","nickname":"a","password":"a"}}"#),
    ("of a constructor", r#"{"constructor":{"prototype":{"name":"a"}}}"#),
    ("with names in another case", r#"{"EMAIL":"a@example.com","Name":"a","nickName":"a","PassWord":"a"}"#),
    ("with names and a NUL", "{\"email\\u0000\":\"a@example.com\",\"name \":\"a\"}"),
    ("with a full-width name", r#"{"ｎame":"a"}"#),
    ("with the empty name", r#"{"":"a"}"#),
    ("with a huge number", r#"{"name":1e999999}"#),
    ("with a tiny number", r#"{"name":1e-999999}"#),
    ("with negative zero", r#"{"email":-0}"#),
    ("with an operator", r#"{"email":{"$ne":null},"password":{"$gt":""}}"#),
    ("with a typed attribute", r#"{"email":{"S":"a@example.com"},"name":{"NULL":true}}"#),
    ("with an array of an address", r#"{"email":["a@example.com"]}"#),
    ("with a header in the address", r#"{"email":"a@example.com\r\nBcc: b@example.com"}"#),
    ("with a NUL in the address", r#"{"email":"a@example.com\u0000.evil.example"}"#),
    ("with two addresses", r#"{"email":"a@example.com,b@example.com"}"#),
    ("with markup as address", r#"{"email":"<script>alert(1)</script>@example.com"}"#),
    ("with a NUL in the name", r#"{"name":"a\u0000"}"#),
    ("with an escape sequence in the name", r#"{"name":"\u001b[2J"}"#),
    ("with a delete character in the name", r#"{"name":"\u007f"}"#),
    ("with a next-line character in the nickname", r#"{"nickname":"a\u0085b"}"#),
    ("with a log line in the nickname", r#"{"nickname":"a\n{\"level\":\"INFO\"}"}"#),
    ("with a name of wide spaces", r#"{"name":"\u3000\u2003\u00a0"}"#),
    (
        "with a name of invisible characters",
        r#"{"email":"a@example.com","name":"\u200b\u3164","nickname":"a","password":"a"}"#,
    ),
    ("with a name of joined emoji", r#"{"name":"👨‍👩‍👧‍👦👨‍👩‍👧‍👦👨‍👩‍👧‍👦"}"#),
    ("with a password that is true", r#"{"password":true}"#),
];

/// Unknown fields, which are ignored.
const IGNORED: &[(&str, &str)] = &[
    ("a prototype", r#""__proto__":{"isAdmin":true}"#),
    ("a constructor", r#""constructor":{"prototype":{"isAdmin":true}}"#),
    ("an id of its own", r#""id":"00000000-0000-0000-0000-000000000000","pk":"MEMBER#1","sk":"MEMBER""#),
    ("a huge number", r#""a":1e999999"#),
    ("a tiny number", r#""a":-1e-999999"#),
    ("negative zero", r#""a":-0"#),
    ("the same field twice", r#""a":1,"a":2"#),
    ("a pair of surrogates", r#""a":"\ud83c\udfab""#),
    ("a lone surrogate", r#""a":{"b":["\ud800"]}"#),
    ("an escaped NUL", r#""a":"\u0000""#),
    ("a byte order mark", "\"\u{feff}\":\"\u{feff}\""),
    ("a line separator", "\"a\":\"\u{2028}\""),
    ("the empty name", r#""":"""#),
    ("every escape", r#""\u0061":"\"\\\/\b\f\n\r\t""#),
];
