use super::*;

#[test]
fn external_links_are_rejected() {
    let check_link = |element: &str, link: &str| {
        ["href", "xlink:href"].map(|name| check(&in_svg(&format!("<{element} {name}='{link}'/>"))))
    };
    for (element, link) in [
        ("use", "#a"),
        ("image", "data:image/png;base64,AA/+"),
        ("image", "data:image/webp;base64,AA&#10; AA= =\n"),
        ("pattern", "data:image/jpg;base64,AAAA"),
        ("image", "blob:https://tickets.example/1"),
    ] {
        assert_eq!(check_link(element, link), [Ok(()), Ok(())], "{element} {link}");
    }
    let uses = "|&#10;#a|#a |a.svg#a|//evil.example/a.svg#a|javascript&#58;alert(1)|blob:https://tickets.example/1";
    let images = "#a|blob:|blob:a b| data:image/png;base64,AAAA|data:image/png,AAAA|data:image/png;base64,=\
                  |data:image/png;base64,A=A|data:image/svg+xml;base64,AAAA|data:text/html;base64,AAAA";
    for (element, links) in [("use", uses), ("image", images)] {
        for (link, result) in links.split('|').flat_map(|link| check_link(element, link).map(|result| (link, result))) {
            assert!(matches!(result, Err(DrawingError::Link(_))), "{element} {link}: {result:?}");
        }
    }
}

#[test]
fn active_values_are_rejected() {
    for (name, value) in [
        ("fill", "URL( '#a' ) none"),
        ("style", "opacity:.5;-webkit-mask : url(&quot;#a&quot;) ; -inkscape-position: 1; MSO-a: b"),
        ("style", "Fill: RGB(1 2 3 / .5)!important; -webkit-transform: skewX(1deg) TranslateY(2px);"),
        ("style", "stroke:light-dark(#fff, var(--ge-dark-color, #000)); font: 9px 'https://evil.example (b)'"),
        ("font-family", "O'Neill"),
        ("class", "position image( element(a) /* */"),
        ("data-name", "src(a) progid:"),
    ] {
        assert_eq!(check_value(name, value), Ok(()), "{name}={value}");
    }
    for (name, value) in [
        ("data-a", "\\"),
        ("class", "a@b"),
        ("id", "Image-Set"),
        ("lang", "expression"),
        ("xml:lang", "JavaScript"),
        ("href", "#java script"),
        ("aria-label", "url(a)"),
        ("fill", "url()"),
        ("fill", "url(#a"),
        ("fill", "url('#a&quot;)"),
        ("fill", "url(#a'b)"),
        ("fill", "url(#a) url (b)"),
        ("fill", "url(\u{3000}#a)"),
        ("fill", "&#117;rl(a)"),
        ("cursor", "url(#a),auto"),
        ("mask", "url(' #a')"),
        ("mask", "image ( 'a' )"),
        ("clip-path", "inherit"),
        ("style", "background: url(#a)"),
        ("style", "fill:red;a"),
        ("style", "fill:{;position:fixed}"),
        ("style", "fill:rgb(1;position:fixed)"),
        ("style", "fill:';position:fixed'"),
        ("style", "mask-image: url('\u{a0}#a')"),
        ("style", "fill: red /* */"),
        ("style", "filter: progid:a(b='c')"),
        ("style", "fill:red;Position\n:fixed"),
    ] {
        let result = check_value(name, value);
        let is_expected =
            matches!(&result, Err(DrawingError::Value { attribute, part }) if attribute == name && !part.is_empty());
        assert!(is_expected, "{name}={value}: {result:?}");
    }
}

#[test]
fn costly_css_is_rejected() {
    for (name, value, part) in [
        ("style", "grid-template-rows:repeat(9999999,1px [a])", "grid-template-rows"),
        ("style", "--a1:var(--a0)var(--a0)", "--a1"),
        ("style", "Will-Change:transform", "will-change"),
        ("style", "d:path('M0 0')", "d"),
        ("style", "clip-path:POLYGON(0 0)", "polygon("),
        ("style", "transform:rotate(9deg) translateZ(1px)", "translatez("),
        ("style", "fill:var( --a)", "var("),
        ("filter", "url(#a) Drop-Shadow ( 0 0 9px red )", "drop-shadow("),
        ("fill", "(red)", "("),
    ] {
        let rejection = DrawingError::Value { attribute: name.to_owned(), part: part.to_owned() };
        assert_eq!(check_value(name, value), Err(rejection), "{name}={value}");
    }
}

