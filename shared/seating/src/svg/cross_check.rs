//! Comparison of two other parsers on accepted drawings. The crate `fuzz` includes this file.

use html5ever::{ParseOpts, local_name, ns, tendril::TendrilSink};
use markup5ever_rcdom::{NodeData, RcDom};

use super::allow_list;

const SVG: &str = "http://www.w3.org/2000/svg";
const XLINK: &str = "http://www.w3.org/1999/xlink";

/// Asserts that a drawing that the service accepts is inert.
///
/// An XML and an HTML parser must read the same, with only listed names and safe links.
///
/// # Panics
///
/// Panics if the drawing is not inert.
pub fn assert_inert(text: &str) {
    let parts = parse_as_html(text);
    assert_eq!(parts, parse_as_xml(text), "{text}");
    for part in parts {
        let Part::Element(name, attributes) = part else {
            continue;
        };
        let is_listed = |listed: &&str| listed.eq_ignore_ascii_case(&name);
        let is_of_tool = name.contains(':');
        assert!(is_of_tool || allow_list::ELEMENTS.iter().any(is_listed), "{name}: {text}");
        for (attribute, value) in attributes {
            let listed = allow_list::ATTRIBUTES.iter().chain(allow_list::PROPERTIES.iter());
            let is_listed = listed.chain(&["style"]).any(|listed| listed.eq_ignore_ascii_case(&attribute));
            let is_custom = attribute.starts_with("data-") || attribute.starts_with("aria-");
            let is_unknown = (is_of_tool && !attribute.starts_with("on")) || attribute.contains(':');
            let is_type = name == "style" && attribute == "type";
            assert!(is_listed || is_custom || is_unknown || is_type, "{attribute}: {text}");
            if matches!(attribute.as_str(), "href" | "xlink:href") {
                let is_blob = name == "image" && value.starts_with("blob:");
                let is_data = value.starts_with("data:image/") && !value.starts_with("data:image/svg");
                let is_id = name != "image" && value.starts_with('#');
                assert!(is_id || is_data || is_blob, "{value}: {text}");
            }
        }
    }
}

/// Part of a drawing, as read by a parser.
#[derive(Debug, PartialEq)]
enum Part {
    Element(String, Vec<(String, String)>),
    Comment(String),
    Text(String),
}

/// Builds an element without the differences that XML and HTML parsers may have.
///
/// These are the case of names, HTML's name for `image`, namespace declarations, and `data-*` names
/// that differ only in case.
fn normalized_element(name: &str, attributes: impl Iterator<Item = (String, String)>) -> Part {
    let name = name.to_ascii_lowercase();
    let name = if name == "img" { "image".to_owned() } else { name };
    let mut kept: Vec<(String, String)> = Vec::new();
    for (name, value) in attributes {
        let name = name.to_ascii_lowercase();
        if !name.starts_with("xmlns") && kept.iter().all(|(other, _)| *other != name) {
            kept.push((name, without_space(&value)));
        }
    }
    Part::Element(name, kept)
}

/// Removes white space, because the parsers end lines differently.
fn without_space(text: &str) -> String {
    text.split_ascii_whitespace().collect()
}

fn append_text(parts: &mut Vec<Part>, text: &str) {
    let text = without_space(text);
    match parts.last_mut() {
        _ if text.is_empty() => {}
        Some(Part::Text(before)) => before.push_str(&text),
        _ => parts.push(Part::Text(text)),
    }
}

/// Reads a drawing with an XML parser.
fn parse_as_xml(text: &str) -> Vec<Part> {
    let body = without_declarations(text);
    let document = format!(r#"<!DOCTYPE page [<!ENTITY nbsp "&#160;">]><page xmlns:xlink="{XLINK}">{body}</page>"#);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document =
        roxmltree::Document::parse_with_options(&document, options).unwrap_or_else(|error| panic!("{error}: {text}"));
    let mut parts = Vec::new();
    for node in document.root_element().descendants().skip(1) {
        if node.is_element() {
            let attributes = node.attributes().map(|attribute| {
                let prefix = match attribute.namespace() {
                    Some(XLINK) => "xlink:".to_owned(),
                    Some("http://www.w3.org/XML/1998/namespace") => "xml:".to_owned(),
                    namespace => prefix(node, namespace),
                };
                (format!("{prefix}{}", attribute.name()), attribute.value().to_owned())
            });
            let name = format!("{}{}", prefix(node, node.tag_name().namespace()), node.tag_name().name());
            parts.push(normalized_element(&name, attributes));
        } else if node.is_comment() {
            let comment = node.text().unwrap_or_default();
            parts.push(Part::Comment(without_space(comment)));
        } else {
            append_text(&mut parts, node.text().unwrap_or_default());
        }
    }
    parts
}

/// Removes what may only stand at the beginning of a document: a byte order mark, an XML declaration, a doctype.
#[must_use]
pub fn without_declarations(text: &str) -> String {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    let body = match start.split_once("?>") {
        Some((declaration, body)) if declaration.starts_with("<?xml") => body,
        _ => start,
    };
    match body.split_once("<!DOCTYPE") {
        Some((before, rest)) => before.to_owned() + rest.split_once('>').map_or("", |(_, after)| after),
        None => body.to_owned(),
    }
}

/// Returns the prefix of a drawing tool's namespace, with its colon.
fn prefix(node: roxmltree::Node, namespace: Option<&str>) -> String {
    let prefix = namespace.filter(|&namespace| namespace != SVG).and_then(|namespace| node.lookup_prefix(namespace));
    prefix.map(|prefix| format!("{prefix}:")).unwrap_or_default()
}

/// Reads a drawing with an HTML parser, as the `innerHTML` of a `div`.
fn parse_as_html(text: &str) -> Vec<Part> {
    let context = html5ever::QualName::new(None, ns!(html), local_name!("div"));
    let options = ParseOpts::default();
    let dom = html5ever::parse_fragment(RcDom::default(), options, context, vec![], false)
        .one(text.trim_start_matches('\u{feff}'));
    let mut parts = Vec::new();
    let mut pending = vec![dom.document.clone()];
    while let Some(node) = pending.pop() {
        match &node.data {
            NodeData::Element { name, attrs, .. } => {
                let attributes = attrs.borrow();
                let attributes = attributes.iter().map(|attribute| {
                    let prefix = attribute.name.prefix.as_deref().unwrap_or_default();
                    let name = format!("{prefix}:{}", attribute.name.local);
                    let name = name.trim_start_matches(':').to_owned();
                    (name, attribute.value.to_string())
                });
                parts.push(normalized_element(&name.local, attributes));
            }
            NodeData::Comment { contents } => {
                parts.push(Part::Comment(without_space(contents)));
            }
            NodeData::Text { contents } => append_text(&mut parts, &contents.borrow()),
            NodeData::Document => {}
            other => panic!("{other:?}: {text}"),
        }
        pending.extend(node.children.borrow().iter().rev().cloned());
    }
    // The first part is the `html` element of the context.
    parts.remove(0);
    if let Some(Part::Comment(declaration)) = parts.first()
        && declaration.starts_with("?xml")
    {
        parts.remove(0);
    }
    parts
}
