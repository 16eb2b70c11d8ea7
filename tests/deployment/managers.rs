//! The gateway verifies managers before each request of theirs, as the operator chose.

use std::collections::BTreeMap;

use functions::caller::CallerKind;
use serde_yaml_ng::Value;

use crate::{
    names::{declarations, routes},
    template::{logical_id, properties, read, slug_of, slugs, template, text},
};

#[test]
fn only_managers_need_authorizer() {
    let declarations = declarations();
    let mut operations = 0;
    for slug in slugs() {
        let events = properties(&logical_id(&slug))["Events"].as_mapping();
        for (name, event) in events.into_iter().flatten() {
            let route = &event["Properties"];
            if event["Type"] != "Api" || route["Method"] == "OPTIONS" {
                continue;
            }
            operations += 1;
            let operation = if name == "Route" { slug.clone() } else { slug_of(text(name)) };
            let is_for_managers = declarations[&*operation].caller == CallerKind::Manager;
            let authorizer = &route["Auth"]["Authorizer"];
            assert!(if is_for_managers { authorizer == "Managers" } else { authorizer.is_null() }, "{operation}");
            // SAM CLI merges the routes of one function and path, and may lose the authorizer.
            let events = properties(&logical_id(&slug))["Events"].as_mapping().unwrap();
            let count = events.values().filter(|event| event["Properties"]["Path"] == route["Path"]).count();
            assert!(!is_for_managers || count == 1, "{operation}");
        }
    }
    assert_eq!(operations, routes().len());
    let auth = &properties("Api")["Auth"];
    assert!(auth["DefaultAuthorizer"].is_null());
    let authorizer = &auth["Authorizers"]["Managers"];
    assert_eq!(authorizer["FunctionPayloadType"], "REQUEST");
    // Its newest version, so that another issuer takes effect with its deployment.
    assert_eq!(text(&authorizer["FunctionArn"]), "ManagersAuthorize.Arn");
    let variables = &properties("ManagersAuthorize")["Environment"]["Variables"];
    assert_eq!(text(&variables["MANAGER_ISSUER"]), "ManagerIssuer");
    // The gateway calls it for each request, also without a token, and never caches its response.
    let identity = authorizer["Identity"].as_mapping().unwrap();
    assert_eq!(identity.len(), 1);
    assert_eq!(identity["ReauthorizeEvery"], 0);
}

/// Only the authorizer knows the role; a role of its own, so that a manager cannot cancel the orders of others.
#[test]
fn order_role_is_separate_and_off() {
    let parameters = &template()["Parameters"];
    assert_eq!(parameters["OrderRole"]["Default"], "");
    assert_ne!(parameters["OrderRole"]["Default"], parameters["ManagerRole"]["Default"]);
    let assertion = &template()["Rules"]["SeparateRoles"]["Assertions"][0]["Assert"];
    let Value::Tagged(not) = assertion else { panic!("a !Not") };
    let Value::Tagged(equals) = &not.value[0] else { panic!("an !Equals") };
    assert!(equals.value.as_sequence().unwrap().iter().map(text).eq(["OrderRole", "ManagerRole"]));
    for slug in slugs() {
        let role = &properties(&logical_id(&slug))["Environment"]["Variables"]["ORDER_ROLE"];
        assert_eq!(role.is_null(), slug != "managers-authorize", "{slug}");
    }
    let variables = &properties("ManagersAuthorize")["Environment"]["Variables"];
    assert_eq!(text(&variables["ORDER_ROLE"]), "OrderRole");
}

#[test]
fn manager_issuer_has_no_default() {
    let issuer = &template()["Parameters"]["ManagerIssuer"];
    assert!(issuer["Default"].is_null());
    assert_eq!(text(&issuer["AllowedPattern"]), r"^(open|https://[^\s?#@]+)$");
}

/// A plain `sam deploy` sends every parameter as the file has it, so no earlier value stays by accident.
#[test]
fn samconfig_has_each_parameter_with_its_default() {
    let config: toml::Table = toml::from_str(&read("samconfig.toml")).unwrap();
    let sent = config["default"]["global"]["parameters"]["parameter_overrides"].as_table().unwrap();
    let sent: BTreeMap<_, _> =
        sent.iter().map(|(name, value)| (name.clone(), value.to_string().trim_matches('"').to_owned())).collect();
    let default = |value: &Value| match &value["Default"] {
        Value::Number(number) => number.to_string(),
        default => default.as_str().unwrap_or_default().to_owned(),
    };
    let parameters = template()["Parameters"].clone();
    let parameters = parameters.as_mapping().unwrap().iter();
    let defaults: BTreeMap<_, _> = parameters.map(|(name, value)| (text(name).to_owned(), default(value))).collect();
    assert_eq!(sent, defaults);
}

#[test]
fn unauthorized_names_bearer() {
    let rejected = &properties("Api")["GatewayResponses"]["UNAUTHORIZED"];
    assert_eq!(rejected["ResponseParameters"]["Headers"]["WWW-Authenticate"], "'Bearer'");
}
