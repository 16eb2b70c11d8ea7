//! Names that a drawing may have: elements, attributes, properties of CSS, and functions in their values.
//!
//! They come from the element, attribute and property indexes of SVG 1.1 (Second Edition) and SVG 2. The lists omit
//! everything that runs, animates, links away from the page, covers it, or opens another vocabulary. Omitted elements
//! are, among others, `script`, `a`, `set`, `foreignObject` and `filter`. Omitted attributes are the event handlers,
//! `target`, `xml:base`, `color-profile` (a bare URL), and those of omitted elements. Omitted properties and functions
//! are those that can take a browser long: layout, `will-change`, three dimensions, shapes, filters, `var()`.
//!
//! Names of elements and attributes are compared exactly, like XML does; those of CSS without regard to case.

use std::{collections::HashSet, sync::LazyLock};

use super::{edge::Edge, syntax::is_space};

/// List of names.
pub type Names = LazyLock<HashSet<&'static str>>;

fn names(list: &'static str) -> HashSet<&'static str> {
    list.split_ascii_whitespace().collect()
}

/// Returns the listed name of an element; `None` if no drawing may have the element.
pub(super) fn element(name: &str) -> Option<&'static str> {
    ELEMENTS.get(name).copied()
}

/// Returns true if elements may have the attribute; namespace declarations are not attributes here.
pub(super) fn is_attribute(name: &str) -> bool {
    ATTRIBUTES.contains(name) || PROPERTIES.contains(name) || name == "style" || is_custom(name)
}

/// Returns true if browsers read the attribute's value as that of a CSS property.
pub(super) fn is_css(name: &str) -> bool {
    PROPERTIES.contains(name)
        || matches!(name, "cx" | "cy" | "height" | "r" | "rx" | "ry" | "transform" | "width" | "x" | "y")
        || matches!(name, "gradientTransform" | "patternTransform")
}

/// Returns true if CSS in a drawing may set the property; the name is in lower case.
pub(super) fn is_style_property(name: &str) -> bool {
    let name = without_vendor(name);
    PROPERTIES.contains(name)
        || STYLE_PROPERTIES.contains(name)
        || name.strip_prefix("-inkscape-").or(name.strip_prefix("mso-")).is_some_and(is_plain)
}

/// Returns true if a property leaves the box of its element where the page puts it; the name is in lower case.
///
/// A page sets drawings as `innerHTML`. There a `g` at the root, and all elements in it, are HTML, and would be laid
/// out over the page: `display:flex;width:100vw;margin:-50vh`. An `svg` may have a size, as in its attributes.
pub(super) fn is_layout_accepted(element: Option<&str>, name: &str, value: &str) -> bool {
    let value = value.trim_matches(is_space);
    match without_vendor(name) {
        "display" => ["none", "inline"].iter().any(|accepted| value.eq_ignore_ascii_case(accepted)),
        "margin" => value == "0",
        "height" | "max-width" | "width" => element == Some("svg"),
        // Inkscape wraps lines by it, and writes 0 for all paths.
        "inline-size" => element == Some("text") || value == "0",
        _ => true,
    }
}

/// Returns how often a property draws the elements of its `url()`; `None` if a `url()` would be an image to fetch.
pub(super) fn edge(name: &str) -> Option<Edge> {
    match without_vendor(name) {
        "clip-path" | "filter" | "mask" | "shape-inside" | "shape-subtract" => Some(Edge::Mask),
        "marker-end" | "marker-start" => Some(Edge::Marker),
        "marker" | "marker-mid" => Some(Edge::VertexMarker),
        "fill" | "stroke" => Some(Edge::Paint),
        _ => None,
    }
}

/// Returns true if a value may have the function, apart from `url()`; the name is in lower case.
pub(super) fn is_function(name: &str, arguments: &str) -> bool {
    // draw.io writes a variable of its own page, with a colour for other pages.
    FUNCTIONS.contains(name) || (name == "var" && arguments.starts_with("--ge-"))
}

fn without_vendor(name: &str) -> &str {
    ["-webkit-", "-moz-", "-ms-", "-o-"].into_iter().find_map(|vendor| name.strip_prefix(vendor)).unwrap_or(name)
}

/// Returns true for `data-*` and `aria-*` with an ASCII suffix; browsers give them no behaviour.
fn is_custom(name: &str) -> bool {
    let suffix = name.strip_prefix("data-").or(name.strip_prefix("aria-"));
    suffix.is_some_and(is_plain)
}

/// Returns true if a text has characters of a name only; a brace would begin a rule with any selector.
fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// Elements of SVG.
pub static ELEMENTS: Names = LazyLock::new(|| {
    names(
        "circle clipPath defs desc ellipse g image line linearGradient marker mask metadata path pattern polygon
         polyline radialGradient rect stop style svg symbol text textPath title tspan use",
    )
});

/// Presentation attributes, which are also properties of CSS: those of SVG 1.1 and SVG 2, and a few of newer CSS
/// modules that drawing tools write as attributes.
pub static PROPERTIES: Names = LazyLock::new(|| {
    names(
        "alignment-baseline baseline-shift clip clip-path clip-rule color color-interpolation
         color-interpolation-filters color-rendering cursor direction display dominant-baseline enable-background
         fill fill-opacity fill-rule filter flood-color flood-opacity font font-family font-feature-settings
         font-kerning font-size font-size-adjust font-stretch font-style font-variant font-variation-settings
         font-weight glyph-orientation-horizontal glyph-orientation-vertical image-rendering inline-size isolation
         kerning letter-spacing lighting-color line-height marker marker-end marker-mid marker-start mask mask-type
         mix-blend-mode opacity overflow paint-order pointer-events shape-inside shape-margin shape-padding
         shape-rendering shape-subtract stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
         stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-align text-anchor
         text-decoration text-decoration-color text-decoration-line text-decoration-style text-orientation
         text-overflow text-rendering text-transform transform-box transform-origin unicode-bidi vector-effect
         visibility white-space word-spacing writing-mode z-index",
    )
});

