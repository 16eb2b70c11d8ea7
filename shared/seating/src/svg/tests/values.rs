use super::*;

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
        ("use", "#a&#10;"),
        ("use", "#a "),
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
        ("style", "font-variant-position:normal; -inkscape-position: 1; MSO-a: b"),
        ("style", "Fill: RGB(1 2 3 / .5)!important; -webkit-transform: skewX(1deg) TranslateY(2px);"),
        ("style", "stroke:light-dark(#fff, var(--ge-dark-color, #000)); font: 9px 'https://evil.example (b)'"),
        ("transform", "skewX(10) matrix(1 0 0 1 2,3)"),
        ("font-family", "O'Neill"),
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
        ("href", "#java script"),
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
        ("style", "fill:red;a"),
        ("style", "fill:{;position:fixed}"),
        ("style", "fill:rgb(1;position:fixed)"),
        ("style", "fill:';position:fixed'"),
        ("clip-path", "inherit"),
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
        ("style", "filter: progid:a(b='c')"),
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
    for (name, value, part) in [
        ("style", "grid-template-rows:repeat(9999999,1px [a])", "grid-template-rows"),
        ("style", "--a1:var(--a0)var(--a0)", "--a1"),
        ("style", "Will-Change:transform", "will-change"),
        ("style", "transform-style:preserve-3d", "transform-style"),
        ("style", "columns:100000", "columns"),
        ("style", "content:'a'", "content"),
        ("style", "text-shadow:0 0 9px red", "text-shadow"),
        ("style", "d:path('M0 0')", "d"),
        ("style", "clip-path:POLYGON(0 0)", "polygon("),
        ("style", "transform:rotate(9deg) translateZ(1px)", "translatez("),
        ("style", "fill:var( --a)", "var("),
        ("style", "mask:linear-gradient(red,blue)", "linear-gradient("),
        ("filter", "url(#a) Drop-Shadow ( 0 0 9px red )", "drop-shadow("),
        ("clip-path", "PATH('M0 0')", "path("),
        ("transform", "perspective(9)", "perspective("),
        ("width", "calc(1px)", "calc("),
        ("fill", "(red)", "("),
    ] {
        let rejection = DrawingError::Value { attribute: name.to_owned(), part: part.to_owned() };
        assert_eq!(check_value(name, value), Err(rejection), "{name}={value}");
    }
}

#[test]
fn dashes_are_limited() {
    for (count, is_accepted) in [(32, true), (33, false)] {
        let dashes = "1.5 ".repeat(count);
        assert_eq!(check_value("stroke-dasharray", &dashes).is_ok(), is_accepted);
        assert_eq!(check_value("style", &format!("Stroke-DashArray:{dashes}")).is_ok(), is_accepted);
        let style = format!("<style>.a1{{stroke-dasharray:{dashes}}}</style>");
        assert_eq!(check(&in_svg(&style)).is_ok(), is_accepted);
    }
}

#[test]
fn every_wrong_declaration_is_reported() {
    let faults = read(&in_svg("\n<rect style='position:fixed;fill:red;filter:blur(9px)'/>")).unwrap_err();
    let faults: Vec<_> = faults.iter().map(|DrawingFault { position, error }| (position.unwrap(), error)).collect();
    let value = |part: &str| DrawingError::Value { attribute: "style".to_owned(), part: part.to_owned() };
    let position = domain::violation::Position { line: 2, column: 7 };
    assert_eq!(faults, [(position, &value("position")), (position, &value("blur("))]);
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
        "https://a",
        "maps/\u{200b}a",
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
        "\u{200b}https://tickets.example/map.svg",
        "https://",
        "http:///?a",
        "https:",
        "//",
    ] {
        assert_eq!(check(text), Err(DrawingError::UnsafeUrl), "{text}");
    }
}
