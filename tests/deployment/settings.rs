//! Each function is given the variables that it reads, and no other.

use std::collections::{BTreeMap, BTreeSet};

use crate::template::{keys, list, logical_id, read, slugs, slugs_without_route, template};

/// What the C library reads.
const OF_LIBC: &str = "GLIBC_TUNABLES";

/// Which variable each method of `Config` reads.
fn variables() -> BTreeMap<String, String> {
    let source = read("shared/src/config.rs");
    let mut variables = BTreeMap::new();
    for method in source.split("pub fn ").skip(1) {
        let name = method.split('(').next().unwrap();
        let body = method.split("\n    }").next().unwrap();
        let call = ["self.required(\"", "self.parsed(\""].iter().find_map(|call| body.split_once(call));
        if let Some((_, rest)) = call {
            variables.insert(name.to_owned(), rest.split('"').next().unwrap().to_owned());
        }
    }
    variables
}

/// Each is given those of `Globals`, of which one without a route need not read all.
#[test]
fn a_function_is_given_the_variables_that_it_reads_and_no_other() {
    let variables = variables();
    let template = template();
    let everywhere = keys(&template["Globals"]["Function"]["Environment"]["Variables"]);
    let mut read_anywhere = BTreeSet::new();
    for slug in slugs() {
        let main = read(&format!("functions/{slug}/src/main.rs"));
        let reads: BTreeSet<_> = main
            .split("config.")
            .skip(1)
            .map(|rest| variables[rest.split('(').next().unwrap()].clone())
            .collect();
        let own =
            &template["Resources"][logical_id(&slug).as_str()]["Properties"]["Environment"]["Variables"];
        let mut given: BTreeSet<_> = everywhere.union(&keys(own)).cloned().collect();
        assert!(given.remove(OF_LIBC), "{slug}");
        if slugs_without_route().contains(&slug) {
            given.retain(|variable| reads.contains(variable) || !everywhere.contains(variable));
        }
        assert_eq!(given, reads, "{slug}");
        read_anywhere.extend(reads);
    }
    assert_eq!(read_anywhere, variables.into_values().collect());
}

#[test]
fn the_environment_is_read_in_one_place() {
    let mut places = vec!["functions".to_owned(), "shared/src".to_owned()];
    while let Some(place) = places.pop() {
        match place.rsplit_once('.') {
            Some((_, "rs")) => {
                assert!(place == "shared/src/config.rs" || !read(&place).contains("env::var"), "{place}");
            }
            Some(_) => {}
            None => places.extend(list(&place).into_iter().map(|name| format!("{place}/{name}"))),
        }
    }
}
