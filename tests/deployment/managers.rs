//! The operator chooses the verification of managers once, and it applies everywhere.

use std::collections::BTreeSet;

use serde_yaml_ng::Value;

use crate::{
    names::functions,
    openapi::secured_operations,
    template::{logical_id, read, slugs, template, text},
};

/// Returns the functions that only managers may call: those whose code reads if managers are verified.
fn manager_functions() -> BTreeSet<String> {
    let is_for_managers =
        |slug: &String| read(&format!("functions/{slug}/src/main.rs")).contains("MANAGER_VERIFICATION");
    slugs().into_iter().filter(is_for_managers).collect()
}

fn properties<'a>(template: &'a Value, slug: &str) -> &'a Value {
    &template["Resources"][logical_id(slug).as_str()]["Properties"]
}

#[test]
fn only_managers_need_authorizer() {
    let template = template();
    let manager_functions = manager_functions();
    assert!(!manager_functions.is_empty());
    assert_eq!(secured_operations(), manager_functions);
    for slug in functions().into_keys() {
        let events = &properties(&template, &slug)["Events"];
        let authorizer = &events["Route"]["Properties"]["Auth"]["Authorizer"];
        if manager_functions.contains(&slug) {
            assert_eq!(authorizer, "Managers", "{slug}");
        } else {
            assert!(authorizer.is_null(), "{slug}");
        }
    }
    let auth = &properties(&template, "api")["Auth"];
    assert!(auth["DefaultAuthorizer"].is_null());
    let authorizer = &auth["Authorizers"]["Managers"];
    assert_eq!(authorizer["FunctionPayloadType"], "REQUEST");
    assert_eq!(text(&authorizer["FunctionArn"]), "${ManagersAuthorize.Arn}:live");
    // The gateway calls it for each request, also without a token, and never caches its response.
    let identity = authorizer["Identity"].as_mapping().unwrap();
    assert_eq!(identity.len(), 1);
    assert_eq!(identity["ReauthorizeEvery"], 0);
}

#[test]
fn verification_is_consistent() {
    let template = template();
    let choice = &template["Conditions"]["ManagersAreOpen"];
    let Value::Tagged(equals) = choice else { panic!("a condition: {choice:?}") };
    let [issuer, open] = equals.value.as_sequence().unwrap().as_slice() else { panic!("two values") };
    assert_eq!((text(issuer), text(open)), ("ManagerIssuer", "open"));
    for slug in manager_functions() {
        let setting = &properties(&template, &slug)["Environment"]["Variables"]["MANAGER_VERIFICATION"];
        let Value::Tagged(choice) = setting else { panic!("a choice: {setting:?}") };
        let expected = ["ManagersAreOpen", "open", "required"];
        assert!(choice.value.as_sequence().unwrap().iter().map(text).eq(expected), "{slug}");
    }
    let variables = &properties(&template, "managers-authorize")["Environment"]["Variables"];
    assert_eq!(text(&variables["MANAGER_ISSUER"]), "ManagerIssuer");
}

#[test]
fn manager_issuer_has_no_default() {
    let issuer = &template()["Parameters"]["ManagerIssuer"];
    assert!(issuer["Default"].is_null());
    assert!(!issuer["AllowedPattern"].is_null());
    assert!(!read("samconfig.toml").contains("ManagerIssuer"));
}

#[test]
fn unauthorized_names_bearer() {
    let template = template();
    let rejected = &properties(&template, "api")["GatewayResponses"]["UNAUTHORIZED"];
    assert_eq!(rejected["ResponseParameters"]["Headers"]["WWW-Authenticate"], "'Bearer'");
}
