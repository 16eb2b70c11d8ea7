use super::{cross_check::assert_inert, *};
use proptest::{
    prelude::*,
    sample::{Index, select},
};
use std::{fs, path::Path};

/// Returns the first reason why a drawing is rejected, if it is.
fn check(text: &str) -> Result<(), DrawingError> {
    read(text).map(drop).map_err(|faults| faults[0].error.clone())
}

/// Returns the names and texts of the drawings in a folder of the corpus.
fn corpus(folder: &str) -> Vec<(String, String)> {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/svg");
    let files: Vec<_> = fs::read_dir(Path::new(root).join(folder))
        .expect("the corpus is in the repository")
        .map(|entry| entry.expect("a folder can be listed").path())
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a drawing is UTF-8");
            (path.display().to_string(), text)
        })
        .collect();
    assert!(!files.is_empty(), "{folder} is empty");
    files
}

/// Returns the names and texts of the exports of drawing tools, sorted.
fn exports() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/corpus/exports");
    let paths = fs::read_dir(folder).expect("the corpus is in the repository").map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "svg"))
        .map(|path| (path.file_stem().unwrap().to_string_lossy().into_owned(), fs::read_to_string(path).unwrap()))
        .collect();
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
    let accepted: Vec<_> = corpus("hostile").into_iter().filter(|(_, text)| check(text).is_ok()).collect();
    assert!(accepted.is_empty(), "{accepted:#?}");
}

#[test]
fn inert_corpus_is_accepted() {
    for (name, text) in corpus("inert") {
        assert_eq!(check(&text), Ok(()), "{name}");
        if text.trim_start().starts_with('<') {
            assert_inert(&text);
        }
    }
}

/// Exports that are rejected, with the number of their faults.
const REJECTED_EXPORTS: [(&str, usize); 22] = [
    ("cairo-group", 1),
    ("coreldraw-default", 2),
    ("drawio-default", 13),
    ("drawio-plain-text", 1),
    ("echarts-default", 8),
    ("excalidraw-default", 4),
    ("excalidraw-scene", 4),
    ("figma-background-blur", 1),
    ("figma-drop-shadow", 1),
    ("gnuplot-default", 2),
    ("gnuplot-mouse", 9),
    ("graphviz-tooltip", 6),
    ("illustrator-save-as-preserve", 21),
    ("inkscape-drop-shadow", 1),
    ("libreoffice-default", 1),
    ("matplotlib-default", 1),
    ("matplotlib-text", 1),
    ("plantuml-default", 2),
    ("plot-default", 7),
    ("pygal-default", 3),
    ("pygal-no-script", 2),
    ("visio-shadow", 1),
];