#[test]
fn layout_is_rejected() {
    for (value, part) in [
        ("display:flex;width:100vw;height:100vh;margin:-50vh -50vw", "display"),
        ("Display : inline-block", "display"),
        ("-webkit-margin:1px", "-webkit-margin"),
        ("width:100vw", "width"),
        ("fill:red;max-width:100%", "max-width"),
        ("min-height:100vh", "min-height"),
        ("padding:9px", "padding"),
        ("border:999px solid red", "border"),
        ("outline:999px solid red", "outline"),
        ("-webkit-text-stroke:999px red", "-webkit-text-stroke"),
        ("box-sizing:border-box", "box-sizing"),
        ("writing-mode:vertical-rl;inline-size:100vw", "inline-size"),
    ] {
        let rejection = DrawingError::Value { attribute: "style".to_owned(), part: part.to_owned() };
        assert_eq!(check(&format!("<g style='{value}'/>")), Err(rejection), "{value}");
        let rejection = DrawingError::StyleSheet(value.rsplit(';').next().unwrap_or_default().to_owned());
        let sheet = format!("<style>.a1{{{value}}}</style>");
        let last = read(&in_svg(&sheet)).unwrap_err().pop().unwrap();
        assert_eq!(last.error, rejection, "{value}");
    }
    for accepted in [
        "<g style='display:none;margin:0'><text style='inline-size:9px'/><path style='inline-size:0'/></g>",
        "<svg style='display:INLINE;width:9px;height:auto;max-width:100%'/>",
    ] {
        assert_eq!(check(accepted), Ok(()), "{accepted}");
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
fn pixels_of_images_are_limited() {
    let image = |width: u16, height: u16| {
        let gif = [b"GIF89a".as_slice(), &width.to_le_bytes(), &height.to_le_bytes(), b"\0\0\0!\xFE\x05image\0;"];
        format!("<image href='data:image/png;base64,{}'/>", base64_simd::STANDARD.encode_to_string(gif.concat()))
    };
    assert_eq!(check(&in_svg(&(image(4_096, 2_048) + &image(2_048, 4_096)))), Ok(()));
    let faults = read(&in_svg(&(image(4_096, 4_096) + &image(1, 1) + &image(1, 1)))).unwrap_err();
    assert_eq!(faults.len(), 1, "only the first image beyond the limit is reported");
    assert_eq!(faults[0].error, DrawingError::TooManyPixels(16_777_216));
    assert_eq!(check(&in_svg(&image(4_097, 1))), Err(DrawingError::ImageTooLarge(4_096)));
}

#[test]
fn only_web_urls_and_paths_are_accepted() {
    let accepted = "https://tickets.example/map.svg?a=b&c#d HTTP:map.svg https://a maps/\u{200b}a \
                    //tickets.example/map.svg /maps/1.svg maps/a:b ?a:b 좌석:1.svg 1:2 :a";
    for text in accepted.split(' ') {
        assert_eq!(check(text), Ok(()), "{text}");
    }
    let schemes = "JavaScript:a data:image/png;base64,AAAA blob:https://tickets.example/1 file:///a a+b-c.1:d";
    let characters = "a<b a>b a\"b a'b a`b a\\b a\u{7f} a\n java\tscript:a a&colon;b \u{feff}javascript:a";
    let nowhere = "\u{200b}https://tickets.example/map.svg https:// http:///?a https: //";
    let rejected = [schemes, characters, nowhere].map(|texts| texts.split(' ')).into_iter().flatten();
    for text in rejected.chain(["a b", " a", "a\u{3000}b"]) {
        assert_eq!(check(text), Err(DrawingError::UnsafeUrl), "{text}");
    }
}
