//! What asks for more work than it has bytes: each would take minutes where a parser's work grew with the
//! square of what it reads, and then the test gives up waiting.

use serde_json::{Value, json};
use tests::{form::Form, sample};

use crate::{
    case::Case,
    service::{assert_kept, assert_rejected},
};

/// Nearly as many bytes as all drawings of an event may have.
const DRAWINGS: usize = 1_000_000;

#[tokio::test(flavor = "multi_thread")]
async fn hostile_work_is_rejected() {
    assert_rejected(&rejected(), 44).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_work_is_kept() {
    assert_kept(&accepted(), 11).await;
}

fn rejected() -> Vec<Case> {
    let [drawings, fields, parts] = [refused_drawings(), refused_fields(), refused_parts()];
    [drawings, fields, parts].concat()
}

fn accepted() -> Vec<Case> {
    let same_id = fill("<g id='a'/><use href='#a'/>", 90_000, DRAWINGS);
    let drawings = [
        ("as many elements of one id, and links to them, as are drawn", in_group(&same_id)),
        ("a path of a megabyte", format!("<g><path d='{}'/></g>", fill("M0 0", 0, DRAWINGS - 30))),
        ("a number of a megabyte", format!("<g><path d='M{} 0'/></g>", fill("9", 0, DRAWINGS - 30))),
        ("a text of references", in_group(&format!("<text>{}</text>", fill("&#38;", 0, DRAWINGS - 100)))),
        ("a thousand times all attributes", in_group(&fill(&attributes(256), 0, DRAWINGS - 100))),
        ("nesting a hundred deep again and again", in_group(&nested(99, 1_000))),
        ("comments alone", in_group(&fill("<!---->", 0, DRAWINGS - 100))),
        ("a class of urls", format!("<g class='{}'/>", fill("url(#a)", 0, DRAWINGS - 100))),
        ("a style of references", format!("<g style='{}'/>", fill("fill:url(#a);", 0, 500_000))),
    ];
    let mut cases: Vec<_> = drawings
        .iter()
        .map(|(name, drawing)| Case::drawing(format!("work of {name}"), drawing, "0"))
        .collect();
    let mut event = sample::event();
    event["areas"][0]["seats"] =
        (0..10_000).map(|n| json!({"cx": 0, "cy": 0, "row": n, "number": 0})).collect();
    cases.push(Case { kept: kept(&event), ..Case::event("work of seats on one point", &event, "0") });
    let zeros = "0".repeat(1_000_000);
    cases.push(Case::field(
        "work of a price of a million zeros",
        "/areas/0/price",
        &format!("1.{zeros}"),
        "0",
    ));
    cases
}

fn refused_drawings() -> Vec<Case> {
    let twins = |before: &str, after: &str| {
        in_group(&(fill(before, 0, DRAWINGS / 2) + &fill(after, 0, DRAWINGS / 2 - 100)))
    };
    let names = |count: usize| (0..count).map(|n| format!(" data-{n}='a'")).collect::<Vec<_>>().concat();
    let chain = |count: usize| {
        let link = |n: usize| format!("<g id='a{n}'><use href='#a{}'/></g>", n + 1);
        in_group(&(0..count).map(link).collect::<String>())
    };
    [
        (
            "half a megabyte of one id, and of links to it",
            twins("<g id='a'><path/><path/><path/></g>", "<use href='#a'/>"),
        ),
        ("fifty thousand attributes", format!("<g{}/>", names(50_000))),
        ("one attribute fifty thousand times", format!("<g{}/>", " id='a'".repeat(50_000))),
        ("groups a hundred thousand deep", "<g>".repeat(100_000)),
        ("groups a hundred thousand deep, and closed", "<g>".repeat(100_000) + &"</g>".repeat(100_000)),
        ("links in a chain of twenty thousand", chain(20_000)),
        ("urls without end", format!("<g fill='{}'/>", "url(#a".repeat(150_000))),
        ("urls to nothing", format!("<g fill='{}'/>", "url()".repeat(150_000))),
        ("urls in one declaration", format!("<g style='fill:{}'/>", "url(#a)".repeat(140_000))),
        ("references without end", format!("<g><text>{}</text></g>", "&a".repeat(500_000))),
        ("comments without end", format!("<g>{}", "<!--".repeat(250_000))),
        ("sections without end", format!("<g>{}", "<![CDATA[".repeat(100_000))),
        ("declarations without end", "<?xml ".repeat(150_000)),
        ("lines before what is wrong", format!("<g>{}<script/></g>", "\n".repeat(1_000_000))),
        ("quotes without end", format!("<g {}", "a='".repeat(300_000))),
        ("equals signs", format!("<g {}/>", "=".repeat(1_000_000))),
        ("less-than signs", "<".repeat(1_000_000)),
        ("a name of a megabyte", format!("<g><{}/></g>", "a".repeat(1_000_000))),
        ("a word that is refused, in pieces", format!("<g class='{}\\'/>", "java".repeat(250_000))),
        ("a billion drawn by links", billion()),
        ("a path of no markup", format!("javascript:{}", "a".repeat(1_000_000))),
    ]
    .into_iter()
    .map(|(name, drawing)| Case::drawing(format!("work of {name}"), &drawing, "C_001"))
    .collect()
}

fn refused_fields() -> Vec<Case> {
    let digits = "9".repeat(1_000_000);
    let seats = |seat: Value| {
        let mut event = sample::event();
        event["areas"][0]["seats"] = vec![seat; 25_000].into();
        event
    };
    let of = |name: &str, pointer: &str, json: &str| {
        Case::field(format!("work of {name}"), pointer, json, "C_001")
    };
    vec![
        of("a price of a million digits", "/areas/0/price", &digits),
        of("a price of a million decimals", "/areas/0/price", &format!("0.{digits}")),
        of("an exponent of a million digits", "/areas/0/price", &format!("1e{digits}")),
        of("a coordinate of a million digits", "/areas/0/seats/0/cx", &digits),
        of("a row of a million digits", "/areas/0/seats/0/row", &format!("0.{digits}")),
        of("a time of a million digits", "/eventOpenTime", &digits),
        of("a time of a million letters", "/eventOpenTime", &format!("\"2025-04-18T14:00:00.{digits}Z\"")),
        of("a title of a million marks", "/title", &format!("\"a{}\"", "\u{301}".repeat(1_000_000))),
        of("a title of a million ligatures", "/title", &format!("\"{}\"", "\u{fdfa}".repeat(1_000_000))),
        of("a million nothings as areas", "/areas", &format!("[{}0]", "0,".repeat(1_000_000))),
        of("a million nothings as dates", "/eventDatetimes", &format!("[{}0]", "0,".repeat(1_000_000))),
        of("two million seats of nothing", "/areas/0/seats", &format!("[{}0]", "0,".repeat(2_000_000))),
        Case::event(
            "work of 25,000 seats that are the same",
            &seats(json!({"cx": 0, "cy": 0, "row": 0, "number": 0})),
            "C_001",
        ),
        Case::event(
            "work of 25,000 seats of which all is wrong",
            &seats(json!({"cx": "x".repeat(90)})),
            "C_001",
        ),
        Case::join(
            "work of an address of 4 MB",
            format!("{{\"email\":\"{}@example.com\"}}", "a.".repeat(2_000_000)),
            "C_001",
        ),
        Case::join(
            "work of a host of 4 MB",
            format!("{{\"email\":\"a@{}com\"}}", "xn--a.".repeat(700_000)),
            "C_001",
        ),
        Case::join(
            "work of a nickname of 4 MB",
            format!("{{\"nickname\":\"{}\"}}", "\u{fdfa}".repeat(1_300_000)),
            "C_001",
        ),
        Case::join("work of 400,000 fields that nobody reads", unread(400_000), "C_001"),
    ]
}

fn refused_parts() -> Vec<Case> {
    let boundary = "a".repeat(60);
    let media_type = format!("multipart/form-data; boundary={boundary}");
    let almost = format!("\r\n--{}", &boundary[1..]).repeat(70_000);
    let extra = "Content-Disposition: form-data; name=\"a\"";
    let disposition = format!("Content-Disposition: form-data{}", "; name".repeat(2_000));
    let event = sample::event().to_string();
    vec![
        Case::form("work of boundaries that are none", &media_type, almost.clone(), "C_006"),
        Case::form(
            "work of a part of boundaries that are none",
            &media_type,
            format!("--{boundary}\r\n{extra}\r\n\r\n{almost}"),
            "C_006",
        ),
        Case::form("work of dashes", &media_type, "-".repeat(4_600_000), "C_006"),
        Case::form(
            "work of line ends",
            &media_type,
            format!("--{boundary}{}", "\r\n".repeat(2_300_000)),
            "C_006",
        ),
        Case::create(
            "work of a name two thousand times",
            &Form::new().part(sample::REQUEST, event).part(&disposition, ""),
            "C_006",
        ),
    ]
}

/// The piece as often as it fits into so many bytes, and at most so many times, if that is not 0.
fn fill(piece: &str, times: usize, bytes: usize) -> String {
    let fitting = bytes / piece.len();
    piece.repeat(if times == 0 { fitting } else { times.min(fitting) })
}

fn in_group(content: &str) -> String {
    format!("<g>{content}</g>")
}

/// An element with so many attributes.
fn attributes(count: usize) -> String {
    let attributes: Vec<_> = (0..count).map(|n| format!(" data-{n}=''")).collect();
    format!("<path{}/>", attributes.concat())
}

fn nested(depth: usize, times: usize) -> String {
    ("<g>".repeat(depth) + &"</g>".repeat(depth)).repeat(times)
}

fn billion() -> String {
    let level = |n: usize| format!("<g id='a{n}'>{}</g>", format!("<use href='#a{}'/>", n - 1).repeat(1_000));
    format!("<g><path id='a0'/>{}</g>", (1..=3).map(level).collect::<String>())
}

fn unread(count: usize) -> String {
    let fields: Vec<_> = (0..count).map(|n| format!("\"{n}\":0")).collect();
    format!("{{{}}}", fields.join(","))
}

fn kept(event: &Value) -> Option<(String, Vec<u8>)> {
    Some((event["totalMap"].as_str()?.to_owned(), sample::POSTER.to_vec()))
}
