//! The distribution caches what the functions allow, with a key of what they read.

use std::collections::BTreeSet;

use serde_yaml_ng::Value;
use tests::{Api, Response, sample};

use crate::{
    names::functions,
    template::{keys, read, template, text},
};

const EVENT: &str = "0196a1b2-0000-7000-8000-00000000abcd";

/// Returns the cache behaviours of the distribution that lead to the API, including the default one.
pub fn api_behaviors(distribution: &Value) -> Vec<&Value> {
    let listed = distribution["CacheBehaviors"].as_sequence().unwrap();
    let all = listed.iter().chain([&distribution["DefaultCacheBehavior"]]);
    all.filter(|behavior| behavior["TargetOriginId"] != "posters").collect()
}

pub fn distribution(template: &Value) -> &Value {
    &template["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
}

/// Returns true if a path matches a pattern, in which `?` is any character and a final `*` any text.
fn matches(pattern: &str, path: &str) -> bool {
    let (start, is_open) = pattern.strip_suffix('*').map_or((pattern, false), |start| (start, true));
    let length = if is_open { path.len() >= start.len() } else { path.len() == start.len() };
    length && start.bytes().zip(path.bytes()).all(|(expected, byte)| expected == b'?' || expected == byte)
}

fn cache_policy<'a>(template: &'a Value, path: &str) -> &'a Value {
    let behaviors = api_behaviors(distribution(template));
    let behavior = behaviors.into_iter().find(|behavior| behavior["PathPattern"] == path).unwrap();
    policy(template, behavior)
}

fn policy<'a>(template: &'a Value, behavior: &Value) -> &'a Value {
    &template["Resources"][text(&behavior["CachePolicyId"])]["Properties"]["CachePolicyConfig"]
}

fn key(policy: &Value) -> &Value {
    &policy["ParametersInCacheKeyAndForwardedToOrigin"]
}

/// Returns the `s-maxage` of a response.
fn shared_seconds(response: &Response) -> u64 {
    let mut directives = response.header("Cache-Control").split(',').map(str::trim);
    directives.find_map(|directive| directive.strip_prefix("s-maxage=")).unwrap().parse().unwrap()
}

#[tokio::test]
async fn ttl_matches_cache_control() {
    let template = template();
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0").data();
    for (path, response) in [
        ("/api/v1/events", api.get("/api/v1/events").await),
        ("/api/v1/events/*", api.event(created["id"].as_str().unwrap()).await),
    ] {
        let policy = cache_policy(&template, path);
        let seconds = shared_seconds(&response);
        assert!(seconds > 0, "{path}");
        assert_eq!(policy["MinTTL"], seconds, "{path}");
        assert!(policy["MaxTTL"].as_u64().unwrap() >= seconds, "{path}");
    }
}

#[test]
fn only_cacheable_paths_have_ttl() {
    let template = template();
    let cached: Vec<_> = api_behaviors(distribution(&template))
        .into_iter()
        .filter(|behavior| policy(&template, behavior)["MinTTL"] != 0)
        .map(|behavior| text(&behavior["PathPattern"]))
        .collect();
    assert!(!cached.is_empty());
    let is_cached = |path: &str| cached.iter().any(|pattern| matches(pattern, &path.replace("{eventId}", EVENT)));
    for (slug, (_, path)) in functions().into_iter().filter(|(_, (method, _))| method == "GET") {
        let function = read(&format!("functions/{slug}/src/lib.rs"));
        let is_cacheable = function.contains(".cacheable");
        assert_eq!(is_cacheable, is_cached(&path), "{slug} is cacheable (left), {path} has a cache behaviour (right)");
    }
}

#[test]
fn entity_tag_of_event_stays_strong() {
    let template = template();
    let behaviors = api_behaviors(distribution(&template));
    let behavior = |path: &str| {
        let first = behaviors.iter().find(|behavior| matches(text(&behavior["PathPattern"]), path));
        first.unwrap_or_else(|| panic!("no behaviour for {path}"))
    };
    // CloudFront weakens the tag of a response that it compresses.
    assert_eq!(behavior(&format!("/api/v1/events/{EVENT}"))["Compress"], false);
    for other in ["", &format!("/{EVENT}/detail"), &format!("/{EVENT}/seat-map.svg")] {
        assert_eq!(behavior(&format!("/api/v1/events{other}"))["Compress"], true, "{other}");
    }
}

