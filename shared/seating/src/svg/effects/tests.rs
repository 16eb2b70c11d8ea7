use super::*;

fn style(text: &str) -> Effects {
    let mut effects = Effects::default();
    effects.add_style(text);
    effects
}

#[test]
fn greatest_widths_and_sizes_are_kept() {
    let Style { stroke_width, miter_limit, font_size } =
        style("stroke-width:3;STROKE-WIDTH: 2px!important;stroke-miterlimit:40;font-size:1in").style;
    assert_eq!((stroke_width, miter_limit, font_size), (3.0, 40.0, 96.0));
}

#[test]
fn font_sizes_are_bounded() {
    for (text, expected) in [
        ("font-size:20px", 20.0),
        ("font-size:80%", 16.0),
        ("font-size:1em", 16.0),
        ("font-size:xx-large", 48.0),
        ("font:bold 700 24px/2 serif", 24.0),
        ("font-size:120%", f64::INFINITY),
        ("font-size:2em", f64::INFINITY),
        ("font-size:1rem", f64::INFINITY),
        ("font-size:var(--a)", f64::INFINITY),
        ("font:bold serif", f64::INFINITY),
        ("font-size-adjust:9", f64::INFINITY),
    ] {
        assert_eq!(Some(style(text).style.font_size), Some(expected), "{text}");
    }
}

#[test]
fn dashes_are_counted_by_length() {
    for (text, expected) in [
        ("stroke-dasharray:4", 0.25),
        ("stroke-dasharray:1,3 2px 2", 0.5),
        ("stroke-dasharray:none", 0.0),
        ("stroke-dasharray:-", 0.0),
        ("stroke-dasharray:0 0", 0.0),
        ("stroke-dasharray:5%", f64::INFINITY),
        ("stroke-dasharray:-1 3", f64::INFINITY),
        ("stroke-dasharray:var(--a)", f64::INFINITY),
    ] {
        assert_eq!(Some(style(text).dashes), Some(expected), "{text}");
    }
}

#[test]
fn properties_that_may_enlarge_are_found() {
    for text in [
        "width:9px",
        " R : 9px",
        "d:path('M0 0')",
        "-webkit-transform:scale(2)",
        "min-inline-size:9px",
        "outline:9px solid",
        "zoom:3",
        "text-decoration:underline 99px",
        "text-decoration-thickness:calc(9px)",
    ] {
        assert!(style(text).sets_geometry, "{text}");
    }
    for text in [
        "stroke-width:2;line-height:1.25;text-transform:none",
        "max-width:100%",
        "-inkscape-font-specification:sans;text-decoration:none;text-decoration-color:#000",
        "stroke-dashoffset:3;shape-padding:0",
    ] {
        assert!(!style(text).sets_geometry, "{text}");
    }
}
