use super::*;

#[test]
fn depth_is_limited() {
    let nest = |depth, leaf: &str| "<g>".repeat(depth) + leaf + &"</g>".repeat(depth);
    assert_eq!(check(&nest(MAX_DEPTH, "a")), Ok(()));
    for too_deep in [nest(MAX_DEPTH, "<g/>"), nest(MAX_DEPTH + 1, "")] {
        assert_eq!(check(&too_deep), Err(DrawingError::TooDeep));
    }
}

#[test]
fn attribute_count_is_limited() {
    let group = |count| format!("<g{}/>", (0..count).map(|i| format!(" data-{i}=''")).collect::<Vec<_>>().concat());
    assert_eq!(check(&group(MAX_ATTRIBUTES)), Ok(()));
    assert_eq!(check(&group(MAX_ATTRIBUTES + 1)), Err(DrawingError::TooManyAttributes("g".to_owned())));
}

#[test]
fn malformed_attributes_are_rejected() {
    for attribute in ["\n\tid\r=\n\"'a'\"\t", " id='a' class='>'"] {
        assert_eq!(check(&format!("<g{attribute}/>")), Ok(()), "{attribute}");
    }
    for attribute in " id| id=| id=a| id='a| id='a\"| id='a'class='b'| id='a' class| / | id='<'| id='\u{1}'".split('|')
    {
        assert_eq!(check(&format!("<g{attribute}></g>")), Err(DrawingError::NotWellFormed), "{attribute}");
    }
    assert_eq!(check("<g id='a' id='a'/>"), Err(DrawingError::DuplicateAttribute("id".to_owned())));
    assert_eq!(check("<g ='a'/>"), Err(DrawingError::Attribute(String::new())));
    assert!(check("<g\u{a0}id='a'></g>").is_err());
}

#[test]
fn ambiguous_entities_are_rejected() {
    for text in ["&amp;&lt;&gt;&quot;&apos;&nbsp;", "&#9;&#x41;&#0065;&#xA0;", "]] >", "]]&gt;"] {
        assert_eq!([check(&in_svg(text)), check_value("id", text)], [Ok(()), Ok(())], "{text}");
    }
    let references = "& &; &amp &copy; &AMP; &#; &#x; &#X41; &#+65; &#x+41; &#a; &#0; &#8; &#x80; &#x9f; &#xd800; \
                      &#xfffe; &#x110000; &#4294967361; \u{1} \u{ffff}";
    for reference in references.split(' ') {
        for result in [check(&in_svg(reference)), check_value("id", reference)] {
            let is_expected = matches!(result, Err(DrawingError::NotWellFormed | DrawingError::Entity(_)));
            assert!(is_expected, "{reference}: {result:?}");
        }
    }
    assert_eq!(check("<g>]]></g>"), Err(DrawingError::NotWellFormed));
}