#[tokio::test]
async fn cache_key_has_parameters() {
    let template = template();
    let page = cache_policy(&template, "/api/v1/events");
    let in_key: BTreeSet<_> = key(page)["QueryStringsConfig"]["QueryStrings"]
        .as_sequence()
        .unwrap()
        .iter()
        .map(|name| text(name).to_owned())
        .collect();

    let source = ["page", "search"].map(|file| read(&format!("shared/api/src/{file}.rs"))).concat();
    let names = source.split("parameter(request, \"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned());
    assert_eq!(in_key, names.collect());

    // Each parameter is read, since an invalid value of each is rejected.
    for name in &in_key {
        let value = "-".repeat(51);
        let rejected = Api::new().get(&format!("/api/v1/events?{name}={value}")).await.expect(400, "C_003");
        assert_eq!(rejected.errors(), [[name.as_str(), value.as_str()]]);
    }

    let event = cache_policy(&template, "/api/v1/events/*");
    assert_eq!(key(event)["QueryStringsConfig"]["QueryStringBehavior"], "none");
}

#[test]
fn cache_key_has_origin_if_needed() {
    let template = template();
    for path in ["/api/v1/events", "/api/v1/events/*"] {
        let Value::Tagged(headers) = &key(cache_policy(&template, path))["HeadersConfig"] else {
            panic!("the headers in the key depend on AllowedOrigins");
        };
        let [condition, any, listed] = headers.value.as_sequence().unwrap().as_slice() else {
            panic!("a condition and two choices");
        };
        assert_eq!(condition, "AllowsAnyOrigin");
        assert_eq!(any["HeaderBehavior"], "none");
        assert_eq!(listed["Headers"].as_sequence().unwrap().as_slice(), ["Origin"]);
    }
}

#[test]
fn cache_key_has_accepted_encodings() {
    let template = template();
    let behaviors = api_behaviors(distribution(&template));
    assert!(!behaviors.is_empty());
    for behavior in behaviors {
        assert_eq!(key(policy(&template, behavior))["EnableAcceptEncodingGzip"], true);
    }
}

#[test]
fn gateway_decodes_any_compressed_response() {
    let template = template();
    let binary = &template["Resources"]["Api"]["Properties"]["BinaryMediaTypes"];
    assert_eq!(binary.as_sequence().unwrap().as_slice(), ["*~1*"]);
}

#[test]
fn cookies_are_not_forwarded() {
    let template = template();
    let resources = &template["Resources"];
    for behavior in api_behaviors(distribution(&template)) {
        let cached = policy(&template, behavior);
        let forwarded = &resources[text(&behavior["OriginRequestPolicyId"])]["Properties"]["OriginRequestPolicyConfig"];
        assert_eq!(key(cached)["CookiesConfig"]["CookieBehavior"], "none");
        assert_eq!(forwarded["CookiesConfig"]["CookieBehavior"], "none");
    }
}

#[test]
fn gateway_responses_are_no_store() {
    let responses = &template()["Resources"]["Api"]["Properties"]["GatewayResponses"];
    let names = keys(responses);
    assert!(!names.is_empty());
    for name in names {
        let headers = &responses[name.as_str()]["ResponseParameters"]["Headers"];
        assert_eq!(headers["Cache-Control"], "'no-store'", "{name}");
    }
}

#[test]
fn responses_have_security_headers() {
    let template = template();
    let distribution = distribution(&template);
    let listed = distribution["CacheBehaviors"].as_sequence().unwrap();
    for behavior in listed.iter().chain([&distribution["DefaultCacheBehavior"]]) {
        let policy = &template["Resources"][text(&behavior["ResponseHeadersPolicyId"])]["Properties"];
        let headers = &policy["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"];
        assert_eq!(headers["ContentTypeOptions"]["Override"], true);
        assert_eq!(headers["StrictTransportSecurity"]["AccessControlMaxAgeSec"], 31_536_000);
    }
}
