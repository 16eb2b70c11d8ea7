//! Inputs that take a parser of quadratic time minutes, so that the request times out and the test fails.

use serde_json::{Value, json};
use tests::{form::Form, sample};

use crate::{
    case::Case,
    service::{assert_accepted, assert_rejected},
};

/// Size just below the limit for all drawings of an event.
const DRAWING_BYTES: usize = 1_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn hostile_work_is_rejected() {
    assert_rejected(&rejected(), 48).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_work_is_accepted() {
    assert_accepted(&accepted(), 13).await;
}

fn rejected() -> Vec<Case> {
    let [drawings, fields, parts] = [rejected_drawings(), rejected_fields(), rejected_parts()];
    [drawings, fields, parts].concat()
}

fn accepted() -> Vec<Case> {
    let same_id = fill("<g id='a'/><use href='#a'/>", 37_000, DRAWING_BYTES);
    let drawings = [
        ("elements of one id, and links to them, up to the limit", in_group(&same_id)),
        ("a path of a megabyte", in_svg(&format!("<path d='{}'/>", fill("M0 0", 0, DRAWING_BYTES - 100)))),
        ("a number of a megabyte", format!("<g><path d='M{} 0'/></g>", fill("9", 0, DRAWING_BYTES - 30))),
        ("a text of references", in_svg(&format!("<text>{}</text>", fill("&#38;", 0, 500_000)))),
        ("elements with 256 attributes", in_group(&fill(&attributes(256), 0, DRAWING_BYTES - 100))),
        ("repeated nesting of a hundred levels", in_group(&nested(99, 1_000))),
        ("only comments", in_group(&fill("<!---->", 0, 1_000_000))),
        ("a class of urls", format!("<g class='{}'/>", fill("url(#a)", 0, DRAWING_BYTES - 100))),
        ("a style of references", format!("<g style='{}'/>", fill("fill:url(#a);", 0, 500_000))),
        ("urls in one declaration", format!("<g style='fill:{}'/>", "url(#a)".repeat(140_000))),
        ("a text of quotes", in_svg(&format!("<text>{}</text>", "\"".repeat(550_000)))),
    ];
    let mut cases: Vec<_> =
        drawings.iter().map(|(name, drawing)| Case::drawing(format!("work of {name}"), drawing, "0")).collect();
    let mut event = sample::event();
    event["areas"][0]["seats"] = (0..10_000).map(|n| json!({"cx": 0, "cy": 0, "row": n, "number": 0})).collect();
    cases.push(Case { returned: returned(&event), ..Case::event("work of seats on one point", &event, "0") });
    let zeros = "0".repeat(1_000_000);
    cases.push(Case::field("work of a price of a million zeros", "/areas/0/price", &format!("1.{zeros}"), "0"));
    cases
}

fn rejected_drawings() -> Vec<Case> {
    let halves = |before: &str, after: &str| {
        in_group(&(fill(before, 0, DRAWING_BYTES / 2) + &fill(after, 0, DRAWING_BYTES / 2 - 100)))
    };
    let names = |count: usize| (0..count).map(|n| format!(" data-{n}='a'")).collect::<Vec<_>>().concat();
    let chain = |count: usize| {
        let link = |n: usize| format!("<g id='a{n}'><use href='#a{}'/></g>", n + 1);
        in_group(&(0..count).map(link).collect::<String>())
    };
    [
        (
            "half a megabyte of one id and half of links to it",
            halves("<g id='a'><path/><path/><path/></g>", "<use href='#a'/>"),
        ),
        ("fifty thousand attributes", format!("<g{}/>", names(50_000))),
        ("one attribute fifty thousand times", format!("<g{}/>", " id='a'".repeat(50_000))),
        ("groups a hundred thousand deep", "<g>".repeat(100_000)),
        ("groups a hundred thousand deep, and closed", "<g>".repeat(100_000) + &"</g>".repeat(100_000)),
        ("links in a chain of twenty thousand", chain(20_000)),
        ("unclosed urls", format!("<g fill='{}'/>", "url(#a".repeat(150_000))),
        ("empty urls", format!("<g fill='{}'/>", "url()".repeat(150_000))),
        ("a style sheet of rejected rules", style(&fill("a{}", 0, DRAWING_BYTES - 100))),
        ("a style sheet of rejected declarations", style(&format!(".a1{{{}}}", fill("a:b;", 0, DRAWING_BYTES - 100)))),
        ("a style of rejected declarations", format!("<g style='{}'/>", fill("a:b;", 0, DRAWING_BYTES - 100))),
        ("rules of a class with many references", rules()),
        ("prefixes of nested elements", prefixes()),
        ("unclosed references", format!("<g><text>{}</text></g>", "&a".repeat(500_000))),
        ("unclosed comments", format!("<g>{}", "<!--".repeat(250_000))),
        ("unclosed CDATA sections", format!("<g>{}", "<![CDATA[".repeat(100_000))),
        ("unclosed declarations", "<?xml ".repeat(150_000)),
        ("lines before a script", format!("<g>{}<script/></g>", "\n".repeat(1_000_000))),
        ("unclosed quotes", format!("<g {}", "a='".repeat(300_000))),
        ("equals signs", format!("<g {}/>", "=".repeat(1_000_000))),
        ("less-than signs", "<".repeat(1_000_000)),
        ("a name of a megabyte", format!("<g><{}/></g>", "a".repeat(1_000_000))),
        ("a forbidden word in pieces", format!("<g class='{}\\'/>", "java".repeat(250_000))),
        ("a billion elements by links", billion_elements()),
        ("a URL of a megabyte", format!("javascript:{}", "a".repeat(1_000_000))),
    ]
    .into_iter()
    .map(|(name, drawing)| Case::drawing(format!("work of {name}"), &drawing, "C_001"))
    .collect()
}

fn rejected_fields() -> Vec<Case> {
    let digits = "9".repeat(1_000_000);
    let seats = |seat: Value| {
        let mut event = sample::event();
        event["areas"][0]["seats"] = vec![seat; 99_000].into();
        sample::gzip_form(&event)
    };
    let of = |name: &str, pointer: &str, json: &str| Case::field(format!("work of {name}"), pointer, json, "C_001");
    vec![
        of("a price of a million digits", "/areas/0/price", &digits),
        of("a price of a million decimals", "/areas/0/price", &format!("0.{digits}")),
        of("an exponent of a million digits", "/areas/0/price", &format!("1e{digits}")),
        of("a coordinate of a million digits", "/areas/0/seats/0/cx", &digits),
        of("a row of a million digits", "/areas/0/seats/0/row", &format!("0.{digits}")),
        of("a time of a million digits", "/eventOpenTime", &digits),
        of("a time of a million decimals", "/eventOpenTime", &format!("\"2025-04-18T14:00:00.{digits}Z\"")),
        of("a title of a million marks", "/title", &format!("\"a{}\"", "\u{301}".repeat(1_000_000))),
        of("a title of a million ligatures", "/title", &format!("\"{}\"", "\u{fdfa}".repeat(1_000_000))),
        of("a million zeros as areas", "/areas", &format!("[{}0]", "0,".repeat(1_000_000))),
        of("a million zeros as shows", "/eventDatetimes", &format!("[{}0]", "0,".repeat(1_000_000))),
        of("two million zeros as seats", "/areas/0/seats", &format!("[{}0]", "0,".repeat(2_000_000))),
        Case::create(
            "work of 99,000 identical seats",
            &seats(json!({"cx": 0, "cy": 0, "row": 0, "number": 0})),
            "C_001",
        ),
        Case::create("work of 99,000 invalid seats", &seats(json!({"cx": "x".repeat(90)})), "C_001"),
        Case::join(
            "work of an address of 4 MB",
            format!("{{\"email\":\"{}@example.com\"}}", "a.".repeat(2_000_000)),
            "C_001",
        ),
        Case::join("work of a host of 4 MB", format!("{{\"email\":\"a@{}com\"}}", "xn--a.".repeat(700_000)), "C_001"),
        Case::join(
            "work of a nickname of 4 MB",
            format!("{{\"nickname\":\"{}\"}}", "\u{fdfa}".repeat(1_300_000)),
            "C_001",
        ),
        Case::join("work of 400,000 unknown fields", unknown_fields(400_000), "C_001"),
    ]
}

fn rejected_parts() -> Vec<Case> {
    let boundary = "a".repeat(60);
    let media_type = format!("multipart/form-data; boundary={boundary}");
    let almost = format!("\r\n--{}", &boundary[1..]).repeat(70_000);
    let extra = "Content-Disposition: form-data; name=\"a\"";
    let disposition = format!("Content-Disposition: form-data{}", "; name".repeat(2_000));
    let event = sample::event().to_string();
    vec![
        Case::form("work of incomplete boundaries", &media_type, almost.clone(), "C_006"),
        Case::form(
            "work of a part of incomplete boundaries",
            &media_type,
            format!("--{boundary}\r\n{extra}\r\n\r\n{almost}"),
            "C_006",
        ),
        Case::form("work of dashes", &media_type, "-".repeat(4_600_000), "C_006"),
        Case::form("work of line ends", &media_type, format!("--{boundary}{}", "\r\n".repeat(2_300_000)), "C_006"),
        Case::create(
            "work of a name two thousand times",
            &Form::new().part(sample::REQUEST, event).part(&disposition, ""),
            "C_006",
        ),
    ]
}

/// Repeats a piece up to a number of bytes, and at most `times` if that is not 0.
fn fill(piece: &str, times: usize, bytes: usize) -> String {
    let most = bytes / piece.len();
    piece.repeat(if times == 0 { most } else { times.min(most) })
}

fn in_group(content: &str) -> String {
    format!("<g>{content}</g>")
}

fn style(css: &str) -> String {
    format!("<svg><style>{css}</style></svg>")
}

/// Builds rules with many classes and references, and many elements of these classes.
fn rules() -> String {
    let rule = format!("{}{{{}}}", vec![".a1"; 20_000].join(","), "fill:url(#a);".repeat(20_000));
    format!("<svg><style>{rule}</style><pattern id='a'/>{}</svg>", "<path class='a1'/>".repeat(20_000))
}

/// Builds nested elements that declare as many prefixes as fit, and an element that uses them.
fn prefixes() -> String {
    let declared =
        |depth: usize| (0..200).map(|n| format!(" xmlns:a{depth}b{n}='c{depth}d{n}'")).collect::<Vec<_>>().concat();
    let open = (0..98).map(|depth| format!("<g{}>", declared(depth))).collect::<Vec<_>>().concat();
    format!("<g>{open}{}{}</g>", "<a0b0:e/>".repeat(20_000), "</g>".repeat(98))
}

/// Builds a drawing that is as large as the screen.
fn in_svg(content: &str) -> String {
    format!("<svg viewBox='0 0 1280 720'>{content}</svg>")
}

/// Builds an element with a number of attributes.
fn attributes(count: usize) -> String {
    let attributes: Vec<_> = (0..count).map(|n| format!(" data-{n}=''")).collect();
    format!("<path{}/>", attributes.concat())
}

fn nested(depth: usize, times: usize) -> String {
    ("<g>".repeat(depth) + &"</g>".repeat(depth)).repeat(times)
}

fn billion_elements() -> String {
    let level = |n: usize| format!("<g id='a{n}'>{}</g>", format!("<use href='#a{}'/>", n - 1).repeat(1_000));
    format!("<g><path id='a0'/>{}</g>", (1..=3).map(level).collect::<String>())
}

fn unknown_fields(count: usize) -> String {
    let fields: Vec<_> = (0..count).map(|n| format!("\"{n}\":0")).collect();
    format!("{{{}}}", fields.join(","))
}

fn returned(event: &Value) -> Option<(String, Vec<u8>)> {
    Some((event["totalMap"].as_str()?.to_owned(), sample::POSTER.to_vec()))
}