#[test]
fn exports_of_drawing_tools_are_accepted() {
    let mut rejected = Vec::new();
    for (name, text) in exports() {
        match read(&text) {
            Ok(_) => assert_inert(&text),
            Err(faults) => {
                println!("{name}: {faults:#?}");
                rejected.push((name, faults.len()));
            }
        }
    }
    let rejected: Vec<_> = rejected.iter().map(|(name, count)| (name.as_str(), *count)).collect();
    assert_eq!(rejected, REJECTED_EXPORTS);
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

#[test]
fn exactly_one_root_is_accepted() {
    assert_eq!(check("\r\n\t <!-- a --> <svg/> <!-- b -->\n"), Ok(()));
    for text in
        ["<!-- a -->", "<svg/><g/>", "<svg/>a", "<!-- a -->a<svg/>", "<svg/>&#32;", "<svg/>\u{a0}", "\u{3000}<svg/>"]
    {
        assert_eq!(check(text), Err(DrawingError::Root), "{text}");
    }
}

#[test]
fn depth_is_limited() {
    let nest = |depth, leaf: &str| "<g>".repeat(depth) + leaf + &"</g>".repeat(depth);
    assert_eq!(check(&nest(MAX_DEPTH, "a")), Ok(()));
    assert_eq!(check(&nest(MAX_DEPTH - 1, "<g/>")), Ok(()));
    assert_eq!(check(&nest(MAX_DEPTH, "<g/>")), Err(DrawingError::TooDeep));
    assert_eq!(check(&nest(MAX_DEPTH + 1, "")), Err(DrawingError::TooDeep));
}

#[test]
fn attribute_count_is_limited() {
    let group = |count| {
        let attributes: Vec<_> = (0..count).map(|i| format!(" data-{i}=''")).collect();
        format!("<g{}/>", attributes.concat())
    };
    assert_eq!(check(&group(MAX_ATTRIBUTES)), Ok(()));
    assert_eq!(check(&group(MAX_ATTRIBUTES + 1)), Err(DrawingError::TooManyAttributes("g".to_owned())));
}

#[test]
fn title_and_desc_reject_markup() {
    assert_eq!(check("<g><title>a &lt; b</title><desc/></g>"), Ok(()));
    assert_eq!(check("<g><svg><title/></svg></g>"), Ok(()));
    for (text, element) in [
        ("<g><title><g/></title></g>", "title"),
        ("<g><title><!-- a --></title></g>", "title"),
        ("<svg><desc>a<!-- b --></desc></svg>", "desc"),
        ("<g><title/></g>", "title"),
        ("<g><svg/><title/></g>", "title"),
    ] {
        let rejection = DrawingError::MarkupInText(element.to_owned());
        assert_eq!(check(text), Err(rejection), "{text}");
    }
}

#[test]
fn ambiguous_comments_are_rejected() {
    for comment in ["", "a", " - ", "-a", "!", "\u{ac00}"] {
        assert_eq!(check(&format!("<g><!--{comment}--></g>")), Ok(()));
    }
    for comment in ["<", ">", ">a", "->a", "a--b", "a-", "-", "--!>", "\u{ffff}"] {
        let text = format!("<g><!--{comment}--></g>");
        assert!(matches!(check(&text), Err(DrawingError::Comment(_) | DrawingError::NotWellFormed)), "{text}");
    }
}

#[test]
fn malformed_attributes_are_rejected() {
    for attribute in [" id='a'", "\n\tid\r=\n\"'a'\"\t", " id='a' class='>'"] {
        assert_eq!(check(&format!("<g{attribute}/>")), Ok(()), "{attribute}");
    }
    for attribute in [
        " id",
        " id=",
        " id=a",
        " id='a",
        " id='a\"",
        " id='a'class='b'",
        " id='a' class",
        " id class='a'",
        " / ",
        " id='<'",
        " id='\u{1}'",
    ] {
        let text = format!("<g{attribute}></g>");
        let rejection = Err(DrawingError::NotWellFormed);
        assert_eq!(check(&text), rejection, "{attribute}");
    }
    assert_eq!(check("<g id='a' id='a'/>"), Err(DrawingError::DuplicateAttribute("id".to_owned())));
    assert_eq!(check("<g ='a'/>"), Err(DrawingError::Attribute(String::new())));
    assert!(check("<g\u{a0}id='a'></g>").is_err());
}

#[test]
fn ambiguous_entities_are_rejected() {
    for text in ["&amp;&lt;&gt;&quot;&apos;&nbsp;", "&#9;&#x41;&#0065;&#xA0;", "]] >", "]]&gt;"] {
        assert_eq!(check(&in_svg(text)), Ok(()), "{text}");
        assert_eq!(check_value("id", text), Ok(()), "{text}");
    }
    for reference in [
        "&",
        "&;",
        "&amp",
        "&copy;",
        "&AMP;",
        "&#;",
        "&#x;",
        "&#X41;",
        "&#+65;",
        "&#x+41;",
        "&#-1;",
        "&#a;",
        "&#0;",
        "&#8;",
        "&#x80;",
        "&#x9f;",
        "&#xd800;",
        "&#xfffe;",
        "&#x110000;",
        "&#4294967361;",
        "\u{1}",
        "\u{fffe}",
        "\u{ffff}",
    ] {
        for rejection in [check(&in_svg(reference)), check_value("id", reference)] {
            let is_expected = matches!(rejection, Err(DrawingError::NotWellFormed | DrawingError::Entity(_)));
            assert!(is_expected, "{reference}: {rejection:?}");
        }
    }
    assert_eq!(check("<g>]]></g>"), Err(DrawingError::NotWellFormed));
}

#[test]
fn invalid_declarations_are_rejected() {
    for fields in [
        "version='1.0'",
        "version = \"1.0\" encoding='Utf-8' ",
        "version='1.0' standalone='yes'",
        "version='1.0' encoding='EUC-KR' standalone='no'",
    ] {
        let text = format!("<?xml {fields}?><svg/>");
        assert_eq!(check(&text), Ok(()), "{text}");
    }
    for fields in [
        "",
        "encoding='utf-8'",
        "version='1.1'",
        "version='1.0'encoding='utf-8'",
        "version='1.0' encoding=''",
        "version='1.0' encoding='utf-7'",
        "version='1.0' encoding='utf-16'",
        "version='1.0' standalone='maybe'",
        "version='1.0' standalone='no' encoding='utf-8'",
        "version='1.0' encoding='utf-8' standalone='no' a='b'",
        "version='1.0' a='b'",
    ] {
        let text = format!("<?xml {fields}?><svg/>");
        assert_eq!(check(&text), Err(DrawingError::NotWellFormed), "{text}");
    }
}

#[test]
fn unsafe_namespaces_are_rejected() {
    for (name, namespace) in [
        ("xmlns", "http://www.w3.org/2000/svg"),
        ("xmlns", "http://www.w3.org/2000/sv&#103;"),
        ("xmlns:xlink", "http://www.w3.org/1999/xlink"),
        ("xmlns:svg", "http://www.w3.org/2000/svg"),
        ("xmlns:_a-1.b", "urn:a"),
    ] {
        assert_eq!(check_value(name, namespace), Ok(()), "{name}={namespace}");
    }
    for (name, namespace) in [
        ("xmlns", ""),
        ("xmlns", "http://www.w3.org/1999/xhtml"),
        ("xmlnsa", "http://www.w3.org/2000/svg"),
        ("xmlns:", "urn:a"),
        ("xmlns:xlink", "urn:a"),
        ("xmlns:xml", "http://www.w3.org/XML/1998/namespace"),
        ("xmlns:xmlns", "urn:a"),
        ("xmlns:a", ""),
        ("xmlns:a", "http://www.w3.org/XML/1998/namespace"),
        ("xmlns:a", "http://www.w3.org/2000/xmlns/"),
        ("xmlns:1", "urn:a"),
        ("xmlns:a:b", "urn:a"),
        ("xmlns:가", "urn:a"),
    ] {
        let rejection = Err(DrawingError::Namespace(name.to_owned()));
        let element = format!("<svg {name}='{namespace}'/>");
        assert_eq!(check(&element), rejection, "{element}");
    }
}

#[test]
fn external_links_are_rejected() {
    for (element, link) in [
        ("use", "#a"),
        ("image", "data:image/png;base64,AA/+"),
        ("image", "data:image/webp;base64,AA&#10; AA= =\n"),
        ("pattern", "data:image/jpg;base64,AAAA"),
        ("image", "blob:https://tickets.example/1"),
    ] {
        for name in ["href", "xlink:href"] {
            let text = in_svg(&format!("<{element} {name}='{link}'/>"));
            assert_eq!(check(&text), Ok(()), "{text}");
        }
    }
    for (element, link) in [
        ("use", ""),
        ("use", " #a"),
        ("use", "&#10;#a"),
        ("use", "a.svg#a"),
        ("use", "//evil.example/a.svg#a"),
        ("use", "javascript&#58;alert(1)"),
        ("use", "blob:https://tickets.example/1"),
        ("image", "blob:"),
        ("image", "blob:a b"),
        ("image", "Blob:a"),
        ("image", " data:image/png;base64,AAAA"),
        ("image", "data:image/png,AAAA"),
        ("image", "data:image/png;base64,"),
        ("image", "data:image/png;base64,="),
        ("image", "data:image/png;base64,A=A"),
        ("image", "data:image/png;base64,AA#a"),
        ("image", "data:image/svg+xml;base64,AAAA"),
        ("image", "data:text/html;base64,AAAA"),
        ("image", "#a"),
    ] {
        for name in ["href", "xlink:href"] {
            let text = in_svg(&format!("<{element} {name}='{link}'/>"));
            assert!(matches!(check(&text), Err(DrawingError::Link(_))), "{text}");
        }
    }
}

#[test]
fn active_values_are_rejected() {
    for (name, value) in [
        ("fill", "url(#a) none"),
        ("fill", "URL( '#a' )"),
        ("style", "fill: url(&quot;#a&quot;); stroke: url(#b)"),
        ("style", "opacity:.5;-webkit-mask : url(#a) ;"),
        ("style", "font-variant-position:normal; --position: 1"),
        ("class", "position image( element(a) /* */"),
        ("data-name", "src(a) progid:"),
        ("aria-label", "java"),
    ] {
        assert_eq!(check_value(name, value), Ok(()), "{name}={value}");
    }
    for (name, value) in [
        ("data-a", "\\"),
        ("class", "a@b"),
        ("id", "Image-Set"),
        ("lang", "expression"),
        ("xml:lang", "JavaScript"),
        ("xmlns:a", "javascript:"),
        ("href", "#java&#9;script"),
        ("aria-label", "url(a)"),
        ("fill", "url()"),
        ("fill", "url(#a"),
        ("fill", "url('#a&quot;)"),
        ("fill", "url(#a'b)"),
        ("fill", "url(#a) url (b)"),
        ("cursor", "url(#a),auto"),
        ("style", "background: url(#a)"),
        ("style", "fill: url(#a); Cursor: url(#a), auto"),
        ("style", "content:';fill' url(#a)"),
        ("style", "--a: url(#a)"),
        ("style", "url(#a)"),
        ("mask", "url(' #a')"),
        ("style", "mask-image: url('\u{a0}#a')"),
        ("fill", "url(\u{3000}#a)"),
        ("fill", "&#117;rl(a)"),
        ("mask", "image ( 'a' )"),
        ("cursor", "src('a')"),
        ("style", "background: cross-fade('a', 'b')"),
        ("style", "background: -moz-element(#a)"),
        ("style", "fill: red /* */"),
        ("style", "filter: progid:a"),
        ("style", "Position: fixed"),
        ("style", "fill:red;position\n:fixed"),
    ] {
        let rejection = check_value(name, value);
        let is_expected =
            matches!(&rejection, Err(DrawingError::Value { attribute, part }) if attribute == name && !part.is_empty());
        assert!(is_expected, "{name}={value}: {rejection:?}");
    }
}

#[test]
fn costly_css_is_rejected() {
    for (name, value) in [
        ("filter", "blur(50px)"),
        ("style", "mask:linear-gradient(red,blue)"),
        ("style", "columns:100000"),
        ("style", "text-shadow:0 0 9px red"),
        ("style", "box-shadow:0 0 9px red"),
        ("filter", "url(#a) Drop-Shadow( 0 0 9px red )"),
        ("filter", "var(--a)"),
        ("style", "--a: blur(9px)"),
        ("style", "filter: url(#a) var( --a)"),
        ("style", "backdrop-filter:attr(data-a type(*))"),
    ] {
        assert!(matches!(check_value(name, value), Err(DrawingError::Value { .. })), "{name}={value}");
    }
    for (name, value) in [("filter", "url(#a)"), ("fill", "var(--a)"), ("style", "--a:#fff;fill:var(--a)")] {
        assert_eq!(check_value(name, value), Ok(()), "{name}={value}");
    }
}

#[test]
fn every_fault_has_its_place() {
    let text = "<svg>\n  <a/><rect onclick='x'\n  좌='1' fill='url(x)'/>\n<?x?><script><b/></script><g><foreignObject/></g>\n</svg>";
    let faults = read(text).unwrap_err();
    let places: Vec<_> = faults.iter().map(|fault| fault.position.map(|at| (at.line, at.column))).collect();
    assert_eq!(places, [(2, 3), (2, 13), (3, 3), (3, 9), (4, 1), (4, 6), (4, 30)].map(Some));
    assert_eq!(faults[1].error, DrawingError::Attribute("onclick".to_owned()));
    assert_eq!(faults[5].error, DrawingError::Element("script".to_owned()));
    let many = in_svg(&"<a/>".repeat(MAX_FAULTS + 1));
    assert_eq!(read(&many).unwrap_err().len(), MAX_FAULTS);
}

#[test]
fn names_of_tools_need_their_namespace() {
    let tool = |content: &str| {
        format!("<svg xmlns:i='urn:i' xmlns:s='http://www.w3.org/2000/svg' xmlns:x-on='urn:x'>{content}</svg>")
    };
    for content in [
        "<i:a i:b='javascript:a' c_d='@' width='1'><i:e/>text</i:a>",
        "<rect i:onclick='a' i:href='b'/>",
        "<g xmlns:j='urn:j'><j:a/></g>",
    ] {
        assert_eq!(check(&tool(content)), Ok(()), "{content}");
    }
    for content in [
        "<s:rect/>",
        "<rect s:fill='red'/>",
        "<rect x-on:click='a'/>",
        "<g xmlns:j='urn:j'/><j:a/>",
        "<g xmlns:i='http://www.w3.org/1999/xhtml'><i:script/></g>",
        "<g xmlns:j='urn:i' j:a='b'/>",
        "<i:a onclick='a'/>",
        "<i:a autofocus=''/>",
        "<i:a v-html='a'/>",
        "<i:a style='position:fixed'/>",
        "<i:a href='https://evil.example'/>",
        "<i:가/>",
        "<i:a:b/>",
        "<rect showgrid='a'/>",
    ] {
        assert!(check(&tool(content)).is_err(), "{content}");
    }
}

#[test]
fn only_svg_doctypes_are_accepted() {
    for doctype in [
        "<!DOCTYPE svg>",
        "<?xml version='1.0'?>\n<!DOCTYPE  svg  PUBLIC \"-//W3C//DTD SVG 1.1//EN\"\n 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd' >",
        "<!DOCTYPE svg SYSTEM 'https://www.w3.org/TR/svg.dtd'>",
    ] {
        assert_eq!(check(&format!("{doctype}<svg/>")), Ok(()), "{doctype}");
    }
    for doctype in [
        "<!DOCTYPE html>",
        "<!DOCTYPE svgz>",
        "<!DOCTYPE svg SYSTEM 'https://evil.example/a.dtd'>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD XHTML 1.0//EN' 'http://www.w3.org/a.dtd'>",
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'>",
        "<!DOCTYPE svg><!DOCTYPE svg>",
        "<!DOCTYPE svg 'http://www.w3.org/a.dtd'>",
    ] {
        assert_eq!(check(&format!("{doctype}<svg/>")), Err(DrawingError::Doctype), "{doctype}");
    }
    assert_eq!(check("<svg/><!DOCTYPE svg>"), Err(DrawingError::Doctype));
}

#[test]
fn style_elements_are_only_accepted_within_svg() {
    let css = ".st0{fill:#fff}";
    for content in [
        format!("<style>{css}</style>"),
        format!("<defs><style type='text/css' id='a'> <![CDATA[ {css} ]]>\n</style></defs>"),
        "<style/>".to_owned(),
    ] {
        assert_eq!(check(&in_svg(&content)), Ok(()), "{content}");
    }
    for content in [
        format!("<style media='print'>{css}</style>"),
        format!("<style type='text/less'>{css}</style>"),
        format!("<style>{css}<![CDATA[{css}]]></style>"),
        format!("<style>{css}<g/></style>"),
        format!("<style>{css}<!-- a --></style>"),
        "<style>.st0{fill:&quot;a&quot;}</style>".to_owned(),
        "<style>rect{fill:red}</style>".to_owned(),
    ] {
        assert!(check(&in_svg(&content)).is_err(), "{content}");
    }
    assert_eq!(check(&format!("<g><style>{css}</style></g>")), Err(DrawingError::Element("style".to_owned())));
    let faults = read(&in_svg("<style>\n.st0{fill:red}\n.st1{fill:red;position:fixed} rect{}</style>")).unwrap_err();
    let places: Vec<_> = faults.iter().map(|fault| fault.position.map(|at| (at.line, at.column))).collect();
    assert_eq!(places, [Some((3, 15)), Some((3, 31))]);
}

#[test]
fn pixels_of_images_are_limited() {
    let image = |width: u16, height: u16| {
        let header = [b"GIF89a".as_slice(), &width.to_le_bytes(), &height.to_le_bytes(), &[0; 30]].concat();
        format!("<image href='data:image/png;base64,{}'/>", base64_simd::STANDARD.encode_to_string(header))
    };
    assert_eq!(check(&in_svg(&(image(4_096, 2_048) + &image(2_048, 4_096)))), Ok(()));
    let exceeding = image(4_096, 4_096) + &image(1, 1) + &image(1, 1);
    let faults = read(&in_svg(&exceeding)).unwrap_err();
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].error, DrawingError::TooManyPixels(16_777_216));
    assert_eq!(check(&in_svg(&image(5_000, 1))), Err(DrawingError::ImageTooLarge(4_096)));
}

