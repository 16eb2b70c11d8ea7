//! Names of the elements and attributes that a drawing may have.
//!
//! They come from the element, attribute and property indexes of SVG 1.1 (Second Edition) and SVG 2.
//! Like XML, we compare them exactly. The lists omit everything that runs, animates, links away from the page or opens
//! another vocabulary. Omitted elements are, among others, `script`, `a`, `set`, `foreignObject` and `filter`. Omitted
//! attributes are the event handlers, `target`, `xml:base`, `color-profile` (a bare URL), and those of omitted elements.

/// Returns the listed name of an element; `None` if no drawing may have the element.
pub(super) fn element(name: &str) -> Option<&'static str> {
    ELEMENTS.into_iter().find(|&listed| listed == name)
}

/// Returns true if elements may have the attribute; namespace declarations are not attributes here.
pub(super) fn is_attribute(name: &str) -> bool {
    ATTRIBUTES.contains(&name) || is_css(name) || is_custom(name)
}

/// Returns true if browsers read the attribute's value as CSS, which can fetch more than a link can.
pub(super) fn is_css(name: &str) -> bool {
    name == "style" || PROPERTIES.contains(&name)
}

/// Returns true if a `url()` in the property's value names an element, never an image to fetch.
pub(super) fn refers_to_element(name: &str) -> bool {
    ELEMENT_REFERENCES.contains(&name)
}

/// Returns true for `data-*` and `aria-*` with an ASCII suffix; browsers give them no behaviour.
fn is_custom(name: &str) -> bool {
    let suffix = name.strip_prefix("data-").or(name.strip_prefix("aria-"));
    suffix.is_some_and(|suffix| {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        !suffix.is_empty() && suffix.bytes().all(is_plain)
    })
}

/// Elements of SVG.
pub const ELEMENTS: [&str; 27] = [
    "circle",
    "clipPath",
    "defs",
    "desc",
    "ellipse",
    "g",
    "image",
    "line",
    "linearGradient",
    "marker",
    "mask",
    "metadata",
    "path",
    "pattern",
    "polygon",
    "polyline",
    "radialGradient",
    "rect",
    "stop",
    "style",
    "svg",
    "symbol",
    "text",
    "textPath",
    "title",
    "tspan",
    "use",
];

/// Presentation attributes: properties of SVG 1.1 and SVG 2, and a few of newer CSS modules that
/// drawing tools write as attributes.
pub const PROPERTIES: [&str; 85] = [
    "alignment-baseline",
    "baseline-shift",
    "clip",
    "clip-path",
    "clip-rule",
    "color",
    "color-interpolation",
    "color-interpolation-filters",
    "color-rendering",
    "cursor",
    "direction",
    "display",
    "dominant-baseline",
    "enable-background",
    "fill",
    "fill-opacity",
    "fill-rule",
    "filter",
    "flood-color",
    "flood-opacity",
    "font",
    "font-family",
    "font-feature-settings",
    "font-kerning",
    "font-size",
    "font-size-adjust",
    "font-stretch",
    "font-style",
    "font-variant",
    "font-variation-settings",
    "font-weight",
    "glyph-orientation-horizontal",
    "glyph-orientation-vertical",
    "image-rendering",
    "inline-size",
    "isolation",
    "kerning",
    "letter-spacing",
    "lighting-color",
    "line-height",
    "marker",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mask",
    "mask-type",
    "mix-blend-mode",
    "opacity",
    "overflow",
    "paint-order",
    "pointer-events",
    "shape-inside",
    "shape-margin",
    "shape-padding",
    "shape-rendering",
    "shape-subtract",
    "stop-color",
    "stop-opacity",
    "stroke",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stroke-linecap",
    "stroke-linejoin",
    "stroke-miterlimit",
    "stroke-opacity",
    "stroke-width",
    "text-align",
    "text-anchor",
    "text-decoration",
    "text-decoration-color",
    "text-decoration-line",
    "text-decoration-style",
    "text-orientation",
    "text-overflow",
    "text-rendering",
    "text-transform",
    "transform-box",
    "transform-origin",
    "unicode-bidi",
    "vector-effect",
    "visibility",
    "white-space",
    "word-spacing",
    "writing-mode",
    "z-index",
];

/// Properties whose `url()` names an element: colours, clips, masks, markers and shapes for text flow.
const ELEMENT_REFERENCES: [&str; 11] = [
    "clip-path",
    "fill",
    "filter",
    "marker",
    "marker-end",
    "marker-mid",
    "marker-start",
    "mask",
    "shape-inside",
    "shape-subtract",
    "stroke",
];

/// Attributes that are not CSS, without `data-*` and `aria-*`.
pub const ATTRIBUTES: [&str; 74] = [
    // Any element
    "class",
    "focusable",
    "id",
    "lang",
    "role",
    "tabindex",
    "xml:lang",
    "xml:space",
    // Conditions
    "externalResourcesRequired",
    "requiredExtensions",
    "requiredFeatures",
    "systemLanguage",
    // The root and other viewports
    "baseProfile",
    "contentScriptType",
    "contentStyleType",
    "preserveAspectRatio",
    "version",
    "viewBox",
    "zoomAndPan",
    // Geometry
    "cx",
    "cy",
    "d",
    "height",
    "pathLength",
    "points",
    "r",
    "rx",
    "ry",
    "transform",
    "width",
    "x",
    "x1",
    "x2",
    "y",
    "y1",
    "y2",
    // Text
    "dx",
    "dy",
    "lengthAdjust",
    "method",
    "path",
    "rotate",
    "side",
    "spacing",
    "startOffset",
    "textLength",
    // Gradients, patterns, clips, masks and markers
    "clipPathUnits",
    "fr",
    "fx",
    "fy",
    "gradientTransform",
    "gradientUnits",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "offset",
    "orient",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "refX",
    "refY",
    "spreadMethod",
    // Links and XLink attributes
    "crossorigin",
    "href",
    "xlink:actuate",
    "xlink:arcrole",
    "xlink:href",
    "xlink:role",
    "xlink:show",
    "xlink:title",
    "xlink:type",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_active_names_are_listed() {
        for name in ELEMENTS {
            let name = name.to_ascii_lowercase();
            let is_text_in_html = ["textarea", "xmp", "iframe", "noscript", "plaintext"];
            assert!(!name.contains("script") && !is_text_in_html.contains(&name.as_str()));
        }
        for name in ATTRIBUTES.into_iter().chain(PROPERTIES) {
            assert!(!name.starts_with("on") && !name.contains("src"), "{name}");
        }
    }

    #[test]
    fn names_are_case_sensitive() {
        assert_eq!(element("clipPath"), Some("clipPath"));
        assert_eq!(element("clippath"), None);
        assert!(is_attribute("viewBox") && !is_attribute("viewbox"));
        assert!(is_css("fill") && is_css("style") && !is_css("class"));
        assert!(refers_to_element("mask") && !refers_to_element("cursor"));
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
