use super::*;
use proptest::{
    prelude::*,
    sample::{Index, select},
};

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
pub(super) fn one_of(words: &'static str) -> impl Strategy<Value = &'static str> {
    select(words.split('|').collect::<Vec<_>>())
}

/// Returns listed names in an order that does not change.
fn listed(names: &allow_list::Names) -> Vec<&'static str> {
    let mut names: Vec<_> = names.iter().copied().collect();
    names.sort_unstable();
    names
}

/// Generates accepted attributes of a tag, in either kind of quotes.
fn attribute_list() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        select(listed(&allow_list::PROPERTIES)),
        select(listed(&allow_list::ATTRIBUTES)),
        one_of("style|data-a|data-A|aria-label"),
    ];
    let value = one_of("|a|1 2|9|99%|scale(.1)|M0 0h9v9|좌석|&lt;/g>|&#39;&#x22;&nbsp;|url(#a)|a\n\tb|/>");
    let attributes = prop::collection::btree_map(name, value, 0..4);
    (attributes, one_of("\"|'")).prop_map(|(attributes, quote)| {
        let write = |(name, value): (&str, &str)| {
            let value = match value {
                _ if name.ends_with("href") => "#a",
                "url(#a)" if allow_list::is_css(name) && allow_list::edge(name).is_none() => "rgb(1,2,3)",
                "scale(.1)" if name == "style" => "transform:Scale(.1);fill:url(#a)",
                value if name == "style" && !value.is_empty() => {
                    "fill:&#39;&lt;/g>&nbsp;&#39; ; STROKE : url( &#x22;#a&#x22; )"
                }
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

/// Generates content of an accepted drawing.
pub(super) fn content() -> impl Strategy<Value = String> {
    let text = one_of("| |a|1열\r\n|&lt;script&gt;|&amp;lt;|]] >|&#x1f600;|<!---->|<!-- - ! -->");
    let names: Vec<_> = listed(&allow_list::ELEMENTS).into_iter().filter(|&name| name != "style").collect();
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
    prop::collection::vec(content, 0..4).prop_map(|content| content.concat())
}

/// Generates an accepted drawing.
fn drawing() -> impl Strategy<Value = String> {
    let before = one_of(
        "|\n|<!-- a -->|<?xml version='1.0' encoding='UTF-8'?>\n|\u{feff}\n<?xml version='1.0'?>|\
         <!DOCTYPE svg PUBLIC '-//W3C//DTD SVG 1.1//EN' 'http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd'>",
    );
    (before, one_of("svg|g"), attribute_list(), content())
        .prop_map(|(before, root, attributes, content)| format!("{before}<{root}{attributes}>{content}</{root}>\n"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1024))]

    #[test]
    fn generated_drawings_are_accepted(text in drawing()) {
        // A generated drawing may refer to itself.
        prop_assert!(matches!(check(&text), Ok(()) | Err(DrawingError::CircularReference)), "{}", text);
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
    fn more_markup_never_draws_less(before in content(), added in content(), after in content()) {
        let total = |content: &str| read(&in_svg(content)).map_or(u64::MAX, |references| references.drawn.total);
        let (less, more) = (format!("{before}{after}"), format!("{before}{added}{after}"));
        prop_assert!(total(&less) <= total(&more), "{}", more);
    }

    #[test]
    fn never_panics(text in any::<String>()) {
        let _ = check(&text);
        let _ = check(&format!("<{text}"));
    }
}