#[test]
fn only_web_urls_and_paths_are_accepted() {
    for text in [
        "https://tickets.example/map.svg?a=b&c#d",
        "HTTP:map.svg",
        "//tickets.example/map.svg",
        "/maps/1.svg",
        "maps/a:b",
        "?a:b",
        "좌석:1.svg",
        "1:2",
        ":a",
    ] {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    for text in [
        "javascript:a",
        "JavaScript:a",
        "data:image/png;base64,AAAA",
        "blob:https://tickets.example/1",
        "file:///a",
        "a+b-c.1:d",
        "a b",
        "a\n",
        " a",
        "a\u{3000}b",
        "java\tscript:a",
        "a<b",
        "a>b",
        "a\"b",
        "a'b",
        "a`b",
        "a\\b",
        "a\u{7f}",
        "\u{feff}javascript:a",
    ] {
        assert_eq!(check(text), Err(DrawingError::UnsafeUrl), "{text}");
    }
}

/// Markup that XML and HTML parsers may end, open or decode differently, separated by bars.
///
/// The tests insert it into random drawings.
const TOKENS: &str = "<svg>|</svg>|<g>|</g>|<g/>|<rect/>|<path d='M0 0'>|</path>|<title>|</title>\
    |<title/>|<desc>|</desc>|<desc/>|<image/>|<image>|</image>|<use href='#a'/>\
    |<text>|</text>|<script>|</script>|<style>|</style>|<img src=x onerror=y>|<p>\
    |</p>|</br>|<math>|<foreignObject>|<textarea>|<plaintext>|<svg:g>|<!--|-->\
    |--!>|--|<!-->|<!--->|<!-- a -->|<![CDATA[|]]>|<!DOCTYPE a>|<?x ?>\
    |<?xml version='1.0'?>|?>|<!|</|</>|<|>|/>|/|=|\"|'|`|&|;|&lt;|&gt;|&quot;\
    |&nbsp;|&copy|&copy;|&#60;|&#x3c;|&#x8b;|&#13;|&#10;| |\n|\r|\r\n|\u{a0}\
    |\u{c}|\0|a|좌| id='a'| id=\"b\"| onclick='a'| href='#a'| href='javascript:a'\
    | xlink:href='#b'| style='fill:red'| fill='url(#a)'\
    | xmlns='http://www.w3.org/2000/svg'| data-a='<'| xml:space='preserve'\
    |<!DOCTYPE svg>|\u{feff}|<metadata>|</metadata>|.a1{fill:url(#a)}|.a1{|}|<i:a xmlns:i='urn:i'>|</i:a>\
    | xmlns:i='urn:i'| xmlns:i='http://www.w3.org/2000/svg'| xmlns:j='urn:i'| i:href='b'| j:href='c'| showgrid='d'";

/// Selects one of the words, separated by bars.
fn one_of(words: &'static str) -> impl Strategy<Value = &'static str> {
    select(words.split('|').collect::<Vec<_>>())
}

/// Generates accepted attributes of a tag, in either kind of quotes.
fn attribute_list() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        select(&allow_list::PROPERTIES[..]),
        select(&allow_list::ATTRIBUTES[..]),
        one_of("style|data-a|data-A|aria-label"),
    ];
    let value = one_of("|a|1 2|좌석|&lt;/g>|&#39;&#x22;&nbsp;|url(#a)|a\n\tb|/>");
    let attributes = prop::collection::btree_map(name, value, 0..4);
    (attributes, one_of("\"|'")).prop_map(|(attributes, quote)| {
        let write = |(name, value): (&str, &str)| {
            let value = match value {
                _ if name.ends_with("href") => "#a",
                "url(#a)" if !allow_list::refers_to_element(name) => "var(--a)",
                value => value,
            };
            format!(" {name}={quote}{value}{quote}")
        };
        attributes.into_iter().map(write).collect()
    })
}

