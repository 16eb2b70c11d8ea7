//! Only `CloudFront` sets the client address, and it always does.

use std::collections::BTreeSet;

use api::client::{ORIGIN_SECRET, VIEWER_ADDRESS};
use serde_yaml_ng::Value;

use crate::{
    caching::{api_behaviors, distribution},
    names::routes,
    template::{logical_id, read, template, text},
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
fn members_origin_has_secret() {
    let template = template();
    let secrets: BTreeSet<_> = routes()
        .keys()
        .filter_map(|slug| {
            let function = &template["Resources"][logical_id(slug).as_str()];
            function["Properties"]["Environment"]["Variables"].get("ORIGIN_SECRET").map(text)
        })
        .collect();
    let [secret] = secrets.into_iter().collect::<Vec<_>>()[..] else { panic!("one secret") };
    assert!(secret.contains("secretsmanager"), "{secret}");
    assert_eq!(origins_with_secret(&template), [("members", ORIGIN_SECRET, secret)]);
}

#[test]
fn secret_implies_client_address() {
    let template = template();
    let behaviors = api_behaviors(distribution(&template));
    let (with_secret, others): (Vec<_>, Vec<_>) = behaviors.into_iter().partition(|behavior| {
        origins_with_secret(&template).iter().any(|origin| behavior["TargetOriginId"] == origin.0)
    });
    assert!(others.iter().all(|behavior| behavior["FunctionAssociations"].is_null()));
    let [members] = with_secret.as_slice() else { panic!("one behaviour: {with_secret:?}") };
    let prefix = text(&members["PathPattern"]).strip_suffix('*').unwrap();
    for (slug, (_, path)) in routes() {
        let main = read(&format!("functions/{slug}/src/main.rs"));
        assert!(path.starts_with(prefix) || !main.contains("ORIGIN_SECRET"), "{slug}");
    }

    let [association] = members["FunctionAssociations"].as_sequence().unwrap().as_slice() else {
        panic!("one function");
    };
    assert_eq!(association["EventType"], "viewer-request");
    let function = text(&association["FunctionARN"]).strip_suffix(".FunctionARN").unwrap();
    let code = text(&template["Resources"][function]["Properties"]["FunctionCode"]);
    let sets = format!("request.headers['{VIEWER_ADDRESS}'] = {{ value: event.viewer.ip }};");
    assert!(code.contains(&sets), "{code}");
}
