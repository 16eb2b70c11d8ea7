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
