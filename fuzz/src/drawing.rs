//! What holds of every drawing that is accepted.

use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};
use seating::{
    drawing::Drawing,
    svg::{MAX_DRAWN_ELEMENTS, cross_check::assert_inert},
};

/// Asserts that a drawing is inert, and counted in full: a page that follows its links draws no more than that.
///
/// # Panics
///
/// If it is not, or is refused.
pub fn assert_valid(text: &str) {
    let (drawing, references) = Drawing::parse(text).expect("a drawing that is accepted");
    assert_eq!(drawing.as_str(), text);
    assert!(references.drawn_elements() <= MAX_DRAWN_ELEMENTS);
    if text.trim_start().starts_with('<') {
        assert_inert(text);
        assert!(shown(text) <= references.drawn_elements(), "{text}");
    }
}

/// How many elements are shown where each `<use>` shows what it leads to.
fn shown(text: &str) -> u64 {
    const DOCTYPE: &str = r#"<!DOCTYPE page [<!ENTITY nbsp "&#160;">]>"#;
    let body =
        text.strip_prefix("<?xml").and_then(|rest| rest.split_once("?>")).map_or(text, |(_, body)| body);
    let page = format!(r#"{DOCTYPE}<page xmlns:xlink="http://www.w3.org/1999/xlink">{body}</page>"#);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).expect("a well-formed drawing");
    let mut ids = HashMap::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert(node);
        }
    }
    document.root_element().children().map(|child| shown_by(child, &ids)).sum()
}

fn shown_by(node: Node, ids: &HashMap<&str, Node>) -> u64 {
    if !node.is_element() || matches!(node.tag_name().name(), "linearGradient" | "radialGradient" | "stop") {
        return 0;
    }
    let mut links = node.attributes().filter(|attribute| attribute.name() == "href");
    let link = links.find_map(|link| ids.get(link.value().strip_prefix('#')?));
    let linked = link.filter(|_| node.has_tag_name("use")).map_or(0, |&linked| shown_by(linked, ids));
    1 + linked + node.children().map(|child| shown_by(child, ids)).sum::<u64>()
}