/// Replaces the links of an `image` by links to an image.
fn with_image_links(name: &str, attributes: String) -> String {
    const IMAGE: &str = "data:image/png;base64,AA==";
    match name {
        "image" => ["\"", "'"].iter().fold(attributes, |attributes, quote| {
            attributes.replace(&format!("href={quote}#a"), &format!("href={quote}{IMAGE}"))
        }),
        _ => attributes,
    }
}

/// Generates an accepted drawing.
fn drawing() -> impl Strategy<Value = String> {
    let text = one_of("| |a|1열\r\n|&lt;script&gt;|&amp;lt;|]] >|&#x1f600;|<!---->|<!-- - ! -->");
    let names: Vec<_> = allow_list::ELEMENTS.into_iter().filter(|&name| name != "style").collect();
    let leaf = (select(names), attribute_list());
    let leaf = (leaf, any::<bool>()).prop_map(|((name, attributes), is_empty)| {
        let attributes = with_image_links(name, attributes);
        match name {
            "title" | "desc" => format!("<{name}{attributes}>a &amp; b</{name} >"),
            _ if is_empty => format!("<{name}{attributes}/>"),
            _ => format!("<{name}{attributes}></{name}>"),
        }
    });
    let of_tool = one_of(
        "<svg><style>.a1{fill:url(#a)} .b-2, .c3{mask:none;}</style></svg>|\
         <svg><style type='text/css'>\n<![CDATA[.a1{stroke:#fff}]]> </style></svg>|\
         <metadata><i:a xmlns:i='urn:i' i:b='@' c_d='\\'>x<i:e/></i:a></metadata>|\
         <g xmlns:i='urn:i' i:label='url(x)'/>",
    );
    let content = prop_oneof![text.prop_map(str::to_owned), leaf, of_tool.prop_map(str::to_owned)];
    let content = content.prop_recursive(4, 24, 4, |inner| {
        let inner = prop::collection::vec(inner, 0..4);
        let parent = one_of("svg|g|defs|text|mask|pattern|image|symbol|use|path");
        (parent, attribute_list(), inner).prop_map(|(name, attributes, inner)| {
            let attributes = with_image_links(name, attributes);
            format!("<{name}{attributes}>{}</{name}>", inner.concat())
        })
    });
    let content = prop::collection::vec(content, 0..4);
    let before = one_of(
        "|\n|<!-- a -->|<?xml version='1.0' encoding='UTF-8'?>\n|\u{feff}\n<?xml version='1.0'?>|\
         <!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>",
    );
    (before, one_of("svg|g"), attribute_list(), content).prop_map(|(before, root, attributes, content)| {
        let content = content.concat();
        format!("{before}<{root}{attributes}>{content}</{root}>\n")
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn generated_drawings_are_accepted(text in drawing()) {
        // A generated drawing may refer to itself.
        prop_assert!(matches!(check(&text), Ok(()) | Err(DrawingError::TooManyElements)), "{}", text);
        assert_inert(&text);
    }

    #[test]
    fn accepted_drawings_are_inert(
        text in drawing(),
        splices in prop::collection::vec((any::<Index>(), one_of(TOKENS)), 1..4),
    ) {
        let mut text = text;
        for (at, token) in splices {
            let at = text.floor_char_boundary(at.index(text.len()));
            text.insert_str(at, token);
        }
        if check(&text).is_ok() {
            assert_inert(&text);
        }
    }

    #[test]
    fn accepted_token_mixtures_are_inert(
        tokens in prop::collection::vec(one_of(TOKENS), 0..12),
        root in one_of("svg|g"),
    ) {
        let text = format!("<{root}>{}</{root}>", tokens.concat());
        if check(&text).is_ok() {
            assert_inert(&text);
        }
    }

    #[test]
    fn never_panics(text in any::<String>()) {
        let _ = check(&text);
        let _ = check(&format!("<{text}"));
    }
}
