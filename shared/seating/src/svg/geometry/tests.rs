use super::*;

fn outline(area: f64, length: f64, vertices: u64) -> Outline {
    Outline { area, length, vertices }
}

#[test]
fn paths_are_measured_with_their_control_points() {
    for (d, expected) in [
        ("", outline(0.0, 0.0, 0)),
        ("M5 5h10v10h-10z", outline(100.0, 40.0, 5)),
        ("m5,5 10,0 0,10-10,0Z", outline(100.0, 40.0, 5)),
        ("M.5.5L1.5.5", outline(0.0, 1.0, 2)),
        ("M0 0C0 30 40 30 40 0", outline(1_200.0, 100.0, 2)),
        ("M0 0q0 10 10 10t10 10", outline(400.0, 40.0, 3)),
        ("M0 0A5 5 0 0110 0", outline(400.0, 10.0 * std::f64::consts::PI + 10.0, 2)),
    ] {
        assert_eq!(Outline::path(d), Some(expected), "{d}");
    }
    assert_eq!(Outline::points("5,5 15,5 15,15 5,15"), Some(outline(100.0, 40.0, 5)));
}

#[test]
fn malformed_paths_prove_nothing() {
    for d in
        ["10 10", "M0 0 L9", "M0 0 Q", "M0 0z9", "M0 0,,9 9", "M0 0A1 1 0 2 0 9 9", "M1e31 0", "M0 0L1e999 0", "M0 0x"]
    {
        assert_eq!(Outline::path(d), None, "{d}");
    }
    assert_eq!(Outline::points("1 2 3"), None);
    assert_eq!(Outline::points("1 2,"), None);
}

#[test]
fn huge_arcs_are_bounded_at_once() {
    assert_eq!(Outline::path("M0 0A1e29 1e29 0 0 0 1e29 1e29"), None);
    // Browsers enlarge radii that are too small for the distance.
    let enlarged = Outline::path("M0 0A1 1000 0 0 0 20 0").unwrap();
    assert!(enlarged.area >= 20_000.0 * 20_000.0);
}

#[test]
fn transforms_are_bounded() {
    for (value, area, length) in [
        ("", 1.0, 1.0),
        ("translate(900 900) rotate(30)", 1.0, 1.0),
        ("scale(2),scale(3)", 36.0, 6.0),
        ("scale(0.5,-4)", 2.0, 4.0),
        ("matrix(0 3 4 0 9 9)", 12.0, 7.0),
    ] {
        assert_eq!(transform(value).0, Scale { area, length }, "{value}");
    }
    for value in ["twist(3)", "scale(1000", "scale(1 2 3)", "scale(a)", "skewX(1)", "rotate(3deg)", "scale(2 1e31)"] {
        assert_eq!(transform(value).0, Scale::UNPROVEN, "{value}");
    }
}

#[test]
fn only_turns_and_scales_change_a_text() {
    for (one, other, is_equal) in [
        ("translate(1 2)", "", true),
        ("matrix(1 0 0 1 5 6)", "", true),
        ("rotate(9)", "rotate(9 3 3)", true),
        ("rotate(9)", "rotate(8)", false),
        ("scale(2)", "", false),
        ("matrix(0 1 1 0 5 6)", "matrix(0 1 1 0 7 8)", true),
    ] {
        assert_eq!(transform(one).1 == transform(other).1, is_equal, "{one} {other}");
    }
}

#[test]
fn products_are_never_too_small() {
    let tiny = product(1e-30, 1e-30);
    assert!(tiny > 0.0 && product(tiny, 1e30) > 0.5);
    assert!(product(f64::INFINITY, 0.0).is_infinite());
    assert!(product(1e30, 10.0).is_infinite());
}

#[test]
fn lengths_are_read_in_user_units() {
    for (value, expected) in [
        ("2", Some(2.0)),
        (" 2px ", Some(2.0)),
        ("1in", Some(96.0)),
        ("-3", Some(-3.0)),
        ("50%", None),
        ("1em", None),
        ("wide", None),
        ("inf", None),
        ("1e999", None),
    ] {
        assert_eq!(length(value), expected, "{value}");
    }
}

#[test]
fn malformed_view_boxes_are_ignored() {
    assert_eq!(view_box(" 0,0 10\n5 "), Some([0.0, 0.0, 10.0, 5.0]));
    for value in ["", "0 0 10", "0 0,,10 10", "0 0 10 10 a", "0 0 10 10 10", "0 0 10 10,"] {
        assert_eq!(view_box(value), None, "{value}");
    }
}
