//! Properties of accepted drawings.

use std::collections::HashMap;

use roxmltree::{Document, Node, ParsingOptions};
use seating::{drawing::Drawing, svg::MAX_DRAWN_ELEMENTS};

use crate::cross_check::{assert_inert, without_declarations};

/// Asserts that a drawing is inert, and that a page which follows its links draws at most the counted elements.
///
/// # Panics
///
/// Panics if an assertion fails, or if the drawing is rejected.
pub fn assert_valid(text: &str) {
    let (drawing, references) = Drawing::parse(text).expect("the drawing is rejected");
    assert_eq!(drawing.as_str(), text);
    if without_declarations(text).trim_start().starts_with('<') {
        assert_inert(text);
        let drawn = &references.drawn;
        // Following more links would take long.
        if drawn.total <= MAX_DRAWN_ELEMENTS {
            assert!(count_shown(text) <= drawn.total, "{text}");
        }
    }
}

/// Counts the shown elements if each `<use>` shows its target.
fn count_shown(text: &str) -> u64 {
    const DOCTYPE: &str = r#"<!DOCTYPE page [<!ENTITY nbsp "&#160;">]>"#;
    let body = without_declarations(text);
    let page = format!(r#"{DOCTYPE}<page xmlns:xlink="http://www.w3.org/1999/xlink">{body}</page>"#);
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(&page, options).expect("the drawing is not well-formed");
    let mut ids = HashMap::new();
    for node in document.descendants() {
        if let Some(id) = node.attribute("id") {
            ids.entry(id).or_insert(node);
        }
    }
    document.root_element().children().map(|child| count_shown_by(child, &ids)).sum()
}

fn count_shown_by(node: Node, ids: &HashMap<&str, Node>) -> u64 {
    if !node.is_element()
        || matches!(node.tag_name().name(), "linearGradient" | "radialGradient" | "stop" | "style" | "metadata")
    {
        return 0;
    }
    let mut links = node.attributes().filter(|attribute| attribute.name() == "href");
    let link = links.find_map(|link| ids.get(link.value().strip_prefix('#')?));
    let linked = link.filter(|_| node.has_tag_name("use")).map_or(0, |&linked| count_shown_by(linked, ids));
    1 + linked + node.children().map(|child| count_shown_by(child, ids)).sum::<u64>()
}
