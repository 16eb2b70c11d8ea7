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
    let drawings = rejected_drawings().into_iter().map(|drawing| drawing_case(&drawing, "C_001"));
    assert_rejected(&drawings.chain(rejected_fields()).chain(rejected_parts()).collect::<Vec<_>>()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn harmless_work_is_accepted() {
    let drawings = [
        in_group(&"<g id='a'/><use href='#a'/>".repeat(37_000)),
        format!("<g><path d='{}'/></g>", fill("M0 0")),
        format!("<g>{}</g>", ("<g>".repeat(99) + &"</g>".repeat(99)).repeat(1_000)),
        format!("<g style='{}'/>", "fill:url(#a);".repeat(38_000)),
    ];
    let mut event = sample::event();
    event["areas"][0]["seats"] = (0..10_000).map(|n| json!({"cx": 0, "cy": 0, "row": n, "number": 0})).collect();
    let zeros = "0".repeat(1_000_000);
    let mut cases: Vec<_> = drawings.iter().map(|drawing| drawing_case(drawing, "0")).collect();
    cases.push(Case::create_with(&sample::form(&event), "0"));
    cases.push(Case::field("/areas/0/price", &format!("1.{zeros}"), "0"));
    assert_accepted(&cases).await;
}

fn drawing_case(drawing: &str, code: &'static str) -> Case {
    Case::field("/totalMap", &json!(drawing).to_string(), code)
}

/// Repeats a piece up to the size of a drawing.
fn fill(piece: &str) -> String {
    piece.repeat((DRAWING_BYTES - 100) / piece.len())
}

fn in_group(content: &str) -> String {
    format!("<g>{content}</g>")
}

fn rejected_drawings() -> Vec<String> {
    let attributes: String = (0..50_000).map(|n| format!(" data-{n}='a'")).collect();
    let chain: String = (0..20_000).map(|n| format!("<g id='a{n}'><use href='#a{}'/></g>", n + 1)).collect();
    let links_to_one_id = "<g id='a'><path/><path/></g>".repeat(16_000) + &"<use href='#a'/>".repeat(30_000);
    let level = |n: usize| format!("<g id='a{n}'>{}</g>", format!("<use href='#a{}'/>", n - 1).repeat(1_000));
    let billion: String = (1..=3).map(level).collect();
    // Rules with many classes and references, and many elements of these classes.
    let rule = format!("{}{{{}}}", vec![".a1"; 20_000].join(","), "fill:url(#a);".repeat(20_000));
    let rules = format!("<style>{rule}</style><pattern id='a'/>{}", "<path class='a1'/>".repeat(20_000));
    // Nested elements that declare as many prefixes as fit, and elements that use one of them.
    let declared =
        |depth: usize| -> String { (0..200).map(|n| format!(" xmlns:a{depth}b{n}='c{depth}d{n}'")).collect() };
    let open: String = (0..98).map(|depth| format!("<g{}>", declared(depth))).collect();
    vec![
        format!("<g{attributes}/>"),
        in_group(&chain),
        in_group(&links_to_one_id),
        in_group(&format!("<path id='a0'/>{billion}")),
        format!("<svg>{rules}</svg>"),
        in_group(&format!("{open}{}{}", "<a0b0:e/>".repeat(20_000), "</g>".repeat(98))),
        format!("<svg><style>{}</style></svg>", fill("a{}")),
        format!("<svg><style>.a1{{{}}}</style></svg>", fill("a:b;")),
        format!("<g style='{}'/>", fill("a:b;")),
        format!("<g fill='{}'/>", fill("url(#a")),
        format!("<g class='{}\\'/>", fill("java")),
        format!("<g>{}<script/></g>", fill("\n")),
        fill("<g>"),
        format!("<g>{}", fill("<!--")),
        format!("<g {}", fill("a='")),
        fill("<"),
    ]
}

fn rejected_fields() -> Vec<Case> {
    let digits = "9".repeat(1_000_000);
    let of = |pointer: &str, json: &str| Case::field(pointer, json, "C_001");
    let seats = |seat: Value| {
        let mut event = sample::event();
        event["areas"][0]["seats"] = vec![seat; 99_000].into();
        Case::create_with(&sample::gzip_form(&event), "C_001")
    };
    let unknown: String = (0..400_000).map(|n| format!("\"{n}\":0,")).collect();
    vec![
        of("/areas/0/price", &digits),
        of("/areas/0/price", &format!("1e{digits}")),
        of("/areas/0/seats/0/cx", &digits),
        of("/areas/0/seats/0/row", &format!("0.{digits}")),
        of("/eventOpenTime", &format!("\"2025-04-18T14:00:00.{digits}Z\"")),
        of("/title", &format!("\"a{}\"", "\u{301}".repeat(1_000_000))),
        of("/eventDatetimes", &format!("[{}0]", "0,".repeat(1_000_000))),
        of("/areas/0/seats", &format!("[{}0]", "0,".repeat(2_000_000))),
        seats(json!({"cx": 0, "cy": 0, "row": 0, "number": 0})),
        Case::join(format!("{{\"email\":\"{}@example.com\"}}", "a.".repeat(2_000_000)), "C_001"),
        Case::join(format!("{{\"email\":\"a@{}com\"}}", "xn--a.".repeat(700_000)), "C_001"),
        Case::join(format!("{{\"nickname\":\"{}\"}}", "\u{fdfa}".repeat(1_300_000)), "C_001"),
        Case::join(format!("{{{unknown}\"a\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000)), "C_001"),
        Case::join("{\"a\":".repeat(940_000), "C_002"),
        Case::join(format!("{{\"name\":\"{}\"}}", "\\ud83c".repeat(700_000)), "C_002"),
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
        Case::create(&media_type, format!("--{boundary}\r\n{extra}\r\n\r\n{almost}"), "C_006"),
        Case::create(&media_type, almost, "C_006"),
        Case::create(&media_type, format!("--{boundary}{}", "\r\n".repeat(2_300_000)), "C_006"),
        Case::create_with(&Form::new().part(sample::REQUEST, event).part(&disposition, ""), "C_006"),
    ]
}
