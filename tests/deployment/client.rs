//! Only `CloudFront` reaches the API, and only `CloudFront` sets the client address.

use std::collections::BTreeSet;

use api::client::VIEWER_ADDRESS;
use serde_yaml_ng::Value;

use crate::{
    caching::{api_behaviors, distribution},
    template::{properties, template, text},
};

/// Dynamic reference to the value of the secret.
const SECRET: &str = "{{resolve:secretsmanager:${OriginSecret}}}";

/// Returns the id of each origin with custom headers, and the name and value of each such header.
fn origin_headers() -> Vec<(&'static str, &'static str, &'static str)> {
    let origins = distribution()["Origins"].as_sequence().unwrap();
    let headers = |origin: &'_ Value| origin["OriginCustomHeaders"].as_sequence().cloned().unwrap_or_default();
    assert!(origins.iter().all(|origin| headers(origin).len() <= 1));
    let with_header = origins.iter().filter(|origin| !headers(origin).is_empty());
    with_header
        .map(|origin| {
            let header = &origin["OriginCustomHeaders"][0];
            (text(&origin["Id"]), text(&header["HeaderName"]), text(&header["HeaderValue"]))
        })
        .collect()
}

#[test]
fn every_method_requires_key() {
    let auth = &properties("Api")["Auth"];
    assert_eq!(auth["ApiKeyRequired"], true);
    // SAM then adds the key to every method, also to preflights, unless one of these says otherwise.
    assert!(auth["AddApiKeyRequiredToCorsPreflight"].is_null());
    for resource in template()["Resources"].as_mapping().unwrap().values() {
        assert_ne!(resource["Type"], "AWS::Serverless::HttpApi");
        let properties = &resource["Properties"];
        assert!(properties["FunctionUrlConfig"].is_null());
        for event in properties["Events"].as_mapping().into_iter().flat_map(|events| events.values()) {
            assert!(event["Type"] == "Api" || event["Type"] == "DynamoDB", "{event:?}");
            assert!(event["Properties"]["Auth"]["ApiKeyRequired"].is_null(), "{event:?}");
        }
    }
}

#[test]
fn stage_accepts_key() {
    let key = properties("OriginKey");
    assert_eq!(key["Enabled"], true);
    assert_eq!(text(&key["Value"]), SECRET);
    assert!(key["Name"].is_null(), "CloudFormation cannot replace a key with a fixed name");

    let plan = properties("OriginUsagePlan");
    let [stage] = plan["ApiStages"].as_sequence().unwrap().as_slice() else { panic!("one stage") };
    assert_eq!((text(&stage["ApiId"]), text(&stage["Stage"])), ("Api", "Api.Stage"));
    assert!(plan["Quota"].is_null() && plan["Throttle"].is_null());

    let member = properties("OriginUsagePlanKey");
    assert_eq!((text(&member["KeyId"]), text(&member["UsagePlanId"])), ("OriginKey", "OriginUsagePlan"));
}

#[test]
fn only_api_origin_gets_key() {
    assert_eq!(origin_headers(), [("api", "x-api-key", SECRET)]);
}

#[test]
fn only_key_and_distribution_have_secret() {
    let resources = template()["Resources"].as_mapping().unwrap();
    let with_secret: BTreeSet<_> = resources
        .iter()
        .filter(|(_, resource)| serde_yaml_ng::to_string(resource).unwrap().contains("${OriginSecret}"))
        .map(|(id, _)| text(id))
        .collect();
    assert_eq!(with_secret, BTreeSet::from(["Distribution", "OriginKey"]));
    for section in ["Globals", "Outputs"] {
        assert!(!serde_yaml_ng::to_string(&template()[section]).unwrap().contains("{{resolve:"), "{section}");
    }
}

#[test]
fn only_cloudfront_sets_client_address() {
    for behavior in api_behaviors(distribution()) {
        let [association] = behavior["FunctionAssociations"].as_sequence().unwrap().as_slice() else {
            panic!("one function");
        };
        assert_eq!(association["EventType"], "viewer-request");
        let function = text(&association["FunctionARN"]).strip_suffix(".FunctionARN").unwrap();
        let code = text(&properties(function)["FunctionCode"]);
        let sets = format!("request.headers['{VIEWER_ADDRESS}'] = {{ value: event.viewer.ip }};");
        assert!(code.contains(&sets), "{code}");
        // All functions get the address.
        let policy = properties(text(&behavior["OriginRequestPolicyId"]));
        let headers = &policy["OriginRequestPolicyConfig"]["HeadersConfig"];
        assert_eq!(headers["HeaderBehavior"], "allExcept");
        assert_eq!(headers["Headers"].as_sequence().unwrap().as_slice(), ["Host"]);
    }
}

/// The gateway decodes a base64 response for an `Accept` header, so a request without one gets it.
#[test]
fn cloudfront_adds_missing_accept() {
    let code = text(&properties("ViewerRequest")["FunctionCode"]);
    assert!(code.contains("request.headers.accept = request.headers.accept || { value: '*/*' };"), "{code}");
}
