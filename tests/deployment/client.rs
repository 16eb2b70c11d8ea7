//! Only `CloudFront` sets the client address, and it always does.

use api::client::{ORIGIN_SECRET, VIEWER_ADDRESS};
use serde_yaml_ng::Value;

use crate::{
    caching::{api_behaviors, distribution},
    names::routes,
    template::{template, text},
};

/// Returns the origins with a secret: their ids, the header and its value.
fn origins_with_secret(template: &Value) -> Vec<(&str, &str, &str)> {
    let origins = distribution(template)["Origins"].as_sequence().unwrap();
    let headers = |origin: &'_ Value| origin["OriginCustomHeaders"].as_sequence().cloned().unwrap_or_default();
    let with_secret = origins.iter().filter(|origin| !headers(origin).is_empty());
    with_secret
        .map(|origin| {
            let [header] = origin["OriginCustomHeaders"].as_sequence().unwrap().as_slice() else {
                panic!("one header");
            };
            (text(&origin["Id"]), text(&header["HeaderName"]), text(&header["HeaderValue"]))
        })
        .collect()
}

#[test]
fn login_origin_has_secret() {
    let template = template();
    let variables = &template["Resources"]["MembersLogin"]["Properties"]["Environment"]["Variables"];
    let secret = text(&variables["ORIGIN_SECRET"]);
    assert!(secret.contains("secretsmanager"), "{secret}");
    assert_eq!(origins_with_secret(&template), [("login", ORIGIN_SECRET, secret)]);
}

#[test]
fn secret_implies_client_address() {
    let template = template();
    let behaviors = api_behaviors(distribution(&template));
    let (with_secret, others): (Vec<_>, Vec<_>) = behaviors.into_iter().partition(|behavior| {
        origins_with_secret(&template).iter().any(|origin| behavior["TargetOriginId"] == origin.0)
    });
    assert!(others.iter().all(|behavior| behavior["FunctionAssociations"].is_null()));
    let [login] = with_secret.as_slice() else { panic!("one behaviour: {with_secret:?}") };
    assert_eq!(text(&login["PathPattern"]), routes()["members-login"].1);

    let [association] = login["FunctionAssociations"].as_sequence().unwrap().as_slice() else {
        panic!("one function");
    };
    assert_eq!(association["EventType"], "viewer-request");
    let function = text(&association["FunctionARN"]).strip_suffix(".FunctionARN").unwrap();
    let code = text(&template["Resources"][function]["Properties"]["FunctionCode"]);
    let sets = format!("request.headers['{VIEWER_ADDRESS}'] = {{ value: event.viewer.ip }};");
    assert!(code.contains(&sets), "{code}");
}