/// Further properties for `style` attributes and elements; `-inkscape-…` and `mso-…` are accepted too, and a vendor's
/// prefix such as `-webkit-`.
pub static STYLE_PROPERTIES: Names = LazyLock::new(|| {
    names(
        "background background-color block-progression color-scheme cx cy filter-blend-mode
         filter-gaussianblur-deviation font-optical-sizing font-palette font-smoothing font-synthesis
         font-variant-alternates font-variant-caps font-variant-east-asian font-variant-emoji font-variant-ligatures
         font-variant-numeric font-variant-position forced-color-adjust height hyphens line-break margin max-width
         osx-font-smoothing overflow-wrap overflow-x overflow-y print-color-adjust r rx ry solid-color solid-opacity
         tab-size tap-highlight-color text-align-last text-decoration-skip text-decoration-skip-ink
         text-decoration-thickness text-fill-color text-indent text-justify text-size-adjust text-underline-offset
         text-underline-position text-wrap touch-action transform transition transition-delay transition-duration
         transition-property transition-timing-function user-drag user-select vertical-align white-space-collapse
         width word-break word-wrap x y",
    )
});

/// Functions in values of properties: colours, and transforms in the plane.
pub static FUNCTIONS: Names = LazyLock::new(|| {
    names(
        "color color-mix device-cmyk hsl hsla hwb icc-color lab lch light-dark oklab oklch rgb rgba
         matrix rotate scale scalex scaley skew skewx skewy translate translatex translatey",
    )
});

/// Attributes that are not CSS, without `data-*` and `aria-*`: of any element, of viewports, of shapes, of texts, of
/// gradients, patterns, clips, masks and markers, and of links.
pub static ATTRIBUTES: Names = LazyLock::new(|| {
    names(
        "class focusable id lang role tabindex xml:lang xml:space
         externalResourcesRequired requiredExtensions requiredFeatures systemLanguage
         baseProfile contentScriptType contentStyleType preserveAspectRatio version viewBox zoomAndPan
         cx cy d height pathLength points r rx ry transform width x x1 x2 y y1 y2
         dx dy lengthAdjust method path rotate side spacing startOffset textLength
         clipPathUnits fr fx fy gradientTransform gradientUnits markerHeight markerUnits markerWidth
         maskContentUnits maskUnits offset orient patternContentUnits patternTransform patternUnits refX refY
         spreadMethod
         crossorigin href xlink:actuate xlink:arcrole xlink:href xlink:role xlink:show xlink:title xlink:type",
    )
});

/// Attributes with a hyphen that elements of drawing tools may have: those of the page in Inkscape.
pub(super) static TOOL_ATTRIBUTES: Names =
    LazyLock::new(|| names("fit-margin-bottom fit-margin-left fit-margin-right fit-margin-top scale-x"));

/// Attributes that browsers know on every element of HTML or SVG, so elements of drawing tools may not have them.
pub(super) static GLOBAL_ATTRIBUTES: Names = LazyLock::new(|| {
    names(
        "accesskey autofocus background contenteditable data draggable hidden inert is nonce part popover slot src
         srcdoc target",
    )
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_active_names_are_listed() {
        let elements = "a animate animateColor animateMotion animateTransform animation annotation-xml applet audio base \
                        body button canvas color-profile cursor details dialog discard embed feImage filter font \
                        font-face font-face-uri foreignObject form frame frameset glyph handler hatch head html iframe \
                        img input isindex keygen link listener listing malignmark marquee math mesh meta mglyph mpath \
                        noembed noframes noscript object option p plaintext portal prefetch script select set slot \
                        solidColor switch table tbreak template textArea textarea tref video view xmp";
        for name in elements.split_ascii_whitespace() {
            assert_eq!(element(name), None, "{name}");
        }
        let attributes = "accesskey action attributionsrc autofocus background begin cite color-profile command commandfor \
                          constructor contenteditable data decoding draggable dynsrc fetchpriority formaction hidden in is \
                          itemtype longdesc lowsrc manifest media nonce part ping popovertarget poster profile \
                          referrerpolicy result slot src srcdoc srcset target to type usemap xml:base xml:id";
        for name in attributes.split_ascii_whitespace() {
            assert!(!is_attribute(name), "{name}");
        }
        for name in ATTRIBUTES.iter().chain(PROPERTIES.iter()) {
            assert!(!name.starts_with("on"), "{name}");
        }
    }

    #[test]
    fn markup_names_are_case_sensitive() {
        assert_eq!((element("clipPath"), element("clippath")), (Some("clipPath"), None));
        assert!(is_attribute("viewBox") && !is_attribute("viewbox"));
        assert!(is_css("fill") && is_css("transform") && !is_css("class"));
    }

    #[test]
    fn custom_attributes_must_be_ascii() {
        for name in ["data-a", "data-seat_Id.1-b", "aria-label"] {
            assert!(is_attribute(name), "{name}");
        }
        for name in ["data-", "data", "aria-", "data-a:b", "data-a b", "data-가", "xdata-a"] {
            assert!(!is_attribute(name), "{name}");
        }
    }
}
