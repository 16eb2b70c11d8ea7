//! Tests that one response names enough to repair a drawing.

use domain::violation::Position;
use proptest::prelude::*;
use quick_xml::{Reader, events::Event};

use super::{generated, *};

/// Returns the number of bytes before a position.
fn offset(text: &str, Position { line, column }: Position) -> usize {
    let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
    let mut counted = text[start..].char_indices().filter(|&(_, c)| c != '\u{feff}');
    start + counted.nth(column - 1).expect("a position is in the text").0
}

/// Returns the length of the element at the start of a text.
fn element_length(text: &str) -> usize {
    let mut reader = Reader::from_str(text);
    let mut depth = 0;
    loop {
        match reader.read_event().expect("the drawing is well-formed") {
            Event::Start(_) => depth += 1,
            Event::End(_) => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return usize::try_from(reader.buffer_position()).unwrap();
        }
    }
}

/// Returns the length of the attribute at the start of a text.
fn attribute_length(text: &str) -> usize {
    let start = text.find(['"', '\'']).expect("an attribute has a value");
    let quote = &text[start..=start];
    start + 2 + text[start + 1..].find(quote).expect("a value ends")
}

/// Returns the length of the rule or declaration at the start of a text.
fn css_length(text: &str) -> usize {
    let end = text.find(['{', '}']).expect("a rule ends");
    if text[end..].starts_with('{') {
        text.find('}').expect("a rule ends") + 1
    } else {
        text[..end].find(';').map_or(end, |semicolon| semicolon + 1)
    }
}

/// Removes the part at the position of each fault: an element, an attribute, a rule or other markup.
fn without_faults(text: &str, faults: &[DrawingFault]) -> String {
    let position = |fault: &DrawingFault| fault.position.expect("the fault has a position");
    let mut starts: Vec<_> = faults.iter().map(|fault| (offset(text, position(fault)), &fault.error)).collect();
    starts.sort_by_key(|&(start, _)| start);
    let (mut repaired, mut kept_from) = (String::new(), 0);
    for (start, error) in starts {
        // What is in a removed element needs no repair.
        if start < kept_from {
            continue;
        }
        let rest = &text[start..];
        let up_to = |end: &str| rest.find(end).expect("markup ends") + end.len();
        let length = match error {
            DrawingError::StyleSheet(_) => css_length(rest),
            DrawingError::InternalSubset => up_to("]>"),
            DrawingError::Comment(_) => up_to("-->"),
            DrawingError::CData => up_to("]]>"),
            DrawingError::Doctype | DrawingError::ProcessingInstruction => up_to(">"),
            DrawingError::Entity(_) if rest.starts_with('&') => up_to(";"),
            _ if rest.starts_with('<') => element_length(rest),
            _ => attribute_length(rest),
        };
        repaired.push_str(&text[kept_from..start]);
        kept_from = start + length;
    }
    repaired.push_str(&text[kept_from..]);
    // An unknown entity is reported only where it first occurs.
    faults.iter().fold(repaired, |repaired, fault| match &fault.error {
        DrawingError::Entity(name) => repaired.replace(&format!("&{name};"), ""),
        _ => repaired,
    })
}

#[test]
fn one_response_repairs_each_rejected_export() {
    for (name, text) in exports() {
        if let Err(faults) = read(&text) {
            assert_eq!(check(&without_faults(&text, &faults)), Ok(()), "{name}");
        }
    }
}

/// Faults of well-formed drawings, separated by bars.
const FAULTS: &str = "<script>a<b/></script>|<filter><feBlend/></filter>|<a href='b'><g onclick='c'/></a>\
    |<g onload='a' onclick='b'/>|<path style='position:fixed' fill='url(b)'/>|<use href='a.svg#b'/>\
    |<switch><foreignObject><p>a</p></foreignObject></switch>|<i:a/>|<g i:a='b'/>|<g xmlns='urn:a'/>\
    |<!-- -> -->|<?a b?>|<![CDATA[a]]>|&copy;|<g id='&copy;'/>|<title>a<b/></title>\
    |<svg><style>a&gt;b{c:d}.e1{f:g;fill:h}</style></svg>|<svg><style>@font-face{a:b}</style></svg>\
    |<svg><style>a{}.b1{fill:red;c:d}</style></svg>";

proptest! {
    #[test]
    fn one_response_repairs_generated_drawings(
        parts in prop::collection::vec((generated::content(), generated::one_of(FAULTS)), 1..8),
    ) {
        let text = in_svg(&parts.into_iter().map(|(content, fault)| content + fault).collect::<String>());
        let repaired = without_faults(&text, &read(&text).unwrap_err());
        // A generated drawing may refer to itself.
        prop_assert!(matches!(check(&repaired), Ok(()) | Err(DrawingError::CircularReference)), "{}", text);
    }
}