#[test]
fn every_fault_has_its_place() {
    let text = "<svg>\n  <a/><rect onclick='x'\n  좌='1' style='position:fixed;fill:red;filter:blur(9px)'/>\n<?x?>\
                <script><b/></script><g><foreignObject/></g>\n</svg>";
    let faults: Vec<_> = read(text)
        .unwrap_err()
        .into_iter()
        .map(|fault| {
            let at = fault.position.unwrap();
            format!("{}:{} {:?}", at.line, at.column, fault.error)
        })
        .collect();
    insta::assert_snapshot!(faults.join("\n"), @r#"
    2:3 Element("a")
    2:13 Attribute("onclick")
    3:3 Attribute("좌")
    3:9 Value { attribute: "style", part: "position" }
    3:9 Value { attribute: "style", part: "blur(" }
    4:1 ProcessingInstruction
    4:6 Element("script")
    4:30 Element("foreignObject")
    "#);
    let many = in_svg(&"<a/>".repeat(MAX_FAULTS + 1));
    assert_eq!(read(&many).unwrap_err().len(), MAX_FAULTS);
}

#[test]
fn style_elements_are_only_accepted_within_svg() {
    let css = ".st0{fill:#fff}";
    for content in [
        format!("<defs><style type='text/css' id='a'> <![CDATA[ {css} ]]>\n</style></defs><style>{css}</style>"),
        "<style/>".to_owned(),
    ] {
        assert_eq!(check(&in_svg(&content)), Ok(()), "{content}");
    }
    for content in [
        format!("<style media='print'>{css}</style>"),
        format!("<style type='text/less'>{css}</style>"),
        format!("<style>{css}<![CDATA[{css}]]></style>"),
        format!("<style>{css}<!-- a --></style>"),
        "<style>.st0{fill:&quot;a&quot;}</style>".to_owned(),
    ] {
        assert!(check(&in_svg(&content)).is_err(), "{content}");
    }
    assert_eq!(check(&format!("<g><style>{css}</style></g>")), Err(DrawingError::Element("style".to_owned())));
    let faults = read(&in_svg("<style>\n.st0{fill:red}\n.st1{fill:red;position:fixed} rect{}</style>")).unwrap_err();
    let places: Vec<_> = faults.iter().map(|fault| fault.position.map(|at| (at.line, at.column))).collect();
    assert_eq!(places, [Some((3, 15)), Some((3, 31))]);
}

#[test]
fn references_in_style_elements_are_rejected() {
    for css in
        [".st0{fill:red}?", "?.st0{fill:red}", ".st0?{fill:red}", ".st0{fill:?}", ".st0{fill:red?}", ".st0{?fill:red}"]
    {
        for reference in ["&lt;", "&#x7d;", "&nbsp;"] {
            let result = check(&in_svg(&format!("<style>{}</style>", css.replace('?', reference))));
            assert!(matches!(result, Err(DrawingError::StyleSheet(_))), "{css} {reference}");
        }
    }
}

#[test]
fn exactly_one_root_is_accepted() {
    assert_eq!(check("\r\n\t <!-- a --> <svg/> <!-- b -->\n"), Ok(()));
    for text in "<!-- a -->|<svg/><g/>|<svg/>a|<!-- a -->a<svg/>|<svg/>&#32;|<svg/>\u{a0}".split('|') {
        assert_eq!(check(text), Err(DrawingError::Root), "{text}");
    }
}

#[test]
fn title_and_desc_reject_markup() {
    assert_eq!(check("<g><title>a &lt; b</title><desc/><svg><title/></svg></g>"), Ok(()));
    for content in
        ["<title><g/></title>", "<title><!-- a --></title>", "<svg><desc>a<!-- b --></desc></svg>", "<svg/><title/>"]
    {
        let result = check(&format!("<g>{content}</g>"));
        assert!(matches!(result, Err(DrawingError::MarkupInText(_))), "{content}");
    }
}

#[test]
fn ambiguous_comments_are_rejected() {
    for comment in ["", "a", " - ", "-a", "!", "\u{ac00}"] {
        assert_eq!(check(&format!("<g><!--{comment}--></g>")), Ok(()));
    }
    for comment in ["<", ">a", "->a", "a--b", "a-", "--!>", "\u{ffff}"] {
        let text = format!("<g><!--{comment}--></g>");
        assert!(matches!(check(&text), Err(DrawingError::Comment(_) | DrawingError::NotWellFormed)), "{text}");
    }
}

#[test]
fn invalid_declarations_are_rejected() {
    for fields in ["version = \"1.0\" encoding='Utf-8' ", "version='1.0' encoding='EUC-KR' standalone='no'"] {
        assert_eq!(check(&format!("<?xml {fields}?><svg/>")), Ok(()), "{fields}");
    }
    let rejected = "|encoding='utf-8'|version='1.1'|version='1.0'encoding='utf-8'|version='1.0' encoding='utf-7'\
                    |version='1.0' standalone='maybe'|version='1.0' standalone='no' encoding='utf-8'\
                    |version='1.0' encoding='utf-8' standalone='no' a='b'";
    for fields in rejected.split('|') {
        assert_eq!(check(&format!("<?xml {fields}?><svg/>")), Err(DrawingError::NotWellFormed), "{fields}");
    }
}

#[test]
fn unsafe_namespaces_are_rejected() {
    let accepted = "xmlns=http://www.w3.org/2000/sv&#103; xmlns:xlink=http://www.w3.org/1999/xlink \
                    xmlns:svg=http://www.w3.org/2000/svg xmlns:_a-1.b=urn:a";
    for (name, namespace) in accepted.split(' ').filter_map(|declaration| declaration.split_once('=')) {
        assert_eq!(check_value(name, namespace), Ok(()), "{name}={namespace}");
    }
    let rejected = "xmlns= xmlns=http://www.w3.org/1999/xhtml xmlnsa=http://www.w3.org/2000/svg xmlns:=urn:a \
                    xmlns:xlink=urn:a xmlns:xml=http://www.w3.org/XML/1998/namespace xmlns:a= xmlns:a:b=urn:a \
                    xmlns:a=http://www.w3.org/XML/1998/namespace xmlns:a=http://www.w3.org/2000/xmlns/ xmlns:가=urn:a";
    for (name, namespace) in rejected.split(' ').filter_map(|declaration| declaration.split_once('=')) {
        let text = format!("<svg {name}='{namespace}'/>");
        assert_eq!(check(&text), Err(DrawingError::Namespace(name.to_owned())), "{text}");
    }
}

#[test]
fn names_of_tools_need_their_namespace() {
    let tool = |content: &str| {
        format!("<svg xmlns:i='urn:i' xmlns:s='http://www.w3.org/2000/svg' xmlns:x-on='urn:x'>{content}</svg>")
    };
    let accepted = "<i:a i:b='javascript:a' c_d='@' width='1'><i:e/>text</i:a>|<i:a only_selected='a' fit-margin-top='0'/>|<rect i:onclick='a' i:href='b'/>\
                    |<g xmlns:j='urn:j'><j:a/></g>";
    for content in accepted.split('|') {
        assert_eq!(check(&tool(content)), Ok(()), "{content}");
    }
    let rejected = "<s:rect/>|<rect s:fill='red'/>|<rect x-on:click='a'/>|<g xmlns:j='urn:j'/><j:a/>\
                    |<g xmlns:i='http://www.w3.org/1999/xhtml'><i:script/></g>|<g xmlns:j='urn:i' j:a='b'/>\
                    |<i:a onclick='a'/>|<i:a autofocus=''/>|<i:a v-html='a'/>|<i:a style='position:fixed'/>\
                    |<i:a STYLE='position:fixed'/>|<rect xmlns:XLINK='urn:x' XLINK:href='https://evil.example'/>\
                    |<rect i:a='b' Xlink:href='a'/>|<i:a fit-margin-all='0'/>|<i:a onFocus='a'/>\
                    |<i:a href='https://evil.example'/>|<i:가/>|<i:a:b/>|<rect showgrid='a'/>";
    for content in rejected.split('|') {
        assert!(check(&tool(content)).is_err(), "{content}");
    }
}

#[test]
fn only_svg_doctypes_are_accepted() {
    const DTD: &str = "'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'";
    let public = format!("PUBLIC \"-//W3C//DTD SVG 1.1//EN\"\n {DTD} ");
    for doctype in ["", &public, "SYSTEM 'https://www.w3.org/TR/svg.dtd'"] {
        assert_eq!(check(&format!("<?xml version='1.0'?>\n<!DOCTYPE  svg  {doctype}><svg/>")), Ok(()), "{doctype}");
    }
    let other_public = format!("<!DOCTYPE svg PUBLIC '-//W3C//DTD XHTML 1.0//EN' {DTD}>");
    let unnamed = format!("<!DOCTYPE svg {DTD}>");
    for doctype in [
        "<!DOCTYPE svgz>",
        "<!DOCTYPE svg SYSTEM 'https://evil.example/a.dtd'>",
        &other_public,
        "<!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN'>",
        "<!DOCTYPE svg><!DOCTYPE svg>",
        &unnamed,
        "<svg/><!DOCTYPE svg>",
    ] {
        assert_eq!(check(&format!("{doctype}<svg/>")), Err(DrawingError::Doctype), "{doctype}");
    }
}
