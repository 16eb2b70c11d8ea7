use super::{cross_check::assert_inert, *};
use std::{fs, path::Path};

mod generated;
mod markup;
mod values;

/// Returns the first reason why a drawing is rejected, if it is.
fn check(text: &str) -> Result<(), DrawingError> {
    let references = read(text).map_err(|faults| faults[0].error.clone())?;
    let DrawnElements { total, most } = references.drawn.clone();
    if total <= MAX_DRAWN_ELEMENTS { Ok(()) } else { Err(DrawingError::TooManyElements { total, most }) }
}

/// Returns the names and texts of the drawings in a folder of the test data, sorted.
fn drawings(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(folder);
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let svgs = paths.filter(|path| path.extension().is_some_and(|extension| extension == "svg"));
    let mut files: Vec<_> = svgs
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
    assert!(!files.is_empty());
    files.sort();
    files
}

fn in_svg(content: &str) -> String {
    format!(r#"<svg xmlns="http://www.w3.org/2000/svg">{content}</svg>"#)
}

/// Checks a rectangle with an attribute and its raw value.
fn check_value(name: &str, value: &str) -> Result<(), DrawingError> {
    check(&in_svg(&format!(r#"<rect {name}="{value}"/>"#)))
}

#[test]
fn hostile_corpus_is_rejected() {
    let accepted: Vec<_> = drawings("svg/hostile").into_iter().filter(|(_, text)| check(text).is_ok()).collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn inert_corpus_is_accepted() {
    for (name, text) in drawings("svg/inert") {
        assert_eq!(check(&text), Ok(()), "{name}");
        if text.trim_start().starts_with('<') {
            assert_inert(&text);
        }
    }
}

#[test]
fn most_exports_of_drawing_tools_are_accepted() {
    let mut faults = Vec::new();
    for (name, text) in drawings("exports") {
        match read(&text) {
            Ok(_) => assert_inert(&text),
            Err(found) => faults.push(format!("{name} {}", found.len())),
        }
    }
    let lines: Vec<_> = faults.chunks(6).map(|faults| faults.join(", ")).collect();
    insta::assert_snapshot!(lines.join("\n"), @r"
    cairo-group 1, coreldraw-default 2, drawio-default 13, drawio-plain-text 1, echarts-default 7, excalidraw-default 4
    excalidraw-scene 4, figma-background-blur 1, figma-drop-shadow 1, gnuplot-default 2, gnuplot-mouse 9, graphviz-tooltip 6
    illustrator-save-as-preserve 21, inkscape-drop-shadow 1, libreoffice-default 1, matplotlib-default 1, matplotlib-text 1, plantuml-default 2
    plot-default 2, pygal-default 83, pygal-no-script 82, visio-shadow 1
    ");
}

#[test]
fn rejection_names_broken_rule() {
    let owned = |name: &str| name.to_owned();
    let value = |attribute: &str, part: &str| DrawingError::Value { attribute: owned(attribute), part: owned(part) };
    for (text, rejection) in [
        ("<svg>\n\n<g></svg>", DrawingError::NotWellFormed),
        ("<svg>\n", DrawingError::NotWellFormed),
        ("<path/>", DrawingError::Root),
        ("<g><script/></g>", DrawingError::Element(owned("script"))),
        ("<g><svg:rect/></g>", DrawingError::UndeclaredPrefix(owned("svg:rect"))),
        ("<g\nonclick='x'/>", DrawingError::Attribute(owned("onclick"))),
        ("<g xmlns='x'/>", DrawingError::Namespace(owned("xmlns"))),
        ("<g href='x.svg#a'/>", DrawingError::Link(owned("x.svg#a"))),
        ("<g fill='url(x)'/>", value("fill", "url(x)")),
        ("<g><desc><g/></desc></g>", DrawingError::MarkupInText(owned("desc"))),
        ("<!doctype svg><svg/>", DrawingError::Doctype),
        ("<!DOCTYPE svg [<!ENTITY a 'b'>]><svg/>", DrawingError::InternalSubset),
        ("<g><![CDATA[]]></g>", DrawingError::CData),
        ("<g><?x?></g>", DrawingError::ProcessingInstruction),
        ("<g><!-- > --></g>", DrawingError::Comment(owned(">"))),
        ("javascript:x", DrawingError::UnsafeUrl),
    ] {
        assert_eq!(check(text), Err(rejection), "{text}");
    }
}

#[test]
fn long_name_is_truncated() {
    let rejection = check(&format!("<g {}='1'/>", "좌".repeat(65)));
    assert_eq!(rejection, Err(DrawingError::Attribute("좌".repeat(64))));
}
