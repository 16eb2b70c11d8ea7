//! Each function has the same slug and the same route everywhere.

use std::collections::{BTreeMap, BTreeSet};

use api::{
    error::{Error, Limit},
    messages,
    request::MAX_BODY,
    status,
};
use domain::error::Error as DomainError;
use functions::registry::Declaration;

use crate::template::{list, logical_id, properties, read, slug_of, slugs, slugs_without_route, template, text};

/// Returns the method and path of each operation, from the template.
///
/// The operation of the event `Route` has the slug of its function; one of a further event, such as `AuthJoin`, has its
/// name.
pub fn routes() -> BTreeMap<String, (String, String)> {
    let mut routes = BTreeMap::new();
    for slug in slugs().difference(&slugs_without_route()) {
        let events = &properties(&logical_id(slug))["Events"];
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

/// Returns the operations that a function serves.
pub fn operations_of(function: &str) -> Vec<String> {
    let events = &properties(&logical_id(function))["Events"];
    let events = events.as_mapping().into_iter().flatten();
    let served = events.filter(|(_, event)| event["Type"] == "Api" && event["Properties"]["Method"] != "OPTIONS");
    let names = served.map(|(name, _)| text(name));
    names.map(|name| if name == "Route" { function.to_owned() } else { slug_of(name) }).collect()
}

/// Returns what each operation declares, by its slug.
pub fn declarations() -> BTreeMap<&'static str, Declaration> {
    functions::declarations().into_iter().map(|declaration| (declaration.slug, declaration)).collect()
}

/// Returns the method and path of each function with a route, without its further operations.
pub fn functions() -> BTreeMap<String, (String, String)> {
    let slugs = slugs();
    routes().into_iter().filter(|(operation, _)| slugs.contains(operation)).collect()
}

#[test]
fn template_matches_functions() {
    let mut built = BTreeSet::new();
    for (id, resource) in template()["Resources"].as_mapping().unwrap() {
        if resource["Type"] == "AWS::Serverless::Function" {
            let slug = text(&resource["Metadata"]["BuildProperties"]["Binary"]).to_owned();
            assert_eq!(text(id), logical_id(&slug));
            built.insert(slug);
        }
    }
    assert_eq!(built, slugs());
}

#[test]
fn template_routes_match_operations() {
    let declared = declarations()
        .into_iter()
        .map(|(slug, declaration)| (slug.to_owned(), (declaration.method.to_string(), declaration.path)));
    assert_eq!(routes(), declared.collect());
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

/// Also the paths above those of the functions, and unknown paths.
#[test]
fn each_path_has_one_preflight() {
    let mut paths = BTreeSet::from(["/".to_owned(), "/{proxy+}".to_owned()]);
    for (_, path) in routes().into_values() {
        let ends = path.match_indices('/').map(|(end, _)| end).filter(|end| *end > 0).chain([path.len()]);
        paths.extend(ends.map(|end| path[..end].to_owned()));
    }
    let mut preflights = Vec::new();
    for slug in slugs() {
        let events = &properties(&logical_id(&slug))["Events"];
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
    let responses = &properties("Api")["GatewayResponses"];
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
        let code = status::code(&error);
        let response = &responses[response];
        assert_eq!(response["StatusCode"], code.status.as_u16());
        let body: serde_json::Value =
            serde_json::from_str(text(&response["ResponseTemplates"]["application/json"])).unwrap();
        assert_eq!(body, serde_json::json!({"message": messages::message(&error), "code": code.name}));
    }
}
