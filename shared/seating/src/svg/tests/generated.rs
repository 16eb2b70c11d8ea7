use super::*;
use proptest::{
    prelude::*,
    sample::{Index, select},
};

/// Markup that XML and HTML parsers may end, open or decode differently, separated by bars.
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
    | xmlns:i='urn:i'| xmlns:i='http://www.w3.org/2000/svg'| xmlns:j='urn:i'| i:href='b'| j:href='c'| showgrid='d'\
    | STYLE='top:0'| xmlns:XLINK='urn:x'| XLINK:href='https://evil.example'";

fn token() -> impl Strategy<Value = &'static str> {
    select(TOKENS.split('|').collect::<Vec<_>>())
}

/// Asserts that a drawing is inert if it is accepted.
fn assert_inert_if_accepted(text: &str) {
    if text.trim_start().starts_with('<') && check(text).is_ok() {
        assert_inert(text);
    }
}

proptest! {
    #[test]
    fn accepted_drawings_are_inert(
        drawing in select(drawings("svg/inert")),
        splices in prop::collection::vec((any::<Index>(), token()), 1..4),
    ) {
        let (_, mut text) = drawing;
        for (at, token) in splices {
            let at = text.floor_char_boundary(at.index(text.len()));
            text.insert_str(at, token);
        }
        assert_inert_if_accepted(&text);
    }

    #[test]
    fn accepted_token_mixtures_are_inert(
        tokens in prop::collection::vec(token(), 0..12),
        root in select(vec!["svg", "g"]),
    ) {
        assert_inert_if_accepted(&format!("<{root}>{}</{root}>", tokens.concat()));
    }
}

#[test]
fn every_listed_name_is_inert() {
    let sorted = |names: &allow_list::Names| {
        let mut names: Vec<_> = names.iter().copied().collect();
        names.sort_unstable();
        names
    };
    for name in sorted(&allow_list::ELEMENTS) {
        let text = in_svg(&format!("<{name}/><{name}></{name}>"));
        assert_eq!(check(&text), Ok(()), "{text}");
        assert_inert(&text);
    }
    for name in sorted(&allow_list::ATTRIBUTES).into_iter().chain(sorted(&allow_list::PROPERTIES)) {
        let value = if name.ends_with("href") { "#a" } else { "&lt;/g> '&nbsp;" };
        let text = in_svg(&format!("<rect {name}=\"{value}\" style=\"fill:red\" data-A='/>'/>"));
        assert!(check(&text) == Ok(()), "{text}: {:?}", check(&text));
        assert_inert(&text);
    }
}
