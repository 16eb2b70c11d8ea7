//! Each function has the same slug and the same route everywhere.

use std::collections::{BTreeMap, BTreeSet};

use api::{
    error::{Error, Limit},
    messages,
    request::MAX_BODY,
    status,
};
use domain::error::Error as DomainError;

use crate::template::{list, logical_id, read, slug_of, slugs, slugs_without_route, template, text};

/// Returns the method and path of each operation, from the template.
///
/// The operation of the event `Route` has the slug of its function; one of a further event, such as `AuthJoin`, has its
/// name.
pub fn routes() -> BTreeMap<String, (String, String)> {
    let template = template();
    let mut routes = BTreeMap::new();
    for slug in slugs().difference(&slugs_without_route()) {
        let events = &template["Resources"][logical_id(slug).as_str()]["Properties"]["Events"];
        for (name, event) in events.as_mapping().unwrap() {
            let [method, path] = ["Method", "Path"].map(|key| text(&event["Properties"][key]).to_owned());
            if method != "OPTIONS" {
                let name = text(name);
                routes.insert(if name == "Route" { slug.clone() } else { slug_of(name) }, (method, path));
            }
        }
    }
    routes
}

/// Returns the method and path of each function with a route, without its further operations.
pub fn functions() -> BTreeMap<String, (String, String)> {
    let slugs = slugs();
    routes().into_iter().filter(|(operation, _)| slugs.contains(operation)).collect()
}

#[test]
fn template_matches_functions() {
    let template = template();
    let mut built = BTreeSet::new();
    for (id, resource) in template["Resources"].as_mapping().unwrap() {
        if resource["Type"] == "AWS::Serverless::Function" {
            let slug = text(&resource["Metadata"]["BuildProperties"]["Binary"]).to_owned();
            assert_eq!(text(id), logical_id(&slug));
            built.insert(slug);
        }
    }
    assert_eq!(built, slugs());
}

#[test]
fn each_function_has_a_crate() {
    for slug in slugs() {
        assert!(read(&format!("functions/{slug}/Cargo.toml")).contains(&format!("name = \"{slug}\"")), "{slug}");
    }
}

#[test]
fn functions_have_sample_events() {
    let files = list("events");
    let named = files.iter().filter_map(|file| file.strip_suffix(".json"));
    assert!(named.clone().all(|name| slugs().iter().any(|slug| name.starts_with(slug))), "{files:?}");
    for (slug, (method, path)) in functions() {
        let event: serde_json::Value = serde_json::from_str(&read(&format!("events/{slug}.json"))).unwrap();
        assert_eq!((event["httpMethod"].as_str(), event["resource"].as_str()), (Some(&*method), Some(&*path)));
    }
    for slug in slugs_without_route() {
        assert!(files.contains(&format!("{slug}.json")), "{slug}");
    }
}

#[test]
fn each_function_has_tests() {
    let first_line = |slug: &str| format!("//! `{slug}`");
    let of_routes = functions().into_iter().map(|(slug, (method, path))| (slug, format!("//! `{method} {path}`")));
    for (slug, start) in
        of_routes.chain(slugs_without_route().into_iter().map(|slug| (slug.clone(), first_line(&slug))))
    {
        let file = format!("tests/{}.rs", slug.replace('-', "_"));
        assert!(read(&file).starts_with(&start), "{file}");
        for file in [file, format!("functions/{slug}/Cargo.toml"), format!("functions/{slug}/src/lib.rs")] {
            assert!(!read(&file).contains("TODO") && !read(&file).contains("todo_"), "{file} is not complete");
        }
    }
}

#[test]
fn dependencies_are_explained() {
    let architecture = read("ARCHITECTURE.md");
    let rows = architecture.split("## Dependencies").nth(1).unwrap().lines();
    let named: BTreeSet<_> = rows
        .filter_map(|row| row.strip_prefix("| ")?.split(" |").next())
        .flat_map(|crates| crates.split([' ', ',']).filter(|name| !name.is_empty()))
        .collect();
    let crates = list("shared");
    let manifests = crates.iter().map(|name| read(&format!("shared/{name}/Cargo.toml")));
    let manifests: Vec<toml::Table> = manifests.map(|manifest| manifest.parse().unwrap()).collect();
    let used = manifests.iter().filter_map(|manifest| manifest.get("dependencies")).filter_map(|used| used.as_table());
    let ours = |name: &String| crates.contains(name) || slugs().contains(name);
    let unnamed: Vec<_> =
        used.flat_map(|used| used.keys()).filter(|name| !named.contains(&***name) && !ours(name)).collect();
    assert!(unnamed.is_empty(), "{unnamed:?}");
}

/// Also the paths above those of the functions, and unknown paths.
#[test]
fn each_path_has_one_preflight() {
    let template = template();
    let mut paths = BTreeSet::from(["/".to_owned(), "/{proxy+}".to_owned()]);
    for (_, path) in routes().into_values() {
        let ends = path.match_indices('/').map(|(end, _)| end).filter(|end| *end > 0).chain([path.len()]);
        paths.extend(ends.map(|end| path[..end].to_owned()));
    }
    let mut preflights = Vec::new();
    for slug in slugs() {
        let events = &template["Resources"][logical_id(&slug).as_str()]["Properties"]["Events"];
        for event in events.as_mapping().into_iter().flat_map(|events| events.values()) {
            let properties = &event["Properties"];
            if properties["Method"] == "OPTIONS" {
                assert!(properties["Auth"].is_null(), "{slug}");
                preflights.push(text(&properties["Path"]).to_owned());
            }
        }
    }
    assert_eq!(preflights.iter().cloned().collect::<BTreeSet<_>>(), paths);
    assert_eq!(preflights.len(), paths.len(), "a path has two preflights");
}

#[test]
fn gateway_responses_match_functions() {
    let responses = &template()["Resources"]["Api"]["Properties"]["GatewayResponses"];
    for (response, error) in [
        ("MISSING_AUTHENTICATION_TOKEN", Error::NoSuchRoute),
        ("REQUEST_TOO_LARGE", Error::TooLarge(Limit::Body(MAX_BODY))),
        ("UNAUTHORIZED", DomainError::NotAuthenticated.into()),
        ("ACCESS_DENIED", DomainError::PermissionDenied.into()),
        ("INVALID_API_KEY", DomainError::PermissionDenied.into()),
        ("AUTHORIZER_FAILURE", Error::unexpected("anything")),
        ("AUTHORIZER_CONFIGURATION_ERROR", Error::unexpected("anything")),
        ("DEFAULT_5XX", Error::unexpected("anything")),
    ] {
        let (status, code) = status::status_and_code(&error);
        let response = &responses[response];
        assert_eq!(response["StatusCode"], status.as_u16());
        let body: serde_json::Value =
            serde_json::from_str(text(&response["ResponseTemplates"]["application/json"])).unwrap();
        assert_eq!(body, serde_json::json!({"message": messages::message(&error), "code": code}));
    }
}
