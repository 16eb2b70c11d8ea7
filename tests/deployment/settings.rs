//! Each function gets exactly the environment variables that it reads.

use std::collections::BTreeSet;

use domain::hold::{HoldLifetime, HoldLimits, SeatLimit};

use crate::template::{keys, list, logical_id, read, slugs, template, text};

const LIBC_VARIABLE: &str = "GLIBC_TUNABLES";

/// Returns the variables that a source file reads.
fn reads(source: &str) -> BTreeSet<String> {
    let calls = ["config.text(\"", "config.parse(\"", "config.optional(\""];
    let calls = calls.into_iter().flat_map(|call| source.split(call).skip(1));
    calls.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
}

/// All functions get the variables of `Globals`; they need not read each of them.
#[test]
fn functions_get_their_variables() {
    let template = template();
    let everywhere = keys(&template["Globals"]["Function"]["Environment"]["Variables"]);
    let served = reads(&read("shared/api/src/serve.rs"));
    assert!(!served.is_empty());
    for slug in slugs() {
        let main = read(&format!("functions/{slug}/src/main.rs"));
        let mut reads = reads(&main);
        if main.contains("serve::run(") {
            reads.extend(served.clone());
        }
        let own = &template["Resources"][logical_id(&slug).as_str()]["Properties"]["Environment"]["Variables"];
        let mut given: BTreeSet<_> = everywhere.union(&keys(own)).cloned().collect();
        assert!(given.remove(LIBC_VARIABLE), "{slug}");
        given.retain(|variable| reads.contains(variable) || !everywhere.contains(variable));
        assert_eq!(given, reads, "{slug}");
    }
}

#[test]
fn limits_of_holds_match_functions() {
    let template = template();
    let parameter = |name: &str, key: &str| template["Parameters"][name][key].as_u64().unwrap();
    let lifetime = |seconds: u64| HoldLifetime::from_seconds(seconds);
    let seats = |number: u64| SeatLimit::new(usize::try_from(number).unwrap());
    let [shortest, longest, usual] = ["MinValue", "MaxValue", "Default"].map(|key| parameter("HoldSeconds", key));
    let [fewest, most, few] = ["MinValue", "MaxValue", "Default"].map(|key| parameter("MaxSeats", key));
    let defaults = HoldLimits::default();
    assert_eq!((lifetime(usual), seats(few)), (Ok(defaults.lifetime), Ok(defaults.max_seats)));
    assert!(lifetime(shortest).is_ok() && lifetime(longest).is_ok() && lifetime(longest + 1).is_err());
    assert!(seats(fewest).is_ok() && seats(most).is_ok() && seats(most + 1).is_err());
    let variables = &template["Resources"]["HoldsCreate"]["Properties"]["Environment"]["Variables"];
    assert_eq!(["HOLD_SECONDS", "MAX_SEATS"].map(|name| text(&variables[name])), ["HoldSeconds", "MaxSeats"]);
}

#[test]
fn only_config_reads_environment() {
    const CONFIG: &str = "shared/runtime/src/config.rs";
    let mut places = vec!["functions".to_owned(), "shared".to_owned()];
    let mut files = 0;
    while let Some(place) = places.pop() {
        match place.rsplit_once('.') {
            Some((_, "rs")) => {
                files += 1;
                assert!(place == CONFIG || !read(&place).contains("env::var"), "{place}");
            }
            Some(_) => {}
            None => places.extend(list(&place).into_iter().map(|name| format!("{place}/{name}"))),
        }
    }
    assert!(files > 100, "{files}");
}
